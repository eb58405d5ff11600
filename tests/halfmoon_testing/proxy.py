"""A line between a client and a server that can be cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit


class Proxy:
    """Passes bytes on between those who connect to `url` and the server."""

    def __init__(self, host: str, port: int) -> None:
        self.url = ""
        self.is_open = True
        """Whether a new connection is let through; else it is cut at once."""
        self._target = (host, port)
        self._writers: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """Cuts every connection, without a goodbye in either direction."""
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until either side ends it."""
        self._writers.add(writer)
        try:
            if self.is_open:
                await self._pass_on(reader, writer)
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        beyond_reader, beyond_writer = await asyncio.open_connection(*self._target)
        self._writers.add(beyond_writer)
        ways = [
            asyncio.create_task(_copy(reader, beyond_writer)),
            asyncio.create_task(_copy(beyond_reader, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._writers.discard(beyond_writer)
            beyond_writer.transport.abort()
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def proxy_to(url: str) -> AsyncIterator[Proxy]:
    """A proxy before the server at this URL, on a free port."""
    parts = urlsplit(url)
    assert parts.hostname is not None, "a server's URL has a host"
    assert parts.port is not None, "a server's URL has a port"
    proxy = Proxy(parts.hostname, parts.port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.url = "http://{}:{}".format(*server.sockets[0].getsockname()[:2])
    try:
        yield proxy
    finally:
        server.close()
        proxy.cut()
        await server.wait_closed()
