"""A room as its link tells of it, before one comes in (Contract §4, `/api/rooms/ROOM`)."""

import asyncio

from aiohttp import web

from halfmoon_server.bearer import identity_if_any
from halfmoon_server.eventlog.base import LogUnavailable
from halfmoon_server.hosting.directory import Stopping
from halfmoon_server.keys import SERVER
from halfmoon_server.proxies import address_of
from halfmoon_server.replies import error, reply
from halfmoon_server.rooms import views
from halfmoon_server.rooms.decide import bar_of


async def room_glance(request: web.Request) -> web.StreamResponse:
    """`GET /api/rooms/ROOM`: what `join_room` would tell whoever has the id, and as rarely to who guesses."""
    try:
        who = await identity_if_any(request)
        if isinstance(who, web.Response):
            return who
        return await _glance(request, None if who is None else who.player)
    except (LogUnavailable, Stopping):
        return error(503, "unavailable", "the room can't be read right now: try again in a moment")


async def _glance(request: web.Request, player: str | None) -> web.StreamResponse:
    around = request.app[SERVER].around
    host = await around.directory.find(request.match_info["room"].upper())
    if host is not None and player in host.room.members:
        return reply(views.glance(host.room, player, None))
    # The clock and the bucket of `Connection`: many wrong ids, and right ones are refused like them.
    now_ms = asyncio.get_running_loop().time() * 1000
    address = address_of(request, around.settings.trusted_proxies)
    bucket = around.wrong_rooms.of(address, now_ms)
    if bucket.wait_ms(now_ms) > 0:
        return error(429, "rate_limited", "too many rooms that aren't there: wait a moment")
    if host is None:
        bucket.take(now_ms)
        return error(404, "unknown_room", "there is no such room")
    bar = bar_of(host.room, player)
    if bar is None and player is not None and await around.directory.is_shut_to(host.room, player):
        bar = "deal_shut"
    return reply(views.glance(host.room, player, bar))
