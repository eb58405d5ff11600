"""Figures of a tournament at its largest: `python tests/bench/tournament.py [ENTRANTS] [FORMAT]`.

How long after the draw everybody has their board (the countdown taken off), what the server's memory
is then, and how long after a kill in mid-round everybody is back at their board.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from halfmoon_testing.driver import Driver
from halfmoon_testing.organiser import KEY, Organiser
from halfmoon_testing.server import ServerProcess, server_process

COUNTDOWN_MS = 5000
RACE: dict[str, Any] = {"time_limit_ms": 600_000, "countdown_ms": COUNTDOWN_MS}


def memory_mb(pid: int) -> float:
    """What the process holds."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def processor_s(pid: int) -> float:
    """What the process has used of a processor."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def told(what: str, seconds: list[float]) -> None:
    ordered = sorted(seconds)
    p50, p99 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    print(
        f"{what}: p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, last {ordered[-1] * 1000:.0f} ms"
    )


async def enter(
    server: ServerProcess, name: str, tournament: str, token: str | None = None
) -> Driver:
    driver = await Driver.enter(server.ws, None if token else name, token)
    await driver.done("enter", tournament=tournament)
    return driver


async def main(count: int, kind: str) -> None:
    os.environ["HALFMOON_ORGANISER_KEY"] = KEY
    with tempfile.TemporaryDirectory() as folder:
        options = ("--limit-new-connections", "100000/100000")
        async with (
            server_process(Path(folder) / "data", *options) as server,
            Organiser(server, KEY) as organiser,
        ):
            await run(server, organiser, count, kind)


async def run(server: ServerProcess, organiser: Organiser, count: int, kind: str) -> None:
    t = await organiser.make(kind, race=RACE, rounds=3)
    before = memory_mb(server.pid)
    began = time.monotonic()
    drivers: list[Driver] = []
    for first in range(0, count, 20):
        names = [f"Bot {n}" for n in range(first, min(count, first + 20))]
        drivers += await asyncio.gather(*(enter(server, name, t) for name in names))
    print(f"{count} have entered after {time.monotonic() - began:.1f} s")
    entered = memory_mb(server.pid)

    async def board(driver: Driver) -> float:
        await driver.wait_for(lambda said: said["type"] == "board")
        return time.monotonic()

    waiting = [asyncio.create_task(board(driver)) for driver in drivers]
    began = time.monotonic()
    drawn = await organiser.draw()
    print(f"drawn and all {len(drawn['heats'])} rooms open after {time.monotonic() - began:.2f} s")
    shown = await asyncio.gather(*waiting)
    told(
        "from the draw to the board, countdown taken off",
        [at - began - COUNTDOWN_MS / 1000 for at in shown],
    )
    print(
        f"memory: {before:.0f} MB idle, {entered:.0f} MB entered, {memory_mb(server.pid):.0f} MB racing"
    )
    tokens = [driver.token for driver in drivers]
    await server.kill()
    began = time.monotonic()
    server._asked_port = server.port
    await server.start()
    print(f"listening again after {time.monotonic() - began:.2f} s")
    used = processor_s(server.pid)

    async def back(token: str) -> float:
        driver = await enter(server, "", t, token)
        drawn = await driver.until("round")
        room = await driver.join(drawn["room"])
        assert room["you"]["board"] is not None
        return time.monotonic()

    returned: list[float] = []
    for first in range(0, count, 50):
        returned += await asyncio.gather(*(back(token) for token in tokens[first : first + 50]))
    told("from the kill's restart to everybody's board again", [at - began for at in returned])
    print(f"processor of the server for that: {processor_s(server.pid) - used:.1f} s")


if __name__ == "__main__":
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(
        main(
            int(sys.argv[1]) if len(sys.argv) > 1 else 300,
            sys.argv[2] if len(sys.argv) > 2 else "series",
        )
    )
