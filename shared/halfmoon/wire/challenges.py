"""What the HTTP part is asked and answers about challenges and the day's deal."""

from datetime import date
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from halfmoon.engine.codes import Code
from halfmoon.engine.options import RaceOptions
from halfmoon.engine.standings import Standing
from halfmoon.wire.fields import ChallengeId, Count, Maybe, Moment, PlayerId, RaceId, RoomId, Seal

_MODEL = ConfigDict(defer_build=True, frozen=True, strict=True)

LINES_A_PAGE = 100
"""The most lines of a table that one answer holds."""
CHALLENGES_A_PAGE = 20
"""The most challenges that one answer holds, each with the beginning of its table."""
DAYS_A_PAGE = 20
"""The most days that one answer holds."""
BEST_OF_A_DAY = 3
"""The most lines of a day's table that stand in the list of days."""
MOST_GHOSTS = 16


class ChallengeWanted(BaseModel):
    """Makes a challenge out of a finished race of one's own."""

    model_config = ConfigDict(defer_build=True, frozen=True, strict=True, extra="forbid")

    race: RaceId
    sealed: bool = False
    """Whether results are shut to each until they have played, and everybody plays once and alone."""
    ghosts: Maybe[Annotated[list[PlayerId], Field(max_length=MOST_GHOSTS)]] = None
    """Whose runs of that race shall race along; left out, one's own."""


class ChallengeMade(BaseModel):
    """The challenge that was made; who has the id may race it."""

    model_config = _MODEL

    challenge: ChallengeId


class TableLine(Standing):
    """How somebody did in their race, ranked among all who raced for the same."""

    race: Maybe[RaceId] = None
    """Its record is at `/api/races/RACE`, which names the room; absent where others than who asks are
    in that room, and it stands in no list."""


class TablePage(BaseModel):
    """What is open once one has played, or where nothing is shut."""

    model_config = _MODEL

    code: Maybe[Code] = None
    """The deal; absent while it is shut to who asks."""
    results: Maybe[list[TableLine]] = None
    """Everybody's results, best first; absent while they are shut to who asks."""
    next: Maybe[str] = None
    """What `?after=` is for the page that follows; absent on the last."""


class ChallengeView(TablePage):
    """A challenge as far as who asks may know it."""

    challenge: ChallengeId
    player: PlayerId
    """Who challenges."""
    name: str
    made_at: Moment
    sealed: bool
    seal: Seal
    options: RaceOptions
    """What it is raced by."""
    ghosts: list[str]
    """The names of those whose runs race along."""
    played: bool
    """Whether who asks has raced on this deal, here or in the race that the challenge is out of."""
    room: Maybe[RoomId] = None
    """The room in which who asks plays alone, as long as they are not done."""
    race: Maybe[RaceId] = None
    """The race that the challenge is out of; absent while it is shut to who asks, and as in a line."""


class MyChallenges(BaseModel):
    """One's own challenges, the newest first, each with its table."""

    model_config = _MODEL

    challenges: list[ChallengeView]
    next: Maybe[str] = None
    """What `?after=` is for the page that follows; absent on the last."""


class DailyView(TablePage):
    """The deal of a day as far as who asks may know it."""

    day: date
    """By the server's calendar."""
    seal: Seal
    ends_at: Moment
    """When the next day begins."""
    options: RaceOptions
    """What it is raced by."""
    played: bool
    """Whether who asks has played it."""
    room: Maybe[RoomId] = None
    """The room in which who asks plays it, as long as they are not done."""
    players: Count
    """How many have played it."""


class PastDay(BaseModel):
    """A day's deal in the list of days."""

    model_config = _MODEL

    day: date
    seal: Seal
    ends_at: Moment
    """When the next day begins, or began."""
    played: bool
    """Whether who asks has played it."""
    players: Count
    """How many have played it."""
    code: Maybe[Code] = None
    """The deal; absent while it is shut to who asks."""
    best: Maybe[list[TableLine]] = None
    """The beginning of the table; absent while it is shut to who asks."""
    own: Maybe[TableLine] = None
    """How who asks did; absent where they haven't played it."""


class DailyDays(BaseModel):
    """The days' deals, the newest first; the whole table of each is at `/api/daily?day=`."""

    model_config = _MODEL

    days: list[PastDay]
    next: Maybe[str] = None
    """What `?after=` is for the page that follows; absent on the last."""
