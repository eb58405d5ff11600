"""One room's host: what is told to whom, in which order, and only once it is in the log."""

import asyncio
import os
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from halfmoon.wire import commands as c
from halfmoon_server.eventlog.base import Batch
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.hosting import audience, clock, room_host
from halfmoon_server.hosting.room_host import Request, RoomHost
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.commands import TimePassed
from halfmoon_testing.builders import (
    ANN,
    BEN,
    CLEO,
    DAN,
    ROOM,
    WINNABLE,
    join,
    kick,
    leave,
    move,
    ready,
    rematch,
    retire,
    set_options,
    start,
    undo,
    with_id,
)
from halfmoon_testing.fakes import FakeLink, FakeLog, Said, quiet
from halfmoon_testing.rooms import (
    Act,
    HostedRoom,
    command_of,
    histories,
    hosted,
    solvable_chances,
    speaker,
    wait_of,
)
from halfmoon_testing.solver import winning_line

WIN = winning_line()
EXAMPLES = 500 if os.environ.get("HALFMOON_LONG") else 60
ANSWERS = {"room", "ok", "left", "moved", "undone", "error"}


@pytest.fixture
async def room() -> AsyncIterator[HostedRoom]:
    async with hosted(code=WINNABLE) as room:
        yield room


def kinds(news: list[Said]) -> list[str]:
    return [said["type"] for said in news]


# --- Who is told what -------------------------------------------------------------------------


async def test_the_answer_comes_before_every_broadcast_that_the_command_causes(
    room: HostedRoom,
) -> None:
    await room.does(BEN, join())
    assert kinds(room.link(BEN).news()) == ["room", "player_joined"]
    await room.does(BEN, ready())
    assert kinds(room.link(BEN).news()) == ["ok", "player_changed"]
    assert kinds(room.link(ANN).news()) == ["player_joined", "player_changed"]


async def test_a_refusal_is_told_to_its_sender_alone(room: HostedRoom) -> None:
    await room.does(BEN, join())
    room.link(ANN).news()
    answer = await room.ask(BEN, with_id(start(), "7"))
    assert (answer["type"], answer["code"], answer["re"]) == ("error", "not_allowed", "7")
    assert answer["room"] == ROOM
    assert room.link(ANN).news() == []
    assert room.watcher.refusals == {"not_allowed": 1}


async def test_who_is_not_in_the_room_is_answered_and_told_nothing_more(
    room: HostedRoom,
) -> None:
    assert (await room.ask(CLEO, ready()))["code"] == "not_allowed"
    await room.does(BEN, join())
    assert kinds(room.link(CLEO).news()) == ["error"]
    assert room.link(CLEO).rooms == []


async def test_the_numbers_of_what_is_told_count_up_by_one_from_the_snapshot_on(
    room: HostedRoom,
) -> None:
    await room.race(BEN)
    for turn in range(3):
        await room.does(ANN, move(turn, *WIN[turn]))
        await room.pass_ms(200)
    snapshot, *heard = room.link(BEN).all()
    numbers = [said["n"] for said in heard if "n" in said]
    assert numbers == [*range(snapshot["n"] + 1, snapshot["n"] + 1 + len(numbers))]


async def test_each_racer_is_dealt_a_board_after_the_start_and_a_spectator_is_shown_all(
    room: HostedRoom,
) -> None:
    await room.does(CLEO, join("spectator"))
    await room.race(BEN)
    assert kinds(room.link(ANN).news())[-2:] == ["started", "board"]
    assert kinds(room.link(BEN).news())[-2:] == ["started", "board"]
    assert kinds(room.link(CLEO).news())[-2:] == ["started", "boards"]


async def test_who_leaves_hears_of_it_last(room: HostedRoom) -> None:
    await room.does(BEN, join())
    await room.does(BEN, leave())
    await room.does(CLEO, join())
    assert kinds(room.link(BEN).news())[-2:] == ["left", "player_left"]
    assert room.link(BEN).rooms == []


async def test_who_is_put_out_hears_of_it_last(room: HostedRoom) -> None:
    await room.does(BEN, join())
    await room.does(ANN, kick(BEN))
    await room.does(CLEO, join())
    last = room.link(BEN).news()[-1]
    assert (last["type"], last["why"]) == ("player_left", "kicked")


async def test_a_joiner_is_told_what_all_others_know_and_then_only_what_is_new(
    room: HostedRoom,
) -> None:
    await room.race(BEN)
    answer = await room.does(CLEO, join("spectator"))
    assert (answer["state"], answer["spectators"]) == ("racing", 1)
    assert [said["n"] for said in room.link(CLEO).all()[1:]] == [answer["n"] + 1]


async def test_two_commands_in_one_turn_are_answered_in_order(room: HostedRoom) -> None:
    await room.race()
    room.link(ANN).news()
    for turn in (0, 1, 1):
        room.say(ANN, move(turn, *WIN[turn]))
    await room.settled()
    news = room.link(ANN).news()
    assert [said["type"] for said in news if said["type"] in ANSWERS] == [
        "moved",
        "moved",
        "error",
    ]


# --- Progress ---------------------------------------------------------------------------------


async def test_a_move_is_told_at_once_while_the_room_is_quiet(room: HostedRoom) -> None:
    await room.race(BEN)
    room.link(BEN).news()
    await room.pass_ms(1000)
    await room.does(ANN, move(0, *WIN[0]))
    (told,) = room.link(BEN).news()
    assert told["players"] == [
        {"player": ANN, "score": 10, "moves": 1, "status": "racing", "best": 10, "at_ms": 1000}
    ]


async def test_in_a_busy_room_many_moves_travel_together_when_the_tick_is_over(
    room: HostedRoom,
) -> None:
    await room.race(BEN)
    await room.pass_ms(1000)
    await room.does(ANN, move(0, *WIN[0]))
    room.link(BEN).news()
    for turn in (1, 2):
        await room.does(ANN, move(turn, *WIN[turn]))
    await room.does(BEN, move(0, *WIN[0]))
    await room.pass_ms(audience.PROGRESS_TICK_MS - 1)
    assert kinds(room.link(BEN).news()) == ["moved"]
    await room.pass_ms(1)
    (told,) = room.link(BEN).news()
    assert [(line["player"], line["moves"]) for line in told["players"]] == [(ANN, 3), (BEN, 1)]


async def test_in_a_big_room_the_tick_is_longer(
    room: HostedRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience, "BIG_ROOM", 2)
    await room.race(BEN)
    await room.pass_ms(1000)
    for turn in (0, 1):
        await room.does(ANN, move(turn, *WIN[turn]))
    room.link(BEN).news()
    await room.pass_ms(audience.BIG_ROOM_TICK_MS - 1)
    assert room.link(BEN).news() == []
    await room.pass_ms(1)
    assert kinds(room.link(BEN).news()) == ["progress"]


async def test_how_far_boards_are_is_told_to_those_who_watch_and_to_no_racer(
    room: HostedRoom,
) -> None:
    await room.race(BEN)
    await room.does(CLEO, join("spectator"))
    for who in (BEN, CLEO):
        room.link(who).news()
    await room.does(ANN, move(0, *WIN[0]))
    for who, told in ((BEN, None), (CLEO, 1)):
        (progress,) = [one for one in room.link(who).news() if one["type"] == "progress"]
        (line,) = progress["players"]
        assert line.get("actions") == told


async def test_how_everybody_stands_is_told_before_the_race_is_over(room: HostedRoom) -> None:
    await room.race(BEN)
    await room.does(ANN, move(0, *WIN[0]))
    await room.does(ANN, retire())
    room.link(BEN).news()
    await room.does(BEN, retire())
    answer, boards, told, over = room.link(BEN).news()
    assert kinds([answer, boards, told, over]) == ["ok", "boards", "progress", "over"]
    assert [(line["player"], line["status"]) for line in told["players"]] == [
        (ANN, "retired"),
        (BEN, "retired"),
    ]
    await room.pass_ms(1000)
    assert room.link(BEN).news() == [], "nothing comes after the end"


async def test_a_win_is_answered_told_and_then_the_race_is_over(room: HostedRoom) -> None:
    """B41: the last move, one end, nothing after."""
    await room.race()
    for turn, spots in enumerate(WIN[:-1]):
        await room.does(ANN, move(turn, *spots))
    await room.pass_ms(100)
    room.link(ANN).news()
    await room.does(ANN, move(47, *WIN[-1]))
    moved, boards, news, told, over = room.link(ANN).news()
    assert (boards["type"], news["type"]) == ("boards", "seat_moved"), "who is done watches"
    assert (moved["status"], moved["score"], moved["moves"]) == ("won", 520, 48)
    assert (told["type"], over["type"]) == ("progress", "over")
    assert over["standings"][0]["status"] == "won"


async def test_a_slow_reader_is_spared_progress_and_then_shown_the_room(
    room: HostedRoom,
) -> None:
    await room.race(BEN, CLEO)
    slow = room.link(BEN)
    slow.news()
    slow.is_slow = True
    for turn in range(5):
        await room.does(ANN, move(turn, *WIN[turn]))
        await room.pass_ms(100)
    assert slow.news() == []
    slow.reads_again()
    (snapshot,) = slow.news()
    assert (snapshot["type"], "re" in snapshot) == ("room", False)
    assert snapshot["players"][0]["moves"] == 5
    assert snapshot["n"] == room.link(CLEO).news()[-1]["n"]


async def test_a_slow_reader_who_has_gone_is_shown_nothing(room: HostedRoom) -> None:
    await room.race(BEN)
    slow = room.link(BEN)
    slow.is_slow = True
    await room.does(ANN, move(0, *WIN[0]))
    await room.drop(BEN)
    slow.news()
    slow.reads_again()
    assert slow.news() == []


# --- Connections ------------------------------------------------------------------------------


async def test_who_comes_back_by_a_new_connection_gets_all_that_is_needed_to_go_on(
    room: HostedRoom,
) -> None:
    await room.race(BEN)
    await room.does(BEN, move(0, *WIN[0]))
    await room.drop(BEN)
    assert room.link(ANN).news()[-1]["online"] is False
    room.reconnect(BEN)
    back = await room.does(BEN, join())
    assert back["you"]["board"]["turn"] == 1
    assert kinds(room.link(ANN).news()) == ["player_changed"]
    await room.does(BEN, move(1, *WIN[1]))


async def test_a_handed_over_seat_goes_on_without_a_word_to_others(room: HostedRoom) -> None:
    await room.does(BEN, join())
    older = room.link(BEN)
    newer = room.reconnect(BEN)
    room.host.hand_over(BEN, newer)
    room.link(ANN).news()
    room.host.drop(BEN, older)
    await room.settled()
    assert room.link(ANN).news() == []
    await room.does(ANN, ready())
    assert kinds(newer.news()) == ["player_changed"]
    assert newer.rooms == [ROOM]


async def test_a_seat_is_only_handed_over_where_there_is_one(room: HostedRoom) -> None:
    stranger = FakeLink()
    room.host.hand_over(CLEO, stranger)
    await room.does(ANN, ready())
    assert stranger.frames == []


async def test_an_old_connection_that_ends_late_does_not_take_a_new_one_with_it(
    room: HostedRoom,
) -> None:
    await room.does(BEN, join())
    older = room.link(BEN)
    room.reconnect(BEN)
    room.host.drop(BEN, older)
    older.is_open = False
    room.say(BEN, join())
    await room.settled()
    assert room.room.members[BEN].is_online
    room.link(BEN).news()
    await room.does(CLEO, join())
    assert kinds(room.link(BEN).news()) == ["player_joined"], "the new one hears"


async def test_a_connection_that_ends_while_its_join_is_written_leaves_the_player_offline() -> None:
    log = FakeLog()
    async with hosted(log) as room:
        log.hold()
        room.say(BEN, join())
        await quiet()
        room.link(BEN).is_open = False
        room.host.drop(BEN, room.link(BEN))
        log.release()
        await room.settled()
        assert not room.room.members[BEN].is_online
        frames = len(room.link(BEN).frames)
        await room.does(CLEO, join())
        assert len(room.link(BEN).frames) == frames, "nobody speaks to a connection that ended"


async def test_a_creator_whose_answer_is_told_anew_is_shown_what_has_become_of_the_room(
    room: HostedRoom,
) -> None:
    await room.does(BEN, join())
    await room.drop(ANN)
    newer = room.reconnect(ANN)
    room.host.attach(ANN, newer)
    await room.settled()
    news = newer.news()
    assert kinds(news) == ["room", "player_changed"]
    assert [line["player"] for line in news[0]["players"]] == [ANN, BEN]
    assert room.room.members[ANN].is_online


# --- The same command again -------------------------------------------------------------------


async def test_a_command_sent_again_is_answered_as_before_to_the_byte_and_done_once(
    room: HostedRoom,
) -> None:
    await room.race(BEN)
    link = room.link(ANN)
    first = with_id(move(0, *WIN[0]), "m1")
    await room.does(ANN, first)
    await room.does(ANN, with_id(move(1, *WIN[1]), "m2"))
    said = [frame for frame in link.frames if b'"re":"m1"' in frame]
    for again in (first, with_id(move(5, "1"), "m1"), with_id(retire(), "m1")):
        await room.does(ANN, again)
    repeated = [frame for frame in link.frames if b'"re":"m1"' in frame]
    assert repeated == said * 4
    assert room.room.seat(ANN) is not None
    assert room.host.room.status(ANN) == "racing"


async def test_a_command_sent_twice_at_once_is_done_once(room: HostedRoom) -> None:
    await room.race()
    link = room.link(ANN)
    before = len(link.frames)
    for _ in range(3):
        room.say(ANN, with_id(move(0, *WIN[0]), "m1"))
    await room.settled()
    answers = [frame for frame in link.frames[before:] if b'"re":"m1"' in frame]
    assert len(answers) == 3
    assert len(set(answers)) == 1
    assert room.watcher.done["move"] == 1


async def test_an_id_is_looked_at_before_role_and_state(room: HostedRoom) -> None:
    await room.does(BEN, join(), with_id(ready(), "r"))
    await room.does(BEN, with_id(leave(), "l"))
    answer = await room.ask(BEN, with_id(ready(), "r"))
    assert answer == {"type": "ok", "room": ROOM, "re": "r"}
    assert (await room.ask(BEN, with_id(leave(), "l")))["type"] == "left"
    assert BEN not in room.room.members


async def test_an_error_is_not_remembered(room: HostedRoom) -> None:
    await room.does(BEN, join())
    assert (await room.ask(ANN, with_id(start(), "s")))["code"] == "wrong_state"
    await room.does(BEN, ready())
    assert (await room.ask(ANN, with_id(start(), "s")))["type"] == "ok"


async def test_a_join_is_never_remembered(room: HostedRoom) -> None:
    first = await room.does(BEN, with_id(join(), "j"))
    await room.does(ANN, ready())
    again = await room.does(BEN, with_id(join(), "j"))
    assert (first["re"], again["re"]) == ("j", "j")
    assert again["n"] > first["n"]


async def test_a_players_ids_are_their_own(room: HostedRoom) -> None:
    await room.does(BEN, join())
    for who in (ANN, BEN):
        await room.does(who, with_id(ready(), "1"))
    assert all(member.ready for member in room.room.members.values())


async def test_a_command_without_effect_is_remembered_over_a_restart_too() -> None:
    async with hosted() as room:
        await room.does(ANN, with_id(ready(ready=False), "1"))
        await room.crash()
        await room.restart()
        await room.does(ANN, join())
        await room.does(ANN, with_id(ready(), "1"))
        assert not room.room.members[ANN].ready


async def test_of_each_player_the_last_256_commands_are_remembered_over_a_restart_too() -> None:
    async with hosted() as room:
        for number in range(257):
            await room.does(ANN, with_id(ready(ready=number % 2 == 0), str(number)))
        await room.crash()
        await room.restart()
        await room.does(ANN, join())
        for remembered_id in ("1", "256"):
            await room.does(ANN, with_id(ready(ready=False), remembered_id))
            assert room.room.members[ANN].ready
        await room.does(ANN, with_id(ready(ready=False), "0"))
        assert not room.room.members[ANN].ready, "the first of 257 is judged afresh"


# --- Time -------------------------------------------------------------------------------------


async def test_what_is_due_happens_by_itself(room: HostedRoom) -> None:
    await room.does(ANN, ready(), start())
    room.link(ANN).news()
    room.clock.advance(3000)
    await room.settled()
    assert kinds(room.link(ANN).news()) == ["started", "board"]


async def test_a_far_deadline_is_waited_for_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "LONGEST_TIMER_MS", 1000)
    async with hosted(countdown_ms=2500) as room:
        await room.does(ANN, ready(), start())
        for ms in (1000, 1000, 499):
            room.clock.advance(ms)
            await room.settled()
            assert room.room.state == "countdown"
        room.clock.advance(1)
        await room.settled()
        assert room.room.race is not None


async def test_a_clock_that_is_set_back_does_not_turn_back_the_rooms_time(
    room: HostedRoom,
) -> None:
    await room.race()
    await room.pass_ms(5000)
    await room.does(ANN, move(0, *WIN[0]))
    room.clock.advance(-4000)
    moved = await room.does(ANN, move(1, *WIN[1]))
    assert moved["at_ms"] == 5000


async def test_a_room_that_nobody_is_in_ends_and_is_gone_from_the_log() -> None:
    async with hosted() as room:
        await room.drop(ANN)
        await room.pass_ms(600_000)
        assert room.has_ended
        assert room.room.is_closed
        assert await room.log.live_rooms() == []
        entry = e.read_entry((await room.log.read(ROOM))[-1])
        assert [event.type for event in entry.events] == ["room_closed"]


async def test_who_comes_just_when_the_room_vanishes_is_told_that_there_is_none() -> None:
    """The timer is late, so that the room vanishes by the very command that asks for it."""
    async with hosted() as room:
        await room.drop(ANN)
        room.clock.advance(600_000)
        room.host.submit(Request(TimePassed()))
        for who in (ANN, BEN):
            room.reconnect(who)
            room.say(who, with_id(join(), "j"))
        await room.settled()
        assert room.has_ended
        assert BEN not in room.room.members
        for who in (ANN, BEN):
            (answer,) = room.link(who).news()
            assert (answer["type"], answer.get("code")) == ("error", "unknown_room")
            assert answer["re"] == "j"
            assert room.link(who).rooms == []


async def test_who_asks_while_the_last_entry_is_written_is_told_that_there_is_none() -> None:
    log = FakeLog()
    async with hosted(log) as room:
        await room.drop(ANN)
        log.hold()
        room.clock.advance(600_000)
        await quiet()
        room.say(BEN, join())
        log.release()
        await room.settled()
        (answer,) = room.link(BEN).news()
        assert answer["code"] == "unknown_room"


async def test_a_host_told_to_stop_carries_out_what_it_was_asked() -> None:
    log = FakeLog()
    async with hosted(log) as room:
        log.hold()
        room.say(BEN, join())
        await quiet()
        room.say(CLEO, join())
        stopping = asyncio.ensure_future(room.host.stop())
        await quiet()
        log.release()
        await stopping
        assert kinds(room.link(CLEO).news()) == ["room", "player_joined"]
        assert room.has_ended
        assert room.link(ANN).rooms == []


# --- The log ----------------------------------------------------------------------------------


async def test_nothing_is_told_before_it_is_durable() -> None:
    log = FakeLog()
    async with hosted(log, code=WINNABLE) as room:
        await room.race(BEN)
        for who in (ANN, BEN):
            room.link(who).news()
        log.hold()
        room.say(ANN, with_id(move(0, *WIN[0]), "1"))
        await quiet()
        room.say(ANN, with_id(move(0, *WIN[0]), "1"))
        room.say(BEN, move(3, "1", "2"))
        await quiet()
        assert room.link(ANN).news() == room.link(BEN).news() == []
        log.release()
        await room.settled()
        assert kinds(room.link(ANN).news()) == ["moved", "progress", "moved"]
        assert kinds(room.link(BEN).news()) == ["progress", "error"]


async def test_what_comes_while_the_log_writes_goes_into_the_next_batch_together() -> None:
    log = FakeLog()
    async with hosted(log) as room:
        for who in (BEN, CLEO, DAN):
            await room.does(who, join())
        written = len(log.appended)
        log.hold()
        room.say(ANN, ready())
        await quiet()
        for who in (BEN, CLEO, DAN):
            room.say(who, ready())
        await quiet()
        log.release()
        await room.settled()
        assert [len(batch.entries) for batch in log.appended[written:]] == [1, 3]


async def test_a_failing_log_tells_nobody_anything_and_lets_everybody_go() -> None:
    log = FakeLog()
    async with hosted(log, code=WINNABLE) as room:
        await room.race(BEN)
        await room.does(ANN, with_id(move(0, *WIN[0]), "1"))
        for who in (ANN, BEN, CLEO):
            room.link(who).news()
        log.is_broken = True
        room.say(ANN, with_id(move(1, *WIN[1]), "2"))
        room.say(CLEO, join())
        await room.settled()
        for who in (ANN, BEN, CLEO):
            assert room.link(who).news() == []
            assert room.link(who).has_failed
        assert room.has_ended
        assert room.link(ANN).rooms == []


async def test_who_asked_while_the_log_failed_is_let_go_too() -> None:
    log = FakeLog()
    async with hosted(log) as room:
        log.hold()
        room.say(ANN, ready())
        await quiet()
        room.say(CLEO, join())
        log.is_broken = True
        log.release()
        await room.settled()
        assert room.link(CLEO).has_failed
        assert room.link(CLEO).news() == []


async def test_what_a_failing_log_did_not_take_is_carried_out_when_it_is_sent_again() -> None:
    log = FakeLog()
    async with hosted(log, code=WINNABLE) as room:
        await room.race()
        log.is_broken = True
        room.say(ANN, with_id(move(0, *WIN[0]), "1"))
        await room.settled()
        log.is_broken = False
        room.reconnect(ANN)
        await room.restart()
        assert (await room.does(ANN, join()))["you"]["board"]["turn"] == 0
        assert (await room.does(ANN, with_id(move(0, *WIN[0]), "1")))["turn"] == 1


async def test_a_host_that_is_not_the_only_writer_stops_at_once() -> None:
    async with hosted() as room:
        entry = e.Entry(events=(e.ReadySet(at=room.clock.now(), player=ANN, ready=True),))
        await room.log.append(Batch(ROOM, 1, [e.write_entry(entry)]))
        room.say(ANN, ready())
        await room.settled()
        assert room.link(ANN).has_failed
        assert room.has_ended
        assert len(await room.log.read(ROOM)) == 2


async def test_a_broken_promise_of_ours_ends_the_room_and_lets_everybody_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also those whose very command met it, and who weren't in the room yet."""
    async with hosted() as room:

        def broken(*_: Any) -> Any:
            raise ZeroDivisionError("not our day")

        monkeypatch.setattr(room_host, "decide", broken)
        monkeypatch.setattr(room_host.log, "exception", lambda *_, **__: None)
        room.say(BEN, join())
        await room.settled()
        assert room.has_ended
        assert room.link(ANN).has_failed
        assert room.link(BEN).has_failed
        assert len(await room.log.read(ROOM)) == 1


# --- Restart ----------------------------------------------------------------------------------


async def played_on(room: HostedRoom) -> None:
    """Some of everything: a race, a move, an undo, a rematch, another race."""
    await room.race(BEN)
    await room.does(ANN, with_id(move(0, *WIN[0]), "1"), with_id(move(1, *WIN[1]), "2"))
    await room.does(ANN, with_id(undo(2), "3"))
    await room.pass_ms(700)
    await room.does(BEN, with_id(retire(), "1"))
    await room.does(ANN, with_id(retire(), "4"), with_id(rematch(WINNABLE), "5"))
    await room.does(ANN, with_id(set_options(time_limit_ms=None), "6"), ready(), start())
    await room.pass_ms(3000)
    await room.does(ANN, with_id(move(0, *WIN[0]), "7"))


def remembered(host: RoomHost) -> dict[str, dict[str, bytes]]:
    return {who: dict(given) for who, given in host.answers._by_player.items()}


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_a_room_comes_back_from_its_log_as_it_was(kind: str, tmp_path: Path) -> None:
    log = SqliteLog(tmp_path) if kind == "sqlite" else FakeLog()
    async with hosted(log, code=WINNABLE) as room:
        await played_on(room)
        again = await room.replayed()
        assert again.room == room.room
        assert again.seq == room.host.seq == len(await log.read(ROOM))
        assert remembered(again) == remembered(room.host)
    await log.close()


async def test_numbers_after_a_restart_are_past_all_that_were_told_before() -> None:
    async with hosted(code=WINNABLE) as room:
        for _ in range(3):
            await room.race(BEN)
            for turn in range(4):
                await room.does(ANN, move(turn, *WIN[turn]))
                await room.pass_ms(100)
            for who in (ANN, BEN):
                await room.does(who, retire())
            await room.does(ANN, rematch(WINNABLE))
            last = max(said["n"] for said in room.link(ANN).all() if "n" in said)
            await room.crash()
            await room.restart()
            assert (await room.does(ANN, join()))["n"] > last


async def test_a_long_log_is_read_in_pieces_so_that_others_get_their_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room_host, "REPLAY_AT_ONCE", 5)
    async with hosted(code=WINNABLE) as room:
        for number in range(40):
            await room.does(ANN, ready(ready=number % 2 == 0))
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counting = asyncio.ensure_future(count())
        again = await room.replayed()
        counting.cancel()
        assert again.room == room.room
        assert turns >= 40 // 5


async def test_numbers_go_on_past_offices_that_passed_on_which_are_told_of_both() -> None:
    async with hosted() as room:
        await room.does(BEN, join())
        last = 0
        for host in (ANN, BEN) * 3:
            await room.drop(host)
            await room.pass_ms(60_000)
            assert room.room.host != host
            room.reconnect(host)
            last = (await room.does(host, join()))["n"]
        await room.crash()
        await room.restart()
        assert (await room.does(ANN, join()))["n"] > last


@pytest.mark.parametrize("state", ["lobby", "countdown", "racing", "over"])
async def test_a_room_goes_on_after_a_crash_in_any_state(state: str) -> None:
    async with hosted(code=WINNABLE) as room:
        await room.does(BEN, join(), ready())
        await room.does(ANN, ready())
        if state != "lobby":
            await room.does(ANN, start())
        if state in ("racing", "over"):
            await room.pass_ms(3000)
            await room.does(ANN, move(0, *WIN[0]))
        if state == "over":
            await room.does(ANN, retire())
            await room.does(BEN, retire())
        await room.crash()
        await room.restart()
        assert room.room.state == state
        assert not any(member.is_online for member in room.room.members.values())
        for who in (ANN, BEN):
            await room.does(who, join())
        if state == "lobby":
            await room.does(ANN, start())
        if state in ("lobby", "countdown"):
            await room.pass_ms(3000)
        if state == "over":
            await room.does(ANN, rematch())
        else:
            turn = 1 if state == "racing" else 0
            await room.does(ANN, move(turn, *WIN[turn]))


@settings(max_examples=EXAMPLES)
@given(histories(most=60))
def test_whatever_happened_the_log_gives_the_live_room_and_the_same_answers(
    history: list[Act],
) -> None:
    asyncio.run(live_and_replayed(history))


async def live_and_replayed(history: list[Act]) -> None:
    """Each command has an id; every answer is one; numbers count up; the log tells it all."""
    chance = random.Random(len(history))
    async with hosted(draw=solvable_chances()) as room:
        last: dict[FakeLink, int] = {}
        for number, act in enumerate(history):
            if act.kind == "wait":
                await room.pass_ms(wait_of(act))
            elif act.kind == "drop":
                await room.drop(act.who)
                room.reconnect(act.who)
            elif act.kind == "reopen":
                await room.crash()
                await room.restart()
            else:
                await one_answer(room, act, number, chance)
            if room.has_ended:
                break
            for link in room.links.values():
                check_numbers(link, last)
        again = await room.replayed()
        assert again.room == room.room
        assert again.seq == room.host.seq
        assert remembered(again) == remembered(room.host)


async def one_answer(room: HostedRoom, act: Act, number: int, chance: random.Random) -> None:
    """The act is answered once, and where it was carried out, the same again if sent again."""
    command = with_id(command_of(act, room.room), f"c{number}")
    who = speaker(act, room.room)
    link = room.link(who)
    answers: list[bytes] = []
    for _ in range(1 + (chance.random() < 0.2)):
        before = len(link.frames)
        await room.ask(who, command)
        mine = [frame for frame in link.frames[before:] if f'"re":"c{number}"'.encode() in frame]
        assert len(mine) == 1, "every command gets exactly one answer"
        assert link.frames[before] == mine[0], "and gets it first"
        answers += mine
    if not isinstance(command, c.JoinRoom) and b'"error"' not in answers[0]:
        assert len(set(answers)) == 1


def check_numbers(link: FakeLink, last: dict[FakeLink, int]) -> None:
    """Nothing that this link was told is left out."""
    for said in link.news():
        if said["type"] == "room":
            last[link] = said["n"]
        elif "n" in said:
            number: int = said["n"]
            assert link not in last or number == last[link] + 1
            last[link] = number
