"""What a client may say (Contract §5): one union on `type`; unknown fields are refused."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field, StringConstraints, model_validator

from halfmoon.engine.codes import Code
from halfmoon.engine.record import Nonce, OnlyTrue
from halfmoon.wire.fields import ChallengeId, CommandId, Count, Maybe, PlayerId, PlayerName, RoomId
from halfmoon.wire.options import OptionChanges
from halfmoon.wire.tournaments import Claim, TournamentId

As = Literal["player", "spectator"]
ReactionKind = Literal["wow", "nice", "ouch", "thinking", "hurry", "gg"]
"""The six signs that people can show each other; there is no free text."""


class BaseCommand(BaseModel):
    """What every command has."""

    # By name for whoever writes `JoinRoom(room=…, as_="spectator")`; the codec reads by alias only.
    model_config = ConfigDict(
        defer_build=True, frozen=True, strict=True, extra="forbid", validate_by_name=True
    )

    id: Maybe[CommandId] = None


class Hello(BaseCommand):
    """Who is speaking: a new player, or by the token one that is known."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": ["name"]}, {"required": ["token"]}]}
    )

    type: Literal["hello"] = "hello"
    name: Maybe[PlayerName] = None
    token: Maybe[Annotated[str, StringConstraints(min_length=1, max_length=256)]] = None

    @model_validator(mode="after")
    def _is_somebody(self) -> "Hello":
        if self.name is None and self.token is None:
            raise ValueError("name: a new player needs a name")
        return self


class Clock(BaseCommand):
    """Asks for the server's time, to set the client's clock by."""

    type: Literal["clock"] = "clock"
    t: Count


class CreateRoom(BaseCommand):
    """Opens a room; who sends it is its host and a player."""

    type: Literal["create_room"] = "create_room"
    options: OptionChanges = OptionChanges()
    challenge: Maybe[ChallengeId] = None
    """The challenge that is raced here: deal and rules are those of its race, with its ghosts."""
    daily: Maybe[OnlyTrue] = None
    """Whether the day's deal is raced here, alone and once."""

    @model_validator(mode="after")
    def _is_for_one_thing(self) -> "CreateRoom":
        if self.challenge is not None and self.daily is not None:
            raise ValueError("daily: a room is for a challenge or for the day's deal, not for both")
        return self


class Enter(BaseCommand):
    """Takes an entry of a tournament, or comes back to one's own."""

    type: Literal["enter"] = "enter"
    tournament: TournamentId
    claim: Maybe[Claim] = None
    """Where there is a list: the secret of one's entry; later one's own entry needs none."""


class Follow(BaseCommand):
    """Asks to be told of a tournament without playing in it."""

    type: Literal["follow"] = "follow"
    tournament: TournamentId


class RoomCommand(BaseCommand):
    """What every command to a room has."""

    room: RoomId


class JoinRoom(RoomCommand):
    """Enters a room or comes back to it; in the lobby also changes the role."""

    type: Literal["join_room"] = "join_room"
    as_: Annotated[As, Field(alias="as")] = "player"
    screen: Maybe[OnlyTrue] = None
    """Whether nobody of their own looks here but a hall or a stream: such a spectator isn't counted."""


class LeaveRoom(RoomCommand):
    """Leaves for good; in a race it retires first."""

    type: Literal["leave_room"] = "leave_room"


class SetReady(RoomCommand):
    """Marks a player ready or not, in the lobby."""

    type: Literal["set_ready"] = "set_ready"
    ready: bool
    nonce: Maybe[Nonce] = None
    """The player's share in the choice of the deal: 16 random bytes, in hex."""


class Start(RoomCommand):
    """Starts the countdown. Host only."""

    type: Literal["start"] = "start"


class SetOptions(RoomCommand):
    """Changes the options that it names. Host only, in the lobby."""

    type: Literal["set_options"] = "set_options"
    options: OptionChanges


class Kick(RoomCommand):
    """Puts somebody out for good. Host only, not in a race."""

    type: Literal["kick"] = "kick"
    player: PlayerId


class Rematch(RoomCommand):
    """Back to the lobby for another race. Host only, after a race."""

    type: Literal["rematch"] = "rematch"
    code: Maybe[Code] = None


class Move(RoomCommand):
    """Removes the exposed cards of two or three spots."""

    type: Literal["move"] = "move"
    turn: Count
    spots: Annotated[list[str], FailFast()]
    """Two or three spots; what is none is an `illegal_move` with its reason, no `bad_message`."""


class Undo(RoomCommand):
    """Takes the last move back."""

    type: Literal["undo"] = "undo"
    turn: Count


class Retire(RoomCommand):
    """Ends the player's race with what they have."""

    type: Literal["retire"] = "retire"


class React(RoomCommand):
    """Shows everybody in the room one of six signs."""

    type: Literal["react"] = "react"
    reaction: ReactionKind


AnyRoomCommand = (
    JoinRoom
    | LeaveRoom
    | SetReady
    | Start
    | SetOptions
    | Kick
    | Rematch
    | Move
    | Undo
    | Retire
    | React
)
AnyTournamentCommand = Enter | Follow
Command = Hello | Clock | CreateRoom | AnyTournamentCommand | AnyRoomCommand
