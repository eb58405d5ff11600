"""The exceptions of the engine.

An expected refusal is a value (`Reason`); these are for unreadable input and broken promises::

    ValueError
    ├── UnreadableText          a text that stands for nothing
    │   ├── UnreadableCard
    │   └── UnreadableCode
    ├── IllegalMove             a move that the board refuses; has the `reason`
    ├── NothingToUndo
    └── RecordFault             the first thing in a race record that doesn't hold
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why cards may not go: the reasons of `illegal_move` (Contract §5), the first that applies."""

    UNKNOWN_SPOT = "unknown_spot"
    SAME_SPOT = "same_spot"
    WRONG_COUNT = "wrong_count"
    EMPTY_SPOT = "empty_spot"
    NEED_JACK_QUEEN_KING = "need_jack_queen_king"
    NOT_ELEVEN = "not_eleven"


EXPLANATIONS: dict[Reason, str] = {
    Reason.UNKNOWN_SPOT: "a spot is a pile 1…12 or a reserve place R1…R8",
    Reason.SAME_SPOT: "a spot is named twice",
    Reason.WRONG_COUNT: "a move takes two or three cards",
    Reason.EMPTY_SPOT: "no card lies on one of these spots",
    Reason.NEED_JACK_QUEEN_KING: "one jack, one queen and one king are needed",
    Reason.NOT_ELEVEN: "the sum must be 11",
}
"""Each reason as an English sentence."""


class UnreadableText(ValueError):
    """A text that stands for nothing; the message names what is wrong with it."""


class UnreadableCard(UnreadableText):
    """A text that is no card (Contract §1)."""


class UnreadableCode(UnreadableText):
    """A text that is no game code (Contract §2)."""


class IllegalMove(ValueError):
    """A move that the board refuses."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(EXPLANATIONS[reason])
        self.reason = reason
        """The first of the contract's reasons that applies."""


class NothingToUndo(ValueError):
    """An undo on a board on which no move stands."""


class RecordFault(ValueError):
    """The first thing in a race record that doesn't hold; the message names it."""
