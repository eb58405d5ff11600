"""The calls on tournaments (Contract §8): what the organiser does, and what everybody may read."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from aiohttp import web
from pydantic import BaseModel

from halfmoon.wire import tournaments as w
from halfmoon_server import result_files
from halfmoon_server.bodies import Refused, body_of
from halfmoon_server.hosting.tournament_host import TournamentHost
from halfmoon_server.hosting.tournaments import fault_in
from halfmoon_server.keys import SERVER
from halfmoon_server.qr import secret_codes
from halfmoon_server.replies import NO_STORE
from halfmoon_server.tournament_access import (
    all_tournaments,
    device_of,
    done,
    for_all,
    for_organisers,
    host_of,
    number_in,
)
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments import views, words
from halfmoon_server.tournaments.csv import csv_of
from halfmoon_server.tournaments.drawing import most_heats
from halfmoon_server.tournaments.reasons import reasons
from halfmoon_server.tournaments.state import Heat, Round

BASE = "/api/tournaments"
ONE = f"{BASE}/{{tournament}}"
ENTRANT = f"{ONE}/entrants/{{entrant}}"
ROUND = f"{ONE}/rounds/{{round}}"


def add_routes(router: web.UrlDispatcher) -> None:
    """Put the paths into the application."""
    for path, handler in (
        (BASE, for_organisers(tournaments)),
        (ONE, for_all(state)),
        (f"{ONE}/standings", for_all(standings)),
        (f"{ONE}/standings.csv", for_all(standings_csv)),
        (f"{ONE}/log", for_all(log_lines)),
        (f"{ONE}/export", for_all(export)),
        (f"{ONE}/result", for_all(result)),
        (f"{ONE}/entrants", for_organisers(claims)),
        (ENTRANT, for_all(entrant)),
        (f"{ROUND}/heats/{{heat}}/explanation", for_all(explanation)),
    ):
        router.add_get(path, handler)
    for path, handler in (
        (BASE, make),
        (f"{ONE}/entrants", add_entrants),
        (f"{ENTRANT}/claim", renew_claim),
        (f"{ENTRANT}/name", rename),
        (f"{ENTRANT}/remove", remove),
        (f"{ENTRANT}/withdraw", withdraw),
        (f"{ENTRANT}/readmit", readmit),
        (f"{ONE}/seeds", seed),
        (f"{ONE}/rounds", draw_round),
        (f"{ROUND}/results/{{entrant}}", correct),
        (f"{ROUND}/end", end_round),
        (f"{ROUND}/annul", annul),
        (f"{ONE}/announcement", announce),
        (f"{ONE}/automatic", automatic),
        (f"{ONE}/end", end),
        ("/api/qr", codes),
    ):
        router.add_post(path, for_organisers(handler))


def _json(model: BaseModel, status: int = 200) -> web.Response:
    text = model.model_dump_json(by_alias=True)
    return web.json_response(text=text, status=status, headers=NO_STORE)


def _list(models: Sequence[BaseModel], status: int = 200) -> web.Response:
    text = f"[{','.join(model.model_dump_json(by_alias=True) for model in models)}]"
    return web.json_response(text=text, status=status, headers=NO_STORE)


def _state(request: web.Request, host: TournamentHost) -> w.TournamentState:
    now = request.app[SERVER].around.clock.now()
    return views.state(host.t, host.bulletin.online, now)


# What the organiser does


async def make(request: web.Request) -> web.Response:
    """`POST /api/tournaments`."""
    asked = await body_of(request, w.NewTournament)
    if (fault := fault_in(asked)) is not None:
        raise Refused(400, "bad_request", fault)
    host = await all_tournaments(request).make(asked, device_of(request))
    return _json(w.TournamentMade(tournament=host.t.tournament), status=201)


async def add_entrants(request: web.Request) -> web.Response:
    """`POST /api/tournaments/T/entrants`: the new entries with their claims."""
    host = host_of(request)
    asked = await body_of(request, w.NewEntrants)
    chance = await all_tournaments(request).chances.draw(claims=len(asked.names))
    [added] = await done(request, host, q.AddEntrants(asked.names, chance))
    assert isinstance(added, e.EntrantsAdded), "that is what it leads to"
    return _list(views.new_claims(host.t, added), status=201)


async def renew_claim(request: web.Request) -> web.Response:
    """`POST …/entrants/E/claim`."""
    host = host_of(request)
    await body_of(request, w.Nothing)
    entrant = request.match_info["entrant"]
    await done(
        request, host, q.RenewClaim(entrant, await all_tournaments(request).chances.draw(claims=1))
    )
    return _json(views.claim(host.t.entrants[entrant]), status=201)


async def rename(request: web.Request) -> web.Response:
    """`POST …/entrants/E/name`, before the first round."""
    host = host_of(request)
    asked = await body_of(request, w.NewName)
    return await _then_state(request, host, q.Rename(request.match_info["entrant"], asked.name))


async def remove(request: web.Request) -> web.Response:
    """`POST …/entrants/E/remove`, before the first round."""
    host = host_of(request)
    await body_of(request, w.Nothing)
    return await _then_state(request, host, q.Remove(request.match_info["entrant"]))


async def seed(request: web.Request) -> web.Response:
    """`POST …/seeds`."""
    host = host_of(request)
    asked = await body_of(request, w.Seeds)
    return await _then_state(request, host, q.Seed(asked.entrants))


async def withdraw(request: web.Request) -> web.Response:
    """`POST …/entrants/E/withdraw`."""
    host = host_of(request)
    await body_of(request, w.Nothing)
    return await _then_state(request, host, q.Withdraw(request.match_info["entrant"]))


async def readmit(request: web.Request) -> web.Response:
    """`POST …/entrants/E/readmit`."""
    host = host_of(request)
    await body_of(request, w.Nothing)
    return await _then_state(request, host, q.Readmit(request.match_info["entrant"]))


async def draw_round(request: web.Request) -> web.Response:
    """`POST …/rounds`: the round that was drawn; its rooms are there."""
    host = host_of(request)
    asked = await body_of(request, w.NextRound)
    if host.t.is_racing:
        raise Refused(409, "wrong_state", "a round is running")
    chance = await all_tournaments(request).chances.draw(heats=most_heats(host.t))
    how = q.DrawRound(chance, without_absent=asked.without_absent)
    *_, drawn = await done(request, host, how)
    assert isinstance(drawn, e.RoundDrawn), "that is what it leads to"
    one = host.t.round(drawn.round)
    assert one is not None, "it was just drawn"
    return _json(views.drawn(one), status=201)


async def correct(request: web.Request) -> web.Response:
    """`POST …/rounds/N/results/E`."""
    host = host_of(request)
    number = number_in(request, "round")
    asked = await body_of(request, w.Correction)
    chance = await all_tournaments(request).chances.draw(heats=1)
    entrant = request.match_info["entrant"]
    return await _then_state(request, host, q.Correct(number, entrant, asked, chance))


async def end_round(request: web.Request) -> web.Response:
    """`POST …/rounds/N/end`: those who still race are done with what they have."""
    host = host_of(request)
    number = number_in(request, "round")
    asked = await body_of(request, w.Because)
    return await _then_state(request, host, q.EndRound(number, asked.reason))


async def annul(request: web.Request) -> web.Response:
    """`POST …/rounds/N/annul`."""
    host = host_of(request)
    number = number_in(request, "round")
    asked = await body_of(request, w.Because)
    return await _then_state(request, host, q.Annul(number, asked.reason))


async def announce(request: web.Request) -> web.Response:
    """`POST …/announcement`."""
    host = host_of(request)
    asked = await body_of(request, w.NewAnnouncement)
    return await _then_state(request, host, q.Announce(asked.text))


async def automatic(request: web.Request) -> web.Response:
    """`POST …/automatic`."""
    host = host_of(request)
    asked = await body_of(request, w.NewAutomaticMode)
    return await _then_state(request, host, q.SetAutomatic(asked.break_ms, asked.paused))


async def end(request: web.Request) -> web.Response:
    """`POST …/end`."""
    host = host_of(request)
    await body_of(request, w.Nothing)
    return await _then_state(request, host, q.End())


async def codes(request: web.Request) -> web.Response:
    """`POST /api/qr`: codes of links with a claim, or with the organiser key."""
    return _json(await secret_codes(request))


async def _then_state(request: web.Request, host: TournamentHost, asked: q.Request) -> web.Response:
    await done(request, host, asked)
    return _json(_state(request, host))


async def tournaments(request: web.Request) -> web.Response:
    """`GET /api/tournaments`."""
    lines = [views.line(host.t) for host in all_tournaments(request)]
    return _json(w.TournamentsPage(tournaments=lines))


async def claims(request: web.Request) -> web.Response:
    """`GET …/entrants`: all claims, to be printed again."""
    return _list([views.claim(one) for one in host_of(request).t.entrants.values()])


# What everybody may read


async def state(request: web.Request) -> web.Response:
    """`GET /api/tournaments/T`."""
    return _json(_state(request, host_of(request)))


async def standings(request: web.Request) -> web.Response:
    """`GET …/standings`."""
    return _json(views.standings(host_of(request).t))


async def standings_csv(request: web.Request) -> web.Response:
    """`GET …/standings.csv`."""
    t = host_of(request).t
    has_semicolons = request.query.get("separator") == "semicolon"
    text = csv_of(t, views.standings(t), has_semicolons=has_semicolons)
    return _download(text.encode(), "text/csv", t.name, f"{t.tournament}.csv")


async def log_lines(request: web.Request) -> web.Response:
    """`GET …/log`."""
    return _json(w.TournamentLog(log=[*words.log_lines(host_of(request).events)]))


async def export(request: web.Request) -> web.Response:
    """`GET …/export`: state, table and log in one file."""
    host = host_of(request)
    whole: dict[str, Any] = {
        "tournament": _state(request, host).model_dump(mode="json", by_alias=True),
        "standings": views.standings(host.t).model_dump(mode="json", by_alias=True),
        "log": [
            line.model_dump(mode="json", by_alias=True) for line in words.log_lines(host.events)
        ],
    }
    body = result_files.json_bytes(whole)
    return _download(body, "application/json", host.t.name, f"{host.t.tournament}.json")


async def result(request: web.Request) -> web.Response:
    """`GET …/result`: the signed result file; 409 while a round runs."""
    host = host_of(request)
    if host.t.is_racing:
        raise Refused(409, "wrong_state", "a round is running: the file holds its deal")
    server = request.app[SERVER]
    now = server.around.clock.now()
    try:
        whole = await result_files.result_file(host, server.event_log, server.signing_key, now)
    except result_files.RaceGone:
        raise Refused(404, "unknown_race", "the log of a race is kept no longer") from None
    body = result_files.json_bytes(whole)
    return _download(body, "application/json", host.t.name, f"{host.t.tournament}-result.json")


async def entrant(request: web.Request) -> web.Response:
    """`GET …/entrants/E`."""
    host, name = host_of(request), request.match_info["entrant"]
    if name not in host.t.entrants:
        raise Refused(404, "unknown_entrant", "there is no such entrant")
    return _json(views.entrant_page(host.t, name))


async def explanation(request: web.Request) -> web.Response:
    """`GET …/rounds/N/heats/H/explanation`."""
    host = host_of(request)
    one, heat = _heat(request, host)
    because = reasons(host.events, one.round, heat.heat)
    text = words.explanation(host.t, because)
    return _json(w.Explanation(round=one.round, heat=heat.heat, text=text, reasons=because))


def _heat(request: web.Request, host: TournamentHost) -> tuple[Round, Heat]:
    one = host.t.round(number_in(request, "round"))
    if one is None:
        raise Refused(404, "unknown_round", "there is no such round")
    heat = host.t.heat(one.round, number_in(request, "heat"))
    if heat is None:
        raise Refused(404, "unknown_heat", "there is no such heat")
    return one, heat


def _download(body: bytes, kind: str, title: str, name: str) -> web.Response:
    """A file that is kept under the tournament's name and its own (RFC 6266 §4.3)."""
    titled = re.sub(r"[\W_]+", " ", title).strip()
    whole = quote(f"{titled} {name}".strip(), safe="")
    return web.Response(
        body=body,
        headers={
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Disposition": f"attachment; filename=\"{name}\"; filename*=UTF-8''{whole}",
            **NO_STORE,
        },
    )
