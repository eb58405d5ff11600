"""Results over HTTP: of a deal, to everybody; of one's own races, to oneself."""

from collections.abc import Sequence
from typing import Any

import structlog
from aiohttp import web

from halfmoon.engine.codes import Code
from halfmoon.engine.errors import UnreadableCode
from halfmoon.wire import results as w
from halfmoon_server.bearer import identity_if_any, identity_of
from halfmoon_server.contests import ContestKinds
from halfmoon_server.eventlog.base import EventLog, Identity, LogDamaged, LogUnavailable
from halfmoon_server.eventlog.results import Latest, Place, Result, Rules, RulesCount
from halfmoon_server.hosting.directory import Directory
from halfmoon_server.keys import SERVER
from halfmoon_server.pages import Handler
from halfmoon_server.replies import error, tagged

log = structlog.get_logger()


class Unasked(Exception):
    """A query that can't be read; the message says which part, and what it may be."""


def add_routes(router: web.UrlDispatcher) -> None:
    """Put the paths of results into the application."""
    router.add_get("/api/deals/{code}/results", guarded(deal_results))
    router.add_get("/api/players/me/races", guarded(my_races))


def guarded(handler: Handler) -> Handler:
    """The handler, with an answer for a log that can't be read and a query that makes no sense."""

    async def handled(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except (Unasked, UnreadableCode) as fault:
            return error(400, "bad_request", str(fault))
        except LogUnavailable:
            return error(503, "unavailable", "the log can't be read right now: try again soon")
        except LogDamaged as fault:
            log.error("results.damaged", error=str(fault))
            return error(503, "unavailable", "the index of results is damaged")

    return handled


async def deal_results(request: web.Request) -> web.StreamResponse:
    """`GET /api/deals/CODE/results`: best first, of one class of rules, a page at a time."""
    server = request.app[SERVER]
    code = Code.parse(request.match_info["code"])
    asked, after = _rules_asked(request), place_asked(request.query.get("after"))
    who = await identity_if_any(request)
    if isinstance(who, web.Response):
        return who
    event_log, player = server.event_log, None if who is None else who.player
    if not await server.contests.is_open(None, code, player):
        nothing = w.DealResults(code=code, classes=[], results=[])
        return tagged(request, nothing, private=who is not None)
    shut = await _shut(event_log, server.contests, str(code), player)
    classes = await event_log.rules_of_code(str(code), shut)
    rules = next((one.rules for one in classes if _fits(one.rules, asked)), None)
    found: list[Result] = []
    if rules is not None:
        found = await event_log.results_of_code(str(code), rules, after, w.RESULTS_A_PAGE + 1, shut)
    page = found[: w.RESULTS_A_PAGE]
    answer = w.DealResults(
        code=code,
        rules=None if rules is None else w.RulesClass(**_rules(rules)),
        classes=[_class(one) for one in classes],
        results=[_told(one, server.around.directory, who) for one in page],
        own=None if player is None else await _own(event_log, str(code), rules, player, shut),
        next=place_text(page[-1].place) if len(found) > len(page) else None,
    )
    return tagged(request, answer, private=who is not None)


async def my_races(request: web.Request) -> web.StreamResponse:
    """`GET /api/players/me/races`: newest first, with totals, to the player whose token it is."""
    server = request.app[SERVER]
    after = _latest(request.query.get("after"))
    who = await identity_of(request)
    if isinstance(who, web.Response):
        return who
    event_log = server.event_log
    found = await event_log.results_of_player(who.player, after, w.RESULTS_A_PAGE + 1)
    page = found[: w.RESULTS_A_PAGE]
    totals = await event_log.totals_of(who.player)
    answer = w.MyRaces(
        player=who.player,
        name=who.name,
        totals=w.Totals(**{name: getattr(totals, name) for name in w.Totals.model_fields}),
        races=[await _mine(server.contests, one) for one in page],
        next=place_text(page[-1].latest) if len(found) > len(page) else None,
    )
    return tagged(request, answer, private=True)


async def _shut(
    event_log: EventLog, contests: ContestKinds, code: str, player: str | None
) -> list[str]:
    """The contests on this deal that are shut to the player."""
    return [
        contest
        for contest in await event_log.contests_of_code(code)
        if not await contests.contest_is_open(contest, player)
    ]


async def _own(
    event_log: EventLog, code: str, rules: Rules | None, player: str, shut: Sequence[str]
) -> list[w.OwnResult] | None:
    """The player's own best results on this deal, each with its rank there; None for none."""
    if rules is None:
        return None
    own = await event_log.own_results(code, rules, player, w.OWN_RESULTS, shut)
    return [w.OwnResult(**_line(one), place=place) for place, one in own] or None


def _told(result: Result, directory: Directory, who: Identity | None) -> w.RaceResult:
    """A result as others are told it: a record names its room, and a private one is found by no list."""
    line = _line(result)
    player = None if who is None else who.player
    if player != result.player and directory.is_private(result.room, player):
        line["race"] = None
    return w.RaceResult(**line)


async def _mine(contests: ContestKinds, result: Result) -> w.MyRace:
    code = Code.parse(result.code)
    return w.MyRace(
        **_line(result),
        **_rules(result.rules),
        room=result.room,
        code=code if await contests.is_open(result.contest, code, result.player) else None,
    )


# Models


def _line(result: Result) -> dict[str, Any]:
    return {name: getattr(result, name) for name in w.RaceResult.model_fields}


def _rules(rules: Rules) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in w.RulesClass.model_fields}


def _class(count: RulesCount) -> w.RulesClassCount:
    return w.RulesClassCount(**_rules(count.rules), results=count.results)


# The query


def _rules_asked(request: web.Request) -> dict[str, object]:
    """The parts of the rules that the query names, with their values."""
    return {
        name: _value(name, request.query[name])
        for name in w.RulesClass.model_fields
        if name in request.query
    }


def _fits(rules: Rules, asked: dict[str, object]) -> bool:
    return all(getattr(rules, name) == value for name, value in asked.items())


def _value(name: str, text: str) -> object:
    if name == "time_limit_ms":
        if text == "none":
            return None
        if text.isascii() and text.isdigit() and len(text) <= 8:
            return int(text)
        raise Unasked(f"time_limit_ms: {text[:40]!r} is no number of ms, and not none")
    known: dict[str, object] = (
        {"true": True, "false": False}
        if name == "undo"
        else {"all": "all", "first_win": "first_win"}
    )
    if text not in known:
        raise Unasked(f"{name}: {text[:40]!r} is neither of {' and '.join(known)}")
    return known[text]


def place_asked(text: str | None) -> Place | None:
    """The place that `?after=` names; raises `Unasked`."""
    if text is None:
        return None
    best, time_ms, actions, over_at, player = _parts(text, 5)
    return Place(-_number(best), _number(time_ms), _number(actions), _number(over_at), player)


def _latest(text: str | None) -> Latest | None:
    if text is None:
        return None
    over_at, race = _parts(text, 2)
    return Latest(-_number(over_at), race)


def place_text(place: Place | Latest) -> str:
    """What `?after=` says for this place; numbers go without their sign."""
    return ".".join(str(abs(one)) if isinstance(one, int) else one for one in place)


def _parts(text: str, count: int) -> Sequence[str]:
    parts = text.split(".", count - 1)
    if len(parts) != count:
        raise Unasked("after: it is no `next` of an answer")
    return parts


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 16):
        raise Unasked("after: it is no `next` of an answer")
    return int(text)
