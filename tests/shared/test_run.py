"""One player's race: the best score and when it was reached, and when the player is done."""

import pytest

from halfmoon.engine.codes import Code
from halfmoon.engine.deals import Deal
from halfmoon.engine.run import Run
from halfmoon_testing import solver
from halfmoon_testing.layouts import deal_of, deck_showing

DEAL = Deal.of(Code.parse("HM1-N-AAAAAAB"))


def raced(*actions: tuple[int, list[str] | None]) -> Run:
    """A run of these moves, None being an undo, each at its time, on a table with two pairs."""
    deck = deck_showing({"1": "5S", "2": "6S", "3": "AS", "4": "TS"})
    run = Run.start(deal_of(deck))
    for at_ms, spots in actions:
        board = run.board.undo() if spots is None else run.board.play(spots)
        run = run.moved_to(board, at_ms)
    return run


def test_a_run_begins_with_nothing() -> None:
    run = Run.start(DEAL)
    assert (run.best, run.best_at_ms, run.at_ms, run.status) == (0, 0, 0, "racing")


def test_best_is_the_highest_score_and_when_it_was_first_reached() -> None:
    run = raced((100, ["1", "2"]), (250, ["3", "4"]))
    assert (run.best, run.best_at_ms, run.at_ms) == (20, 250, 250)


def test_an_undo_leaves_best_as_it_is() -> None:
    run = raced((100, ["1", "2"]), (250, ["3", "4"]), (300, None))
    assert (run.board.score, run.best, run.best_at_ms, run.at_ms) == (10, 20, 250, 300)


def test_reaching_best_again_is_not_reaching_it_first() -> None:
    run = raced((100, ["1", "2"]), (300, None), (400, ["3", "4"]))
    assert (run.best, run.best_at_ms, run.at_ms) == (10, 100, 400)


def test_who_won_is_done() -> None:
    run = Run.start(Deal.of(Code.parse(solver.WINNABLE_CODE)))
    for number, spots in enumerate(solver.winning_line(), start=1):
        assert not run.is_done(undo=True)
        run = run.moved_to(run.board.play(spots), 1_000 * number)
    assert (run.status, run.best, run.best_at_ms) == ("won", 520, 48_000)
    assert run.is_done(undo=True)
    assert run.is_done(undo=False)


def test_who_is_deadlocked_is_done_only_where_undo_is_off() -> None:
    run = Run.start(Deal.of(Code.parse(solver.DEADLOCK_CODE)))
    for spots in solver.deadlock_line():
        run = run.moved_to(run.board.play(spots), 5)
    assert run.status == "deadlocked"
    assert not run.is_done(undo=True)
    assert run.is_done(undo=False)


@pytest.mark.parametrize("undo", [True, False])
def test_who_retired_or_timed_out_is_done_with_what_they_have(undo: bool) -> None:
    run = raced((100, ["1", "2"]))
    retired, timed_out = run.left("retired", 700), run.left("timed_out", 900)
    assert (retired.status, retired.best, retired.at_ms) == ("retired", 10, 700)
    assert (timed_out.status, timed_out.best, timed_out.at_ms) == ("timed_out", 10, 900)
    assert retired.is_done(undo=undo)
    assert timed_out.is_done(undo=undo)
    assert not run.is_done(undo=undo)
