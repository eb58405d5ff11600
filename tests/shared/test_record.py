"""Race records: what `verify` accepts, and the first fault of what it refuses (contract §3, §4)."""

import copy
import json
import os
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.engine.draws import commit_of, drawn_code
from halfmoon.engine.errors import RecordFault
from halfmoon.engine.record import (
    Action,
    MoveAction,
    RaceRecord,
    RecordedPlayer,
    RetireAction,
    UndoAction,
)
from halfmoon_testing import oracle, solver
from halfmoon_testing.oracle import Deed
from halfmoon_testing.records import Record, simulated_race, written_down

RACES = 300 if os.environ.get("HALFMOON_LONG") else 12

OPEN = {"time_limit_ms": 900_000, "undo": True, "ends": "all", "code": solver.WINNABLE_CODE}


race_of_seed = cache(simulated_race)
"""Made once for all tests, none of which changes it."""


def verified(record: Any) -> RaceRecord:
    """The record as read from JSON, verified; raises `RecordFault`."""
    read = RaceRecord.read(json.dumps(record))
    read.verify()
    return read


def fault_of(record: Any) -> str:
    """The message with which a record is refused."""
    with pytest.raises(RecordFault) as refusal:
        verified(record)
    return str(refusal.value)


def message_of(record: Record | bytes) -> str | None:
    """The message with which a record is refused, None where it holds."""
    try:
        RaceRecord.read(record if isinstance(record, bytes) else json.dumps(record)).verify()
    except RecordFault as fault:
        return str(fault)
    return None


def race_of(raced: dict[str, list[Deed]], **options: Any) -> Record:
    """The record of what these players did on the winnable deal."""
    return written_down(solver.WINNABLE_CODE, {**OPEN, **options}, raced)


def win(step_ms: int) -> list[Deed]:
    """The winning line, a move every so many milliseconds."""
    line = solver.winning_line()
    return [Deed(step_ms * number, tuple(spots)) for number, spots in enumerate(line, start=1)]


def referees_race() -> Record:
    """Ann wins; Bob makes two moves, takes one back, plays it again and retires; Cy runs late."""
    first, second = win(1_000)[:2]
    return race_of(
        {
            "ann": win(1_000),
            "bob": [
                Deed(500, first.spots),
                Deed(700, second.spots),
                Deed(900, undo=True),
                Deed(1_200, second.spots),
                Deed(2_000, retire=True),
            ],
            "cyd": [Deed(899_999, first.spots)],
        }
    )


# --- What holds -------------------------------------------------------------------------------


@pytest.mark.parametrize("time_limit_ms", [None, 60_000, 900_000])
@pytest.mark.parametrize("ends", ["all", "first_win"])
@pytest.mark.parametrize("undo", [True, False])
def test_simulated_races_hold(undo: bool, ends: str, time_limit_ms: int | None) -> None:
    """Undos, retirements, deadlocks, first wins, time limits, open and sealed codes, ghosts."""
    for seed in range(RACES):
        race = race_of_seed(
            seed, undo=undo, ends=ends, time_limit_ms=time_limit_ms, ghosts=max(0, seed % 4 - 1)
        )
        verified(race)
        assert oracle.record_holds(race)


def test_simulated_races_end_in_every_way() -> None:
    seen = {
        line["status"]
        for seed in range(RACES)
        for undo in (True, False)
        for line in race_of_seed(seed, undo=undo, ends="all", time_limit_ms=900_000)["standings"]
    }
    assert seen == {"won", "retired", "timed_out", "deadlocked"}


def test_the_referees_race_holds_and_is_ranked() -> None:
    record = referees_race()
    verified(record)
    assert [(line["rank"], line["player"], line["status"]) for line in record["standings"]] == [
        (1, "ann", "won"),
        (2, "bob", "retired"),
        (3, "cyd", "timed_out"),
    ]
    bob = record["standings"][1]
    assert (bob["moves"], bob["actions"], bob["time_ms"]) == (2, 4, 700)


def test_a_player_who_did_nothing_times_out_with_nothing() -> None:
    record = race_of({"ann": win(1_000), "bob": []})
    verified(record)
    assert record["standings"][1] == {
        "rank": 2, "player": "bob", "name": "Bob", "status": "timed_out",
        "score": 0, "best": 0, "moves": 0, "actions": 0, "time_ms": 0,
    }  # fmt: skip


def test_players_may_act_at_the_same_time_and_twice_within_a_millisecond() -> None:
    deeds = [Deed(5, deed.spots) for deed in win(1)]
    verified(race_of({"ann": deeds, "bob": deeds}))


def test_the_code_may_be_written_as_a_person_types_it() -> None:
    record = referees_race()
    record["code"] = " hm1naaaaaab "
    assert verified(record).code.number == 1


def test_further_fields_and_options_are_ignored() -> None:
    """The contract may be added to freely."""
    record = referees_race()
    record["venue"] = "the village hall"
    record["options"]["max_players"] = 16
    record["players"][0]["club"] = "Sunday"
    record["standings"][0]["laurels"] = True
    verified(record)


def test_a_race_without_a_limit_may_end_late_where_somebody_went_away() -> None:
    """Nobody has been online for 10 min, and it is over."""
    record = race_of({"ann": win(1_000)[:3]}, time_limit_ms=None)
    record["over_at"] += 600_000
    verified(record)


def test_a_record_is_read_from_bytes_too_and_written_as_it_was() -> None:
    record = referees_race()
    read = RaceRecord.read(json.dumps(record).encode())
    again = json.loads(read.model_dump_json())
    assert again["players"] == record["players"]
    assert again["standings"] == record["standings"]
    verified(again)


def test_actions_made_in_python_are_those_of_a_record() -> None:
    actions: list[Action] = [
        MoveAction(at_ms=1, move=["1", "8"]),
        UndoAction(at_ms=2, undo=True),
        RetireAction(at_ms=3, retire=True),
    ]
    line = RecordedPlayer(player="p_1", name="Ann", actions=actions)
    assert json.loads(line.model_dump_json())["actions"] == [
        {"at_ms": 1, "move": ["1", "8"]},
        {"at_ms": 2, "undo": True},
        {"at_ms": 3, "retire": True},
    ]


# --- One thing that doesn't hold --------------------------------------------------------------

Change = Callable[[Record], object]


def player(record: Record, name: str) -> Record:
    return next(line for line in record["players"] if line["player"] == name)


def place(record: Record, name: str) -> Record:
    return next(line for line in record["standings"] if line["player"] == name)


def act(record: Record, name: str, number: int) -> Record:
    """A player's action, counted from 1."""
    action: Record = player(record, name)["actions"][number - 1]
    return action


CHANGES: dict[str, tuple[Change, str]] = {
    "the seal of another code": (
        lambda r: r.update(seal=oracle.seal_of("HM1-N-AAAAAAC")),
        r"seal: .* is not the seal of HM1-N-AAAAAAB",
    ),
    "another code": (lambda r: r.update(code="HM1-N-AAAAAAC"), "seal"),
    "another code with its seal": (
        lambda r: r.update(code="HM1-N-AAAAAAC", seal=oracle.seal_of("HM1-N-AAAAAAC")),
        "options: the race was on HM1-N-AAAAAAB, not on HM1-N-AAAAAAC",
    ),
    "a seal in capitals": (lambda r: r.update(seal=r["seal"].upper()), "seal"),
    "nobody raced": (lambda r: r.update(players=[], standings=[]), "players: nobody raced"),
    "a player twice": (
        lambda r: r["players"].append(copy.deepcopy(r["players"][1])),
        "players: bob stands there twice",
    ),
    "a line twice": (
        lambda r: r["standings"].append(copy.deepcopy(r["standings"][2])),
        "standings: cyd stands there twice",
    ),
    "a player without a line": (
        lambda r: r["standings"].pop(1),
        "standings: bob raced but has no line",
    ),
    "a line without a player": (
        lambda r: r["players"].pop(1),
        "standings: bob has a line but did not race",
    ),
    "a time that goes backwards": (
        lambda r: act(r, "bob", 3).update(at_ms=699),
        "bob, action 3: it goes back in time, from 700 ms to 699 ms",
    ),
    "an action at the time limit": (
        lambda r: act(r, "cyd", 1).update(at_ms=900_000),
        "cyd, action 1: at 900000 ms it comes after the time limit",
    ),
    "an action after a win": (
        lambda r: player(r, "ann")["actions"].append({"at_ms": 50_000, "undo": True}),
        r"ann, action 49: it comes after the player was done \(won\)",
    ),
    "an action after retiring": (
        lambda r: player(r, "bob")["actions"].append({"at_ms": 2_001, "undo": True}),
        r"bob, action 6: it comes after the player was done \(retired\)",
    ),
    "retiring twice": (
        lambda r: player(r, "bob")["actions"].append({"at_ms": 2_001, "retire": True}),
        "bob, action 6: .*retired",
    ),
    "an undo too many": (
        lambda r: player(r, "cyd")["actions"].insert(0, {"at_ms": 1, "undo": True}),
        "cyd, action 1: an undo where no move stands",
    ),
    "an undo where undo is off": (
        lambda r: r["options"].update(undo=False),
        "bob, action 3: an undo where undo is off",
    ),
    "a move from an unknown spot": (
        lambda r: act(r, "bob", 1).update(move=["13", "1"]),
        "bob, action 1: the move .* is refused: a spot is a pile",
    ),
    "a move that names a spot twice": (
        lambda r: act(r, "bob", 1).update(move=["1", "1"]),
        "bob, action 1: the move .* is refused: a spot is named twice",
    ),
    "a move of one card": (
        lambda r: act(r, "bob", 1).update(move=["1"]),
        "bob, action 1: the move .* is refused: a move takes two or three cards",
    ),
    "a move of four cards": (
        lambda r: act(r, "bob", 1).update(move=["1", "2", "3", "4"]),
        r"players\.1\.actions\.0\.move",
    ),
    "a move made twice": (
        lambda r: player(r, "bob")["actions"].insert(1, act(r, "bob", 1)),
        "bob, action 2: the move .* is refused",
    ),
    "a move left out": (
        lambda r: player(r, "ann")["actions"].pop(0),
        "ann, action",
    ),
    "over before the start": (
        lambda r: r.update(over_at=r["starts_at"] - 1),
        "over_at: the race was over before it started",
    ),
    "over past the time limit": (
        lambda r: r.update(over_at=r["over_at"] + 1),
        "over_at: 900001 ms after the start, past the time limit",
    ),
    "over before the time limit though somebody raced": (
        lambda r: (act(r, "cyd", 1).update(at_ms=100), r.update(over_at=r["starts_at"] + 60_000)),
        "over_at: 60000 ms after the start, but the race ended at 900000 ms, with the time limit",
    ),
    "an action after the race was over": (
        lambda r: r.update(over_at=r["starts_at"] + 899_998),
        "cyd: an action after the race was over",
    ),
    "one score changed": (
        lambda r: place(r, "bob").update(score=25),
        "standings: score of bob is 25, but by the actions 20",
    ),
    "one best changed": (
        lambda r: place(r, "bob").update(best=30),
        "standings: best of bob is 30, but by the actions 20",
    ),
    "one time changed": (
        lambda r: place(r, "bob").update(time_ms=1_200),
        "standings: time_ms of bob is 1200, but by the actions 700",
    ),
    "one move count changed": (
        lambda r: place(r, "ann").update(moves=47),
        "standings: moves of ann is 47, but by the actions 48",
    ),
    "one action count changed": (
        lambda r: place(r, "bob").update(actions=5),
        "standings: actions of bob is 5, but by the actions 4",
    ),
    "one status changed": (
        lambda r: place(r, "cyd").update(status="retired"),
        "standings: status of cyd is 'retired', but by the actions 'timed_out'",
    ),
    "one name changed": (
        lambda r: place(r, "cyd").update(name="Ann"),
        "standings: name of cyd is 'Ann'",
    ),
    "one rank changed": (
        lambda r: place(r, "bob").update(rank=1),
        "standings: rank of bob is 1, but by the actions 2",
    ),
    "lines out of order": (
        lambda r: r["standings"].reverse(),
        "standings: the lines are not in the order of their ranks",
    ),
}


@pytest.mark.parametrize(("change", "named"), CHANGES.values(), ids=CHANGES)
def test_one_fault_is_refused_by_name(change: Change, named: str) -> None:
    record = referees_race()
    change(record)
    with pytest.raises(RecordFault, match=named):
        verified(record)


def test_the_first_of_two_faults_is_named() -> None:
    record = referees_race()
    place(record, "ann").update(score=0)
    act(record, "bob", 3).update(at_ms=0)
    assert "bob, action 3" in fault_of(record)
    record["seal"] = "0" * 64
    assert "seal" in fault_of(record)


def test_an_action_after_a_deadlock_is_refused_where_undo_is_off() -> None:
    line = [Deed(10, tuple(spots)) for spots in solver.deadlock_line()]
    options = {**OPEN, "code": solver.DEADLOCK_CODE, "undo": False}
    record = written_down(solver.DEADLOCK_CODE, options, {"ann": line})
    assert record["standings"][0]["status"] == "deadlocked"
    verified(record)
    player(record, "ann")["actions"].append({"at_ms": 10, "retire": True})
    assert "it comes after the player was done (deadlocked)" in fault_of(record)


def test_a_deadlock_where_undo_is_on_ends_nothing() -> None:
    line = [Deed(10, tuple(spots)) for spots in solver.deadlock_line()]
    options = {**OPEN, "code": solver.DEADLOCK_CODE}
    retired = written_down(
        solver.DEADLOCK_CODE, options, {"ann": [*line, Deed(20, undo=True), Deed(30, retire=True)]}
    )
    verified(retired)
    waited = written_down(solver.DEADLOCK_CODE, options, {"ann": line})
    assert waited["standings"][0]["status"] == "timed_out"
    verified(waited)
    waited["standings"][0]["status"] = "deadlocked"
    assert "status of ann is 'deadlocked'" in fault_of(waited)


def test_the_first_win_ends_the_race_for_all() -> None:
    record = race_of({"ann": win(1_000), "bob": win(1_001)}, ends="first_win")
    assert record["over_at"] - record["starts_at"] == 48_000
    assert [line["status"] for line in record["standings"]] == ["won", "timed_out"]
    verified(record)
    record["over_at"] += 1
    assert "but the race ended at 48000 ms, with the first win" in fault_of(record)


def test_an_action_after_the_first_win_is_refused() -> None:
    record = race_of({"ann": win(1_000), "bob": win(1_001)}, ends="first_win")
    spots = list(win(1_001)[-1].spots)
    player(record, "bob")["actions"].append({"at_ms": 48_048, "move": spots})
    assert "bob: an action after the race was over" in fault_of(record)


def test_a_second_win_cannot_come_after_the_first_won_the_race() -> None:
    record = race_of({"ann": win(1_000), "bob": win(1_001)})
    verified(record)
    record["options"]["ends"] = "first_win"
    assert "but the race ended at 48000 ms, with the first win" in fault_of(record)


def test_a_race_is_over_when_the_last_is_done() -> None:
    record = race_of({"ann": win(1_000), "bob": [Deed(3, retire=True)]})
    assert record["over_at"] - record["starts_at"] == 48_000
    record["over_at"] += 1
    assert "but the race ended at 48000 ms, with the last was done" in fault_of(record)


# --- Ghosts -----------------------------------------------------------------------------------


def haunted_race(**options: Any) -> Record:
    """Ann retires after two moves; the ghost of a winner races along."""
    ann = [*win(1_000)[:2], Deed(2_500, retire=True)]
    return written_down(solver.WINNABLE_CODE, {**OPEN, **options}, {"ann": ann}, {"g_1": win(900)})


@pytest.mark.parametrize("ends", ["all", "first_win"])
def test_a_ghost_ends_no_race_and_its_run_counts_whole(ends: str) -> None:
    record = haunted_race(ends=ends)
    assert record["over_at"] - record["starts_at"] == 2_500
    assert [(line["rank"], line["player"]) for line in record["standings"]] == [
        (1, "g_1"),
        (2, "ann"),
    ]
    ghost = verified(record).standings[0]
    assert (ghost.status, ghost.time_ms) == ("won", 48 * 900)
    assert ghost.ghost is not None
    assert ghost.ghost.model_dump() == {"race": "r_0", "player": "pg_1"}


def test_what_a_ghost_did_has_to_be_legal_and_within_the_time_limit() -> None:
    record = haunted_race(time_limit_ms=43_000)
    assert "g_1, action 48: at 43200 ms it comes after the time limit" in fault_of(record)
    record = haunted_race()
    del player(record, "g_1")["actions"][0]
    assert "g_1, action" in fault_of(record)


def test_nobody_is_made_a_ghost_nor_a_ghost_somebody() -> None:
    record = haunted_race()
    del player(record, "g_1")["ghost"]
    assert "g_1: an action after the race was over" in fault_of(record)
    record = haunted_race()
    del place(record, "g_1")["ghost"]
    assert "standings: ghost of g_1 is None" in fault_of(record)
    record = haunted_race()
    place(record, "ann")["ghost"] = {"race": "r_0", "player": "p_ann"}
    assert "standings: ghost of ann is GhostOf" in fault_of(record)


def test_a_race_of_ghosts_alone_is_none() -> None:
    record = haunted_race()
    player(record, "ann")["ghost"] = {"race": "r_0", "player": "p_ann"}
    assert "players: nobody raced" in fault_of(record)


# --- Every field, changed one at a time -------------------------------------------------------


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths to all values of a record that hold no others."""
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from leaves(value[index], (*path, index))
    else:
        yield path


def other_values(value: Any) -> list[Any]:
    """Values of the same type that might stand there instead."""
    if value is None:
        return [1000, 60_000]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [number for number in (value + 1, value - 1, 0) if number not in (value, -1)]
    alike = [
        ["won", "retired", "timed_out", "deadlocked"],
        ["all", "first_win"],
        oracle.SPOTS,
        ["HM1-N-AAAAAAA", "HM1-N-AAAAAAB", "hm1-n-aaaaaab"],
    ]
    group = next((group for group in alike if value in group), [f"{value}x"])
    return [other for other in group if other != value]


@pytest.mark.parametrize("seed", range(RACES // 4))
def test_every_single_change_is_judged_as_the_oracle_judges(seed: int) -> None:
    """Refused with a message where it makes a fault, accepted where the record still holds."""
    chance = random.Random(seed)
    race = race_of_seed(
        seed,
        undo=seed % 3 != 0,
        ends=chance.choice(["all", "first_win"]),
        time_limit_ms=chance.choice([None, 60_000, 900_000]),
        players=2,
        ghosts=seed % 2,
    )
    paths = list(leaves(race))
    for path in chance.sample(paths, min(len(paths), 60)):
        changed = copy.deepcopy(race)
        *way, last = path
        spot: Any = changed
        for step in way:
            spot = spot[step]
        spot[last] = chance.choice(other_values(spot[last]))
        holds = oracle.record_holds(changed)
        message = message_of(changed)
        assert (message is None) == holds, (path, spot[last])
        if message is not None:
            assert_named(message, path, race)


PLACES = re.compile(
    r"(p_\d+|g_\d+), action (\d+): |(p_\d+|g_\d+): an action after|"
    r"(seal|options|players|standings|over_at|code)\b"
)


def assert_named(message: str, path: tuple[str | int, ...], race: Record) -> None:
    """The message names a place, and no place before the one that was changed."""
    found = PLACES.match(message)
    assert found is not None, (message, path)
    assert "\n" not in message
    if found[1] is not None and path[0] == "players" and "actions" in path:
        assert isinstance(path[1], int)
        assert isinstance(path[3], int)
        assert found[1] == race["players"][path[1]]["player"], (message, path)
        # A move that changed may still be one; then the first fault comes after it.
        assert int(found[2]) > path[3], (message, path)


@pytest.mark.parametrize("bent", [None, -1, 1.0, 2**53, "1", True, [], {}, [[]]])
def test_a_value_of_another_type_is_refused_where_it_stands(bent: Any) -> None:
    race = referees_race()
    for path in [*leaves(race)]:
        if path[-1] in ("undo", "retire", "code", "time_limit_ms") or path[0] == "race":
            continue
        *way, last = path
        spot: Any = race
        for step in way:
            spot = spot[step]
        sound = spot[last]
        if type(sound) is type(bent):
            continue
        spot[last] = bent
        assert str(path[0]) in fault_of(race)
        spot[last] = sound


@pytest.mark.parametrize(
    "field",
    ["race", "room", "code", "seal", "options", "starts_at", "over_at", "players", "standings"],
)
def test_a_field_that_is_missing_is_named(field: str) -> None:
    record = referees_race()
    del record[field]
    assert fault_of(record).startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("action", "named"),
    [
        ({"at_ms": 5}, "an action is a move, an undo or a retirement"),
        ({}, "an action is a move, an undo or a retirement"),
        ("undo", "an action is a move, an undo or a retirement"),
        (None, "an action is a move, an undo or a retirement"),
        ({"undo": True}, "at_ms"),
        ({"at_ms": 5, "undo": False}, "true"),
        ({"at_ms": 5, "undo": 1}, "true"),
        ({"at_ms": 5, "undo": 1.0}, "true"),
        ({"at_ms": 5, "undo": "true"}, "true"),
        ({"at_ms": 5, "retire": None}, "true"),
        ({"at_ms": 5, "retire": 1}, "true"),
        ({"at_ms": 5, "undo": True, "retire": True}, "retire"),
        ({"at_ms": 5, "undo": True, "move": ["1", "8"]}, "undo"),
        ({"at_ms": 5, "undo": True, "note": ""}, "note"),
        ({"at_ms": 5, "move": "18"}, "move"),
        ({"at_ms": 5, "move": [1, 8]}, "move"),
        ({"at_ms": 5, "move": None}, "move"),
        ({"at_ms": True, "undo": True}, "at_ms"),
        ({"at_ms": 5.0, "undo": True}, "at_ms"),
        ({"at_ms": -5, "undo": True}, "at_ms"),
    ],
)
def test_what_is_no_action_is_refused(action: Any, named: str) -> None:
    record = referees_race()
    player(record, "cyd")["actions"].append(action)
    message = fault_of(record)
    assert message.startswith("players.2.actions.1")
    assert named in message


# --- No record at all -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "null",
        "[]",
        "7",
        '"record"',
        "{",
        "{}",
        "]",
        '{"race":NaN}',
        '{"race":"\\ud800"}',
        "[" * 100_000,
        '{"players":' * 100_000,
        "9" * 5_000,
        '{"starts_at":' + "9" * 5_000 + "}",
        '{"starts_at":1e400}',
        "\ufeff{}",
        "\x00",
        b"\xff\xfe{}",
        b'{"race":"\xed\xa0\x80"}',
        b"\x00" * 1_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_no_record_is_refused_in_one_line(text: str | bytes) -> None:
    with pytest.raises(RecordFault) as refusal:
        RaceRecord.read(text)
    message = str(refusal.value)
    assert message
    assert len(message) < 300
    assert "\n" not in message


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.data())
def test_any_json_in_any_place_is_a_record_or_a_fault(data: st.DataObject) -> None:
    """Never another exception, whatever is put where."""
    record = race_of({"ann": win(1_000)[:3], "bob": []})
    spot: Any = record
    while True:
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(spot[key], dict | list) or not spot[key] or data.draw(st.booleans()):
            break
        spot = spot[key]
    spot[key] = data.draw(json_values)
    text = json.dumps(record, ensure_ascii=data.draw(st.booleans()))
    assert message_of(text.encode("utf-8", "surrogatepass")) != ""


@given(st.binary() | st.text())
def test_any_bytes_are_no_record(content: str | bytes) -> None:
    with pytest.raises(RecordFault):
        RaceRecord.read(content)


# --- The deal nobody chose ----------------------------------------------------------------------

SECRET = bytes(range(32))
NONCES = {"ann": "b7" * 16, "bob": "0a" * 16}


def drawn_race(nonces: dict[str, str] = NONCES) -> Record:
    """A race on a deal that server and racers drew together; nobody did anything in it."""
    code = drawn_code(SECRET, "K7PXM", "r_1", map(bytes.fromhex, nonces.values()))
    options = {"time_limit_ms": 900_000, "undo": True, "ends": "all"}
    record = written_down(str(code), options, {"ann": [], "bob": []})
    draw = {"commit": commit_of(SECRET), "secret": SECRET.hex(), "nonces": dict(nonces)}
    return {**record, "draw": draw}


@pytest.mark.parametrize("nonces", [NONCES, {"ann": "b7" * 16}, {}])
def test_a_drawn_deal_holds_whoever_said_a_nonce(nonces: dict[str, str]) -> None:
    assert verified(drawn_race(nonces)).draw is not None


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda r: r["draw"].update(secret="00" * 32), "draw: the secret is not the one"),
        (lambda r: r["draw"].update(commit="00" * 32), "draw: the secret is not the one"),
        (lambda r: r["draw"]["nonces"].update(bob="0b" * 16), "draw: secret and nonces make HM1-S"),
        (lambda r: r["draw"]["nonces"].pop("ann"), "draw: secret and nonces make HM1-S"),
        (lambda r: r.update(room="K7PXN"), "draw: secret and nonces make HM1-S"),
        (lambda r: r.update(race="r_é"), "draw: a drawn deal has room and race in ASCII"),
        (lambda r: r["draw"].update(nonces={"bob": "0A" * 16}), r"draw\.nonces\.bob"),
        (lambda r: r["draw"].pop("secret"), r"draw\.secret"),
        (lambda r: r["draw"].update(more=1), r"draw\.more"),
    ],
)
def test_a_deal_that_was_not_drawn_so_is_refused(change: Change, named: str) -> None:
    record = drawn_race()
    change(record)
    with pytest.raises(RecordFault, match=named):
        verified(record)
