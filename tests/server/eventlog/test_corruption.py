"""A byte that was changed or lost is noticed, or harms nothing (Promise 16: never silently another).

Sizes: some bytes of each kind in the normal run, every byte of both files under `HALFMOON_LONG`.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from halfmoon_server.eventlog.base import DataFolderError, Identity, LogDamaged
from halfmoon_server.eventlog.chain import Proof
from halfmoon_server.eventlog.file import FILE_NAME
from halfmoon_server.eventlog.opening import open_tables
from halfmoon_server.eventlog.reading import SPOILT
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.eventlog.tables import Tables
from halfmoon_server.eventlog.wal import FRAME_HEADER_BYTES, HEADER_BYTES, wal_path
from halfmoon_server.upkeep.check import check
from halfmoon_testing.builders import BEN
from halfmoon_testing.logs import ROOMS, Logs, batches, entries_of

LONG = bool(os.environ.get("HALFMOON_LONG"))
CHUNKS = 512 if LONG else 1
"""Parts in which every byte is tried, so that several processes share them."""
FRAME_BYTES = FRAME_HEADER_BYTES + 4096


@dataclass(frozen=True)
class Data:
    """A folder with a log of 200 events, and what was written to it."""

    folder: Path
    logs: Logs
    live: list[str]


async def write(folder: Path) -> Logs:
    """Write four rooms turn by turn; the last of them has gone."""
    logs = {room: entries_of(room, 40, over=room > "B") for room in ROOMS}
    log = SqliteLog(folder)
    await log.save_identity(bytes(32), Identity(BEN, "Ben"))
    for batch in batches(logs, 4, closed=ROOMS[-1]):
        await log.append(batch)
    shutil.copytree(folder, folder.with_name("killed"))
    await log.close()
    return logs


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Data:
    """What a server leaves that was told to stop: one file."""
    folder = tmp_path_factory.mktemp("log") / "data"
    logs = asyncio.run(write(folder))
    assert 180 <= sum(map(len, logs.values())) <= 220
    return Data(folder, logs, [*ROOMS[:-1]])


@pytest.fixture(scope="module")
def killed(stopped: Data) -> Data:
    """What a server leaves that was killed: a file and its write-ahead log."""
    folder = stopped.folder.with_name("killed")
    assert wal_path(folder / FILE_NAME).stat().st_size > 80 * FRAME_BYTES
    return Data(folder, stopped.logs, stopped.live)


def told(data: Data, folder: Path) -> list[str]:
    """What a server that starts on this folder says is wrong; none where all is as it was written.

    Fails where something is different and nobody was told.
    """
    with capture_logs() as lines:
        try:
            database, tables = open_tables(folder / FILE_NAME)
        except DataFolderError as fault:
            return [str(fault)]
        try:
            found, faults = read_all(tables, data.logs)
            live = tables.live()
        except SPOILT as fault:
            return [f"the log can't be read: {fault}"]
        finally:
            database.close(True)
    said = [f"{line['event']} {line.get('log', '')}" for line in lines]
    for room, entries in found.items():
        if entries != data.logs[room]:
            assert said, f"{room} is another and nobody was told"
            assert entries == data.logs[room][: len(entries)], f"{room} says what never was"
    assert live == data.live or said, "the rooms that live are others and nobody was told"
    return [*said, *faults.values()]


def read_all(tables: Tables, logs: Iterable[str]) -> tuple[Logs, dict[str, str]]:
    """What the logs hold, and what is wrong with those that can't be read."""
    found: Logs = {}
    faults: dict[str, str] = {}
    tables.database.execute("BEGIN IMMEDIATE")
    tables.begin()
    for room in logs:
        try:
            found[room] = tables.break_off(room)
        except LogDamaged as fault:
            faults[room] = str(fault)
    tables.database.execute("COMMIT")
    assert all(fault.startswith(f"{room}: event ") for room, fault in faults.items())
    return found, faults


def spoilt(data: Data, place: Path, spoil: Callable[[Path], None]) -> Path:
    """A copy of the folder with something spoilt."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(data.folder, place)
    spoil(place)
    return place


def flip(name: str, at: int, mask: int) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        with (folder / name).open("r+b") as file:
            file.seek(at)
            (byte,) = file.read(1)
            file.seek(at)
            file.write(bytes([byte ^ mask]))

    return spoil


def cut(name: str, size: int) -> Callable[[Path], None]:
    return lambda folder: os.truncate(folder / name, size)


def notice(data: Data, place: Path, spoil: Callable[[Path], None]) -> list[str]:
    """What is said of the spoilt folder, by the server that starts on it or by `check`.

    Where neither says anything, it holds all that it held.
    """
    faults = told(data, spoilt(data, place, spoil))
    assert not any("\n" in fault for fault in faults)
    if faults:
        return faults
    try:
        return check(spoilt(data, place, spoil))
    except DataFolderError as fault:
        return [str(fault)]


def places(path: Path, few: int, chunk: int) -> Iterable[int]:
    """The bytes of this file that are tried in this part."""
    size = path.stat().st_size
    if LONG:
        return range(chunk, size, CHUNKS)
    return sorted(random.Random(7).sample(range(size), few))


# --- The file ---------------------------------------------------------------------------------


def test_what_is_whole_is_not_complained_of(stopped: Data, killed: Data, tmp_path: Path) -> None:
    for data in (stopped, killed):
        assert notice(data, tmp_path / "x", lambda _: None) == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_byte_of_the_file_is_changed_unseen(stopped: Data, tmp_path: Path, chunk: int) -> None:
    harmless = 0
    places_tried = places(stopped.folder / FILE_NAME, 60, chunk)
    for at in places_tried:
        mask = random.Random(at).choice((1, 128, 255))
        harmless += not notice(stopped, tmp_path / "x", flip(FILE_NAME, at, mask))
    assert harmless < len([*places_tried]), "damage was noticed"


def test_damage_in_the_names_of_tables_is_told_in_one_line(stopped: Data, tmp_path: Path) -> None:
    def spoil(folder: Path) -> None:
        content = (folder / FILE_NAME).read_bytes()
        assert b"status TEXT" in content
        (folder / FILE_NAME).write_bytes(content.replace(b"status TEXT", b"`tatus TEXT"))

    (fault,) = notice(stopped, tmp_path / "x", spoil)
    assert "malformed database schema" in fault


@pytest.mark.parametrize("event", [1, 7, 30])
def test_damage_in_one_event_names_it_and_harms_no_other_room(
    stopped: Data, tmp_path: Path, event: int
) -> None:
    entry = stopped.logs["BBBBB"][event - 1].encode()
    content = (stopped.folder / FILE_NAME).read_bytes()
    bent = content.replace(entry, entry.replace(b"179000", b"179001"))
    assert bent != content

    def spoil(folder: Path) -> None:
        (folder / FILE_NAME).write_bytes(bent)

    count = len(stopped.logs["BBBBB"])
    fault = f"BBBBB: event {event} of {count} in its log is damaged or missing"
    assert told(stopped, spoilt(stopped, tmp_path / "x", spoil)) == [fault]
    assert fault in check(spoilt(stopped, tmp_path / "x", spoil))


def test_a_log_whose_last_event_is_damaged_goes_on_before_it_and_says_so(
    stopped: Data, tmp_path: Path
) -> None:
    """Of a room that goes on, when it comes into memory; a closed one is not rewritten."""
    content = (stopped.folder / FILE_NAME).read_bytes()
    for room in ("BBBBB", "DDDDD"):
        entry = stopped.logs[room][-1].encode()
        content = content.replace(entry, entry.replace(b"179000", b"179001"))

    def spoil(folder: Path) -> None:
        (folder / FILE_NAME).write_bytes(content)

    count = len(stopped.logs["BBBBB"])
    closed = f"DDDDD: event {count} of {count} in its log is damaged or missing"
    folder = spoilt(stopped, tmp_path / "x", spoil)
    database, tables = open_tables(folder / FILE_NAME)
    for _ in range(2):
        with pytest.raises(LogDamaged, match=f"BBBBB: event {count}"):
            tables.read("BBBBB")
    database.close(True)
    assert sorted(told(stopped, folder)) == [
        closed,
        "log.tail_dropped BBBBB",
    ]
    database, tables = open_tables(folder / FILE_NAME)
    assert tables.read("BBBBB") == stopped.logs["BBBBB"][:-1]
    (dropped,) = database.execute("SELECT room, seq FROM dropped")
    assert dropped == ("BBBBB", count)
    database.close(True)
    assert closed in check(folder)


def test_a_file_that_lost_its_last_bytes_says_so(stopped: Data, tmp_path: Path) -> None:
    size = (stopped.folder / FILE_NAME).stat().st_size
    for missing in range(1, size, 1 if LONG else 8999):
        faults = told(stopped, spoilt(stopped, tmp_path / "x", cut(FILE_NAME, size - missing)))
        assert faults, missing
    faults = told(stopped, spoilt(stopped, tmp_path / "x", cut(FILE_NAME, size - 7)))
    assert "log.cut_short " in faults


# --- The write-ahead log ----------------------------------------------------------------------


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_byte_of_the_write_ahead_log_is_changed_unseen(
    killed: Data, tmp_path: Path, chunk: int
) -> None:
    wal = wal_path(killed.folder / FILE_NAME)
    for at in places(wal, 30, chunk):
        mask = random.Random(at).choice((1, 128, 255))
        assert notice(killed, tmp_path / "x", flip(wal.name, at, mask)), at


def test_damage_before_other_commits_is_no_torn_end_and_loses_nothing_more(
    killed: Data, tmp_path: Path
) -> None:
    """The server doesn't start, and leaves both files to the operator; cut off there, it does."""
    wal = wal_path(killed.folder / FILE_NAME)
    at = HEADER_BYTES + 10 * FRAME_BYTES + 500
    folder = spoilt(killed, tmp_path / "x", flip(wal.name, at, 1))
    before = (folder / wal.name).read_bytes()
    (fault,) = told(killed, folder)
    found = re.search(r"is damaged at byte (\d+), and (\d+) commits after it", fault)
    assert found is not None
    sound, commits = map(int, found.groups())
    assert at - 5 * FRAME_BYTES < sound <= at
    assert commits > 30
    assert (folder / wal.name).read_bytes() == before
    cut(wal.name, sound)(folder)
    prefixes(killed, folder)


def test_a_torn_end_falls_back_to_the_last_whole_commit_and_says_so(
    killed: Data, tmp_path: Path
) -> None:
    """Cut between two commits it is what it was before the later one, which nobody can tell."""
    wal = wal_path(killed.folder / FILE_NAME)
    size = wal.stat().st_size
    for missing in range(1, size, 1 if LONG else 17_011):
        folder = spoilt(killed, tmp_path / "x", cut(wal.name, size - missing))
        if (size - missing - HEADER_BYTES) % FRAME_BYTES:
            assert told(killed, folder), missing
        else:
            prefixes(killed, folder)
    (fault,) = told(killed, spoilt(killed, tmp_path / "x", cut(wal.name, size - 7)))
    assert fault == "log.torn_end_dropped CCCCC"


def test_a_write_ahead_log_that_begins_with_zeros_is_told(killed: Data, tmp_path: Path) -> None:
    """As a power cut leaves it on a disk that syncs nothing: a frame of no page at all."""
    wal = wal_path(killed.folder / FILE_NAME)
    zeros = HEADER_BYTES + FRAME_HEADER_BYTES

    def spoil(folder: Path) -> None:
        (folder / wal.name).write_bytes(bytes(zeros) + wal.read_bytes()[zeros:])

    assert told(killed, spoilt(killed, tmp_path / "x", spoil))


def prefixes(data: Data, folder: Path) -> None:
    """Every log is the beginning of what was written."""
    database, tables = open_tables(folder / FILE_NAME)
    found, faults = read_all(tables, data.logs)
    database.close(True)
    assert faults == {}
    for room, entries in found.items():
        assert entries == data.logs[room][: len(entries)]


# --- Controls ---------------------------------------------------------------------------------


def test_a_reader_that_does_not_follow_the_chain_is_caught(
    stopped: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "halfmoon_server.eventlog.tables.prove",
        lambda _, rows: Proof(sound=len(rows), is_torn=False),
    )
    entry = stopped.logs["BBBBB"][20].encode()
    at = (stopped.folder / FILE_NAME).read_bytes().index(entry) + 10
    with pytest.raises(AssertionError, match="BBBBB is another and nobody was told"):
        told(stopped, spoilt(stopped, tmp_path / "x", flip(FILE_NAME, at, 1)))


def test_a_server_that_takes_every_end_for_a_torn_one_is_caught(
    killed: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("halfmoon_server.eventlog.file.read_wal", lambda _: None)
    wal = wal_path(killed.folder / FILE_NAME)
    at = HEADER_BYTES + 10 * FRAME_BYTES + 500
    with pytest.raises(AssertionError, match="nobody was told"):
        told(killed, spoilt(killed, tmp_path / "x", flip(wal.name, at, 1)))
