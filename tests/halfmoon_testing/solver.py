"""Lines of play that the tests need: one that wins a deal, and one that runs it into a deadlock.

For tests only, for the program itself never says whether a deal can be won. Both searches are
beams over all lines of equal length, without chance: the same deal always gives the same line.
They stand on the oracle's deals and know the rules by their own tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from halfmoon_testing.oracle import SPOTS, deck, value

WINNABLE_CODE = "HM1-N-AAAAAAB"
"""A deal that `winning_line` solves in a fraction of a second."""

DEADLOCK_CODE = "HM1-N-AAAAABE"
"""A deal that `deadlock_line` runs into a deadlock within two moves, and that can be won."""

BEAMS = (8, 40, 200, 1000)
"""How many lines are carried along at most; the next width is tried where the last found none."""

Line = list[list[str]]
"""Moves in order, each as its spots."""

_JACK, _QUEEN, _KING = 11, 12, 13


def _kind(card: str) -> int:
    """1 to 10 by value, 11 to 13 for jack, queen and king: suits never matter."""
    return value(card) or "JQK".index(card[0]) + _JACK


@dataclass(frozen=True)
class _Node:
    """A position with the moves that led to it."""

    left: tuple[int, ...]
    """How many cards are left at each of the twenty spots."""
    played: _Node | None = None
    move: tuple[int, ...] = ()

    def line(self) -> Line:
        moves: Line = []
        node = self
        while node.played is not None:
            moves.append([SPOTS[spot] for spot in node.move])
            node = node.played
        return moves[::-1]


class _Deal:
    """A deal as twenty columns of kinds, bottom to top; a reserve place is a column of one."""

    def __init__(self, cards: Sequence[str]) -> None:
        kinds = [_kind(card) for card in cards]
        self.columns = [kinds[8 * pile : 8 * pile + 8] for pile in range(12)]
        self.columns += [[kind] for kind in kinds[96:]]
        self.start = _Node(tuple(len(column) for column in self.columns))

    def exposed(self, left: Sequence[int]) -> list[list[int]]:
        """For each kind, the spots where it is exposed."""
        places: list[list[int]] = [[] for _ in range(14)]
        for spot, count in enumerate(left):
            if count:
                places[self.columns[spot][count - 1]].append(spot)
        return places

    def moves(self, left: Sequence[int]) -> Iterator[tuple[int, ...]]:
        places = self.exposed(left)
        for low in range(1, 6):
            for one in places[low]:
                for other in places[11 - low]:
                    yield one, other
        for jack in places[_JACK]:
            for queen in places[_QUEEN]:
                for king in places[_KING]:
                    yield jack, queen, king

    def after(self, node: _Node, move: tuple[int, ...]) -> _Node:
        left = list(node.left)
        for spot in move:
            left[spot] -= 1
        return _Node(tuple(left), node, move)

    def promise(self, left: Sequence[int]) -> float:
        """How hopeful a position looks, less being better.

        Tall piles bury what is needed and the reserve is what keeps a line alive, so height
        costs more the taller a pile is; every kind that is exposed together with its partner
        is a way to go on.
        """
        height = sum(count * count for count in left[:12])
        places = self.exposed(left)
        ways = sum(min(len(places[low]), len(places[11 - low])) for low in range(1, 6))
        ways += min(len(places[court]) for court in (_JACK, _QUEEN, _KING))
        shown = sum(1 for kind in places if kind)
        return height - 4.0 * ways - 3.0 * shown - 2.0 * sum(left[12:])


def _generations(deal: _Deal, width: int, *, hopeful: bool) -> Iterator[list[_Node]]:
    """The best lines of no move, one move, two …, as long as any can go on."""
    beam = [deal.start]
    sign = 1 if hopeful else -1
    while beam:
        yield beam
        reached: dict[tuple[int, ...], _Node] = {}
        for node in beam:
            for move in deal.moves(node.left):
                child = deal.after(node, move)
                reached.setdefault(child.left, child)
        beam = sorted(reached.values(), key=lambda node: sign * deal.promise(node.left))[:width]


def winning_line_of_deck(cards: Sequence[str]) -> Line | None:
    """Forty-eight moves that clear the table, or None where the widest beam finds none."""
    deal = _Deal(cards)
    for width in BEAMS:
        for beam in _generations(deal, width, hopeful=True):
            for node in beam:
                if not any(node.left):
                    return node.line()
    return None


def deadlock_line_of_deck(cards: Sequence[str]) -> Line | None:
    """A line of few moves after which no move is left but cards are, or None if none is found."""
    deal = _Deal(cards)
    for beam in _generations(deal, 60, hopeful=False):
        for node in beam:
            if any(node.left) and not any(True for _ in deal.moves(node.left)):
                return node.line()
    return None


@cache
def winning_line(code: str = WINNABLE_CODE) -> Line:
    """A line that wins this deal; the tests only ask for deals where one is found."""
    line = winning_line_of_deck(deck(code))
    assert line is not None, f"no winning line found for {code}"
    return line


@cache
def deadlock_line(code: str = DEADLOCK_CODE) -> Line:
    """A line that runs this deal into a deadlock; the tests only ask where one is found."""
    line = deadlock_line_of_deck(deck(code))
    assert line is not None, f"no deadlock found for {code}"
    return line
