"""What stands beside the entries follows from them alone: made anew it is the same to the byte."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path

import apsw
import pytest

from halfmoon.engine.codes import Code
from halfmoon.engine.rules import WON_MOVES
from halfmoon_server.eventlog.base import DataFolderError
from halfmoon_server.eventlog.file import FILE_NAME
from halfmoon_server.eventlog.schema import DERIVED
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.hosting.directory import Directory, Opened
from halfmoon_server.hosting.room_host import Request, RoomHost
from halfmoon_server.rooms.commands import Asked
from halfmoon_server.upkeep.check import check, reindex
from halfmoon_testing.builders import ANN, PEOPLE, create_room, name_of
from halfmoon_testing.fakes import FakeClock, FakeLink, FakeWatcher, quiet
from halfmoon_testing.records import OPEN_CODES
from halfmoon_testing.rooms import Act, command_of, history, solvable_chances, speaker, wait_of

LONG = bool(os.environ.get("HALFMOON_LONG"))
ROOMS, ACTS = (60, 150) if LONG else (8, 60)

WINNING = [
    *(Act("join", who, 0) for who in PEOPLE[:2]),
    *(Act("ready", who, 0) for who in PEOPLE[:2]),
    Act("start", ANN, 0),
    Act("wait", ANN, 5),
    *[Act("line", ANN, 0)] * WON_MOVES,
    Act("retire", PEOPLE[1], 0),
]
"""A race that Ann wins."""


class Day:
    """Rooms at random on one log, by the directory and the hosts that a server has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = SqliteLog(folder)
        self.clock = FakeClock()
        self.clock.drive(asyncio.get_running_loop())
        self.directory = Directory(self.log, self.clock, FakeWatcher())
        self.draw = solvable_chances()

    async def room(self, seed: int, acts: Sequence[Act] | None = None) -> None:
        """A room in which this happens, or what depends on the seed alone."""
        code = Code.parse(OPEN_CODES[seed % len(OPEN_CODES)])
        command = create_room(code=code, countdown_ms=0).model_copy(update={"id": f"c{seed}"})
        opened = await self.directory.open(ANN, name_of(ANN), command)
        assert isinstance(opened, Opened)
        assert opened.host is not None
        opened.host.attach(ANN, FakeLink())
        for act in acts or history(PEOPLE[:3], seed, ACTS):
            await self.do(act, opened.host)

    async def do(self, act: Act, host: RoomHost) -> None:
        if act.kind == "wait":
            self.clock.advance(wait_of(act))
        elif act.kind == "drop":
            drop(host, act.who)
        elif act.kind != "reopen":
            who = speaker(act, host.room)
            asked = Asked(who, name_of(who), command_of(act, host.room), self.draw())
            host.submit(Request(asked, asked.command.id, FakeLink()))
        await quiet()
        await self.log.identity(b"")

    async def everybody_goes(self) -> None:
        """What rooms are left vanish, but for one."""
        for host in [*self.directory._hosts.values()][1:]:
            for player in PEOPLE[:3]:
                drop(host, player)
        for _ in range(3):
            await quiet()
            await self.log.identity(b"")
            self.clock.advance(600_000)
        await quiet()
        await self.log.identity(b"")


def drop(host: RoomHost, player: str) -> None:
    """The player's connection is gone, if one is there."""
    if (link := host._link(player)) is not None:
        host.drop(player, link)


@asynccontextmanager
async def day(folder: Path) -> AsyncIterator[Day]:
    """A day that has just ended; the log is open."""
    one = Day(folder)
    await one.directory.begin()
    for seed in range(ROOMS):
        await one.room(seed)
    await one.room(ROOMS, [*WINNING, Act("rematch", ANN, 1), *WINNING])
    await one.everybody_goes()
    yield one
    await one.directory.stop()
    await one.log.close()


def tables(folder: Path, *names: str) -> dict[str, list[str]]:
    """All rows of these tables, to the byte."""
    with closing(apsw.Connection(str(folder / FILE_NAME))) as database:
        return {
            name: sorted(map(repr, database.execute(f"SELECT * FROM {name}"))) for name in names
        }


def change(folder: Path, statement: str) -> None:
    with closing(apsw.Connection(str(folder / FILE_NAME))) as database:
        database.execute(statement)


async def test_indexes_made_anew_are_those_that_the_server_kept(tmp_path: Path) -> None:
    async with day(tmp_path / "data") as one:
        shutil.copytree(one.folder, tmp_path / "killed")
    live = tables(tmp_path / "data", *DERIVED, "heads_written")
    assert {key.split("'")[1] for key in live["keys"]} == {"race", "create"}
    assert any(", 0, " in room for room in live["rooms"]), "a room has vanished"
    assert any(", 1, " in room for room in live["rooms"]), "a room is left"
    for status in ("won", "retired", "timed_out"):
        assert any(f"'{status}'" in result for result in live["results"]), status
    assert check(tmp_path / "data") == []
    for folder in (tmp_path / "data", tmp_path / "killed"):
        for table in DERIVED:
            change(folder, f"DELETE FROM {table}")
        assert reindex(folder) == []
    assert tables(tmp_path / "data", *live) == live
    killed = tables(tmp_path / "killed", "keys", "results")
    assert killed == {name: live[name] for name in killed}
    assert check(tmp_path / "killed") == []


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        ("DELETE FROM keys WHERE kind = 'race'", "keys: race"),
        ("UPDATE results SET best = best + 1 WHERE rank = 1", "results:"),
        ("INSERT INTO keys VALUES('race', 'r_x', 'AAAAA')", "r_x"),
        ("UPDATE rooms SET is_live = 1 - is_live", "rooms: where logs end"),
        ("DELETE FROM rooms WHERE is_live", "is missing"),
        ("UPDATE heads_written SET upto = upto + 1", "rooms: where logs end"),
    ],
)
async def test_an_index_that_does_not_follow_from_the_log_is_found_and_mended(
    tmp_path: Path, spoil: str, says: str
) -> None:
    folder = tmp_path / "data"
    one = Day(folder)
    await one.room(1)
    await one.room(4)
    await one.directory.stop()
    await one.log.close()
    live = tables(folder, *DERIVED)
    assert check(folder) == []
    change(folder, spoil)
    before = tables(folder, *DERIVED)
    faults = check(folder)
    assert any(says in fault for fault in faults), faults
    assert all("\n" not in fault for fault in faults)
    assert tables(folder, *DERIVED) == before, "a look changes nothing"
    assert reindex(folder) == []
    assert check(folder) == []
    assert tables(folder, *DERIVED) == live


@pytest.mark.parametrize("what", ["TABLE results", "INDEX results_by_code", "TABLE rooms"])
async def test_an_index_that_is_missing_is_named_and_made_anew(tmp_path: Path, what: str) -> None:
    folder = tmp_path / "data"
    one = Day(folder)
    await one.room(1, WINNING)
    await one.directory.stop()
    await one.log.close()
    live = tables(folder, *DERIVED)
    change(folder, f"DROP {what}")
    for look in (check, SqliteLog):
        with pytest.raises(DataFolderError, match="run halfmoon reindex"):
            look(folder)
    assert reindex(folder) == []
    assert check(folder) == []
    assert tables(folder, *DERIVED) == live
    change(folder, "DROP TABLE identities")
    with pytest.raises(DataFolderError, match="not those of a log"):
        reindex(folder)


async def test_a_folder_that_a_server_has_is_refused(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path)
    for look in (check, reindex):
        with pytest.raises(DataFolderError, match="in use by another server"):
            look(tmp_path)
    await log.close()
    with pytest.raises(DataFolderError, match="no data folder"):
        check(tmp_path / "none")


@pytest.mark.parametrize("table", ["keys", "results", "results_by_code", "rooms"])
async def test_an_index_whose_pages_are_spoilt_is_made_anew(tmp_path: Path, table: str) -> None:
    """Though SQLite can't even empty it."""
    folder = tmp_path / "data"
    one = Day(folder)
    await one.room(1, WINNING)
    await one.directory.stop()
    await one.log.close()
    live, path = tables(folder, *DERIVED, "entries", "identities"), folder / FILE_NAME
    with closing(apsw.Connection(str(path))) as database:
        found = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,))
        ((page,),) = found.fetchall()
    with path.open("r+b") as file:
        file.seek((int(str(page)) - 1) * 4096)
        file.write(b"\x07" * 64)
    assert check(folder) != []
    if table == "rooms":
        with pytest.raises(DataFolderError, match="try halfmoon reindex"):
            SqliteLog(folder)
    assert reindex(folder) == []
    assert check(folder) == []
    assert tables(folder, *live) == live
    assert [one.name for one in tmp_path.joinpath("data").iterdir()] == [FILE_NAME]
