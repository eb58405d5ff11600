"""The ranking of a race (Contract §6)."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from halfmoon.engine.ghosts import GhostOf
from halfmoon.engine.run import Run

FinalStatus = Literal["won", "retired", "timed_out", "deadlocked"]


class Standing(BaseModel):
    """One line of the standings: the rank and every value that made it."""

    model_config = ConfigDict(defer_build=True, frozen=True, strict=True)

    rank: int
    player: str
    name: str
    status: FinalStatus
    score: int
    best: int
    moves: int
    actions: int
    """Moves and undos made."""
    time_ms: int
    """When a winner won, else when `best` was first reached; 0 where nothing was scored."""
    ghost: Annotated[GhostOf | None, Field(exclude_if=lambda ghost: ghost is None)] = None
    """Where nobody raced here but a recorded run: whose it is."""


class Finish(BaseModel):
    """A finished run and whose it is."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    player: str
    name: str
    run: Run
    ghost: GhostOf | None = None


def standings(finishes: Iterable[Finish]) -> list[Standing]:
    """The ranked lines, best first; exact equals share a rank (1, 2, 2, 4) in the order given."""
    ordered = sorted(finishes, key=_ranked_by)
    lines: list[Standing] = []
    for place, finish in enumerate(ordered, start=1):
        equal = place > 1 and _ranked_by(ordered[place - 2]) == _ranked_by(finish)
        lines.append(_line(lines[-1].rank if equal else place, finish))
    return lines


def _ranked_by(finish: Finish) -> tuple[bool, int, int, int, int]:
    """Winners by time; then the best score, who had it first, and who needed fewer actions.

    Among winners `best` is 520 for all and was reached by winning, so the rest of the key is the
    same for winners and others.
    """
    run = finish.run
    won = run.status == "won"
    won_at_ms = run.best_at_ms if won else 0
    return (not won, won_at_ms, -run.best, run.best_at_ms, run.board.turn)


def _line(rank: int, finish: Finish) -> Standing:
    run = finish.run
    status = run.status
    assert status != "racing", "a race is over when nobody races any more"
    return Standing(
        rank=rank,
        player=finish.player,
        name=finish.name,
        status=status,
        score=run.board.score,
        best=run.best,
        moves=run.board.moves,
        actions=run.board.turn,
        time_ms=run.best_at_ms,
        ghost=finish.ghost,
    )
