"""The table of a challenge or a day: ranks, and pages that fit together while others come into it."""

from __future__ import annotations

import random
from collections.abc import Iterable

from halfmoon.wire.challenges import LINES_A_PAGE
from halfmoon_server.challenges.table import page_of, ranked, result_line
from halfmoon_server.eventlog.results import Result, Rules
from halfmoon_server.results_api import place_asked, place_text

RULES = Rules(undo=True, time_limit_ms=900_000, ends="all")


def result(number: int, best: int, time_ms: int) -> Result:
    """Of a racer of this number, with many equals."""
    return Result(
        race=f"r_{number}", player=f"p_{number}", name="Ann", room="AAAAA", code="X", rules=RULES,
        contest="challenge/X", starts_at=0, over_at=number % 3, rank=1, racers=1,
        status="retired", score=best, best=best, moves=1, actions=1, undos=0, time_ms=time_ms,
        is_deadlocked=False,
    )  # fmt: skip


def some(count: int, seed: int, first: int = 0) -> list[Result]:
    chance = random.Random(seed)
    scores = [(10 * chance.randrange(5), chance.randrange(3)) for _ in range(count)]
    return [result(first + n, best, time_ms) for n, (best, time_ms) in enumerate(scores)]


def names(results: Iterable[Result]) -> list[str]:
    return [line.player for _, line in ranked(map(result_line, results))]


def test_who_comes_into_the_table_meanwhile_moves_nobody_to_another_page() -> None:
    """Each line is told once, whatever came before it, and a cursor is what `?after=` brings back."""
    there, told, after = some(3 * LINES_A_PAGE + 7, seed=1), list[str](), None
    first = {*names(there)}
    for turn in range(1, 99):
        page, following = page_of(ranked(map(result_line, there)), after)
        told += [line.player for line in page]
        if following is None:
            break
        after = place_asked(place_text(following))
        assert after == following
        there += some(30, seed=turn + 1, first=1000 * turn)
    assert len(told) == len({*told}), "nobody is told twice"
    assert first <= {*told}, "and nobody left out"
    assert [who for who in names(there) if who in told] == told


def test_equals_share_a_rank_and_the_next_is_left_out() -> None:
    lines = [result(1, 50, 7), result(2, 60, 9), result(3, 50, 7), result(4, 40, 1)]
    table = [(line.player, line.rank) for _, line in ranked(map(result_line, lines))]
    assert table == [("p_2", 1), ("p_3", 2), ("p_1", 2), ("p_4", 4)]
