"""Ghosts: recorded runs race along as they went then, and nobody waits for them."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfmoon.engine.ghosts import GhostOf
from halfmoon.engine.record import (
    Action,
    MoveAction,
    RaceRecord,
    RecordedPlayer,
    RetireAction,
    UndoAction,
)
from halfmoon_server.records import record_of
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.deadlines import due, next_due_at
from halfmoon_server.rooms.evolve import create, evolve
from halfmoon_server.rooms.ghosts import ghost_of
from halfmoon_testing.builders import ANN, BEN, WINNABLE, join, ready, rematch, retire, start
from halfmoon_testing.oracle import record_holds
from halfmoon_testing.rooms import (
    Act,
    Table,
    deal_of,
    ghosts,
    histories,
    hosted,
    race,
    request_of,
    solvable_chances,
    table,
    wait_of,
)
from halfmoon_testing.solver import winning_line
from halfmoon_testing.watchers import raced

EXAMPLES = 1000 if os.environ.get("HALFMOON_LONG") else 60
WIN = winning_line()
GHOST = "g_cleo"


def ghost(*actions: Action, name: str = "Cleo") -> e.Ghost:
    """The ghost of Cleo, who did this in an earlier race."""
    return ghost_of("r_then", RecordedPlayer(player="p_cleo", name=name, actions=[*actions]))


def won(step_ms: int) -> e.Ghost:
    """The ghost of Cleo, who had won with a move every so many milliseconds."""
    return ghost(
        *(MoveAction(at_ms=step_ms * n, move=spots) for n, spots in enumerate(WIN, start=1))
    )


def haunted(*racers: str, by: e.Ghost, **options: Any) -> Table:
    """A race with this ghost that has just started, between Ann and these."""
    return race(*racers, **{"code": WINNABLE, "ghosts": (by,), **options})


def record(at: Table) -> RaceRecord:
    """The record of the race that is over, which holds."""
    assert at.room.race is not None
    found = record_of(at.entries, at.room.race.race, at.deal_of)
    assert found is not None
    found.verify()
    assert record_holds(found.model_dump(mode="json"))
    return found


def test_a_ghost_does_what_was_done_then_when_it_was_done() -> None:
    at = haunted(
        by=ghost(
            MoveAction(at_ms=1000, move=WIN[0]),
            MoveAction(at_ms=1500, move=WIN[1]),
            UndoAction(at_ms=2000, undo=True),
            RetireAction(at_ms=2500, retire=True),
        )
    )
    seen = []
    for _ in range(6):
        run = at.run(GHOST)
        seen.append((run.board.score, run.board.turn, run.at_ms, run.status))
        at.pass_ms(500)
    first = 15 if len(WIN[0]) == 3 else 10
    second = first + (15 if len(WIN[1]) == 3 else 10)
    assert seen == [
        (0, 0, 0, "racing"),
        (0, 0, 0, "racing"),
        (first, 1, 1000, "racing"),
        (second, 2, 1500, "racing"),
        (first, 3, 2000, "racing"),
        (first, 3, 2500, "retired"),
    ]
    assert at.room.state == "racing", "Ann is at it"


def test_nobody_waits_for_a_ghost_and_its_result_counts_whole() -> None:
    at = haunted(by=won(1000))
    at.pass_ms(5000)
    at.does(ANN, retire())
    assert at.room.state == "over"
    assert at.room.race is not None
    first, second = at.room.race.standings
    assert (first.player, first.status, first.time_ms, first.rank) == (GHOST, "won", 48_000, 1)
    assert first.ghost == GhostOf(race="r_then", player="p_cleo")
    assert (second.player, second.status, second.rank, second.ghost) == (ANN, "retired", 2, None)
    found = record(at)
    assert (found.over_at - found.starts_at) == 5000
    assert len(found.players[1].actions) == 48


def test_a_ghosts_win_ends_no_race() -> None:
    at = haunted(BEN, by=won(10), ends="first_win")
    at.pass_ms(1000)
    assert at.run(GHOST).status == "won"
    assert at.room.race is not None
    assert at.room.race.over_at is None
    at.play(ANN, WIN)
    assert at.room.race is not None
    assert at.room.race.over_at is not None
    assert [line.player for line in at.room.race.standings] == [GHOST, ANN, BEN]
    record(at)


def test_a_ghost_that_had_timed_out_does_so_again() -> None:
    at = haunted(by=ghost(MoveAction(at_ms=1000, move=WIN[0])), time_limit_ms=10_000)
    at.pass_ms(9_999)
    assert at.run(GHOST).status == "racing"
    at.pass_ms(1)
    assert (at.room.state, at.run(GHOST).status) == ("over", "timed_out")
    record(at)


def test_what_a_ghost_did_while_the_server_was_down_happens_afterwards() -> None:
    at = haunted(by=won(1000))
    at.reopen(after_ms=20_500)
    at.does(ANN, join())
    assert (at.run(GHOST).board.moves, at.run(GHOST).at_ms) == (20, 20_000)


def test_a_ghost_is_listed_among_the_players_from_the_lobby_on() -> None:
    at = table(code=WINNABLE, ghosts=(won(1000),))
    of = {"race": "r_then", "player": "p_cleo"}

    def line() -> dict[str, Any]:
        snapshot = views.snapshot(at.room, ANN, 0).model_dump(mode="json", by_alias=True)
        (found,) = [one for one in snapshot["players"] if "ghost" in one]
        assert isinstance(found, dict)
        return found

    expected = {"player": GHOST, "name": "Cleo", "ready": True, "online": True, "ghost": of}
    assert line() == {**expected, "status": "waiting", "score": 0, "moves": 0}
    at.does(ANN, ready(), start())
    at.pass_ms(at.room.options.countdown_ms)
    assert line() == {**expected, "status": "racing", "score": 0, "moves": 0, "best": 0}
    at.does(ANN, retire())
    assert line() == {**expected, "status": "won", "score": 520, "moves": 48, "best": 520}


def test_a_ghost_alone_starts_nothing_and_takes_nobodys_place() -> None:
    at = table(code=WINNABLE, ghosts=(won(1000),), max_players=2)
    at.does(BEN, join())
    assert at.refuses(ANN, start()) == "wrong_state"


def test_after_a_rematch_the_ghosts_are_gone() -> None:
    at = haunted(by=won(1000))
    at.does(ANN, retire(), rematch(), ready(), start())
    at.pass_ms(at.room.options.countdown_ms)
    assert at.room.race is not None
    assert [*at.room.race.seats] == [ANN]


def test_racers_are_told_a_ghosts_numbers_and_nothing_of_its_board() -> None:
    """What `progress` says of any rival; and no board is dealt to it."""
    at = haunted(by=won(1000))
    before, event, after = next(
        change for change in at.changes if isinstance(change[1], e.RaceStarted)
    )
    told = views.told(before, event, after, 0)
    assert [one.to for one in told] == [None, ANN]
    at.pass_ms(1000)
    (line,) = views.progress(at.room, [GHOST], 1).players
    assert (line.score, line.moves, line.at_ms) == (at.run(GHOST).board.score, 1, 1000)
    assert not views.may_watch(at.room, ANN)


async def test_its_host_wakes_for_a_ghost_and_tells_how_it_stands() -> None:
    async with hosted(code=WINNABLE, ghosts=(won(1000),), time_limit_ms=None) as room:
        await room.race()
        room.link(ANN).news()
        await room.pass_ms(1999)
        (progress,) = [said for said in room.link(ANN).news() if said["type"] == "progress"]
        assert [(line["player"], line["moves"]) for line in progress["players"]] == [(GHOST, 1)]
        await room.crash()
        await room.restart()
        await room.pass_ms(1)
        assert room.room.race is not None
        assert room.room.race.seats[GHOST].run.board.moves == 2
        await room.does(ANN, join(), retire())
        (over,) = [said for said in room.link(ANN).news() if said["type"] == "over"]
        assert over["standings"][0]["ghost"] == {"race": "r_then", "player": "p_cleo"}


# --- Any room with any ghosts -----------------------------------------------------------------


@settings(max_examples=EXAMPLES)
@given(histories(), st.integers(0, 40), st.booleans(), st.sampled_from(["all", "first_win"]))
def test_a_haunted_room_replays_ends_and_makes_a_record_that_holds(
    history: list[Act], seed: int, may_undo: bool, ends: str
) -> None:
    draw = solvable_chances()
    code = solvable_chances()().code
    assert code is not None
    along = ghosts(1 + seed % 2, code, seed, undo=may_undo, time_limit_ms=60_000)
    options: dict[str, Any] = {"undo": may_undo, "ends": ends, "time_limit_ms": 60_000}
    at = Table(draw=draw, ghosts=along, **options)
    locked = {"options", "rematch"}
    for act in (act for act in history if act.kind not in locked):
        if act.kind == "wait":
            at.pass_ms(wait_of(act))
        else:
            at.request(request_of(act, at.room, at.draw))
        assert due(at.room, at.now) is None, "all that is due has happened"
        due_at = next_due_at(at.room)
        assert due_at is None or due_at > at.now
    at.pass_ms(61_000)
    first, *rest = [one for entry in at.entries for one in entry.events]
    assert isinstance(first, e.RoomCreated)
    room = create(e.RoomCreated.model_validate_json(first.model_dump_json()))
    for one in rest:
        room = evolve(room, one, deal_of)
    assert room == at.room
    if at.room.state == "over":
        found = record(at)
        whole = {one.player: [*one.actions] for one in along}
        assert {line.player: line.actions for line in found.players if line.ghost} == whole
        assert any(line.ghost is None for line in found.players)


@pytest.mark.parametrize("seed", [2, 3, 6, 7])
def test_the_races_that_watchers_are_tried_on_have_ghosts_too(seed: int) -> None:
    at = raced(seed)
    started = [after for _, event, after in at.changes if isinstance(event, e.RaceStarted)]
    assert started[0].race is not None
    assert started[0].race.ghosts
