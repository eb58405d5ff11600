"""Servers that are killed, at any instant and at any write, while many race on.

Promise 1: no move that was answered `moved` is lost and none is made twice. Sizes: a few kills in
the normal run; under `HALFMOON_LONG` 500 at random, and one at every write and every sync.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest

from halfmoon_server.eventlog.base import Batch
from halfmoon_server.eventlog.file import prepare_folder
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.settings import Settings
from halfmoon_server.upkeep.check import check
from halfmoon_testing.disks import Trace, lay_down, recording_disk
from halfmoon_testing.driver import Driver, drivers
from halfmoon_testing.racers import AWAY, Racer, all_back, leave, racing
from halfmoon_testing.server import UNHURRIED, in_process, server_process
from halfmoon_testing.tracing import injected, need_strace

LONG = bool(os.environ.get("HALFMOON_LONG"))
KILLS = 10 if LONG else 2
PARTS = 20 if LONG else 1
ROOMS, PLAYERS = (8, 4) if LONG else (3, 4)
UNLIMITED = ("--limit-commands", "100000/100000", "--limit-new-connections", "100000/100000")


@pytest.mark.parametrize("part", range(50 if LONG else 1))
async def test_kills_at_random_lose_nothing_and_double_nothing(folder: Path, part: int) -> None:
    chance = random.Random(part)
    async with server_process(folder, *UNLIMITED) as server:
        racers = await racing(server, ROOMS, PLAYERS)
        for racer in racers:
            racer.pause_s = 0.02
        for _ in range(KILLS):
            playing = [asyncio.create_task(racer.play()) for racer in racers]
            await asyncio.sleep(chance.uniform(0.05, 3 if LONG else 0.6))
            await server.kill()
            await asyncio.gather(*playing)
            await server.start()
            await all_back(racers, server)
        assert sum(racer.answers for racer in racers) > KILLS * len(racers)
        await leave(racers)
        await server.terminate()
    assert check(folder) == []


# --- At every write ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Session:
    """Sixty moves and undos, and all that the server did to its disk."""

    racer: Racer
    trace: Trace
    begun: int
    """The operation before which the race had started."""


class EagerLog(SqliteLog):
    """A log that says that it has written while it has yet to: it does so when the next one comes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._late: list[Batch] = []

    async def append(self, batch: Batch) -> None:
        late, self._late = self._late, [batch]
        for one in late:
            await super().append(one)

    async def close(self) -> None:
        late, self._late = self._late, []
        for one in late:
            await super().append(one)
        await super().close()


async def race(folder: Path, make_log: type[SqliteLog]) -> Session:
    """A session on a disk that remembers."""
    prepare_folder(folder)
    with recording_disk(folder) as trace:
        settings = Settings(data=folder, limits=UNHURRIED)
        log = make_log(folder)
        async with in_process(settings, event_log=log) as server:
            racer, other = await racing(server, 1, 2)
            begun = len(trace.operations)
            for number in range(60):
                await racer.act()
                trace.say(str(number + 1))
            await leave([racer, other])
        await log.close()
    return Session(racer, trace, begun)


async def turns_after(session: Session, upto: int, folder: Path) -> tuple[int, int]:
    """The racer's turn by what was answered, and by a server that starts after the kill."""
    lay_down(session.trace.after_kill(upto), folder)
    gone = session.racer.driver
    async with in_process(Settings(data=folder, limits=UNHURRIED)) as server:
        again = await Driver.enter(server.ws, token=gone.token)
        async with drivers(again):
            room = await again.join(gone.room)
    assert check(folder) == []
    return len(session.trace.said(upto)), room["you"]["board"]["turn"]


async def test_a_server_goes_on_after_a_kill_at_any_write(tmp_path: Path) -> None:
    session = await race(tmp_path / "data", SqliteLog)
    points = range(session.begun, len(session.trace.operations), 1 if LONG else 50)
    for upto in points:
        answered, turn = await turns_after(session, upto, tmp_path / str(upto))
        assert answered <= turn <= answered + 1, upto


async def test_a_server_that_answers_before_it_has_written_is_caught(tmp_path: Path) -> None:
    session = await race(tmp_path / "data", EagerLog)
    for upto in range(session.begun + 5, len(session.trace.operations), 11):
        answered, turn = await turns_after(session, upto, tmp_path / str(upto))
        if turn < answered:
            return
    pytest.fail("nothing of what was answered too early was missed")


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("call", ["fdatasync", "pwrite64"] if LONG else ["fdatasync"])
async def test_a_kill_within_the_nth_call_loses_nothing(folder: Path, call: str, part: int) -> None:
    """The kernel kills it as it enters its nth write or sync, until 60 actions need no nth."""
    need_strace()
    async with server_process(folder, *UNLIMITED) as server:
        racers = await racing(server, 1, 2)
        for nth in range(part + 1, 400, PARTS) if LONG else (7,):
            before = racers[0].answers
            async with injected(server.pid, call, f"signal=SIGKILL:when={nth}"):
                with contextlib.suppress(*AWAY):
                    for _ in range(60):
                        await racers[0].act()
            if racers[0].answers == before + 60:
                assert LONG, "it was to be killed"
                break
            assert await server.ended() == -signal.SIGKILL
            await server.start()
            await all_back(racers, server)
        await leave(racers)
        await server.terminate()
    assert check(folder) == []
