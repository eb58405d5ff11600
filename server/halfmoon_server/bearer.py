"""Who asks over HTTP: the player's token in the header `Authorization`."""

import asyncio

from aiohttp import web

from halfmoon_server.eventlog.base import Identity
from halfmoon_server.keys import SERVER
from halfmoon_server.players import WrongToken
from halfmoon_server.proxies import address_of
from halfmoon_server.replies import error

SCHEME = "bearer"


async def identity_of(request: web.Request) -> Identity | web.Response:
    """Whose token the request carries, or why it is refused: 401, or 429 after many wrong ones.

    Raises `LogUnavailable`.
    """
    token = _token(request)
    if token is None:
        return _unauthorized("a token is needed: Authorization: Bearer TOKEN")
    around = request.app[SERVER].around
    address = address_of(request, around.settings.trusted_proxies)
    # The clock that connections take from the same bucket by.
    now_ms = asyncio.get_running_loop().time() * 1000
    bucket = around.wrong_tokens.of(address, now_ms)
    try:
        return await around.players.recognise(token, None)
    except WrongToken:
        if bucket.take(now_ms) > 0:
            return error(429, "rate_limited", "too many wrong tokens: wait a moment")
        return _unauthorized("no player has this token")


async def identity_if_any(request: web.Request) -> Identity | web.Response | None:
    """The same where the request carries a token; None where it carries none."""
    return None if "Authorization" not in request.headers else await identity_of(request)


def _token(request: web.Request) -> str | None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == SCHEME else None


def _unauthorized(message: str) -> web.Response:
    response = error(401, "unauthorized", message)
    response.headers["WWW-Authenticate"] = "Bearer"
    return response
