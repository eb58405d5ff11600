"""What happened in a tournament: all that its log stores.

As with rooms, an event is in the past tense and never refused, and its fields may be added to and
never changed.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from halfmoon.engine.codes import Code
from halfmoon.engine.standings import FinalStatus
from halfmoon.wire.fields import is_absent
from halfmoon.wire.options import RoomOptions
from halfmoon.wire.tournaments import EntryKind, Format
from halfmoon_server.rooms.events import is_empty


def is_false(value: bool) -> bool:
    """Whether a mark is left out of the log."""
    return not value


By = Literal["organiser", "entrant", "server"]


class BaseEvent(BaseModel):
    """What every event has."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    at: int
    """When it happened, Unix ms."""
    by: By
    """Who did it."""
    device: Annotated[str | None, Field(exclude_if=is_absent)] = None
    """On which of the organisers' devices, where it said."""


class TournamentMade(BaseEvent):
    """A tournament begins."""

    type: Literal["tournament_made"] = "tournament_made"
    tournament: str
    name: str
    format: Format
    rounds: int | None
    options: RoomOptions
    heat_size: int | None
    entry: EntryKind


Number = Annotated[int | None, Field(exclude_if=is_absent)]
"""An entrant's number among those whose names look alike: 1 for the first of them, who is shown
without it. Logs of old hold none."""


class NewEntrant(BaseModel):
    """Somebody on the list."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    entrant: str
    name: str
    claim: str
    number: Number = None


class EntrantsAdded(BaseEvent):
    """Names were put on the list."""

    type: Literal["entrants_added"] = "entrants_added"
    entrants: tuple[NewEntrant, ...]


class EntrantCame(BaseEvent):
    """Somebody entered an open tournament."""

    type: Literal["entrant_came"] = "entrant_came"
    entrant: str
    name: str
    claim: str
    player: str
    number: Number = None


class EntryTaken(BaseEvent):
    """A person took an entry by its claim."""

    type: Literal["entry_taken"] = "entry_taken"
    entrant: str
    player: str


class ClaimRenewed(BaseEvent):
    """An entry has a new claim, and the old one is void."""

    type: Literal["claim_renewed"] = "claim_renewed"
    entrant: str
    claim: str


class EntrantRenamed(BaseEvent):
    """An entrant has another name."""

    type: Literal["entrant_renamed"] = "entrant_renamed"
    entrant: str
    name: str
    number: Number = None


class EntrantRemoved(BaseEvent):
    """An entry that nobody had taken was taken off the list; its id isn't used again."""

    type: Literal["entrant_removed"] = "entrant_removed"
    entrant: str


class Seeded(BaseEvent):
    """The seeds were put in order."""

    type: Literal["seeded"] = "seeded"
    entrants: tuple[str, ...]


class HeatDraw(BaseModel):
    """A heat as it was drawn."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    heat: int
    room: str
    race: str
    entrants: tuple[str, ...]
    seats: Mapping[str, str]
    """Entrant to player, of those who are not absent."""


class RoundDrawn(BaseEvent):
    """A round was drawn; its heats' rooms are opened by this."""

    type: Literal["round_drawn"] = "round_drawn"
    round: int
    code: Code
    starts_at: int
    heats: tuple[HeatDraw, ...]
    byes: tuple[str, ...]


class HeatAdded(BaseEvent):
    """A further heat after an exact equal, in the same round and on a deal of its own."""

    type: Literal["heat_added"] = "heat_added"
    round: int
    code: Code
    starts_at: int
    heat: HeatDraw


class RacedLine(BaseModel):
    """What an entrant raced."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    entrant: str
    status: FinalStatus
    best: int
    moves: int
    actions: int
    time_ms: int


class HeatOver(BaseEvent):
    """A heat is over."""

    type: Literal["heat_over"] = "heat_over"
    round: int
    heat: int
    over_at: int
    lines: tuple[RacedLine, ...]
    seats: Annotated[Mapping[str, str], Field(exclude_if=is_empty)] = {}
    """Entrant to player, of the seats that others had in the end than they were drawn for."""


class ResultCorrected(BaseEvent):
    """The director says what a result is; what was raced is kept."""

    type: Literal["result_corrected"] = "result_corrected"
    round: int
    heat: int
    entrant: str
    status: FinalStatus
    best: int
    time_ms: int
    reason: str


class RoundEnded(BaseEvent):
    """The director let a round be over before its time: the heats that were drawn by then."""

    type: Literal["round_ended"] = "round_ended"
    round: int
    reason: str


class RoundAnnulled(BaseEvent):
    """A round counts for nothing."""

    type: Literal["round_annulled"] = "round_annulled"
    round: int
    reason: str


class Withdrawn(BaseEvent):
    """An entrant is drawn no more."""

    type: Literal["withdrawn"] = "withdrawn"
    entrant: str
    awaited: Annotated[bool, Field(exclude_if=is_false)] = False
    """Whether nobody had taken the entry when a round was drawn without it: who takes it is in again."""


class Readmitted(BaseEvent):
    """An entrant is drawn again."""

    type: Literal["readmitted"] = "readmitted"
    entrant: str


class Announced(BaseEvent):
    """A line for everybody; None takes the last one away."""

    type: Literal["announced"] = "announced"
    text: str | None


class AutomaticSet(BaseEvent):
    """Rounds follow by themselves, or wait."""

    type: Literal["automatic_set"] = "automatic_set"
    break_ms: int | None
    paused: bool


class Ended(BaseEvent):
    """The organiser ended the tournament."""

    type: Literal["ended"] = "ended"


Event = (
    TournamentMade
    | EntrantsAdded
    | EntrantCame
    | EntryTaken
    | ClaimRenewed
    | EntrantRenamed
    | EntrantRemoved
    | Seeded
    | RoundDrawn
    | HeatAdded
    | HeatOver
    | ResultCorrected
    | RoundEnded
    | RoundAnnulled
    | Withdrawn
    | Readmitted
    | Announced
    | AutomaticSet
    | Ended
)


def on_device(event: Event, device: str | None) -> Event:
    """The event with the device on which an organiser did it; what others did stays as it is."""
    if device is None or event.by != "organiser":
        return event
    return event.model_copy(update={"device": device})


class Entry(BaseModel):
    """One line of a tournament's log: a command that was carried out, and what happened by it."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    player: Annotated[str | None, Field(exclude_if=is_absent)] = None
    """Whose `enter` it was."""
    id: Annotated[str | None, Field(exclude_if=is_absent)] = None
    """The command's own id, by which it is never carried out twice."""
    events: tuple[Annotated[Event, Field(discriminator="type")], ...]


_ENTRIES: TypeAdapter[Entry] = TypeAdapter(Entry)


def write_entry(entry: Entry) -> str:
    """The entry as a line of JSON."""
    return entry.model_dump_json()


def read_entry(text: str) -> Entry:
    """The entry of a line; raises ValueError for what is none."""
    return _ENTRIES.validate_json(text)
