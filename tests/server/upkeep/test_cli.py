"""The verbs on a data folder, as an operator types them."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import apsw

from halfmoon_server.eventlog.base import Batch
from halfmoon_server.eventlog.file import FILE_NAME
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.rooms import events as e
from halfmoon_testing.builders import BEN, ROOM
from halfmoon_testing.rooms import finished
from halfmoon_testing.verbs import halfmoon


async def write(folder: Path) -> None:
    """A folder with one room, whose race and key are in no index."""
    log = SqliteLog(folder)
    lines = [e.write_entry(entry) for entry in finished(BEN).entries]
    await log.append(Batch(ROOM, 0, lines))
    await log.close()


def test_a_folder_is_checked_mended_and_checked_again(tmp_path: Path) -> None:
    folder = str(tmp_path / "data")
    asyncio.run(write(tmp_path / "data"))
    status, printed, complaints = halfmoon("check", "--data", folder)
    assert (status, printed) == (1, "")
    assert "keys: race r_5 K7M2P is missing; run halfmoon reindex" in complaints.splitlines()
    assert halfmoon("reindex", "--data", folder) == (0, f"{folder} is indexed anew\n", "")
    status, printed, complaints = halfmoon("check", "--data", folder)
    assert (status, complaints) == (0, "")
    assert printed.startswith(f"{folder} holds")


def test_a_log_that_is_damaged_is_named_in_a_line(tmp_path: Path) -> None:
    asyncio.run(write(tmp_path))
    with closing(apsw.Connection(str(tmp_path / FILE_NAME))) as database:
        database.execute("UPDATE entries SET entry = replace(entry, 'Ben', 'Bob') WHERE seq = 2")
    line = f"{ROOM}: event 2 of 9 in its log is damaged or missing"
    for verb in ("check", "reindex"):
        status, printed, complaints = halfmoon(verb, "--data", str(tmp_path))
        assert (status, printed) == (1, "")
        assert line in complaints.splitlines()


def test_what_is_no_data_folder_is_one_line(tmp_path: Path) -> None:
    status, printed, complaints = halfmoon("check", "--data", str(tmp_path / "none"))
    assert (status, printed) == (1, "")
    assert complaints.count("\n") == 1
    assert "no data folder" in complaints
