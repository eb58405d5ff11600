"""Challenges and the day's deal over HTTP."""

import asyncio
from datetime import date

from aiohttp import web

from halfmoon.wire import challenges as w
from halfmoon.wire.errors import ErrorCode
from halfmoon.wire.fields import read_room_id
from halfmoon_server.bearer import identity_if_any, identity_of
from halfmoon_server.bodies import Refused, body_of
from halfmoon_server.challenges import daily
from halfmoon_server.challenges.challenge import Challenge, Wanted
from halfmoon_server.challenges.daily import DailyDeal
from halfmoon_server.challenges.races import Races
from halfmoon_server.challenges.table import ghost_lines, page_of, ranked, result_line
from halfmoon_server.eventlog.base import Identity
from halfmoon_server.eventlog.results import Place
from halfmoon_server.indexing import UNREADABLE
from halfmoon_server.keys import SERVER, Server
from halfmoon_server.proxies import address_of
from halfmoon_server.records import find_record
from halfmoon_server.replies import error, reply, tagged
from halfmoon_server.results_api import Unasked, guarded, place_asked, place_text
from halfmoon_server.rooms.commands import Refusal

STATUS = {ErrorCode.NOT_ALLOWED: 403, ErrorCode.WRONG_STATE: 409}


def add_routes(router: web.UrlDispatcher) -> None:
    """Put the paths of challenges and of the day's deal into the application."""
    router.add_post("/api/challenges", guarded(make))
    router.add_get("/api/challenges/{challenge}", guarded(challenge))
    router.add_get("/api/players/me/challenges", guarded(my_challenges))
    router.add_get("/api/daily", guarded(days_deal))
    router.add_get("/api/daily/days", guarded(days))


async def make(request: web.Request) -> web.StreamResponse:
    """`POST /api/challenges`: a challenge out of a finished race of one's own."""
    server = request.app[SERVER]
    who = await identity_of(request)
    if isinstance(who, web.Response):
        return who
    try:
        asked = await body_of(request, w.ChallengeWanted)
    except Refused as fault:
        return fault.response()
    now_ms = asyncio.get_running_loop().time() * 1000
    address = address_of(request, server.around.settings.trusted_proxies)
    bucket = server.around.new_rooms.of(address, now_ms)
    if bucket.wait_ms(now_ms) > 0:
        return error(429, "rate_limited", "too many new challenges: wait a moment")
    try:
        found = await find_record(server.event_log, asked.race)
    except UNREADABLE:
        return error(503, "unavailable", "the log of this race is damaged")
    contests = server.contests
    if found is None or not await contests.is_open(found.contest, found.record.code, who.player):
        return error(404, "unknown_race", "race: there is no record of such a race")
    if not await server.contests.contest_is_open(found.contest, None):
        return error(409, "wrong_state", "race: others may not know this deal yet")
    ghosts = (who.player,) if asked.ghosts is None else tuple(asked.ghosts)
    wanted = Wanted(found.record, ghosts, asked.sealed, found.contest, found.witnesses)
    made = await server.keeper.make(who, wanted)
    if isinstance(made, Refusal):
        return error(STATUS[made.code], made.code, made.message)
    bucket.take(now_ms)
    return reply(w.ChallengeMade(challenge=made.challenge), status=201)


async def challenge(request: web.Request) -> web.StreamResponse:
    """`GET /api/challenges/ID`: whose it is and what it is raced by, and the table where open.

    An address that has asked for too many that aren't there is told of none but to who raced it.
    """
    server = request.app[SERVER]
    who = await identity_if_any(request)
    if isinstance(who, web.Response):
        return who
    found = await server.keeper.challenge(read_room_id(request.match_info["challenge"]))
    now_ms = asyncio.get_running_loop().time() * 1000
    address = address_of(request, server.around.settings.trusted_proxies)
    bucket = server.around.wrong_rooms.of(address, now_ms)
    if bucket.wait_ms(now_ms) > 0 and not await _has_raced(server, found, who):
        return error(429, "rate_limited", "too many unknown challenges and rooms: wait a moment")
    if found is None:
        bucket.take(now_ms)
        return error(404, "unknown_challenge", "there is no such challenge")
    shown = await _view(server, found, who, place_asked(request.query.get("after")))
    return tagged(request, shown, private=who is not None)


async def my_challenges(request: web.Request) -> web.StreamResponse:
    """`GET /api/players/me/challenges`: one's own, newest first, with their tables."""
    server = request.app[SERVER]
    after = request.query.get("after")
    before = None if after is None else _number(after)
    who = await identity_of(request)
    if isinstance(who, web.Response):
        return who
    found = await server.keeper.made_by(who.player, before, w.CHALLENGES_A_PAGE)
    more = bool(found) and found[-1].number > 1
    shown = w.MyChallenges(
        challenges=[await _view(server, one, who) for one in found],
        next=str(found[-1].number) if more else None,
    )
    return tagged(request, shown, private=True)


async def days_deal(request: web.Request) -> web.StreamResponse:
    """`GET /api/daily`: the day's deal, or an earlier one's by `?day=`, and the table where open."""
    server = request.app[SERVER]
    who = await identity_if_any(request)
    if isinstance(who, web.Response):
        return who
    day = _day(request.query.get("day"))
    deal = await server.keeper.today() if day is None else await server.keeper.daily_of(day)
    if deal is None:
        return error(404, "unknown_day", "day: no deal was drawn on that day")
    shown = await _daily_view(server, deal, who, place_asked(request.query.get("after")))
    return tagged(request, shown, private=who is not None)


async def days(request: web.Request) -> web.StreamResponse:
    """`GET /api/daily/days`: the deals of days, newest first, with the best of each where open."""
    server = request.app[SERVER]
    after = request.query.get("after")
    before = None if after is None else _number(after)
    who = await identity_if_any(request)
    if isinstance(who, web.Response):
        return who
    found = await server.keeper.days(before, w.DAYS_A_PAGE)
    more = bool(found) and (found[-1].number or 0) > 1
    shown = w.DailyDays(
        days=[await _past_day(server, deal, who) for deal in found],
        next=str(found[-1].number) if more else None,
    )
    return tagged(request, shown, private=who is not None)


# What is asked


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise Unasked("after: it is no `next` of an answer")
    return int(text)


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    day = daily.read_day(text)
    if day is None:
        raise Unasked("day: it is no day, such as 2026-11-30")
    return day


# What is answered


async def _view(
    server: Server, found: Challenge, who: Identity | None, after: Place | None = None
) -> w.ChallengeView:
    player = None if who is None else who.player
    is_open = await server.contests.is_open(found.contest, found.code, player)
    results = await server.event_log.results_of_contest(found.contest)
    played = player in {*found.raced, *(result.player for result in results)}
    played = played or (found.sealed and is_open)
    table = ranked([*ghost_lines(found), *map(result_line, results)])
    page, following = page_of(table, after)
    races = Races(server, player, {result.race: result.room for result in results})
    return w.ChallengeView(
        challenge=found.challenge,
        player=found.player,
        name=found.name,
        made_at=found.at,
        sealed=found.sealed,
        seal=found.code.seal,
        options=found.options,
        ghosts=[ghost.name for ghost in found.ghosts],
        played=played,
        room=None if played else await _room(server, found.contest, player),
        code=found.code if played else None,
        race=await races.told(found.race, found.raced) if is_open else None,
        results=[await races.line(one) for one in page] if is_open else None,
        next=place_text(following) if is_open and following else None,
    )


async def _daily_view(
    server: Server, deal: DailyDeal, who: Identity | None, after: Place | None
) -> w.DailyView:
    player = None if who is None else who.player
    is_open = await server.contests.is_open(deal.contest, deal.code, player)
    results = await server.event_log.results_of_contest(deal.contest)
    played = player in {result.player for result in results}
    page, following = page_of(ranked(map(result_line, results)), after)
    return w.DailyView(
        day=deal.day,
        seal=deal.code.seal,
        ends_at=deal.ends_at,
        options=daily.OPTIONS,
        played=played,
        room=None if played else await _room(server, deal.contest, player),
        players=len(results),
        code=deal.code if is_open else None,
        results=page if is_open else None,
        next=place_text(following) if is_open and following else None,
    )


async def _past_day(server: Server, deal: DailyDeal, who: Identity | None) -> w.PastDay:
    player = None if who is None else who.player
    is_open = await server.contests.is_open(deal.contest, deal.code, player)
    table = ranked(map(result_line, await server.event_log.results_of_contest(deal.contest)))
    own = next((line for _, line in table if line.player == player), None)
    return w.PastDay(
        day=deal.day,
        seal=deal.code.seal,
        ends_at=deal.ends_at,
        played=own is not None,
        players=len(table),
        code=deal.code if is_open else None,
        best=[line for _, line in table[: w.BEST_OF_A_DAY]] if is_open else None,
        own=own,
    )


async def _has_raced(server: Server, found: Challenge | None, who: Identity | None) -> bool:
    if found is None or who is None:
        return False
    return who.player in found.raced or await server.event_log.has_raced(
        str(found.code), who.player
    )


async def _room(server: Server, contest: str, player: str | None) -> str | None:
    """The room in which the player plays alone, where it is there."""
    rooms = [] if player is None else await server.keeper.rooms_of(contest, player)
    return rooms[-1] if rooms and server.around.directory.is_known(rooms[-1]) else None
