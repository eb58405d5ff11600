"""What a delayed audience still has to be shown is kept as what changed, not as whole rooms."""

from __future__ import annotations

import tracemalloc

from halfmoon_server.hosting.gallery import Gallery
from halfmoon_testing import builders as b
from halfmoon_testing.rooms import race
from halfmoon_testing.solver import winning_line

LINE = winning_line()
ACTIONS = 200


def kept_per_action(racers: int) -> float:
    """Bytes that one action of one of so many costs while it waits."""
    names = [f"p_{number}" for number in range(racers - 1)]
    at = race(
        *names, code=b.WINNABLE, spectator_delay_ms=3_600_000, max_players=1000, time_limit_ms=None
    )
    gallery = Gallery()
    for change in at.changes:
        gallery.follow(*change)
    acted = len(at.changes)
    for number in range(ACTIONS):
        turn = at.board(b.ANN).turn
        at.does(b.ANN, b.undo(turn) if number % 2 else b.move(turn, *LINE[0]))
    tracemalloc.start()
    try:
        for change in at.changes[acted:]:
            gallery.follow(*change)
        return tracemalloc.get_traced_memory()[0] / ACTIONS
    finally:
        tracemalloc.stop()


def test_what_waits_does_not_grow_with_the_number_of_racers() -> None:
    assert kept_per_action(100) < 2 * kept_per_action(4)
