"""A tournament at one moment: who is in it, what was drawn, and what was raced. Frozen."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from halfmoon.engine.codes import Code
from halfmoon.engine.standings import FinalStatus
from halfmoon.tournaments import brackets
from halfmoon.tournaments.rounds import Heat as RacedHeat
from halfmoon.tournaments.rounds import Line, winner
from halfmoon.tournaments.rounds import Round as RacedRound
from halfmoon.wire.names import shown
from halfmoon.wire.options import RoomOptions
from halfmoon.wire.tournaments import EntryKind, Format, TournamentStage


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who is in the tournament."""

    entrant: str
    name: str
    claim: str
    is_claim_used: bool = False
    player: str | None = None
    """Who took the entry; None: nobody yet, and then they are absent."""
    is_active: bool = True
    """False once withdrawn."""
    is_awaited: bool = False
    """Whether they were withdrawn because they hadn't come yet, and are in again once they come."""
    number: int | None = None
    """What stands beside the name where somebody who came before is called the same, or looks so."""
    former: frozenset[str] = frozenset()
    """Who had the entry before its claim was used from another device."""

    @property
    def shown(self) -> str:
        """The name as everybody sees it, with its number."""
        return shown(self.name, self.number)


@dataclass(frozen=True, slots=True)
class Raced:
    """Values of a result that a director can correct."""

    status: FinalStatus
    best: int
    time_ms: int


@dataclass(frozen=True, slots=True)
class Result:
    """An entrant's result in a heat, and what was raced where it was corrected."""

    entrant: str
    counts: Raced
    moves: int
    actions: int
    raw: Raced | None = None
    reason: str | None = None

    @property
    def line(self) -> Line:
        """The result as it counts."""
        counts = self.counts
        return Line(self.entrant, counts.status, counts.best, counts.time_ms, self.actions)


@dataclass(frozen=True, slots=True)
class Heat:
    """A heat that was drawn."""

    heat: int
    room: str
    race: str
    entrants: tuple[str, ...]
    seats: Mapping[str, str]
    code: Code
    starts_at: int
    over_at: int | None = None
    results: Mapping[str, Result] = field(default_factory=dict[str, Result])
    """By entrant, once it is over; an absent one has none."""

    @property
    def is_over(self) -> bool:
        """Whether it was raced to its end."""
        return self.over_at is not None

    @property
    def raced(self) -> RacedHeat:
        """The heat as tables need it."""
        return RacedHeat(self.entrants, tuple(result.line for result in self.results.values()))


@dataclass(frozen=True, slots=True)
class EarlyEnd:
    """That the director ended a round before its time."""

    reason: str
    at: int
    heats: int
    """How many heats had been drawn by then; a further one after an exact equal is raced."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round that was drawn."""

    round: int
    heats: tuple[Heat, ...]
    byes: tuple[str, ...]
    annulled: str | None = None
    """Why it counts for nothing, where it does."""
    drawn_at: int = 0
    ended: EarlyEnd | None = None
    """Where it was ended before its time; the last word, where that was said more than once."""

    def is_cut(self, heat: Heat) -> bool:
        """Whether this heat was there when the round was ended before its time, and isn't over."""
        return self.ended is not None and not heat.is_over and heat.heat <= self.ended.heats

    @property
    def is_deserted(self) -> bool:
        """Whether it was raced to its end, and nobody was there who did anything."""
        lines = [line for heat in self.heats for line in heat.results.values()]
        return (
            self.is_over
            and len(self.heats) > 0
            and all(one.actions == 0 and one.counts.status == "timed_out" for one in lines)
        )

    @property
    def is_over(self) -> bool:
        """Whether all its heats are."""
        return all(heat.is_over for heat in self.heats)

    @property
    def over_at(self) -> int:
        """When the last of its heats was over."""
        return max((heat.over_at or 0 for heat in self.heats), default=self.drawn_at)

    @property
    def raced(self) -> RacedRound:
        """The round as tables need it."""
        return RacedRound(self.round, tuple(heat.raced for heat in self.heats), self.byes)


@dataclass(frozen=True, slots=True)
class Announcement:
    """What the organiser has told everybody."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament at one moment."""

    tournament: str
    name: str
    format: Format
    rounds_planned: int | None
    options: RoomOptions
    heat_size: int | None
    entry: EntryKind
    made_at: int
    entrants: Mapping[str, Entrant] = field(default_factory=dict[str, Entrant])
    """By id, in the order in which they came."""
    seeds: tuple[str, ...] = ()
    """Everybody, the best seed first."""
    rounds: tuple[Round, ...] = ()
    announcement: Announcement | None = None
    break_ms: int | None = None
    is_paused: bool = False
    automatic_at: int = 0
    """When the automatic mode was last set."""
    is_ended: bool = False
    removed: int = 0
    """How many were taken off the list, whose ids aren't used again."""
    events: int = 0
    touched_at: int = 0

    @property
    def current(self) -> Round | None:
        """The last round that was drawn."""
        return self.rounds[-1] if self.rounds else None

    @property
    def running(self) -> Round | None:
        """The round that runs: the last, or one to which a correction has added a further heat."""
        return next((one for one in reversed(self.rounds) if not one.is_over), None)

    @property
    def is_racing(self) -> bool:
        """Whether a round runs."""
        return self.running is not None

    @property
    def counted(self) -> list[Round]:
        """The rounds that were not annulled."""
        return [one for one in self.rounds if one.annulled is None]

    @property
    def finished(self) -> list[RacedRound]:
        """The rounds that are over and count, as tables need them."""
        return [one.raced for one in self.counted if one.is_over]

    @property
    def is_over(self) -> bool:
        """Whether no round will follow."""
        if self.is_racing:
            return False
        if self.is_ended:
            return True
        if self.format == "knockout":
            return self._has_champion()
        return self.rounds_planned is not None and len(self.counted) >= self.rounds_planned

    def _has_champion(self) -> bool:
        """Whether a knockout's bracket has come down to one, or nobody who is left will race."""
        slots = brackets.slots_after(self.finished, self.seeds)
        if slots is None:
            return False
        left = [self.entrants[slot] for slot in slots if slot is not None]
        return len(left) <= 1 or not any(entrant.is_active for entrant in left)

    @property
    def can_draw(self) -> bool:
        """Whether enough are left for another round; in a bracket that is drawn, one is enough."""
        is_begun = self.format == "knockout" and len(self.counted) > 0
        return is_begun or sum(1 for _ in self.active()) > 1

    @property
    def stage(self) -> TournamentStage:
        """Where the tournament stands."""
        if self.is_racing:
            return "racing"
        if self.is_over:
            return "over"
        return "break" if self.rounds else "entry"

    @property
    def is_waiting(self) -> bool:
        """Whether rounds would follow by themselves, but nobody was there in the last one.

        Until the organiser says again that they shall.
        """
        current = self.current
        return (
            self.break_ms is not None
            and current is not None
            and current.is_deserted
            and self.automatic_at < current.over_at
            and self.stage == "break"
        )

    @property
    def next_at(self) -> int | None:
        """When the next round is due by itself."""
        current = self.current
        if self.break_ms is None or self.is_paused or current is None or self.stage != "break":
            return None
        if self.is_waiting or not self.can_draw:
            return None
        return max(current.over_at, self.automatic_at) + self.break_ms

    def active(self) -> Iterator[Entrant]:
        """Those who are drawn, in the order of seeds."""
        return (self.entrants[one] for one in self.seeds if self.entrants[one].is_active)

    def entrant_of(self, player: str) -> Entrant | None:
        """The entry that this player has taken."""
        return next((one for one in self.entrants.values() if one.player == player), None)

    def was_entrant(self, player: str) -> bool:
        """Whether this player had an entry that is another's now, and has none since."""
        had_one = any(player in one.former for one in self.entrants.values())
        return had_one and self.entrant_of(player) is None

    def holders(self, heat: "Heat") -> Mapping[str, str]:
        """Whose each of the heat's seats shall be, by whom it was drawn for.

        Empty where no entry of it has ever changed hands.
        """
        if not any(self.entrants[one].former for one in heat.seats):
            return {}
        now = {one: self.entrants[one].player for one in heat.seats}
        return {heat.seats[one]: player for one, player in now.items() if player is not None}

    def withdrawn(self, heat: "Heat") -> frozenset[str]:
        """The players with a seat in this heat who were withdrawn."""
        entrants = (self.entrants[one] for one in heat.seats)
        return frozenset(one.player for one in entrants if one.player and not one.is_active)

    def round(self, number: int) -> Round | None:
        """The round of this number."""
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None

    def heat(self, number: int, heat: int) -> Heat | None:
        """The heat of this number in that round."""
        one = self.round(number)
        return None if one is None or not 1 <= heat <= len(one.heats) else one.heats[heat - 1]

    def with_entrant(self, entrant: Entrant) -> "Tournament":
        """The tournament with this entrant as they are now."""
        return replace(self, entrants={**self.entrants, entrant.entrant: entrant})


def is_undecided(tournament: Tournament, one: Round, heat: Heat) -> bool:
    """Whether a knockout's heat was an exact equal that has to be raced again."""
    if tournament.format != "knockout" or not heat.results:
        return False
    same = [other for other in one.heats if {*other.entrants} == {*heat.entrants}]
    if same[-1] is not heat or not heat.is_over:
        return False
    return winner([other.raced for other in same], tournament.seeds) is None
