"""How one racer did in one finished race: a row of the index of results."""

from dataclasses import dataclass
from typing import NamedTuple

from halfmoon.engine.options import Ends
from halfmoon.engine.standings import FinalStatus


@dataclass(frozen=True, slots=True)
class Rules:
    """What makes results comparable: races on one deal with the same rules are one class."""

    undo: bool
    time_limit_ms: int | None
    ends: Ends


class Place(NamedTuple):
    """Where a result stands among all on its deal: the smaller, the better (Contract §6, standings).

    Winners have the highest `best` there is, so that what ranks the others ranks them too.
    """

    below_best: int
    """The score that was reached, negative."""
    time_ms: int
    actions: int
    over_at: int
    player: str
    """With `over_at` it tells results apart, and says nothing of where a race was."""


class Latest(NamedTuple):
    """Where a result stands among all of its player's: the smaller, the newer."""

    before_at: int
    """When the race was over, negative."""
    race: str


@dataclass(frozen=True, slots=True)
class Result:
    """What a racer made of a race that is over; ghosts have none."""

    race: str
    player: str
    name: str
    room: str
    code: str
    rules: Rules
    contest: str | None
    """What the race belongs to, such as `kind/id`."""
    starts_at: int
    over_at: int
    rank: int
    racers: int
    """How many were ranked, this one and ghosts among them."""
    status: FinalStatus
    score: int
    best: int
    moves: int
    actions: int
    undos: int
    time_ms: int
    """When a winner won, else when `best` was first reached; 0 where nothing was scored."""
    is_deadlocked: bool
    """Whether no move was left at the end, however the race ended."""

    @property
    def place(self) -> Place:
        """Where it stands among all on its deal."""
        return Place(-self.best, self.time_ms, self.actions, self.over_at, self.player)

    @property
    def latest(self) -> Latest:
        """Where it stands among all of its player's."""
        return Latest(-self.over_at, self.race)


@dataclass(frozen=True, slots=True)
class RulesCount:
    """A class of results on one deal."""

    rules: Rules
    results: int


@dataclass(frozen=True, slots=True)
class Totals:
    """All races of a player in figures."""

    races: int = 0
    wins: int = 0
    """Boards that were cleared."""
    firsts: int = 0
    """First ranks, where others raced too."""
    best: int = 0
    """The highest score ever reached."""
    deadlocks: int = 0
    """Races at whose end no move was left."""
    clean: int = 0
    """Races with a move and without an undo."""
