"""The table of a tournament, computed from its rounds and never stored (Contract §8)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from halfmoon.tournaments.brackets import passed
from halfmoon.tournaments.points import half_points, matchpoints
from halfmoon.tournaments.rounds import Heat, Line, Round, ranked
from halfmoon.wire.tournaments import Format, RoundPoints, Standings, TableRow

RULES: dict[Format, str] = {
    "series": "In each round 1 for every entrant beaten and ½ for every equal on the same deal, as a "
    "percentage of the possible; absent is 0 and counts as beaten. The table ranks by the sum of "
    "these points, then by rounds won, then by the sum of best scores, then by the least total "
    "time. Equals on everything share a rank.",
    "swiss": "A win is 1 point, an equal ½, a bye 1. The table ranks by points, then by Buchholz (the "
    "points of all opponents raced), then by Sonneborn–Berger (the points of opponents beaten and "
    "half those of equals), then by the sum of best scores, then by the least total time. A round "
    "not raced adds nothing to Buchholz and Sonneborn–Berger. Equals on everything share a rank.",
    "knockout": "Who loses a heat is out; an exact equal is raced again. The table ranks by the round "
    "that one got to: points are the rounds passed, by a win or a bye. Those who got equally far "
    "share a rank.",
}


@dataclass(frozen=True, slots=True)
class Person:
    """An entrant as the table lists them."""

    entrant: str
    name: str
    active: bool


@dataclass(slots=True)
class Tally:
    """What an entrant has earned so far; points in hundredths."""

    points: int = 0
    wins: int = 0
    best: int = 0
    time_ms: int = 0
    buchholz: int = 0
    sonneborn_berger: int = 0
    """In hundredths as well; a half of half a point is 25."""
    rounds: list[RoundPoints] = field(default_factory=list[RoundPoints])

    def count(self, line: Line | None) -> None:
        """Take the line's values into the sums."""
        if line is not None:
            self.best += line.best
            self.time_ms += line.time_ms


Tallies = dict[str, Tally]


def table(kind: Format, people: Sequence[Person], rounds: Sequence[Round]) -> Standings:
    """The ranked table. `people` come in the order of seeds, `rounds` are over and count."""
    tallies = tallied(kind, [person.entrant for person in people], rounds)
    key = KEYS[kind]
    ordered = sorted(people, key=lambda person: key(tallies[person.entrant]))
    rows: list[TableRow] = []
    for place, person in enumerate(ordered, start=1):
        tally = tallies[person.entrant]
        equal = place > 1 and key(tallies[ordered[place - 2].entrant]) == key(tally)
        rows.append(_row(kind, rows[-1].rank if equal else place, person, tally))
    return Standings(rule=RULES[kind], rows=rows)


def tallied(kind: Format, seeds: Sequence[str], rounds: Sequence[Round]) -> Tallies:
    """What everybody has earned by these rounds."""
    tallies = {entrant: Tally() for entrant in seeds}
    count = _COUNT[kind]
    for one in rounds:
        count(tallies, one)
    if kind == "swiss":
        _tie_breaks(tallies, rounds)
    if kind == "knockout":
        for entrant, number in passed(rounds, seeds).items():
            tallies[entrant].points = 100 * number
    return tallies


def position(kind: Format, tallies: Mapping[str, Tally], seeds: Sequence[str]) -> list[str]:
    """All entrants in the order of the table, equals in the order of seeds."""
    return sorted(seeds, key=lambda entrant: KEYS[kind](tallies[entrant]))


# Round by round


def _count_series(tallies: Tallies, one: Round) -> None:
    points = matchpoints(one)
    ranks = dict(_ranks([line for heat in one.deciding() for line in heat.lines]))
    for heat in one.deciding():
        lines = _by_entrant(heat)
        for entrant in heat.entrants:
            tally, line, rank = tallies[entrant], lines.get(entrant), ranks.get(entrant)
            tally.points += points[entrant]
            tally.wins += rank == 1
            tally.count(line)
            tally.rounds.append(_round_points(one.round, points[entrant], rank, line))


def _count_heats_of_two(tallies: Tallies, one: Round) -> None:
    for entrant in one.byes:
        tallies[entrant].points += 100
        tallies[entrant].rounds.append(RoundPoints(round=one.round, points=1.0, bye=True))
    for heat in one.deciding():
        lines, points, ranks = _by_entrant(heat), half_points(heat), dict(_ranks(heat.lines))
        for entrant in heat.entrants:
            tally, line = tallies[entrant], lines.get(entrant)
            tally.points += 50 * points[entrant]
            tally.wins += points[entrant] == 2
            tally.count(line)
            others = [other for other in heat.entrants if other != entrant]
            told = _round_points(one.round, 50 * points[entrant], ranks.get(entrant), line, others)
            tally.rounds.append(told)


def _tie_breaks(tallies: Tallies, rounds: Sequence[Round]) -> None:
    """Buchholz and Sonneborn–Berger, of the rounds that one has raced."""
    for heat in (heat for one in rounds for heat in one.deciding()):
        points = half_points(heat)
        for entrant in _by_entrant(heat):
            theirs = sum(tallies[other].points for other in heat.entrants if other != entrant)
            tallies[entrant].buchholz += theirs
            tallies[entrant].sonneborn_berger += theirs * points[entrant] // 2


def _by_entrant(heat: Heat) -> dict[str, Line]:
    return {line.entrant: line for line in heat.lines}


def _ranks(lines: Sequence[Line]) -> Iterator[tuple[str, int]]:
    return ((line.entrant, rank) for rank, line in ranked(lines))


def _round_points(
    number: int,
    hundredths: int,
    rank: int | None,
    line: Line | None,
    others: list[str] | None = None,
) -> RoundPoints:
    return RoundPoints(
        round=number,
        points=hundredths / 100,
        rank=rank,
        best=None if line is None else line.best,
        time_ms=None if line is None else line.time_ms,
        opponents=others,
        absent=True if line is None else None,
    )


_COUNT: dict[Format, Callable[[Tallies, Round], None]] = {
    "series": _count_series,
    "swiss": _count_heats_of_two,
    "knockout": _count_heats_of_two,
}

KEYS: dict[Format, Callable[[Tally], tuple[int, ...]]] = {
    "series": lambda t: (-t.points, -t.wins, -t.best, t.time_ms),
    "swiss": lambda t: (-t.points, -t.buchholz, -t.sonneborn_berger, -t.best, t.time_ms),
    "knockout": lambda t: (-t.points,),
}
"""What ranks, the smallest first."""


def _row(kind: Format, rank: int, person: Person, tally: Tally) -> TableRow:
    is_swiss = kind == "swiss"
    return TableRow(
        rank=rank,
        entrant=person.entrant,
        name=person.name,
        points=tally.points / 100,
        wins=tally.wins,
        best=tally.best,
        time_ms=tally.time_ms,
        buchholz=tally.buchholz / 100 if is_swiss else None,
        sonneborn_berger=tally.sonneborn_berger / 100 if is_swiss else None,
        rounds=tally.rounds,
        active=person.active,
    )
