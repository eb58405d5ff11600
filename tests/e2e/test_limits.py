"""Limits of time and number: hello in time, bad messages, rates, pings, readers too slow."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from halfmoon_server.limits import Rate
from halfmoon_server.settings import Limits, Settings
from halfmoon_testing.challenges import asked
from halfmoon_testing.driver import Driver, drivers, line_up
from halfmoon_testing.server import UNHURRIED, InProcess, in_process
from halfmoon_testing.solver import winning_line
from halfmoon_testing.wsraw import CLOSE, PING, PONG, Raw, frame, text

LINE = winning_line()
LONG = bool(os.environ.get("HALFMOON_LONG"))
"""A long run has the machine to itself, so that times say something."""
CLOCK = {"type": "clock", "t": 0}


@pytest_asyncio.fixture
async def limited(tmp_path: Path) -> AsyncIterator[InProcess]:
    """A server with its default limits."""
    async with in_process(Settings(data=tmp_path / "limited")) as running:
        yield running


@pytest_asyncio.fixture
async def slowly_limited() -> AsyncIterator[InProcess]:
    """The same burst as by default, that fills so slowly that a busy machine doesn't matter."""
    limits = replace(UNHURRIED, commands=Rate(burst=20, per_second=2))
    async with in_process(Settings(limits=limits)) as running:
        yield running


async def hello(raw: Raw, name: str = "Ann") -> str:
    return str((await raw.ask({"type": "hello", "name": name}))["player"])


# Time


async def test_no_hello_in_time_is_1008() -> None:
    """X12: whatever else was said meanwhile."""
    async with in_process(Settings(hello_within_ms=1000)) as server:
        async with await Raw.upgraded(server.port) as raw:
            began = time.monotonic()
            raw.send(text("{"), text(CLOCK), text({"type": "hello", "token": "nobody"}))
            closed = await raw.until(CLOSE)
            assert (closed.code, closed.reason) == (1008, "no hello in time")
            assert time.monotonic() - began > 0.9
        async with await Raw.upgraded(server.port) as raw:
            await hello(raw)
            await asyncio.sleep(1.2)
            assert (await raw.ask(CLOCK))["type"] == "clock"


async def test_half_a_handshake_is_let_go(tmp_path: Path) -> None:
    """X12: half a request line, headers that dribble, nothing at all."""
    async with in_process(Settings(), keep_alive_s=0.3) as server:
        for start in (b"", b"GET /w", b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgr"):
            async with await Raw.open(server.port) as raw:
                raw.send(start)
                await raw.end()
        async with await Raw.open(server.port) as raw:
            ended = asyncio.create_task(raw.end())
            for byte in b"GET /ws HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 1000:
                if ended.done():
                    break
                raw.send(bytes([byte]))
                await asyncio.sleep(0.02)
            await ended


async def test_pings_come_and_a_pong_keeps_the_connection() -> None:
    settings = Settings(ping_every_ms=80, pong_within_ms=5000, limits=UNHURRIED)
    async with in_process(settings) as server, await Raw.upgraded(server.port) as raw:
        await hello(raw)
        for _ in range(4):
            ping = await raw.until(PING)
            raw.send(frame(ping.payload, PONG))
        assert (await raw.ask(CLOCK))["type"] == "clock"


async def test_no_pong_in_time_is_a_drop() -> None:
    """B79: seen as away within the bound, and the seat is kept."""
    settings = Settings(ping_every_ms=100, pong_within_ms=1500, limits=UNHURRIED)
    async with in_process(settings) as server:
        ann = await Driver.enter(server.ws, "Ann")
        async with drivers(ann), await Raw.upgraded(server.port) as raw:
            await ann.create()
            player = await hello(raw, "Bob")
            await raw.ask({"type": "join_room", "room": ann.room})
            raw.send(text({"type": "set_ready", "room": ann.room, "ready": True}))
            await ann.until("player_changed", player=player, online=False)
            await raw.end()
            room = await ann.done("join_room")
            assert [(line["ready"], line["online"]) for line in room["players"]] == [
                (False, True),
                (True, False),
            ]


# Bad messages


async def test_the_tenth_bad_message_in_a_row_is_answered_and_then_1008(
    server: InProcess,
) -> None:
    async with await Raw.upgraded(server.port) as raw:
        raw.send(*(text(f'{{"id":"{place}"}}') for place in range(12)))
        for place in range(10):
            error = await raw.message()
            assert (error["code"], error["re"]) == ("bad_message", str(place))
        closed = await raw.read()
        assert (closed.opcode, closed.code) == (CLOSE, 1008)


@pytest.mark.parametrize("good", [CLOCK, {"type": "hello", "token": "nobody"}], ids=str)
async def test_one_of_the_right_shape_between_starts_the_count_anew(
    server: InProcess, good: dict[str, object]
) -> None:
    """Also where it is refused: before hello it is wrong_state or unauthorized."""
    async with await Raw.upgraded(server.port) as raw:
        for _ in range(3):
            raw.send(text("{") * 9, text(good))
            codes = [(await raw.message())["code"] for _ in range(10)]
            assert codes[:9] == ["bad_message"] * 9
            assert codes[9] in ("wrong_state", "unauthorized")
        raw.send(text("{") * 10)
        assert await raw.close_code() == 1008


# Rates


async def test_twenty_at_once_and_ten_a_second(limited: InProcess) -> None:
    async with await Raw.upgraded(limited.port) as raw:
        await hello(raw)
        raw.send(b"".join(text({**CLOCK, "id": str(place)}) for place in range(30)))
        answers = [await raw.message() for _ in range(30)]
        assert [answer["re"] for answer in answers] == [str(place) for place in range(30)]
        kinds = [answer["type"] for answer in answers]
        assert kinds[:19] == ["clock"] * 19  # hello was the first of the twenty
        assert kinds.count("error") >= 9
        for answer in answers:
            if answer["type"] == "error":
                assert answer["code"] == "rate_limited"
                assert 1 <= answer["retry_ms"] <= 100
        await asyncio.sleep(answers[-1]["retry_ms"] / 1000)
        assert (await raw.ask(CLOCK))["type"] == "clock"


async def test_exactly_at_the_rate_nobody_is_refused(limited: InProcess) -> None:
    """X34: ten a second for a while, after the first twenty are used up."""
    async with await Raw.upgraded(limited.port) as raw:
        await hello(raw)
        raw.send(text(CLOCK) * 19)
        for _ in range(19):
            assert (await raw.message())["type"] == "clock"
        began = time.monotonic()
        for place in range(1, 16):
            await asyncio.sleep(max(0, began + place * 0.1001 - time.monotonic()))
            assert (await raw.ask(CLOCK))["type"] == "clock"


async def test_more_than_a_hundred_limited_within_five_seconds_is_1008(
    limited: InProcess,
) -> None:
    """X34, B81."""
    async with await Raw.upgraded(limited.port) as raw:
        await hello(raw)
        raw.send(text(CLOCK) * 400)
        answers = 0
        while (read := await raw.read()).opcode != CLOSE:
            answers += read.json().get("code") == "rate_limited"
        assert read.code == 1008
        assert answers == 101


async def test_the_rate_comes_before_hello_and_the_shape_before_the_rate(
    slowly_limited: InProcess,
) -> None:
    async with await Raw.upgraded(slowly_limited.port) as raw:
        raw.send(text(CLOCK) * 25, text('{"type":"clock"}'))
        codes = [(await raw.message())["code"] for _ in range(26)]
        assert codes[:20] == ["wrong_state"] * 20
        assert codes[20:25] == ["rate_limited"] * 5
        assert codes[25] == "bad_message"


async def test_a_limited_command_is_not_carried_out_and_its_id_is_free(
    slowly_limited: InProcess,
) -> None:
    async with await Raw.upgraded(slowly_limited.port) as raw:
        await hello(raw)
        raw.send(text(CLOCK) * 19, text({"type": "create_room", "id": "c"}))
        heard = [await raw.message() for _ in range(20)][-1]
        assert (heard["code"], heard["re"]) == ("rate_limited", "c")
        await asyncio.sleep(heard["retry_ms"] / 1000 + 0.01)
        assert (await raw.ask({"type": "create_room", "id": "c"}))["type"] == "room"


async def test_the_tenth_wrong_token_within_a_minute_is_limited(limited: InProcess) -> None:
    """X14: over all connections of the address, and never for who has the right one."""
    ann = await Driver.enter(limited.ws, "Ann")
    codes = []
    for _ in range(2):
        async with await Raw.upgraded(limited.port) as raw:
            for place in range(6):
                error = await raw.ask({"type": "hello", "token": f"wrong{place}"})
                codes.append(error["code"])
                assert ("retry_ms" in error) is (error["code"] == "rate_limited")
    assert codes == ["unauthorized"] * 9 + ["rate_limited"] * 3
    again = await Driver.enter(limited.ws, token=ann.token)
    async with drivers(again):
        assert again.player == ann.player


async def test_wrong_rooms_are_limited_for_right_guesses_too_but_not_for_who_is_in(
    tmp_path: Path,
) -> None:
    """X23: and the room notices nothing of it."""
    limits = Limits(commands=UNHURRIED.commands, wrong_rooms=Rate(burst=60, per_second=0.1))
    async with in_process(Settings(data=tmp_path, limits=limits)) as server:
        ann, bob = await line_up(server.ws, ["Ann", "Bob"])
        eve = await Driver.enter(server.ws, "Eve")
        async with drivers(ann, bob, eve):
            near = ("3" if ann.room[0] == "2" else "2") + ann.room[1:]
            codes = []
            for place in range(80):
                command = eve.command("join_room", room=near if place == 7 else f"{place:0>5}")
                await eve.say(command)
                codes.append((await eve.answer_to(command["id"]))["code"])
            assert codes == ["unknown_room"] * 60 + ["rate_limited"] * 20
            right = eve.command("join_room", room=ann.room)
            await eve.say(right)
            error = await eve.answer_to(right["id"])
            assert (error["code"], error["retry_ms"] > 0) == ("rate_limited", True)
            for room in (near, ann.room):
                await asked(server, f"/api/rooms/{room}", eve, status=429)
            assert (await asked(server, f"/api/rooms/{ann.room}", bob))["you"] == "player"
            number = (await ann.done("join_room"))["n"]
            await bob.done("set_ready", ready=False)
            await bob.close()
            again = await Driver.enter(server.ws, token=bob.token)
            assert (await again.join(ann.room))["type"] == "room"
            assert (await ann.until("player_changed", since=0, ready=False))["n"] == number + 1
            await again.close()


async def test_new_rooms_are_limited_by_address(tmp_path: Path) -> None:
    """X24."""
    limits = Limits(commands=UNHURRIED.commands, new_rooms=Rate(burst=5, per_second=0.1))
    async with in_process(Settings(data=tmp_path, limits=limits)) as server:
        ann, bob = [await Driver.enter(server.ws, name) for name in ("Ann", "Bob")]
        async with drivers(ann, bob):
            for _ in range(5):
                await ann.create()
            for player in (ann, bob):
                command = player.command("create_room")
                await player.say(command)
                error = await player.answer_to(command["id"])
                assert (error["code"], error["retry_ms"] > 0) == ("rate_limited", True)


async def test_a_flood_of_pings_is_1008(server: InProcess) -> None:
    """X11: and one of pongs."""
    for opcode in (PING, PONG):
        async with await Raw.upgraded(server.port) as raw:
            await hello(raw)
            raw.send(frame(b"x" * 125, opcode) * 5000)
            assert await raw.close_code() == 1008
