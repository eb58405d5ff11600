"""One life of the server: the whole application, from its start to its crash or its goodbye."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from aiohttp import web

from halfmoon_server.app import make_app
from halfmoon_server.keys import SERVER
from halfmoon_server.settings import Settings
from halfmoon_testing import builders as b
from halfmoon_testing.world.disk import Disk, DiskLog
from halfmoon_testing.world.network import Line
from halfmoon_testing.world.weather import Weather

PROCESS: contextvars.ContextVar[Process] = contextvars.ContextVar("process")
"""The process in whose name something runs."""

labelled_deal = lru_cache(256)(b.labelled_deal)


def tell_whose(
    loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any
) -> asyncio.Task[Any]:
    """A task factory that lets a process know the tasks that are its own."""
    task = asyncio.Task(coroutine, loop=loop, **options)
    context = options.get("context")
    process = PROCESS.get(None) if context is None else context.get(PROCESS)
    if process is not None:
        process.tasks[task] = None
        task.add_done_callback(process.tasks.pop)
    return task


class _InOrder(dict[Any, None]):
    """A set whose order doesn't hang on where in memory things lie."""

    def add(self, one: Any) -> None:
        self[one] = None

    def discard(self, one: Any) -> None:
        self.pop(one, None)


class WorldClock:
    """A `Clock` that goes with the loop's time, and is wrong by what it leapt."""

    def __init__(self) -> None:
        self.leapt_ms = 0

    def now(self) -> int:
        """Unix time in ms."""
        passed_ms = int(asyncio.get_running_loop().time() * 1000)
        return b.BEGAN_AT + passed_ms + self.leapt_ms


class Process:
    """The server between two restarts."""

    def __init__(
        self, disk: Disk, clock: WorldClock, weather: Weather, on_edge: Callable[[str], None]
    ) -> None:
        self.weather = weather
        self.is_alive = True
        self.is_listening = False
        self.tasks: dict[asyncio.Task[Any], None] = {}
        self.lines: list[Line] = []
        self._on_edge = on_edge
        self._context = contextvars.copy_context()
        self._context.run(PROCESS.set, self)
        self.log = DiskLog(disk, self)
        self._clock = clock
        self._runner: web.AppRunner

    async def start(self) -> None:
        """Start, and return when it takes connections."""
        await self._in_context(self._start())

    async def _start(self) -> None:
        app = make_app(Settings(), event_log=self.log, clock=self._clock, deal_of=labelled_deal)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=4.0)
        await self._runner.setup()
        self.server.connections = _InOrder()
        self.is_listening = True

    async def stop(self) -> None:
        """Stop as on SIGTERM, and return when it has ended."""
        self.is_listening = False
        await self._in_context(self._runner.cleanup())
        await self.die()

    def kill(self) -> None:
        """From now on nothing that it does has any effect."""
        self.is_alive = self.is_listening = False

    async def die(self, *, told: bool = True) -> None:
        """End as on SIGKILL; where its machine goes with it, nobody is told."""
        self.kill()
        for line in self.lines:
            line.end_with_process(told=told)
        left = [*self.tasks]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self.log.die()

    def connect(self, address: str, on_text: Callable[[str], None]) -> Line:
        """A connection to it; raises ConnectionRefusedError while it doesn't listen."""
        if not self.is_listening:
            raise ConnectionRefusedError
        line = Line(self, address, self.weather, on_text)
        self.lines.append(line)
        assert self._runner.server is not None, "it was set up"
        line.open(self._runner.server())
        return line

    def call(self, act: Callable[..., Any], *args: Any) -> None:
        """Let something happen in the name of this process, as long as it lives."""
        if not self.is_alive:
            return
        if PROCESS.get(None) is self:
            act(*args)
        else:
            self._context.run(act, *args)

    def edge(self, where: str) -> None:
        """Something is written or read here: a place where things may go wrong."""
        if self.is_alive:
            self._on_edge(where)

    @property
    def server(self) -> Any:
        """What the application consists of, for those who have to look inside."""
        return self._runner.app[SERVER]

    async def _in_context(self, coroutine: Any) -> None:
        await asyncio.create_task(coroutine, context=self._context)
