"""What programs ask over HTTP (Contract §4): rooms, records, health, figures, the documents."""

import contextlib
from functools import cache
from typing import Any, Literal

import structlog
from aiohttp import web

from halfmoon.wire.http import ROOMS_A_PAGE, Address, Health, PublicRoom, RoomsPage
from halfmoon_server import __version__, results_api
from halfmoon_server.bearer import identity_if_any
from halfmoon_server.challenges.challenge import how_told
from halfmoon_server.eventlog.base import LogDamaged, LogUnavailable
from halfmoon_server.glances import room_glance
from halfmoon_server.hosting.directory import Directory
from halfmoon_server.indexing import UNREADABLE
from halfmoon_server.keys import SERVER, Server
from halfmoon_server.lan import is_loopback, reachable, split
from halfmoon_server.pages import Handler
from halfmoon_server.proxies import scheme_of
from halfmoon_server.records import Found, find_record
from halfmoon_server.replies import NO_STORE, error, reply
from halfmoon_server.rooms.state import Room

log = structlog.get_logger()


def add_routes(router: web.UrlDispatcher) -> None:
    """Put the API's paths into the application."""
    router.add_get("/healthz", healthz)
    router.add_get("/metrics", metrics)
    router.add_get("/api/address", address)
    router.add_get("/api/rooms", rooms)
    router.add_get("/api/rooms/{room}", room_glance)
    router.add_get("/api/races/{race}", race)
    results_api.add_routes(router)
    router.add_get("/api/schema", _document("schema"))
    router.add_get("/api/asyncapi", _document("asyncapi"))
    router.add_get("/api/openapi", _document("openapi"))


async def healthz(request: web.Request) -> web.Response:
    """`GET /healthz`: ok, or 503 while nothing can be written; then every look tries again."""
    event_log = request.app[SERVER].event_log
    if not event_log.is_healthy:
        with contextlib.suppress(LogUnavailable):
            await event_log.probe()
    if event_log.is_healthy:
        return reply(Health(status="ok"))
    return reply(Health(status="failing"), status=503)


async def metrics(request: web.Request) -> web.Response:
    """`GET /metrics`: the figures in Prometheus' text form."""
    body = request.app[SERVER].around.metrics.text()
    return web.Response(
        body=body, headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8", **NO_STORE}
    )


async def address(request: web.Request) -> web.Response:
    """`GET /api/address`: where others find this server, for links that are sent to them."""
    settings = request.app[SERVER].around.settings
    place = reachable(request.headers["Host"], settings.host)
    origin = f"{scheme_of(request, settings.trusted_proxies)}://{place}"
    is_ours_alone = is_loopback(split(place)[0])
    return reply(Address(origin=origin, reach="device" if is_ours_alone else "network"))


async def rooms(request: web.Request) -> web.Response:
    """`GET /api/rooms`: public rooms, the newest 100, or the 100 after the room `?after=`."""
    directory = request.app[SERVER].around.directory
    public = [room for room in directory.rooms() if room.options.public and not room.is_closed]
    public.sort(key=_newest_first)
    if (after := request.query.get("after")) is not None:
        last = directory.listed(after.upper())
        if last is None:
            return error(404, "unknown_room", "after: there is no such public room")
        public = [room for room in public if _newest_first(room) > _newest_first(last)]
    try:
        page = [await _public_room(directory, room) for room in public[:ROOMS_A_PAGE]]
    except LogUnavailable:
        return error(503, "unavailable", "the log can't be read right now: try again in a moment")
    return reply(RoomsPage(rooms=page))


def _newest_first(room: Room) -> tuple[int, str]:
    return -room.created_at, room.room


async def _public_room(directory: Directory, room: Room) -> PublicRoom:
    players = sum(1 for _ in room.players())
    return PublicRoom(
        room=room.room,
        state=room.state,
        host_name=room.host_name,
        players=players,
        max_players=room.options.max_players,
        spectators=len(room.members) - players,
        options=await directory.told_options(room),
    )


async def race(request: web.Request) -> web.Response:
    """`GET /api/races/RACE`: the record; 404 alike for a race that isn't over and for none.

    For one of a contest that is shut too; who asks with a token is asked for by name.
    """
    server = request.app[SERVER]
    try:
        who = await identity_if_any(request)
        if isinstance(who, web.Response):
            return who
        found = await find_record(server.event_log, request.match_info["race"])
        player = None if who is None else who.player
        if found is not None and await server.contests.is_open(
            found.contest, found.record.code, player
        ):
            await _remember(server, found, player)
            return reply(found.record)
    except LogUnavailable:
        return error(503, "unavailable", "the log can't be read right now: try again in a moment")
    except UNREADABLE as fault:
        why = str(fault) if isinstance(fault, LogDamaged) else type(fault).__name__
        log.error("record.unreadable", error=why)
        return error(503, "unavailable", "the log of this race is damaged")
    return error(404, "unknown_race", "there is no record of such a race")


async def _remember(server: Server, found: Found, player: str | None) -> None:
    """Keep in mind who reads of a deal that may come into a sealed envelope yet."""
    if player is None or player in found.witnesses:
        return
    if how_told(found.record, found.contest) is None:
        now = server.around.clock.now()
        await server.keeper.envelopes.read(player, found.record.code, now)


def _document(name: Literal["schema", "asyncapi", "openapi"]) -> Handler:
    @cache
    def made() -> dict[str, Any]:
        # Loaded and made when it is asked for, so that a start doesn't wait for it.
        from halfmoon.wire import schema  # noqa: PLC0415

        if name == "schema":
            return schema.message_schema()
        if name == "asyncapi":
            return schema.asyncapi_document(__version__)
        return schema.openapi_document(__version__)

    async def document(_: web.Request) -> web.StreamResponse:
        return web.json_response(made())

    return document
