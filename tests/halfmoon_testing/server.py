"""A server to test from outside: a process of its own, or an application in this one.

Both listen on a free port of the loopback and say which. A process is known by its id, ends with
its test, and can be killed and started again on the folder that it left behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from aiohttp import ClientSession, web

from halfmoon_server.app import make_app, quiet_library_logs
from halfmoon_server.eventlog.base import EventLog
from halfmoon_server.hosting.clock import Clock
from halfmoon_server.keys import SERVER
from halfmoon_server.limits import Rate
from halfmoon_server.settings import Limits, Settings
from halfmoon_testing.preloaded import Forked, may_fork, nursery

READY = re.compile(r"Half Moon is listening on (https?://(\S+):(\d+))")
READY_WITHIN_S = 60.0
STOPPED_WITHIN_S = 30.0

UNHURRIED = Limits(
    commands=Rate(burst=100_000, per_second=100_000),
    wrong_rooms=Rate(burst=100_000, per_second=100_000),
    wrong_tokens=Rate(burst=100_000, per_second=100_000),
    new_rooms=Rate(burst=100_000, per_second=100_000),
    new_connections=Rate(burst=100_000, per_second=100_000),
    rooms_per_player=100_000,
)
"""Limits that no test meets by playing fast."""


class NotStarted(AssertionError):
    """The server ended instead of listening; holds its exit status and what it printed."""

    def __init__(self, status: int, output: str) -> None:
        super().__init__(f"exit {status}: {output}")
        self.status = status
        self.output = output


@dataclass
class Address:
    """Where a server listens."""

    host: str
    port: int

    @property
    def http(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def ws(self) -> str:
        return f"ws://{self.host}:{self.port}/ws"


class ServerProcess(Address):
    """`halfmoon serve` on a data folder."""

    def __init__(
        self, folder: Path, *options: str, port: int = 0, within: Sequence[str] = ()
    ) -> None:
        """`within` is a command that runs the server as what follows it, such as `ip netns exec`."""
        super().__init__("127.0.0.1", port)
        self.folder = folder
        self._within = within
        self._options = options
        self._asked_port = port
        self._process: asyncio.subprocess.Process | Forked | None = None
        self._log = Path(tempfile.mkstemp(prefix="halfmoon-", suffix=".log")[1])
        self.printed = ""

    @property
    def pid(self) -> int:
        assert self._process is not None, "the server was started"
        return self._process.pid

    async def start(self) -> None:
        """Start, and return when it listens; raises `NotStarted` where it ends instead."""
        arguments = ["serve", "--port", str(self._asked_port), "--data", str(self.folder)]
        with self._log.open("ab") as log:
            self._process = await self._begin([*arguments, *self._options], log)
        assert self._process.stdout is not None, "it was asked for"
        line = await asyncio.wait_for(self._process.stdout.readline(), READY_WITHIN_S)
        self.printed += line.decode()
        found = READY.search(line.decode())
        if found is None:
            rest = (await self._process.stdout.read()).decode()
            raise NotStarted(await self._process.wait(), line.decode() + rest + self.log())
        self.host, self.port = found[2], int(found[3])

    async def _begin(
        self, arguments: Sequence[str], log: BinaryIO
    ) -> asyncio.subprocess.Process | Forked:
        if not self._within and may_fork() and (ready := nursery()).is_as_now():
            return await ready.fork(arguments, log)
        return await asyncio.create_subprocess_exec(
            *(*self._within, sys.executable, "-m", "halfmoon", *arguments),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env={**os.environ, "PYTHONWARNINGS": "default"},
        )

    async def kill(self) -> None:
        """End it as `kill -9` does: nothing of it gets a word in."""
        await self.end_by(signal.SIGKILL)

    async def terminate(self) -> int:
        """Ask it to stop; the exit status."""
        return await self.end_by(signal.SIGTERM)

    async def end_by(self, number: signal.Signals) -> int:
        """Send a signal and wait for the end; the exit status."""
        assert self._process is not None, "the server was started"
        if self._process.returncode is None:
            self._process.send_signal(number)
        return await self.ended()

    async def ended(self) -> int:
        """Wait for the end; the exit status."""
        assert self._process is not None, "the server was started"
        assert self._process.stdout is not None, "it was asked for"
        rest, _ = await asyncio.wait_for(
            asyncio.gather(self._process.stdout.read(), self._process.wait()), STOPPED_WITHIN_S
        )
        self.printed += rest.decode()
        status = self._process.returncode
        assert status is not None, "it has ended"
        return status

    async def restart(self) -> None:
        """Kill it and start it again on the same folder."""
        await self.kill()
        await self.start()

    def log(self) -> str:
        """All that it wrote to stderr so far, over all its starts."""
        return self._log.read_text()

    def log_lines(self) -> list[dict[str, Any]]:
        """The log's lines; each has to be one JSON object."""
        return [json.loads(line) for line in self.log().splitlines()]

    async def clean_up(self) -> None:
        """End it for good, whatever state it is in."""
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await self.ended()
        self._log.unlink(missing_ok=True)


@contextlib.asynccontextmanager
async def server_process(
    folder: Path, *options: str, port: int = 0, within: Sequence[str] = ()
) -> AsyncIterator[ServerProcess]:
    """A running server process, gone afterwards."""
    server = ServerProcess(folder, *options, port=port, within=within)
    try:
        await server.start()
        yield server
        assert "Traceback" not in server.log(), server.log()
    finally:
        await server.clean_up()


def break_build(folder: Path, patch: pytest.MonkeyPatch, program: str) -> None:
    """Have server processes run this Python before anything else: a build that is broken on purpose."""
    (folder / "sitecustomize.py").write_text(program)
    path = os.environ.get("PYTHONPATH")
    patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *([path] if path else [])]))


@dataclass
class InProcess(Address):
    """A server in this process."""

    app: web.Application
    runner: web.AppRunner = field(repr=False)

    @property
    def server(self) -> Any:
        """What the application consists of, for tests that have to look inside."""
        return self.app[SERVER]


@contextlib.asynccontextmanager
async def in_process(
    settings: Settings | None = None,
    *,
    event_log: EventLog | None = None,
    clock: Clock | None = None,
    keep_alive_s: float = 10.0,
) -> AsyncIterator[InProcess]:
    """A server in this process, by default in memory and without limits that a test could meet."""
    quiet_library_logs()
    app = make_app(settings or Settings(limits=UNHURRIED), event_log=event_log, clock=clock)
    runner = web.AppRunner(
        app, access_log=None, shutdown_timeout=4.0, keepalive_timeout=keep_alive_s
    )
    try:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        yield InProcess(host, port, app, runner)
    finally:
        await runner.cleanup()


async def get_json(at: Address, path: str, status: int = 200) -> Any:
    """The JSON that a path answers with."""
    async with ClientSession() as session, session.get(at.http + path) as answer:
        assert answer.status == status, (path, answer.status, await answer.text())
        return await answer.json()


async def get_text(at: Address, path: str) -> str:
    """The text that a path answers with."""
    async with ClientSession() as session, session.get(at.http + path) as answer:
        return await answer.text()
