"""`decide(tournament, request, now)`: the events that a request leads to, or why it is refused."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from halfmoon.tournaments.brackets import heats_of
from halfmoon.tournaments.rounds import winner
from halfmoon.wire.tournaments import MOST_ENTRANTS
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments.commands import Chance, Refusal, Request
from halfmoon_server.tournaments.drawing import draw
from halfmoon_server.tournaments.evolve import evolve
from halfmoon_server.tournaments.namesakes import numbers_among
from halfmoon_server.tournaments.state import Entrant, Heat, Round, Tournament, is_undecided

Outcome = tuple[e.Event, ...] | Refusal


def decide(tournament: Tournament, request: Request, now: int) -> Outcome:
    """The events that `request` leads to at `now` (Unix ms), or a refusal, which changes nothing."""
    return _DECIDE[type(request)](tournament, request, now)


def read_claim(text: str) -> str:
    """A claim as it is compared: in upper case, without dashes and blanks."""
    return "".join(character for character in text.upper() if character not in "- ")


# Who is in it


def _add(t: Tournament, request: q.AddEntrants, now: int) -> Outcome:
    if refused := _closed_to_newcomers(t, len(request.names)):
        return refused
    ids = _new_ids(t, len(request.names))
    numbers = numbers_among(request.names, t.entrants.values())
    new = zip(ids, request.names, request.chance.claims, numbers, strict=False)
    added = tuple(
        e.NewEntrant(entrant=entrant, name=name, claim=claim, number=number)
        for entrant, name, claim, number in new
    )
    return (e.EntrantsAdded(at=now, by="organiser", entrants=added),)


def _new_ids(t: Tournament, count: int) -> list[str]:
    first = len(t.entrants) + t.removed + 1
    return [f"e{number}" for number in range(first, first + count)]


def _closed_to_newcomers(t: Tournament, count: int) -> Refusal | None:
    if t.is_over:
        return _wrong_state("the tournament is over")
    if t.format == "knockout" and t.counted:
        return _wrong_state("a knockout's bracket is drawn: nobody can come in any more")
    if len(t.entrants) + count > MOST_ENTRANTS:
        return _wrong_state(f"a tournament has at most {MOST_ENTRANTS} entrants")
    return None


def _enter(t: Tournament, request: q.Enter, now: int) -> Outcome:
    own = t.entrant_of(request.player)
    if request.claim is None:
        return () if own is not None else _come(t, request, now)
    claim = read_claim(request.claim)
    wanted = next((one for one in t.entrants.values() if read_claim(one.claim) == claim), None)
    if wanted is None:
        return Refusal("unauthorized", "there is no such claim")
    if own not in (None, wanted):
        return Refusal("not_allowed", "you have another entry here")
    if wanted.is_claim_used:
        taken = Refusal("not_allowed", "somebody else has taken this entry")
        return () if own is wanted else taken
    took = e.EntryTaken(at=now, by="entrant", entrant=wanted.entrant, player=request.player)
    if wanted.is_active:
        return (took,)
    if not wanted.is_awaited or _closed_to_newcomers(t, 0):
        return Refusal("not_allowed", "this entry is withdrawn")
    return (took, e.Readmitted(at=now, by="server", entrant=wanted.entrant))


def _come(t: Tournament, request: q.Enter, now: int) -> Outcome:
    if t.was_entrant(request.player):
        return Refusal("not_allowed", "your entry is played from another device now")
    if t.entry == "list":
        return Refusal("not_allowed", "this tournament has a list: a claim is needed")
    if refused := _closed_to_newcomers(t, 1):
        return Refusal("not_allowed", refused.message)
    [entrant] = _new_ids(t, 1)
    [number] = numbers_among([request.name], t.entrants.values())
    came = e.EntrantCame(
        at=now,
        by="entrant",
        entrant=entrant,
        name=request.name,
        claim=request.chance.claims[0],
        player=request.player,
        number=number,
    )
    return (came,)


def _renew(t: Tournament, request: q.RenewClaim, now: int) -> Outcome:
    if request.entrant not in t.entrants:
        return _no_entrant()
    claim = request.chance.claims[0]
    return (e.ClaimRenewed(at=now, by="organiser", entrant=request.entrant, claim=claim),)


def _rename(t: Tournament, request: q.Rename, now: int) -> Outcome:
    if request.entrant not in t.entrants:
        return _no_entrant()
    if t.rounds:
        return _wrong_state("a name is changed before the first round")
    if request.name == t.entrants[request.entrant].name:
        return ()
    others = [one for one in t.entrants.values() if one.entrant != request.entrant]
    [number] = numbers_among([request.name], others)
    renamed = e.EntrantRenamed(
        at=now, by="organiser", entrant=request.entrant, name=request.name, number=number
    )
    return (renamed,)


def _remove(t: Tournament, request: q.Remove, now: int) -> Outcome:
    entrant = t.entrants.get(request.entrant)
    if entrant is None:
        return _no_entrant()
    if t.rounds or t.is_over:
        return _wrong_state("a name is taken off the list before the first round")
    if entrant.player is not None:
        return _wrong_state("somebody has taken this entry: it can be withdrawn")
    return (e.EntrantRemoved(at=now, by="organiser", entrant=entrant.entrant),)


def _seed(t: Tournament, request: q.Seed, now: int) -> Outcome:
    if t.rounds:
        return _wrong_state("seeds are put in order before the first round")
    if sorted(request.entrants) != sorted(t.entrants):
        return Refusal("bad_request", "entrants: everybody has to be named, and once")
    return (e.Seeded(at=now, by="organiser", entrants=tuple(request.entrants)),)


def _withdraw(t: Tournament, request: q.Withdraw, now: int) -> Outcome:
    entrant = t.entrants.get(request.entrant)
    if entrant is None:
        return _no_entrant()
    if not entrant.is_active and not entrant.is_awaited:
        return ()
    return (e.Withdrawn(at=now, by="organiser", entrant=entrant.entrant),)


def _readmit(t: Tournament, request: q.Readmit, now: int) -> Outcome:
    entrant = t.entrants.get(request.entrant)
    if entrant is None:
        return _no_entrant()
    if entrant.is_active:
        return ()
    return (e.Readmitted(at=now, by="organiser", entrant=entrant.entrant),)


# Rounds


def _draw(t: Tournament, request: q.DrawRound, now: int) -> Outcome:
    if t.is_racing:
        return _wrong_state("a round is running")
    if t.is_over:
        return _wrong_state("the tournament is over")
    left_out = _left_out(t, now) if request.without_absent else ()
    for one in left_out:
        t = evolve(t, one)
    drawn = draw(t)
    if drawn is None:
        return _wrong_state("too few entrants: a round needs two")
    event = e.RoundDrawn(
        at=now,
        by=request.by,
        round=len(t.rounds) + 1,
        code=request.chance.code,
        starts_at=now + t.options.countdown_ms,
        heats=tuple(_heats(t, drawn.heats, request.chance)),
        byes=drawn.byes,
    )
    return (*left_out, event)


def _left_out(t: Tournament, now: int) -> tuple[e.Withdrawn, ...]:
    """The withdrawals of those whose entry nobody has taken."""
    absent = [one.entrant for one in t.active() if one.player is None]
    return tuple(e.Withdrawn(at=now, by="organiser", entrant=one, awaited=True) for one in absent)


def _seated(entrant: Entrant) -> str | None:
    """Who is seated for an entry; nobody where it was withdrawn before a further heat."""
    return entrant.player if entrant.is_active else None


def _heats(
    t: Tournament, heats: Iterable[Sequence[str]], chance: Chance, first: int = 1
) -> list[e.HeatDraw]:
    """The heats with their rooms and with a seat for everybody who has taken their entry."""
    return [
        e.HeatDraw(
            heat=number,
            room=room,
            race=race,
            entrants=tuple(entrants),
            seats={one: player for one in entrants if (player := _seated(t.entrants[one]))},
        )
        for number, (entrants, room, race) in enumerate(
            zip(heats, chance.rooms, chance.races, strict=False), start=first
        )
    ]


def _finish(t: Tournament, request: q.FinishHeat, now: int) -> Outcome:
    heat = t.heat(request.round, request.heat)
    if heat is None or heat.is_over:
        return ()
    over = e.HeatOver(
        at=now,
        by="server",
        round=request.round,
        heat=request.heat,
        over_at=request.over_at,
        lines=tuple(request.lines),
        seats=request.seats,
    )
    return (over, *_raced_again(evolve(t, over), request.round, request.heat, request.chance, now))


def _raced_again(
    t: Tournament, number: int, heat: int, chance: Chance, now: int
) -> tuple[e.Event, ...]:
    """The further heat that an exact equal in a knockout makes necessary."""
    one = t.rounds[number - 1]
    equal = one.heats[heat - 1]
    if not is_undecided(t, one, equal):
        return ()
    [further] = _heats(t, [equal.entrants], chance, first=len(one.heats) + 1)
    starts_at = now + t.options.countdown_ms
    return (
        e.HeatAdded(
            at=now, by="server", round=number, code=chance.code, starts_at=starts_at, heat=further
        ),
    )


# The director


def _correct(t: Tournament, request: q.Correct, now: int) -> Outcome:
    one = t.round(request.round)
    if one is None:
        return _no_round()
    heat = next((h for h in reversed(one.heats) if request.entrant in h.entrants), None)
    if heat is None:
        return Refusal("unknown_result", "this entrant has no heat in that round")
    if one.annulled is not None:
        return _wrong_state("the round is annulled")
    if not heat.is_over:
        return _wrong_state("the heat is running")
    if request.entrant not in heat.results:
        return Refusal("unknown_result", "this entrant was absent and has no result")
    corrected = e.ResultCorrected(
        at=now,
        by="organiser",
        round=one.round,
        heat=heat.heat,
        entrant=request.entrant,
        **dict(request.to),
    )
    after = evolve(t, corrected)
    if t.format != "knockout":
        return (corrected,)
    if one is not t.counted[-1]:
        if _who_goes_on(t, one, heat) != _who_goes_on(after, after.rounds[one.round - 1], heat):
            return _wrong_state("a later round was drawn from this result: annul that first")
        return (corrected,)
    if t.is_ended:
        return (corrected,)
    return (corrected, *_raced_again(after, one.round, heat.heat, request.chance, now))


def _who_goes_on(t: Tournament, one: Round, heat: Heat) -> str | None:
    a, b = heat.entrants
    return winner(heats_of(one.raced.heats, a, b), t.seeds)


def _end_round(t: Tournament, request: q.EndRound, now: int) -> Outcome:
    one = t.round(request.round)
    if one is None:
        return _no_round()
    if one.is_over:
        return _wrong_state("the round is over")
    return (e.RoundEnded(at=now, by="organiser", round=one.round, reason=request.reason),)


def _annul(t: Tournament, request: q.Annul, now: int) -> Outcome:
    one = t.round(request.round)
    if one is None:
        return _no_round()
    if one.annulled is not None:
        return _wrong_state("the round is annulled already")
    if not one.is_over:
        return _wrong_state("the round is running")
    if t.format == "knockout" and one is not t.counted[-1]:
        return _wrong_state("a later round was drawn from this one: annul that first")
    if t.format == "knockout" and t.is_racing:
        return _wrong_state("a round is running")
    return (e.RoundAnnulled(at=now, by="organiser", round=one.round, reason=request.reason),)


def _announce(_: Tournament, request: q.Announce, now: int) -> Outcome:
    return (e.Announced(at=now, by="organiser", text=request.text),)


def _automatic(t: Tournament, request: q.SetAutomatic, now: int) -> Outcome:
    is_same = (t.break_ms, t.is_paused) == (request.break_ms, request.paused)
    if is_same and not t.is_waiting:
        return ()
    return (
        e.AutomaticSet(at=now, by="organiser", break_ms=request.break_ms, paused=request.paused),
    )


def _end(t: Tournament, _: q.End, now: int) -> Outcome:
    if t.is_racing:
        return _wrong_state("a round is running")
    if t.is_ended:
        return _wrong_state("the tournament has been ended")
    return (e.Ended(at=now, by="organiser"),)


def _wrong_state(message: str) -> Refusal:
    return Refusal("wrong_state", message)


def _no_entrant() -> Refusal:
    return Refusal("unknown_entrant", "there is no such entrant")


def _no_round() -> Refusal:
    return Refusal("unknown_round", "there is no such round")


_DECIDE: dict[type[Any], Callable[[Tournament, Any, int], Outcome]] = {
    q.AddEntrants: _add,
    q.Enter: _enter,
    q.RenewClaim: _renew,
    q.Rename: _rename,
    q.Remove: _remove,
    q.Seed: _seed,
    q.DrawRound: _draw,
    q.FinishHeat: _finish,
    q.Correct: _correct,
    q.EndRound: _end_round,
    q.Annul: _annul,
    q.Withdraw: _withdraw,
    q.Readmit: _readmit,
    q.Announce: _announce,
    q.SetAutomatic: _automatic,
    q.End: _end,
}
