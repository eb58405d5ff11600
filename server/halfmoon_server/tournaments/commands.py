"""What is asked of a tournament: by its organiser, by who plays in it, and by the server itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from halfmoon.engine.codes import Code
from halfmoon.wire.tournaments import Correction
from halfmoon_server.tournaments import events as e


@dataclass(frozen=True, slots=True)
class Chance:
    """Random values for one decision, drawn beforehand so that the decision itself is pure."""

    code: Code
    """A sealed code that nobody has seen."""
    rooms: Sequence[str]
    """Ids for rooms, as many as heats can be drawn."""
    races: Sequence[str]
    """Ids for races, as many."""
    claims: Sequence[str]
    """Secrets for entries, as many as entrants can come by this."""


@dataclass(frozen=True, slots=True)
class AddEntrants:
    """Put names on the list."""

    names: Sequence[str]
    chance: Chance


@dataclass(frozen=True, slots=True)
class Enter:
    """A player takes an entry, or comes back to their own."""

    player: str
    name: str
    claim: str | None
    chance: Chance


@dataclass(frozen=True, slots=True)
class RenewClaim:
    """Give an entry a new claim."""

    entrant: str
    chance: Chance


@dataclass(frozen=True, slots=True)
class Rename:
    """Give an entrant another name, before the first round."""

    entrant: str
    name: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Take an entry that nobody took off the list, before the first round."""

    entrant: str


@dataclass(frozen=True, slots=True)
class Seed:
    """Put the seeds in this order."""

    entrants: Sequence[str]


@dataclass(frozen=True, slots=True)
class DrawRound:
    """Draw the next round."""

    chance: Chance
    by: e.By = "organiser"
    without_absent: bool = False
    """Withdraw before that whose entry nobody has taken; by taking it they are in again."""


@dataclass(frozen=True, slots=True)
class FinishHeat:
    """A heat's race is over; lines by player."""

    round: int
    heat: int
    over_at: int
    lines: Sequence[e.RacedLine]
    chance: Chance
    seats: Mapping[str, str] = field(default_factory=dict[str, str])
    """Entrant to player, where that is another than the seat was drawn for."""


@dataclass(frozen=True, slots=True)
class Correct:
    """Correct a result."""

    round: int
    entrant: str
    to: Correction
    chance: Chance


@dataclass(frozen=True, slots=True)
class EndRound:
    """Let the round that runs be over now."""

    round: int
    reason: str


@dataclass(frozen=True, slots=True)
class Annul:
    """Make a round count for nothing."""

    round: int
    reason: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Draw an entrant no more."""

    entrant: str


@dataclass(frozen=True, slots=True)
class Readmit:
    """Draw an entrant again."""

    entrant: str


@dataclass(frozen=True, slots=True)
class Announce:
    """Show everybody a line, or take the last away."""

    text: str | None


@dataclass(frozen=True, slots=True)
class SetAutomatic:
    """Let rounds follow by themselves, or wait."""

    break_ms: int | None
    paused: bool


@dataclass(frozen=True, slots=True)
class End:
    """End the tournament."""


Request = (
    AddEntrants
    | Enter
    | RenewClaim
    | Rename
    | Remove
    | Seed
    | DrawRound
    | FinishHeat
    | Correct
    | EndRound
    | Annul
    | Withdraw
    | Readmit
    | Announce
    | SetAutomatic
    | End
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is done: a code of the API or of the WebSocket, and a sentence."""

    code: str
    message: str
