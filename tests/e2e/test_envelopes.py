"""One try at a deal in a sealed envelope, or at the day's, whichever way one comes to it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from halfmoon_testing.challenges import AT_ONCE, asked, challenged, open_room, original, run
from halfmoon_testing.driver import Driver, Message, drivers
from halfmoon_testing.server import InProcess, in_process


@pytest.fixture
async def server() -> AsyncIterator[InProcess]:
    async with in_process() as running:
        yield running


async def sealed(server: InProcess, ann: Driver, count: int = 1) -> tuple[Message, list[str]]:
    """A race of Ann's alone, and sealed challenges on its deal."""
    over = await original(ann)
    made = [await challenged(server, ann, race=over["race"], sealed=True) for _ in range(count)]
    return over, [one["challenge"] for one in made]


async def get_set(who: Driver, **what: object) -> str:
    """A room for a challenge, or the day's deal, in which the player is ready."""
    room: str = (await open_room(who, **what))["room"]
    await who.done("set_ready", ready=True)
    return room


async def test_of_two_envelopes_with_one_deal_one_is_played(server: InProcess) -> None:
    """Also where both rooms were there before, and while the race runs."""
    ann, eve = [await Driver.enter(server.ws, name) for name in ("Ann", "Eve")]
    async with drivers(ann, eve):
        _, (first, second) = await sealed(server, ann, 2)
        other = await get_set(eve, challenge=second)
        room = await get_set(eve, challenge=first)
        await eve.done("start")
        await eve.until("board")
        refused = await eve.refused("start", room=other)
        assert (refused["code"], "seen" in refused["message"]) == ("not_allowed", True)
        for challenge in (first, second):
            again = await eve.refused("create_room", challenge=challenge)
            assert again["code"] == "not_allowed"
            shown = await asked(server, f"/api/challenges/{challenge}", eve)
            assert (shown["played"], "results" in shown) == (False, False), "before its end"
        await eve.done("retire", room=room)
        await eve.until("over")
        for challenge in (first, second):
            assert (await asked(server, f"/api/challenges/{challenge}", eve))["played"]
        assert (await eve.refused("start", room=other))["code"] == "not_allowed"


async def test_of_two_countdowns_on_one_deal_one_comes_to_a_race(server: InProcess) -> None:
    ann, eve = [await Driver.enter(server.ws, name) for name in ("Ann", "Eve")]
    async with drivers(ann, eve):
        _, challenges = await sealed(server, ann, 2)
        rooms = [await get_set(eve, challenge=challenge) for challenge in challenges]
        for room in rooms:
            await eve.done("set_options", room=room, options={"countdown_ms": 300})
        for room in rooms:
            await eve.done("start", room=room)
        called_off = await eve.until("countdown", starts_at=None)
        started = await eve.until("started")
        assert {called_off["room"], started["room"]} == {*rooms}
        refused = await eve.refused("start", room=called_off["room"])
        assert refused["code"] == "not_allowed"


async def test_who_races_on_its_code_opens_no_envelope(server: InProcess) -> None:
    """From the start of that race on, also the one whose room was there before; and who looked on."""
    ann, eve, fay = [await Driver.enter(server.ws, name) for name in ("Ann", "Eve", "Fay")]
    async with drivers(ann, eve, fay):
        over, (challenge,) = await sealed(server, ann)
        rooms = {who: await get_set(who, challenge=challenge) for who in (eve, fay)}
        await eve.create(code=over["code"], **AT_ONCE)
        assert (await fay.refused("join_room", room=eve.room))["code"] == "not_allowed"
        await ann.join(eve.room, "spectator")
        await eve.done("set_ready", ready=True)
        await eve.done("start")
        await eve.until("board")
        assert (await eve.refused("start", room=rooms[eve]))["code"] == "not_allowed"
        assert (await eve.refused("create_room", challenge=challenge))["code"] == "not_allowed"
        await fay.done("start", room=rooms[fay])


async def test_a_shut_code_is_told_nobody_by_a_room_in_which_it_is_typed(server: InProcess) -> None:
    ann, eve = [await Driver.enter(server.ws, name) for name in ("Ann", "Eve")]
    async with drivers(ann, eve):
        over, (challenge,) = await sealed(server, ann)
        await ann.create(public=True, **AT_ONCE)
        await eve.join(ann.room)
        options = {"code": over["code"]}
        assert (await ann.refused("set_options", options=options))["code"] == "not_allowed"
        await eve.done("leave_room")
        await ann.done("set_options", options=options)
        assert (await eve.refused("join_room", room=ann.room))["code"] == "not_allowed"
        (listed,) = (await asked(server, "/api/rooms"))["rooms"]
        assert (listed["room"], "code" in listed["options"]) == (ann.room, False)
        await open_room(eve, challenge=challenge)
        await run(eve, moves=0)
        await eve.join(ann.room)


async def test_who_read_of_a_deal_before_it_was_sealed_has_seen_it(server: InProcess) -> None:
    names = ("Ann", "Eve", "Fay")
    ann, eve, fay = [await Driver.enter(server.ws, name) for name in names]
    async with drivers(ann, eve, fay):
        over = await original(ann)
        for _ in range(2):
            await asked(server, f"/api/races/{over['race']}", eve)
        made = await challenged(server, ann, race=over["race"], sealed=True)
        challenge = made["challenge"]
        refused = await eve.refused("create_room", challenge=challenge)
        assert (refused["code"], "seen" in refused["message"]) == ("not_allowed", True)
        assert (await asked(server, f"/api/challenges/{challenge}", eve))["played"]
        await open_room(fay, challenge=challenge)


async def test_the_days_deal_is_played_once_and_is_in_no_challenge_before_its_end(
    server: InProcess,
) -> None:
    """Also where its code was typed."""
    ann, eve = [await Driver.enter(server.ws, name) for name in ("Ann", "Eve")]
    async with drivers(ann, eve):
        await open_room(ann, daily=True)
        code = (await run(ann))["code"]
        room = await get_set(eve, daily=True)
        await eve.create(code=code, **AT_ONCE)
        race = (await run(eve))["race"]
        assert (await eve.refused("start", room=room))["code"] == "not_allowed"
        assert (await eve.refused("create_room", daily=True))["code"] == "not_allowed"
        for is_sealed in (False, True):
            refused = await challenged(server, eve, 409, race=race, sealed=is_sealed)
            assert refused["error"] == "wrong_state"
        assert "day" in (await challenged(server, eve, 409, race=race))["message"]
        await asked(server, f"/api/races/{race}", status=404)
        assert "results" not in await asked(server, "/api/daily", eve)
