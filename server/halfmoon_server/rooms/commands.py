"""What is asked of a room: the wire's commands with who sent them, and what the server itself asks."""

from collections.abc import Mapping
from dataclasses import dataclass

from halfmoon.engine.codes import Code
from halfmoon.engine.errors import Reason
from halfmoon.wire.commands import AnyRoomCommand
from halfmoon.wire.errors import Bar, ErrorCode
from halfmoon.wire.messages import BoardView

MOST_SPECTATORS = 2000
"""Those who may watch one room where nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class Chance:
    """Random values for one decision, drawn beforehand so that the decision itself is pure."""

    race: str
    """An id for a race."""
    secret: bytes | None = None
    """What the deal is made of, together with the racers' nonces; None where a code is given."""
    code: Code | None = None
    """A sealed code that is given."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A player's command."""

    player: str
    name: str
    """The name that the player goes by now; it counts only where they come in."""
    command: AnyRoomCommand
    chance: Chance | None = None
    """There for the commands that need it: `start`, `set_options`, `rematch`."""
    most_spectators: int = MOST_SPECTATORS
    """Those who may watch one room."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """The player's connection is gone."""

    player: str


@dataclass(frozen=True, slots=True)
class Returned:
    """The player is connected again and asked for nothing: they were told an old answer anew."""

    player: str


@dataclass(frozen=True, slots=True)
class TimePassed:
    """A timer ran out: whatever is due by now shall happen."""


@dataclass(frozen=True, slots=True)
class Reopen:
    """The server was started anew and has this room from its log."""


@dataclass(frozen=True, slots=True)
class SeenElsewhere:
    """The only player of this room has seen its deal in another one."""


@dataclass(frozen=True, slots=True)
class OpenRace:
    """All heats of the round are over: tell this one's deal."""


@dataclass(frozen=True, slots=True)
class EndRace:
    """The director has ended the round: who still races here is done with what they have."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """Entries of a heat have new holders: their seats shall be those players'."""

    holders: Mapping[str, str]
    """Every seat of the heat: whom it was drawn for, to whose it shall be; nobody has two."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Who of a heat was withdrawn: its race is over once nobody else races."""

    players: frozenset[str]


RoomRequest = (
    Asked
    | Dropped
    | Returned
    | TimePassed
    | Reopen
    | SeenElsewhere
    | OpenRace
    | EndRace
    | HandOver
    | GiveUp
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command is not carried out; it changes nothing."""

    code: ErrorCode
    message: str
    reason: Reason | None = None
    board: BoardView | None = None
    retry_ms: int | None = None
    bar: Bar | None = None
    """What keeps somebody out, for who wants to come in."""
