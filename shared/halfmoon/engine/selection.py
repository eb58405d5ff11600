"""Tapping (RULES, *Tapping*): which cards are selected, and when a move goes.

A tap is judged here without a board: by what is selected and which cards are exposed.
"""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from halfmoon.engine.cards import Card
from halfmoon.engine.errors import Reason
from halfmoon.engine.rules import reason_against
from halfmoon.engine.spots import Move, Spot

Selection = tuple[Spot, ...]
"""The selected spots in the order of tapping: none, one card, or two courts of different rank."""


class Tap(BaseModel):
    """What one tap led to."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    selected: Selection
    """What is selected from now on."""
    remove: Move | None = None
    """The cards that go, in the order of tapping."""
    reason: Reason | None = None
    """Why the tapped card didn't fit: what *Move errors* explains."""


def tap(selected: Selection, spot: Spot, cards: Mapping[Spot, Card]) -> Tap:
    """What a tap on `spot` does; `cards` are the exposed ones by spot."""
    card = cards.get(spot)
    if card is None:
        return Tap(selected=selected)
    if spot in selected:
        return Tap(selected=tuple(other for other in selected if other != spot))
    if not selected:
        return Tap(selected=(spot,))
    chosen = [cards[other] for other in selected]
    reason = reason_against([*chosen, card])
    if reason is None:
        return Tap(selected=(), remove=(*selected, spot))
    if not card.rank.is_court or not all(other.rank.is_court for other in chosen):
        return Tap(selected=(), reason=reason)
    same = [other for other in selected if cards[other].rank == card.rank]
    if not same:
        return Tap(selected=(*selected, spot))
    return Tap(
        selected=tuple(spot if other in same else other for other in selected), reason=reason
    )
