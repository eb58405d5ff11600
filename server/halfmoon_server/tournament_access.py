"""Who may make a call on a tournament, of which one it is, and what becomes of a refusal."""

import asyncio
import urllib.parse
from collections.abc import Awaitable, Callable
from functools import wraps

from aiohttp import web

from halfmoon.wire.fields import read_name
from halfmoon.wire.tournaments import DEVICE_HEADER
from halfmoon_server.bodies import Refused, refusal
from halfmoon_server.eventlog.base import LogUnavailable
from halfmoon_server.hosting.directory import Stopping
from halfmoon_server.hosting.tournament_host import TournamentHost
from halfmoon_server.hosting.tournaments import Tournaments
from halfmoon_server.keys import SERVER
from halfmoon_server.proxies import address_of
from halfmoon_server.replies import error
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import events as e

Handler = Callable[[web.Request], Awaitable[web.Response]]


def for_all(handler: Handler) -> Handler:
    """A handler whose refusals are answered as errors."""

    @wraps(handler)
    async def answered(request: web.Request) -> web.Response:
        try:
            return await handler(request)
        except Refused as why:
            return why.response()
        except (LogUnavailable, Stopping):
            return error(
                503, "unavailable", "nothing can be written right now: try again in a moment"
            )

    return answered


def for_organisers(handler: Handler) -> Handler:
    """A handler that only who has the key comes to."""

    async def checked(request: web.Request) -> web.Response:
        _check_key(request)
        return await handler(request)

    return for_all(checked)


def _check_key(request: web.Request) -> None:
    server = request.app[SERVER]
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and server.organiser.fits(key.strip()):
        return
    if key:
        address = address_of(request, server.around.settings.trusted_proxies)
        now_ms = asyncio.get_running_loop().time() * 1000
        if server.wrong_keys.of(address, now_ms).take(now_ms) > 0:
            raise Refused(429, "rate_limited", "too many wrong keys: wait a minute")
    raise Refused(401, "unauthorized", "this takes the organiser key: Authorization: Bearer KEY")


def device_of(request: web.Request) -> str | None:
    """What the log shall call the device of this call; raises `Refused`."""
    told = request.headers.get(DEVICE_HEADER)
    if not told:
        return None
    try:
        return read_name(urllib.parse.unquote(told, errors="strict"))
    except ValueError as fault:
        raise Refused(400, "bad_request", f"{DEVICE_HEADER}: {fault}") from None


def all_tournaments(request: web.Request) -> Tournaments:
    """All of this server."""
    return request.app[SERVER].around.tournaments


def host_of(request: web.Request) -> TournamentHost:
    """The tournament of the path; raises `Refused`."""
    host = all_tournaments(request).find(request.match_info["tournament"].upper())
    if host is None:
        raise Refused(404, "unknown_tournament", "there is no such tournament")
    return host


def number_in(request: web.Request, name: str) -> int:
    """A number of the path; raises `Refused`."""
    text = request.match_info[name]
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise Refused(404, f"unknown_{name}", f"there is no such {name}")
    return int(text)


async def done(request: web.Request, host: TournamentHost, asked: q.Request) -> tuple[e.Event, ...]:
    """Have it carried out for this organiser; raises `Refused`."""
    outcome = await host.ask(asked, device=device_of(request))
    if isinstance(outcome, q.Refusal):
        raise refusal(outcome.code, outcome.message)
    return outcome
