"""Replays as the engine makes them, for the page to make the same: tests/vectors/replays.json.

python -m halfmoon_testing.replays > ../tests/vectors/replays.json
"""

from __future__ import annotations

import json
import sys
from typing import Any

from halfmoon.engine.board import Board
from halfmoon.engine.deals import Deal
from halfmoon.engine.record import MoveAction, RaceRecord, UndoAction
from halfmoon.engine.spots import SPOTS
from halfmoon_testing.records import Record, simulated_race

SEEDS = (1, 3, 5)


def vectors() -> list[Record]:
    """A few races, and how every board stood after every action."""
    return [{"record": race, "boards": _boards(race)} for race in map(simulated_race, SEEDS)]


def _boards(race: Record) -> list[list[list[Any]]]:
    """By player: score, moves, status and what is exposed, before the first action and after each."""
    record = RaceRecord.model_validate_json(json.dumps(race))
    boards = []
    for line in record.players:
        board = Board.start(Deal.of(record.code))
        seen = [_looks(board)]
        for action in line.actions:
            if isinstance(action, MoveAction):
                board = board.play(action.move)
            elif isinstance(action, UndoAction):
                board = board.undo()
            seen.append(_looks(board))
        boards.append(seen)
    return boards


def _looks(board: Board) -> list[Any]:
    exposed = " ".join(str(board.exposed(spot) or "--") for spot in SPOTS)
    return [board.score, board.moves, board.status, exposed]


if __name__ == "__main__":
    lines = [json.dumps(vector, separators=(",", ":")) for vector in vectors()]
    sys.stdout.write("[\n" + ",\n".join(lines) + "\n]\n")
