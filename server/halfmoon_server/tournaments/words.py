"""A tournament in words: its log, line by line, and why a heat was drawn as it was."""

from collections.abc import Iterable, Iterator, Mapping

from halfmoon.wire import tournaments as w
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments.evolve import create, evolve
from halfmoon_server.tournaments.state import Tournament


def log_lines(events: Iterable[e.Event]) -> Iterator[w.LogLine]:
    """Every action, oldest first. Claims and deals stand in none."""
    t: Tournament | None = None
    names: dict[str, str] = {}
    """What everybody was called last, also those who are on the list no more."""
    for seq, event in enumerate(events, start=1):
        t = create(event) if isinstance(event, e.TournamentMade) else evolve(_there(t), event)
        names.update((one.entrant, one.shown) for one in t.entrants.values())
        about = getattr(event, "entrant", None)
        yield w.LogLine(
            seq=seq,
            at=event.at,
            by=event.by,
            device=event.device,
            what=event.type,
            text=_said(t, event, names),
            entrant=about,
            name=names.get(about) if isinstance(about, str) else None,
            round=getattr(event, "round", None),
            heat=_heat_number(event),
            reason=getattr(event, "reason", None),
            names=_names_in(t, event),
            break_ms=getattr(event, "break_ms", None),
            paused=getattr(event, "paused", None),
            announcement=event.text if isinstance(event, e.Announced) else None,
        )


def _there(t: Tournament | None) -> Tournament:
    assert t is not None, "a tournament begins with its making"
    return t


def _heat_number(event: e.Event) -> int | None:
    if isinstance(event, e.HeatAdded):
        return event.heat.heat
    return event.heat if isinstance(event, e.HeatOver | e.ResultCorrected) else None


def _names_in(t: Tournament, event: e.Event) -> list[str] | None:
    """Whom it is about, where that is more than one."""
    match event:
        case e.EntrantsAdded():
            return [_name(t, one.entrant) for one in event.entrants]
        case e.RoundDrawn():
            return [_name(t, entrant) for entrant in event.byes] or None
        case e.HeatAdded():
            return [_name(t, entrant) for entrant in event.heat.entrants]
        case _:
            return None


def _said(t: Tournament, event: e.Event, names: Mapping[str, str]) -> str:
    match event:
        case e.TournamentMade():
            return f"{event.name} was made: {event.format}."
        case e.Seeded():
            return "The seeds were put in order."
        case e.Announced():
            return "The announcement was taken away." if event.text is None else event.text
        case e.AutomaticSet():
            return _said_of_automatic(event)
        case e.Ended():
            return "The tournament was ended."
        case e.RoundDrawn() | e.HeatAdded() | e.HeatOver() | e.ResultCorrected():
            return _said_of_round(t, event)
        case e.RoundEnded() | e.RoundAnnulled():
            return _said_of_round(t, event)
        case e.EntrantsAdded():
            return f"Put on the list: {', '.join(_name(t, one.entrant) for one in event.entrants)}."
        case _:
            return _said_of_entrant(names[event.entrant], event)


def _said_of_entrant(name: str, event: e.Event) -> str:
    match event:
        case e.EntrantCame():
            return f"{name} came in."
        case e.EntryTaken():
            return f"The entry of {name} was taken by its claim."
        case e.ClaimRenewed():
            return f"{name} got a new claim; the old one is void."
        case e.EntrantRenamed():
            return f"The name is {name} now."
        case e.EntrantRemoved():
            return f"{name} was taken off the list."
        case e.Withdrawn():
            why = ", having not come yet" if event.awaited else ""
            return f"{name} was withdrawn{why}."
        case e.Readmitted():
            return f"{name} was readmitted."
        case _:
            raise AssertionError(f"{event.type} has no words")


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
        case e.RoundEnded():
            return f"Round {event.round} was ended before its time: {event.reason}"
        case e.RoundAnnulled():
            return f"Round {event.round} was annulled: {event.reason}"
        case _:
            raise AssertionError(f"{event.type} has no words")


def _heats(count: int) -> str:
    return "1 heat" if count == 1 else f"{count} heats"


def _name(t: Tournament, entrant: str) -> str:
    return t.entrants[entrant].shown


def _names(t: Tournament, entrants: Iterable[str]) -> str:
    return " and ".join(_name(t, entrant) for entrant in entrants)


# Why a heat was drawn


def explanation(t: Tournament, because: Iterable[w.HeatReason]) -> str:
    """The reasons for a heat as English sentences."""
    return " ".join(_because(t, reason) for reason in because)


def _because(t: Tournament, reason: w.HeatReason) -> str:
    count, heats = reason.count or 0, reason.heats or 0
    names = " and ".join(_who(t, one) for one in reason.entrants or ())
    match reason.why:
        case "equal_before":
            return "They were exactly equal in the heat before, and race again on a new deal."
        case "one_deal":
            return f"All {count} entrants race on the same deal."
        case "dealt_out":
            return (
                f"All {count} entrants race on the same deal; a heat holds {reason.heat_size} at "
                f"most, so they were dealt out over {_heats(heats)} in the order of seeds. Points "
                "are counted over all of them."
            )
        case "bracket":
            return f"{names} stand next to each other in the bracket."
        case "not_met":
            return f"{names} hadn't met before."
        case "meet_again":
            return f"{names} meet again, as no pairing without that was left."
        case "least_differences":
            return (
                "Of all such pairings this one has the least sum of score differences, "
                f"{_points(reason.difference or 0)} over the round; among equals, neighbours in "
                "the table meet."
            )
        case "bye":
            had = "no bye before" if count == 0 else f"{count} before, as few as anybody"
            return f"{names} has the bye: the lowest in the table who may have one ({had})."


def _who(t: Tournament, one: w.ReasonEntrant) -> str:
    more = f"seed {one.seed}" if one.points is None else _points(one.points)
    return f"{_name(t, one.entrant)} ({more})"


def _points(points: float) -> str:
    whole, half = divmod(round(points * 2), 2)
    text = f"{whole or ''}½" if half else str(whole)
    return f"{text} point" if points in (0.5, 1) else f"{text} points"
