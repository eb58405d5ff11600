"""A deal drawn with characters: the arc of twelve piles and the reserve inside, 78 columns wide.

In every pile the cards lie from the outside of the arc to its inside, where the exposed one is.
"""

from collections.abc import Iterator

from halfmoon.engine.cards import Card
from halfmoon.engine.deals import Deal

WIDTH = 78
ARC = WIDTH // 7
"""Columns of each of the seven piles across the top."""
SIDE = 25
"""Columns of a pile at the side: eight cards, a blank or a bracket around each."""

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SYMBOLS = "".join(SUITS.values()) + "×"
"""What a terminal must be able to show for `symbols=True`."""

LONGEST_LINE = 500

Faces = list[str]
"""The cards of a pile from the bottom up, as they are drawn."""


def draw(deal: Deal, *, symbols: bool) -> str:
    """The whole deal, every card of it, with suits as symbols or as letters."""
    suits = SUITS if symbols else {suit: suit for suit in SUITS}

    def face(card: Card) -> str:
        return card.rank.letter + suits[card.suit.value]

    piles = [[face(card) for card in pile] for pile in deal.piles]
    labels = [f"{i} {'×' if symbols else 'x'}{len(pile)}" for i, pile in enumerate(piles, 1)]
    reserve = [face(card) for card in deal.reserve]
    lines = [
        f"{deal.code!s:<{WIDTH - 16}}[ ] lies exposed",
        "",
        *_across(piles[3:10], labels[3:10]),
        "",
        *_beside(piles[2], labels[2], _row_of(reserve, 0), piles[10], labels[10]),
        "",
        *_beside(piles[1], labels[1], _row_of(reserve, 4), piles[11], labels[11]),
        "",
        *_beside(piles[0], labels[0]),
    ]
    return "\n".join(line.rstrip() for line in lines)


def one_line(text: str) -> str:
    """The text on one line: what a terminal would obey or hide is shown as its number."""
    shown = "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in text
    )
    return shown if len(shown) <= LONGEST_LINE else shown[:LONGEST_LINE] + "..."


def _across(piles: list[Faces], labels: list[str]) -> Iterator[str]:
    """Piles 4…10 as columns, the bottom card uppermost."""
    *covered, exposed = zip(*piles, strict=True)
    for row in covered:
        yield "".join(f"{card:^{ARC}}" for card in row)
    yield "".join(f"{f'[{card}]':^{ARC}}" for card in exposed)
    yield "".join(f"{label:^{ARC}}" for label in labels)


def _beside(
    left: Faces,
    left_label: str,
    reserve: tuple[str, str] = ("", ""),
    right: Faces | None = None,
    right_label: str = "",
) -> Iterator[str]:
    """A pile at the left, two of the reserve's rows or nothing, and a pile at the right."""
    *covered, exposed = left
    left_cards = "".join(f" {card}" for card in covered) + f"[{exposed}]"
    right_cards = ""
    if right is not None:
        *covered, exposed = right
        right_cards = f"[{exposed}]" + "".join(f"{card} " for card in reversed(covered))
    middle = WIDTH - 2 * SIDE
    yield f"{left_cards:>{SIDE}}{reserve[0]:^{middle}}{right_cards}"
    yield f"{left_label:>{SIDE}}{reserve[1]:^{middle}}{right_label}"


def _row_of(reserve: Faces, first: int) -> tuple[str, str]:
    """Four cards of the reserve from R`first + 1` on, and their marks."""
    places = range(first, first + 4)
    cards = "".join(f"{f'[{reserve[place]}]':^6}" for place in places)
    return cards, "".join(f"{f'R{place + 1}':^6}" for place in places)
