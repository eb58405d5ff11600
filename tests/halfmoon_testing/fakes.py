"""Stand-ins for what the server meets at its edges: time, sockets, disks, and those who count."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

from halfmoon_server.eventlog.base import Batch, Identity, Key, LogUnavailable
from halfmoon_server.eventlog.memory import MemoryLog
from halfmoon_server.eventlog.results import Latest, Result, RulesCount
from halfmoon_server.hosting.room_host import RoomHost
from halfmoon_testing.builders import BEGAN_AT

Said = dict[str, Any]
"""A message as JSON has it."""


class FakeClock:
    """A `Clock` that only the test moves, and the event loop's timers with it."""

    def __init__(self) -> None:
        self._passed_ms = 0

    def now(self) -> int:
        """Unix time in ms."""
        return BEGAN_AT + self._passed_ms

    def seconds(self) -> float:
        """What the event loop is told, small enough that a float holds every ms of it."""
        return self._passed_ms / 1000

    def drive(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on the loop's timers run by this clock."""
        loop.time = self.seconds  # type: ignore[method-assign]

    def advance(self, ms: int) -> None:
        """Let time pass; timers run when the loop gets its turn."""
        self._passed_ms += ms


async def quiet() -> None:
    """Return once everybody who could go on has come to a stop."""
    for _ in range(8):
        await asyncio.sleep(0)


def payload(frame: bytes) -> bytes:
    """What a frame of the server says (RFC 6455 §5.2: whole, unmasked text)."""
    assert frame[0] == 0x81, "a final text frame"
    size, begin = frame[1], 2
    if size == 126:
        size, begin = int.from_bytes(frame[2:4], "big"), 4
    elif size == 127:
        size, begin = int.from_bytes(frame[2:10], "big"), 10
    assert len(frame) == begin + size, "the length is the payload's"
    return frame[begin:]


def read(frame: bytes) -> Said:
    """The message in a frame."""
    said: Said = json.loads(payload(frame))
    return said


class FakeLink:
    """A `Link` that keeps all that it is sent; where it reads slowly, it drops what it may."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.is_open = True
        self.is_slow = False
        self.has_failed = False
        self.is_displaced = False
        self.rooms: list[str] = []
        """The rooms that it is told of."""
        self._missed: dict[str, Callable[[], None]] = {}
        self._read_up_to = 0

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)

    def offer(self, frame: bytes, room: str, resync: Callable[[], None]) -> None:
        if self.is_slow:
            self._missed[room] = resync
        else:
            self.send(frame)

    def fail(self) -> None:
        self.has_failed = True

    def entered(self, host: RoomHost) -> None:
        self.rooms.append(host.room.room)

    def gone(self, host: RoomHost) -> None:
        self.rooms = [room for room in self.rooms if room != host.room.room]

    def displaced(self) -> None:
        self.is_open = False
        self.is_displaced = True

    def reads_again(self) -> None:
        """The peer has caught up."""
        self.is_slow = False
        missed, self._missed = self._missed, {}
        for resync in missed.values():
            resync()

    def news(self) -> list[Said]:
        """What came since this was asked last."""
        fresh = self.frames[self._read_up_to :]
        self._read_up_to = len(self.frames)
        return [read(frame) for frame in fresh]

    def all(self) -> list[Said]:
        """Everything that came."""
        return [read(frame) for frame in self.frames]


class FakeWatcher:
    """A `Watcher` that counts."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()

    def carried_out(self, command: str) -> None:
        self.done[command] += 1

    def refused(self, code: str) -> None:
        self.refusals[code] += 1


class FakeLog(MemoryLog):
    """An `EventLog` in memory whose disk can be slow or fail."""

    def __init__(self) -> None:
        super().__init__()
        self.is_broken = False
        self.appended: list[Batch] = []
        """What has become durable, in order."""
        self._turns = asyncio.Event()
        self._turns.set()

    @property
    def is_healthy(self) -> bool:
        return not self.is_broken

    def hold(self) -> None:
        """The disk takes its time over whatever is written from now on."""
        self._turns.clear()

    def release(self) -> None:
        """The disk has written what waited."""
        self._turns.set()

    async def append(self, batch: Batch) -> None:
        await self._ready()
        await super().append(batch)
        self.appended.append(batch)

    async def read(self, room: str) -> list[str]:
        await self._ready()
        return await super().read(room)

    async def find(self, key: Key) -> str | None:
        await self._ready()
        return await super().find(key)

    async def rules_of_code(self, code: str, shut: Collection[str] = ()) -> list[RulesCount]:
        await self._ready()
        return await super().rules_of_code(code, shut)

    async def results_of_player(
        self, player: str, after: Latest | None, limit: int
    ) -> list[Result]:
        await self._ready()
        return await super().results_of_player(player, after, limit)

    async def identity(self, token_hash: bytes) -> Identity | None:
        await self._ready()
        return await super().identity(token_hash)

    async def save_identity(self, token_hash: bytes, identity: Identity) -> None:
        await self._ready()
        await super().save_identity(token_hash, identity)

    async def _ready(self) -> None:
        await self._turns.wait()
        if self.is_broken:
            raise LogUnavailable("the disk is gone")


class FakeTransport:
    """A socket's transport that takes what it is given only as fast as the test says."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.buffered = 0
        """Bytes that the peer hasn't taken."""
        self.closing = False

    def write(self, data: bytes) -> None:
        self.writes.append(data)

    def get_write_buffer_size(self) -> int:
        return self.buffered

    def is_closing(self) -> bool:
        return self.closing
