"""What a log is after its process was killed, or the power went, between any two writes.

Promises 1 and 2: nothing that was acknowledged is lost, and nothing has to be repaired. One run on
a disk that remembers gives the files as they would be left at every single point of it.
"""

from __future__ import annotations

import asyncio
import os
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from halfmoon_server.eventlog import file
from halfmoon_server.eventlog.base import Batch, DataFolderError, Identity, LogDamaged
from halfmoon_server.eventlog.file import FILE_NAME, prepare_folder
from halfmoon_server.eventlog.opening import open_tables
from halfmoon_server.eventlog.schema import Connection, pragma
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.eventlog.tables import find_identity
from halfmoon_server.eventlog.wal import wal_path
from halfmoon_server.upkeep.check import check
from halfmoon_testing.builders import BEN
from halfmoon_testing.disks import Image, Trace, lay_down, recording_disk
from halfmoon_testing.logs import ROOMS, Logs, batches, entries_of, read_logs

LONG = bool(os.environ.get("HALFMOON_LONG"))
RUNS = 20 if LONG else 2
CUTS = 100 if LONG else 30
"""Power cuts of each run."""
TOKEN = bytes(32)


@dataclass(frozen=True)
class Run:
    """A server's writing, and all that it did to its disk."""

    logs: Logs
    trace: Trace


class _Settings:
    """The settings of the log's connection, some of them with another value."""

    def __init__(self, **others: str) -> None:
        self.others = others
        self.replaced: set[str] = set()

    def pragma(self, database: Connection, setting: str) -> list[Any]:
        name = setting.partition(" ")[0]
        if " = " in setting and name in self.others:
            self.replaced.add(name)
            setting = f"{name} = {self.others[name]}"
        return pragma(database, setting)


def run(
    folder: Path,
    patch: pytest.MonkeyPatch,
    seed: int,
    *,
    is_eager: bool = False,
    **settings: str,
) -> Run:
    """Four races are written, with a checkpoint every few commits; who is eager answers first."""
    others = _Settings(wal_autocheckpoint="15", **settings)
    prepare_folder(folder)
    with patch.context() as patched:
        patched.setattr(file, "pragma", others.pragma)
        with recording_disk(folder) as trace:
            logs = asyncio.run(_write(folder, trace, random.Random(seed), is_eager=is_eager))
    assert others.replaced == set(others.others), "the settings were not where they are sought"
    return Run(logs, trace)


async def _write(folder: Path, trace: Trace, chance: random.Random, *, is_eager: bool) -> Logs:
    logs = {room: entries_of(room, chance.randrange(10, 30), over=room > "B") for room in ROOMS}
    log = SqliteLog(folder)
    await log.save_identity(TOKEN, Identity(BEN, "Ben"))
    trace.say("identity")
    waiting: list[asyncio.Task[None]] = []
    for batch in batches(logs, chance.choice((1, 2, 3)), closed=ROOMS[-1]):

        async def append(batch: Batch = batch) -> None:
            answer = f"{batch.room} {batch.expected_seq + len(batch.entries)}"
            if is_eager:
                trace.say(answer)
            await log.append(batch)
            if not is_eager:
                trace.say(answer)

        waiting.append(asyncio.create_task(append()))
        if batch.room == ROOMS[-1] or chance.random() < 0.6:  # those of one room never overtake
            await asyncio.gather(*waiting)
            waiting.clear()
    await asyncio.gather(*waiting)
    await log.close()
    return logs


def lost(
    run: Run, image: Image, upto: int, folder: Path, *, check_first: bool = False
) -> list[str]:
    """All that is not as it was acknowledged, a line each; what a server and `check` say is wrong."""
    faults: list[str] = []
    lay_down(image, folder)
    try:
        if check_first:
            faults += check(folder)
        database, tables = open_tables(folder / FILE_NAME)
        try:
            found = read_logs(tables, [*run.logs])
            is_known = find_identity(database, TOKEN) is not None
        finally:
            database.close(True)
        if not check_first:
            faults += check(folder)
    except (DataFolderError, LogDamaged) as fault:
        return [*faults, str(fault)]
    for room, entries in found.items():
        if entries != run.logs[room][: len(entries)]:
            faults.append(f"{room} says what never was")
    for said in run.trace.said(upto):
        room, _, seq = said.partition(" ")
        if room in found and len(found[room]) < int(seq):
            faults.append(f"lost: {room} ends at {len(found[room])}, {seq} were acknowledged")
        elif room == "identity" and not is_known:
            faults.append("lost: an identity")
    return faults


def after_power_cuts(run: Run, folder: Path, seed: int, cuts: int) -> dict[int, list[str]]:
    """What is wrong after each of so many power cuts, by their numbers."""
    wrong: dict[int, list[str]] = {}
    for number in range(cuts):
        chance = random.Random(f"{seed} {number}")
        upto = chance.randrange(len(run.trace.operations) + 1)
        image = run.trace.after_power_cut(upto, chance)
        faults = lost(run, image, upto, folder / str(number), check_first=bool(number % 2))
        if faults:
            wrong[number] = faults
    return wrong


@pytest.mark.parametrize("seed", range(RUNS))
def test_no_power_cut_loses_what_was_acknowledged_or_wants_repair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    done = run(tmp_path / "data", monkeypatch, seed)
    resets = sum(one.kind == "sync" and one.file == FILE_NAME for one in done.trace.operations)
    assert resets > 3, "checkpoints are among it"
    assert after_power_cuts(done, tmp_path, seed, CUTS) == {}


def test_a_power_cut_while_the_write_ahead_log_begins_anew_wants_no_repair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its header is torn, and behind its frames lie older ones, of when it was longer."""
    done = run(tmp_path / "data", monkeypatch, 6)
    name = wal_path(Path(FILE_NAME)).name
    beginnings = [
        upto
        for upto, one in enumerate(done.trace.operations)
        if (one.kind, one.file, one.at) == ("write", name, 0)
    ]
    assert len(beginnings) > 3
    for upto in beginnings[1:]:
        header = done.trace.operations[upto].data
        for torn in (6, 14, 20, 27):
            image = done.trace.after_kill(upto)
            image[name] = header[:torn] + image[name][torn:]
            assert lost(done, image, upto, tmp_path / f"{upto} {torn}") == []


def test_no_kill_between_two_writes_loses_what_was_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every write of a run under `HALFMOON_LONG`, one of 20 otherwise."""
    done = run(tmp_path / "data", monkeypatch, 1)
    for upto in range(0, len(done.trace.operations) + 1, 1 if LONG else 20):
        image = done.trace.after_kill(upto)
        faults = lost(done, image, upto, tmp_path / str(upto), check_first=bool(upto % 2))
        assert faults == [], upto


# --- Controls ---------------------------------------------------------------------------------


def test_a_log_that_is_not_synced_at_each_commit_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(tmp_path / "data", monkeypatch, 0, synchronous="NORMAL")
    wrong = after_power_cuts(done, tmp_path, 0, 12)
    assert any("lost:" in fault for faults in wrong.values() for fault in faults)


def test_a_log_that_is_never_synced_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not only lost but spoilt: the file itself can't be read, or says what never was."""
    done = run(tmp_path / "data", monkeypatch, 0, synchronous="OFF")
    wrong = after_power_cuts(done, tmp_path, 0, 12)
    assert any("lost:" not in fault for faults in wrong.values() for fault in faults)


def test_an_answer_before_the_append_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kills alone show it, without any power cut."""
    done = run(tmp_path / "data", monkeypatch, 0, is_eager=True)
    wrong = {
        upto: faults
        for upto in range(0, len(done.trace.operations), 20)
        if (faults := lost(done, done.trace.after_kill(upto), upto, tmp_path / f"{upto}"))
    }
    assert any("lost:" in fault for faults in wrong.values() for fault in faults)
