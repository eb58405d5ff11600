"""A disk that fails, is full, or takes its time: the server doesn't lie, and play goes on.

Promise 3. In the normal run the disk fails within this process; under `HALFMOON_LONG` the kernel
refuses the calls of a server process as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
from pathlib import Path

import pytest

from halfmoon_server.eventlog.base import Batch, LogUnavailable
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.settings import Settings
from halfmoon_server.upkeep.check import check
from halfmoon_testing.disks import Work, faulty_disk
from halfmoon_testing.driver import Driver, drivers
from halfmoon_testing.racers import Racer, all_back, leave, racing
from halfmoon_testing.server import UNHURRIED, Address, get_json, in_process, server_process
from halfmoon_testing.tracing import injected, need_strace

LONG = bool(os.environ.get("HALFMOON_LONG"))
OK = {"status": "ok"}
FAILING = {"status": "failing"}


async def play_on(racers: list[Racer], actions: int) -> None:
    for racer in racers:
        for _ in range(actions):
            await racer.act()


async def lose_all(racers: list[Racer]) -> None:
    """Everybody acts until the disk's failing has cost them their connection."""
    await asyncio.gather(*(racer.play() for racer in racers))
    assert {racer.close_codes[-1] for racer in racers} <= {1011, 1013}


@pytest.mark.parametrize("work", ["write", "sync"])
async def test_what_a_failing_disk_did_not_take_is_not_answered(folder: Path, work: Work) -> None:
    settings = Settings(data=folder, limits=UNHURRIED)
    with faulty_disk() as disk:
        async with in_process(settings) as server:
            racers = await racing(server, 2, 3)
            for _ in range(3):
                await play_on(racers, 3)
                disk.failing = work
                await lose_all(racers)
                assert await get_json(server, "/healthz", status=503) == FAILING
                disk.failing = None
                await all_back(racers, server)
                assert await get_json(server, "/healthz") == OK
            await play_on(racers, 3)
        async with in_process(settings) as server:
            await all_back(racers, server)
            await leave(racers)
    assert check(folder) == []


async def test_a_disk_that_fails_now_and_then_costs_connections_and_no_move(folder: Path) -> None:
    settings = Settings(data=folder, limits=UNHURRIED)
    with faulty_disk() as disk:
        async with in_process(settings) as server:
            racers = await racing(server, 2, 3)
            disk.chance = random.Random(3)
            for number in range(60 if LONG else 6):
                disk.failing = "sync" if number % 2 else "write"
                await lose_all(racers)
                disk.failing = None
                await all_back(racers, server)
        async with in_process(settings) as server:
            await all_back(racers, server)
            await leave(racers)
    assert check(folder) == []


class LyingLog(SqliteLog):
    """A log that takes no failure for an answer."""

    async def append(self, batch: Batch) -> None:
        with contextlib.suppress(LogUnavailable):
            await super().append(batch)


async def test_a_server_that_answers_what_could_not_be_written_is_caught(folder: Path) -> None:
    with faulty_disk() as disk:
        async with in_process(event_log=LyingLog(folder)) as server:
            racers = await racing(server, 1, 1)
            disk.failing = "sync"
            await play_on(racers, 1)
            disk.failing = None
        async with in_process(Settings(data=folder, limits=UNHURRIED)) as server:
            with pytest.raises(AssertionError, match="0 actions, 1 answered"):
                await all_back(racers, server)
            await leave(racers)


async def test_a_sync_that_takes_its_time_delays_answers_and_nothing_else(folder: Path) -> None:
    """Meanwhile pings, clocks, other rooms' snapshots, the list of rooms and health are answered."""
    with faulty_disk() as disk:
        async with in_process(Settings(data=folder, limits=UNHURRIED)) as server:
            racer, *others = await racing(server, 2, 2)
            await racer.act()
            disk.stalled.clear()
            acting = asyncio.create_task(racer.act())
            try:
                for driver in (racer.driver, *(other.driver for other in others)):
                    await (await driver.socket.ping())
                    await driver.quiet()
                for elsewhere in others[1:]:
                    elsewhere.check((await elsewhere.driver.done("join_room"))["you"]["board"])
                assert await get_json(server, "/healthz") == OK
                await get_json(server, "/api/rooms")
                assert not acting.done()
                assert racer.answers == 1, "nothing is told before it is in the log"
            finally:
                disk.stalled.set()
            await acting
            await leave([racer, *others])


@pytest.mark.skipif(not LONG, reason="HALFMOON_LONG: a server process under strace")
@pytest.mark.parametrize(
    ("call", "error"), [("fdatasync", "EIO"), ("pwrite64", "ENOSPC"), ("pwrite64", "EIO")]
)
async def test_calls_that_the_kernel_refuses(folder: Path, call: str, error: str) -> None:
    """Play goes on without a restart as soon as it lets them."""
    need_strace()
    unlimited = ("--limit-commands", "100000/100000")
    async with server_process(folder, *unlimited) as server:
        racers = await racing(server, 2, 3)
        for when in ("1+", "2+3", "5+2"):
            await play_on(racers, 3)
            async with injected(server.pid, call, f"error={error}:when={when}"):
                await lose_all(racers)
                if when == "1+":
                    assert await get_json(server, "/healthz", status=503) == FAILING
            await all_back(racers, server)
            assert await get_json(server, "/healthz") == OK
        await server.restart()
        await all_back(racers, server)
        await leave(racers)
        await server.terminate()
    assert check(folder) == []


@pytest.mark.skipif(not LONG, reason="HALFMOON_LONG: a server process under strace")
async def test_syncs_that_take_200_ms(folder: Path) -> None:
    need_strace()
    async with server_process(folder, "--limit-pings", "100000/100000") as server:
        racers = await racing(server, 2, 3)
        async with injected(server.pid, "fdatasync", "delay_enter=200000"):
            acting = asyncio.create_task(play_on(racers, 3))
            pongs = await pongs_until(acting, server)
        assert pongs > 3 * 6, "a ping is answered several times within one sync"
        await leave(racers)


async def pongs_until(acting: asyncio.Task[None], at: Address) -> int:
    """How many pings are answered until that is done."""
    driver = await Driver.open(at.ws)
    pongs = 0
    async with drivers(driver):
        while not acting.done():
            await (await driver.socket.ping())
            pongs += 1
    await acting
    return pongs
