"""A room at one moment: who is there, what was agreed, and the race. Frozen."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from halfmoon.engine.codes import Code, Variant
from halfmoon.engine.draws import commit_of
from halfmoon.engine.record import Draw
from halfmoon.engine.run import Run
from halfmoon.engine.standings import Standing
from halfmoon.wire.commands import As
from halfmoon.wire.messages import PlayerStatus, RoomState
from halfmoon.wire.options import RoomOptions
from halfmoon_server.rooms.events import Ghost

REACTION_EVERY_MS = 1500
"""A sign is shown for about that long, and then another may follow."""

T = TypeVar("T", "Seat", "Race", "Room")


def changed(value: T, **changes: object) -> T:
    """What `dataclasses.replace` gives, in a tenth of its time: for what changes with every move.

    It copies the value's dictionary, and so has nothing to say about a misspelt name.
    """
    copy = object.__new__(type(value))
    copy.__dict__.update(value.__dict__)
    copy.__dict__.update(changes)
    return copy


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in the room."""

    player: str
    name: str
    as_: As
    ready: bool = False
    nonce: str | None = None
    """Their share in the choice of the deal, in hex; there while they are ready."""
    offline_at: int | None = None
    """Since when nobody is connected for them; None while they are online."""
    number: int | None = None
    """Beside the name, where it looks like that of somebody who was there before."""
    is_screen: bool = False
    """Whether it is a wall or an overlay, which nobody is counted for."""

    @property
    def is_online(self) -> bool:
        """Whether a connection of theirs is there."""
        return self.offline_at is None

    @property
    def is_player(self) -> bool:
        """Whether they race, or will, rather than watch."""
        return self.as_ == "player"


@dataclass(frozen=True)
class Seat:
    """One racer's place in a race: it stays theirs whatever they do."""

    player: str
    name: str
    run: Run
    number: int | None = None
    """See `Member.number`."""
    ghost: Ghost | None = None
    """The recorded run that races here; None where somebody does."""
    course: bytes = b""
    """How the score went so far: see `rooms.courses`."""


@dataclass(frozen=True)
class Race:
    """A race that was started."""

    race: str
    starts_at: int
    ends_at: int | None
    seats: Mapping[str, Seat]
    """By player, in the order in which they came to the room."""
    still_racing: int
    """How many of them are not done yet; nobody waits for a ghost."""
    won_at_ms: int | None = None
    """When the first of them won; a ghost's win ends no race."""
    over_at: int | None = None
    standings: tuple[Standing, ...] = ()
    ghosts: tuple[str, ...] = ()
    """The seats of recorded runs, by which a look at all seats is spared."""

    @property
    def living(self) -> Iterator[Seat]:
        """The seats behind which somebody sits."""
        return (seat for seat in self.seats.values() if seat.ghost is None)


@dataclass(frozen=True, slots=True)
class Upcoming:
    """A race whose countdown runs."""

    race: str
    starts_at: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """How the room's deal is drawn by server and racers together (`halfmoon.engine.draws`)."""

    secret: str
    """In hex; told once the race is over."""
    race: str
    """The race that the deal is for."""
    nonces: Mapping[str, str] = field(default_factory=dict[str, str])
    """By player: those that the code is made of by now."""

    @property
    def draw(self) -> Draw:
        """All of it, as it is told after the race."""
        secret = bytes.fromhex(self.secret)
        return Draw(commit=commit_of(secret), secret=self.secret, nonces={**self.nonces})


@dataclass(frozen=True)
class Room:
    """A room at one moment."""

    room: str
    created_at: int
    host: str
    host_name: str
    options: RoomOptions
    spectators_named: bool
    """Whether somebody chose `spectators`; until then it follows `public` (Contract §5)."""
    code: Code
    """The deal of this race or the next; `options.code` has it only where somebody typed it."""
    seal: str
    members: Mapping[str, Member]
    """By player, in the order in which they came."""
    drawing: Drawing | None = None
    """None where the deal is given."""
    contest: str | None = None
    """What this room's race belongs to, such as `kind/id`; None for a race of its own."""
    is_heat: bool = False
    """Whether it is a tournament's: without a host, its seats given (Contract §8)."""
    is_shut: bool = False
    """Whether the deal stays secret after the race, since another heat races on it."""
    given_up: frozenset[str] = frozenset()
    """The players of a heat whom nobody waits for: without others the race is over."""
    is_opened: bool = False
    """Whether everybody was told that the round is over."""
    handed: Mapping[str, str] = field(default_factory=dict[str, str])
    """The seats that were handed over: whom each was drawn for, to whose it is now."""
    ghosts: tuple[Ghost, ...] = ()
    """Recorded runs that race along in the next race, or in this one."""
    only: str | None = None
    """Who alone may come in; None where anybody may."""
    start_before: int | None = None
    """No race starts here from then on."""
    shown: frozenset[str] = frozenset()
    """Who is known to have seen this deal here, as far as it counts: see `unshown`."""
    is_known: bool = False
    """Whether the only player here has seen the deal elsewhere, and so doesn't race on it."""
    banned: frozenset[str] = frozenset()
    reacted_at: Mapping[str, int] = field(default_factory=dict[str, int])
    """When who showed a sign lately did so last; going out and coming in again makes no difference."""
    upcoming: Upcoming | None = None
    race: Race | None = None
    last_race: str | None = None
    """The race before the last rematch, to look back on."""
    away: tuple[Member, ...] = ()
    """The spectators who are offline, a look at everybody spared."""
    empty_at: int | None = None
    """Since when nobody in the room is online."""
    is_closed: bool = False
    events: int = 0
    """How many events made this room."""
    touched_at: int = field(default=0)
    """When the last of them happened: time in a room never goes back."""

    @property
    def state(self) -> RoomState:
        """Where the room stands."""
        if self.upcoming is not None:
            return "countdown"
        if self.race is None:
            return "lobby"
        return "racing" if self.race.over_at is None else "over"

    @property
    def is_code_public(self) -> bool:
        """Whether the code may be told: an open race, or one that is over (Contract §2, §8)."""
        return self.options.code is not None or (self.state == "over" and not self.is_shut)

    @property
    def unshown(self) -> tuple[str, ...]:
        """Who has just seen this deal here, where it may lie in a sealed envelope or be the day's.

        Such a deal is raced on by one alone, or by those who have its code from somewhere.
        """
        if self.race is None or (self.only is None and self.options.code is None):
            return ()
        if self.code.variant is not Variant.SEALED:
            return ()
        return tuple(player for player in self.members if player not in self.shown)

    @property
    def ghosts_shown(self) -> tuple[Ghost, ...]:
        """The ghosts that race along before everybody's eyes.

        What is for one alone has none until it is over: how the others did is told afterwards.
        """
        return self.ghosts if self.only is None else ()

    def players(self) -> Iterator[Member]:
        """Those in the room who race or will, in the order in which they came."""
        return (member for member in self.members.values() if member.is_player)

    def ready_players(self) -> Iterator[Member]:
        """Those who are in the next race if it starts now."""
        return (member for member in self.players() if member.ready)

    @property
    def nonces(self) -> Mapping[str, str]:
        """The nonces of those who are ready, by player."""
        ready = self.ready_players()
        return {member.player: member.nonce for member in ready if member.nonce is not None}

    def seat(self, player: str) -> Seat | None:
        """The player's seat in the race that runs or is over."""
        return None if self.race is None else self.race.seats.get(player)

    def status(self, player: str) -> PlayerStatus:
        """What others are told of the player (Contract §5)."""
        seat = self.seat(player)
        return "waiting" if seat is None else seat.run.status

    def is_done(self, seat: Seat) -> bool:
        """Whether this racer's race has ended (Contract §6)."""
        return seat.run.is_done(undo=self.options.undo)
