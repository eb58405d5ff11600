"""Results over HTTP: on a deal for everybody, of one's own races for oneself, and those that are shut."""

from __future__ import annotations

import json
from typing import Any

from halfmoon.wire.results import OWN_RESULTS
from halfmoon_server.eventlog.base import Batch
from halfmoon_server.eventlog.results import Result
from halfmoon_server.indexing import index_of
from halfmoon_server.limits import Rate
from halfmoon_server.rooms import events as e
from halfmoon_server.settings import Limits, Settings
from halfmoon_testing.builders import ANN, BEN, ROOM, WINNABLE
from halfmoon_testing.driver import Driver, drivers, line_up, start_race
from halfmoon_testing.fakes import FakeLog
from halfmoon_testing.rooms import finished
from halfmoon_testing.server import InProcess, get_json, in_process
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.wsraw import Answer, Raw

LINE = winning_line()
DEAL = f"/api/deals/{WINNABLE_CODE}/results"
MINE = "/api/players/me/races"


async def get(server: InProcess, path: str, *headers: str) -> Answer:
    async with await Raw.open(server.port) as raw:
        return await raw.get(path, *headers)


async def json_of(server: InProcess, path: str, *headers: str, status: int = 200) -> Any:
    answer = await get(server, path, *headers)
    assert answer.status == status, answer
    return json.loads(answer.body)


def bearer(player: Driver) -> str:
    return f"Authorization: Bearer {player.token}"


async def raced(server: InProcess, **options: Any) -> tuple[Driver, Driver]:
    """Ann and Bob after a race in which Ann made two moves and an undo, and Bob three moves."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], **{"countdown_ms": 0, **options})
    await start_race([ann, bob])
    for turn in range(2):
        await ann.move(turn, LINE[turn])
    await ann.done("undo", turn=2)
    for turn in range(3):
        await bob.move(turn, LINE[turn])
    for player in (ann, bob):
        await player.done("retire")
    await ann.until("over")
    return ann, bob


async def test_results_of_a_deal_are_told_to_everybody(server: InProcess) -> None:
    ann, bob = await raced(server, code=WINNABLE_CODE)
    async with drivers(ann, bob):
        standings = ann.of("over")[0]["standings"]
        told = await get_json(
            server, f"/api/deals/%20{WINNABLE_CODE.lower().replace('-', '')}/results"
        )
        rules = {"undo": True, "time_limit_ms": 900_000, "ends": "all"}
        assert told["code"] == WINNABLE_CODE
        assert told["rules"] == rules
        assert told["classes"] == [{**rules, "results": 2}]
        assert "next" not in told
        assert [one["undos"] for one in told["results"]] == [0, 1]
        for one, line in zip(told["results"], standings, strict=True):
            assert {**one, **line} == one
            assert one["racers"] == 2
        assert not any(token in json.dumps(told) for token in (ann.token, ann.room))
        told = await json_of(server, DEAL, bearer(ann))
        record = await get_json(server, f"/api/races/{told['results'][0]['race']}")
        assert record["starts_at"] == told["results"][0]["starts_at"]


async def test_a_private_room_is_not_found_by_its_results() -> None:
    """A record names its room; who isn't in a private one is told of its races once it has gone."""
    async with in_process() as server:
        (ann,) = await line_up(server.ws, ["Ann"], countdown_ms=0, code=WINNABLE_CODE)
        eve = await Driver.enter(server.ws, "Eve")
        async with drivers(ann, eve):
            await start_race([ann])
            await ann.done("retire")
            race = (await ann.until("over"))["race"]

            async def told(*headers: str) -> Any:
                (line,) = (await json_of(server, DEAL, *headers))["results"]
                return line.get("race")

            assert await told() is None
            assert await told(bearer(eve)) is None
            assert await told(bearer(ann)) == race
            await eve.join(ann.room, "spectator")
            assert await told(bearer(eve)) == race
            await ann.done("leave_room")
            assert await told(bearer(ann)) == race, "one's own race stays one's own"


async def test_a_race_in_a_public_room_is_told_to_everybody(server: InProcess) -> None:
    ann, bob = await raced(server, code=WINNABLE_CODE, public=True)
    async with drivers(ann, bob):
        race = ann.of("over")[0]["race"]
        told = await json_of(server, DEAL)
        assert [one["race"] for one in told["results"]] == [race, race]


async def test_a_player_is_told_their_own_races_and_nobody_elses(server: InProcess) -> None:
    ann, bob = await raced(server, code=WINNABLE_CODE)
    async with drivers(ann, bob):
        mine = await json_of(server, MINE, bearer(ann))
        assert (mine["player"], mine["name"]) == (ann.player, "Ann")
        assert [(one["player"], one["rank"], one["room"]) for one in mine["races"]] == [
            (ann.player, 2, ann.room)
        ]
        assert mine["races"][0]["code"] == ann.of("over")[0]["code"]
        assert mine["totals"] == {
            "races": 1, "wins": 0, "firsts": 0, "best": mine["races"][0]["best"], "deadlocks": 0,
            "clean": 0,
        }  # fmt: skip
        assert (await json_of(server, MINE, bearer(bob)))["totals"]["clean"] == 1
        eve = await Driver.enter(server.ws, "Eve")
        async with drivers(eve):
            assert (await json_of(server, MINE, bearer(eve)))["races"] == []


async def test_both_are_asked_after_by_their_tag(server: InProcess) -> None:
    ann, bob = await raced(server, code=WINNABLE_CODE)
    async with drivers(ann, bob):
        tags: dict[str, str] = {}
        for path, headers in ((DEAL, []), (MINE, [bearer(ann)])):
            first = await get(server, path, *headers)
            assert "no-cache" in first.headers["cache-control"]
            tags[path] = f"If-None-Match: {first.headers['etag']}"
            again = await get(server, path, *headers, tags[path])
            assert (again.status, again.body) == (304, b"")
            assert again.headers["etag"] == first.headers["etag"]
        await bob.done("leave_room")
        await ann.done("rematch", code=WINNABLE_CODE)
        await ann.done("set_ready", ready=True)
        await start_race([ann])
        await ann.done("retire")
        await ann.until("over")
        for path, headers in ((DEAL, []), (MINE, [bearer(ann)])):
            assert (await get(server, path, *headers, tags[path])).status == 200


async def test_long_lists_come_in_pages() -> None:
    log = FakeLog()
    async with in_process(event_log=log) as server:
        ann, bob = await raced(server, code=WINNABLE_CODE)
        async with drivers(ann, bob):
            (result,) = await log.results_of_player(ann.player, None, 1)
            for number in range(120):
                one = {**vars_of(result), "race": f"r_{number}", "best": number, "over_at": number}
                log._results[f"r_{number}", ann.player] = Result(**one)
            every: list[Any] = []
            for path, headers, listed in (
                (DEAL, [bearer(ann)], "results"),
                (MINE, [bearer(ann)], "races"),
            ):
                found: list[Any] = []
                after = ""
                while True:
                    page = await json_of(server, path + after, *headers)
                    assert len(page[listed]) <= 50
                    found += page[listed]
                    if "next" not in page:
                        break
                    after = f"?after={page['next']}"
                assert len({(one["race"], one["player"]) for one in found}) == len(found)
                assert len(found) == 122 - (path == MINE)
                every = every or found
                highest = sorted((one["best"] for one in found), reverse=True)
                assert ([one["best"] for one in found] == highest) == (path == DEAL)
            # One's own best ones come with every page, with their rank.
            for path in (DEAL, f"{DEAL}?after={told_next(await json_of(server, DEAL))}"):
                page = await json_of(server, path, bearer(bob))
                (own,) = page["own"]
                assert own["player"] == bob.player
                assert own["place"] == 1 + sum(better(one, own) for one in every)
                assert own not in page["results"]
                assert len((await json_of(server, path, bearer(ann)))["own"]) == OWN_RESULTS
                assert "own" not in await json_of(server, path)


def better(one: Any, other: Any) -> bool:
    """Whether the one is ranked above the other (Contract §6)."""
    return (-one["best"], one["time_ms"], one["actions"]) < (
        -other["best"], other["time_ms"], other["actions"],
    )  # fmt: skip


def told_next(page: Any) -> str:
    """Where the next page begins."""
    return str(page["next"])


def vars_of(result: Result) -> dict[str, Any]:
    return {name: getattr(result, name) for name in Result.__slots__}


async def test_a_deal_nobody_raced_on_has_no_results(server: InProcess) -> None:
    told = await get_json(server, DEAL)
    assert told == {"code": WINNABLE_CODE, "classes": [], "results": []}


async def test_classes_are_chosen_by_the_query(server: InProcess) -> None:
    ann, bob = await raced(server, code=WINNABLE_CODE)
    async with drivers(ann, bob):
        await ann.done("rematch", code=WINNABLE_CODE)
        await ann.done("set_options", options={"time_limit_ms": None, "undo": False})
        await ann.done("set_ready", ready=True)
        await start_race([ann])
        await ann.done("retire")
        await ann.until("over")
        for query, limit, count in (
            ("", 900_000, 2),
            ("?undo=false", None, 1),
            ("?undo=true&time_limit_ms=900000&ends=all", 900_000, 2),
            ("?time_limit_ms=none", None, 1),
        ):
            told = await get_json(server, DEAL + query)
            assert told["rules"]["time_limit_ms"] == limit, query
            assert len(told["results"]) == count, query
        told = await get_json(server, DEAL + "?ends=first_win")
        assert "rules" not in told
        assert told["results"] == []


async def test_what_can_not_be_read_is_named(server: InProcess) -> None:
    for path, word in (
        ("/api/deals/HM2-N-AAAAAAA/results", "HM2"),
        ("/api/deals/HM1-N-AAAA/results", "letters"),
        (f"{DEAL}?undo=1", "undo"),
        (f"{DEAL}?time_limit_ms=-5", "time_limit_ms"),
        (f"{DEAL}?time_limit_ms=", "time_limit_ms"),
        (f"{DEAL}?ends=never", "ends"),
        (f"{DEAL}?after=x", "after"),
        (f"{DEAL}?after=a.b.c.d.e", "after"),
        (f"{DEAL}?after=1.2.99999999999999999999.r.p", "after"),
    ):
        fault = await json_of(server, path, status=400)
        assert fault["error"] == "bad_request", path
        assert word in fault["message"], fault


async def test_wrong_tokens_are_refused_and_counted() -> None:
    limits = Limits(wrong_tokens=Rate(burst=3, per_second=0.001))
    async with in_process(Settings(limits=limits)) as server:
        ann = await Driver.enter(server.ws, "Ann")
        async with drivers(ann):
            for header in ("X: y", "Authorization: Basic abc", "Authorization: Bearer "):
                answer = await get(server, MINE, header)
                assert answer.status == 401
                assert answer.headers["www-authenticate"] == "Bearer"
            wrong = "Authorization: Bearer guess"
            statuses = [(await get(server, MINE, wrong)).status for _ in range(4)]
            assert statuses == [401, 401, 401, 429]
            assert (await get(server, MINE, bearer(ann))).status == 200, "the right one still works"


class OpenTo:
    """A contest that is open to one player alone."""

    def __init__(self, player: str) -> None:
        self._player = player

    async def is_open(self, contest: str, player: str | None) -> bool:
        return player == self._player


async def test_what_belongs_to_a_contest_is_seen_by_those_it_is_open_to() -> None:
    """By no path: not the results of the deal, not their counts, not the record."""
    log = FakeLog()
    race = await put_race(log, contest="kind/7")
    async with in_process(event_log=log) as server:
        ann, eve = [await Driver.enter(server.ws, name) for name in ("Ann", "Eve")]
        async with drivers(ann, eve):
            server.server.contests.kinds["kind"] = OpenTo(ann.player)
            never = await get(server, "/api/races/r_never")
            nothing = {"code": WINNABLE_CODE, "classes": [], "results": []}
            for headers in ([], [bearer(eve)]):
                assert (await get(server, f"/api/races/{race}", *headers)).body == never.body
                assert await json_of(server, DEAL, *headers) == nothing
            assert (await json_of(server, f"/api/races/{race}", bearer(ann)))["race"] == race
            told = await json_of(server, DEAL, bearer(ann))
            assert [one["contest"] for one in told["results"]] == ["kind/7", "kind/7"]
            assert told["classes"][0]["results"] == 2
            assert (await get(server, DEAL, "Authorization: Bearer guess")).status == 401
            server.server.contests.kinds.clear()
            assert (await json_of(server, DEAL))["classes"] == told["classes"]


async def test_ones_own_race_in_a_shut_contest_is_listed_without_its_code() -> None:
    log = FakeLog()
    async with in_process(event_log=log) as server:
        ann = await Driver.enter(server.ws, "Ann")
        async with drivers(ann):
            await put_race(log, contest="kind/7", ann=ann.player)
            server.server.contests.kinds["kind"] = OpenTo("p_nobody")
            (mine,) = (await json_of(server, MINE, bearer(ann)))["races"]
            assert "code" not in mine
            assert WINNABLE_CODE not in json.dumps(mine)
            server.server.contests.kinds["kind"] = OpenTo(ann.player)
            (mine,) = (await json_of(server, MINE, bearer(ann)))["races"]
            assert mine["code"] == WINNABLE_CODE


async def put_race(log: FakeLog, *, contest: str, ann: str = ANN) -> str:
    """Put a room into the log whose race, of a contest, is over; gives the race."""
    at = finished(BEN, code=WINNABLE)
    first = at.entries[0].events[0].model_copy(update={"contest": contest})
    entries = [e.Entry(events=(first,)), *at.entries[1:]]
    lines = [e.write_entry(entry).replace(ANN, ann) for entry in entries]
    indexed = index_of(ROOM, lines)
    await log.append(Batch(ROOM, 0, lines, indexed.keys, is_last=True, results=indexed.results))
    return indexed.results[0].race
