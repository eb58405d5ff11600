"""The draw of a round: which entrants race in which heat, and who has a bye (Contract §8)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from halfmoon.tournaments import brackets
from halfmoon.tournaments.table import position, tallied
from halfmoon_server.tournaments.pairing import Standing, pair
from halfmoon_server.tournaments.state import Tournament


@dataclass(frozen=True, slots=True)
class Draw:
    """A round before it has rooms."""

    heats: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()


def draw(tournament: Tournament) -> Draw | None:
    """The next round; None where too few are left to race one."""
    active = [one.entrant for one in tournament.active()]
    if tournament.format == "knockout":
        return _knockout(tournament, active)
    if len(active) < 2:
        return None
    if tournament.format == "swiss":
        return _swiss(tournament, active)
    return Draw(_dealt_out(active, tournament.heat_size or len(active)))


def most_heats(tournament: Tournament) -> int:
    """As many heats as the next round can have at most."""
    count = len(tournament.entrants)
    size = (tournament.heat_size or count) if tournament.format == "series" else 2
    return -(-count // max(1, size))


def _dealt_out(active: Sequence[str], size: int) -> tuple[tuple[str, ...], ...]:
    """As few heats as do, as even as can be, neighbours in the order of seeds apart."""
    count = -(-len(active) // size)
    return tuple(tuple(active[number::count]) for number in range(count))


def standings_for(tournament: Tournament, active: Sequence[str]) -> list[Standing]:
    """What a Swiss draw goes by: the table of those who are drawn, with byes and meetings."""
    tallies = tallied("swiss", tournament.seeds, tournament.finished)
    met: dict[str, Counter[str]] = {entrant: Counter() for entrant in active}
    byes: Counter[str] = Counter()
    for one in tournament.finished:
        byes.update(one.byes)
        for heat in one.heats:
            for entrant in heat.entrants:
                if entrant in met:
                    met[entrant].update(other for other in heat.entrants if other != entrant)
    return [
        Standing(entrant, tallies[entrant].points // 50, byes[entrant], met[entrant])
        for entrant in position("swiss", tallies, tournament.seeds)
        if entrant in met
    ]


def _swiss(tournament: Tournament, active: Sequence[str]) -> Draw:
    pairing = pair(standings_for(tournament, active))
    return Draw(pairing.heats, () if pairing.bye is None else (pairing.bye,))


def _knockout(tournament: Tournament, active: Sequence[str]) -> Draw | None:
    slots = brackets.slots_after(tournament.finished, tournament.seeds)
    if slots is None:
        if len(active) < 2:
            return None
        slots = brackets.first_slots(active)
    alive = [slot if slot in active else None for slot in slots]
    if all(slot is None for slot in alive):
        return None
    heats: list[tuple[str, ...]] = []
    byes: list[str] = []
    for a, b in brackets.pairs(alive):
        if a is not None and b is not None:
            heats.append((a, b))
        elif (alone := a or b) is not None:
            byes.append(alone)
    return Draw(tuple(heats), tuple(byes))
