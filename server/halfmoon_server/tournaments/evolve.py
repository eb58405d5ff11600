"""`evolve(tournament, event)`: the tournament after an event. It never says no."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from halfmoon.engine.codes import Code
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments.namesakes import numbers_among
from halfmoon_server.tournaments.state import (
    Announcement,
    EarlyEnd,
    Entrant,
    Heat,
    Raced,
    Result,
    Round,
    Tournament,
)


def create(event: e.TournamentMade) -> Tournament:
    """The tournament that begins with this event."""
    return Tournament(
        tournament=event.tournament,
        name=event.name,
        format=event.format,
        rounds_planned=event.rounds,
        options=event.options,
        heat_size=event.heat_size,
        entry=event.entry,
        made_at=event.at,
        events=1,
        touched_at=event.at,
    )


def evolve(tournament: Tournament, event: e.Event) -> Tournament:
    """The tournament after `event`."""
    after = _EVOLVE[type(event)](tournament, event)
    return replace(
        after, events=tournament.events + 1, touched_at=max(tournament.touched_at, event.at)
    )


# Entrants


def _with_new(t: Tournament, *entrants: Entrant) -> Tournament:
    """Those who are new, each with a number where somebody before them has a name that looks alike."""
    if any(one.number is None for one in entrants):  # of a log that held no numbers yet
        found = numbers_among([one.name for one in entrants], t.entrants.values())
        entrants = tuple(
            replace(one, number=one.number or number)
            for one, number in zip(entrants, found, strict=True)
        )
    new = {one.entrant: replace(one, number=None) if one.number == 1 else one for one in entrants}
    return replace(t, entrants={**t.entrants, **new}, seeds=(*t.seeds, *new))


def _entrants_added(t: Tournament, event: e.EntrantsAdded) -> Tournament:
    new = event.entrants
    return _with_new(t, *(Entrant(o.entrant, o.name, o.claim, number=o.number) for o in new))


def _entrant_came(t: Tournament, event: e.EntrantCame) -> Tournament:
    came = Entrant(
        event.entrant,
        event.name,
        event.claim,
        is_claim_used=True,
        player=event.player,
        number=event.number,
    )
    return _with_new(t, came)


def _entry_taken(t: Tournament, event: e.EntryTaken) -> Tournament:
    entrant = t.entrants[event.entrant]
    former = entrant.former
    if entrant.player is not None and entrant.player != event.player:
        former = former | {entrant.player}
    return t.with_entrant(replace(entrant, player=event.player, is_claim_used=True, former=former))


def _claim_renewed(t: Tournament, event: e.ClaimRenewed) -> Tournament:
    entrant = t.entrants[event.entrant]
    return t.with_entrant(replace(entrant, claim=event.claim, is_claim_used=False))


def _entrant_renamed(t: Tournament, event: e.EntrantRenamed) -> Tournament:
    number = None if event.number == 1 else event.number
    renamed = replace(t.entrants[event.entrant], name=event.name, number=number)
    return t.with_entrant(renamed)


def _entrant_removed(t: Tournament, event: e.EntrantRemoved) -> Tournament:
    left = {one: line for one, line in t.entrants.items() if one != event.entrant}
    seeds = tuple(one for one in t.seeds if one != event.entrant)
    return replace(t, entrants=left, seeds=seeds, removed=t.removed + 1)


def _seeded(t: Tournament, event: e.Seeded) -> Tournament:
    return replace(t, seeds=event.entrants)


def _withdrawn(t: Tournament, event: e.Withdrawn) -> Tournament:
    entrant = t.entrants[event.entrant]
    return t.with_entrant(replace(entrant, is_active=False, is_awaited=event.awaited))


def _readmitted(t: Tournament, event: e.Readmitted) -> Tournament:
    entrant = t.entrants[event.entrant]
    return t.with_entrant(replace(entrant, is_active=True, is_awaited=False))


# Rounds


def _heat(draw: e.HeatDraw, code: Code, starts_at: int) -> Heat:
    return Heat(
        heat=draw.heat,
        room=draw.room,
        race=draw.race,
        entrants=draw.entrants,
        seats=draw.seats,
        code=code,
        starts_at=starts_at,
    )


def _round_drawn(t: Tournament, event: e.RoundDrawn) -> Tournament:
    heats = tuple(_heat(draw, event.code, event.starts_at) for draw in event.heats)
    drawn = Round(event.round, heats, event.byes, drawn_at=event.at)
    return replace(t, rounds=(*t.rounds, drawn))


def _heat_added(t: Tournament, event: e.HeatAdded) -> Tournament:
    one = t.rounds[event.round - 1]
    heats = (*one.heats, _heat(event.heat, event.code, event.starts_at))
    return _with_round(t, replace(one, heats=heats))


def _with_round(t: Tournament, one: Round) -> Tournament:
    rounds = [*t.rounds]
    rounds[one.round - 1] = one
    return replace(t, rounds=tuple(rounds))


def _with_heat(t: Tournament, number: int, heat: Heat) -> Tournament:
    one = t.rounds[number - 1]
    heats = [*one.heats]
    heats[heat.heat - 1] = heat
    return _with_round(t, replace(one, heats=tuple(heats)))


def _heat_over(t: Tournament, event: e.HeatOver) -> Tournament:
    heat = t.rounds[event.round - 1].heats[event.heat - 1]
    results = {
        line.entrant: Result(
            entrant=line.entrant,
            counts=Raced(line.status, line.best, line.time_ms),
            moves=line.moves,
            actions=line.actions,
        )
        for line in event.lines
    }
    seats = {**heat.seats, **event.seats}
    return _with_heat(
        t, event.round, replace(heat, over_at=event.over_at, results=results, seats=seats)
    )


def _result_corrected(t: Tournament, event: e.ResultCorrected) -> Tournament:
    heat = t.rounds[event.round - 1].heats[event.heat - 1]
    result = heat.results[event.entrant]
    corrected = replace(
        result,
        counts=Raced(event.status, event.best, event.time_ms),
        raw=result.raw or result.counts,
        reason=event.reason,
    )
    results = {**heat.results, event.entrant: corrected}
    return _with_heat(t, event.round, replace(heat, results=results))


def _round_ended(t: Tournament, event: e.RoundEnded) -> Tournament:
    one = t.rounds[event.round - 1]
    early = EarlyEnd(event.reason, event.at, len(one.heats))
    return _with_round(t, replace(one, ended=early))


def _round_annulled(t: Tournament, event: e.RoundAnnulled) -> Tournament:
    return _with_round(t, replace(t.rounds[event.round - 1], annulled=event.reason))


# The whole


def _announced(t: Tournament, event: e.Announced) -> Tournament:
    said = None if event.text is None else Announcement(event.text, event.at)
    return replace(t, announcement=said)


def _automatic_set(t: Tournament, event: e.AutomaticSet) -> Tournament:
    return replace(t, break_ms=event.break_ms, is_paused=event.paused, automatic_at=event.at)


def _ended(t: Tournament, _: e.Ended) -> Tournament:
    return replace(t, is_ended=True)


_EVOLVE: dict[type[e.Event], Callable[[Tournament, Any], Tournament]] = {
    e.EntrantsAdded: _entrants_added,
    e.EntrantCame: _entrant_came,
    e.EntryTaken: _entry_taken,
    e.ClaimRenewed: _claim_renewed,
    e.EntrantRenamed: _entrant_renamed,
    e.EntrantRemoved: _entrant_removed,
    e.Seeded: _seeded,
    e.RoundDrawn: _round_drawn,
    e.HeatAdded: _heat_added,
    e.HeatOver: _heat_over,
    e.ResultCorrected: _result_corrected,
    e.RoundEnded: _round_ended,
    e.RoundAnnulled: _round_annulled,
    e.Withdrawn: _withdrawn,
    e.Readmitted: _readmitted,
    e.Announced: _announced,
    e.AutomaticSet: _automatic_set,
    e.Ended: _ended,
}
