"""One start for each: the room that a player has for a contest where everybody plays alone."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from halfmoon.engine.codes import Code
from halfmoon.engine.record import RaceRecord
from halfmoon.wire import commands as c
from halfmoon_server.challenges.challenge import Wanted
from halfmoon_server.challenges.keeper import Keeper
from halfmoon_server.eventlog.base import Identity
from halfmoon_server.eventlog.memory import MemoryLog
from halfmoon_server.hosting.directory import Directory, Opened, draw, sealed_code
from halfmoon_server.hosting.room_host import Request
from halfmoon_server.indexing import index_of
from halfmoon_server.rooms.commands import Asked, Refusal
from halfmoon_testing.builders import ANN, BEN, leave, name_of, ready, retire, set_options, start
from halfmoon_testing.fakes import FakeClock, FakeLink, FakeLog, FakeWatcher, Said, quiet
from halfmoon_testing.records import SEALED_CODES, simulated_race

COUNTDOWN_MS = 3000
DAY_MS = 24 * 3_600_000


class Server:
    """A directory on a log, and people who want to play the day's deal."""

    def __init__(self, log: MemoryLog, clock: FakeClock) -> None:
        self.log = log
        self.clock = clock
        self.clock.drive(asyncio.get_running_loop())
        self.directory = Directory(log, self.clock, FakeWatcher())

    async def again(self) -> Server:
        """After a kill: nothing but the log is left."""
        server = Server(self.log, self.clock)
        await server.directory.begin()
        await quiet()
        return server

    async def create(
        self, player: str = ANN, id: str | None = None, **more: Any
    ) -> Opened | Refusal:
        command = c.CreateRoom.model_validate({"id": id, "daily": True, **more})
        return await self.directory.open(player, name_of(player), command)

    async def room(self, player: str = ANN, id: str | None = None) -> str:
        """The room that the player is given, and comes into."""
        opened = await self.create(player, id)
        assert isinstance(opened, Opened), opened
        assert opened.host is not None
        link = FakeLink()
        if opened.frame is None:
            opened.host.come_back(player, name_of(player), id, link)
        else:
            opened.host.attach(player, link)
        await quiet()
        return opened.host.room.room

    async def refused(self, player: str = ANN, id: str | None = None, **more: Any) -> str:
        refusal = await self.create(player, id, **more)
        assert isinstance(refusal, Refusal)
        return refusal.code.value

    async def say(self, player: str, room: str, *commands: c.AnyRoomCommand) -> Said:
        host = await self.directory.find(room)
        assert host is not None
        link = FakeLink()
        for command in commands:
            there = command.model_copy(update={"room": room})
            host.submit(Request(Asked(player, name_of(player), there, draw()), None, link))
            await quiet()
        return link.all()[-1]

    async def pass_ms(self, ms: int) -> None:
        self.clock.advance(ms)
        await quiet()

    async def start(self, player: str, room: str) -> None:
        """The player's race has begun."""
        await self.say(player, room, ready(), start())
        await self.pass_ms(COUNTDOWN_MS)
        host = await self.directory.find(room)
        assert host is not None
        assert host.room.state == "racing"


@pytest.fixture
async def server() -> Server:
    return Server(FakeLog(), FakeClock())


async def test_until_one_has_begun_one_is_given_the_same_room(server: Server) -> None:
    room = await server.room(id="1")
    assert await server.room(id="1") == room
    assert await server.room(id="2") == room
    assert await server.room() == room
    assert await server.room(BEN) != room
    await server.say(ANN, room, ready(), start())
    assert await server.room(id="3") == room, "the countdown isn't the start"


async def test_who_has_begun_gets_no_other_room(server: Server) -> None:
    room = await server.room(id="1")
    await server.start(ANN, room)
    assert await server.refused(id="2") == "not_allowed"
    await server.say(ANN, room, retire())
    assert await server.refused(id="2") == "not_allowed"
    await server.room(BEN)


async def test_a_command_that_was_carried_out_gets_its_answer_again_whatever_came_of_it(
    server: Server,
) -> None:
    """Also the one that only led back to the room, and after a kill."""
    room = await server.room(id="1")
    assert await server.room(id="2") == room
    await server.start(ANN, room)
    for at in (server, await server.again()):
        for command_id in ("1", "2"):
            again = await at.create(id=command_id)
            assert isinstance(again, Opened)
            assert again.host is not None
            assert again.host.room.room == room
        assert await at.refused(id="3") == "not_allowed"


async def test_two_at_once_get_one_room(server: Server) -> None:
    assert isinstance(server.log, FakeLog)
    server.log.hold()
    asking = [asyncio.ensure_future(server.create(id=str(n))) for n in range(4)]
    await quiet()
    server.log.release()
    opened = await asyncio.gather(*asking)
    rooms = {one.host.room.room for one in opened if isinstance(one, Opened) and one.host}
    assert len(rooms) == 1
    assert sum(one.is_new for one in opened if isinstance(one, Opened)) == 1
    assert len(await server.log.live_rooms()) == 1


@pytest.mark.parametrize("begun", [False, True])
async def test_a_kill_between_changes_nothing(server: Server, begun: bool) -> None:
    room = await server.room(id="1")
    if begun:
        await server.start(ANN, room)
    later = await server.again()
    if begun:
        assert await later.refused(id="2") == "not_allowed"
    else:
        assert await later.room(id="2") == room


@pytest.mark.parametrize("kept", [0, 1, 2])
async def test_a_kill_in_the_middle_of_opening_leaves_one_room_at_most(
    server: Server, kept: int
) -> None:
    """However much was written: the room and the claim to it are written together."""
    room = await server.room(id="1")
    assert isinstance(server.log, FakeLog)
    log = FakeLog()
    for batch in server.log.appended[:kept]:
        await log.append(batch)
    later = await Server(log, server.clock).again()
    if kept == 2:
        assert await later.room(id="2") == room
    else:
        assert await later.room(id="2") == await later.room(id="3")
    assert len(await log.live_rooms()) == 1


async def test_who_left_before_the_start_comes_back_to_the_room(server: Server) -> None:
    room = await server.room(id="1")
    await server.say(ANN, room, leave())
    assert await server.room(id="2") == room
    await server.start(ANN, room)


@pytest.mark.parametrize("begun", [False, True])
async def test_a_room_that_has_vanished_counts_only_where_one_has_begun(
    server: Server, begun: bool
) -> None:
    room = await server.room(id="1")
    if begun:
        await server.start(ANN, room)
    await server.say(ANN, room, leave())
    for _ in range(3):
        await server.pass_ms(600_000)
    assert not server.directory.is_known(room)
    later = await server.again()
    if begun:
        assert await server.refused(id="2") == await later.refused(id="2") == "not_allowed"
    else:
        assert await later.room(id="2") == await later.room(id="3") != room


async def test_the_next_day_has_a_room_of_its_own(server: Server) -> None:
    room = await server.room(id="1")
    await server.pass_ms(DAY_MS)
    assert await server.room(id="2") != room


async def test_what_is_fixed_is_refused_when_the_room_is_asked_for(server: Server) -> None:
    assert await server.refused(options={"max_players": 2}) == "not_allowed"
    assert await server.refused(options={"undo": True}) == "not_allowed"
    assert await server.log.live_rooms() == []
    room = await server.room()
    answer = await server.say(ANN, room, set_options(spectators="open"))
    assert answer["code"] == "not_allowed"


async def test_all_that_finds_rooms_and_challenges_follows_from_their_logs(server: Server) -> None:
    """Also where a room vanished before the start and another took its place."""
    first = await server.room(id="1")
    await server.room(id="2")
    await server.say(ANN, first, leave())
    for _ in range(3):
        await server.pass_ms(600_000)
    second = await server.room(id="3")
    await server.start(ANN, second)
    await server.room(BEN, id="1")
    record = RaceRecord.read(json.dumps(simulated_race(1, code=SEALED_CODES[0])))
    maker = Identity(record.players[0].player, "Ann")
    keeper = Keeper(server.log, server.clock, sealed_code)
    await keeper.make(maker, Wanted(record, (maker.player,), sealed=True))
    await keeper.envelopes.read(BEN, Code.parse(SEALED_CODES[1]), server.clock.now())
    keys = {
        key: name for name, lines in server.log._logs.items() for key in index_of(name, lines).keys
    }
    assert keys == server.log._keys
    assert {key.kind for key in keys} == {
        "race",
        "create",
        "claim",
        "challenge",
        "deal",
        "daily",
        "seen",
    }
