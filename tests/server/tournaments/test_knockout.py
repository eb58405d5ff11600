"""Knockouts: the standard bracket, byes to the top, and exact equals raced again."""

from __future__ import annotations

import os

import pytest

from halfmoon.tournaments.brackets import first_slots, order, pairs
from halfmoon.wire.tournaments import Correction, Format
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments.state import Heat
from halfmoon_testing.tournaments import Play

LONG = bool(os.environ.get("HALFMOON_LONG"))
SIZES = range(2, 129) if LONG else [*range(2, 18), 27, 33, 64, 100, 128]


def by_seed(play: Play, heat: Heat) -> None:
    """The better seed wins."""
    first, second = sorted(heat.entrants, key=play.t.seeds.index)
    lines = {line.entrant: line for line in play.results(heat, equal=0)}
    better = lines[first].model_copy(update={"status": "retired", "best": 400})
    worse = lines[second].model_copy(update={"status": "retired", "best": 100})
    play.finish(len(play.t.rounds), heat, [better, worse])


def test_eight_stand_as_they_do_everywhere() -> None:
    assert order(8) == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize("count", SIZES)
def test_byes_go_to_the_top_seeds_and_nobody_meets_nobody(count: int) -> None:
    names = [f"e{number}" for number in range(1, count + 1)]
    slots = first_slots(names)
    met = pairs(slots)
    byes = {a or b for a, b in met if a is None or b is None}
    assert byes == {*names[: len(slots) - count]}
    assert (None, None) not in met
    assert len(slots) < 2 * count


@pytest.mark.parametrize("count", SIZES)
def test_if_seeds_win_the_first_two_meet_at_the_end(count: int) -> None:
    play = Play("knockout")
    entrants = play.add(count)
    rounds = 0
    while not play.t.is_over:
        one = play.draw()
        rounds += 1
        for heat in one.heats:
            by_seed(play, heat)
    assert 2 ** (rounds - 1) < count <= 2**rounds
    assert play.t.current is not None
    assert [heat.entrants for heat in play.t.current.heats] == [(entrants[0], entrants[1])]
    ranks = [row["rank"] for row in play.rows()]
    assert ranks[:2] == [1, 2]
    assert play.refused(q.DrawRound(play.chance())) == "wrong_state"


def test_seeds_can_be_put_in_order_before_the_first_round_only() -> None:
    play = Play("knockout")
    a, b, c, d = play.add(4)
    play.ask(q.Seed([d, c, b, a]))
    assert [heat.entrants for heat in play.draw().heats] == [(d, a), (c, b)]
    assert play.refused(q.Seed([a, b, c, d])) == "wrong_state"


def equal_lines(play: Play, heat: Heat, actions: int = 7) -> list[object]:
    [line, *_] = play.results(heat)
    same = {"status": "retired", "best": 100, "time_ms": 9000, "actions": actions}
    return [line.model_copy(update={"entrant": one, **same}) for one in heat.entrants]


def test_an_exact_equal_is_raced_again_at_once_in_the_same_round() -> None:
    play = Play("knockout")
    play.add(2)
    one = play.draw()
    play.finish(1, one.heats[0], equal_lines(play, one.heats[0]))  # type: ignore[arg-type]
    assert play.t.stage == "racing"
    first, further = play.t.rounds[0].heats
    assert further.entrants == first.entrants
    assert further.code != first.code
    assert further.room != first.room
    by_seed(play, further)
    assert play.t.is_over
    assert len(play.t.rounds) == 1


def test_two_who_have_walked_away_do_not_race_for_ever() -> None:
    """After three heats without a single action the better seed goes on."""
    play = Play("knockout")
    play.add(2)
    play.draw()
    for number in range(3):
        assert not play.t.is_over
        heat = play.t.rounds[0].heats[number]
        play.finish(1, heat, equal_lines(play, heat, actions=0))  # type: ignore[arg-type]
    assert play.t.is_over
    assert [row["rank"] for row in play.rows()] == [1, 2]


def test_who_meets_an_absent_one_goes_on_and_nobody_goes_on_where_both_are_absent() -> None:
    play = Play("knockout")
    a, b, c, d = play.add(4, absent=2)
    play.ask(q.Seed([a, c, d, b]))  # a meets b, c meets d, of whom neither came
    play.play()
    assert play.t.is_over  # the winner has nobody left to meet
    assert {row["entrant"] for row in play.rows()[:1]} <= {a, b}


def test_nobody_comes_into_a_bracket_that_is_drawn() -> None:
    play = Play("knockout", entry="open")
    play.add(4)
    play.play()
    assert play.refused(q.AddEntrants(["Late"], play.chance())) == "wrong_state"
    assert play.refused(q.Enter("p_late", "Late", None, play.chance())) == "not_allowed"


def test_who_withdraws_between_rounds_gives_the_other_a_bye() -> None:
    play = Play("knockout")
    play.add(4)
    for heat in play.draw().heats:
        by_seed(play, heat)
    play.ask(q.Withdraw("e1"))
    assert play.draw().byes == ("e2",)
    assert play.rows()[0]["entrant"] == "e2"


def test_a_correction_cannot_change_what_a_later_round_was_drawn_from() -> None:
    play = Play("knockout")
    play.add(4)
    for heat in play.draw().heats:
        by_seed(play, heat)
    for heat in play.draw().heats:
        by_seed(play, heat)
    less = Correction(status="retired", best=0, time_ms=0, reason="seen to cheat")
    assert play.refused(q.Correct(1, "e1", less, play.chance())) == "wrong_state"
    assert play.refused(q.Annul(1, "power cut")) == "wrong_state"
    play.ask(q.Annul(2, "power cut"))
    play.ask(q.Correct(1, "e1", less, play.chance()))
    [final] = play.draw().heats
    assert {*final.entrants} == {"e2", "e4"}
    assert final is play.t.rounds[2].heats[0]


def test_a_correction_that_makes_two_equal_has_them_race_again() -> None:
    play = Play("knockout")
    play.add(2)
    [heat] = play.draw().heats
    play.finish(
        1,
        heat,
        [
            play.results(heat, 0)[0].model_copy(
                update={
                    "entrant": one,
                    "status": "retired",
                    "best": 100 + 100 * (one == "e1"),
                    "time_ms": 9000,
                    "actions": 7,
                }
            )
            for one in heat.entrants
        ],
    )
    assert play.t.is_over
    same = Correction(status="retired", best=100, time_ms=9000, reason="the last move was late")
    play.ask(q.Correct(1, "e1", same, play.chance()))
    assert play.t.stage == "racing"


def finish_both_idle(play: Play) -> None:
    """The heat that runs last ends in an exact equal."""
    one = play.t.rounds[-1]
    lines = [
        e.RacedLine(entrant=x, status="retired", best=0, moves=0, actions=0, time_ms=0)
        for x in one.heats[-1].seats
    ]
    play.finish(one.round, one.heats[-1], lines)


@pytest.mark.parametrize("gone", [1, 2])
def test_an_equal_of_two_of_whom_some_are_withdrawn_comes_to_an_end(gone: int) -> None:
    """A further heat has no seat for who has gone: the other wins it, or nobody goes on."""
    play = Play("knockout")
    a, b = play.add(2)
    play.draw()
    for one in (a, b)[:gone]:
        play.ask(q.Withdraw(one))
    finish_both_idle(play)
    assert [*play.t.rounds[0].heats[1].seats] == [a, b][gone:]
    finish_both_idle(play)
    assert play.t.is_over
    assert [row["rank"] for row in play.rows()] == ([1, 2] if gone == 1 else [1, 1])


def test_a_final_of_two_who_have_withdrawn_is_the_end() -> None:
    """Between rounds, in automatic mode: no round is due, nobody waits, and one may come back."""
    play = Play("knockout")
    play.add(4)
    play.ask(q.SetAutomatic(1000, paused=False))
    play.draw()
    play.race(equal=0)
    assert play.t.next_at is not None
    finalists = [row["entrant"] for row in play.rows()[:2]]
    for one in finalists:
        play.ask(q.Withdraw(one))
    assert "next_at" not in play.state()
    assert play.state()["state"] == "over"
    assert [row["rank"] for row in play.rows()] == [1, 1, 3, 3]
    assert play.refused(q.DrawRound(play.chance())) == "wrong_state"
    play.ask(q.Readmit(finalists[0]))
    assert play.state()["state"] == "break"
    assert "next_at" in play.state()
    assert play.draw().byes == (finalists[0],)
    assert play.t.is_over
    assert play.rows()[0]["entrant"] == finalists[0]


@pytest.mark.parametrize("kind", ["series", "swiss", "knockout"])
def test_no_round_is_due_by_itself_where_too_few_are_left(kind: Format) -> None:
    play = Play(kind)
    a, b, c = play.add(3)
    play.ask(q.SetAutomatic(1000, paused=False))
    play.draw()
    play.race(equal=0)
    for one in (a, b, c):
        play.ask(q.Withdraw(one))
    assert play.t.next_at is None
    assert play.t.stage == ("over" if kind == "knockout" else "break")
    play.ask(q.Readmit(a))
    assert (play.t.next_at is not None) is (kind == "knockout" and play.t.stage == "break")
