"""Who may open the WebSocket: the handshake's own checks, before anything is upgraded."""

import re
from collections import Counter
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, web

from halfmoon_server.connection import PROTOCOL, Connection
from halfmoon_server.keys import SERVER, Server
from halfmoon_server.limits import address_of

MOST_MESSAGE_BYTES = 16 * 1024
HOST_TEXT = re.compile(r"[A-Za-z0-9._\-\[\]:]{1,255}")
DEFAULT_PORTS = {"http": 80, "https": 443}
CLOSE_WITHIN_S = 2.0


async def websocket(request: web.Request) -> web.StreamResponse:
    """`GET /ws` (Contract §4): the upgrade, or a refusal that closes the TCP connection."""
    server = request.app[SERVER]
    address = address_of(request.remote)
    refusal = _refusal(request, server, address)
    if refusal is not None:
        refusal.force_close()
        return refusal
    socket = web.WebSocketResponse(
        protocols=(PROTOCOL,),
        compress=False,
        autoping=False,
        # aiohttp refuses a message of exactly its limit, and ours may have exactly 16 KiB.
        max_msg_size=MOST_MESSAGE_BYTES + 1,
        timeout=CLOSE_WITHIN_S,
    )
    await socket.prepare(request)
    transport = request.transport
    if transport is None:
        return socket
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


def _leave(addresses: Counter[str], address: str) -> None:
    addresses[address] -= 1
    if addresses[address] <= 0:
        del addresses[address]


def _refusal(request: web.Request, server: Server, address: str) -> web.Response | None:
    """Why this handshake is refused, None where it isn't."""
    if server.is_stopping:
        return _text(503, "the server is stopping: come back in a moment")
    if not is_allowed_origin(request, server.around.settings.allowed_origins):
        return _text(403, "pages of another host may not connect")
    if request.headers.get("Upgrade", "").lower() != "websocket":
        return _text(426, "this is a WebSocket: version 13, subprotocol halfmoon.v1", upgrade=True)
    if request.headers.get("Sec-WebSocket-Version") != "13":
        return _text(426, "only WebSocket version 13 is spoken here", upgrade=True)
    offered = request.headers.getall("Sec-WebSocket-Protocol", [])
    if PROTOCOL not in [one.strip() for line in offered for one in line.split(",")]:
        return _text(400, f"the subprotocol {PROTOCOL} has to be offered")
    if server.addresses[address] >= server.around.settings.limits.connections_per_address:
        return _text(429, "too many connections from one address")
    return None


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
    own = _host_and_port(f"http://{request.headers.get('Host', '')}")
    parts = _host_and_port(origins[0])
    if own is None or parts is None:
        return False
    host, port, scheme = parts
    return (host, port or DEFAULT_PORTS[scheme]) == (own[0], own[1] or DEFAULT_PORTS[scheme])


def _host_and_port(origin: str) -> tuple[str, int | None, str] | None:
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
