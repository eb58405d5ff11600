"""One player's board: what is exposed, what may be played, and what undo brings back."""

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from pydantic import BaseModel, ConfigDict

from halfmoon.engine.cards import Card
from halfmoon.engine.deals import PILE_COUNT, PILE_HEIGHT, RESERVE_COUNT, Deal
from halfmoon.engine.errors import IllegalMove, NothingToUndo, Reason
from halfmoon.engine.rules import (
    UNDO_LIMIT,
    WON_MOVES,
    is_deadlocked,
    points,
    reason_against,
    tally,
)
from halfmoon.engine.spots import INDEX, PILES, RESERVE, SPOTS, Move, Spot
from halfmoon.engine.trusted import trusted

BoardStatus = Literal["racing", "deadlocked", "won"]


class Board(BaseModel):
    """A position, frozen: playing and undoing give a new board."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    deal: Deal
    counts: tuple[int, ...]
    """How many cards lie on each of the twenty spots."""
    history: tuple[Move, ...] = ()
    """The moves that can be taken back, the last one last."""
    moves: int = 0
    """Moves that stand."""
    score: int = 0
    turn: int = 0
    """Actions (moves and undos) made on this board (Contract §5)."""
    tally: int
    """The exposed cards counted by rank (`rules.tally`)."""
    status: BoardStatus

    @classmethod
    def start(cls, deal: Deal) -> "Board":
        """The board before the first move."""
        exposed = tally(ladder[-1] for ladder in deal.ladders)
        return cls(
            deal=deal,
            counts=(PILE_HEIGHT,) * PILE_COUNT + (1,) * RESERVE_COUNT,
            tally=exposed,
            status="deadlocked" if is_deadlocked(exposed) else "racing",
        )

    def exposed(self, spot: Spot) -> Card | None:
        """The card that can be played from `spot`, None where it is empty."""
        index = INDEX[spot]
        return self.deal.ladders[index][self.counts[index]]

    @property
    def pile_tops(self) -> list[Card | None]:
        """The exposed cards of the twelve piles."""
        return [self.exposed(spot) for spot in PILES]

    @property
    def reserve(self) -> list[Card | None]:
        """The cards still in the reserve, R1…R8."""
        return [self.exposed(spot) for spot in RESERVE]

    @property
    def can_undo(self) -> bool:
        """Whether a move stands that can be taken back."""
        return bool(self.history)

    def legal_moves(self) -> list[Move]:
        """All moves of this position, each once, its spots in the order of the table."""
        cards: dict[Spot, Card] = {
            spot: card for spot in SPOTS if (card := self.exposed(spot)) is not None
        }
        courts: list[Spot] = [spot for spot, card in cards.items() if card.rank.is_court]
        moves: list[Move] = [*combinations(cards, 2), *combinations(courts, 3)]
        return [move for move in moves if reason_against([cards[spot] for spot in move]) is None]

    def reason_against(self, spots: Sequence[str]) -> Reason | None:
        """The first reason of the contract why these spots are no move here, or None."""
        outcome = self.attempt(spots)
        return outcome if isinstance(outcome, Reason) else None

    def play(self, spots: Sequence[str]) -> "Board":
        """The board after this move; raises `IllegalMove` with the reason."""
        outcome = self.attempt(spots)
        if isinstance(outcome, Reason):
            raise IllegalMove(outcome)
        return outcome

    def attempt(self, spots: Sequence[str]) -> "Board | Reason":
        """The board after this move, or the first reason that applies (Contract §5)."""
        try:
            places = [INDEX[spot] for spot in spots]
        except KeyError:
            return Reason.UNKNOWN_SPOT
        if len(set(places)) != len(places):
            return Reason.SAME_SPOT
        if not 2 <= len(places) <= 3:
            return Reason.WRONG_COUNT
        left, ladders = list(self.counts), self.deal.ladders
        cards = [card for place in places if (card := ladders[place][left[place]])]
        if len(cards) != len(places):
            return Reason.EMPTY_SPOT
        if (reason := reason_against(cards)) is not None:
            return reason
        exposed = self.tally
        for place, card in zip(places, cards, strict=True):
            left[place] -= 1
            exposed -= card.tally
            if revealed := ladders[place][left[place]]:
                exposed += revealed.tally
        move: Move = tuple([SPOTS[place] for place in places])
        history: tuple[Move, ...] = (*self.history[1 - UNDO_LIMIT :], move)
        return self._next(left, exposed, history, self.moves + 1, self.score + points(len(cards)))

    def undo(self) -> "Board":
        """The board with the last move taken back; raises `NothingToUndo`."""
        if not self.history:
            raise NothingToUndo("no move stands that could be taken back")
        *before, move = self.history
        left, exposed, ladders = list(self.counts), self.tally, self.deal.ladders
        for spot in move:
            place = INDEX[spot]
            covered = ladders[place][left[place]]
            if covered is not None:
                exposed -= covered.tally
            left[place] += 1
            restored = ladders[place][left[place]]
            assert restored is not None, "a move only takes cards that lay there"
            exposed += restored.tally
        return self._next(
            left, exposed, tuple(before), self.moves - 1, self.score - points(len(move))
        )

    def _next(
        self, counts: list[int], exposed: int, history: tuple[Move, ...], moves: int, score: int
    ) -> "Board":
        status: BoardStatus = (
            "won" if moves == WON_MOVES else "deadlocked" if is_deadlocked(exposed) else "racing"
        )
        return trusted(
            Board,
            {
                "deal": self.deal,
                "counts": tuple(counts),
                "history": history,
                "moves": moves,
                "score": score,
                "turn": self.turn + 1,
                "tally": exposed,
                "status": status,
            },
        )
