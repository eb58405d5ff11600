"""The room after each event: what changed, and that nothing else did."""

from dataclasses import FrozenInstanceError, fields

import pytest

from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.evolve import create, evolve
from halfmoon_server.rooms.state import Member, Room, Upcoming
from halfmoon_testing.builders import ANN, BEN, CLEO, STICKY, WINNABLE
from halfmoon_testing.rooms import countdown, deal_of, finished, race, table
from halfmoon_testing.solver import winning_line

WIN = winning_line()
ALWAYS = {"events", "touched_at"}


def changed(before: Room, after: Room) -> set[str]:
    """The fields in which two rooms differ, but for what every event changes."""
    names = {field.name for field in fields(Room)}
    return {name for name in names if getattr(before, name) != getattr(after, name)} - ALWAYS


def test_a_room_begins_with_its_creator_alone() -> None:
    at = table(code=WINNABLE)
    created = at.events[0]
    assert isinstance(created, e.RoomCreated)
    room = create(created)
    assert room == at.room
    assert (room.host, room.host_name, room.created_at) == (ANN, "Ann", created.at)
    assert room.seal == WINNABLE.seal
    assert room.members == {ANN: Member(player=ANN, name="Ann", as_="player")}
    assert (room.state, room.events, room.empty_at) == ("lobby", 1, None)


def test_a_room_is_never_changed_in_place() -> None:
    at = table()
    before = at.room
    with pytest.raises(FrozenInstanceError):
        before.host = BEN  # type: ignore[misc]
    joined = e.MemberJoined(at=at.now, player=BEN, name="Ben", as_="player")
    after = evolve(before, joined)
    assert BEN not in before.members
    assert changed(before, after) == {"members"}


def test_every_event_is_counted_and_time_never_goes_back() -> None:
    at = table()
    later = evolve(at.room, e.ReadySet(at=at.now + 50, player=ANN, ready=True))
    earlier = evolve(later, e.ReadySet(at=at.now + 20, player=ANN, ready=False))
    assert (later.events, later.touched_at) == (2, at.now + 50)
    assert (earlier.events, earlier.touched_at) == (3, at.now + 50)


def test_the_room_is_empty_since_the_last_one_went() -> None:
    at = table(BEN)
    one = evolve(at.room, e.WentOffline(at=at.now + 1, player=ANN))
    assert one.empty_at is None
    both = evolve(one, e.WentOffline(at=at.now + 2, player=BEN))
    assert both.empty_at == at.now + 2
    left = evolve(both, e.MemberLeft(at=at.now + 3, player=ANN, why="left"))
    assert left.empty_at == at.now + 2
    back = evolve(left, e.WentOnline(at=at.now + 4, player=BEN))
    assert back.empty_at is None


def test_only_who_was_put_out_is_remembered() -> None:
    at = table(BEN, CLEO)
    left = evolve(at.room, e.MemberLeft(at=at.now, player=BEN, why="left"))
    kicked = evolve(left, e.MemberLeft(at=at.now, player=CLEO, why="kicked"))
    assert kicked.banned == {CLEO}
    assert [*kicked.members] == [ANN]


def test_the_offline_spectators_are_known_without_a_look_at_everybody() -> None:
    at = table(BEN, watching=[CLEO])
    at.drop(BEN, CLEO)
    assert at.room.away == (at.room.members[CLEO],)


def test_a_sign_leaves_nothing_but_when_it_was_shown() -> None:
    at = table(BEN)
    room = evolve(at.room, e.Reacted(at=at.now + 7, player=BEN, reaction="ouch"))
    assert changed(at.room, room) == {"reacted_at"}
    assert room.reacted_at == {BEN: at.now + 7}
    later = evolve(room, e.Reacted(at=at.now + 1507, player=ANN, reaction="gg"))
    assert later.reacted_at == {ANN: at.now + 1507}


def test_a_countdown_keeps_who_is_ready_and_called_off_leaves_nothing_behind() -> None:
    at = countdown(BEN)
    assert at.room.upcoming == Upcoming(race="r_5", starts_at=at.now + 3000)
    off = evolve(at.room, e.CountdownCalledOff(at=at.now))
    assert changed(at.room, off) == {"upcoming"}


def test_everybody_races_on_the_same_deal() -> None:
    at = race(BEN, CLEO, code=WINNABLE)
    assert at.room.race is not None
    deals = [seat.run.board.deal for seat in at.room.race.seats.values()]
    assert deals == [deal_of(WINNABLE)] * 3
    assert at.room.race.still_racing == 3


def test_a_move_changes_one_seat_and_the_last_win_is_counted_once() -> None:
    at = race(BEN, code=WINNABLE)
    at.play(ANN, WIN[:1])
    assert at.seat(BEN).run.board.turn == 0
    at.play(ANN, WIN[1:])
    at.play(BEN, WIN[:5])
    assert at.room.race is not None
    assert (at.room.race.won_at_ms, at.room.race.still_racing) == (48_000, 1)


def test_over_ends_the_runs_that_still_ran_and_no_others() -> None:
    at = race(BEN, CLEO, code=WINNABLE, time_limit_ms=60_000)
    at.play(ANN, WIN)
    at.play(BEN, WIN[:1])
    at.pass_ms(11_000)
    assert [(who, at.run(who).status, at.run(who).at_ms) for who in (ANN, BEN, CLEO)] == [
        (ANN, "won", 48_000),
        (BEN, "timed_out", 60_000),
        (CLEO, "timed_out", 60_000),
    ]


def test_a_rematch_forgets_the_race_and_keeps_the_people() -> None:
    at = finished(BEN)
    opened = e.RematchOpened(
        at=at.now, options=at.room.options.model_copy(update={"code": STICKY}), code=STICKY
    )
    room = evolve(at.room, opened)
    assert changed(at.room, room) == {"race", "last_race", "options", "code", "seal", "members"}
    assert room.seal == STICKY.seal
    assert room.state == "lobby"


def test_after_a_restart_nobody_is_connected_and_who_was_offline_stays_so_since_then() -> None:
    at = table(BEN)
    at.drop(BEN)
    dropped_at = at.now
    at.reopen(after_ms=5000)
    assert at.room.members[ANN].offline_at == at.now
    assert at.room.members[BEN].offline_at == dropped_at
    assert at.room.empty_at == at.now


def test_a_room_that_is_closed_is_only_that() -> None:
    at = table()
    closed = evolve(at.room, e.RoomClosed(at=at.now))
    assert changed(at.room, closed) == {"is_closed"}
