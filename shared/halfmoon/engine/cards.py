"""Ranks, suits, cards, and the 104 cards in the fixed order that every shuffle starts from."""

from enum import IntEnum, StrEnum
from typing import ClassVar, Self

from halfmoon.engine.errors import UnreadableCard
from halfmoon.engine.text import TextValue


class Suit(StrEnum):
    """The four suits in the contract's order. They never matter for a move."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Rank(IntEnum):
    """The thirteen ranks; a number card's rank is its value."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def letter(self) -> str:
        """The rank as the contract writes it: `A 2 … 9 T J Q K`."""
        return RANK_LETTERS[self - 1]

    @property
    def is_court(self) -> bool:
        """Whether this is a jack, a queen or a king."""
        return self >= Rank.JACK


RANK_LETTERS = "A23456789TJQK"


class Card(TextValue):
    """A rank and a suit, written as in `5S`, `TD`, `QH` (Contract §1)."""

    __slots__ = ("rank", "suit", "tally", "text")

    text_pattern: ClassVar[str] = "^[A2-9TJQK][SHDC]$"
    text_example: ClassVar[str] = "5S"

    rank: Rank
    suit: Suit
    text: str
    tally: int
    """This card in a count of cards by rank, four bits a rank (see `rules`)."""

    def __init__(self, rank: Rank, suit: Suit) -> None:
        self.rank = rank
        self.suit = suit
        self.text = rank.letter + suit.value
        self.tally = 1 << 4 * rank

    @classmethod
    def parse(cls, text: str) -> Self:
        """The card that `text` names; raises `UnreadableCard`."""
        if len(text) != 2 or text[0] not in RANK_LETTERS or text[1] not in SUIT_LETTERS:
            raise UnreadableCard(f"{text[:20]!r} is no card: a rank A23456789TJQK and a suit SHDC")
        return cls(Rank(RANK_LETTERS.index(text[0]) + 1), Suit(text[1]))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card.parse({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


SUIT_LETTERS = "".join(suit.value for suit in Suit)

PACK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""One pack of 52 in the order before shuffling (Contract §2, step 1)."""

TWO_PACKS: tuple[Card, ...] = PACK + PACK
"""The 104 cards in the order before shuffling: index 0…103."""
