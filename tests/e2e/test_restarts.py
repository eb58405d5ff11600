"""Servers that are stopped and started again within a race, and two that want one folder.

Promises 17 and 18. Sizes: one restart in the normal run, 50 under `HALFMOON_LONG`.
"""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from aiohttp import web

from halfmoon_server import app, gate
from halfmoon_server.keys import SERVER
from halfmoon_server.settings import Settings
from halfmoon_server.upkeep.check import check
from halfmoon_testing.disks import faulty_disk
from halfmoon_testing.racers import Racer, all_back, leave, racing
from halfmoon_testing.server import (
    UNHURRIED,
    NotStarted,
    ServerProcess,
    break_build,
    in_process,
    server_process,
)

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
            all_answered(racers)
        assert "error" not in {line["level"] for line in server.log_lines()}
        await leave(racers)
        await server.terminate()
    assert check(folder) == []


def all_answered(racers: list[Racer]) -> None:
    assert not any(racer.was_done for racer in racers), "done, and not answered"


async def stop_within_a_commit(folder: Path) -> None:
    """A stop while everybody's move is on its way to the disk: it is answered before the 1012."""
    settings = Settings(data=folder, limits=UNHURRIED)
    with faulty_disk() as disk:
        async with in_process(settings) as server:
            racers = await racing(server, 2, 2)
            disk.stalled.clear()
            playing = [asyncio.create_task(racer.play()) for racer in racers]
            await asyncio.sleep(0)
            for racer in racers:
                await racer.driver.quiet()
            asyncio.get_running_loop().call_later(0.1, disk.stalled.set)
        await asyncio.gather(*playing)
        async with in_process(settings) as server:
            await all_back(racers, server)
            await leave(racers)
    all_answered(racers)


async def test_a_stop_within_a_commit_answers_what_it_carries_out(folder: Path) -> None:
    await stop_within_a_commit(folder)


async def test_a_server_that_says_goodbye_too_early_is_caught(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: connections are closed first, and what was asked is carried out afterwards."""

    async def hasty(application: web.Application) -> None:
        server = application[SERVER]
        server.is_stopping = True
        await gate.close_all(server)
        await server.around.directory.stop()

    monkeypatch.setattr(app, "_shut_down", hasty)
    with pytest.raises(AssertionError, match="done, and not answered"):
        await stop_within_a_commit(folder)


async def two_start_at_once(folder: Path) -> None:
    """One of them has the folder; a kill leaves no lock behind, not even asleep."""
    servers = [ServerProcess(folder), ServerProcess(folder)]
    try:
        ended = await asyncio.gather(*(one.start() for one in servers), return_exceptions=True)
        assert ended.count(None) == 1, "both have the folder" if None in ended else ended
        refused = ended[0] or ended[1]
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


async def test_of_two_that_start_at_once_one_has_the_folder(folder: Path) -> None:
    """Also where the folder has yet to be made."""
    await two_start_at_once(folder)


async def test_a_server_that_locks_nothing_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: both server processes take a file that others may have open too.

    Unless one of them happens to write just when the other opens it: then once more.
    """
    break_build(
        tmp_path,
        monkeypatch,
        "from halfmoon_server.eventlog import file\n"
        "sound = file.pragma\n"
        "file.pragma = lambda base, one: sound(base, one.replace('EXCLUSIVE', 'NORMAL'))\n",
    )
    for number in range(10):
        try:
            await two_start_at_once(tmp_path / f"data {number}")
        except AssertionError as found:
            assert "both have the folder" in str(found)  # noqa: PT017 - or it is another fault
            return
    pytest.fail("it is never caught")
