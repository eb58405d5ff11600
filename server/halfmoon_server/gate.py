"""Who may open the WebSocket: the handshake's own checks, before anything is upgraded."""

import asyncio
import math
import re
import socket as tcp
from collections import Counter
from urllib.parse import urlsplit

import structlog
from aiohttp import HttpVersion11, WSCloseCode, web

from halfmoon_server.connection import PROTOCOL, Connection, Socket
from halfmoon_server.guard import Guard
from halfmoon_server.keys import SERVER, Server
from halfmoon_server.proxies import address_of

log = structlog.get_logger()

HOST_TEXT = re.compile(r"[A-Za-z0-9._\-\[\]:]{1,255}")
KEY_TEXT = re.compile(r"[A-Za-z0-9+/]{22}==")
"""Sixteen bytes in base64 (RFC 6455 §4.1)."""
DEFAULT_PORTS = {"http": 80, "https": 443}
CLOSE_WITHIN_S = 2.0
MOST_UNSENT_BYTES = 64 * 1024
"""Of one connection, in the kernel."""


async def websocket(request: web.Request) -> web.StreamResponse:
    """`GET /ws` (Contract §4): the upgrade, or a refusal that closes the TCP connection."""
    server = request.app[SERVER]
    address = address_of(request, server.around.settings.trusted_proxies)
    refusal = _refusal(request, server, address)
    if refusal is not None:
        log.info("handshake.refused", status=refusal.status, address=address)
        refusal.force_close()
        return refusal
    socket = new_socket(server.around.settings.limits.message_bytes)
    # aiohttp confirms it only where the first of several headers offers it.
    socket.headers["Sec-WebSocket-Protocol"] = PROTOCOL
    transport = request.transport
    if transport is None:
        return web.Response(status=400)  # for nobody: the peer went while this waited its turn
    guard(request)
    await socket.prepare(request)
    _keep_little_unsent(transport)
    connection = Connection(socket, transport, address, server.around)
    server.connections.add(connection)
    server.addresses[address] += 1
    server.around.metrics.connections.inc()
    try:
        await connection.run()
    finally:
        server.connections.discard(connection)
        _leave(server.addresses, address)
        server.around.metrics.connections.dec()
    return socket


def new_socket(message_bytes: int) -> Socket:
    """A socket that isn't open yet, for messages of at most so many bytes."""
    return Socket(
        protocols=(PROTOCOL,),
        compress=False,
        autoping=False,
        # aiohttp refuses a message of exactly its limit, and ours may have exactly that.
        max_msg_size=message_bytes + 1,
        timeout=CLOSE_WITHIN_S,
    )


def guard(request: web.Request) -> None:
    """Let no frame of this connection reach aiohttp that it would wrongly take."""
    transport = request.transport
    if transport is not None and not transport.is_closing():
        # Before the upgrade is answered: from then on every byte is a frame's.
        transport.set_protocol(Guard(request.protocol))


def _keep_little_unsent(transport: asyncio.Transport) -> None:
    """Have the kernel hold little that the peer hasn't read, so that the outbox sees who is slow.

    By default some 3 MB pile up there before a socket takes nothing more.
    """
    peer = transport.get_extra_info("socket")
    option = getattr(tcp, "TCP_NOTSENT_LOWAT", None)  # not on every platform
    if peer is not None and option is not None:
        peer.setsockopt(tcp.IPPROTO_TCP, option, MOST_UNSENT_BYTES)


def _leave(addresses: Counter[str], address: str) -> None:
    addresses[address] -= 1
    if addresses[address] <= 0:
        del addresses[address]


def _refusal(request: web.Request, server: Server, address: str) -> web.Response | None:
    """Why this handshake is refused, None where it isn't."""
    if request.method != "GET":
        refusal = _text(405, "a WebSocket is opened by GET")
        refusal.headers["Allow"] = "GET"
        return refusal
    if server.is_stopping:
        return _text(503, "the server is stopping: come back in a moment")
    if not is_allowed_origin(request, server.around.settings.allowed_origins):
        return _text(403, "pages of another host may not connect")
    if request.headers.get("Upgrade", "").lower() != "websocket":
        return _text(426, "this is a WebSocket: version 13, subprotocol halfmoon.v1", upgrade=True)
    if request.headers.get("Sec-WebSocket-Version") != "13":
        return _text(426, "only WebSocket version 13 is spoken here", upgrade=True)
    if not _is_handshake(request):
        return _text(400, "no handshake of RFC 6455: HTTP/1.1, Connection, key and no body")
    if PROTOCOL not in _listed(request, "Sec-WebSocket-Protocol"):
        return _text(400, f"the subprotocol {PROTOCOL} has to be offered")
    if server.addresses[address] >= server.around.settings.limits.connections_per_address:
        return _text(429, "too many connections from one address")
    if (wait_ms := server.new_connection(address)) > 0:
        refusal = _text(429, "too many new connections from one address")
        refusal.headers["Retry-After"] = str(math.ceil(wait_ms / 1000))
        return refusal
    return None


def _is_handshake(request: web.Request) -> bool:
    """What RFC 6455 §4.2.1 asks for beside the headers that have a refusal of their own."""
    return (
        request.version >= HttpVersion11
        and "upgrade" in [one.lower() for one in _listed(request, "Connection")]
        and KEY_TEXT.fullmatch(request.headers.get("Sec-WebSocket-Key", "")) is not None
        # What follows an upgrade is frames: a body would be read as some.
        and request.headers.get("Content-Length", "0") == "0"
        and "Transfer-Encoding" not in request.headers
    )


def _listed(request: web.Request, header: str) -> list[str]:
    """What a header lists, in however many lines."""
    lines = request.headers.getall(header, [])
    return [one.strip() for line in lines for one in line.split(",")]


def _text(status: int, text: str, *, upgrade: bool = False) -> web.Response:
    headers = {"Sec-WebSocket-Version": "13", "Upgrade": "websocket"} if upgrade else {}
    return web.Response(status=status, text=text + "\n", headers=headers)


def is_allowed_origin(request: web.Request, allowed: frozenset[str]) -> bool:
    """Whether the page that asks is ours, or one that the operator named; programs have none.

    The scheme isn't compared: behind a proxy that ends TLS the server doesn't know its own.
    """
    origins = request.headers.getall("Origin", [])
    if not origins:
        return True
    if len(origins) > 1:
        return False
    if origins[0] in allowed:
        return True
    own = host_and_port(f"http://{request.headers.get('Host', '')}")
    parts = host_and_port(origins[0])
    if own is None or parts is None:
        return False
    host, port, scheme = parts
    return (host, port or DEFAULT_PORTS[scheme]) == (own[0], own[1] or DEFAULT_PORTS[scheme])


def host_and_port(origin: str) -> tuple[str, int | None, str] | None:
    """Host, port and scheme of an origin; None for what is none."""
    try:
        parts = urlsplit(origin)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    is_bare = not (parts.path or parts.query or parts.fragment or parts.username)
    if host is None or not is_bare or parts.scheme not in DEFAULT_PORTS:
        return None
    return host, port, parts.scheme


async def close_all(server: Server) -> None:
    """Close every connection with 1012: the server stops, and clients come back by themselves."""
    connections = [*server.connections]
    for connection in connections:
        connection.close(WSCloseCode.SERVICE_RESTART, "the server is restarting")
    for connection in connections:
        await connection.closed()
