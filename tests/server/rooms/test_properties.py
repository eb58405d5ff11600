"""Any room whatsoever: requests at random, and what holds after each of them."""

import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from halfmoon.engine.run import Run
from halfmoon.wire.options import OptionChanges
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.commands import Asked, Refusal
from halfmoon_server.rooms.deadlines import due, next_due_at
from halfmoon_server.rooms.decide import Outcome, decide
from halfmoon_server.rooms.evolve import create, evolve
from halfmoon_server.rooms.state import Room
from halfmoon_testing.builders import BEGAN_AT, PEOPLE
from halfmoon_testing.rooms import (
    OPTIONS,
    Act,
    Table,
    deal_of,
    histories,
    request_of,
    solvable_chances,
    wait_of,
)

EXAMPLES = 2000 if os.environ.get("HALFMOON_LONG") else 80

STATES = {
    ("lobby", "countdown"): (e.CountdownStarted,),
    ("countdown", "lobby"): (e.CountdownCalledOff,),
    ("countdown", "racing"): (e.RaceStarted,),
    ("racing", "over"): (e.RaceOver,),
    ("over", "lobby"): (e.RematchOpened,),
}
"""Which events lead from which state to which; every other event stays where it is."""

options = st.sampled_from(OPTIONS)


def fresh(begins: OptionChanges) -> Table:
    """A room that opens with these options, on deals whose winning lines are known."""
    named: dict[str, Any] = begins.named()
    return Table(draw=solvable_chances(), **named)


def takes(at: Table, act: Act) -> Outcome:
    """What comes of an act at this table."""
    if act.kind == "wait":
        at.pass_ms(wait_of(act))
        return ()
    return at.request(request_of(act, at.room, at.draw))


# --- Any request in any state -----------------------------------------------------------------


@settings(max_examples=EXAMPLES)
@given(histories(), options)
def test_any_request_in_any_state_gives_events_or_a_refusal_and_nothing_else(
    history: list[Act], begins: OptionChanges
) -> None:
    at = fresh(begins)
    for act in history:
        if act.kind == "wait":
            at.pass_ms(wait_of(act))
            continue
        before, request = at.room, request_of(act, at.room, at.draw)
        outcome = decide(before, request, at.now)
        assert decide(before, request, at.now) == outcome, "the same question, the same answer"
        if isinstance(outcome, Refusal):
            assert isinstance(request, Asked), "only players are refused"
            assert outcome.message
            assert (outcome.reason is not None) == (outcome.code == "illegal_move")
            assert (outcome.board is not None) == (outcome.code == "stale_turn")
        else:
            room = before
            for one in outcome:
                room = evolve(room, one, at.deal_of)
                assert one.at == at.now
        at.request(request)


@settings(max_examples=EXAMPLES)
@given(histories(), options)
def test_a_room_goes_from_state_to_state_as_the_contract_says(
    history: list[Act], begins: OptionChanges
) -> None:
    at = fresh(begins)
    for act in history:
        takes(at, act)
    for before, one, after in at.changes:
        if after.state == before.state:
            assert not isinstance(one, sum(STATES.values(), start=())), one
        else:
            assert isinstance(one, STATES[before.state, after.state])


# --- What holds after every event -------------------------------------------------------------


@settings(max_examples=EXAMPLES)
@given(histories(), options)
def test_after_every_event_the_room_is_whole(history: list[Act], begins: OptionChanges) -> None:
    at = fresh(begins)
    for act in history:
        takes(at, act)
        check_settled(at.room)
    for before, _, after in at.changes:
        check_seats(before, after)
        check_people(after)


def check_people(room: Room) -> None:
    """What holds of who is there, after each event."""
    online = [member for member in room.members.values() if member.is_online]
    assert (room.empty_at is None) == bool(online)
    assert room.away == tuple(
        member for member in room.members.values() if not member.is_online and not member.is_player
    )
    assert not any(member.ready and not member.is_player for member in room.members.values())
    assert not room.banned & room.members.keys()
    assert room.seal == room.code.seal
    if room.options.code is not None:
        assert room.options.code == room.code
    if room.upcoming is not None:
        assert room.race is None


def check_settled(room: Room) -> None:
    """What holds once all events of one decision have happened."""
    if room.members:
        assert room.host in room.members
    if room.upcoming is not None:
        assert any(True for _ in room.ready_players()), "a countdown is for somebody"
    assert not room.is_closed or not any(member.is_online for member in room.members.values())


def check_seats(before: Room, after: Room) -> None:
    """What holds of the race, and that no racer's time runs backwards."""
    race = after.race
    if race is None:
        return
    assert race.seats, "a race has racers"
    done = [seat for seat in race.living if after.is_done(seat)]
    assert race.still_racing == len([*race.living]) - len(done)
    wins = [seat.run.at_ms for seat in race.living if seat.run.status == "won"]
    assert race.won_at_ms == min(wins, default=None)
    for seat in race.seats.values():
        check_run(seat.run)
        old = before.seat(seat.player)
        if old is not None:
            assert seat.run.at_ms >= old.run.at_ms
            assert seat.run.best >= old.run.best
        if race.ends_at is not None and seat.run.left_as != "timed_out":
            assert race.starts_at + seat.run.at_ms < race.ends_at
    if race.over_at is not None:
        assert race.still_racing == 0
        assert {line.player for line in race.standings} == race.seats.keys()
        assert race.over_at >= race.starts_at + max(s.run.at_ms for s in race.living)
        assert race.ends_at is None or race.over_at <= race.ends_at


def check_run(run: Run) -> None:
    board = run.board
    assert run.best >= board.score
    assert run.best_at_ms <= run.at_ms
    assert (board.moves == 48) == (board.score == 520) == (board.status == "won")
    assert board.moves == len(board.history)
    assert (board.turn - board.moves) % 2 == 0, "an undo is a turn and takes one back"


@settings(max_examples=EXAMPLES)
@given(histories(), options)
def test_players_are_never_more_than_the_room_takes_but_for_racers_who_came_back(
    history: list[Act], begins: OptionChanges
) -> None:
    at = fresh(begins)
    raced: set[str] = set()
    for act in history:
        before = at.room
        takes(at, act)
        came = at.room.members.keys() - before.members.keys()
        raced |= set(() if before.race is None else before.race.seats)
        if any(at.room.members[who].is_player for who in came - raced):
            assert len([*at.room.players()]) <= at.room.options.max_players


@settings(max_examples=EXAMPLES)
@given(histories(), options)
def test_what_is_due_happens_when_it_is_due_and_then_no_more(
    history: list[Act], begins: OptionChanges
) -> None:
    at = fresh(begins)
    for act in history:
        takes(at, act)
        assert due(at.room, at.now) is None, "all that is due has happened"
        due_at = next_due_at(at.room)
        if due_at is not None:
            assert due_at > at.now
            assert due(at.room, due_at - 1) is None
            assert due(at.room, due_at) is not None


# --- The log ----------------------------------------------------------------------------------


@settings(max_examples=EXAMPLES)
@given(histories(), options)
def test_replaying_the_written_log_gives_the_live_room(
    history: list[Act], begins: OptionChanges
) -> None:
    at = fresh(begins)
    for act in history:
        takes(at, act)
    written = [e.write_entry(entry) for entry in at.entries]
    entries = [e.read_entry(line) for line in written]
    assert entries == at.entries
    first, *rest = [one for entry in entries for one in entry.events]
    assert isinstance(first, e.RoomCreated)
    room = create(first)
    for one in rest:
        room = evolve(room, one, deal_of)
    assert room == at.room


@given(st.sampled_from(PEOPLE), st.text(max_size=24), st.sampled_from(["player", "spectator"]))
def test_an_entry_and_its_line_are_inverse_whatever_the_name(
    player: str, name: str, as_: str
) -> None:
    name = name.encode("utf-8", "replace").decode()
    joined = e.MemberJoined(at=BEGAN_AT, player=player, name=name, as_=as_)  # type: ignore[arg-type]
    entry = e.Entry(player=player, id="7", answer="room", events=(joined,))
    assert e.read_entry(e.write_entry(entry)) == entry


def test_an_entry_of_nothing_but_time_is_written_without_who_and_what() -> None:
    entry = e.Entry(events=(e.CountdownCalledOff(at=5),))
    assert e.write_entry(entry) == '{"events":[{"at":5,"type":"countdown_called_off"}]}'


def test_no_time_limit_is_still_none_after_a_restart() -> None:
    at = Table(time_limit_ms=None)
    assert e.read_entry(e.write_entry(at.entries[0])) == at.entries[0]
