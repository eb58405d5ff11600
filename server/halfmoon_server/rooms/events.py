"""What happened in a room: all that the log stores.

An event is in the past tense and never refused. Its fields are read again by every later version,
so they may be added to and never changed.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from halfmoon.engine.codes import Code
from halfmoon.engine.ghosts import GhostOf
from halfmoon.engine.record import Action, Nonce, Secret
from halfmoon.engine.spots import Move
from halfmoon.wire.commands import As, ReactionKind
from halfmoon.wire.fields import is_absent
from halfmoon.wire.options import RoomOptions

Why = Literal["left", "kicked"]


def is_false(value: object) -> bool:
    """Whether this says no."""
    return value is False


def is_empty(value: tuple[object, ...]) -> bool:
    """Whether a list has nothing to say and is left out of the line."""
    return not value


class BaseEvent(BaseModel):
    """What every event has."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    at: int
    """When it happened, Unix ms."""


class Ghost(BaseModel):
    """A recorded run that races along: nobody's connection stands behind it."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    player: str
    """The id of its seat; no player has one that begins so."""
    name: str
    of: GhostOf
    actions: tuple[Action, ...]


class DrawSecret(BaseModel):
    """What the next deal is made of, and the race that it is for."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    secret: Secret
    race: str


Drawing = Annotated[DrawSecret | None, Field(exclude_if=is_absent)]
"""None where the deal is given: typed by somebody, or the same for several rooms."""


class RoomCreated(BaseEvent):
    """A room was opened; its creator is host and player."""

    type: Literal["room_created"] = "room_created"
    room: str
    player: str
    name: str
    options: RoomOptions
    spectators_named: bool
    code: Code
    drawing: Drawing = None
    contest: Annotated[str | None, Field(exclude_if=is_absent)] = None
    """What this room's race belongs to, such as `kind/id`: its results may be shut for a while."""
    ghosts: Annotated[tuple[Ghost, ...], Field(exclude_if=is_empty)] = ()
    """Recorded runs that race along."""
    attempt: Annotated[int | None, Field(exclude_if=is_absent)] = None
    """Where nobody but its creator ever comes in: which of their rooms for this contest it is, from
    1 on. Ghosts are then told of when all is over."""
    start_before: Annotated[int | None, Field(exclude_if=is_absent)] = None
    """No race starts here from then on."""


class MemberJoined(BaseEvent):
    """Somebody came."""

    type: Literal["member_joined"] = "member_joined"
    player: str
    name: str
    as_: As
    number: Annotated[int | None, Field(exclude_if=is_absent)] = None
    """Beside the name, where it looks like that of somebody who was there before."""
    screen: Annotated[bool, Field(exclude_if=is_false)] = False
    """Whether it is a wall or an overlay."""


class MemberLeft(BaseEvent):
    """Somebody left for good."""

    type: Literal["member_left"] = "member_left"
    player: str
    why: Why


class WentOnline(BaseEvent):
    """A member is connected again."""

    type: Literal["went_online"] = "went_online"
    player: str


class WentOffline(BaseEvent):
    """A member's connection was lost or closed."""

    type: Literal["went_offline"] = "went_offline"
    player: str


class RoleChanged(BaseEvent):
    """A member races instead of watching, or the other way round."""

    type: Literal["role_changed"] = "role_changed"
    player: str
    as_: As


class ReadySet(BaseEvent):
    """A player is ready, or no longer."""

    type: Literal["ready_set"] = "ready_set"
    player: str
    ready: bool
    nonce: Annotated[Nonce | None, Field(exclude_if=is_absent)] = None


class HostChanged(BaseEvent):
    """The host's office passed on."""

    type: Literal["host_changed"] = "host_changed"
    player: str


class OptionsSet(BaseEvent):
    """The options and the deal as they are from now on."""

    type: Literal["options_set"] = "options_set"
    options: RoomOptions
    spectators_named: bool
    code: Code
    drawing: Drawing = None


class CodeDrawn(BaseEvent):
    """The deal that follows from the server's secret and these nonces, by player."""

    type: Literal["code_drawn"] = "code_drawn"
    nonces: Mapping[str, Nonce]
    code: Code


class CountdownStarted(BaseEvent):
    """The race will start at `starts_at`."""

    type: Literal["countdown_started"] = "countdown_started"
    race: str
    starts_at: int


class CountdownCalledOff(BaseEvent):
    """No ready player was online any more."""

    type: Literal["countdown_called_off"] = "countdown_called_off"


class RaceStarted(BaseEvent):
    """The race runs; whoever was ready races."""

    type: Literal["race_started"] = "race_started"
    starts_at: int


class HeatSeat(BaseModel):
    """Somebody who is seated in a heat without having come by themselves."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    player: str
    name: str
    online: bool
    number: Annotated[int | None, Field(exclude_if=is_absent)] = None
    """Told beside a name that looks like another's, as in `MemberJoined`."""


class HeatSeated(BaseEvent):
    """The room is a heat: these are its players, all of them ready, and the countdown runs."""

    type: Literal["heat_seated"] = "heat_seated"
    race: str
    starts_at: int
    seats: tuple[HeatSeat, ...]
    is_shut: bool
    """Whether the deal stays secret after the race, until `RaceOpened`."""


class SeatsHandedOver(BaseEvent):
    """Seats of a heat are other players' from now on, with all that was done on them."""

    type: Literal["seats_handed_over"] = "seats_handed_over"
    seats: Mapping[str, str]
    """Who had each seat, to who has it now; all at once, so that two may change places."""


class SeatsGivenUp(BaseEvent):
    """These are the players of a heat whom nobody waits for any more."""

    type: Literal["seats_given_up"] = "seats_given_up"
    players: tuple[str, ...]
    """All of them; who was among them before and isn't now is waited for again."""


class RaceOpened(BaseEvent):
    """All heats of the round are over: the deal of this one is no secret any more."""

    type: Literal["race_opened"] = "race_opened"


class MoveMade(BaseEvent):
    """A racer removed two or three cards."""

    type: Literal["move_made"] = "move_made"
    player: str
    spots: Move
    at_ms: int


class UndoMade(BaseEvent):
    """A racer took the last move back."""

    type: Literal["undo_made"] = "undo_made"
    player: str
    at_ms: int


class Retired(BaseEvent):
    """A racer's race ended with what they had."""

    type: Literal["retired"] = "retired"
    player: str
    at_ms: int


class RaceOver(BaseEvent):
    """Everybody was done, or the time was up, or somebody won where that ends it."""

    type: Literal["race_over"] = "race_over"
    over_at: int


class RematchOpened(BaseEvent):
    """The same people are in the lobby again, with a new deal."""

    type: Literal["rematch_opened"] = "rematch_opened"
    options: RoomOptions
    code: Code
    drawing: Drawing = None


class Reacted(BaseEvent):
    """Somebody showed a sign."""

    type: Literal["reacted"] = "reacted"
    player: str
    reaction: ReactionKind


class RoomReopened(BaseEvent):
    """The server was started anew; nobody is connected."""

    type: Literal["room_reopened"] = "room_reopened"


class DealShown(BaseEvent):
    """These players see a deal that others may have to play yet: they don't race on it elsewhere."""

    type: Literal["deal_shown"] = "deal_shown"
    code: Code
    players: tuple[str, ...]


class DealKnown(BaseEvent):
    """The only player here has seen the deal elsewhere: no race on it starts here any more."""

    type: Literal["deal_known"] = "deal_known"


class RoomClosed(BaseEvent):
    """Nobody had been there for long; the room is gone, its log stays."""

    type: Literal["room_closed"] = "room_closed"


Event = (
    RoomCreated
    | MemberJoined
    | MemberLeft
    | WentOnline
    | WentOffline
    | RoleChanged
    | ReadySet
    | HostChanged
    | OptionsSet
    | CodeDrawn
    | CountdownStarted
    | CountdownCalledOff
    | HeatSeated
    | SeatsHandedOver
    | SeatsGivenUp
    | RaceOpened
    | RaceStarted
    | MoveMade
    | UndoMade
    | Retired
    | RaceOver
    | RematchOpened
    | Reacted
    | RoomReopened
    | DealShown
    | DealKnown
    | RoomClosed
)

AnswerKind = Literal["ok", "left", "moved", "undone", "room"]


class Entry(BaseModel):
    """One line of a room's log: a command that was carried out, and what happened by it."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    player: Annotated[str | None, Field(exclude_if=is_absent)] = None
    """Who asked; None for what time alone brought."""
    id: Annotated[str | None, Field(exclude_if=is_absent)] = None
    """The command's own id, by which it is never carried out twice."""
    answer: Annotated[AnswerKind | None, Field(exclude_if=is_absent)] = None
    events: tuple[Annotated[Event, Field(discriminator="type")], ...]


ENTRIES: TypeAdapter[Entry] = TypeAdapter(Entry)


def write_entry(entry: Entry) -> str:
    """The entry as a line of JSON. A null in it counts: no time limit is not the usual one."""
    return entry.model_dump_json()


def read_entry(text: str) -> Entry:
    """The entry of a line; raises ValueError for what is none."""
    return ENTRIES.validate_json(text)
