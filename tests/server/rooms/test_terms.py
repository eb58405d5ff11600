"""Rooms of a contest: what is fixed there, who may come, and what one alone is told when."""

from __future__ import annotations

import json
from typing import Any

import pytest

from halfmoon.engine.codes import Code
from halfmoon.engine.options import RaceOptions
from halfmoon.wire import codec
from halfmoon.wire.options import OptionChanges
from halfmoon_server.records import record_of
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.commands import SeenElsewhere
from halfmoon_server.rooms.evolve import create, evolve
from halfmoon_server.rooms.terms import ALONE_OPTIONS, RACE_OPTIONS, Terms, fixed
from halfmoon_testing.builders import (
    ANN,
    BEGAN_AT,
    BEN,
    EVE,
    WINNABLE,
    join,
    leave,
    ready,
    rematch,
    retire,
    set_options,
    start,
)
from halfmoon_testing.oracle import record_holds
from halfmoon_testing.records import SEALED_CODES
from halfmoon_testing.rooms import Table, deal_of, ghosts

JUDGED_BY = RaceOptions(time_limit_ms=60_000, undo=False, ends="first_win")
GHOSTS = ghosts(1, WINNABLE, 3, undo=False, time_limit_ms=60_000)


def contest(*, alone: bool, **more: Any) -> Table:
    """A room that Ann has opened for a contest with a ghost."""
    terms = Terms("challenge/X", WINNABLE, JUDGED_BY, alone=alone, ghosts=GHOSTS, **more)
    return Table(terms=terms)


def begin(at: Table) -> None:
    """Ann races."""
    at.does(ANN, ready(), start())
    at.pass_ms(at.room.options.countdown_ms)


def said(at: Table) -> str:
    """All that is told in the room so far, in broadcasts and as Ann's snapshot."""
    told = [
        codec.write(one.message)
        for before, event, after in at.changes
        for one in views.told(before, event, after, 0)
    ]
    return "\n".join([*told, codec.write(views.snapshot(at.room, ANN, 0))])


def test_deal_and_rules_are_those_of_the_contest_and_the_code_stays_hidden() -> None:
    at = contest(alone=False)
    assert at.room.code == WINNABLE
    options = at.room.options
    assert (options.time_limit_ms, options.undo, options.ends) == (60_000, False, "first_win")
    assert (options.max_players, options.spectators) == (16, "open")
    begin(at)
    assert str(WINNABLE) not in said(at)
    assert WINNABLE.seal in said(at)
    at.does(ANN, retire())
    assert str(WINNABLE) in said(at)


VALUES: dict[str, Any] = {
    "code": None,
    "time_limit_ms": 60_000,
    "undo": False,
    "ends": "first_win",
    "max_players": 1,
    "public": False,
    "spectators": "none",
    "spectator_delay_ms": 0,
    "countdown_ms": 1000,
    "reactions": False,
}


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("option", VALUES)
def test_what_the_contest_fixes_nobody_changes_whatever_the_value(option: str, alone: bool) -> None:
    at = contest(alone=alone)
    if option in (ALONE_OPTIONS if alone else RACE_OPTIONS):
        assert at.refuses(ANN, set_options(**{option: VALUES[option]})) == "not_allowed"
        assert fixed(OptionChanges(**{option: VALUES[option]}), alone=alone) == option
    else:
        at.does(ANN, set_options(**{option: VALUES[option]}))
        assert at.room.code == WINNABLE


@pytest.mark.parametrize("alone", [False, True])
def test_a_contest_has_no_rematch(alone: bool) -> None:
    at = contest(alone=alone)
    begin(at)
    assert at.refuses(ANN, rematch()) == "not_allowed"
    at.does(ANN, retire())
    assert at.refuses(ANN, rematch()) == "not_allowed"
    assert at.refuses(ANN, rematch(WINNABLE)) == "not_allowed"


def test_friends_may_join_where_one_is_not_alone() -> None:
    at = contest(alone=False)
    at.does(BEN, join(), ready())
    begin(at)
    assert at.room.race is not None
    assert [*at.room.race.seats] == [ANN, BEN, GHOSTS[0].player]


def test_nobody_else_ever_comes_into_a_room_for_one_alone() -> None:
    at = contest(alone=True)
    assert at.refuses(BEN, join()) == "room_full"
    assert at.refuses(BEN, join("spectator")) == "not_allowed"
    at.does(ANN, leave())
    assert at.refuses(BEN, join()) == "not_allowed"
    assert at.refuses(BEN, join("spectator")) == "not_allowed"
    at.does(ANN, join())
    assert at.room.host == ANN
    assert at.refuses(ANN, join("spectator")) == "not_allowed"
    begin(at)
    assert at.refuses(BEN, join()) == "room_full"
    at.does(ANN, leave())
    assert at.refuses(BEN, join("spectator")) == "not_allowed"
    assert at.refuses(BEN, join()) == "not_allowed"


def test_one_alone_is_told_of_ghosts_when_all_is_over() -> None:
    at = contest(alone=True)
    ghost = GHOSTS[0].player
    assert ghost not in said(at)
    begin(at)
    at.pass_ms(30_000)
    assert ghost not in said(at)
    assert at.room.race is not None
    assert [*at.room.race.seats] == [ANN]
    at.does(ANN, retire())
    assert at.room.race is not None
    over = json.loads(codec.write(views.snapshot(at.room, ANN, 0)))
    assert {line["player"] for line in over["standings"]} == {ANN, ghost}
    found = record_of(at.entries, at.room.race.race, at.deal_of)
    assert found is not None
    found.verify()
    assert record_holds(found.model_dump(mode="json"))
    assert [line.ghost is None for line in found.players] == [True, False]


def test_the_log_of_a_room_for_one_alone_gives_the_room_again() -> None:
    at = contest(alone=True, start_before=BEGAN_AT + 1)
    begin(at)
    at.pass_ms(60_000)
    first, *rest = [e.read_entry(e.write_entry(entry)) for entry in at.entries]
    created = first.events[0]
    assert isinstance(created, e.RoomCreated)
    room = create(created)
    for entry in rest:
        for event in entry.events:
            room = evolve(room, event, deal_of)
    assert room == at.room


def test_a_room_of_no_contest_is_written_as_before() -> None:
    text = e.write_entry(Table().entries[0])
    assert not [word for word in ("contest", "ghosts", "attempt", "start_before") if word in text]


def test_no_race_starts_when_its_day_is_over_and_one_that_runs_goes_on() -> None:
    late = contest(alone=True, start_before=BEGAN_AT + 10_000)
    late.does(ANN, ready())
    late.pass_ms(10_000)
    assert late.refuses(ANN, start()) == "wrong_state"
    in_time = contest(alone=True, start_before=BEGAN_AT + 10_000)
    in_time.pass_ms(9_999)
    begin(in_time)
    in_time.pass_ms(30_000)
    in_time.does(ANN, retire())
    assert in_time.room.state == "over"


@pytest.mark.parametrize(("down_ms", "state"), [(69_999, "racing"), (70_000, "lobby")])
def test_a_start_that_the_server_slept_through_is_called_off_once_its_day_is_over(
    down_ms: int, state: str
) -> None:
    """A minute after midnight at the latest: so long a countdown may last that began in time."""
    at = contest(alone=True, start_before=BEGAN_AT + 10_000)
    at.does(ANN, ready(), start())
    at.reopen(after_ms=down_ms)
    assert at.room.state == state
    at.does(ANN, join())
    if state == "lobby":
        assert at.refuses(ANN, start()) == "wrong_state"


def test_the_room_says_what_its_race_belongs_to() -> None:
    assert views.snapshot(contest(alone=True).room, ANN, 0).contest == "challenge/X"
    assert '"contest"' not in codec.write(views.snapshot(Table().room, ANN, 0))


SEALED = Code.parse(SEALED_CODES[0])


def shown(at: Table) -> list[tuple[str, ...]]:
    """To whom the deal was shown so far, a tuple each time."""
    return [event.players for _, event, _ in at.changes if isinstance(event, e.DealShown)]


@pytest.mark.parametrize("alone", [False, True])
def test_a_sealed_code_that_is_given_counts_as_seen_from_the_first_card_on(alone: bool) -> None:
    """For all who are there, and for who comes in later."""
    terms = Terms("daily/2026-11-30", SEALED, JUDGED_BY, alone=True)
    at = Table(terms=terms) if alone else Table(code=SEALED)
    if not alone:
        at.does(BEN, join())
    at.does(ANN, ready(), start())
    assert shown(at) == []
    at.pass_ms(at.room.options.countdown_ms)
    assert shown(at) == [(ANN,) if alone else (ANN, BEN)]
    if not alone:
        at.does(EVE, join("spectator"))
        assert shown(at)[1:] == [(EVE,)]
        at.does(ANN, retire())
        at.does(ANN, rematch(SEALED))
        assert not at.room.shown


def test_what_lies_in_no_envelope_counts_for_nobody() -> None:
    for at in (Table(), Table(code=WINNABLE), contest(alone=False), contest(alone=True)):
        begin(at)
        assert shown(at) == []


@pytest.mark.parametrize("counting", [False, True])
def test_who_has_seen_the_deal_elsewhere_starts_no_race_on_it(counting: bool) -> None:
    at = contest(alone=True)
    at.does(ANN, ready())
    if counting:
        at.does(ANN, start())
    at.request(SeenElsewhere())
    assert at.room.state == "lobby"
    assert at.refuses(ANN, start()) == "not_allowed"
    at.pass_ms(60_000)
    assert at.room.race is None
    assert at.request(SeenElsewhere()) == ()


def test_a_race_that_runs_is_not_ended_by_another_on_its_deal() -> None:
    at = contest(alone=True)
    begin(at)
    assert at.request(SeenElsewhere()) == ()
    assert at.room.state == "racing"
