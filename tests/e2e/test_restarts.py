"""Servers that are stopped and started again within a race, and two that want one folder.

Promises 17 and 18. Sizes: one restart in the normal run, 50 under `HALFMOON_LONG`.
"""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

from halfmoon_server.upkeep.check import check
from halfmoon_testing.racers import all_back, leave, racing
from halfmoon_testing.server import NotStarted, ServerProcess, server_process

RESTARTS = 50 if os.environ.get("HALFMOON_LONG") else 1
UNLIMITED = ("--limit-commands", "100000/100000", "--limit-new-connections", "100000/100000")


async def test_restarts_within_a_race_cost_nobody_a_move(folder: Path) -> None:
    """What a stopping server carried out it answered, and the other way round; then 1012."""
    async with server_process(folder, *UNLIMITED) as server:
        racers = await racing(server, 2, 4)
        for number in range(RESTARTS):
            before = sum(racer.answers for racer in racers)
            playing = [asyncio.create_task(racer.play()) for racer in racers]
            await racers[number % len(racers)].driver.until("progress")
            assert await server.terminate() == 0
            await asyncio.gather(*playing)
            assert {racer.close_codes[-1] for racer in racers} == {1012}
            assert sum(racer.answers for racer in racers) > before
            await server.start()
            await all_back(racers, server)
            assert not any(racer.was_done for racer in racers), "done, and not answered"
        assert "error" not in {line["level"] for line in server.log_lines()}
        await leave(racers)
        await server.terminate()
    assert check(folder) == []


async def test_of_two_that_start_at_once_one_has_the_folder(folder: Path) -> None:
    """Also where the folder has yet to be made; a kill leaves no lock behind, not even asleep."""
    servers = [ServerProcess(folder), ServerProcess(folder)]
    try:
        ended = await asyncio.gather(*(one.start() for one in servers), return_exceptions=True)
        (refused,) = [one for one in ended if one is not None]
        assert isinstance(refused, NotStarted)
        assert refused.status == 1
        assert "in use by another server" in refused.output
        assert refused.output.count("\n") == 1
        first, second = servers if ended[0] is None else servers[::-1]
        os.kill(first.pid, signal.SIGSTOP)
        await first.kill()
        await second.start()
        assert await second.terminate() == 0
    finally:
        for one in servers:
            await one.clean_up()
