"""The calls and messages of tournaments one by one (Contract §8), over real sockets."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import segno
from aiohttp import ClientSession

from halfmoon.tournaments.result_file import verify
from halfmoon_server.settings import Settings
from halfmoon_testing.driver import Driver, drivers
from halfmoon_testing.organiser import KEY, Organiser
from halfmoon_testing.server import UNHURRIED, InProcess, get_json, in_process

LONGER: dict[str, Any] = {"time_limit_ms": 60_000, "countdown_ms": 50}


@pytest_asyncio.fixture
async def hall(tmp_path: Path) -> AsyncIterator[InProcess]:
    settings = Settings(data=tmp_path / "data", limits=UNHURRIED, organiser_key=KEY)
    async with in_process(settings) as running:
        yield running


@pytest_asyncio.fixture
async def organiser(hall: InProcess) -> AsyncIterator[Organiser]:
    async with Organiser(hall) as who:
        yield who


async def come(hall: InProcess, organiser: Organiser, *names: str) -> list[Driver]:
    """Players who have entered an open tournament."""
    come = [await Driver.enter(hall.ws, name) for name in names]
    for driver in come:
        await driver.done("enter", tournament=organiser.tournament)
    return come


async def into_race(*players: Driver) -> None:
    """Wait until all have their boards; their commands are to that room from then on."""
    for player in players:
        drawn = await player.until("round")
        player.room = drawn["room"]
        await player.until("countdown", room=drawn["room"])
        await player.until("started", room=drawn["room"])
        await player.until("board", room=drawn["room"])


# HTTP


async def test_without_the_key_nothing_happens(hall: InProcess, organiser: Organiser) -> None:
    await organiser.make()
    before = await organiser.get()
    for key in (None, "", "wrong", KEY.upper()):
        async with Organiser(hall, key, organiser.tournament) as stranger:
            for path in ("/entrants", "/rounds", "/end", "/seeds", "/entrants/e1/withdraw"):
                status, answer = await stranger.try_call("POST", path, {"names": ["Eve"]})
                assert status == 401, answer
                assert answer["error"] == "unauthorized"
            assert (await stranger.try_call("GET", "/entrants"))[0] == 401
            body = {"name": "x", "format": "series"}
            assert (await stranger.try_call("POST", "/api/tournaments", body))[0] == 401
            for path in ("", "/standings", "/standings.csv", "/log", "/export"):
                assert (await stranger.try_call("GET", path))[0] == 200
    assert await organiser.get() == before


@pytest.mark.parametrize(
    "body",
    [
        {"format": "series"},
        {"name": "", "format": "series"},
        {"name": "x", "format": "ladder"},
        {"name": "x", "format": "series", "rounds": 0},
        {"name": "x", "format": "series", "rounds": True},
        {"name": "x", "format": "series", "confetti": 1},
        {"name": "x", "format": "knockout", "rounds": 3},
        {"name": "x", "format": "series", "race": {"time_limit_ms": None}},
        {"name": "x", "format": "series", "race": {"code": "HM1-N-AAAAAAB"}},
        {"name": "x", "format": "swiss", "heat_size": 3},
        [],
        "series",
    ],
)
async def test_a_body_that_makes_no_tournament_is_400(organiser: Organiser, body: Any) -> None:
    status, answer = await organiser.try_call("POST", "/api/tournaments", body)
    assert (status, answer["error"]) == (400, "bad_request")


async def test_what_is_not_there_is_404_and_too_much_is_413(organiser: Organiser) -> None:
    assert (await organiser.try_call("GET", "/api/tournaments/AAAAA"))[0] == 404
    await organiser.make()
    for path in ("/entrants/e9/withdraw", "/rounds/1/annul", "/rounds/x/annul"):
        status, _ = await organiser.try_call(
            "POST", path, {"reason": "?x"} if "annul" in path else {}
        )
        assert status == 404
    status, answer = await organiser.try_call("POST", "/entrants", {"names": ["x" * 1_100_000]})
    assert (status, answer["error"]) == (413, "too_big")
    assert await organiser.get(f"/api/tournaments/{organiser.tournament.lower()}")


async def test_two_organisers_at_once_draw_one_round(hall: InProcess, organiser: Organiser) -> None:
    await organiser.make(race=LONGER)
    ann, ben = await come(hall, organiser, "Ann", "Ben")
    async with drivers(ann, ben), Organiser(hall, tournament=organiser.tournament) as other:
        both = await asyncio.gather(
            organiser.try_call("POST", "/rounds"), other.try_call("POST", "/rounds")
        )
        assert sorted(status for status, _ in both) == [201, 409]
        state = await organiser.get()
        assert (state["round"], len(state["heats"])) == (1, 1)
        for path in ("/rounds", "/rounds/1/annul", "/end"):
            assert (
                await organiser.try_call("POST", path, {"reason": "?x"} if "annul" in path else {})
            )[0] == 409


async def test_the_table_opens_right_in_a_spreadsheet(
    hall: InProcess, organiser: Organiser
) -> None:
    await organiser.make(entry="list", name='Könyv/tár "7A"')
    await organiser.add('=HYPERLINK("x")', "Őrsi, Kata", "@home", "-1a")
    async with ClientSession() as session:
        url = f"{hall.http}/api/tournaments/{organiser.tournament}/standings.csv"
        async with session.get(url) as answer:
            raw = await answer.read()
            assert answer.content_type == "text/csv"
            assert answer.content_disposition is not None
            name = answer.content_disposition.filename
    assert name == f"Könyv tár 7A {organiser.tournament}.csv"
    assert raw.startswith(b"\xef\xbb\xbf")
    assert raw.count(b"\r\n") == raw.count(b"\n") == 5
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8-sig"))))
    assert [row[2] for row in rows] == ["name", '\'=HYPERLINK("x")', "Őrsi, Kata", "'@home", "'-1a"]


# Entering


async def test_a_claim_is_taken_by_one_and_the_same_comes_back(
    hall: InProcess, organiser: Organiser
) -> None:
    await organiser.make(entry="list")
    [a, b] = await organiser.add("Ann", "Ben")
    t = organiser.tournament
    ann, eve = await Driver.enter(hall.ws, "A."), await Driver.enter(hall.ws, "Eve")
    async with drivers(ann, eve):
        assert (await ann.refused("enter", tournament="AAAAA"))["code"] == "unknown_tournament"
        assert (await ann.refused("enter", tournament=t))["code"] == "not_allowed"
        assert (await ann.refused("enter", tournament=t, claim="nope"))["code"] == "unauthorized"
        entered = await ann.done("enter", tournament=t.lower(), claim=a["claim"].lower())
        assert entered == {
            "type": "entered", "tournament": t, "entrant": a["entrant"], "re": entered["re"],
        }  # fmt: skip
        assert (await eve.refused("enter", tournament=t, claim=a["claim"]))["code"] == "not_allowed"
        again = await Driver.enter(hall.ws, token=ann.token)
        assert (await again.done("enter", tournament=t))["entrant"] == a["entrant"]
        news = await again.until("tournament")
        assert [one["name"] for one in news["entrants"]] == ["Ann", "Ben"]
        assert [one["taken"] for one in news["entrants"]] == [True, False]
        await again.close()
    renewed = await organiser.post(f"/entrants/{a['entrant']}/claim", status=201)
    assert renewed["claim"] != a["claim"]
    claims = {one["entrant"]: one["claim"] for one in await organiser.get("/entrants")}
    assert claims == {a["entrant"]: renewed["claim"], b["entrant"]: b["claim"]}


async def test_an_enter_that_is_sent_again_gets_its_first_answer(
    hall: InProcess, organiser: Organiser
) -> None:
    await organiser.make()
    ann = await Driver.enter(hall.ws, "Ann")
    async with drivers(ann):
        command = ann.command("enter", tournament=organiser.tournament)
        await ann.say(command)
        first = await ann.answer_to(command["id"])
        mark = len(ann.heard)
        await ann.say({**command, "claim": "nonsense"})
        assert await ann.answer_to(command["id"], since=mark) == first
    assert len((await organiser.get())["entrants"]) == 1


async def test_every_change_is_told_to_who_is_in_it_and_who_follows(
    hall: InProcess, organiser: Organiser
) -> None:
    await organiser.make()
    [ann] = await come(hall, organiser, "Ann")
    wall = await Driver.enter(hall.ws, "Wall")
    async with drivers(ann, wall):
        state = await wall.done("follow", tournament=organiser.tournament)
        assert state["type"] == "tournament"
        await organiser.post("/announcement", {"text": "Tea is ready"})
        for driver in (ann, wall):
            news = await driver.wait_for(lambda said: "announcement" in said)
            assert news["announcement"]["text"] == "Tea is ready"
            assert [one["entrant"] for one in news["entrants"]] == ["e1"]


# Heats


async def test_boards_come_by_themselves_and_who_was_away_joins(
    hall: InProcess, organiser: Organiser
) -> None:
    await organiser.make(race=LONGER)
    ann, ben = await come(hall, organiser, "Ann", "Ben")
    await ben.cut()
    drawn = await organiser.draw()
    async with drivers(ann):
        await into_race(ann)
        back = await Driver.enter(hall.ws, token=ben.token)
        async with drivers(back):
            await back.done("enter", tournament=organiser.tournament)
            told = await back.until("round")
            assert told == {
                "type": "round", "tournament": organiser.tournament, "round": 1,
                "room": drawn["heats"][0]["room"], "starts_at": drawn["starts_at"],
            }  # fmt: skip
            room = await back.join(told["room"])
            assert room["you"]["board"]["turn"] == 0
            assert room["heat"] == {"tournament": organiser.tournament, "round": 1}
            assert (await back.refused("kick", player=ann.player))["code"] == "not_allowed"
            assert (await back.done("leave_room"))["type"] == "left"
            await ann.until("player_changed", player=back.player, online=False)
            await back.join(told["room"])
            await back.done("retire")
            await ann.done("retire")
            over = await ann.until("over")
            assert over["code"]
            assert (await ann.until("opened"))["code"] == over["code"]


async def test_while_another_heat_runs_the_deal_is_in_no_answer(
    hall: InProcess, organiser: Organiser
) -> None:
    await organiser.make("swiss", race=LONGER)
    players = await come(hall, organiser, "Ann", "Ben", "Cy", "Dora")
    async with drivers(*players):
        await organiser.draw()
        await into_race(*players)
        by_room: dict[str, list[Driver]] = {}
        for player in players:
            by_room.setdefault(player.room, []).append(player)
        first, second = by_room.values()
        for player in first:
            await player.done("retire")
        over = await first[0].until("over")
        assert "code" not in over
        room = await first[0].join(first[0].room)
        assert room["state"] == "over"
        assert "code" not in room
        assert "boards" not in room
        race = over["race"]
        await get_json(hall, f"/api/races/{race}", status=404)
        assert (await organiser.try_call("GET", "/result"))[0] == 409
        for player in second:
            await player.done("retire")
        opened = await first[0].until("opened")
        assert (await first[0].join(first[0].room))["code"] == opened["code"]
        record = await get_json(hall, f"/api/races/{race}")
        assert record["code"] == opened["code"]
        texts = [text for player in players for text in player.texts if opened["code"] in text]
        assert {json.loads(text)["type"] for text in texts} <= {"opened", "room"}


async def test_a_director_corrects_annuls_and_ends_and_all_of_it_stands_in_the_log(
    organiser: Organiser, hall: InProcess
) -> None:
    await organiser.make(race=LONGER, rounds=3)
    ann, ben = await come(hall, organiser, "Ann", "Ben")
    async with drivers(ann, ben):
        await organiser.draw()
        await into_race(ann, ben)
        for player in (ann, ben):
            await player.done("retire")
        await organiser.until("break")
        body = {"status": "retired", "best": 50, "time_ms": 700, "reason": "the jury saw it"}
        state = await organiser.post("/rounds/1/results/e2", body, status=200)
        [first, second] = state["heats"][0]["results"]
        assert (first["entrant"], first["rank"], first["raw"]["best"]) == ("e2", 1, 0)
        assert (second["entrant"], second["rank"]) == ("e1", 2)
        assert (await organiser.get("/standings"))["rows"][0]["entrant"] == "e2"
        because = await organiser.get("/rounds/1/heats/1/explanation")
        assert because["text"] == "All 2 entrants race on the same deal."
        assert because["reasons"] == [{"why": "one_deal", "count": 2}]
        await organiser.post("/rounds/1/annul", {"reason": "power cut"}, status=200)
        await organiser.post("/entrants/e1/withdraw", status=200)
        await organiser.post("/end", status=200)
        log = (await organiser.get("/log"))["log"]
        assert [line["what"] for line in log] == [
            "tournament_made", "entrant_came", "entrant_came", "round_drawn", "heat_over",
            "result_corrected", "round_annulled", "withdrawn", "ended",
        ]  # fmt: skip
        assert {line["by"] for line in log} == {"organiser", "entrant", "server"}
        page = await organiser.get("/entrants/e2")
        assert page["rounds"][0]["annulled"] is True


async def test_a_round_is_ended_early_and_its_records_still_verify(
    organiser: Organiser, hall: InProcess
) -> None:
    await organiser.make(race=LONGER, rounds=2, heat_size=2)
    players = await come(hall, organiser, "Ann", "Ben", "Cleo", "Dan")
    async with drivers(*players):
        await organiser.draw()
        await into_race(*players)
        await players[0].done("retire")
        path, why = "/rounds/1/end", {"reason": "the bell"}
        async with Organiser(hall, None, organiser.tournament) as stranger:
            assert (await stranger.try_call("POST", path, why))[0] == 401
        assert (await organiser.try_call("POST", path, {}))[0] == 400
        organiser.device = "desk"
        await organiser.post(path, why, status=200)
        state = await organiser.until("break")
        results = [line for heat in state["heats"] for line in heat["results"]]
        assert [line["status"] for line in results] == ["retired"] * 4
        assert [one["reason"] for one in state["ended_early"]] == ["the bell"]
        [line] = [
            one for one in (await organiser.get("/log"))["log"] if one["what"] == "round_ended"
        ]
        assert (line["device"], line["reason"]) == ("desk", "the bell")
        assert (await organiser.try_call("POST", path, why))[0] == 409
        file = verify(json.dumps(await organiser.get("/result")).encode())
        assert len(file.races) == 2


async def test_the_log_says_on_which_device_an_organiser_did_it(organiser: Organiser) -> None:
    organiser.device = "Zoë's phone"
    await organiser.make()
    organiser.device = "desk"
    await organiser.post("/announcement", {"text": "Tea is ready"}, status=200)
    organiser.device = ""
    await organiser.post("/automatic", {"break_ms": 20_000}, status=200)
    log = (await organiser.get("/log"))["log"]
    assert [line.get("device") for line in log] == ["Zoë's phone", "desk", None]
    assert (log[1]["announcement"], log[2]["break_ms"]) == ("Tea is ready", 20_000)
    for wrong in ("\u200b", "x" * 25, "%ff"):
        organiser.device = wrong
        status, answer = await organiser.try_call("POST", "/announcement", {"text": "?x"})
        assert (status, answer["error"]) == (400, "bad_request")
    assert len((await organiser.get("/log"))["log"]) == 3


async def test_rounds_follow_by_themselves_in_automatic_mode(
    organiser: Organiser, hall: InProcess
) -> None:
    await organiser.make(race=LONGER, rounds=2)
    players = await come(hall, organiser, "Ann", "Ben")
    async with drivers(*players):
        await organiser.post("/automatic", {"break_ms": 10}, status=200)
        await organiser.draw()
        for _ in range(2):
            await into_race(*players)
            for player in players:
                await player.done("retire")
        state = await organiser.until("over")
        assert state["round"] == 2
        drawn = [
            line for line in (await organiser.get("/log"))["log"] if line["what"] == "round_drawn"
        ]
        assert [line["by"] for line in drawn] == ["organiser", "server"]


async def test_the_codes_of_secret_links_are_drawn_for_who_has_the_key(
    hall: InProcess, organiser: Organiser
) -> None:
    links = ["/organiser#a-key", "/t/T4KQ9#claim=8JWM-QY3C-77RP"]
    codes = (await organiser.post("/api/qr", {"links": links}, 200))["codes"]
    assert [sorted(code) for code in codes] == [["path", "side"]] * 2
    for link, code in zip(links, codes, strict=True):
        drawn = segno.make(hall.http + link, micro=False)
        rows = [bytes(row) for row in drawn.matrix_iter(border=2)]
        assert code["side"] == len(rows)
        runs = re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", code["path"])
        dark = {(int(x) + i, int(y)) for x, y, length in runs for i in range(int(length))}
        assert dark == {(x, y) for y, row in enumerate(rows) for x, bit in enumerate(row) if bit}
    for wrong in ([], ["/r/H4K7P#x"], ["//evil.example/t/T4KQ9#x"], ["/t/T4KQ9"], links * 51):
        assert (await organiser.try_call("POST", "/api/qr", {"links": wrong}))[0] == 400
    async with Organiser(hall, None) as stranger:
        assert (await stranger.try_call("POST", "/api/qr", {"links": links}))[0] == 401
