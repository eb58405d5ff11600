"""Which cards may go together, or the reason why not; points; when a board is stuck (RULES)."""

from collections.abc import Iterable, Sequence
from typing import Final

from halfmoon.engine.cards import Card, Rank
from halfmoon.engine.errors import Reason

PAIR_SUM: Final = 11
PAIR_POINTS: Final = 10
TRIPLE_POINTS: Final = 15
WON_MOVES: Final = 48
UNDO_LIMIT: Final = 100
"""How many of the last moves can be taken back."""

COURTS: Final = frozenset({Rank.JACK, Rank.QUEEN, Rank.KING})


def reason_against(cards: Sequence[Card]) -> Reason | None:
    """Why these two or three cards may not go together, or None where they may."""
    if len(cards) == 2:
        one, other = cards[0].rank, cards[1].rank
        if one <= 10 and other <= 10:
            return None if one + other == PAIR_SUM else Reason.NOT_ELEVEN
        return Reason.NEED_JACK_QUEEN_KING
    ranks = frozenset(card.rank for card in cards)
    if ranks == COURTS:
        return None
    return Reason.NOT_ELEVEN if ranks.isdisjoint(COURTS) else Reason.NEED_JACK_QUEEN_KING


def points(card_count: int) -> int:
    """What a legal move of so many cards scores: 10 for a pair, 15 for a triple."""
    return PAIR_POINTS if card_count == 2 else TRIPLE_POINTS


# A tally counts the exposed cards of each rank, four bits a rank: at most eight of a rank exist in
# two packs, so no count ever flows into the next. It makes "is anything left to remove?" a handful
# of integer operations instead of a look at twenty spots.
_LOW_BITS: Final = sum(1 << 4 * rank for rank in Rank)
_PARTNERS: Final = (
    *(1 << 4 * low | 1 << 4 * (PAIR_SUM - low) for low in range(1, 6)),
    sum(1 << 4 * court for court in COURTS),
)


def tally(cards: Iterable[Card | None]) -> int:
    """The tally of the exposed cards; None is an empty spot."""
    return sum(card.tally for card in cards if card is not None)


def is_deadlocked(exposed: int) -> bool:
    """Whether a tally holds no pair of 11 and no jack-queen-king (Contract §6)."""
    present = (exposed | exposed >> 1 | exposed >> 2 | exposed >> 3) & _LOW_BITS
    for partners in _PARTNERS:  # noqa: SIM110 - a generator takes three times as long
        if present & partners == partners:
            return False
    return True
