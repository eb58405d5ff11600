"""The calls on tournaments (Contract §8): what the organiser does, and what everybody may read."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import Any

from aiohttp import web
from pydantic import BaseModel

from halfmoon.wire import tournaments as w
from halfmoon_server import result_files
from halfmoon_server.bodies import Refused, body_of, refusal
from halfmoon_server.eventlog.base import LogUnavailable
from halfmoon_server.hosting.directory import Stopping
from halfmoon_server.hosting.tournament_host import TournamentHost
from halfmoon_server.hosting.tournaments import Tournaments, fault_in
from halfmoon_server.keys import SERVER
from halfmoon_server.proxies import address_of
from halfmoon_server.qr import secret_codes
from halfmoon_server.replies import NO_STORE, error
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments import views, words
from halfmoon_server.tournaments.csv import csv_of
from halfmoon_server.tournaments.drawing import most_heats
from halfmoon_server.tournaments.state import Heat, Round

Handler = Callable[[web.Request], Awaitable[web.Response]]
BASE = "/api/tournaments"
ONE = f"{BASE}/{{tournament}}"
ENTRANT = f"{ONE}/entrants/{{entrant}}"
ROUND = f"{ONE}/rounds/{{round}}"


def add_routes(router: web.UrlDispatcher) -> None:
    """Put the paths into the application."""
    for path, handler in (
        (BASE, _organisers(tournaments)),
        (ONE, _open(state)),
        (f"{ONE}/standings", _open(standings)),
        (f"{ONE}/standings.csv", _open(standings_csv)),
        (f"{ONE}/log", _open(log_lines)),
        (f"{ONE}/export", _open(export)),
        (f"{ONE}/result", _open(result)),
        (f"{ONE}/entrants", _organisers(claims)),
        (ENTRANT, _open(entrant)),
        (f"{ROUND}/heats/{{heat}}/explanation", _open(explanation)),
    ):
        router.add_get(path, handler)
    for path, handler in (
        (BASE, make),
        (f"{ONE}/entrants", add_entrants),
        (f"{ENTRANT}/claim", renew_claim),
        (f"{ENTRANT}/withdraw", withdraw),
        (f"{ENTRANT}/readmit", readmit),
        (f"{ONE}/seeds", seed),
        (f"{ONE}/rounds", draw_round),
        (f"{ROUND}/results/{{entrant}}", correct),
        (f"{ROUND}/annul", annul),
        (f"{ONE}/announcement", announce),
        (f"{ONE}/automatic", automatic),
        (f"{ONE}/end", end),
        ("/api/qr", codes),
    ):
        router.add_post(path, _organisers(handler))


# Who may, and what becomes of errors


def _open(handler: Handler) -> Handler:
    """A handler whose refusals are answered as errors."""

    @wraps(handler)
    async def answered(request: web.Request) -> web.Response:
        try:
            return await handler(request)
        except Refused as why:
            return why.response()
        except (LogUnavailable, Stopping):
            return error(
                503, "unavailable", "nothing can be written right now: try again in a moment"
            )

    return answered


def _organisers(handler: Handler) -> Handler:
    """A handler that only who has the key comes to."""

    async def checked(request: web.Request) -> web.Response:
        _check_key(request)
        return await handler(request)

    return _open(checked)


def _check_key(request: web.Request) -> None:
    server = request.app[SERVER]
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and server.organiser.fits(key.strip()):
        return
    if key:
        address = address_of(request, server.around.settings.trusted_proxies)
        now_ms = asyncio.get_running_loop().time() * 1000
        if server.wrong_keys.of(address, now_ms).take(now_ms) > 0:
            raise Refused(429, "rate_limited", "too many wrong keys: wait a minute")
    raise Refused(401, "unauthorized", "this takes the organiser key: Authorization: Bearer KEY")


def _all(request: web.Request) -> Tournaments:
    return request.app[SERVER].around.tournaments


def _host(request: web.Request) -> TournamentHost:
    host = _all(request).find(request.match_info["tournament"].upper())
    if host is None:
        raise Refused(404, "unknown_tournament", "there is no such tournament")
    return host


async def _done(host: TournamentHost, request: q.Request) -> tuple[e.Event, ...]:
    """Have it carried out; raises `Refused`."""
    outcome = await host.ask(request)
    if isinstance(outcome, q.Refusal):
        raise refusal(outcome.code, outcome.message)
    return outcome


def _number(request: web.Request, name: str) -> int:
    text = request.match_info[name]
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise Refused(404, f"unknown_{name}", f"there is no such {name}")
    return int(text)


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
    host = await _all(request).make(asked)
    return _json(w.TournamentMade(tournament=host.t.tournament), status=201)


async def add_entrants(request: web.Request) -> web.Response:
    """`POST /api/tournaments/T/entrants`: the new entries with their claims."""
    host = _host(request)
    asked = await body_of(request, w.NewEntrants)
    chance = await _all(request).chances.draw(claims=len(asked.names))
    [added] = await _done(host, q.AddEntrants(asked.names, chance))
    assert isinstance(added, e.EntrantsAdded), "that is what it leads to"
    return _list(views.new_claims(added), status=201)


async def renew_claim(request: web.Request) -> web.Response:
    """`POST …/entrants/E/claim`."""
    host = _host(request)
    await body_of(request, w.Nothing)
    entrant = request.match_info["entrant"]
    await _done(host, q.RenewClaim(entrant, await _all(request).chances.draw(claims=1)))
    return _json(views.claim(host.t.entrants[entrant]), status=201)


async def seed(request: web.Request) -> web.Response:
    """`POST …/seeds`."""
    host = _host(request)
    asked = await body_of(request, w.Seeds)
    return await _then_state(request, host, q.Seed(asked.entrants))


async def withdraw(request: web.Request) -> web.Response:
    """`POST …/entrants/E/withdraw`."""
    host = _host(request)
    await body_of(request, w.Nothing)
    return await _then_state(request, host, q.Withdraw(request.match_info["entrant"]))


async def readmit(request: web.Request) -> web.Response:
    """`POST …/entrants/E/readmit`."""
    host = _host(request)
    await body_of(request, w.Nothing)
    return await _then_state(request, host, q.Readmit(request.match_info["entrant"]))


async def draw_round(request: web.Request) -> web.Response:
    """`POST …/rounds`: the round that was drawn; its rooms are there."""
    host = _host(request)
    await body_of(request, w.Nothing)
    if host.t.is_racing:
        raise Refused(409, "wrong_state", "a round is running")
    chance = await _all(request).chances.draw(heats=most_heats(host.t))
    [drawn] = await _done(host, q.DrawRound(chance))
    assert isinstance(drawn, e.RoundDrawn), "that is what it leads to"
    one = host.t.round(drawn.round)
    assert one is not None, "it was just drawn"
    return _json(views.drawn(one), status=201)


async def correct(request: web.Request) -> web.Response:
    """`POST …/rounds/N/results/E`."""
    host = _host(request)
    number = _number(request, "round")
    asked = await body_of(request, w.Correction)
    chance = await _all(request).chances.draw(heats=1)
    entrant = request.match_info["entrant"]
    return await _then_state(request, host, q.Correct(number, entrant, asked, chance))


async def annul(request: web.Request) -> web.Response:
    """`POST …/rounds/N/annul`."""
    host = _host(request)
    number = _number(request, "round")
    asked = await body_of(request, w.Because)
    return await _then_state(request, host, q.Annul(number, asked.reason))


async def announce(request: web.Request) -> web.Response:
    """`POST …/announcement`."""
    host = _host(request)
    asked = await body_of(request, w.NewAnnouncement)
    return await _then_state(request, host, q.Announce(asked.text))


async def automatic(request: web.Request) -> web.Response:
    """`POST …/automatic`."""
    host = _host(request)
    asked = await body_of(request, w.NewAutomaticMode)
    return await _then_state(request, host, q.SetAutomatic(asked.break_ms, asked.paused))


async def end(request: web.Request) -> web.Response:
    """`POST …/end`."""
    host = _host(request)
    await body_of(request, w.Nothing)
    return await _then_state(request, host, q.End())


async def codes(request: web.Request) -> web.Response:
    """`POST /api/qr`: codes of links with a claim, or with the organiser key."""
    return _json(await secret_codes(request))


async def _then_state(request: web.Request, host: TournamentHost, asked: q.Request) -> web.Response:
    await _done(host, asked)
    return _json(_state(request, host))


async def tournaments(request: web.Request) -> web.Response:
    """`GET /api/tournaments`."""
    lines = [views.line(host.t) for host in _all(request)]
    return _json(w.TournamentsPage(tournaments=lines))


async def claims(request: web.Request) -> web.Response:
    """`GET …/entrants`: all claims, to be printed again."""
    return _list([views.claim(one) for one in _host(request).t.entrants.values()])


# What everybody may read


async def state(request: web.Request) -> web.Response:
    """`GET /api/tournaments/T`."""
    return _json(_state(request, _host(request)))


async def standings(request: web.Request) -> web.Response:
    """`GET …/standings`."""
    return _json(views.standings(_host(request).t))


async def standings_csv(request: web.Request) -> web.Response:
    """`GET …/standings.csv`."""
    t = _host(request).t
    return _download(
        csv_of(t.format, views.standings(t)).encode(), "text/csv", f"{t.tournament}.csv"
    )


async def log_lines(request: web.Request) -> web.Response:
    """`GET …/log`."""
    return _json(w.TournamentLog(log=[*words.log_lines(_host(request).events)]))


async def export(request: web.Request) -> web.Response:
    """`GET …/export`: state, table and log in one file."""
    host = _host(request)
    whole: dict[str, Any] = {
        "tournament": _state(request, host).model_dump(mode="json", by_alias=True),
        "standings": views.standings(host.t).model_dump(mode="json", by_alias=True),
        "log": [
            line.model_dump(mode="json", by_alias=True) for line in words.log_lines(host.events)
        ],
    }
    body = result_files.json_bytes(whole)
    return _download(body, "application/json", f"{host.t.tournament}.json")


async def result(request: web.Request) -> web.Response:
    """`GET …/result`: the signed result file; 409 while a round runs."""
    host = _host(request)
    if host.t.is_racing:
        raise Refused(409, "wrong_state", "a round is running: the file holds its deal")
    server = request.app[SERVER]
    now = server.around.clock.now()
    try:
        whole = await result_files.result_file(host, server.event_log, server.signing_key, now)
    except result_files.RaceGone:
        raise Refused(404, "unknown_race", "the log of a race is kept no longer") from None
    body = result_files.json_bytes(whole)
    return _download(body, "application/json", f"{host.t.tournament}-result.json")


async def entrant(request: web.Request) -> web.Response:
    """`GET …/entrants/E`."""
    host, name = _host(request), request.match_info["entrant"]
    if name not in host.t.entrants:
        raise Refused(404, "unknown_entrant", "there is no such entrant")
    return _json(views.entrant_page(host.t, name))


async def explanation(request: web.Request) -> web.Response:
    """`GET …/rounds/N/heats/H/explanation`."""
    host = _host(request)
    one, heat = _heat(request, host)
    text = words.explanation(host.t, one, heat)
    return _json(w.Explanation(round=one.round, heat=heat.heat, text=text))


def _heat(request: web.Request, host: TournamentHost) -> tuple[Round, Heat]:
    one = host.t.round(_number(request, "round"))
    if one is None:
        raise Refused(404, "unknown_round", "there is no such round")
    heat = host.t.heat(one.round, _number(request, "heat"))
    if heat is None:
        raise Refused(404, "unknown_heat", "there is no such heat")
    return one, heat


def _download(body: bytes, kind: str, name: str) -> web.Response:
    return web.Response(
        body=body,
        headers={
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Disposition": f'attachment; filename="{name}"',
            **NO_STORE,
        },
    )
