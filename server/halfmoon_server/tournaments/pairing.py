"""A Swiss round drawn from the table: who meets whom, and who has the bye (Contract §8).

The rules in order: nobody meets twice while another pairing exists; nobody has a second bye while
another can take it; the bye goes to the lowest who may have one; then the least sum of score
differences. Each is one part of an edge's cost, every part larger than all that follow it can add
up to, so that a matching of least cost keeps the rules in their order.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

BYE = ""
"""Stands for nobody: who is matched with it has the bye."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the draw needs to know of an entrant."""

    entrant: str
    points: int
    """In halves."""
    byes: int
    met: Mapping[str, int]
    """How often they have met whom."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round of heats of two."""

    heats: tuple[tuple[str, str], ...]
    """Each pair in the order of the table, the pair of the higher first."""
    bye: str | None


def pair(table: Sequence[Standing]) -> Pairing:
    """The round for these entrants, who come in the order of the table, the first at the top."""
    import networkx as nx  # noqa: PLC0415 - takes longer than the rest of the server's start

    place = {one.entrant: number for number, one in enumerate(table)}
    graph: nx.Graph[str] = nx.Graph()
    costs = _costs(table)
    most = max(costs.values(), default=0)
    for (a, b), cost in costs.items():
        graph.add_edge(a, b, weight=most - cost)
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    return _pairing(matched, place)


def _pairing(matched: Collection[tuple[str, str]], place: Mapping[str, int]) -> Pairing:
    bye: str | None = None
    heats: list[tuple[str, str]] = []
    for a, b in matched:
        if BYE in (a, b):
            bye = a if b == BYE else b
        else:
            heats.append((a, b) if place[a] < place[b] else (b, a))
    heats.sort(key=lambda heat: place[heat[0]])
    return Pairing(tuple(heats), bye)


def _costs(table: Sequence[Standing]) -> dict[tuple[str, str], int]:
    """What each pair would cost; with nobody, what a bye would."""
    count = len(table)
    widest = max((one.points for one in table), default=0)
    # Each unit is more than all lower parts of a whole round together can be.
    nearness = 1
    difference = nearness * count**3 + 1
    lowest = difference * (widest * count + 1)
    second_bye = lowest * (count + 1)
    meeting = second_bye * (1 + max((one.byes for one in table), default=0))
    costs: dict[tuple[str, str], int] = {}
    for (i, one), (j, other) in combinations(enumerate(table), 2):
        costs[one.entrant, other.entrant] = (
            meeting * one.met.get(other.entrant, 0)
            + difference * abs(one.points - other.points)
            + nearness * (j - i) ** 2
        )
    if count % 2:
        for i, one in enumerate(table):
            costs[one.entrant, BYE] = second_bye * one.byes + lowest * (count - 1 - i)
    return costs
