"""A line between a client and a server that can be slow, narrow, torn into bytes, and cut.

    async with proxy_to(server.http) as proxy:
        proxy.up = Way(delay_ms=50)                          # what clients send
        proxy.down = Way(delay_ms=50, end_at=700, end="rst")  # what the server sends
        … connect to proxy.url …
        await proxy.ended.wait()

`up` and `down` hold for the connections that are made from then on; `cut` ends all there are.
"""

import asyncio
import random
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

End = Literal["fin", "rst", "hang", "half"]
"""How a connection ends: closed both ways; reset; nothing passes any more and nobody is told; this
way alone is closed and the other goes on."""

MOST_AT_ONCE = 65536
CLOSED_WITHIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Way:
    """What becomes of the bytes of one direction."""

    delay_ms: float = 0
    """How long each byte is under way; as many as you like are under way at once."""
    jitter_ms: float = 0
    """Up to so much more, at random; bytes stay in order."""
    bytes_per_s: float | None = None
    """How many pass in a second, None: as many as come."""
    piece: int = MOST_AT_ONCE
    """How many bytes are written at most at once: 1 tears everything into single bytes."""
    end_at: int | None = None
    """The connection ends when exactly so many bytes have passed this way."""
    end: End = "fin"


class Proxy:
    """Passes bytes on between those who connect to `url` and the server."""

    def __init__(self, host: str, port: int, seed: int = 0) -> None:
        self.url = ""
        self.is_open = True
        """Whether a new connection is let through; else it is cut at once."""
        self.up = Way()
        self.down = Way()
        self.ended = asyncio.Event()
        """Set when a connection has come to the `end_at` of one of its ways."""
        self.passed = {"up": 0, "down": 0}
        """How many bytes went each way on the newest connection."""
        self._target = (host, port)
        self._chance = random.Random(seed)
        self._lines: set[_Line] = set()
        self._serving: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """Cut every connection, without a goodbye in either direction."""
        for line in self._lines:
            line.abort()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take a connection, and serve it until either side ends it."""
        serving = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)

    async def close(self) -> None:
        """Cut every connection and return when they are gone."""
        self.cut()
        for serving in self._serving:
            serving.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = _Line(writer)
        self._lines.add(line)
        try:
            if self.is_open:
                await self._pass_on(line, reader)
                await line.close()
        finally:
            self._lines.discard(line)
            line.abort()

    async def _pass_on(self, line: "_Line", reader: asyncio.StreamReader) -> None:
        beyond, line.server = await asyncio.open_connection(*self._target)
        self.passed = passed = {"up": 0, "down": 0}
        ways = [
            asyncio.create_task(self._copy("up", passed, reader, line.server, line)),
            asyncio.create_task(self._copy("down", passed, beyond, line.client, line)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            if line.is_half_closed:
                await asyncio.wait(ways)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _copy(
        self,
        name: Literal["up", "down"],
        passed: dict[str, int],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        line: "_Line",
    ) -> None:
        way = self.up if name == "up" else self.down
        async with _arriving(reader, way, self._chance) as arriving:
            with suppress(ConnectionError):
                while passed[name] != way.end_at and (data := await _next(arriving)):
                    for piece in _pieces(data, way, passed[name]):
                        writer.write(piece)
                        passed[name] += len(piece)
                        await writer.drain()
                        if way.bytes_per_s is not None:
                            await asyncio.sleep(len(piece) / way.bytes_per_s)
                        elif way.piece < MOST_AT_ONCE:
                            await asyncio.sleep(0)
        if passed[name] == way.end_at:
            await line.end(way.end, writer, self.ended)


class _Line:
    """The two sockets of one connection."""

    def __init__(self, client: asyncio.StreamWriter) -> None:
        self.client = client
        self.server: asyncio.StreamWriter | None = None
        self.is_half_closed = False

    def abort(self) -> None:
        """Let both go at once."""
        for writer in self._writers():
            writer.transport.abort()

    async def close(self) -> None:
        """Let both go when they have been given what is on its way to them."""
        for writer in self._writers():
            writer.close()
            with suppress(ConnectionError, TimeoutError):
                await asyncio.wait_for(writer.wait_closed(), CLOSED_WITHIN_S)

    async def end(self, how: End, writer: asyncio.StreamWriter, ended: asyncio.Event) -> None:
        """Come to the end that was asked for; returns when the connection shall be let go."""
        if how == "rst":
            for one in self._writers():
                held: socket.socket = one.get_extra_info("socket")
                held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.abort()
        elif how == "half":
            self.is_half_closed = True
            writer.write_eof()
        ended.set()
        if how == "hang":
            await asyncio.Event().wait()

    def _writers(self) -> list[asyncio.StreamWriter]:
        return [self.client] if self.server is None else [self.client, self.server]


Arriving = asyncio.Queue[tuple[float, bytes]]
"""Bytes with the loop's time at which they are due; nothing stands for the end."""


@asynccontextmanager
async def _arriving(
    reader: asyncio.StreamReader, way: Way, chance: random.Random
) -> AsyncIterator[Arriving]:
    """What comes; a narrow line takes no more than it can pass on, so that its sender notices."""
    arriving: Arriving = asyncio.Queue(0 if way.bytes_per_s is None else 1)

    async def read() -> None:
        loop = asyncio.get_running_loop()
        due, data = 0.0, b"?"
        while data:
            try:
                data = await reader.read(min(MOST_AT_ONCE, int(way.bytes_per_s or MOST_AT_ONCE)))
            except ConnectionError:
                data = b""
            under_way_ms = way.delay_ms + way.jitter_ms * chance.random()
            due = max(due, loop.time() + under_way_ms / 1000)
            await arriving.put((due, data))

    reading = asyncio.create_task(read())
    try:
        yield arriving
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def _next(arriving: Arriving) -> bytes:
    """The next bytes, when they are due."""
    due, data = await arriving.get()
    wait = due - asyncio.get_running_loop().time()
    if wait > 0:
        await asyncio.sleep(wait)
    return data


def _pieces(data: bytes, way: Way, passed: int) -> list[bytes]:
    """The bytes in the pieces in which they are written, up to the end of this way."""
    if way.end_at is not None:
        data = data[: way.end_at - passed]
    return [data[start : start + way.piece] for start in range(0, len(data), way.piece)]


@asynccontextmanager
async def proxy_to(url: str) -> AsyncIterator[Proxy]:
    """A proxy before the server at this URL, on a free port."""
    parts = urlsplit(url)
    assert parts.hostname is not None, "a server's URL has a host"
    assert parts.port is not None, "a server's URL has a port"
    proxy = Proxy(parts.hostname, parts.port)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.url = "http://{}:{}".format(*server.sockets[0].getsockname()[:2])
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()
        await server.wait_closed()
