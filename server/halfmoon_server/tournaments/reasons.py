"""Why a heat was drawn as it was: the rules that led to it, in their order, as the draw saw them."""

from collections.abc import Iterable, Iterator

from halfmoon.wire.tournaments import HeatReason, ReasonEntrant
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments.drawing import standings_for
from halfmoon_server.tournaments.evolve import create, evolve
from halfmoon_server.tournaments.pairing import Standing
from halfmoon_server.tournaments.state import Heat, Round, Tournament


def reasons(events: Iterable[e.Event], number: int, heat: int) -> list[HeatReason]:
    """Why these race each other in this round; there has to be such a heat.

    What was corrected or annulled after the draw is no reason for it, so it goes by the log.
    """
    before, one = _drawn(events, number)
    if heat > len(one.heats):
        return [HeatReason(why="equal_before")]
    return [*_REASONS[before.format](before, one, one.heats[heat - 1])]


def _drawn(events: Iterable[e.Event], number: int) -> tuple[Tournament, Round]:
    """The tournament just before that round was drawn, and the round just after."""
    t: Tournament | None = None
    for event in events:
        if isinstance(event, e.TournamentMade):
            t = create(event)
            continue
        assert t is not None, "a tournament begins with its making"
        after = evolve(t, event)
        if isinstance(event, e.RoundDrawn) and event.round == number:
            return t, after.rounds[-1]
        t = after
    raise AssertionError(f"round {number} was never drawn")


def _of_series(t: Tournament, one: Round, _: Heat) -> Iterator[HeatReason]:
    count = sum(len(other.entrants) for other in one.heats)
    if len(one.heats) == 1:
        yield HeatReason(why="one_deal", count=count)
        return
    yield HeatReason(why="dealt_out", count=count, heats=len(one.heats), heat_size=t.heat_size)


def _of_knockout(t: Tournament, _: Round, heat: Heat) -> Iterator[HeatReason]:
    seeds = [ReasonEntrant(entrant=one, seed=t.seeds.index(one) + 1) for one in heat.entrants]
    yield HeatReason(why="bracket", entrants=seeds)


def _of_swiss(t: Tournament, one: Round, heat: Heat) -> Iterator[HeatReason]:
    drawn = [entrant for other in one.heats for entrant in other.entrants] + [*one.byes]
    table = {standing.entrant: standing for standing in standings_for(t, drawn)}
    a, b = (table[entrant] for entrant in heat.entrants)
    have_met = a.met.get(b.entrant, 0) > 0
    yield HeatReason(why="meet_again" if have_met else "not_met", entrants=[_points(a), _points(b)])
    pairs = [[table[entrant].points for entrant in other.entrants] for other in one.heats]
    differences = sum(abs(x - y) for x, y in pairs)
    yield HeatReason(why="least_differences", difference=differences / 2)
    for entrant in one.byes:
        had = table[entrant].byes
        yield HeatReason(why="bye", entrants=[_points(table[entrant])], count=had)


def _points(standing: Standing) -> ReasonEntrant:
    return ReasonEntrant(entrant=standing.entrant, points=standing.points / 2)


_REASONS = {"series": _of_series, "swiss": _of_swiss, "knockout": _of_knockout}
