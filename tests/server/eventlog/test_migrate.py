"""A folder of an earlier format is brought to today's where it lies."""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from halfmoon_server.eventlog import file
from halfmoon_server.eventlog.base import Batch, DataFolderError, Identity, Key
from halfmoon_server.eventlog.file import FILE_NAME
from halfmoon_server.eventlog.schema import FORMAT, pragma
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.records import find_record
from halfmoon_testing.builders import ANN, BEN, CLEO, STICKY, WINNABLE

GOLDEN = Path(__file__).parents[2] / "golden" / "format-1.sql"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder as format 1 left it: two rooms that live, one with a finished race, one closed."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    with closing(apsw.Connection(str(folder / FILE_NAME))) as database:
        for _ in database.execute(GOLDEN.read_text()):
            pass
        pragma(database, "journal_mode = WAL")
    (folder / FILE_NAME).chmod(0o600)
    return folder


def written(folder: Path) -> dict[str, list[str]]:
    """The entries of each log, by a look into the file of format 1."""
    logs: dict[str, list[str]] = {}
    with closing(apsw.Connection(str(folder / FILE_NAME))) as database:
        for room, entry in database.execute("SELECT room, entry FROM entries ORDER BY id"):
            logs.setdefault(str(room), []).append(str(entry))
    return logs


def modes(folder: Path) -> dict[str, int]:
    """What lies in a folder, and who may touch it."""
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


async def test_a_folder_of_format_1_is_migrated_with_all_that_it_holds(folder: Path) -> None:
    expected = written(folder)
    assert [*expected] == ["AAAAA", "BBBBB", "CCCCC", "DDDDD"]
    log = SqliteLog(folder)
    for room, entries in expected.items():
        assert await log.read(room) == entries
    assert await log.live_rooms() == ["BBBBB", "CCCCC", "DDDDD"]
    assert await log.find(Key("create", f"{ANN} c1")) == "AAAAA"
    assert await log.find(Key("race", "r_b5")) == "BBBBB"
    assert await log.identity(hashlib.sha256(b"ben's token").digest()) == Identity(BEN, "Zoë 🂡")
    await log.append(Batch("BBBBB", len(expected["BBBBB"]), ["on"]))
    assert (await log.read("BBBBB"))[-1] == "on"
    await log.close()
    assert modes(folder) == {FILE_NAME: 0o600}


async def test_it_has_the_results_of_the_races_that_were_run_before(folder: Path) -> None:
    log = SqliteLog(folder)
    won = await log.results_of_code(str(WINNABLE), None, None, 10)
    assert [(one.player, one.status, one.rank, one.racers) for one in won] == [
        (BEN, "won", 1, 3),
        (ANN, "retired", 2, 3),
        (CLEO, "retired", 3, 3),
    ]
    found = await find_record(log, won[0].race)
    assert found is not None
    found.record.verify()
    assert [line.player for line in found.record.standings] == [BEN, ANN, CLEO]
    ann = await log.results_of_player(ANN, None, 10)
    assert [one.code for one in ann] == [str(STICKY), str(WINNABLE), str(STICKY)]
    assert [one.undos for one in ann] == [0, 1, 0]
    await log.close()


async def test_a_migration_that_fails_leaves_the_old_file_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = written(folder)
    path = folder / FILE_NAME

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        with pytest.raises(DataFolderError, match="No space left"):
            SqliteLog(folder)
    assert modes(folder) == {FILE_NAME: 0o600}
    assert file.format_written(path) == 1
    assert written(folder) == before
    log = SqliteLog(folder)
    assert await log.read("AAAAA") == before["AAAAA"]
    await log.close()
    assert file.format_written(path) == FORMAT


def test_a_folder_of_format_1_that_a_server_has_open_is_in_use(folder: Path) -> None:
    with (
        closing(file.connect(folder / FILE_NAME)),
        pytest.raises(DataFolderError, match="in use by another server"),
    ):
        SqliteLog(folder)
    assert file.format_written(folder / FILE_NAME) == 1
