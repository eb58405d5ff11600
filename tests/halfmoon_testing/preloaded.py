"""Processes that have the server's modules loaded when they begin: forks of one that only waits.

To load them costs more than all that most tests do with a server. Such a process is one of its own
in every other way: it has its own id, is killed alone, and nothing that it does reaches another.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Sequence
from typing import BinaryIO, NoReturn

MOST_BYTES = 1 << 16
_NURSERY: list[Nursery] = []


def may_fork() -> bool:
    """Whether processes are made so here: in tests, not where they are measured, and on Linux."""
    return "PYTEST_CURRENT_TEST" in os.environ and hasattr(os, "pidfd_open")


class Forked:
    """A process, with as much of `asyncio.subprocess.Process` as a server needs."""

    def __init__(
        self, pid: int, stdout: asyncio.StreamReader, ending: asyncio.StreamReader
    ) -> None:
        self.pid = pid
        self.stdout = stdout
        self.returncode: int | None = None
        self._ending = ending

    async def wait(self) -> int:
        """Wait for the end; the exit status, or -N where signal N ended it."""
        if self.returncode is None:
            self.returncode = int(await self._ending.read())
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The process that waits, for as long as this one lives."""

    def __init__(self) -> None:
        self._environment = environment()
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "halfmoon_testing.preloaded", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={
                    **self._environment,
                    "PYTHONPATH": os.pathsep.join(sys.path),
                    "PYTHONWARNINGS": "default",
                },
            )

    def is_as_now(self) -> bool:
        """Whether its processes find the environment that is there now; a test may have changed it."""
        return self._environment == environment()

    async def fork(self, arguments: Sequence[str], stderr: BinaryIO) -> Forked:
        """`halfmoon` with these arguments."""
        (stdout, stdout_end), (ending, ending_end) = os.pipe(), os.pipe()
        try:
            ends = [stdout_end, stderr.fileno(), ending_end]
            pid = await asyncio.to_thread(self._ask, json.dumps([*arguments]), ends)
        finally:
            os.close(stdout_end)
            os.close(ending_end)
        return Forked(pid, await _reader(stdout), await _reader(ending))

    def _ask(self, arguments: str, ends: Sequence[int]) -> int:
        with self._lock:
            socket.send_fds(self._socket, [arguments.encode()], [*ends])
            return int(self._socket.recv(MOST_BYTES))


def environment() -> dict[str, str]:
    """The environment, without what pytest says there of each test."""
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


def nursery() -> Nursery:
    """The one of this process."""
    if not _NURSERY:
        _NURSERY.append(Nursery())
    return _NURSERY[0]


async def _reader(end: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(end, "rb")
    )
    return reader


# Within the process that waits


def _wait(link: socket.socket) -> None:
    """Fork for each request; ends, with all its children, when nobody can ask any more."""
    children: dict[int, tuple[int, int]] = {}
    waiting = selectors.DefaultSelector()
    waiting.register(link, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.fileobj is link:
                request, ends, _, _ = socket.recv_fds(link, MOST_BYTES, 3)
                if not request:
                    for pid, _ in children.values():
                        os.kill(pid, signal.SIGKILL)
                    return
                pid = os.fork()
                if pid == 0:
                    waiting.close()
                    open_here = [*children, *(ending for _, ending in children.values())]
                    _begin(link, json.loads(request), ends, open_here)
                watched = os.pidfd_open(pid)
                children[watched] = pid, ends[2]
                waiting.register(watched, selectors.EVENT_READ)
                os.close(ends[0])
                os.close(ends[1])
                link.send(str(pid).encode())
            else:
                watched = key.fd
                pid, ending = children.pop(watched)
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with contextlib.suppress(BrokenPipeError):
                    os.write(ending, str(status).encode())
                os.close(ending)
                waiting.unregister(watched)
                os.close(watched)


def _begin(
    link: socket.socket, arguments: list[str], ends: list[int], others: list[int]
) -> NoReturn:
    """Be `halfmoon`; never returns."""
    from halfmoon.cli import main  # noqa: PLC0415 - tests import this module for other things

    status = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        link.close()
        os.dup2(ends[0], 1)
        os.dup2(ends[1], 2)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", closefd=False)
        for end in (*ends, *others):
            os.close(end)
        sys.argv[1:] = arguments
        status = main(arguments)
    except SystemExit as ended:
        status = int(ended.code or 0)
    except BaseException:  # noqa: BLE001 - whatever it is, the parent's stack isn't for it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    import halfmoon_server.app
    import halfmoon_server.cli  # noqa: F401

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=int(sys.argv[1])) as end_of_link:
        _wait(end_of_link)
