"""Tables laid out for a purpose: deals that show these cards, lines that end in that position."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from halfmoon.engine.board import Board
from halfmoon.engine.cards import Card
from halfmoon.engine.codes import Code
from halfmoon.engine.deals import Deal
from halfmoon_testing.oracle import SPOTS, OracleBoard, two_packs
from halfmoon_testing.solver import Line

ANY_CODE = Code.parse("HM1-N-AAAAAAA")
"""Stands on deals that were laid out by hand, where the code doesn't matter."""

_ROOM = [8] * 12 + [1] * 8
_KINDS = ("AT", "29", "38", "47", "56", "JQK")


@dataclass(frozen=True)
class LaidOut:
    """A deck and a line from its deal to the position that was asked for."""

    cards: list[str]
    line: Line

    def board(self) -> Board:
        """The engine's board at the end of the line."""
        return played(Board.start(deal_of(self.cards)), self.line)

    def oracle(self) -> OracleBoard:
        """The oracle's board at the end of the line."""
        board = OracleBoard.of_deck(self.cards)
        for spots in self.line:
            board.play(spots)
        return board


def deal_of(cards: Iterable[str]) -> Deal:
    """A deal of these 104 cards, in dealing order."""
    return Deal.of_deck(ANY_CODE, [Card.parse(card) for card in cards])


def played(board: Board, line: Iterable[Sequence[str]]) -> Board:
    """The board after all moves of a line."""
    for spots in line:
        board = board.play(spots)
    return board


def deck_showing(tops: Mapping[str, str]) -> list[str]:
    """A deck whose deal has these cards on top, the first of each text uppermost: "6D JC"."""
    rest = two_packs()
    columns: list[list[str]] = [[] for _ in SPOTS]
    for spot, text in tops.items():
        columns[SPOTS.index(spot)] = text.split()[::-1]
        for card in text.split():
            rest.remove(card)
    deck = []
    for column, room in zip(columns, _ROOM, strict=True):
        missing = room - len(column)
        deck += [*rest[:missing], *column]
        del rest[:missing]
    return deck


def layout_leaving(left: Mapping[str, str], seed: int = 0) -> LaidOut:
    """A deal and a line of it after which just these cards are left, the first uppermost.

    The line is made from its end: what has gone is put back a pair or a triple at a time, where
    most room is. So `left` must be what can be left: each pair's two values equally often, and as
    many jacks as queens and kings.
    """
    chance = random.Random(seed)
    columns: list[list[str]] = [[] for _ in SPOTS]
    for spot, text in left.items():
        columns[SPOTS.index(spot)] = text.split()[::-1]
    gone = Counter(two_packs())
    gone.subtract(card for column in columns for card in column)
    assert min(gone.values()) >= 0, "two packs have every card twice"
    line = []
    for group in _groups(list(gone.elements()), chance):
        room = [limit - len(column) for limit, column in zip(_ROOM, columns, strict=True)]
        order = sorted(range(20), key=lambda place: (-room[place], chance.random()))
        spots = order[: len(group)]
        assert all(room[place] for place in spots), "no room left for the last cards"
        for place, card in zip(spots, group, strict=True):
            columns[place].append(card)
        line.append([SPOTS[place] for place in spots])
    return LaidOut([card for column in columns for card in column], line[::-1])


def _groups(cards: list[str], chance: random.Random) -> list[list[str]]:
    """The cards as pairs of 11 and triples, in any order."""
    chance.shuffle(cards)
    groups = []
    for kinds in _KINDS:
        heaps = [[card for card in cards if card[0] == rank] for rank in kinds]
        groups += [list(group) for group in zip(*heaps, strict=True)]
    chance.shuffle(groups)
    return groups
