"""Code to deal: random words, uniform numbers, the shuffle (Contract §2; fixed for ever)."""

import hashlib
import struct
from collections.abc import Iterator
from functools import cached_property

from pydantic import BaseModel, ConfigDict

from halfmoon.engine.cards import TWO_PACKS, Card
from halfmoon.engine.codes import Code

PILE_COUNT = 12
PILE_HEIGHT = 8
RESERVE_COUNT = 8
WORD_RANGE = 1 << 32

_WORDS = struct.Struct(">8I")


class Deal(BaseModel):
    """How the 104 cards lie at the start."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    code: Code
    piles: tuple[tuple[Card, ...], ...]
    """Twelve tableau piles, each of eight cards from bottom to top."""
    reserve: tuple[Card, ...]
    """The eight reserve cards, R1…R8."""

    @classmethod
    def of(cls, code: Code) -> "Deal":
        """The deal that `code` makes, the same for ever."""
        return cls.of_deck(code, shuffled(code))

    @classmethod
    def of_deck(cls, code: Code, deck: list[Card]) -> "Deal":
        """104 cards in dealing order laid out (Contract §2, step 5)."""
        piles = tuple(
            tuple(deck[PILE_HEIGHT * p : PILE_HEIGHT * (p + 1)]) for p in range(PILE_COUNT)
        )
        return cls(code=code, piles=piles, reserve=tuple(deck[PILE_COUNT * PILE_HEIGHT :]))

    @cached_property
    def ladders(self) -> tuple[tuple[Card | None, ...], ...]:
        """For each spot: what is exposed there while 0, 1, 2 … cards lie on it."""
        return tuple((None, *pile) for pile in self.piles) + tuple(
            (None, card) for card in self.reserve
        )


def words(code: Code) -> Iterator[int]:
    """The endless 32-bit random words of a code (step 2)."""
    seed = str(code).encode("ascii") + b"\x00"
    counter = 0
    while True:
        digest = hashlib.sha256(seed + counter.to_bytes(4, "big")).digest()
        yield from _WORDS.unpack(digest)
        counter += 1


def uniform_below(n: int, source: Iterator[int]) -> int:
    """A uniform number below `n`: words past the last whole multiple of n are dropped (step 3)."""
    limit = WORD_RANGE - WORD_RANGE % n
    for word in source:
        if word < limit:
            return word % n
    raise AssertionError("the words of a code never end")


def shuffled(code: Code) -> list[Card]:
    """The 104 cards in dealing order: Fisher-Yates from the end (step 4)."""
    source = words(code)
    deck = list(TWO_PACKS)
    for i in range(len(deck) - 1, 0, -1):
        j = uniform_below(i + 1, source)
        deck[i], deck[j] = deck[j], deck[i]
    return deck
