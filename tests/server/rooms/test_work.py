"""A move takes the same work whatever lies beneath the cards that it exposes (Promise 7).

So the time of an answer says nothing of hidden cards. What is counted is the interpreter's own
steps; times on a clock are for `make bench`.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest

from halfmoon.engine.deals import Deal
from halfmoon_server.frames import message_frame
from halfmoon_server.rooms import views
from halfmoon_server.rooms.commands import Asked
from halfmoon_server.rooms.decide import decide
from halfmoon_server.rooms.evolve import evolve
from halfmoon_server.rooms.state import Room
from halfmoon_testing.builders import ANN, BEN, CLEO, WINNABLE, exposed_positions, move, undo
from halfmoon_testing.rooms import Table, deal_of, other_deal, race
from halfmoon_testing.solver import winning_line

LINE = winning_line()
MOVES = 24
"""Half of the line, so that much is still hidden at its end."""
EACH = 3
"""After so many moves one is taken back and made again."""


def steps(run: Callable[[], object]) -> int:
    """How many steps the interpreter takes for this."""
    count = 0

    def look(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return look

    before = sys.gettrace()
    # Hypothesis times collections of garbage in Python, and those come when they like.
    gc.disable()
    sys.settrace(look)
    try:
        run()
    finally:
        sys.settrace(before)
        gc.enable()
    return count


def answer(at: Table, kind: Any, command: Any) -> None:
    """A command on its way from its model to all frames that it causes."""
    before = at.room
    events = decide(before, Asked(ANN, "Ann", command), at.now)
    assert isinstance(events, tuple), events
    for event in events:
        at.room = evolve(at.room, event, at.deal_of)
    message_frame(views.answer(kind, before, at.room, ANN, "id", 0))
    message_frame(views.progress(at.room, [ANN], 1))
    message_frame(views.snapshot(at.room, ANN, 1))


def work(deal: Deal) -> tuple[list[int], set[int]]:
    """The steps of each action of a race on this deal, and the places that it exposed."""
    at = race(BEN, watching=[CLEO], deal=lambda _: deal)
    counts: list[int] = []
    exposed = exposed_positions(at.board(ANN).counts)
    for depth in range(MOVES):
        for again in range(2 if depth % EACH == 0 else 1):
            turn = at.board(ANN).turn
            if again:
                counts.append(steps(partial(answer, at, "undone", undo(turn))))
                turn += 1
            counts.append(steps(partial(answer, at, "moved", move(turn, *LINE[depth]))))
            exposed |= exposed_positions(at.board(ANN).counts)
    return counts, exposed


def compared() -> list[tuple[int, int]]:
    """The steps on two deals that differ in what was never exposed, action by action."""
    deal = deal_of(WINNABLE)
    _, exposed = work(deal)  # whatever is made once and kept is made here
    other = other_deal(deal, exposed, random.Random(4))
    assert len(exposed) < 104 - 20, "enough is hidden"
    work(other)
    return [*zip(work(deal)[0], work(other)[0], strict=True)]


def test_an_action_takes_the_same_steps_whatever_is_hidden() -> None:
    for number, (one, other) in enumerate(compared()):
        assert one == other, f"action {number}"
        assert one > 500, "it is the work that is counted"


def test_a_move_that_looks_at_the_card_beneath_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: it tells nothing, and takes a step more for each court card there."""
    sound = views.progress

    def peeking(room: Room, *args: Any, **options: Any) -> Any:
        assert room.race is not None
        board = room.race.seats[ANN].run.board
        for pile, count in zip(board.deal.piles, board.counts[:12], strict=True):
            if count > 1 and pile[count - 2].text[0] in "JQK":
                str(pile)
        return sound(room, *args, **options)

    monkeypatch.setattr(views, "progress", peeking)
    assert any(one != other for one, other in compared())
