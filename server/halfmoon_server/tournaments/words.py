"""A tournament in words: its log, line by line, and why a heat was drawn as it was."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from halfmoon.wire import tournaments as w
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments.drawing import standings_for
from halfmoon_server.tournaments.evolve import create, evolve
from halfmoon_server.tournaments.pairing import Standing
from halfmoon_server.tournaments.state import Heat, Round, Tournament


def log_lines(events: Iterable[e.Event]) -> Iterator[w.LogLine]:
    """Every action, oldest first. Claims and deals stand in none."""
    t: Tournament | None = None
    for seq, event in enumerate(events, start=1):
        t = create(event) if isinstance(event, e.TournamentMade) else evolve(_there(t), event)
        yield w.LogLine(
            seq=seq,
            at=event.at,
            by=event.by,
            what=event.type,
            text=_said(t, event),
            entrant=getattr(event, "entrant", None),
            round=getattr(event, "round", None),
            heat=_heat_number(event),
            reason=getattr(event, "reason", None),
        )


def _there(t: Tournament | None) -> Tournament:
    assert t is not None, "a tournament begins with its making"
    return t


def _heat_number(event: e.Event) -> int | None:
    if isinstance(event, e.HeatAdded):
        return event.heat.heat
    return event.heat if isinstance(event, e.HeatOver | e.ResultCorrected) else None


def _said(t: Tournament, event: e.Event) -> str:
    match event:
        case e.TournamentMade():
            return f"{event.name} was made: {event.format}."
        case e.EntrantsAdded():
            names = ", ".join(one.name for one in event.entrants)
            return f"Put on the list: {names}."
        case e.EntrantCame():
            return f"{event.name} came in."
        case e.EntryTaken():
            return f"The entry of {_name(t, event.entrant)} was taken by its claim."
        case e.ClaimRenewed():
            return f"{_name(t, event.entrant)} got a new claim; the old one is void."
        case e.Seeded():
            return "The seeds were put in order."
        case e.Withdrawn():
            return f"{_name(t, event.entrant)} was withdrawn."
        case e.Readmitted():
            return f"{_name(t, event.entrant)} was readmitted."
        case e.Announced():
            return "The announcement was taken away." if event.text is None else event.text
        case e.AutomaticSet():
            return _said_of_automatic(event)
        case e.Ended():
            return "The tournament was ended."
        case _:
            return _said_of_round(t, event)


def _said_of_automatic(event: e.AutomaticSet) -> str:
    if event.break_ms is None:
        return "Rounds are drawn by hand."
    paused = ", but wait now" if event.paused else ""
    return f"Rounds follow {event.break_ms / 1000:g} s after one another{paused}."


def _said_of_round(t: Tournament, event: e.Event) -> str:
    match event:
        case e.RoundDrawn():
            byes = f"; bye: {_names(t, event.byes)}" if event.byes else ""
            return f"Round {event.round} was drawn: {_heats(len(event.heats))}{byes}."
        case e.HeatAdded():
            names = _names(t, event.heat.entrants)
            return f"{names} were exactly equal and race again, on a new deal."
        case e.HeatOver():
            return f"Heat {event.heat} of round {event.round} is over."
        case e.ResultCorrected():
            name = _name(t, event.entrant)
            return (
                f"The result of {name} in round {event.round} was corrected to {event.status}, "
                f"best {event.best}, {event.time_ms} ms: {event.reason}"
            )
        case e.RoundAnnulled():
            return f"Round {event.round} was annulled: {event.reason}"
        case _:
            raise AssertionError(f"{event.type} has no words")


def _heats(count: int) -> str:
    return "1 heat" if count == 1 else f"{count} heats"


def _name(t: Tournament, entrant: str) -> str:
    return t.entrants[entrant].name


def _names(t: Tournament, entrants: Iterable[str]) -> str:
    return " and ".join(_name(t, entrant) for entrant in entrants)


# Why a heat was drawn


def explanation(t: Tournament, one: Round, heat: Heat) -> str:
    """Why these race each other, by the rules in their order."""
    if any({*other.entrants} == {*heat.entrants} for other in one.heats[: heat.heat - 1]):
        return "They were exactly equal in the heat before, and race again on a new deal."
    if t.format == "series":
        return _why_series(t, one, heat)
    if t.format == "knockout":
        return _why_knockout(t, heat)
    return _why_swiss(t, one, heat)


def _why_series(t: Tournament, one: Round, heat: Heat) -> str:
    if len(one.heats) == 1:
        return f"All {len(heat.entrants)} entrants race on the same deal."
    return (
        f"All {sum(len(other.entrants) for other in one.heats)} entrants race on the same deal; "
        f"a heat holds {t.heat_size} at most, so they were dealt out over {_heats(len(one.heats))} "
        "in the order of seeds. Points are counted over all of them."
    )


def _why_knockout(t: Tournament, heat: Heat) -> str:
    seeds = [f"{_name(t, one)} (seed {t.seeds.index(one) + 1})" for one in heat.entrants]
    return f"{' and '.join(seeds)} stand next to each other in the bracket."


def _why_swiss(t: Tournament, one: Round, heat: Heat) -> str:
    before = replace(t, rounds=t.rounds[: one.round - 1])
    drawn = [entrant for other in one.heats for entrant in other.entrants] + [*one.byes]
    table = {standing.entrant: standing for standing in standings_for(before, drawn)}
    a, b = (table[entrant] for entrant in heat.entrants)
    names = f"{_with_points(t, a)} and {_with_points(t, b)}"
    differences = sum(
        abs(table[other.entrants[0]].points - table[other.entrants[1]].points)
        for other in one.heats
    )
    met = a.met.get(b.entrant, 0)
    have_met = (
        "haven't met before" if met == 0 else "meet again, as no pairing without that is left"
    )
    bye = _why_bye(t, one, table)
    return (
        f"{names} {have_met}. Of all such pairings this one has the least sum of score differences, "
        f"{_halves(differences)} over the round; among equals, neighbours in the table meet.{bye}"
    )


def _why_bye(t: Tournament, one: Round, table: dict[str, Standing]) -> str:
    if not one.byes:
        return ""
    entrant = table[one.byes[0]]
    times = "no bye before" if entrant.byes == 0 else f"{entrant.byes} before, as few as anybody"
    return (
        f" {_with_points(t, entrant)} has the bye: the lowest in the table who may have one "
        f"({times})."
    )


def _with_points(t: Tournament, standing: Standing) -> str:
    return f"{_name(t, standing.entrant)} ({_halves(standing.points)})"


def _halves(count: int) -> str:
    whole, half = divmod(count, 2)
    text = f"{whole or ''}½" if half else str(whole)
    return f"{text} point" if count in (1, 2) else f"{text} points"
