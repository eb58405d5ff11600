"""System calls of a running process that fail, take long, or end it: by strace's `inject`."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

ATTACHED_WITHIN_S = 30.0
LET_GO_WITHIN_S = 10.0


def need_strace() -> None:
    """Skips the test where strace isn't there."""
    if shutil.which("strace") is None:
        pytest.skip("strace isn't there (Debian: apt-get install strace)")


@contextlib.asynccontextmanager
async def injected(pid: int, call: str, what: str) -> AsyncIterator[None]:
    """Meanwhile this is done to the process' system calls, such as `error=EIO:when=3`.

    Calls are counted for each of its threads. The process may end meanwhile.
    """
    tracer = await asyncio.create_subprocess_exec(
        *("strace", "-f", "-p", str(pid), "-o", "/dev/null"),
        *("-e", f"trace={call}", "-e", f"inject={call}:{what}"),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert tracer.stderr is not None, "it was asked for"
    try:
        line = await asyncio.wait_for(tracer.stderr.readline(), ATTACHED_WITHIN_S)
        if b"attached" not in line:
            pytest.skip(f"strace may not look at processes here: {line.decode().strip()}")
        yield
    finally:
        await _end(tracer, pid)
        await tracer.communicate()


async def _end(tracer: asyncio.subprocess.Process, pid: int) -> None:
    """Let it go of the process; of one that was killed it may wait for the other threads for ever."""
    with contextlib.suppress(ProcessLookupError):
        if not is_dead(pid):
            tracer.terminate()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(tracer.wait(), LET_GO_WITHIN_S)
        if tracer.returncode is None:
            tracer.kill()


def is_dead(pid: int) -> bool:
    """Whether the process has ended, buried or not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True
