"""System calls of a running process that fail, take long, or end it: by strace's `inject`."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator

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
        with contextlib.suppress(ProcessLookupError):
            tracer.terminate()  # it lets go of the process, which goes on
        try:
            await asyncio.wait_for(tracer.wait(), LET_GO_WITHIN_S)
        except TimeoutError:
            # Where a kill met one of several threads, it may wait for the others for ever.
            with contextlib.suppress(ProcessLookupError):
                tracer.kill()
        await tracer.communicate()
