"""How scores went so far: what a racer who comes back is told, and that it stays small."""

from __future__ import annotations

import json
from dataclasses import replace

from halfmoon.wire import codec
from halfmoon_server.rooms import views
from halfmoon_server.rooms.courses import (
    MOST_KEPT,
    MOST_RACERS,
    MOST_SHOWN,
    courses_of,
    grown,
    points_of,
)
from halfmoon_testing.builders import ANN, BEN, CLEO, WINNABLE, retire, undo
from halfmoon_testing.rooms import race
from halfmoon_testing.solver import winning_line

WIN = winning_line()


def test_a_running_race_is_told_with_every_change_of_score() -> None:
    at = race(BEN, watching=[CLEO], code=WINNABLE)
    at.play(BEN, WIN[:3])
    at.pass_ms(1000)
    at.does(BEN, undo(3))
    scores = [sum(10 if len(spots) == 2 else 15 for spots in WIN[:n]) for n in (1, 2, 3, 2)]
    expected = {BEN: [[1000 * (i + 1), score] for i, score in enumerate(scores)]}
    for who in (ANN, BEN, CLEO):
        assert views.snapshot(at.room, who, 0).courses == expected, "who did nothing has none"
    at.does(BEN, retire())
    assert views.snapshot(at.room, ANN, 0).courses == expected, "an end is no change of score"
    at.does(ANN, retire())
    assert views.snapshot(at.room, ANN, 0).courses is None, "then the record tells it"


def test_a_course_of_very_many_points_keeps_its_ends_and_stays_small() -> None:
    course = b""
    for i in range(20 * MOST_KEPT):
        course = grown(course, i * 100, i % 521)
    assert len(course) <= 8 * MOST_KEPT
    shown = points_of(course)
    last = 20 * MOST_KEPT - 1
    assert (len(shown), shown[0], shown[-1]) == (MOST_SHOWN, [0, 0], [last * 100, last % 521])
    assert shown == sorted(shown)


def test_of_very_many_racers_the_best_are_told_within_a_message() -> None:
    at = race(BEN, code=WINNABLE)
    at.play(BEN, WIN[:2])
    at.play(ANN, WIN[:1])
    assert at.room.race is not None
    course = b""
    for i in range(MOST_KEPT):
        course = grown(course, 80_000_000 + i, 520)
    better = replace(at.seat(BEN), course=course)
    seats = {f"p_{i:016x}": replace(better, player=f"p_{i:016x}") for i in range(40)}
    told = courses_of(replace(at.room.race, seats={ANN: at.seat(ANN), **seats}))
    assert len(told) == MOST_RACERS
    assert ANN not in told
    snapshot = views.snapshot(at.room, ANN, 0).model_copy(update={"courses": told})
    assert len(json.dumps(told, separators=(",", ":"))) < 16_384
    assert codec.read_message(codec.write(snapshot)) == snapshot
