"""`make_app(settings)`: the composition root. What the server is made of is put together here."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from importlib.metadata import version
from pathlib import Path

import structlog
from aiohttp import http_parser, web

from halfmoon.engine.deals import Deal
from halfmoon_server import __version__, api, gate, tournament_api
from halfmoon_server.challenges import api as challenges_api
from halfmoon_server.challenges import challenge, daily
from halfmoon_server.challenges.keeper import Keeper
from halfmoon_server.connection import Neighbours, link_of
from halfmoon_server.contests import ContestKinds
from halfmoon_server.eventlog.base import EventLog
from halfmoon_server.eventlog.memory import MemoryLog
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.hosting.clock import Clock, SystemClock
from halfmoon_server.hosting.directory import Directory, sealed_code
from halfmoon_server.hosting.tournaments import Tournaments
from halfmoon_server.keys import SERVER, Server
from halfmoon_server.limits import AddressBuckets
from halfmoon_server.metrics import Metrics
from halfmoon_server.organiser import organiser_key
from halfmoon_server.pages import Pages, safe_headers
from halfmoon_server.players import Players
from halfmoon_server.qr import qr
from halfmoon_server.rooms.evolve import DealOf
from halfmoon_server.settings import WRONG_KEYS, Settings
from halfmoon_server.signing import signing_key
from halfmoon_server.tournaments.heats import KIND
from halfmoon_server.upkeep.backup import backups_on_demand
from halfmoon_server.upkeep.keeping import keep_letting_go

log = structlog.get_logger()

MOST_BODY_BYTES = 1024 * 1024


def make_app(
    settings: Settings,
    *,
    event_log: EventLog | None = None,
    clock: Clock | None = None,
    deal_of: DealOf = Deal.of,
) -> web.Application:
    """The whole server as an application.

    Raises `DataFolderError` where the data folder can't be used. What tests replace is passed in:
    the log, the clock, and how a code becomes a deal.
    """
    app = web.Application(middlewares=[safe_headers], client_max_size=MOST_BODY_BYTES)
    rooms: list[Directory] = []
    metrics = Metrics(lambda: sum(len(directory) for directory in rooms))
    if event_log is None:
        event_log = _log_of(settings, metrics)
    clock = clock or SystemClock()
    keeper = Keeper(event_log, clock, sealed_code, settings.timezone)
    players = Players(event_log, settings.limits.connections_per_player)
    limits = settings.limits
    directory = Directory(event_log, clock, metrics, deal_of, limits, keeper)
    rooms.append(directory)
    app[SERVER] = Server(
        around=Neighbours(
            settings=settings,
            directory=directory,
            tournaments=Tournaments(event_log, clock, directory, link_of(players)),
            players=players,
            clock=clock,
            metrics=metrics,
            wrong_rooms=AddressBuckets(limits.wrong_rooms),
            wrong_tokens=AddressBuckets(limits.wrong_tokens),
            new_connections=AddressBuckets(limits.new_connections),
            new_rooms=AddressBuckets(limits.new_rooms),
            version=__version__,
        ),
        event_log=event_log,
        keeper=keeper,
        contests=ContestKinds(keeper.envelopes, {challenge.KIND: keeper, daily.KIND: keeper}),
        organiser=organiser_key(settings.organiser_key, settings.data),
        signing_key=signing_key(settings.data),
        wrong_keys=AddressBuckets(WRONG_KEYS),
    )
    app[SERVER].contests.kinds[KIND] = app[SERVER].around.tournaments
    pages = Pages()
    app.router.add_get("/", pages.index)
    app.router.add_get("/r/{room}", pages.index)
    app.router.add_get("/r/{room}/wall", pages.index)
    app.router.add_get("/r/{room}/overlay", pages.index)
    app.router.add_get("/race/{race}", pages.index)
    app.router.add_get("/replay", pages.index)
    app.router.add_get("/organiser", pages.index)
    app.router.add_get("/t/{tournament}", pages.index)
    app.router.add_get("/t/{tournament}/wall", pages.index)
    for path in ("/deal/{code}", "/me", "/daily", "/c/{challenge}"):
        app.router.add_get(path, pages.index)
    app.router.add_get("/static/{path:.*}", pages.static)
    app.router.add_get("/qr/{path:.+}", qr)
    app.router.add_route("*", "/ws", gate.websocket)
    challenges_api.add_routes(app.router)
    tournament_api.add_routes(app.router)
    api.add_routes(app.router)
    app.router.add_get(r"/{path:(?!api(?:/|$)).*}", pages.nothing)
    if settings.data is not None and isinstance(event_log, SqliteLog):
        app.cleanup_ctx.append(_backups(settings.data, event_log))
    app.cleanup_ctx.append(_rooms_run)
    app.on_shutdown.append(_shut_down)
    return app


def _log_of(settings: Settings, metrics: Metrics) -> EventLog:
    if settings.data is None:
        return MemoryLog()
    return SqliteLog(settings.data, metrics.log_seconds.observe)


async def _rooms_run(app: web.Application) -> AsyncIterator[None]:
    server = app[SERVER]
    await server.around.directory.begin()
    await server.around.tournaments.begin()
    tasks = [asyncio.create_task(server.around.metrics.watch_lag(), name="loop lag")]
    if (days := server.around.settings.keep_days) is not None:
        going = keep_letting_go(server.event_log, server.around.clock, days)
        tasks.append(asyncio.create_task(going, name="old rooms"))
    yield
    for task in tasks:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    await server.event_log.close()


def _backups(
    folder: Path, event_log: SqliteLog
) -> Callable[[web.Application], AsyncIterator[None]]:
    async def listen(_: web.Application) -> AsyncIterator[None]:
        async with backups_on_demand(folder, event_log.copy_to):
            yield

    return listen


async def _shut_down(app: web.Application) -> None:
    """Carry out what was asked, tell everybody, and only then let go of the log."""
    server = app[SERVER]
    server.is_stopping = True
    await server.around.directory.stop()
    await server.around.tournaments.stop()
    await gate.close_all(server)


def require_safe_parser() -> None:
    """Refuse to run on aiohttp's lenient pure-Python parser; raises RuntimeError."""
    if http_parser.HttpRequestParser is http_parser.HttpRequestParserPy:
        raise RuntimeError(
            f"aiohttp {version('aiohttp')} has no compiled parser here: install its wheel"
        )


def quiet_library_logs() -> None:
    """Requests that make no sense are the peer's fault and no traceback of ours."""
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    logging.getLogger("aiohttp.access").setLevel(logging.CRITICAL)
