"""A copy of a data folder is whole and is one moment's, whatever is written meanwhile."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from halfmoon_server.eventlog import writer
from halfmoon_server.eventlog.base import Batch, DataFolderError
from halfmoon_server.eventlog.file import FILE_NAME
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.settings import Settings
from halfmoon_server.upkeep.backup import (
    SOCKET_NAME,
    NotCopied,
    ask_for_copy,
    copy_folder,
    copy_unused,
)
from halfmoon_server.upkeep.check import check
from halfmoon_testing.driver import Driver, drivers, line_up, start_race
from halfmoon_testing.server import UNHURRIED, get_json, in_process, server_process
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.verbs import halfmoon


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


async def test_a_copy_is_taken_while_the_server_runs_and_is_a_data_folder(tmp_path: Path) -> None:
    """In a folder whose name is longer than a socket's address may be."""
    folder, copy = tmp_path / ("x" * 120), tmp_path / "copy"
    async with in_process(Settings(data=folder, limits=UNHURRIED)) as server:
        ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
        async with drivers(ann, bob):
            await start_race([ann, bob])
            for turn in range(10):
                await ann.move(turn, winning_line()[turn])
            (folder / "some.key").write_text("k")
            assert await asyncio.to_thread(ask_for_copy, folder, copy)
            await ann.move(10, winning_line()[10])
            for player in (ann, bob):
                await player.done("retire")
            over = await ann.until("over")
    assert modes(copy) == modes(folder), "the server's keys are copied too, the socket has gone"
    assert modes(copy)[FILE_NAME] == 0o600
    assert "some.key" in modes(copy)
    assert copy.stat().st_mode & 0o777 == 0o700
    assert await asyncio.to_thread(check, copy) == []
    async with in_process(Settings(data=copy, limits=UNHURRIED)) as server:
        later = await Driver.enter(server.ws, token=ann.token)
        async with drivers(later):
            answer = await later.join(ann.room)
            assert answer["you"]["board"]["turn"] == 10, "as it was when it was copied"
    async with in_process(Settings(data=folder, limits=UNHURRIED)) as server:
        record = await get_json(server, f"/api/races/{over['race']}")
        assert len(record["players"][0]["actions"]) == 12


async def test_what_is_written_while_it_is_copied_harms_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page by page, with a commit between any two."""
    turns, copy_on = threading.Semaphore(0), writer.Writer._copy_on

    def in_turn(self: writer.Writer, copy: writer._Copy) -> None:
        turns.acquire()
        copy_on(self, copy)

    monkeypatch.setattr(writer, "PAGES_AT_ONCE", 1)
    monkeypatch.setattr(writer.Writer, "_copy_on", in_turn)
    log = SqliteLog(tmp_path / "data")
    entries = [str(n) * 50 for n in range(400)]
    await log.append(Batch("AAAAA", 0, entries))
    target = tmp_path / "copy.sqlite3"
    target.touch()
    copying = asyncio.ensure_future(log.copy_to(target))
    count = 0
    while not copying.done():
        turns.release()
        await log.append(Batch("BBBBB", count, [f"{count} {'y' * 300}"]))
        count += 1
    await copying
    assert count > 5
    await log.close()
    with closing(apsw.Connection(str(target))) as copy:
        assert [*copy.execute("PRAGMA integrity_check")] == [("ok",)]
        rows = [str(entry) for (entry,) in copy.execute("SELECT entry FROM entries ORDER BY id")]
    assert rows[:400] == entries
    copied = [int(row.split()[0]) for row in rows[400:]]
    assert copied == [*range(len(copied))]
    assert len(copied) <= count


async def test_a_log_that_closes_first_leaves_no_half_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_begun, may_go_on = threading.Event(), threading.Event()
    copy_on = writer.Writer._copy_on

    def once_told(self: writer.Writer, copy: writer._Copy) -> None:
        has_begun.set()
        may_go_on.wait()
        copy_on(self, copy)

    monkeypatch.setattr(writer, "PAGES_AT_ONCE", 1)
    monkeypatch.setattr(writer.Writer, "_copy_on", once_told)
    log = SqliteLog(tmp_path / "data")
    await log.append(Batch("AAAAA", 0, ["x" * 1000] * 50))
    copying = asyncio.ensure_future(copy_folder(tmp_path / "data", tmp_path / "copy", log.copy_to))
    await asyncio.to_thread(has_begun.wait)
    closing = asyncio.ensure_future(log.close())
    await asyncio.sleep(0)
    may_go_on.set()
    with pytest.raises(NotCopied, match="closed before the copy was whole"):
        await copying
    await closing
    assert not (tmp_path / "copy").exists()


def test_a_folder_that_no_server_has_is_copied_too(tmp_path: Path) -> None:
    async def write() -> None:
        log = SqliteLog(tmp_path / "data")
        await log.append(Batch("kind/1", 0, ["a"]))
        await log.close()

    asyncio.run(write())
    assert not ask_for_copy(tmp_path / "data", tmp_path / "copy")
    copy_unused(tmp_path / "data", tmp_path / "copy")
    assert check(tmp_path / "copy") == []
    with pytest.raises(NotCopied, match="File exists"):
        copy_unused(tmp_path / "data", tmp_path / "copy")
    with pytest.raises(DataFolderError, match="no data folder"):
        copy_unused(tmp_path / "none", tmp_path / "other")


async def test_a_socket_that_a_killed_server_left_is_in_nobody_s_way(tmp_path: Path) -> None:
    left = socket.socket(socket.AF_UNIX)
    near = os.open(tmp_path, os.O_RDONLY)
    left.bind(f"/proc/self/fd/{near}/{SOCKET_NAME}")
    left.close()
    os.close(near)
    assert not ask_for_copy(tmp_path, tmp_path / "copy")
    async with in_process(Settings(data=tmp_path, limits=UNHURRIED)):
        assert modes(tmp_path)[SOCKET_NAME] == 0o600
        assert await asyncio.to_thread(ask_for_copy, tmp_path, tmp_path.with_name("copy"))
    assert SOCKET_NAME not in modes(tmp_path)


async def test_the_verb_copies_the_folder_of_a_server_that_runs(tmp_path: Path) -> None:
    folder, copy = str(tmp_path / "data"), str(tmp_path / "copy")
    async with server_process(tmp_path / "data"):
        done = await asyncio.to_thread(halfmoon, "backup", copy, "--data", folder)
        assert done == (0, f"{folder} is copied to {copy}\n", "")
        status, _, complaint = await asyncio.to_thread(halfmoon, "backup", copy, "--data", folder)
        assert (status, complaint) == (1, f"halfmoon: {copy} can't be made: File exists\n")
    assert (await asyncio.to_thread(halfmoon, "check", "--data", copy))[0] == 0
