"""The Swiss draw: the contract's rules in their order, against every pairing that there is."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence

import networkx as nx
import pytest

from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments.drawing import standings_for
from halfmoon_server.tournaments.pairing import Pairing, Standing, pair
from halfmoon_testing.tournaments import Play

LONG = bool(os.environ.get("HALFMOON_LONG"))
Pairs = list[tuple[str, str]]


def all_pairings(entrants: Sequence[str]) -> Iterator[Pairs]:
    """Every way to put an even number of entrants into pairs."""
    if not entrants:
        yield []
        return
    first, *rest = entrants
    for other in rest:
        left = [one for one in rest if one != other]
        for pairs in all_pairings(left):
            yield [(first, other), *pairs]


def all_rounds(entrants: Sequence[str]) -> Iterator[tuple[str | None, Pairs]]:
    """Every round, with every bye where one is needed."""
    if len(entrants) % 2 == 0:
        yield from ((None, pairs) for pairs in all_pairings(entrants))
        return
    for bye in entrants:
        others = [one for one in entrants if one != bye]
        yield from ((bye, pairs) for pairs in all_pairings(others))


def judged(table: Sequence[Standing], bye: str | None, pairs: Pairs) -> tuple[int, ...]:
    """The rules in their order; the smaller the better."""
    by = {one.entrant: one for one in table}
    place = {one.entrant: number for number, one in enumerate(table)}
    return (
        sum(by[a].met.get(b, 0) for a, b in pairs),
        0 if bye is None else by[bye].byes,
        0 if bye is None else -place[bye],
        sum(abs(by[a].points - by[b].points) for a, b in pairs),
    )


def random_table(lot: random.Random, count: int) -> list[Standing]:
    names = [f"e{number}" for number in range(count)]
    met: dict[str, dict[str, int]] = {name: {} for name in names}
    for a in names:
        for b in names:
            if a < b and lot.random() < 0.4:
                met[a][b] = met[b][a] = lot.choice((1, 1, 2))
    points = sorted((lot.randrange(8) for _ in names), reverse=True)
    byes = [lot.choice((0, 0, 1, 2)) for _ in names]
    return [
        Standing(name, score, bye, met[name])
        for name, score, bye in zip(names, points, byes, strict=True)
    ]


def as_pairs(pairing: Pairing) -> tuple[str | None, Pairs]:
    return pairing.bye, list(pairing.heats)


@pytest.mark.parametrize("count", range(2, 9))
def test_no_round_is_better_by_the_rules(count: int) -> None:
    lot = random.Random(count)
    for _ in range(500 if LONG else 12 if count < 7 else 4):
        table = random_table(lot, count)
        drawn = judged(table, *as_pairs(pair(table)))
        best = min(judged(table, *one) for one in all_rounds([one.entrant for one in table]))
        assert drawn == best


def test_everybody_is_in_it_once() -> None:
    table = random_table(random.Random(5), 31)
    pairing = pair(table)
    drawn = [one for heat in pairing.heats for one in heat] + [pairing.bye]
    assert sorted(map(str, drawn)) == sorted(one.entrant for one in table)


def test_the_first_round_lets_neighbours_meet() -> None:
    table = [Standing(f"e{number}", 0, 0, {}) for number in range(6)]
    assert pair(table).heats == (("e0", "e1"), ("e2", "e3"), ("e4", "e5"))


def test_the_lowest_has_the_bye_unless_they_had_one() -> None:
    table = [Standing("a", 4, 0, {}), Standing("b", 2, 0, {}), Standing("c", 0, 1, {})]
    assert pair(table).bye == "b"
    everybody_had_one = [Standing(one.entrant, one.points, 1, {}) for one in table]
    assert pair(everybody_had_one).bye == "c"


def test_a_second_bye_is_taken_before_a_second_meeting() -> None:
    """With a given the bye, b and c would meet again; so would a and c with b given it."""
    met = {"a": {"c": 1}, "b": {"c": 1}, "c": {"a": 1, "b": 1}}
    table = [
        Standing("a", 4, 0, met["a"]),
        Standing("b", 2, 0, met["b"]),
        Standing("c", 0, 1, met["c"]),
    ]
    assert pair(table).bye == "c"


def check_round(play: Play) -> None:
    """What holds of every draw, whatever went before."""
    active = [one.entrant for one in play.t.active()]
    table = standings_for(play.t, active)
    by = {one.entrant: one for one in table}
    one = play.draw()
    drawn = [entrant for heat in one.heats for entrant in heat.entrants] + [*one.byes]
    assert sorted(drawn) == sorted(active)
    assert len(one.byes) == len(active) % 2
    repeats = sum(by[heat.entrants[0]].met.get(heat.entrants[1], 0) for heat in one.heats)
    if repeats:
        assert not can_avoid_repeats(table), "somebody meets again without need"
    elif one.byes and by[one.byes[0]].byes:
        fewer = [e for e in table if e.byes < by[one.byes[0]].byes]
        assert not any(can_avoid_repeats(table, bye=e.entrant) for e in fewer)


def can_avoid_repeats(table: Sequence[Standing], bye: str | None = None) -> bool:
    """Whether anybody can be paired with nobody met before, by plain matching without weights."""
    graph: nx.Graph[str] = nx.Graph()
    for a in table:
        for b in table:
            if (
                a.entrant < b.entrant
                and not a.met.get(b.entrant)
                and bye not in (a.entrant, b.entrant)
            ):
                graph.add_edge(a.entrant, b.entrant)
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    left = len(table) - (bye is not None)
    return len(pairs) == left // 2


@pytest.mark.parametrize(
    ("count", "rounds"),
    [(5, 8), (7, 6), (8, 7), (28, 5), (200, 11)]
    if LONG
    else [(5, 8), (7, 6), (8, 7), (28, 4), (41, 3)],
)
def test_whole_tournaments_keep_the_rules(count: int, rounds: int) -> None:
    """With withdrawals, people who come back, and people who come late."""
    for seed in range(20 if LONG else 1):
        play = Play("swiss", rounds=rounds, seed=seed)
        play.add(count, absent=count // 10)
        for number in range(rounds):
            disturb(play, number)
            check_round(play)
            play.race()


def disturb(play: Play, number: int) -> None:
    for entrant in [*play.t.entrants.values()]:
        if play.lot.random() < 0.03 and len([*play.t.active()]) > 3:
            play.ask(q.Withdraw(entrant.entrant))
        elif not entrant.is_active and play.lot.random() < 0.3:
            play.ask(q.Readmit(entrant.entrant))
    if number and play.lot.random() < 0.3:
        play.add(1)


def test_nobody_has_a_second_bye_before_all_had_one() -> None:
    play = Play("swiss", rounds=7)
    play.add(7)
    play.play(7)
    had = [bye["entrant"] for bye in play.state()["byes"]]
    assert len(set(had)) == 7


def test_no_two_meet_twice_while_it_can_be_avoided() -> None:
    play = Play("swiss", rounds=7, seed=3)
    play.add(8)
    play.play(7)
    met = [frozenset(heat["entrants"]) for heat in play.state()["heats"]]
    assert len(set(met)) == len(met) == 28
