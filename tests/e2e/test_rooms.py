"""Rooms over real sockets: who comes, goes, watches, hosts; countdowns and rematches."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from halfmoon_server.hosting.clock import SystemClock
from halfmoon_server.settings import Settings
from halfmoon_testing import oracle
from halfmoon_testing.driver import BOARD_MESSAGES, Driver, Message, drivers, line_up, start_race
from halfmoon_testing.server import UNHURRIED, InProcess, get_json, in_process
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.wsraw import Raw, text

LINE = winning_line()
LONG = bool(os.environ.get("HALFMOON_LONG"))
MINUTE_MS = 60_000


class Leap(SystemClock):
    """The time, which a test can let leap ahead."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead_ms = 0

    def now(self) -> int:
        return super().now() + self.ahead_ms


@pytest.fixture
def clock() -> Leap:
    return Leap()


@pytest_asyncio.fixture
async def leaping(clock: Leap, tmp_path: Path) -> AsyncIterator[InProcess]:
    """A server whose time leaps; a room notices when it is asked something."""
    settings = Settings(data=tmp_path / "leaping", limits=UNHURRIED)
    async with in_process(settings, clock=clock) as running:
        yield running


async def enter(server: InProcess, *names: str) -> list[Driver]:
    return [await Driver.enter(server.ws, name) for name in names]


# Coming and going


async def test_the_answer_comes_before_every_broadcast_that_the_command_causes(
    server: InProcess,
) -> None:
    ann, bob = await enter(server, "Ann", "Bob")
    async with drivers(ann, bob):
        await ann.create(code=WINNABLE_CODE, countdown_ms=0, max_players=5)

        async def causes(who: Driver, kind: str, broadcast: str, **fields: object) -> None:
            mark = len(who.heard)
            answer = await who.done(kind, **fields)
            caused = await who.until(broadcast, since=mark)
            assert who.heard.index(answer) < who.heard.index(caused), kind

        bob.room = ann.room
        await causes(bob, "join_room", "player_joined")
        await causes(ann, "set_ready", "player_changed", ready=True)
        await causes(ann, "set_options", "options", options={"undo": True})
        await causes(ann, "start", "countdown")
        await ann.until("board")
        await causes(ann, "move", "progress", turn=0, spots=LINE[0])
        await causes(ann, "undo", "progress", turn=1)
        await causes(ann, "retire", "over")
        await causes(ann, "rematch", "lobby")
        await causes(ann, "kick", "player_left", player=bob.player)
        await causes(ann, "leave_room", "player_left")


async def test_player_left_is_the_last_that_who_leaves_hears_of_the_room(
    server: InProcess,
) -> None:
    ann, bob, cid = await enter(server, "Ann", "Bob", "Cid")
    async with drivers(ann, bob, cid):
        await ann.create()
        await bob.join(ann.room)
        await cid.join(ann.room, "spectator")
        await bob.done("leave_room")
        await bob.until("player_left", player=bob.player, why="left")
        await ann.done("kick", player=cid.player)
        await cid.until("player_left", player=cid.player, why="kicked")
        await ann.done("set_ready", ready=True)
        for gone in (bob, cid):
            await gone.quiet()
            last = [message for message in gone.heard if message.get("room") == ann.room][-1]
            assert last["type"] == "player_left"
        for as_ in ("player", "spectator"):
            refused = await cid.refused("join_room", as_=as_)
            assert (refused["code"], refused["bar"]) == ("not_allowed", "put_out")
        assert (await bob.join(ann.room))["you"]["as"] == "player"  # who left may come again


async def test_in_the_lobby_the_other_as_changes_the_role_and_later_it_is_ignored(
    server: InProcess,
) -> None:
    ann, bob, cid = await enter(server, "Ann", "Bob", "Cid")
    async with drivers(ann, bob, cid):
        await ann.create(code=WINNABLE_CODE, countdown_ms=0)
        await bob.join(ann.room)
        await bob.done("set_ready", ready=True)
        assert (await bob.join(ann.room, "spectator"))["you"]["as"] == "spectator"
        changed = await ann.until("player_changed", player=bob.player, as_="spectator")
        assert changed["as"] == "spectator"
        assert changed["ready"] is False
        assert (await bob.refused("set_ready", ready=True))["code"] == "not_allowed"
        assert (await bob.join(ann.room))["you"]["as"] == "player"
        await cid.join(ann.room, "spectator")
        for player in (ann, bob):
            await player.done("set_ready", ready=True)
        await start_race([ann, bob])
        assert (await bob.join(ann.room, "spectator"))["you"]["as"] == "player"
        assert (await cid.join(ann.room))["you"]["as"] == "spectator"
        assert (await bob.move(0, LINE[0]))["turn"] == 1
        assert (await cid.refused("move", turn=0, spots=LINE[0]))["code"] == "not_allowed"


async def test_spectators_are_not_counted_and_may_be_unwanted(server: InProcess) -> None:
    ann, bob, cid = await enter(server, "Ann", "Bob", "Cid")
    async with drivers(ann, bob, cid):
        await ann.create(max_players=1)
        assert (await bob.refused("join_room", room=ann.room))["code"] == "room_full"
        room = await bob.join(ann.room, "spectator")
        assert room["spectators"] == 1
        assert (await bob.refused("join_room"))["code"] == "room_full"  # nor by another role
        await ann.done("set_options", options={"spectators": "none"})
        cid.room = ann.room
        assert (await cid.refused("join_room", as_="spectator"))["code"] == "not_allowed"
        await ann.done("set_options", options={"max_players": 2})
        await cid.join(ann.room)
        assert (await cid.refused("join_room", as_="spectator"))["bar"] == "no_spectators"


async def test_where_boards_are_shut_those_who_watch_receive_none(server: InProcess) -> None:
    """B42, B45: every message of a whole race, by type and by card."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], countdown_ms=0, spectators="scores")
    eve, late = await enter(server, "Eve", "Lea")
    async with drivers(ann, bob, eve, late):
        await eve.join(ann.room, "spectator")
        boards = await start_race([ann, bob])
        await late.join(ann.room)  # a player of the next race watches this one
        tops = [(str(n), pile["top"]) for n, pile in enumerate(boards[0]["piles"], 1)]
        tops += [(f"R{n}", card) for n, card in enumerate(boards[0]["reserve"], 1)]
        move = next(
            [one, other]
            for one, first in tops
            for other, second in tops
            if one != other
            and oracle.value(first) + oracle.value(second) == 11
            and oracle.value(first) * oracle.value(second)
        )
        await ann.move(0, move)
        await ann.done("undo", turn=1)
        await bob.done("retire")
        await ann.done("retire")
        for watcher in (eve, late):
            await watcher.until("over")
            assert not watcher.cards()
            assert not {message["type"] for message in watcher.heard} & BOARD_MESSAGES
            assert not [m for m in watcher.of("room") if "boards" in m or "board" in m["you"]]


async def test_who_comes_from_the_countdown_on_waits_for_the_next_race(server: InProcess) -> None:
    ann, bob, cid, dan = await enter(server, "Ann", "Bob", "Cid", "Dan")
    async with drivers(ann, bob, cid, dan):
        await ann.create(code=WINNABLE_CODE, countdown_ms=1500)
        await ann.done("set_ready", ready=True)
        await bob.join(ann.room)  # not ready
        await ann.done("start")
        room = await cid.join(ann.room)
        assert room["state"] == "countdown"
        assert (await cid.refused("set_ready", ready=True))["code"] == "wrong_state"
        started = await bob.until("started")
        assert started["players"] == [ann.player]
        await dan.join(ann.room)
        for waiting in (bob, cid, dan):
            room = await waiting.done("join_room")
            assert "board" not in room["you"]
            status = {line["player"]: line["status"] for line in room["players"]}
            assert status[waiting.player] == "waiting"
            assert status[ann.player] == "racing"
            refused = await waiting.refused("move", turn=0, spots=LINE[0])
            assert refused["code"] == "wrong_state"
            assert not waiting.of("board")
        await ann.done("retire")
        over = await dan.until("over")
        assert [line["player"] for line in over["standings"]] == [ann.player]
        await ann.done("rematch")
        for player in (ann, bob, cid, dan):
            await player.until("lobby")
            await player.done("set_ready", ready=True)
        await ann.done("start")
        assert (await bob.until("started"))["players"] == [
            ann.player,
            bob.player,
            cid.player,
            dan.player,
        ]


async def test_two_of_one_name_are_two(server: InProcess) -> None:
    """B71."""
    one, two, bob = await enter(server, "Ana", "Ana", "Bob")
    async with drivers(one, two, bob):
        await bob.create()
        await one.join(bob.room)
        await two.join(bob.room)
        await one.done("leave_room")
        await bob.until("player_left", player=one.player)
        room = await bob.done("join_room")
        assert [line["player"] for line in room["players"]] == [bob.player, two.player]
        assert (await two.done("set_ready", ready=True))["type"] == "ok"


async def test_a_new_name_is_for_the_next_room(server: InProcess) -> None:
    (ann,) = await enter(server, "Ann")
    first = (await ann.create())["room"]
    newer = await Driver.open(server.ws, ids="n")
    async with drivers(newer):
        assert (await newer.hello("Anna", ann.token))["name"] == "Anna"
        assert (await newer.create())["host_name"] == "Anna"
        assert (await newer.join(first))["host_name"] == "Ann"
    third = await Driver.enter(server.ws, token=ann.token)
    async with drivers(third):
        assert third.of("welcome")[0]["name"] == "Anna"


async def test_one_connection_in_several_rooms_hears_of_each_by_its_name(
    server: InProcess,
) -> None:
    ann, bob = await enter(server, "Ann", "Bob")
    async with drivers(ann, bob):
        rooms = [(await ann.create(code=WINNABLE_CODE, countdown_ms=0))["room"] for _ in range(5)]
        for place, room in enumerate(rooms):
            await bob.join(room, "player" if place % 2 else "spectator")
        for room in rooms:
            ann.room = room
            await ann.done("set_ready", ready=True)
            await start_race([ann])
        for turn, spots in enumerate(LINE[:3]):
            for room in reversed(rooms):
                assert (await ann.done("move", room=room, turn=turn, spots=spots))["room"] == room
        for room in rooms:
            await bob.until("progress", since=0, room=room)
        await bob.close()
        for room in rooms:
            await ann.until("player_changed", since=0, room=room, online=False)


async def test_a_room_id_is_read_in_any_case(server: InProcess) -> None:
    """B69: and what is no room's id is an unknown room, whatever it looks like."""
    ann, bob = await enter(server, "Ann", "Bob")
    async with drivers(ann, bob):
        await ann.create()
        assert len(ann.room) == 5
        assert not set(ann.room) & set("01ILO")
        room = await bob.done("join_room", room=ann.room.lower())
        assert room["room"] == ann.room
        for wrong in (ann.room + "A", ann.room[:4], "", " " + ann.room, "ſſſſſ", "K7M-P", "\u0000"):
            assert (await bob.refused("join_room", room=wrong))["code"] == "unknown_room"
        assert (await bob.refused("join_room", room="x" * 65))["code"] == "bad_message"


# The host


@pytest.mark.parametrize("when", ["lobby", "countdown", "racing", "over"])
async def test_a_host_who_leaves_hands_over_to_who_has_been_there_longest(
    server: InProcess, when: str
) -> None:
    """X32, B87: and there is always somebody who can go on."""
    names = ["Ann", "Bob", "Cid"]
    ann, bob, cid = await line_up(
        server.ws, names, code=WINNABLE_CODE, countdown_ms=60_000 if when == "countdown" else 0
    )
    async with drivers(ann, bob, cid):
        if when != "lobby":
            await ann.done("start")
        if when in ("racing", "over"):
            await cid.until("board")
        if when == "over":
            for player in (ann, bob, cid):
                await player.done("retire")
            await cid.until("over")
        await ann.done("leave_room")
        changed = await cid.until("player_changed", player=bob.player, host=True)
        assert changed["n"] > (await cid.until("player_left", player=ann.player))["n"]
        room = await cid.done("join_room")
        assert (room["host"], room["host_name"]) == (bob.player, "Bob")
        assert (await cid.refused("start"))["code"] == "not_allowed"
        if when == "racing":
            await bob.done("retire")
            await cid.done("retire")
            await cid.until("over")
        if when in ("racing", "over"):
            await bob.done("rematch")
        if when == "lobby":
            await bob.done("start")
        # The first host comes again and is one among others.
        back = await ann.join(ann.room)
        assert back["host"] == bob.player
        assert (await ann.refused("start"))["code"] == "not_allowed"


async def test_a_host_offline_for_a_minute_hands_over_and_nobody_sooner(
    leaping: InProcess, clock: Leap
) -> None:
    ann, bob, cid = await enter(leaping, "Ann", "Bob", "Cid")
    async with drivers(bob, cid):
        await ann.create()
        await bob.join(ann.room)
        await cid.join(ann.room, "spectator")
        await ann.cut()
        await bob.until("player_changed", player=ann.player, online=False)
        clock.ahead_ms += MINUTE_MS - 5000
        assert (await bob.done("join_room"))["host"] == ann.player
        clock.ahead_ms += 5000
        await bob.done("set_ready", ready=True)
        await cid.until("player_changed", player=bob.player, host=True)
        ann = await Driver.enter(leaping.ws, token=ann.token)
        async with drivers(ann):
            assert (await ann.join(bob.room))["host"] == bob.player
            assert (await ann.refused("start"))["code"] == "not_allowed"


async def test_a_host_offline_in_a_race_stays_host_until_it_is_over(
    leaping: InProcess, clock: Leap
) -> None:
    ann, bob = await line_up(
        leaping.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0, time_limit_ms=None
    )
    async with drivers(bob):
        await start_race([ann, bob])
        await ann.move(0, LINE[0])
        await ann.cut()
        await bob.until("player_changed", player=ann.player, online=False)
        clock.ahead_ms += 9 * MINUTE_MS
        assert (await bob.done("join_room"))["host"] == ann.player
        ann = await Driver.enter(leaping.ws, token=ann.token, ids="a")
        async with drivers(ann):
            room = await ann.join(bob.room)
            assert (room["host"], room["you"]["board"]["turn"]) == (ann.player, 1)


@pytest.mark.parametrize("state", ["lobby", "over"])
async def test_a_room_without_anybody_vanishes_after_ten_minutes(
    leaping: InProcess, clock: Leap, state: str
) -> None:
    """B76, B89: its race's record stays."""
    (ann,) = await line_up(leaping.ws, ["Ann"], code=WINNABLE_CODE, countdown_ms=0, public=True)
    if state == "over":
        await start_race([ann])
        await ann.done("retire")
        race = (await ann.until("over"))["race"]
    else:
        race = ""
    await ann.cut()
    ann = await Driver.enter(leaping.ws, token=ann.token)
    rooms = (await get_json(leaping, "/api/rooms"))["rooms"]
    assert len(rooms) == 1
    async with drivers(ann):
        clock.ahead_ms += 10 * MINUTE_MS + 1000
        ann.room = rooms[0]["room"]
        assert (await ann.refused("join_room"))["code"] == "unknown_room"
        assert (await get_json(leaping, "/api/rooms"))["rooms"] == []
        if race:
            assert (await get_json(leaping, f"/api/races/{race}"))["race"] == race


async def test_a_race_without_a_limit_that_nobody_attends_is_over_after_ten_minutes(
    leaping: InProcess, clock: Leap
) -> None:
    ann, bob = await line_up(
        leaping.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0, time_limit_ms=None
    )
    await start_race([ann, bob])
    await ann.move(0, LINE[0])
    await ann.cut()
    await bob.cut()
    ann = await Driver.enter(leaping.ws, token=ann.token, ids="a")
    async with drivers(ann):
        clock.ahead_ms += 10 * MINUTE_MS + 1000
        room = await ann.join(bob.room)
        assert room["state"] == "over"
        assert [line["status"] for line in room["standings"]] == ["timed_out", "timed_out"]
        assert room["standings"][0]["player"] == ann.player


# The countdown


async def test_a_countdown_without_a_ready_player_online_is_called_off(server: InProcess) -> None:
    """B05."""
    ann, bob, cid = await enter(server, "Ann", "Bob", "Cid")
    async with drivers(ann, cid):
        await ann.create(countdown_ms=60_000)
        await bob.join(ann.room)
        await cid.join(ann.room)
        await cid.done("set_ready", ready=True)
        await bob.done("set_ready", ready=True)
        await ann.done("start")
        await bob.cut()
        await ann.until("player_changed", player=bob.player, online=False)
        room = await ann.done("join_room")
        assert room["state"] == "countdown"  # one who is ready is still there
        await cid.done("leave_room")
        off = await ann.until("countdown", starts_at=None)
        assert "why" in off
        room = await ann.done("join_room")
        assert room["state"] == "lobby"
        ready = {line["player"]: line["ready"] for line in room["players"]}
        assert ready == {ann.player: False, bob.player: True}
        assert (await ann.refused("start"))["code"] == "wrong_state"
        bob = await Driver.enter(server.ws, token=bob.token, ids="b")
        async with drivers(bob):
            await bob.join(ann.room)
            await ann.done("start")  # the ready marks have stayed


async def test_who_is_kicked_in_the_countdown_calls_it_off_like_who_leaves(
    server: InProcess,
) -> None:
    ann, bob = await enter(server, "Ann", "Bob")
    async with drivers(ann, bob):
        await ann.create(countdown_ms=60_000)
        await bob.join(ann.room)
        await bob.done("set_ready", ready=True)
        await ann.done("start")
        await ann.done("kick", player=bob.player)
        await ann.until("countdown", starts_at=None)
        assert (await ann.done("join_room"))["state"] == "lobby"


async def test_two_starts_in_one_segment_are_one_countdown(server: InProcess) -> None:
    """X32."""
    (ann,) = await line_up(server.ws, ["Ann"], countdown_ms=60_000)
    async with drivers(ann):
        starts = [ann.command("start"), ann.command("start")]
        await ann.say(*starts)
        answers = [await ann.answer_to(command["id"]) for command in starts]
        assert [answer.get("code") for answer in answers] == [None, "wrong_state"]
        await ann.quiet()
        assert len(ann.of("countdown")) == 1


@pytest.mark.parametrize("state", ["lobby", "countdown", "racing", "over"])
async def test_whoever_comes_back_finds_the_room_as_it_is(server: InProcess, state: str) -> None:
    """B13, B20, B29: host and spectator, cut and back in the same state."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], countdown_ms=0)
    (eve,) = await enter(server, "Eve")
    await eve.join(ann.room, "spectator")
    if state == "countdown":
        await ann.done("set_options", options={"countdown_ms": 60_000})
    if state != "lobby":
        await ann.done("start")
    if state in ("racing", "over"):
        await bob.until("board")
    if state == "over":
        await ann.done("retire")
        await bob.done("retire")
        await bob.until("over")
    backs: list[Driver] = []
    async with drivers(bob):
        for gone, as_ in ((ann, "player"), (eve, "spectator")):
            before = await gone.join(gone.room, as_)
            await gone.cut()
            await bob.until("player_changed", player=gone.player, online=False)
            back = await Driver.enter(server.ws, token=gone.token)
            backs.append(back)
            after = await back.join(gone.room, as_)
            await bob.until("player_changed", player=gone.player, online=True)
            changes = {key for key in before if before[key] != after.get(key)}
            assert changes <= {"n", "re", "players"}
            assert after["state"] == state
            assert after["n"] == before["n"] + 1  # what was missed: that they were gone
        for back in backs:
            await back.close()


async def test_who_does_not_read_keeps_nobody_waiting(server: InProcess) -> None:
    """B07."""
    (ann,) = await line_up(server.ws, ["Ann"], code=WINNABLE_CODE, countdown_ms=100)
    async with drivers(ann), await Raw.upgraded(server.port) as raw:
        player = (await raw.ask({"type": "hello", "name": "Mute"}))["player"]
        raw.send(
            text({"type": "join_room", "room": ann.room}),
            text({"type": "set_ready", "room": ann.room, "ready": True}),
        )
        await ann.until("player_changed", player=player, ready=True)
        raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await ann.done("start")
        countdown = await ann.until("countdown")
        started = await ann.until("started")
        assert started["starts_at"] == countdown["starts_at"]
        assert started["players"] == [ann.player, player]
        await ann.move(0, LINE[0])


async def test_joining_while_the_host_starts_leaves_one_truth(server: InProcess) -> None:
    """B01: eight come at the moment of the start, with random jitter."""
    chance = random.Random(1)
    players = await enter(server, *(f"P{place}" for place in range(9)))
    ann, *others = players
    async with drivers(*players):
        for _ in range(200 if LONG else 12):
            await ann.create(code=WINNABLE_CODE, countdown_ms=0)
            await ann.done("set_ready", ready=True)
            room = ann.room

            async def come(player: Driver, room: str, after: float) -> Message:
                await asyncio.sleep(after)
                await player.join(room)
                return await player.ask("set_ready", ready=True)

            async def start(after: float) -> None:
                await asyncio.sleep(after)
                await ann.done("start")

            delays = [chance.random() * 0.02 for _ in players]
            await asyncio.gather(
                start(delays[0]),
                *(
                    come(player, room, delay)
                    for player, delay in zip(others, delays[1:], strict=True)
                ),
            )
            started = await ann.until("started", room=room)
            snapshots = [await player.done("join_room", room=room) for player in players]
            lists = [
                [(line["player"], line["status"]) for line in snapshot["players"]]
                for snapshot in snapshots
            ]
            assert all(listed == lists[0] for listed in lists)
            assert sorted(who for who, _ in lists[0]) == sorted(p.player for p in players)
            racing = [who for who, status in lists[0] if status == "racing"]
            assert racing == started["players"]
            for player, snapshot in zip(players, snapshots, strict=True):
                assert ("board" in snapshot["you"]) is (player.player in racing)
                assert len([m for m in player.of("board") if m["room"] == room]) == (
                    player.player in racing
                )
                await player.done("leave_room", room=room)


# Rematches and deals


async def test_twentyfive_rematches(server: InProcess) -> None:
    """B02: two ask at the same time in every second, one comes anew in every third."""
    names = ["Ann", "Bob", "Cid", "Dan"]
    players = await line_up(server.ws, names, countdown_ms=0, public=True)
    ann, bob = players[:2]
    seals = set()
    async with drivers(ann, bob):
        for number in range(26):
            await start_race(players)
            for player in players:
                await player.done("retire")
            over = [await player.until("over") for player in players]
            assert all(message == over[0] for message in over)
            assert {line["player"] for line in over[0]["standings"]} == {
                player.player for player in players
            }
            assert over[0]["seal"] == oracle.seal_of(over[0]["code"])
            seals.add(over[0]["seal"])
            if number % 3 == 2:
                await players[3].cut()
                players[3] = await Driver.enter(server.ws, token=players[3].token, ids=f"{number}.")
                await players[3].join(ann.room)
            if number % 2:
                asked = [ann.command("rematch"), ann.command("rematch")]
                await ann.say(*asked)
                answers = [await ann.answer_to(command["id"]) for command in asked]
                assert [answer.get("code") for answer in answers] == [None, "wrong_state"]
                assert (await bob.refused("rematch"))["code"] == "not_allowed"
            else:
                await ann.done("rematch")
            for player in players:
                lobby = await player.until("lobby")
                assert "code" not in lobby
                assert lobby["seal"] not in seals
                room = await player.done("join_room")
                assert [line["ready"] for line in room["players"]].count(True) == players.index(
                    player
                )
                await player.done("set_ready", ready=True)
        rooms = (await get_json(server, "/api/rooms"))["rooms"]
        assert [room["room"] for room in rooms] == [ann.room]
        assert len(seals) == 26
        await players[2].close()
        await players[3].close()


async def test_no_deal_comes_twice(server: InProcess) -> None:
    """B04."""
    players = await enter(server, *(f"P{place}" for place in range(8)))
    async with drivers(*players):

        async def seals(player: Driver) -> list[str]:
            rooms = 250 if LONG else 40
            return [(await player.create())["seal"] for _ in range(rooms)]

        found = [seal for some in await asyncio.gather(*map(seals, players)) for seal in some]
        assert len(set(found)) == len(found)


async def test_a_rematch_may_name_a_code_and_the_next_one_is_sealed_again(
    server: InProcess,
) -> None:
    (ann,) = await line_up(server.ws, ["Ann"], countdown_ms=0)
    async with drivers(ann):
        codes: list[str | None] = [" hm1-n-aaaaaab ", None, "HM1-N-AAAAAAB"]
        for code in codes:
            await start_race([ann])
            await ann.done("retire")
            await ann.until("over")
            await ann.done("rematch", **({} if code is None else {"code": code}))
            lobby = await ann.until("lobby")
            shown = None if code is None else WINNABLE_CODE
            assert (lobby.get("code"), lobby["options"].get("code")) == (shown, shown)
            await ann.done("set_ready", ready=True)


async def test_options_tell_the_seal_of_every_deal_and_the_code_of_an_open_one(
    server: InProcess,
) -> None:
    ann, bob = await enter(server, "Ann", "Bob")
    async with drivers(ann, bob):
        first = await ann.create(code=None)
        assert "code" not in first
        assert first["options"] == {
            "time_limit_ms": 900_000,
            "undo": True,
            "ends": "all",
            "max_players": 16,
            "public": False,
            "spectators": "open",
            "spectator_delay_ms": 0,
            "reactions": True,
            "countdown_ms": 3000,
        }
        await bob.join(ann.room)
        await ann.done("set_options", options={"code": "hm1naaaaaab"})
        opened = await bob.until("options")
        assert opened["code"] == opened["options"]["code"] == WINNABLE_CODE
        assert opened["seal"] == oracle.seal_of(WINNABLE_CODE)
        await ann.done("set_options", options={"undo": False})
        kept = await bob.until("options")
        assert (kept["code"], kept["seal"]) == (WINNABLE_CODE, opened["seal"])
        await ann.done("set_options", options={"code": None})
        sealed = await bob.until("options")
        assert "code" not in sealed
        assert "code" not in sealed["options"]
        assert sealed["options"]["undo"] is False
        assert sealed["seal"] not in (first["seal"], opened["seal"])
        await ann.done("set_options", options={"public": True})
        assert (await bob.until("options"))["options"]["spectators"] == "fair"
        await ann.done("set_options", options={"public": False})
        assert (await bob.until("options"))["options"]["spectators"] == "open"
        await ann.done("set_options", options={"spectators": "scores"})
        await ann.done("set_options", options={"public": True})
        await bob.until("options")
        assert (await bob.until("options"))["options"]["spectators"] == "scores"


async def test_acting_in_a_room_that_one_is_not_in_changes_nothing(server: InProcess) -> None:
    """X25, B48: with the other's room, as spectator, as retired."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    eve, out = await enter(server, "Eve", "Out")
    async with drivers(ann, bob, eve, out):
        await eve.join(ann.room, "spectator")
        await start_race([ann, bob])
        await bob.done("retire")
        await ann.move(0, LINE[0])
        while not any(line["moves"] for told in ann.of("progress") for line in told["players"]):
            await ann.until("progress")
        number = (await ann.done("join_room"))["n"]
        out.room = ann.room
        for stranger, code in ((out, "not_allowed"), (eve, "not_allowed"), (bob, "wrong_state")):
            moved = await stranger.refused("move", turn=1, spots=LINE[1])
            assert moved["code"] == code
            assert "board" not in moved
            assert (await stranger.refused("undo", turn=1))["code"] == code
            assert (await stranger.refused("retire"))["code"] == code
        room = await ann.done("join_room")
        assert (room["n"], room["you"]["board"]["turn"]) == (number, 1)


async def test_what_many_do_within_a_tick_travels_in_one_progress(server: InProcess) -> None:
    names = [f"P{place}" for place in range(10)]
    players = await line_up(server.ws, names, code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(*players):
        await start_race(players)
        for turn in range(4):
            await asyncio.gather(*(player.move(turn, LINE[turn]) for player in players))
        ann = players[0]

        def current() -> dict[str, int]:
            lines = [line for heard in ann.of("progress") for line in heard["players"]]
            return {line["player"]: line["moves"] for line in lines}

        async with asyncio.timeout(30):
            while set(current().values()) != {4} or len(current()) != 10:
                await ann.until("progress")
        assert len(ann.of("progress")) < 40
