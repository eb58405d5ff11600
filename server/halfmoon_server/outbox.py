"""A connection's bounded send queue, and what happens to a reader that is too slow for it.

Frames that come within one turn of the event loop travel in one write. While the peer doesn't
read, `progress` is dropped (a room snapshot makes up for it later) and everything else waits, up
to a bound in time and size; past that the connection is closed with 1013.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

MOST_BUFFERED_BYTES = 64 * 1024
"""What may lie in the transport before the peer counts as slow."""
MOST_WAITING_FRAMES = 64
MOST_WAITING_BYTES = 256 * 1024
SLOW_FOR_MS = 5000
LOOK_AGAIN_MS = 50


@dataclass(frozen=True, slots=True)
class Bounds:
    """What may wait for a peer that doesn't read."""

    most_frames: int = MOST_WAITING_FRAMES
    most_bytes: int = MOST_WAITING_BYTES
    slow_for_ms: int = SLOW_FOR_MS
    """So long may it read nothing while something waits for it."""


DEFAULT_BOUNDS = Bounds()


class Transport(Protocol):
    """What an outbox needs of a socket's transport."""

    def write(self, data: bytes) -> None:
        """Hand bytes to the socket."""
        ...

    def get_write_buffer_size(self) -> int:
        """Bytes that the socket hasn't taken yet."""
        ...

    def is_closing(self) -> bool:
        """Whether the socket is gone or going."""
        ...


class Outbox:
    """The frames that wait for one connection."""

    def __init__(
        self,
        transport: Transport,
        on_too_slow: Callable[[], None],
        bounds: Bounds = DEFAULT_BOUNDS,
    ) -> None:
        self._transport = transport
        self._on_too_slow = on_too_slow
        self._bounds = bounds
        self._loop = asyncio.get_running_loop()
        self._frames: list[bytes] = []
        self._waiting_bytes = 0
        self._missed: dict[str, Callable[[], None]] = {}
        self._slow_since: float | None = None
        self._next_flush: asyncio.Handle | None = None
        self._is_closed = False

    def send(self, frame: bytes) -> None:
        """Send a frame that must not be lost."""
        if self._is_closed:
            return
        self._frames.append(frame)
        self._waiting_bytes += len(frame)
        if self._slow_since is not None:
            self._check_bounds()
        elif self._next_flush is None:
            self._next_flush = self._loop.call_soon(self.flush)

    def offer(self, frame: bytes, room: str, resync: Callable[[], None]) -> None:
        """Send a frame that a slow peer can do without.

        Where it is dropped, `resync` is called once the peer reads again, once for each room.
        """
        if self._slow_since is None:
            self.send(frame)
        else:
            self._missed[room] = resync

    def flush(self) -> None:
        """Hand what waits to the socket, where it takes it."""
        if self._next_flush is not None:
            self._next_flush.cancel()  # where this one wasn't waited for, it stands for that one
            self._next_flush = None
        if self._is_closed:
            return
        if self._transport.is_closing():
            self.close()
            return
        if self._transport.get_write_buffer_size() > MOST_BUFFERED_BYTES:
            self._wait()
            return
        self._slow_since = None
        self._write()
        missed, self._missed = self._missed, {}
        for resync in missed.values():
            resync()

    def close(self) -> None:
        """Take nothing more; what waits is handed to the socket as it is."""
        if not self._is_closed:
            self._is_closed = True
            if not self._transport.is_closing() and self._slow_since is None:
                self._write()
            self._frames.clear()
            self._missed.clear()

    def _write(self) -> None:
        if self._frames:
            self._transport.write(b"".join(self._frames))
            self._frames.clear()
            self._waiting_bytes = 0

    def _wait(self) -> None:
        now = self._loop.time()
        if self._slow_since is None:
            self._slow_since = now
        if (now - self._slow_since) * 1000 >= self._bounds.slow_for_ms:
            self._give_up()
        else:
            self._next_flush = self._loop.call_later(LOOK_AGAIN_MS / 1000, self.flush)
            self._check_bounds()

    def _check_bounds(self) -> None:
        bounds = self._bounds
        if len(self._frames) > bounds.most_frames or self._waiting_bytes > bounds.most_bytes:
            self._give_up()

    def _give_up(self) -> None:
        self._is_closed = True
        self._frames.clear()
        self._missed.clear()
        self._on_too_slow()
