"""What everybody may see of a tournament: the only maker of its messages and answers.

Claims are in none of them but `claims`, which is the organiser's; nor are the deals of rounds.
"""

from collections.abc import Collection, Iterator

from halfmoon.tournaments.rounds import ranked
from halfmoon.tournaments.table import Person, table
from halfmoon.wire import messages as m
from halfmoon.wire import tournaments as w
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments.state import Entrant, Heat, Result, Round, Tournament

MOST_SEATS = 1000


def state(t: Tournament, online: Collection[str], now: int) -> w.TournamentState:
    """The whole tournament; `online` are the players who are connected to it."""
    running = t.running
    return w.TournamentState(
        tournament=t.tournament,
        name=t.name,
        format=t.format,
        state=t.stage,
        round=len(t.rounds),
        rounds=t.rounds_planned,
        entrants=_entrants(t, online),
        heats=[heat_line(one, heat, now) for one in t.rounds for heat in one.heats],
        byes=[
            w.ByeLine(round=one.round, entrant=entrant) for one in t.rounds for entrant in one.byes
        ],
        entry=t.entry,
        heat_size=t.heat_size,
        race=t.options,
        annulled=[
            w.AnnulledRound(round=one.round, reason=one.annulled)
            for one in t.rounds
            if one.annulled is not None
        ],
        ended_early=_early_ends(t),
        automatic=w.AutomaticMode(
            break_ms=t.break_ms, paused=t.is_paused, waiting=True if t.is_waiting else None
        ),
        starts_at=None if running is None else _latest_start(running),
        ends_at=None if running is None else _latest_end(t, running),
        next_at=t.next_at,
        announcement=None
        if t.announcement is None
        else w.Announcement(text=t.announcement.text, at=t.announcement.at),
    )


def _early_ends(t: Tournament) -> list[w.EarlyEnd] | None:
    ends = [(one.round, one.ended) for one in t.rounds if one.ended is not None]
    return [w.EarlyEnd(round=n, reason=one.reason, at=one.at) for n, one in ends] or None


def news(
    t: Tournament, online: Collection[str], now: int, re: str | None = None
) -> m.TournamentNews:
    """The same as a message."""
    return m.TournamentNews(**dict(state(t, online, now)), re=re)


def _entrants(t: Tournament, online: Collection[str]) -> list[w.EntrantLine]:
    seeds = {entrant: number for number, entrant in enumerate(t.seeds, start=1)}
    return [
        w.EntrantLine(
            entrant=one.entrant,
            name=one.name,
            number=one.number,
            active=one.is_active,
            awaited=True if one.is_awaited else None,
            seed=seeds[one.entrant],
            taken=one.player is not None,
            online=one.player in online,
        )
        for one in t.entrants.values()
    ]


def _latest_start(one: Round) -> int:
    return max(heat.starts_at for heat in one.heats if not heat.is_over)


def _latest_end(t: Tournament, one: Round) -> int | None:
    limit_ms = t.options.time_limit_ms
    return None if limit_ms is None else _latest_start(one) + limit_ms


def heat_line(one: Round, heat: Heat, now: int) -> w.HeatLine:
    """A heat as everybody sees it: never its deal."""
    started: w.HeatState = "countdown" if now < heat.starts_at else "racing"
    return w.HeatLine(
        round=one.round,
        heat=heat.heat,
        room=heat.room,
        entrants=[*heat.entrants],
        state="over" if heat.is_over else started,
        seal=heat.code.seal,
        starts_at=heat.starts_at,
        results=[*_results(heat)] if heat.is_over else None,
        absent=[one for one in heat.entrants if one not in heat.seats] or None,
        annulled=True if one.annulled is not None else None,
    )


def _results(heat: Heat) -> Iterator[w.HeatResult]:
    for rank, line in ranked(heat.raced.lines):
        yield _result(heat, heat.results[line.entrant], rank)


def _result(heat: Heat, result: Result, rank: int) -> w.HeatResult:
    counts, raw = result.counts, result.raw
    return w.HeatResult(
        entrant=result.entrant,
        rank=rank,
        status=counts.status,
        best=counts.best,
        moves=result.moves,
        actions=result.actions,
        time_ms=counts.time_ms,
        race=heat.race,
        raw=None
        if raw is None
        else w.RawResult(status=raw.status, best=raw.best, time_ms=raw.time_ms),
        reason=result.reason,
    )


def standings(t: Tournament) -> w.Standings:
    """The table as it is after the rounds that are over."""
    return table(t.format, people(t), t.finished)


def people(t: Tournament) -> list[Person]:
    """Everybody, in the order of seeds."""
    return [_person(t.entrants[entrant]) for entrant in t.seeds]


def _person(entrant: Entrant) -> Person:
    return Person(entrant.entrant, entrant.name, entrant.is_active)


def line(t: Tournament) -> w.TournamentLine:
    """The tournament in the list of all."""
    return w.TournamentLine(
        tournament=t.tournament,
        name=t.name,
        format=t.format,
        state=t.stage,
        round=len(t.rounds),
        rounds=t.rounds_planned,
        entrants=len(t.entrants),
        made_at=t.made_at,
    )


def drawn(one: Round) -> w.DrawnRound:
    """A round as it was drawn."""
    return w.DrawnRound(
        round=one.round,
        starts_at=max((heat.starts_at for heat in one.heats), default=one.drawn_at),
        heats=[
            w.DrawnHeat(heat=heat.heat, room=heat.room, entrants=[*heat.entrants])
            for heat in one.heats
        ],
        byes=[*one.byes],
    )


def claim(entrant: Entrant) -> w.EntrantClaim:
    """An entry with its secret, for its organiser."""
    return w.EntrantClaim(
        entrant=entrant.entrant,
        name=entrant.name,
        number=entrant.number,
        claim=entrant.claim,
        taken=entrant.player is not None,
        used=entrant.is_claim_used,
    )


def new_claims(t: Tournament, event: e.EntrantsAdded) -> list[w.EntrantClaim]:
    """The claims of those who were just put on the list."""
    return [
        w.EntrantClaim(
            entrant=one.entrant,
            name=one.name,
            number=t.entrants[one.entrant].number,
            claim=one.claim,
        )
        for one in event.entrants
    ]


def entrant_page(t: Tournament, entrant: str) -> w.EntrantPage:
    """An entrant's own rounds, the first one first."""
    row = next(row for row in standings(t).rows if row.entrant == entrant)
    points = {one.round: one.points for one in row.rounds}
    rounds: list[w.EntrantRound] = []
    for one in t.rounds:
        rounds.extend(_entrant_rounds(one, entrant, points.get(one.round)))
    return w.EntrantPage(
        entrant=row.entrant,
        name=row.name,
        active=row.active,
        rank=row.rank,
        points=row.points,
        rounds=rounds,
    )


def _entrant_rounds(one: Round, entrant: str, points: float | None) -> Iterator[w.EntrantRound]:
    annulled = True if one.annulled is not None else None
    if entrant in one.byes:
        yield w.EntrantRound(round=one.round, with_=[], points=points, bye=True, annulled=annulled)
    for heat in one.heats:
        if entrant not in heat.entrants:
            continue
        results = {result.entrant: result for result in _results(heat)}
        yield w.EntrantRound(
            round=one.round,
            heat=heat.heat,
            room=heat.room,
            with_=[other for other in heat.entrants if other != entrant],
            points=points,
            result=results.get(entrant),
            absent=True if entrant not in heat.seats else None,
            annulled=annulled,
        )
