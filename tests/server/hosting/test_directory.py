"""The directory of rooms: opened, found, brought back and let go."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from halfmoon.engine.codes import Variant
from halfmoon.wire import commands as c
from halfmoon.wire.fields import ROOM_ALPHABET
from halfmoon_server.eventlog.base import Batch, EventLog, Key, LogConflict, LogUnavailable
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.hosting import directory as directory_module
from halfmoon_server.hosting.directory import (
    Directory,
    Opened,
    Stopping,
    draw,
    new_room_id,
    sealed_code,
)
from halfmoon_server.hosting.room_host import Request, RoomHost
from halfmoon_server.records import find_record
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.commands import Asked
from halfmoon_testing.builders import ANN, BEN, CLEO, create_room, join, name_of
from halfmoon_testing.fakes import FakeClock, FakeLink, FakeLog, FakeWatcher, payload, quiet
from halfmoon_testing.server import UNHURRIED

TEN_MINUTES_MS = 600_000
MANY = 2000 if os.environ.get("HALFMOON_LONG") else 300


class Server:
    """A directory on a log, and people who speak to its rooms."""

    def __init__(self, log: EventLog) -> None:
        self.log = log
        self.clock = FakeClock()
        self.clock.drive(asyncio.get_running_loop())
        self.watcher = FakeWatcher()
        self.directory = Directory(log, self.clock, self.watcher, limits=UNHURRIED)

    async def open(self, player: str = ANN, **options: Any) -> Opened:
        opened = await self.directory.open(player, name_of(player), create_room(**options))
        assert isinstance(opened, Opened), opened
        return opened

    async def open_room(self, player: str = ANN, **options: Any) -> tuple[str, RoomHost]:
        """A room that its creator is in, and its host."""
        opened = await self.open(player, **options)
        assert opened.host is not None
        opened.host.attach(player, FakeLink())
        await self.settled()
        return opened.host.room.room, opened.host

    async def say(self, host: RoomHost, player: str, command: c.AnyRoomCommand) -> FakeLink:
        link = FakeLink()
        chance = draw()
        host.submit(Request(Asked(player, name_of(player), command, chance), command.id, link))
        await self.settled()
        return link

    async def settled(self) -> None:
        for _ in range(3):
            await quiet()
            if isinstance(self.log, SqliteLog):
                await self.log.identity(b"")

    async def crash(self) -> None:
        """The process is gone: its rooms stop where they are, nothing more is written."""
        for host in [*self.directory._hosts.values()]:
            assert host._task is not None
            host._task.cancel()
        await quiet()

    async def restarted(self) -> "Server":
        """Another process on the same log, which has yet to wake its rooms."""
        other = Server(self.log)
        other.clock._passed_ms = self.clock._passed_ms
        other.clock.drive(asyncio.get_running_loop())
        return other


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    server = Server(FakeLog())
    await server.directory.begin()
    yield server
    await server.directory.stop()


def room_of(opened: Opened) -> str:
    assert opened.host is not None
    return opened.host.room.room


# --- Chance -----------------------------------------------------------------------------------


def test_codes_ids_and_races_are_drawn_each_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """By `secrets` alone: none is derived from another, and none from a seed."""
    monkeypatch.setattr("random.random", None)
    monkeypatch.setattr("random.randrange", None)
    codes = {sealed_code() for _ in range(200)}
    assert len(codes) == 200
    assert {code.variant for code in codes} == {Variant.SEALED}
    chances = [draw() for _ in range(200)]
    assert len({chance.race for chance in chances}) == 200
    assert all(chance.race.startswith("r_") and len(chance.race) == 18 for chance in chances)


def test_a_room_id_is_five_characters_of_which_no_two_look_alike() -> None:
    ids = {new_room_id() for _ in range(500)}
    assert {len(one) for one in ids} == {5}
    assert set("".join(ids)) <= set(ROOM_ALPHABET)
    assert not set("01OIL") & set(ROOM_ALPHABET)
    assert len(ids) > 490


def test_letters_of_a_sealed_code_go_through_the_whole_alphabet() -> None:
    seen = set("".join(sealed_code().letters for _ in range(100)))
    assert len(seen) == 26


# --- Opening ----------------------------------------------------------------------------------


async def test_a_room_is_in_the_log_before_it_is_answered(server: Server) -> None:
    assert isinstance(server.log, FakeLog)
    server.log.hold()
    opening = asyncio.ensure_future(server.open())
    await quiet()
    assert not opening.done()
    assert len(server.directory) == 0
    server.log.release()
    opened = await opening
    assert opened.is_new
    assert await server.log.live_rooms() == [room_of(opened)]
    assert opened.frame is not None
    assert b'"type":"room"' in payload(opened.frame)


async def test_the_same_command_opens_one_room_and_gets_the_same_answer(server: Server) -> None:
    first = await server.open(id="1")
    again = await server.open(id="1")
    assert (again.frame, again.is_new) == (first.frame, False)
    assert again.host is first.host
    assert len(server.directory) == 1
    assert server.watcher.done == {"create_room": 1}


async def test_sent_twice_at_once_it_opens_one_room(server: Server) -> None:
    one, other = await asyncio.gather(server.open(id="1"), server.open(id="1"))
    assert one.frame == other.frame
    assert len(server.directory) == 1


async def test_ids_are_each_players_own_and_without_one_each_command_opens_a_room(
    server: Server,
) -> None:
    await server.open(ANN, id="1")
    await server.open(BEN, id="1")
    await server.open(ANN)
    await server.open(ANN)
    assert len(server.directory) == 4


async def test_the_first_answer_is_given_again_after_a_restart_and_whatever_has_become_of_it(
    server: Server,
) -> None:
    first = await server.open(id="1", public=True)
    assert first.host is not None
    await server.say(first.host, BEN, c.JoinRoom(room=room_of(first)))
    await server.crash()
    after = await server.restarted()
    await after.directory.begin()
    again = await after.open(id="1")
    assert again.frame == first.frame
    assert again.host is not None
    assert BEN in again.host.room.members
    again.host.drop(ANN, FakeLink())
    await after.directory.stop()


async def test_the_first_answer_is_given_again_though_the_room_has_gone(server: Server) -> None:
    first = await server.open(id="1")
    assert first.host is not None
    await server.say(first.host, ANN, c.LeaveRoom(room=room_of(first)))
    await pass_ms(server, TEN_MINUTES_MS)
    again = await server.open(id="1")
    assert (again.frame, again.host) == (first.frame, None)


async def test_an_id_that_is_taken_is_drawn_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a room that lives, and by one of long ago whose log is still there."""
    await server.log.append(Batch("22222", 0, ["old"], is_last=True))
    drawn = iter(["33333", "33333", "22222", "44444"])
    monkeypatch.setattr(directory_module, "new_room_id", lambda: next(drawn))
    assert [room_of(await server.open()) for _ in range(2)] == ["33333", "44444"]


async def test_a_log_that_fails_opens_no_room(server: Server) -> None:
    assert isinstance(server.log, FakeLog)
    server.log.is_broken = True
    for command_id in (None, "1"):
        with pytest.raises(LogUnavailable):
            await server.open(id=command_id)
    server.log.is_broken = False
    assert len(server.directory) == 0
    assert (await server.open(id="1")).is_new


# --- Finding ----------------------------------------------------------------------------------


async def test_a_room_that_lives_is_found_and_another_is_not(server: Server) -> None:
    room, host = await server.open_room()
    assert await server.directory.find(room) is host
    assert await server.directory.find("ZZZZZ") is None
    assert server.directory.is_known(room)
    assert not server.directory.is_known("ZZZZZ")
    assert [one.room for one in server.directory.rooms()] == [room]


async def test_rooms_come_back_by_themselves_after_a_restart(server: Server) -> None:
    rooms = {(await server.open_room())[0] for _ in range(5)}
    await server.crash()
    after = await server.restarted()
    await after.directory.begin()
    assert all(after.directory.is_known(room) for room in rooms)
    await after.settled()
    await quiet()
    assert {room.room for room in after.directory.rooms()} == rooms
    await after.directory.stop()


async def test_two_who_ask_for_a_sleeping_room_wake_one_host(server: Server) -> None:
    room, _ = await server.open_room()
    await server.crash()
    after = await server.restarted()
    after.directory._asleep = {room: None}
    one, other = await asyncio.gather(after.directory.find(room), after.directory.find(room))
    assert one is other
    assert one is not None
    link = await after.say(one, ANN, c.JoinRoom(room=room))
    assert link.all()[0]["type"] == "room"
    await after.directory.stop()


async def test_a_room_whose_log_failed_is_brought_back_when_somebody_asks(
    server: Server,
) -> None:
    assert isinstance(server.log, FakeLog)
    room, host = await server.open_room()
    server.log.is_broken = True
    link = await server.say(host, BEN, c.JoinRoom(room=room))
    assert link.has_failed
    assert server.directory.is_known(room)
    with pytest.raises(LogUnavailable):
        await server.directory.find(room)
    server.log.is_broken = False
    back = await server.directory.find(room)
    assert back is not None
    assert back is not host
    link = await server.say(back, BEN, c.JoinRoom(room=room))
    assert link.all()[0]["type"] == "room"


async def test_a_log_that_fails_at_the_start_leaves_the_rooms_to_be_asked_for(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(server.log, FakeLog)
    room, _ = await server.open_room()
    await server.crash()
    after = await server.restarted()
    monkeypatch.setattr(directory_module.log, "error", lambda *_, **__: None)
    server.log.is_broken = True
    await after.directory.begin()
    await after.settled()
    assert len(after.directory) == 0
    server.log.is_broken = False
    assert await after.directory.find(room) is not None
    await after.directory.stop()


BAD_LOGS: dict[str, tuple[list[str], int]] = {
    "no JSON": (["}"], 0),
    "no entry": (["{}"], 0),
    "no beginning": (['{"events":[]}'], 0),
    "another beginning": (['{"events":[{"at":1,"type":"room_closed"}]}'], 0),
    "no such event": (['{"events":[{"at":1,"type":"room_sold"}]}'], 1),
    "nobody there": (['{"events":[{"at":1,"type":"went_online","player":"p_x"}]}'], 1),
    "no race": (['{"events":[{"at":1,"type":"race_over","over_at":5}]}'], 1),
}
"""What stands in a log by mistake, and how many sound entries stand before it."""


@pytest.mark.parametrize("fault", BAD_LOGS)
async def test_a_room_with_an_unreadable_log_is_unknown_and_harms_no_other(
    server: Server, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    told: list[dict[str, Any]] = []
    monkeypatch.setattr(directory_module.log, "error", lambda event, **more: told.append(more))
    broken, _ = await server.open_room()
    sound, _ = await server.open_room()
    await server.crash()
    assert isinstance(server.log, FakeLog)
    lines, sound_entries = BAD_LOGS[fault]
    server.log._logs[broken][sound_entries:] = lines
    after = await server.restarted()
    await after.directory.begin()
    await after.settled()
    assert await after.directory.find(broken) is None
    assert not after.directory.is_known(broken)
    assert await after.directory.find(sound) is not None
    assert [more["room"] for more in told] == [broken]
    await after.directory.stop()


async def test_a_room_whose_log_broke_off_comes_back_as_it_was_before_that(tmp_path: Path) -> None:
    """The last event on the disk is not the one that was written: the room goes on without it."""
    log = SqliteLog(tmp_path)
    server = Server(log)
    await server.directory.begin()
    room, host = await server.open_room()
    await server.say(host, BEN, join())
    before = await log.read(room)
    await server.say(host, CLEO, join())
    await server.directory.stop()
    await log._writer.do(
        lambda tables: tables.database.execute(
            "UPDATE entries SET entry = replace(entry, 'Cleo', 'Clio')"
        )
    )
    again = await server.restarted()
    await again.directory.begin()
    found = await again.directory.find(room)
    assert found is not None
    await again.settled()
    assert [*found.room.members] == [ANN, BEN]
    assert (await log.read(room))[: len(before)] == before
    await again.say(found, CLEO, join())
    assert [*found.room.members] == [ANN, BEN, CLEO]
    await again.directory.stop()
    await log.close()


async def test_a_room_whose_log_has_a_hole_is_unknown_and_harms_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, Any]] = []
    monkeypatch.setattr(directory_module.log, "error", lambda event, **more: told.append(more))
    server = Server(SqliteLog(tmp_path))
    broken, host = await server.open_room()
    await server.say(host, BEN, c.JoinRoom(room=broken))
    sound, _ = await server.open_room()
    await server.crash()
    log = server.log
    assert isinstance(log, SqliteLog)
    await log._writer.do(lambda tables: tables.database.execute("DELETE FROM entries WHERE id = 1"))
    after = await server.restarted()
    await after.directory.begin()
    await after.settled()
    assert await after.directory.find(broken) is None
    assert await after.directory.find(sound) is not None
    assert [more["room"] for more in told] == [broken]
    await after.directory.stop()
    await log.close()


async def test_a_creator_whose_rooms_log_is_broken_is_not_answered(server: Server) -> None:
    first = await server.open(id="1")
    assert isinstance(server.log, FakeLog)
    server.log._logs[room_of(first)] = []
    with pytest.raises(LogUnavailable):
        await server.open(id="1")


# --- Letting go -------------------------------------------------------------------------------


async def pass_ms(server: Server, ms: int) -> None:
    server.clock.advance(ms)
    await server.settled()


async def test_rooms_that_nobody_stays_in_leave_no_room_and_no_timer(
    server: Server,
) -> None:
    """B76: half of them were never entered; a finished result can still be read."""
    left = []
    for number in range(MANY):
        opened = await server.open()
        assert opened.host is not None
        if number % 2:
            link = FakeLink()
            opened.host.attach(ANN, link)
            await quiet()
            opened.host.drop(ANN, link)
        left.append(opened.host)
    await server.settled()
    assert len(server.directory) == MANY
    for host in left[::2]:
        await server.say(host, ANN, c.LeaveRoom(room=host.room.room))
    await pass_ms(server, TEN_MINUTES_MS)
    assert len(server.directory) == 0
    assert await server.log.live_rooms() == []
    loop = asyncio.get_running_loop()
    assert [timer for timer in loop._scheduled if not timer.cancelled()] == []  # type: ignore[attr-defined]


async def test_the_record_of_a_race_outlives_its_room(server: Server) -> None:
    room, host = await server.open_room(countdown_ms=0)
    for command in (
        c.SetReady(room=room, ready=True),
        c.Start(room=room),
        c.Retire(room=room),
    ):
        await server.say(host, ANN, command)
    assert host.room.race is not None
    race = host.room.race.race
    await server.say(host, ANN, c.LeaveRoom(room=room))
    await pass_ms(server, TEN_MINUTES_MS)
    assert await server.directory.find(room) is None
    found = await find_record(server.log, race)
    assert found is not None
    found.record.verify()
    assert await server.log.find(Key("race", race)) == room


async def test_a_stopped_directory_has_carried_out_what_was_asked_and_forgets_no_room(
    server: Server,
) -> None:
    room, host = await server.open_room()
    link = FakeLink()
    host.submit(Request(Asked(BEN, "Ben", c.JoinRoom(room=room)), None, link))
    await server.directory.stop()
    assert link.all()[0]["type"] == "room"
    assert len(server.directory) == 0
    assert server.directory.is_known(room)


async def test_a_stopped_directory_takes_nothing_new(server: Server) -> None:
    room, _ = await server.open_room(id="1")
    await server.directory.stop()
    for command_id in (None, "1", "2"):
        with pytest.raises(Stopping):
            await server.open(id=command_id)
    with pytest.raises(Stopping):
        await server.directory.find(room)
    assert await server.directory.find("ZZZZZ") is None


async def test_rooms_on_their_way_when_it_stops_come_and_end(server: Server) -> None:
    assert isinstance(server.log, FakeLog)
    room, _ = await server.open_room()
    await server.crash()
    after = await server.restarted()
    after.directory._asleep = {room: None}
    server.log.hold()
    opening = asyncio.ensure_future(after.open(BEN, id="1"))
    finding = asyncio.ensure_future(after.directory.find(room))
    await quiet()
    stopping = asyncio.ensure_future(after.directory.stop())
    await quiet()
    assert not stopping.done()
    server.log.release()
    await stopping
    opened, found = await opening, await finding
    assert found is not None
    assert len(after.directory) == 0
    assert await server.log.live_rooms() == [room, room_of(opened)]


async def test_a_second_writer_of_a_room_is_found_out(server: Server) -> None:
    room, host = await server.open_room()
    entry = e.Entry(events=(e.ReadySet(at=server.clock.now(), player=ANN, ready=True),))
    seq = len(await server.log.read(room))
    await server.log.append(Batch(room, seq, [e.write_entry(entry)]))
    with pytest.raises(LogConflict):
        await server.log.append(Batch(room, seq, ["late"]))
    await server.say(host, BEN, c.JoinRoom(room=room))
    back = await server.directory.find(room)
    assert back is not None
    assert back.room.members[ANN].ready
