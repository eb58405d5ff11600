"""A player's own board as it is seen: after an answer, and which moves it offers."""

from collections.abc import Mapping
from itertools import chain, combinations
from typing import Any

from halfmoon.engine.cards import Card
from halfmoon.engine.rules import reason_against
from halfmoon.engine.spots import INDEX, PILES, RESERVE, Move, Spot
from halfmoon.wire.messages import BoardView, Moved, PileView, Undone


def exposed(board: BoardView) -> dict[Spot, Card]:
    """The exposed card of each spot that has one, in the order of the table."""
    tops = zip(PILES, (pile.top for pile in board.piles), strict=True)
    places = zip(RESERVE, board.reserve, strict=True)
    return {spot: card for spot, card in chain(tops, places) if card is not None}


def legal_moves(board: BoardView) -> list[Move]:
    """All moves that may be made, each once; none where nobody races on the board any more.

    Told from the exposed cards alone, which is all that anybody needs.
    """
    if board.status != "racing":
        return []
    cards = exposed(board)
    courts: list[Spot] = [spot for spot, card in cards.items() if card.rank.is_court]
    return [
        move
        for move in chain(combinations(cards, 2), combinations(courts, 3))
        if reason_against([cards[spot] for spot in move]) is None
    ]


def after(board: BoardView, answer: Moved | Undone, *, undo: bool) -> BoardView:
    """The board after an action on it was carried out; `undo` is the option of the race."""
    if isinstance(answer, Moved):
        cards, more = dict(answer.revealed), -1
    else:
        cards, more = dict[Spot, Card | None](answer.restored), +1
    changes: dict[str, Any] = {
        **_with_cards(board, cards, more),
        "turn": answer.turn,
        "score": answer.score,
        "moves": answer.moves,
        "status": answer.status,
        "can_undo": undo and answer.moves > 0 and answer.status in ("racing", "deadlocked"),
    }
    return board.model_copy(update=changes)


def _with_cards(board: BoardView, cards: Mapping[Spot, Card | None], more: int) -> dict[str, Any]:
    """The piles and the reserve with these cards exposed, and so many more on each of these piles."""
    piles, reserve = list(board.piles), list(board.reserve)
    for spot, card in cards.items():
        place = INDEX[spot]
        if place < len(PILES):
            piles[place] = PileView(top=card, count=piles[place].count + more)
        else:
            reserve[place - len(PILES)] = card
    return {"piles": piles, "reserve": reserve}
