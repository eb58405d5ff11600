"""The line that tests cut: it does to bytes what it is told, and nothing else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

import pytest

from halfmoon_testing.proxy import End, Proxy, Way, proxy_to

SAID = bytes(range(256)) * 8


class Echo:
    """A server that says again what it hears, and how each connection ended."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.ends: asyncio.Queue[str] = asyncio.Queue()
        self.serving: list[asyncio.Task[None]] = []

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.serving.append(asyncio.create_task(self.serve(reader, writer)))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        how = "fin"
        try:
            while data := await reader.read(65536):
                self.heard.append(data)
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            how = "rst"
        self.ends.put_nowait(how)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


@asynccontextmanager
async def echo() -> AsyncIterator[tuple[Echo, Proxy]]:
    beyond = Echo()
    server = await asyncio.start_server(beyond.accept, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    async with proxy_to(f"http://{host}:{port}") as proxy:
        yield beyond, proxy
    server.close()
    await server.wait_closed()
    await asyncio.gather(*beyond.serving)


@asynccontextmanager
async def line_through(
    proxy: Proxy,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    parts = urlsplit(proxy.url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def test_all_bytes_pass_in_order_however_they_are_torn_and_delayed() -> None:
    async with echo() as (beyond, proxy):
        proxy.up = Way(delay_ms=5, jitter_ms=5, piece=1)
        proxy.down = Way(jitter_ms=20, piece=7)
        async with line_through(proxy) as (reader, writer):
            for start in range(0, len(SAID), 100):
                writer.write(SAID[start : start + 100])
            assert await reader.readexactly(len(SAID)) == SAID
            assert b"".join(beyond.heard) == SAID
            assert proxy.passed == {"up": len(SAID), "down": len(SAID)}


async def test_a_delay_holds_what_is_said_up_and_a_rate_stretches_it() -> None:
    async with echo() as (_, proxy):
        proxy.up = Way(delay_ms=60)
        proxy.down = Way(bytes_per_s=20 * len(SAID))
        async with line_through(proxy) as (reader, writer):
            began = time.monotonic()
            writer.write(SAID)
            assert await reader.readexactly(len(SAID)) == SAID
            # No upper bound: machines are slow, and a line is never faster than this.
            assert time.monotonic() - began >= 0.06


@pytest.mark.parametrize("end", ["fin", "rst"])
@pytest.mark.parametrize("at", [0, 1, 700])
async def test_it_is_cut_at_the_very_byte(end: End, at: int) -> None:
    async with echo() as (beyond, proxy):
        proxy.up = Way(end_at=at, end=end)
        async with line_through(proxy) as (reader, writer):
            writer.write(SAID)
            try:
                said = await asyncio.wait_for(reader.read(), 5)
            except ConnectionError:  # also after a FIN, where what the client said is still unread
                said = b""
            assert await asyncio.wait_for(beyond.ends.get(), 5) == end
            assert proxy.ended.is_set()
            assert b"".join(beyond.heard) == SAID[:at] or end == "rst"
            assert SAID.startswith(said)
            assert len(said) <= at


async def test_a_hanging_line_says_nothing_to_either_side() -> None:
    async with echo() as (beyond, proxy):
        proxy.down = Way(end_at=10, end="hang")
        async with line_through(proxy) as (reader, writer):
            writer.write(SAID)
            assert await reader.readexactly(10) == SAID[:10]
            await proxy.ended.wait()
            writer.write(SAID)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(reader.read(1), 0.05)
            assert beyond.ends.empty()


async def test_a_half_closed_line_still_carries_the_answer() -> None:
    async with echo() as (beyond, proxy):
        proxy.up = Way(end_at=300, end="half")
        async with line_through(proxy) as (reader, writer):
            writer.write(SAID)
            assert await asyncio.wait_for(reader.read(), 5) == SAID[:300]
            assert await beyond.ends.get() == "fin"
