"""The log in a file: what a crash leaves, what a failing disk does, and who may open it."""

import asyncio
import os
import random
import shutil
import stat
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from halfmoon_server.eventlog.base import (
    Batch,
    DataFolderError,
    Identity,
    Key,
    LogConflict,
    LogDamaged,
    LogUnavailable,
)
from halfmoon_server.eventlog.file import FILE_NAME
from halfmoon_server.eventlog.schema import FORMAT
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.eventlog.tables import ROWS_PER_HEADS_WRITE
from halfmoon_testing.disks import Work, faulty_disk

ONE, TWO = "AAAAA", "BBBBB"
ANY_HASH = bytes(range(32))


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[SqliteLog]:
    log = SqliteLog(folder)
    try:
        yield log
    finally:
        await log.close()


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[SqliteLog]:
    async with opened(tmp_path / "data") as log:
        yield log


def crashed(folder: Path, copy: Path) -> Path:
    """What lies on the disk at this moment, as a process that was killed leaves it."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    return copy


def modes(folder: Path) -> dict[str, int]:
    """What lies in a folder, and who may touch it."""
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


async def with_database(log: SqliteLog, run: Callable[[Any], object]) -> None:
    """Do this to the database where it is used, on the writer thread."""
    await log._writer.do(lambda tables: run(tables.database))


# --- The file ---------------------------------------------------------------------------------


async def test_the_folder_and_its_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "down"
    async with opened(folder) as log:
        await log.append(Batch(ONE, 0, ["a"]))
        assert modes(folder.parent) == {"down": 0o700}
        assert modes(folder) == {FILE_NAME: 0o600, FILE_NAME + "-wal": 0o600}


async def test_a_closed_log_leaves_one_whole_file(tmp_path: Path) -> None:
    async with opened(tmp_path) as log:
        await log.append(Batch(ONE, 0, ["a"]))
    assert [*modes(tmp_path)] == [FILE_NAME]
    with pytest.raises(LogUnavailable):
        await log.append(Batch(ONE, 1, ["b"]))


async def test_every_commit_is_synced(log: SqliteLog) -> None:
    """FULL: NORMAL loses acknowledged entries at a power cut (decision 3)."""
    for setting, value in (("synchronous", 2), ("journal_mode", "wal")):
        found: list[Any] = []
        await with_database(
            log,
            lambda db, s=setting, f=found: f.extend(db.execute(f"PRAGMA {s}")),  # type: ignore[misc]
        )
        assert found == [(value,)]


async def test_a_second_server_finds_the_folder_in_use_until_the_first_has_gone(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path):
        with pytest.raises(DataFolderError, match="in use by another server"):
            SqliteLog(tmp_path)
    async with opened(tmp_path):
        pass


async def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    async with opened(tmp_path):
        pass
    database = apsw.Connection(str(tmp_path / FILE_NAME))
    database.execute(f"PRAGMA user_version = {FORMAT + 1}")
    database.close()
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(DataFolderError, match="newer version"):
        SqliteLog(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == before


@pytest.mark.parametrize("content", [b"no database\n" * 500, b"SQLite format 3\x00" + bytes(5000)])
def test_a_file_that_is_no_log_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(DataFolderError, match="can't be read") as caught:
        SqliteLog(tmp_path)
    assert "\n" not in str(caught.value)
    assert (tmp_path / FILE_NAME).read_bytes() == content


def test_an_empty_file_is_a_log_that_was_lost(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).touch()
    with pytest.raises(DataFolderError, match="it is empty"):
        SqliteLog(tmp_path)


async def test_a_draft_that_a_killed_server_left_is_in_nobody_s_way(tmp_path: Path) -> None:
    """The log comes into its place whole, or not at all."""
    draft = tmp_path / f".{FILE_NAME}.{os.getpid()}"
    draft.write_bytes(b"half")
    async with opened(tmp_path) as log:
        assert await log.live_rooms() == []
    assert not draft.exists()


@pytest.mark.parametrize("inside", ["", "below"])
def test_a_folder_that_is_a_file_is_refused(tmp_path: Path, inside: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataFolderError, match="can't be used"):
        SqliteLog(tmp_path / "file" / inside)


# --- A crash ----------------------------------------------------------------------------------


async def test_all_that_was_acknowledged_is_there_after_a_crash_at_any_point(
    tmp_path: Path,
) -> None:
    chance = random.Random(1)
    folder, copy = tmp_path / "data", tmp_path / "copy"
    written: dict[str, list[str]] = {}
    live: list[str] = []
    keys: dict[Key, str] = {}
    async with opened(folder) as log:
        for number in range(60):
            room = chance.choice([*live, f"R{number:04}"])
            entries = [f"{room} {number} {n}" for n in range(chance.randint(1, 4))]
            log_so_far = written.setdefault(room, [])
            key = Key("race", f"r_{number}")
            is_last = chance.random() < 0.2
            await log.append(Batch(room, len(log_so_far), entries, [key], is_last))
            log_so_far += entries
            keys[key] = room
            live = [one for one in dict.fromkeys([*live, room]) if one != room or not is_last]
            await log.save_identity(number.to_bytes(32, "big"), Identity(f"p_{number}", "Ann"))
            if number % 4 and number > 8:
                continue
            async with opened(crashed(folder, copy)) as after:
                assert await after.live_rooms() == live
                for one, expected in written.items():
                    assert await after.read(one) == expected
                for one_key, expected_room in keys.items():
                    assert await after.find(one_key) == expected_room
                known = await after.identity(number.to_bytes(32, "big"))
                assert known == Identity(f"p_{number}", "Ann")


async def test_a_log_goes_on_after_a_crash_where_it_was(tmp_path: Path) -> None:
    async with opened(tmp_path / "data") as log:
        await log.append(Batch(ONE, 0, ["a", "b"]))
        folder = crashed(tmp_path / "data", tmp_path / "copy")
    async with opened(folder) as after:
        with pytest.raises(LogConflict):
            await after.append(Batch(ONE, 1, ["other"]))
        await after.append(Batch(ONE, 2, ["c"]))
        assert await after.read(ONE) == ["a", "b", "c"]


@pytest.mark.parametrize("rows", [ROWS_PER_HEADS_WRITE - 2, ROWS_PER_HEADS_WRITE + 50])
async def test_the_ends_of_all_logs_are_found_however_many_rows_came_since(
    tmp_path: Path, rows: int
) -> None:
    async with opened(tmp_path / "data") as log:
        await log.append(Batch(ONE, 0, ["a"]))
        await log.append(Batch("GONE2", 0, ["z"], is_last=True))
        await log.append(Batch(TWO, 0, [str(n) for n in range(rows)]))
        await log.append(Batch(ONE, 1, ["b"]))
        await log.append(Batch(TWO, rows, ["last"]))
        folder = crashed(tmp_path / "data", tmp_path / "copy")
    async with opened(folder) as after:
        assert await after.read(ONE) == ["a", "b"]
        assert (await after.read(TWO))[-2:] == [str(rows - 1), "last"]
        await after.append(Batch(ONE, 2, ["c"]))
        await after.append(Batch(TWO, rows + 1, ["on"]))
        assert await after.read("GONE2") == ["z"]
        assert await after.live_rooms() == [ONE, TWO]


async def test_a_closed_log_is_opened_without_reading_its_rows_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as log:
        await log.append(Batch(ONE, 0, ["a", "b", "c"]))
    async with opened(tmp_path) as again:
        assert again._writer._tables._heads == {}
        assert again._writer._tables._heads_upto == 3
        await again.append(Batch(ONE, 3, ["d"]))
        assert await again.read(ONE) == ["a", "b", "c", "d"]


async def test_a_log_with_a_hole_says_so(log: SqliteLog) -> None:
    await log.append(Batch(ONE, 0, ["a", "b", "c"]))
    await with_database(log, lambda db: db.execute("DELETE FROM entries WHERE entry = 'b'"))
    with pytest.raises(LogDamaged, match=f"{ONE}: event 2 of 3 in its log is damaged"):
        await log.read(ONE)


async def test_numbers_of_deleted_rows_are_not_used_again(tmp_path: Path) -> None:
    """Or what is written under them would not be looked for after a crash."""
    entry = '{"events":[{"at":1}]}'
    async with opened(tmp_path / "data") as log:
        await log.append(Batch(ONE, 0, [entry] * 5, is_last=True))
    async with opened(tmp_path / "data") as log:
        assert await log.forget_rooms(2, 1) == [ONE]
    async with opened(tmp_path / "data") as log:
        await log.append(Batch(TWO, 0, ["a"]))
        folder = crashed(tmp_path / "data", tmp_path / "copy")
    async with opened(folder) as after:
        assert await after.read(TWO) == ["a"]
        await after.append(Batch(TWO, 1, ["b"]))
        assert await after.read(TWO) == ["a", "b"]


# --- Group commit -----------------------------------------------------------------------------


async def test_those_who_wait_together_share_a_commit(tmp_path: Path) -> None:
    commits: list[float] = []
    log = SqliteLog(tmp_path, commits.append)
    gate = threading.Event()
    waiting = asyncio.ensure_future(log._writer.do(lambda _: gate.wait()))
    appends = [asyncio.ensure_future(log.append(Batch(f"R{n:04}", 0, ["a"]))) for n in range(500)]
    await asyncio.sleep(0)
    assert not any(one.done() for one in appends)
    gate.set()
    await asyncio.gather(waiting, *appends)
    assert len(commits) <= 2
    await log.close()


async def test_what_waits_when_the_log_closes_is_still_written(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path)
    appends = [asyncio.ensure_future(log.append(Batch(ONE, n, [str(n)]))) for n in range(1200)]
    await asyncio.sleep(0)
    await log.close()
    await asyncio.gather(*appends)
    async with opened(tmp_path) as again:
        assert len(await again.read(ONE)) == 1200


async def test_somebody_who_no_longer_waits_harms_nobody(log: SqliteLog) -> None:
    impatient = asyncio.ensure_future(log.append(Batch(ONE, 0, ["a"])))
    patient = asyncio.ensure_future(log.append(Batch(TWO, 0, ["b"])))
    await asyncio.sleep(0)
    impatient.cancel()
    await patient
    assert await log.read(TWO) == ["b"]
    assert await log.read(ONE) == ["a"], "it was asked for, and nobody took it back"


# --- A disk that fails ------------------------------------------------------------------------


@pytest.mark.parametrize("work", ["write", "sync"])
async def test_a_failing_disk_refuses_and_works_again_without_a_restart(
    tmp_path: Path, work: Work
) -> None:
    with faulty_disk() as disk:
        async with opened(tmp_path / "data") as log:
            await log.append(Batch(ONE, 0, ["a"]))
            disk.failing = work
            for _ in range(3):
                with pytest.raises(LogUnavailable):
                    await log.append(Batch(ONE, 1, ["lost"]))
                with pytest.raises(LogUnavailable):
                    await log.append(Batch(TWO, 0, ["lost"], [Key("race", "r")]))
                with pytest.raises(LogUnavailable):
                    await log.save_identity(ANY_HASH, Identity("p", "Ann"))
                assert not log.is_healthy
            with pytest.raises(LogUnavailable):
                await log.probe()
            disk.failing = None
            await log.probe()
            assert log.is_healthy
            assert await log.read(ONE) == ["a"]
            assert await log.read(TWO) == []
            assert await log.find(Key("race", "r")) is None
            assert await log.identity(ANY_HASH) is None
            await log.append(Batch(ONE, 1, ["b"]))
            assert log.is_healthy
            assert await log.read(ONE) == ["a", "b"]
            folder = crashed(tmp_path / "data", tmp_path / "copy")
        async with opened(folder) as after:
            assert await after.read(ONE) == ["a", "b"]
            assert await after.live_rooms() == [ONE]


async def test_a_failing_disk_can_still_be_read_and_is_not_called_healthy_for_that(
    tmp_path: Path,
) -> None:
    with faulty_disk() as disk:
        async with opened(tmp_path) as log:
            await log.append(Batch(ONE, 0, ["a"]))
            disk.failing = "write"
            with pytest.raises(LogUnavailable):
                await log.append(Batch(ONE, 1, ["b"]))
            assert await log.read(ONE) == ["a"]
            assert not log.is_healthy
            disk.failing = None
            await log.append(Batch(ONE, 1, ["b"]))
            assert log.is_healthy


async def test_a_full_disk_refuses_what_has_no_room_and_takes_it_when_there_is(
    log: SqliteLog,
) -> None:
    await log.append(Batch(ONE, 0, ["a"]))
    await with_database(log, lambda db: [*db.execute("PRAGMA max_page_count = 1")])
    with pytest.raises(LogUnavailable, match="can't be written"):
        await log.append(Batch(ONE, 1, ["x" * 100_000]))
    await with_database(log, lambda db: [*db.execute("PRAGMA max_page_count = 1000000")])
    await log.append(Batch(ONE, 1, ["x" * 100_000]))
    assert len(await log.read(ONE)) == 2


async def test_who_shares_a_commit_that_fails_is_refused_too(log: SqliteLog) -> None:
    await log.append(Batch(ONE, 0, ["a"]))
    await with_database(log, lambda db: [*db.execute("PRAGMA max_page_count = 1")])
    outcomes = await asyncio.gather(
        log.append(Batch(TWO, 0, ["small"])),
        log.append(Batch(ONE, 1, ["x" * 100_000])),
        return_exceptions=True,
    )
    assert isinstance(outcomes[1], LogUnavailable)
    told = outcomes[0] is None
    assert await log.read(TWO) == (["small"] if told else [])
    assert await log.read(ONE) == ["a"]


async def test_a_connection_that_is_lost_is_opened_anew(log: SqliteLog) -> None:
    await log.append(Batch(ONE, 0, ["a"]))
    with pytest.raises(LogUnavailable):
        await with_database(log, lambda db: (db.close(True), db.execute("SELECT 1")))
    await log.append(Batch(ONE, 1, ["b"]))
    assert await log.read(ONE) == ["a", "b"]


async def test_a_file_that_can_not_even_be_opened_is_tried_again_each_time(
    tmp_path: Path,
) -> None:
    with faulty_disk() as disk:
        async with opened(tmp_path) as log:
            await log.append(Batch(ONE, 0, ["a"]))
            disk.failing = "open"
            for _ in range(3):
                with pytest.raises(LogUnavailable):
                    await with_database(log, lambda db: (db.close(True), db.execute("SELECT 1")))
            disk.failing = None
            with pytest.raises(LogUnavailable):
                await log.append(Batch(ONE, 1, ["b"]))
            await log.append(Batch(ONE, 1, ["b"]))
            assert await log.read(ONE) == ["a", "b"]


async def test_a_disk_that_fails_to_the_end_still_lets_the_server_stop(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path)
    await log.append(Batch(ONE, 0, ["a"]))
    await with_database(log, lambda db: [*db.execute("PRAGMA query_only = 1")])
    await log.close()
    assert not log.is_healthy
    async with opened(tmp_path) as after:
        assert await after.read(ONE) == ["a"]
