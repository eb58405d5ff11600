"""The ranking of a race: every tie-break, and shared ranks (contract §6)."""

import random
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.engine.board import Board, BoardStatus
from halfmoon.engine.deals import Deal
from halfmoon.engine.run import Run
from halfmoon.engine.standings import FinalStatus, Finish, standings
from halfmoon_testing import oracle
from halfmoon_testing.layouts import ANY_CODE

FRESH = Board.start(Deal.of(ANY_CODE))


def finish(
    player: str,
    *,
    status: FinalStatus = "timed_out",
    best: int = 100,
    time_ms: int = 5_000,
    actions: int = 20,
    score: int | None = None,
    moves: int = 10,
) -> Finish:
    """A finished run with these values; a winner's best is 520."""
    by_the_board: BoardStatus = "racing"
    left_as: Literal["retired", "timed_out"] | None = None
    if status == "won" or status == "deadlocked":  # noqa: PLR1714 - type checkers follow this one
        by_the_board = status
    else:
        left_as = status
    best = 520 if status == "won" else best
    board = FRESH.model_copy(
        update={
            "status": by_the_board,
            "score": best if score is None else score,
            "moves": moves,
            "turn": actions,
        }
    )
    run = Run(board=board, best=best, best_at_ms=time_ms, at_ms=time_ms, left_as=left_as)
    return Finish(player=player, name=player.upper(), run=run)


def ranked(*finishes: Finish) -> list[tuple[int, str]]:
    """Rank and player, line by line; the order in which they are handed in must not matter."""
    expected = [(line.rank, line.player) for line in standings(finishes)]
    for seed in range(6):
        shuffled = random.Random(seed).sample(finishes, len(finishes))
        assert sorted((line.rank, line.player) for line in standings(shuffled)) == sorted(expected)
    return expected


def test_winners_come_first_however_late() -> None:
    assert ranked(
        finish("b", best=510, time_ms=1_000, actions=1),
        finish("a", status="won", time_ms=900_000, actions=400),
    ) == [(1, "a"), (2, "b")]


def test_of_two_winners_the_earlier_is_first() -> None:
    assert ranked(
        finish("late", status="won", time_ms=60_001, actions=48),
        finish("early", status="won", time_ms=60_000, actions=96),
    ) == [(1, "early"), (2, "late")]


def test_of_two_winners_at_the_same_time_fewer_actions_are_first() -> None:
    assert ranked(
        finish("b", status="won", time_ms=60_000, actions=50),
        finish("a", status="won", time_ms=60_000, actions=48),
    ) == [(1, "a"), (2, "b")]


def test_without_a_win_the_higher_best_is_first() -> None:
    assert ranked(
        finish("b", best=100, time_ms=1, actions=1),
        finish("a", best=105, time_ms=9_999, actions=99),
    ) == [(1, "a"), (2, "b")]


def test_best_counts_and_not_the_score_at_the_end() -> None:
    assert ranked(
        finish("b", best=100, score=100),
        finish("a", best=110, score=0),
    ) == [(1, "a"), (2, "b")]


def test_of_equal_bests_who_reached_it_first_is_first() -> None:
    assert ranked(
        finish("b", time_ms=5_001, actions=1),
        finish("a", time_ms=5_000, actions=99),
    ) == [(1, "a"), (2, "b")]


def test_of_equal_bests_at_the_same_time_fewer_actions_are_first() -> None:
    assert ranked(finish("b", actions=21), finish("a", actions=20)) == [(1, "a"), (2, "b")]


def test_exact_equals_share_a_rank_and_the_next_is_skipped() -> None:
    assert ranked(
        finish("a", best=120),
        finish("b"),
        finish("c"),
        finish("d", best=90),
    ) == [(1, "a"), (2, "b"), (2, "c"), (4, "d")]


def test_all_may_be_equal() -> None:
    assert [rank for rank, _ in ranked(*(finish(player) for player in "abcd"))] == [1, 1, 1, 1]


def test_equal_winners_share_a_rank() -> None:
    assert [
        rank
        for rank, _ in ranked(
            finish("a", status="won"), finish("b", status="won"), finish("c", best=510)
        )
    ] == [1, 1, 3]


def test_equals_stand_in_the_order_in_which_they_came() -> None:
    assert [line.player for line in standings([finish("z"), finish("a"), finish("m")])] == [
        "z", "a", "m",
    ]  # fmt: skip


@pytest.mark.parametrize("status", ["retired", "timed_out", "deadlocked"])
def test_how_a_run_ended_without_a_win_ranks_nobody(status: FinalStatus) -> None:
    lines = ranked(finish("a", status=status), finish("b", status="timed_out"))
    assert [rank for rank, _ in lines] == [1, 1]


def test_who_scored_nothing_has_time_0_and_ranks_by_actions() -> None:
    nothing = finish("idle", best=0, time_ms=0, actions=0)
    tried = finish("tried", best=10, time_ms=899_999, actions=2)
    assert ranked(nothing, tried) == [(1, "tried"), (2, "idle")]
    assert standings([nothing])[0].time_ms == 0


def test_a_line_has_every_value_that_ranks_it() -> None:
    (line,) = standings([finish("a", best=35, time_ms=70, actions=9, score=25, moves=2)])
    assert line.model_dump() == {
        "rank": 1,
        "player": "a",
        "name": "A",
        "status": "timed_out",
        "score": 25,
        "best": 35,
        "moves": 2,
        "actions": 9,
        "time_ms": 70,
    }


def test_nobody_has_no_standings() -> None:
    assert standings([]) == []


def test_who_still_races_has_no_place_yet() -> None:
    racing = Finish(player="a", name="A", run=Run.start(Deal.of(ANY_CODE)))
    with pytest.raises(AssertionError, match="nobody races"):
        standings([racing])


results = st.builds(
    oracle.Result,
    player=st.just(""),
    status=st.sampled_from(["won", "retired", "timed_out", "deadlocked"]),
    best=st.sampled_from([0, 10, 25, 510]),
    actions=st.integers(0, 3),
    time_ms=st.integers(0, 3),
)
"""Few values each, so that equals are common on every step."""


@given(st.lists(results, max_size=12))
def test_ranks_are_the_oracles(table: list[oracle.Result]) -> None:
    finishes: list[Finish] = []
    for number, result in enumerate(table):
        result.player = f"p{number}"
        if result.status == "won":
            result.best = 520
        finishes.append(
            finish(
                result.player,
                status=result.status,  # type: ignore[arg-type]
                best=result.best,
                time_ms=result.time_ms,
                actions=result.actions,
            )
        )
    lines = standings(finishes)
    assert {line.player: line.rank for line in lines} == oracle.ranks(table)
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)
