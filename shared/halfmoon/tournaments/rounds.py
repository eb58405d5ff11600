"""What was raced in a tournament, as far as tables need it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from halfmoon.engine.standings import FinalStatus

IDLE_HEATS = 3
"""After so many heats in a row in which neither of two made a single action, the better seed goes on.

Contract §8 has an exact equal raced again; two who have walked away would be for ever.
"""


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant's result in a heat, as it counts: corrected, where it was."""

    entrant: str
    status: FinalStatus
    best: int
    time_ms: int
    actions: int

    @property
    def key(self) -> tuple[bool, int, int, int, int]:
        """What ranks it, the smallest first (Contract §6): the order of a race's standings."""
        won = self.status == "won"
        return (not won, self.time_ms if won else 0, -self.best, self.time_ms, self.actions)


@dataclass(frozen=True, slots=True)
class Heat:
    """A heat that is over. An entrant without a line was absent."""

    entrants: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """A round that is over and counts."""

    round: int
    heats: tuple[Heat, ...]
    """In the order in which they were drawn; of two with the same entrants the later decides."""
    byes: tuple[str, ...] = ()

    @property
    def field(self) -> list[str]:
        """Everybody who was drawn into a heat."""
        return [entrant for heat in self.deciding() for entrant in heat.entrants]

    def deciding(self) -> list[Heat]:
        """The heats that count: the last of each group of entrants."""
        last = {frozenset(heat.entrants): heat for heat in self.heats}
        return list(last.values())


def ranked(lines: Iterable[Line]) -> Iterator[tuple[int, Line]]:
    """The lines with their ranks, best first; exact equals share one (1, 2, 2, 4)."""
    ordered = sorted(lines, key=lambda line: line.key)
    rank = 0
    for place, line in enumerate(ordered, start=1):
        if place == 1 or ordered[place - 2].key != line.key:
            rank = place
        yield rank, line


def winner(heats: Sequence[Heat], seeds: Sequence[str]) -> str | None:
    """Who goes on after these heats of the same two; None while they are equal, or both absent."""
    lines = heats[-1].lines
    first = [line.entrant for rank, line in ranked(lines) if rank == 1]
    if len(first) == 1:
        return first[0]
    if first and len(heats) >= IDLE_HEATS and all(_is_idle(heat) for heat in heats[-IDLE_HEATS:]):
        return min(first, key=seeds.index)
    return None


def _is_idle(heat: Heat) -> bool:
    return all(line.actions == 0 for line in heat.lines)
