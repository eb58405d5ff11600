"""What a racer does on a board, drawn as it goes on, and what the oracle makes of each action."""

from __future__ import annotations

import random
from typing import Any

from halfmoon.engine.codes import Code
from halfmoon_testing.builders import label
from halfmoon_testing.oracle import OracleBoard

Message = dict[str, Any]
UNDO_SHARE = 0.2


class Script:
    """One racer's actions in a race, on cards that are written as the place where they lay."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.board = OracleBoard.of_code(str(code))
        self.actions: list[list[str]] = []
        """What was said, in order: the spots of a move, nothing for an undo."""
        self.is_retired = False
        self._done = 0
        """How many of them were answered."""
        self._shown = [self._show()]
        """The board before the first action, and after each."""

    def next_action(self, chance: random.Random, most: int) -> tuple[str, Message, Message] | None:
        """The next command, its fields, and what its answer must say; None after so many."""
        if len(self.actions) >= most or self.is_retired:
            return None
        moves = sorted(sorted(spots) for spots in self.board.legal_moves())
        turn = self.board.turn
        if self.board.can_undo() and (not moves or chance.random() < UNDO_SHARE):
            places = self.board.undo()
            tops = self._tops()
            expected: Message = {"type": "undone", "restored": {s: tops[s] for s, _ in places}}
            return self._acted([], turn, expected)
        if not moves:
            return None
        spots = chance.choice(moves)
        before = self._tops()
        self.board.play(spots)
        tops = self._tops()
        expected = {
            "type": "moved",
            "removed": [before[spot] for spot in spots],
            "revealed": {spot: tops.get(spot) for spot in spots},
        }
        return self._acted(spots, turn, expected)

    def _acted(
        self, spots: list[str], turn: int, expected: Message
    ) -> tuple[str, Message, Message]:
        self.actions.append(spots)
        self._shown.append(self._show())
        board = self.board
        expected |= {"turn": board.turn, "score": board.score, "moves": board.moves}
        expected["status"] = board.status()
        if spots:
            return "move", {"turn": turn, "spots": spots}, expected
        return "undo", {"turn": turn}, expected

    def acknowledged(self, expected: Message) -> None:
        """An action was answered."""
        self._done = max(self._done, expected.get("turn", 0))

    def compare(self, board: Message) -> str:
        """What is wrong with the board as the server shows it; empty where nothing is."""
        turn = board["turn"]
        if not self._done <= turn <= len(self.actions):
            return f"{self._done} actions were answered of {len(self.actions)}: {board}"
        wrong = {key: board[key] for key, value in self._shown[turn].items() if board[key] != value}
        return f"after {turn} actions the board isn't {wrong}" if wrong else ""

    def _show(self) -> Message:
        tops = self._tops()
        counts = self.board.counts()
        return {
            "piles": [
                {"top": tops.get(str(number)), "count": count}
                for number, count in enumerate(counts, 1)
            ],
            "reserve": [tops.get(f"R{number}") for number in range(1, 9)],
            "score": self.board.score,
            "moves": self.board.moves,
        }

    def _tops(self) -> dict[str, str]:
        """The label that lies open at each spot (Contract §2, step 5)."""
        tops = {
            str(pile): label(self.code, 8 * (pile - 1) + count - 1)
            for pile, count in enumerate(self.board.counts(), 1)
            if count
        }
        for place, card in enumerate(self.board.reserve):
            if card is not None:
                tops[f"R{place + 1}"] = label(self.code, 96 + place)
        return tops
