"""Frames that aiohttp takes and RFC 6455 forbids: without a mask, or closing with a code of nobody's.

A guard sits between the socket and aiohttp's protocol. What it refuses it turns into a frame of a
reserved opcode, which aiohttp refuses in its turn with 1002, after all that came before it.
"""

import asyncio

CLOSE = 0x8
MASKED = 0x80
MOST_CONTROL_BYTES = 125
"""Of a control frame's payload (RFC 6455 §5.5); a longer one aiohttp refuses itself."""
REFUSED = bytes((0x83, MASKED, 0, 0, 0, 0))
"""A whole, masked, empty frame of the reserved opcode 3 (RFC 6455 §5.2)."""
EXTRA_BYTES = {126: 2, 127: 8}
"""Of a header by its short length: how many more hold the true one."""


def is_close_code(code: int) -> bool:
    """Whether a close frame may carry this code (RFC 6455 §7.4.1, §7.4.2 and the registry)."""
    return 1000 <= code <= 1003 or 1007 <= code <= 1014 or 3000 <= code <= 4999


class FrameCheck:
    """Walks along a client's bytes from frame to frame, however they are cut."""

    __slots__ = ("_held", "_is_broken", "_left")

    def __init__(self) -> None:
        self._held = b""
        """The beginning of a frame of which too little has come to judge it."""
        self._left = 0
        """Bytes of the payload that are still to come."""
        self._is_broken = False

    def feed(self, data: bytes) -> bytes:
        """What of these bytes may be passed on by now; nothing once a frame was refused."""
        if self._is_broken:
            return b""
        if self._held:
            data = self._held + data
            self._held = b""
        place, size = 0, len(data)
        while True:
            here = min(self._left, size - place)
            place += here
            self._left -= here
            if place == size:
                return data
            end = self._judge(data, place)
            if end is None:
                self._held = data[place:]
                return data[:place]
            if self._is_broken:
                return data[:place] + REFUSED
            place = end

    def _judge(self, data: bytes, start: int) -> int | None:
        """Where this frame's payload begins, None where too little has come."""
        if len(data) - start < 2:
            return None
        first, second = data[start], data[start + 1]
        if not second & MASKED:
            self._is_broken = True
            return start
        length = second & ~MASKED
        extra = EXTRA_BYTES.get(length, 0)
        payload = start + 2 + extra + 4
        if len(data) < payload:
            return None
        if extra:
            length = int.from_bytes(data[start + 2 : start + 2 + extra], "big")
        if first & 0x0F == CLOSE and 2 <= length <= MOST_CONTROL_BYTES:
            if len(data) < payload + 2:
                return None
            mask = data[payload - 4 : payload]
            code = (data[payload] ^ mask[0]) << 8 | data[payload + 1] ^ mask[1]
            self._is_broken = not is_close_code(code)
        self._left = length
        return payload


class Guard(asyncio.Protocol):
    """Passes on to a protocol what a `FrameCheck` lets through."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        self._protocol = protocol
        self._check = FrameCheck()

    def data_received(self, data: bytes) -> None:
        """Bytes of the client, from behind the upgrade on."""
        if passed := self._check.feed(data):
            self._protocol.data_received(passed)

    def eof_received(self) -> bool | None:
        """The client says nothing more."""
        return self._protocol.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        self._protocol.connection_lost(exc)

    def pause_writing(self) -> None:
        """The socket takes nothing more for now."""
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        """The socket takes something again."""
        self._protocol.resume_writing()
