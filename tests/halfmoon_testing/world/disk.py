"""A disk under an event log: what was written stays, what was under way may be lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from halfmoon_server.eventlog.base import Batch, Identity, Key, LogUnavailable
from halfmoon_server.eventlog.memory import MemoryLog

if TYPE_CHECKING:
    from halfmoon_testing.world.process import Process


class Disk(MemoryLog):
    """What is durable, whatever happens to processes."""

    def __init__(self, on_append: Callable[[Batch], None]) -> None:
        super().__init__()
        self._on_append = on_append

    async def append(self, batch: Batch) -> None:
        await super().append(batch)
        self._on_append(batch)


class DiskLog(MemoryLog):
    """The event log of one process: `EventLog` on a disk that is slow, fails, or outlives it.

    Whatever isn't said here is read from the disk as it is.
    """

    def __init__(self, disk: Disk, process: Process) -> None:
        super().__init__()
        vars(self).update(vars(disk))  # the very same dictionaries
        self._disk = disk
        self._process = process
        self._weather = process.weather
        self._has_failed = False
        self._numbers = count()
        self._under_way: dict[int, Callable[[], Awaitable[None]]] = {}

    @property
    def is_healthy(self) -> bool:
        """See `EventLog.is_healthy`."""
        return not self._has_failed

    async def append(self, batch: Batch) -> None:
        """See `EventLog.append`."""
        await self._write(partial(self._disk.append, batch))

    async def save_identity(self, token_hash: bytes, identity: Identity) -> None:
        """See `EventLog.save_identity`."""
        await self._write(partial(self._disk.save_identity, token_hash, identity))

    async def die(self) -> None:
        """The process is gone: what it was about to write is there afterwards, or isn't."""
        under_way = [*self._under_way.values()]
        self._under_way.clear()
        for write in under_way:
            if self._weather.is_kept():
                await write()

    async def read(self, room: str) -> list[str]:
        """See `EventLog.read`."""
        await self._end()
        return await self._disk.read(room)

    async def find(self, key: Key) -> str | None:
        """See `EventLog.find`."""
        await self._end()
        return await self._disk.find(key)

    async def identity(self, token_hash: bytes) -> Identity | None:
        """See `EventLog.identity`."""
        await self._end()
        return await self._disk.identity(token_hash)

    async def probe(self) -> None:
        """See `EventLog.probe`."""
        await self._write(_nothing)

    async def _write(self, write: Callable[[], Awaitable[None]]) -> None:
        number = next(self._numbers)
        self._under_way[number] = write
        await asyncio.sleep(self._weather.disk_delay())
        self._process.edge("disk")
        self._check_alive()
        del self._under_way[number]
        self._has_failed = self._weather.disk_fault()
        if self._has_failed:
            raise LogUnavailable("the disk is gone")
        await write()
        self._process.edge("written")
        await self._end()

    async def _end(self) -> None:
        self._check_alive()
        await asyncio.sleep(self._weather.disk_delay() / 4)
        self._check_alive()

    def _check_alive(self) -> None:
        """What is left of a process that is gone goes no further."""
        if not self._process.is_alive:
            raise asyncio.CancelledError


async def _nothing() -> None:
    """What a probe writes."""
