"""What the HTTP part answers about results: who did how on a deal, and one's own races."""

from pydantic import BaseModel, ConfigDict

from halfmoon.engine.codes import Code
from halfmoon.engine.options import Ends
from halfmoon.engine.standings import FinalStatus
from halfmoon.wire.fields import Count, Maybe, Milliseconds, Moment

_MODEL = ConfigDict(defer_build=True, frozen=True, strict=True)

RESULTS_A_PAGE = 50
"""The most results that one answer holds."""
OWN_RESULTS = 10
"""The most of one's own that every page of a deal's results holds."""


class RulesClass(BaseModel):
    """What makes results comparable: races on one deal with the same rules are one class."""

    model_config = _MODEL

    undo: bool
    time_limit_ms: Milliseconds | None
    ends: Ends


class RulesClassCount(RulesClass):
    """A class of results on a deal, and how many there are."""

    results: Count


class RaceResult(BaseModel):
    """How one racer did in one race."""

    model_config = _MODEL

    race: Maybe[str] = None
    """Its record is at `/api/races/RACE`; absent while its room is private and still there, and one isn't in it."""
    player: str
    name: str
    contest: Maybe[str] = None
    """What the race belonged to, such as `daily/2026-11-30`."""
    starts_at: Moment
    over_at: Moment
    rank: Count
    """In its race."""
    racers: Count
    """How many were ranked, this one and ghosts among them."""
    status: FinalStatus
    score: Count
    best: Count
    moves: Count
    actions: Count
    """Moves and undos made."""
    undos: Count
    time_ms: Milliseconds
    """When a winner won, else when `best` was first reached; 0 where nothing was scored."""


class OwnResult(RaceResult):
    """One of one's own results on a deal."""

    place: Count
    """Its rank among all results of the class; equals share one."""


class DealResults(BaseModel):
    """Results on one deal, best first in the order of standings."""

    model_config = _MODEL

    code: Code
    rules: Maybe[RulesClass] = None
    """The class that is shown: the largest that was asked for; absent where there is none."""
    classes: list[RulesClassCount]
    """All that there are on this deal, the largest first."""
    results: list[RaceResult]
    own: Maybe[list[OwnResult]] = None
    """One's own best results of the class, on whatever page they stand; absent where there are none."""
    next: Maybe[str] = None
    """What `?after=` is for the page that follows; absent on the last."""


class MyRace(RaceResult, RulesClass):
    """One of one's own races."""

    room: str
    code: Maybe[Code] = None
    """Absent while others may not know it yet."""


class Totals(BaseModel):
    """All races of a player in figures."""

    model_config = _MODEL

    races: Count
    wins: Count
    """Boards that were cleared."""
    firsts: Count
    """First ranks, where others raced too."""
    best: Count
    """The highest score ever reached."""
    deadlocks: Count
    """Races at whose end no move was left."""
    clean: Count
    """Races with a move and without an undo."""


class MyRaces(BaseModel):
    """One's own races, the newest first."""

    model_config = _MODEL

    player: str
    name: str
    totals: Totals
    races: list[MyRace]
    next: Maybe[str] = None
    """What `?after=` is for the page that follows; absent on the last."""
