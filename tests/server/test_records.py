"""The record of a finished race out of its room's log, and that it holds."""

import os
from typing import Any

import pytest
from hypothesis import given, settings

from halfmoon.engine.record import RaceRecord
from halfmoon_server.eventlog.base import Batch, Key, LogUnavailable
from halfmoon_server.records import Found, find_record, record_of
from halfmoon_server.rooms import events as e
from halfmoon_testing.builders import (
    ANN,
    BEN,
    CLEO,
    PEOPLE,
    ROOM,
    STICKY,
    WINNABLE,
    join,
    kick,
    leave,
    ready,
    rematch,
    retire,
    start,
    undo,
)
from halfmoon_testing.fakes import FakeLog
from halfmoon_testing.oracle import record_holds
from halfmoon_testing.rooms import (
    Act,
    Table,
    histories,
    race,
    request_of,
    solvable_chances,
    wait_of,
)
from halfmoon_testing.solver import deadlock_line, winning_line

WIN = winning_line()
EXAMPLES = 2000 if os.environ.get("HALFMOON_LONG") else 100


def record(at: Table) -> RaceRecord:
    """The record of the race that is over, which the oracle finds to hold too."""
    assert at.room.race is not None
    found = record_of(at.entries, at.room.race.race, at.deal_of)
    assert found is not None
    found.verify()
    assert record_holds(found.model_dump(mode="json"))
    RaceRecord.model_validate_json(found.model_dump_json()).verify()
    return found


def test_a_record_tells_who_did_what_when() -> None:
    at = race(BEN, CLEO, code=WINNABLE)
    at.play(ANN, WIN[:2])
    at.does(ANN, undo(2))
    at.does(BEN, retire())
    at.does(CLEO, leave())
    at.pass_ms(500)
    at.does(ANN, retire())
    found = record(at)
    assert (found.room, found.code, found.seal) == (ROOM, WINNABLE, WINNABLE.seal)
    assert (found.starts_at, found.over_at) == (at.now - 2500, at.now)
    actions = {
        line.player: [action.model_dump(mode="json") for action in line.actions]
        for line in found.players
    }
    assert actions == {
        ANN: [
            {"at_ms": 1000, "move": WIN[0]},
            {"at_ms": 2000, "move": WIN[1]},
            {"at_ms": 2000, "undo": True},
            {"at_ms": 2500, "retire": True},
        ],
        BEN: [{"at_ms": 2000, "retire": True}],
        CLEO: [{"at_ms": 2000, "retire": True}],
    }
    assert at.room.race is not None
    assert found.standings == [*at.room.race.standings]


@pytest.mark.parametrize(
    "options",
    [
        {"time_limit_ms": 5000},
        {"time_limit_ms": None},
        {"undo": False, "code": STICKY},
        {"ends": "first_win", "code": WINNABLE},
        {"ends": "all", "code": WINNABLE},
    ],
)
def test_a_race_of_any_kind_makes_a_record_that_holds(options: dict[str, Any]) -> None:
    at = race(BEN, **options)
    if at.room.code == WINNABLE:
        at.play(ANN, WIN)
    if at.room.code == STICKY:
        at.play(ANN, deadlock_line())
    at.drop(ANN, BEN)
    at.pass_ms(900_000)
    assert record(at).options.time_limit_ms == at.room.options.time_limit_ms


def test_nobody_is_told_of_a_race_that_runs_or_never_was() -> None:
    at = race(BEN)
    assert at.room.race is not None
    assert record_of(at.entries, at.room.race.race) is None
    assert record_of(at.entries, "r_never") is None
    assert record_of([], "r_never") is None


def test_each_race_of_a_room_has_its_own_record() -> None:
    """Also after one was called off, and after others came and went."""
    at = race(BEN, code=WINNABLE)
    first = at.room.race
    assert first is not None
    at.play(ANN, WIN[:1])
    for who in (ANN, BEN):
        at.does(who, retire())
    at.does(ANN, kick(BEN), rematch(STICKY), ready(), start())
    at.drop(ANN)
    assert at.room.state == "lobby"
    at.does(ANN, join(), start())
    at.pass_ms(3000)
    at.does(ANN, retire())
    second = record(at)
    assert second.code == STICKY
    assert [line.player for line in second.players] == [ANN]
    again = record_of(at.entries, first.race, at.deal_of)
    assert again is not None
    again.verify()
    assert (again.code, len(again.players), len(again.standings)) == (WINNABLE, 2, 2)


def test_a_sealed_race_has_its_code_in_the_record_and_not_among_its_options() -> None:
    at = race()
    at.does(ANN, retire())
    found = record(at)
    assert found.options.code is None
    assert found.code == at.room.code
    assert found.seal == at.room.code.seal


@settings(max_examples=EXAMPLES)
@given(histories())
def test_every_race_that_is_over_makes_a_record_that_holds(history: list[Act]) -> None:
    at = Table(draw=solvable_chances())
    over: list[str] = []
    to_the_end = [Act(kind, who, 7) for who in PEOPLE for kind in ("wait", "join", "retire")]
    for act in history + to_the_end:
        if act.kind == "wait":
            at.pass_ms(wait_of(act))
        else:
            at.request(request_of(act, at.room, at.draw))
        race_now = at.room.race
        if race_now is not None and race_now.over_at is not None and race_now.race not in over:
            over.append(race_now.race)
            record(at)


# --- Out of the log ---------------------------------------------------------------------------


async def test_a_record_is_found_by_its_race_once_the_race_is_over() -> None:
    log = FakeLog()
    at = race(code=WINNABLE)
    assert at.room.race is not None
    name = at.room.race.race
    lines = [e.write_entry(entry) for entry in at.entries]
    await log.append(Batch(ROOM, 0, lines, [Key("race", name)]))
    assert await find_record(log, name) is None
    at.does(ANN, retire())
    more = [e.write_entry(entry) for entry in at.entries[len(lines) :]]
    await log.append(Batch(ROOM, len(lines), more))
    assert await find_record(log, name) == Found(record(at), None, frozenset({ANN}))
    assert await find_record(log, "r_never") is None


async def test_a_log_that_fails_has_no_records_to_tell_of() -> None:
    log = FakeLog()
    log.is_broken = True
    with pytest.raises(LogUnavailable):
        await find_record(log, "r_1")
