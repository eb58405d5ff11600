"""The table equals, to the last digit, the one that an independent program makes of the same state."""

from __future__ import annotations

import os

import pytest

from halfmoon.wire.tournaments import Correction, Format
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import views
from halfmoon_server.tournaments.drawing import draw
from halfmoon_testing.tables import table
from halfmoon_testing.tournaments import Play

LONG = bool(os.environ.get("HALFMOON_LONG"))
RANKING = ("rank", "entrant", "name", "points", "wins", "best", "time_ms")
SWISS = (*RANKING, "buchholz", "sonneborn_berger")


def assert_same_table(play: Play) -> None:
    fields = SWISS if play.t.format == "swiss" else RANKING
    told = [{field: row[field] for field in fields} for row in play.rows()]
    assert told == [{field: row[field] for field in fields} for row in table(play.state())]


def random_tournament(kind: Format, seed: int) -> Play:
    play = Play(kind, rounds=5, seed=seed, heat_size=7 if kind == "series" and seed % 2 else None)
    play.add(play.lot.randrange(2, 24), absent=play.lot.randrange(3))
    return play


def disturb(play: Play) -> None:
    """What a director does between rounds."""
    lot = play.lot
    for entrant in [*play.t.active()]:
        if lot.random() < 0.05 and len([*play.t.active()]) > 2:
            play.ask(q.Withdraw(entrant.entrant))
    if play.t.format != "knockout" and not play.t.is_over and lot.random() < 0.3:
        play.add(1)
    one = play.t.current
    if one is None or one.annulled is not None:
        return
    if lot.random() < 0.4:
        correct(play)
    elif lot.random() < 0.15:
        play.ask(q.Annul(one.round, "the projector showed boards"))


def nobody_left(play: Play) -> bool:
    """Whether all who were still in a knockout have withdrawn: it waits for one to be readmitted."""
    return not play.t.is_over and draw(play.t) is None


def correct(play: Play) -> None:
    one = play.t.current
    assert one is not None
    raced = [entrant for heat in one.heats for entrant in heat.results]
    if not raced:
        return
    to = Correction(status="retired", best=play.lot.randrange(52) * 10, time_ms=5000, reason="seen")
    play.ask(q.Correct(one.round, play.lot.choice(raced), to, play.chance()))
    play.race()


@pytest.mark.parametrize("kind", ["series", "swiss", "knockout"])
def test_it_is_the_same_after_every_round(kind: Format) -> None:
    for seed in range(200 if LONG else 4):
        play = random_tournament(kind, seed)
        while not play.t.is_over:
            play.play()
            disturb(play)
            assert_same_table(play)
            if len([*play.t.active()]) < 2 or nobody_left(play):
                break


def test_matchpoints_of_three_with_two_equal() -> None:
    play = Play("series", rounds=1)
    a, b, c = play.add(3)
    heat = play.draw().heats[0]
    [first, *_] = play.results(heat)
    better = first.model_copy(update={"best": 400, "status": "retired", "entrant": a})
    worse = [better.model_copy(update={"best": 300, "entrant": one}) for one in (b, c)]
    play.finish(1, heat, [better, *worse])
    rows = {row["entrant"]: row for row in play.rows()}
    assert [rows[one]["points"] for one in (a, b, c)] == [100.0, 25.0, 25.0]
    assert [rows[one]["rank"] for one in (a, b, c)] == [1, 2, 2]
    assert [rows[one]["wins"] for one in (a, b, c)] == [1, 0, 0]


def test_a_percentage_is_rounded_half_to_even() -> None:
    """17 entrants: one equal of 16 others is 3.125 per cent."""
    play = Play("series", rounds=1)
    entrants = play.add(17)
    heat = play.draw().heats[0]
    [line, *_] = play.results(heat)
    lines = [
        line.model_copy(update={"entrant": one, "status": "retired", "best": 10 * max(1, place)})
        for place, one in enumerate(entrants)
    ]
    play.finish(1, heat, lines)
    points = {row["entrant"]: row["points"] for row in play.rows()}
    assert points[entrants[0]] == points[entrants[1]] == 3.12
    assert points[entrants[2]] == 12.5


def test_the_absent_are_beaten_by_all_and_have_no_line() -> None:
    play = Play("series", rounds=1)
    *here, away = play.add(3, absent=1)
    play.play()
    rows = {row["entrant"]: row for row in play.rows()}
    assert rows[away]["points"] == 0
    assert rows[away]["rounds"] == [{"round": 1, "points": 0.0, "absent": True}]
    assert all(rows[one]["points"] >= 50 for one in here)
    [heat] = play.state()["heats"]
    assert {line["entrant"] for line in heat["results"]} == {*here}


def test_a_heat_of_two_with_one_absent_is_a_win() -> None:
    play = Play("swiss", rounds=1)
    here, away = play.add(2, absent=1)
    play.play()
    rows = {row["entrant"]: row for row in play.rows()}
    assert (rows[here]["points"], rows[here]["wins"], rows[away]["points"]) == (1.0, 1, 0.0)
    assert rows[away]["buchholz"] == 0


def test_who_withdrew_without_points_is_not_above_who_has_some() -> None:
    play = Play("swiss", rounds=3)
    entrants = play.add(8)
    play.ask(q.Withdraw(entrants[0]))
    play.play(3)
    ranks = {row["entrant"]: row["rank"] for row in play.rows()}
    assert ranks[entrants[0]] > min(ranks.values())
    assert [row["points"] for row in play.rows()] == sorted(
        (row["points"] for row in play.rows()), reverse=True
    )
    assert [row["active"] for row in play.rows() if row["entrant"] == entrants[0]] == [False]


@pytest.mark.parametrize("kind", ["series", "swiss", "knockout"])
def test_the_rule_is_said_in_words(kind: Format) -> None:
    rule = views.standings(Play(kind).t).rule
    assert "rank" in rule
    assert rule.endswith(".")
