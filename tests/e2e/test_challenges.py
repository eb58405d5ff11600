"""Challenges and the day's deal from outside: raced by others, once, and shut until one has played."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path

import pytest
from aiohttp import ClientSession

from halfmoon.engine.record import RaceRecord
from halfmoon_server.hosting.clock import SystemClock
from halfmoon_server.limits import Rate
from halfmoon_server.settings import Limits, Settings
from halfmoon_testing.challenges import (
    AT_ONCE,
    asked,
    challenged,
    move,
    open_room,
    original,
    run,
)
from halfmoon_testing.driver import Driver, Message, drivers
from halfmoon_testing.server import Address, InProcess, in_process, server_process


@pytest.fixture
async def server() -> AsyncIterator[InProcess]:
    async with in_process() as running:
        yield running


async def test_a_body_that_cannot_be_unpacked_is_a_bad_request(server: InProcess) -> None:
    ann = await Driver.enter(server.ws, "Ann")
    async with drivers(ann), ClientSession() as session:
        headers = {"Authorization": f"Bearer {ann.token}", "Content-Encoding": "gzip"}
        path = server.http + "/api/challenges"
        async with session.post(path, data=BytesIO(b"{}"), headers=headers) as answer:
            assert (answer.status, (await answer.json())["error"]) == (400, "bad_request")


async def test_a_challenge_is_raced_against_the_run_as_it_was(server: InProcess) -> None:
    ann, ben, cleo = [await Driver.enter(server.ws, name) for name in ("Ann", "Ben", "Cleo")]
    async with drivers(ann, ben, cleo):
        over = await original(ann, undo=False, time_limit_ms=120_000)
        made = await challenged(server, ann, race=over["race"])
        path = f"/api/challenges/{made['challenge']}"
        shown = await asked(server, path)
        assert (shown["name"], shown["sealed"], shown["ghosts"]) == ("Ann", False, ["Ann"])
        assert shown["options"] == {"time_limit_ms": 120_000, "undo": False, "ends": "all"}
        assert [line["ghost"] for line in shown["results"]] == [{"player": ann.player}]
        snapshot = await open_room(ben, challenge=made["challenge"].lower())
        assert "code" not in snapshot
        assert snapshot["seal"] == over["seal"]
        (ghost,) = [line for line in snapshot["players"] if "ghost" in line]
        assert ghost["ghost"] == {"player": ann.player}
        assert (await ben.refused("set_options", options={"undo": True}))["code"] == "not_allowed"
        await cleo.join(ben.room)
        ended = await _two(ben, cleo)
        ranks = {line["player"]: line["rank"] for line in ended["standings"]}
        assert ranks[ghost["player"]] == 1
        record = RaceRecord.read(json.dumps(await asked(server, f"/api/races/{ended['race']}")))
        record.verify()
        shown = await asked(server, path, ben)
        assert shown["played"]
        assert shown["code"] == over["code"]
        assert [line["name"] for line in shown["results"]] == ["Ann", "Ben", "Cleo"]
        assert (await ben.refused("rematch"))["code"] == "not_allowed"


async def _two(host: Driver, guest: Driver) -> Message:
    """Both race and retire: Ben with a move, Cleo without."""
    since = len(host.heard)
    await guest.done("set_ready", ready=True)
    await host.done("set_ready", ready=True)
    await host.done("start")
    board = (await host.until("board", since=since))["board"]
    await move(host, 0, board)
    await guest.until("board")
    await host.done("retire")
    await guest.done("retire")
    return await host.until("over", since=since)


async def test_a_challenge_leads_nobody_into_a_private_room(server: InProcess) -> None:
    """Neither that of its race nor those of others who raced it: a record names its room."""
    ann, ben, eve = [await Driver.enter(server.ws, name) for name in ("Ann", "Ben", "Eve")]
    async with drivers(ann, ben, eve):
        over = await original(ann)
        made = await challenged(server, ann, race=over["race"])
        path = f"/api/challenges/{made['challenge']}"
        await open_room(ben, challenge=made["challenge"])
        bens = await run(ben)
        record = await asked(server, f"/api/races/{bens['race']}", ben)
        told = [json.dumps(await asked(server, path, who)) for who in (None, eve)]
        told += [*ben.texts, json.dumps(record)]
        assert not [text for text in told if over["race"] in text or ann.room in text]
        assert not [text for text in told[:2] if bens["race"] in text or ben.room in text]
        for who, own in ((ann, over), (ben, bens)):
            shown = await asked(server, path, who)
            assert [line["race"] for line in shown["results"] if "race" in line] == [own["race"]]
            assert shown.get("race") == (over["race"] if who is ann else None)
        await ann.done("leave_room")
        await open_room(eve, challenge=made["challenge"])
        assert (await run(eve))["code"] == over["code"]


async def test_the_race_of_a_public_room_may_be_found(server: InProcess) -> None:
    ann, ben = [await Driver.enter(server.ws, name) for name in ("Ann", "Ben")]
    async with drivers(ann, ben):
        over = await original(ann, public=True)
        made = await challenged(server, ann, race=over["race"])
        shown = await asked(server, f"/api/challenges/{made['challenge']}")
        assert (shown["race"], shown["results"][0]["race"]) == (over["race"], over["race"])
        snapshot = await open_room(ben, challenge=made["challenge"])
        (ghost,) = [line["ghost"] for line in snapshot["players"] if "ghost" in line]
        assert ghost == {"race": over["race"], "player": ann.player}


async def test_who_may_make_which_challenge(server: InProcess) -> None:
    ann, eve = [await Driver.enter(server.ws, name) for name in ("Ann", "Eve")]
    async with drivers(ann, eve):
        race = (await original(ann))["race"]
        assert (await challenged(server, None, 401, race=race))["error"] == "unauthorized"
        assert (await challenged(server, eve, 403, race=race))["error"] == "not_allowed"
        assert (await challenged(server, ann, 404, race="r_no"))["error"] == "unknown_race"
        assert (await challenged(server, ann, 413, race="r" * (1 << 20)))["error"] == "too_big"
        for body in ({}, {"race": 1}, {"race": race, "more": 1}, {"race": race, "sealed": 1}):
            assert (await challenged(server, ann, 400, **body))["error"] == "bad_request"
        ghosts = [ann.player, "p_no"]
        assert "p_no" in (await challenged(server, ann, 403, race=race, ghosts=ghosts))["message"]
        await ann.create(code="HM1-N-AAAAAAB", **AT_ONCE)
        typed = (await run(ann))["race"]
        assert (await challenged(server, ann, 409, race=typed, sealed=True))[
            "error"
        ] == "wrong_state"
        await challenged(server, ann, race=typed, ghosts=[])
        unknown = await asked(server, "/api/challenges/ABCDEFGHJKMN", status=404)
        assert unknown["error"] == "unknown_challenge"
        assert (await ann.refused("create_room", challenge="x"))["code"] == "unknown_challenge"
        both = await ann.refused("create_room", challenge="x", daily=True)
        assert both["code"] == "bad_message"
        assert (await ann.refused("create_room", daily=False))["code"] == "bad_message"


async def test_guesses_of_challenges_are_limited_for_right_ones_too() -> None:
    """But not for who has raced it."""
    limits = Limits(wrong_rooms=Rate(burst=5, per_second=0.001))
    async with in_process(Settings(limits=limits)) as server:
        ann, eve = [await Driver.enter(server.ws, name) for name in ("Ann", "Eve")]
        async with drivers(ann, eve):
            made = await challenged(server, ann, race=(await original(ann))["race"])
            path = f"/api/challenges/{made['challenge']}"
            await asked(server, path, eve)
            for number in range(3):
                await asked(server, f"/api/challenges/ABCDEFGHJKM{number}", eve, status=404)
            for number in range(2):
                guess = await eve.refused("create_room", challenge=f"ABCDEFGHJKN{number}")
                assert guess["code"] == "unknown_challenge"
            for right_or_wrong in (path, "/api/challenges/ABCDEFGHJKMN"):
                for who in (None, eve):
                    told = await asked(server, right_or_wrong, who, status=429)
                    assert told["error"] == "rate_limited"
            right = eve.command("create_room", challenge=made["challenge"])
            await eve.say(right)
            limited = await eve.answer_to(right["id"])
            assert (limited["code"], limited["retry_ms"] > 0) == ("rate_limited", True)
            assert (await asked(server, path, ann))["played"]
            await eve.create()


async def test_ones_own_challenges_with_all_results_in_pages(server: InProcess) -> None:
    ann, ben = [await Driver.enter(server.ws, name) for name in ("Ann", "Ben")]
    async with drivers(ann, ben):
        race = (await original(ann))["race"]
        made = [(await challenged(server, ann, race=race))["challenge"] for _ in range(23)]
        await open_room(ben, challenge=made[0])
        await run(ben, moves=0)
        assert (await asked(server, "/api/players/me/challenges", status=401))["error"]
        first = await asked(server, "/api/players/me/challenges", ann)
        assert [one["challenge"] for one in first["challenges"]] == made[:2:-1]
        rest = await asked(server, f"/api/players/me/challenges?after={first['next']}", ann)
        assert [one["challenge"] for one in rest["challenges"]] == made[2::-1]
        assert "next" not in rest
        assert [line["name"] for line in rest["challenges"][-1]["results"]] == ["Ann", "Ben"]
        assert await asked(server, "/api/players/me/challenges", ben) == {"challenges": []}


# --- What is shut -----------------------------------------------------------------------------


async def everything_told(at: Address, eve: Driver, *paths: str) -> str:
    """All that anybody and Eve are answered by these paths, and all that Eve has heard."""
    texts = [*eve.texts]
    for path in paths:
        for who in (None, eve):
            headers = {} if who is None else {"Authorization": f"Bearer {who.token}"}
            async with (
                ClientSession() as session,
                session.get(at.http + path, headers=headers) as a,
            ):
                texts.append(f"{await a.text()} {dict(a.headers)}")
    return "\n".join(texts)


def public_paths(*rooms: str) -> list[str]:
    pages = [f"/r/{room}{more}" for room in rooms for more in ("", "?watch", "/wall", "/overlay")]
    return [
        *pages, "/", "/healthz", "/metrics", "/api/rooms", "/api/daily", "/api/daily/days",
        "/api/players/me/races", "/api/players/me/challenges",
    ]  # fmt: skip


async def test_a_sealed_envelope_tells_nobody_anything_before_they_have_played(
    server: InProcess,
) -> None:
    ann, ben, eve = [
        await Driver.enter(server.ws, name) for name in ("Anneliese", "Benedict", "Eve")
    ]
    async with drivers(ann, ben, eve):
        over = await original(ann)
        made = await challenged(server, ann, race=over["race"], sealed=True)
        await open_room(ben, challenge=made["challenge"])
        bens = await run(ben, moves=1)
        path = f"/api/challenges/{made['challenge']}"
        secrets = [
            over["code"],
            over["race"],
            bens["race"],
            "Benedict",
            '"time_ms"',
            '"results"',
            f"g_{ann.player[2:]}",
        ]
        paths = [
            path,
            f"{path}?after=520.0.0.0.p",
            f"/api/races/{bens['race']}",
            *public_paths(ben.room),
        ]
        told = await everything_told(server, eve, *paths)
        assert not [secret for secret in secrets if secret in told]
        assert over["seal"] in told
        assert (await eve.refused("join_room", room=ben.room))["code"] == "room_full"
        refusal = await eve.refused("join_room", room=ben.room, as_="spectator")
        assert refusal["code"] == "not_allowed"
        deal = await asked(server, f"/api/deals/{over['code']}/results", eve)
        assert (deal["results"], deal["classes"]) == ([], []), "also to who was told the code"
        # The creator, who made the run, and who has played see all.
        for who in (ann, ben):
            shown = await asked(server, path, who)
            assert [line["name"] for line in shown["results"]] == ["Anneliese", "Benedict"]
            await asked(server, f"/api/races/{bens['race']}", who)
        # Eve plays: nothing of anybody until her own end, and then everything.
        snapshot = await open_room(eve, challenge=made["challenge"])
        assert (snapshot["options"]["max_players"], snapshot["options"]["spectators"]) == (
            1,
            "none",
        )
        shown = await asked(server, path, eve)
        assert (shown["room"], shown["played"]) == (eve.room, False)
        await eve.done("set_ready", ready=True)
        await eve.done("start")
        await eve.until("board")
        told = await everything_told(server, eve, *paths)
        assert not [secret for secret in secrets[:4] if secret in told]
        await eve.done("retire")
        ended = await eve.until("over")
        assert ended["code"] == over["code"]
        assert {line["name"] for line in ended["standings"]} == {"Anneliese", "Eve"}
        shown = await asked(server, path, eve)
        assert [line["name"] for line in shown["results"]] == ["Anneliese", "Benedict", "Eve"]
        assert "race" not in shown, "it would lead into a private room"
        await asked(server, f"/api/races/{bens['race']}", eve)
        for who in (ann, ben, eve):
            again = await who.refused("create_room", challenge=made["challenge"])
            assert again["code"] == "not_allowed"
        # What is shut to others makes no challenge that would let them in.
        refused = await challenged(server, eve, 409, race=ended["race"])
        assert refused["error"] == "wrong_state"


async def test_the_race_of_a_sealed_envelope_is_shut_with_it(server: InProcess) -> None:
    """Record, deal, room and every challenge on it: to all but those who were there or have played."""
    names = ("Ann", "Carl", "Dora", "Eve")
    ann, carl, dora, eve = [await Driver.enter(server.ws, name) for name in names]
    async with drivers(ann, carl, dora, eve):
        await ann.create(**AT_ONCE)
        room = ann.room
        await dora.join(room, "spectator")
        await carl.join(room)
        over = await _two(ann, carl)
        deal, record = f"/api/deals/{over['code']}/results", f"/api/races/{over['race']}"
        await asked(server, record)
        made = await challenged(server, ann, race=over["race"], sealed=True)
        for who in (ann, carl):
            refused = await challenged(server, who, 409, race=over["race"])
            assert (refused["error"], "envelope" in refused["message"]) == ("wrong_state", True)
        await challenged(server, carl, race=over["race"], sealed=True)
        await challenged(server, eve, 404, race=over["race"])
        for anybody in (None, eve):
            await asked(server, record, anybody, status=404)
            assert (await asked(server, deal, anybody))["results"] == []
        for role in ("player", "spectator"):
            refusal = await eve.refused("join_room", room=room, as_=role)
            assert (refusal["code"], refusal["room"]) == ("not_allowed", room)
        for who in (ann, carl, dora):
            await asked(server, record, who)
            assert len((await asked(server, deal, who))["results"]) == 2
            shown = await asked(server, f"/api/challenges/{made['challenge']}", who)
            assert (shown["played"], shown.get("race") == over["race"]) == (True, True)
            seen = await who.refused("create_room", challenge=made["challenge"])
            assert seen["code"] == "not_allowed"
        await open_room(eve, challenge=made["challenge"])
        await run(eve, moves=0)
        await asked(server, record, eve)
        assert len((await asked(server, deal, eve))["results"]) == 3
        await eve.join(room, "spectator")


async def test_a_deal_that_is_known_comes_into_no_envelope(server: InProcess) -> None:
    ann, carl = [await Driver.enter(server.ws, name) for name in ("Ann", "Carl")]
    async with drivers(ann, carl):
        first = await original(ann)
        await challenged(server, ann, race=first["race"])
        refused = await challenged(server, ann, 409, race=first["race"], sealed=True)
        assert "open challenge" in refused["message"]
        second = await original(ann)
        await carl.create(code=second["code"], **AT_ONCE)
        await run(carl)
        refused = await challenged(server, ann, 409, race=second["race"], sealed=True)
        assert "elsewhere" in refused["message"]
        # Who races on it afterwards, by its code, has seen it: no start any more, nothing shut.
        third = await original(ann)
        made = await challenged(server, ann, race=third["race"], sealed=True)
        path = f"/api/challenges/{made['challenge']}"
        assert "results" not in await asked(server, path, carl)
        await carl.create(code=third["code"], **AT_ONCE)
        await run(carl)
        assert (await carl.refused("create_room", challenge=made["challenge"]))["code"] == (
            "not_allowed"
        )
        assert (await asked(server, path, carl))["played"]


async def test_the_days_deal_is_shut_until_one_has_played(server: InProcess) -> None:
    ben, eve = [await Driver.enter(server.ws, name) for name in ("Benedict", "Eve")]
    async with drivers(ben, eve):
        day = await asked(server, "/api/daily")
        await open_room(ben, daily=True)
        over = await run(ben, moves=1)
        assert over["seal"] == day["seal"]
        paths = [
            f"/api/daily?day={day['day']}",
            f"/api/races/{over['race']}",
            *public_paths(ben.room),
        ]
        secrets = [over["code"], over["race"], "Benedict", '"time_ms"', '"results"']
        told = await everything_told(server, eve, *paths)
        assert not [secret for secret in secrets if secret in told]
        deal = await asked(server, f"/api/deals/{over['code']}/results", eve)
        assert deal["results"] == []
        snapshot = await open_room(eve, daily=True)
        assert "code" not in snapshot
        assert (await asked(server, "/api/daily", eve))["room"] == eve.room
        refused = await challenged(server, ben, 409, race=over["race"])
        assert refused["error"] == "wrong_state"
        ended = await run(eve, moves=0)
        assert ended["code"] == over["code"]
        shown = await asked(server, "/api/daily", eve)
        assert [line["name"] for line in shown["results"]] == ["Benedict", "Eve"]
        assert (shown["played"], shown["players"], shown["code"]) == (True, 2, over["code"])
        assert (await eve.refused("create_room", daily=True))["code"] == "not_allowed"
        for wrong, status in (("2026-1-1", 400), ("1999-01-01", 404), ("x", 400)):
            await asked(server, f"/api/daily?day={wrong}", status=status)


async def test_past_days_are_listed_with_their_best_a_page_at_a_time() -> None:
    clock = ShiftedClock()
    async with in_process(clock=clock) as server:
        ann, ben = [await Driver.enter(server.ws, name) for name in ("Ann", "Ben")]
        async with drivers(ann, ben):
            days = []
            for number in range(22):
                days.append((await asked(server, "/api/daily"))["day"])
                if number == 20:
                    for player, moves in ((ann, 1), (ben, 0)):
                        await open_room(player, daily=True)
                        await run(player, moves)
                clock.later_ms += 24 * 3_600_000
            first = await asked(server, "/api/daily/days", ben)
            assert [one["day"] for one in first["days"]] == days[:1:-1]
            rest = await asked(server, f"/api/daily/days?after={first['next']}")
            assert [one["day"] for one in rest["days"]] == days[1::-1]
            assert "next" not in rest
            _, raced, quiet, *_ = first["days"]
            assert [(line["rank"], line["name"]) for line in raced["best"]] == [
                (1, "Ann"),
                (2, "Ben"),
            ]
            assert (raced["players"], raced["played"], raced["own"]["name"]) == (2, True, "Ben")
            assert (quiet["players"], quiet["played"], quiet["best"]) == (0, False, [])
            told = await asked(server, "/api/daily/days")
            assert "own" not in told["days"][1]
            for wrong in ("x", "-1", "1.5"):
                await asked(server, f"/api/daily/days?after={wrong}", status=400)


class ShiftedClock(SystemClock):
    """The system's time, so much later as the test says."""

    later_ms = 0

    def now(self) -> int:
        return super().now() + self.later_ms


async def test_a_race_that_crosses_midnight_belongs_to_its_day() -> None:
    clock = ShiftedClock()
    async with in_process(clock=clock) as server:
        ann, ben, eve = [await Driver.enter(server.ws, name) for name in ("Ann", "Ben", "Eve")]
        async with drivers(ann, ben, eve):
            day = await asked(server, "/api/daily")
            clock.later_ms = day["ends_at"] - clock.now() - 60_000
            for player in (ann, ben):
                await open_room(player, daily=True)
                await player.done("set_ready", ready=True)
            await ann.done("start")
            await ann.until("board")
            clock.later_ms += 120_000
            assert (await ben.refused("start"))["code"] == "wrong_state"
            following = await asked(server, "/api/daily")
            assert following["day"] > day["day"]
            assert following["seal"] != day["seal"]
            await ann.done("retire")
            over = await ann.until("over")
            path = f"/api/daily?day={day['day']}"
            assert over["seal"] == day["seal"]
            assert [line["name"] for line in (await asked(server, path, ann))["results"]] == ["Ann"]
            assert "results" not in await asked(server, path, eve)
            await asked(server, f"/api/races/{over['race']}", eve, status=404)
            await open_room(ann, daily=True)
            clock.later_ms += 15 * 60_000
            shown = await asked(server, path)
            assert (shown["code"], len(shown["results"])) == (over["code"], 1)
            await asked(server, f"/api/races/{over['race']}")
            assert (await asked(server, "/api/daily"))["players"] == 0


async def test_what_hasnt_changed_isnt_sent_again(server: InProcess) -> None:
    ann = await Driver.enter(server.ws, "Ann")
    async with drivers(ann), ClientSession() as session:
        made = await challenged(server, ann, race=(await original(ann))["race"])
        for path in (f"/api/challenges/{made['challenge']}", "/api/daily"):
            async with session.get(server.http + path) as answer:
                tag = answer.headers["ETag"]
            headers = {"If-None-Match": tag}
            async with session.get(server.http + path, headers=headers) as answer:
                assert answer.status == 304


async def test_one_start_for_each_through_kills_and_other_connections(tmp_path: Path) -> None:
    async with server_process(tmp_path, "--timezone", "Pacific/Auckland") as server:
        ann = await Driver.enter(server.ws, "Ann")
        room = (await open_room(ann, daily=True, id="first"))["room"]
        seal = (await asked(server, "/api/daily"))["seal"]
        other = await Driver.enter(server.ws, token=ann.token)
        assert (await open_room(other, daily=True, id="second"))["room"] == room
        await server.restart()
        assert (await asked(server, "/api/daily"))["seal"] == seal
        again = await Driver.enter(server.ws, token=ann.token)
        assert (await open_room(again, daily=True, id="third"))["room"] == room
        await again.done("set_ready", ready=True)
        await again.done("start")
        await again.until("board")
        await server.restart()
        last = await Driver.enter(server.ws, token=ann.token)
        assert (await open_room(last, daily=True, id="third"))["room"] == room
        assert (await last.refused("create_room", daily=True, id="fourth"))["code"] == "not_allowed"
        for driver in (ann, other, again, last):
            await driver.close()
