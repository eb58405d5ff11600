"""A WebSocket client as bytes: it says what no library would, and sees what comes back as it is."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

WITHIN_S = 30.0

TEXT, BINARY, CLOSE, PING, PONG = 0x1, 0x2, 0x8, 0x9, 0xA
CONTINUATION = 0x0
MASK = b"\x11\x22\x33\x44"

UPGRADE = {
    "Host": "",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": base64.b64encode(bytes(range(16))).decode(),
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "halfmoon.v1",
}
"""The headers of a proper upgrade; `Host` is filled in."""


def frame(
    payload: bytes,
    opcode: int = TEXT,
    *,
    fin: bool = True,
    masked: bool = True,
    rsv: int = 0,
    declared: int | None = None,
) -> bytes:
    """One frame; `declared` is a length that isn't the true one."""
    size = len(payload) if declared is None else declared
    first = (0x80 if fin else 0) | rsv << 4 | opcode
    bit = 0x80 if masked else 0
    if size < 126:
        head = bytes((first, bit | size))
    elif size < 1 << 16:
        head = bytes((first, bit | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, bit | 127)) + size.to_bytes(8, "big")
    if not masked:
        return head + payload
    return head + MASK + bytes(byte ^ MASK[place % 4] for place, byte in enumerate(payload))


def text(value: str | dict[str, Any]) -> bytes:
    """A text frame of a text, or of an object as JSON."""
    return frame((value if isinstance(value, str) else json.dumps(value)).encode())


@dataclass(frozen=True)
class Frame:
    """A frame that came."""

    opcode: int
    payload: bytes

    @property
    def code(self) -> int:
        """The close code."""
        return int.from_bytes(self.payload[:2], "big")

    @property
    def reason(self) -> str:
        """The reason beside the close code."""
        return self.payload[2:].decode()

    def json(self) -> dict[str, Any]:
        """The object in a text frame."""
        value: dict[str, Any] = json.loads(self.payload)
        return value


@dataclass(frozen=True)
class Answer:
    """An HTTP answer."""

    status: int
    headers: dict[str, str]
    """By name in small letters."""
    body: bytes


class Raw:
    """A TCP connection."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.host = host

    @classmethod
    async def open(cls, port: int) -> Raw:
        """A connection on which nothing was sent yet."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        return cls(reader, writer, f"127.0.0.1:{port}")

    @classmethod
    async def upgraded(cls, port: int) -> Raw:
        """A connection that speaks WebSocket."""
        raw = await cls.open(port)
        try:
            answer = await raw.upgrade()
        except BaseException:
            await raw.__aexit__()
            raise
        assert answer.status == 101, answer
        return raw

    async def __aenter__(self) -> Raw:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.transport.abort()
        with suppress(ConnectionError):
            await self.writer.wait_closed()

    def send(self, *parts: bytes) -> None:
        """Put bytes on the wire, all in one write."""
        self.writer.write(b"".join(parts))

    # HTTP

    async def upgrade(
        self,
        changes: dict[str, str | None] | None = None,
        *,
        path: str = "/ws",
        method: str = "GET",
        version: str = "1.1",
        extra: Iterable[str] = (),
        body: bytes = b"",
    ) -> Answer:
        """Ask for the upgrade with these headers changed (None: left out); the answer."""
        headers: dict[str, str | None] = {**UPGRADE, "Host": self.host, **(changes or {})}
        lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
        return await self.request(f"{method} {path} HTTP/{version}", [*lines, *extra], body)

    async def request(self, line: str, headers: Iterable[str], body: bytes = b"") -> Answer:
        """Send a request of these lines; the answer."""
        self.send("\r\n".join([line, *headers, "", ""]).encode("latin-1"), body)
        return await self.answer(head=line.startswith("HEAD"))

    async def get(self, path: str, *headers: str, method: str = "GET") -> Answer:
        """Ask for a path."""
        return await self.request(f"{method} {path} HTTP/1.1", [f"Host: {self.host}", *headers])

    async def answer(self, *, head: bool = False) -> Answer:
        """The next HTTP answer."""
        block = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), WITHIN_S)
        first, *lines = block.decode("latin-1").strip().split("\r\n")
        status = int(first.split()[1])
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        size = int(headers.get("content-length", "0"))
        if head or status in (101, 304):
            size = 0
        body = await asyncio.wait_for(self.reader.readexactly(size), WITHIN_S)
        return Answer(status, headers, body)

    # Frames

    async def read(self) -> Frame:
        """The next frame; raises `asyncio.IncompleteReadError` where the connection ends first."""
        return await asyncio.wait_for(self._read(), WITHIN_S)

    async def _read(self) -> Frame:
        first, second = await self.reader.readexactly(2)
        assert first & 0x70 == 0, "no reserved bits without an extension"
        assert first & 0x80, "the server sends whole messages"
        assert second & 0x80 == 0, "a server doesn't mask"
        size = second
        if size == 126:
            size = int.from_bytes(await self.reader.readexactly(2), "big")
        elif size == 127:
            size = int.from_bytes(await self.reader.readexactly(8), "big")
        return Frame(first & 0x0F, await self.reader.readexactly(size))

    async def until(self, opcode: int) -> Frame:
        """The next frame of a kind."""
        while True:
            found = await self.read()
            if found.opcode == opcode:
                return found

    async def message(self) -> dict[str, Any]:
        """The object in the next text frame."""
        return (await self.until(TEXT)).json()

    async def ask(self, command: dict[str, Any]) -> dict[str, Any]:
        """Send a command and give the next message."""
        self.send(text(command))
        return await self.message()

    async def close_code(self) -> int:
        """The code by which the server closes."""
        return (await self.until(CLOSE)).code

    async def end(self) -> bytes:
        """Wait for the end of the TCP connection; what still came before it."""
        try:
            return await asyncio.wait_for(self.reader.read(), WITHIN_S)
        except ConnectionError:
            return b""
