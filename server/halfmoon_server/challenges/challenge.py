"""A challenge: a recorded race that others race again, whenever they like."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from halfmoon.engine.codes import Code, Variant
from halfmoon.engine.ghosts import GhostOf
from halfmoon.engine.options import RaceOptions
from halfmoon.engine.record import RaceRecord
from halfmoon.engine.standings import Standing
from halfmoon.wire.errors import ErrorCode
from halfmoon.wire.options import RoomOptions
from halfmoon_server.eventlog.base import Identity, Key
from halfmoon_server.rooms.commands import Refusal
from halfmoon_server.rooms.events import Ghost
from halfmoon_server.rooms.ghosts import ghost_of
from halfmoon_server.rooms.terms import Terms

KIND = "challenge"


class Challenge(BaseModel):
    """All that is known of a challenge: the one entry of its log, written when it is made."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    challenge: str
    number: int
    """Which of its maker's challenges it is, from 1 on."""
    at: int
    """When it was made, Unix ms."""
    player: str
    name: str
    race: str
    code: Code
    options: RaceOptions
    sealed: bool
    """Whether results are shut to each until they have played, and everybody plays once."""
    ghosts: tuple[Ghost, ...]
    standings: tuple[Standing, ...]
    """How the ghosts did in their race, in the order of `ghosts`."""
    raced: frozenset[str]
    """Who raced there, and so has seen the deal."""
    watched: frozenset[str] = frozenset()
    """Who else was there, from the start of that race on, and so has seen it too."""
    is_listed: bool = False
    """Whether the race's room was public, so that everybody may find it by the race."""
    is_first: bool = False
    """Whether it is the first on its deal."""

    @property
    def contest(self) -> str:
        """What a room says that it is for; also the name of the log."""
        return contest_of(self.challenge)

    @property
    def terms(self) -> Terms:
        """What is fixed of a room in which it is raced."""
        ghosts = self.ghosts if self.is_listed else tuple(map(_without_race, self.ghosts))
        return Terms(self.contest, self.code, self.options, self.sealed, ghosts)


def _without_race(ghost: Ghost) -> Ghost:
    return ghost.model_copy(update={"of": GhostOf(player=ghost.of.player)})


def contest_of(challenge: str) -> str:
    """The contest of the challenge with this id."""
    return f"{KIND}/{challenge}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants to challenge others with."""

    record: RaceRecord
    ghosts: tuple[str, ...]
    """Whose runs of that race shall race along."""
    sealed: bool
    contest: str | None = None
    """What that race belonged to."""
    witnesses: frozenset[str] = frozenset()
    """Who was in its room, from its start on."""


def make(
    challenge: str, number: int, maker: Identity, wanted: Wanted, now: int
) -> Challenge | Refusal:
    """The challenge of this id out of a finished race, or why there is none.

    In a sealed envelope lies a deal that nobody can know beforehand: see `how_told`, and
    `Envelopes.why_told` for what happened elsewhere.
    """
    record, chosen = wanted.record, [*dict.fromkeys(wanted.ghosts)]
    raced = frozenset(line.player for line in record.players if line.ghost is None)
    lines = {line.player: line for line in record.players}
    if maker.player not in raced:
        return Refusal(ErrorCode.NOT_ALLOWED, "race: you did not race there")
    if unknown := [one for one in chosen if one not in lines]:
        return Refusal(ErrorCode.NOT_ALLOWED, f"ghosts: {unknown[0]} did not race there")
    if wanted.sealed and (why := how_told(record, wanted.contest)) is not None:
        return Refusal(ErrorCode.WRONG_STATE, f"sealed: {why}, so this deal is known")
    ranked = {line.player: line for line in record.standings}
    return Challenge(
        challenge=challenge,
        number=number,
        at=now,
        player=maker.player,
        name=maker.name,
        race=record.race,
        code=record.code,
        options=RaceOptions(
            time_limit_ms=record.options.time_limit_ms,
            undo=record.options.undo,
            ends=record.options.ends,
        ),
        sealed=wanted.sealed,
        ghosts=_apart(ghost_of(record.race, lines[one]) for one in chosen),
        standings=tuple(ranked[one] for one in chosen),
        raced=raced,
        watched=wanted.witnesses - raced if wanted.sealed else frozenset(),
        is_listed=isinstance(record.options, RoomOptions) and record.options.public,
    )


def how_told(record: RaceRecord, contest: str | None) -> str | None:
    """How the deal may be known to somebody who wasn't there; None where it can't.

    A normal code is found by its seal, there are too few of them. Into a public room anybody may come
    after the race, and what contests raced on is told to all by their tables.
    """
    options = record.options
    if record.code.variant is not Variant.SEALED or options.code is not None:
        return "its code was typed"
    if isinstance(options, RoomOptions) and options.public:
        return "its room was public"
    return None if contest is None else "it was raced on for a contest"


def _apart(ghosts: Iterable[Ghost]) -> tuple[Ghost, ...]:
    """The ghosts with a seat each: one player's run and that of their ghost may both be among them."""
    seen: Counter[str] = Counter()
    apart: list[Ghost] = []
    for ghost in ghosts:
        seen[ghost.player] += 1
        number = seen[ghost.player]
        seat = ghost.player if number == 1 else f"{ghost.player}.{number}"
        apart.append(ghost.model_copy(update={"player": seat}))
    return tuple(apart)


def key_of(player: str, number: int) -> Key:
    """The key of this player's challenge of this number."""
    return Key("challenge", f"{player} {number}")


def deal_key(code: Code) -> Key:
    """The key of the first challenge on this deal."""
    return Key("deal", str(code))


def keys_of(challenge: Challenge) -> tuple[Key, ...]:
    """The keys that the log of a challenge is given."""
    own = key_of(challenge.player, challenge.number)
    return (own, deal_key(challenge.code)) if challenge.is_first else (own,)
