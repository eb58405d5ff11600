"""One player's race on one deal: the board, the best score, and how it stands (Contract §6)."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from halfmoon.engine.board import Board
from halfmoon.engine.deals import Deal
from halfmoon.engine.trusted import trusted

RunStatus = Literal["racing", "deadlocked", "won", "retired", "timed_out"]


class Run(BaseModel):
    """What a player has made of the deal so far, frozen."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    board: Board
    best: int = 0
    """The highest score that the player has had."""
    best_at_ms: int = 0
    """When `best` was first reached, from the start of the race; 0 where nothing was scored."""
    at_ms: int = 0
    """The player's last change, from the start of the race."""
    left_as: Literal["retired", "timed_out"] | None = None
    """How the run ended where the board doesn't say."""

    @classmethod
    def start(cls, deal: Deal) -> "Run":
        """The run before its first action."""
        return cls(board=Board.start(deal))

    @property
    def status(self) -> RunStatus:
        """What others are told of the run."""
        return self.left_as or self.board.status

    def is_done(self, *, undo: bool) -> bool:
        """Whether the player is done, which a deadlock is only where undo is off."""
        status = self.status
        return status != "racing" and (status != "deadlocked" or not undo)

    def moved_to(self, board: Board, at_ms: int) -> "Run":
        """The run after an action that led to `board`."""
        raised = board.score > self.best
        return trusted(
            Run,
            {
                "board": board,
                "best": board.score if raised else self.best,
                "best_at_ms": at_ms if raised else self.best_at_ms,
                "at_ms": at_ms,
                "left_as": None,
            },
        )

    def left(self, how: Literal["retired", "timed_out"], at_ms: int) -> "Run":
        """The run ended by its player or by the end of the race."""
        return self.model_copy(update={"left_as": how, "at_ms": at_ms})
