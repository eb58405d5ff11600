"""The WebSocket under a client: it comes back by itself, and closes cleanly."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from random import SystemRandom
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from halfmoon.wire.codec import read_message, write
from halfmoon.wire.errors import CloseCode
from halfmoon.wire.fields import read_name
from halfmoon_client.client import Client
from halfmoon_client.errors import ClientError, NoConnection, Replaced, ServerFault
from halfmoon_client.link import Link, closed
from halfmoon_client.seat import Seat

SUBPROTOCOL = Subprotocol("halfmoon.v1")
MAX_SIZE = 4 * 1024 * 1024
"""Bytes of a message: a room of a thousand players with everybody's board stays below one MiB."""
FIRST_BACKOFF_MS = 500
MAX_BACKOFF_MS = 10_000
CLOSE_SECONDS = 2
"""How long a server may take to say goodbye."""
PING_SECONDS = 10
"""A connection that leaves a ping unanswered for so long is a lost one."""

_FAULTS = {
    CloseCode.UNSUPPORTED_DATA,
    CloseCode.INVALID_TEXT,
    CloseCode.TOO_BIG,
    1002,  # a protocol error (RFC 6455 §7.4.1)
}
"""Close codes that say that this client is wrong; it would be wrong again."""

log = logging.getLogger("halfmoon_client")


@dataclass(frozen=True)
class World:
    """Time and chance, so that a test can bring its own."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Waits so many seconds."""
    chance: Callable[[], float] = SystemRandom().random
    """A number from 0 to 1."""
    now_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000
    """Milliseconds of a clock that only runs forward."""


WORLD = World()


@asynccontextmanager
async def connect(
    url: str, *, name: str | None = None, token: str | None = None, world: World = WORLD
) -> AsyncGenerator[Client]:
    """A client that is connected to the server at `url`, and closed with the `async with`.

    A new player takes a `name`; one who has a `token` of an earlier time is the same player again,
    and may leave the name out. `url` is the address of the page, of a room's page or of the
    WebSocket, and may be bare as in `127.0.0.1:8080`.

    Raises ValueError for a name or a URL that is none, `NoConnection` where the server can't be
    reached, `CommandRefused` with `unauthorized` for a wrong token. Once connected it comes back
    by itself after every drop.
    """
    if name is None and token is None:
        raise ValueError("a client needs a name or a token")
    seat = Seat(name=None if name is None else read_name(name), token=token)
    carrier = _Carrier(socket_url(url), Link(seat, world.now_ms), world)
    task = asyncio.create_task(carrier.run(), name="halfmoon_client")
    try:
        await carrier.link.welcomed
        yield Client(carrier.link)
    finally:
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()


def socket_url(url: str) -> str:
    """The address of the WebSocket of the server whose page, room or WebSocket is at `url`.

    Raises ValueError for what is no such address.
    """
    parts = urlsplit(url if "://" in url else f"http://{url}")
    scheme = {"http": "ws", "ws": "ws", "https": "wss", "wss": "wss"}.get(parts.scheme)
    if scheme is None or not parts.hostname:
        raise ValueError(f"{url!r} is no address of a server: http://HOST:PORT is one")
    before_room, _, _ = parts.path.partition("/r/")
    path = before_room.rstrip("/").removesuffix("/ws")
    return f"{scheme}://{parts.netloc}{path}/ws"


def backoff_ms(attempt: int, chance: Callable[[], float]) -> float:
    """How long to wait before the attempt of this number, the first being 0: full jitter."""
    return chance() * min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2.0 ** min(attempt, 16))


class _Carrier:
    """Carries the texts between a link and the server, over one socket after the other."""

    def __init__(self, url: str, link: Link, world: World) -> None:
        self.link = link
        self._url = url
        self._world = world
        self._attempt = 0

    async def run(self) -> None:
        """Runs until it is cancelled, or until there can be no connection."""
        try:
            while True:
                await self._connect_once()
                wait_ms = backoff_ms(self._attempt, self._world.chance)
                self._attempt += 1
                log.info("not connected to %s; next attempt in %d ms", self._url, wait_ms)
                await self._world.sleep(wait_ms / 1000)
        except ClientError as error:
            self.link.end(error)
        finally:
            self.link.end(closed())

    async def _connect_once(self) -> None:
        """Carries texts until the connection drops. Raises `ClientError` where it is the last."""
        try:
            socket = await open_socket(
                self._url,
                subprotocols=[SUBPROTOCOL],
                compression=None,
                max_size=MAX_SIZE,
                ping_interval=PING_SECONDS,
                ping_timeout=PING_SECONDS,
                close_timeout=CLOSE_SECONDS,
            )
        except (OSError, WebSocketException) as error:
            self._give_up_if_new(error)
            return
        try:
            if socket.subprotocol != SUBPROTOCOL:
                raise ServerFault(f"{self._url} doesn't speak {SUBPROTOCOL}")
            self.link.connected()
            await self._carry(socket)
        except ConnectionClosed as error:
            self._judge(error)
        finally:
            self.link.dropped()
            await socket.close()

    def _give_up_if_new(self, error: Exception) -> None:
        """Raises where the server was never reached: an address that is wrong stays wrong."""
        if not self.link.welcomed.done():
            raise NoConnection(f"no connection to {self._url}: {error}") from error

    def _judge(self, error: ConnectionClosed) -> None:
        """Raises where a close code says not to come back."""
        code = error.rcvd.code if error.rcvd is not None else None
        if code == CloseCode.REPLACED:
            raise Replaced("the same player connected anew") from error
        if code in _FAULTS:
            raise ServerFault(f"the server closed the connection: {error}") from error
        self._give_up_if_new(error)

    async def _carry(self, socket: ClientConnection) -> None:
        tasks = [asyncio.create_task(self._read(socket)), asyncio.create_task(self._write(socket))]
        try:
            # The writer may be done first: what came before the end is read to the end.
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        for end in ends:
            if end is not None and not isinstance(end, asyncio.CancelledError):
                raise end

    async def _read(self, socket: ClientConnection) -> None:
        while True:
            text = await socket.recv()
            try:
                message = read_message(text)
            except ValueError as error:
                raise ServerFault(f"a message that is none: {error}") from error
            if message is not None:
                self.link.receive(message)
            if self.link.is_connected:
                self._attempt = 0

    async def _write(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                await self.link.work.wait()
                self.link.work.clear()
                await self._send(socket)

    async def _send(self, socket: ClientConnection) -> None:
        """Sends what there is to send; after a `rate_limited` nothing goes out for a while."""
        seat = self.link.seat
        for command in seat.commands_to_send():
            await socket.send(write(command))
        if seat.held_ms:
            await self._world.sleep(seat.held_ms / 1000)
            seat.release()
            self.link.work.set()
