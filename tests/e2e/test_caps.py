"""Bounds of what one address, one player and a whole server may have: at each, and one over it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from halfmoon_server.limits import Rate
from halfmoon_server.proxies import read_network
from halfmoon_server.settings import Settings
from halfmoon_testing.driver import Driver, drivers
from halfmoon_testing.server import UNHURRIED, InProcess, in_process
from halfmoon_testing.wsraw import CLOSE, PING, PONG, Raw, frame, text

SLOWLY = 0.001
"""Per second: nothing comes back while a test runs."""


@asynccontextmanager
async def limited(trusted: str = "", **limits: Any) -> AsyncIterator[InProcess]:
    proxies = (read_network(trusted),) if trusted else ()
    settings = Settings(limits=replace(UNHURRIED, **limits), trusted_proxies=proxies)
    async with in_process(settings) as running:
        yield running


# One address


async def test_new_connections_of_one_address_are_bounded() -> None:
    """B81: what is over is refused before it is upgraded, and says when to come again."""
    async with limited(new_connections=Rate(burst=3, per_second=SLOWLY)) as server:
        for status in (101, 101, 101, 429, 429):
            async with await Raw.open(server.port) as raw:
                answer = await raw.upgrade()
                assert answer.status == status
                if status == 429:
                    assert 1 <= int(answer.headers["retry-after"]) <= 1000
                    assert await raw.end() == b""


async def test_a_bound_of_new_connections_never_touches_one_that_is_there() -> None:
    async with limited(new_connections=Rate(burst=1, per_second=SLOWLY)) as server:
        ann = await Driver.enter(server.ws, "Ann")
        async with drivers(ann), await Raw.open(server.port) as raw:
            assert (await raw.upgrade()).status == 429
            await ann.create()
            await ann.done("set_ready", ready=True)


@pytest.mark.parametrize(
    ("trusted", "forwarded", "statuses"),
    [
        ("127.0.0.1", ["192.0.2.1", "192.0.2.1", "192.0.2.2"], [101, 429, 101]),
        ("127.0.0.1", ["9.9.9.9, 192.0.2.1", "8.8.8.8, 192.0.2.1"], [101, 429]),
        ("192.0.2.0/24", ["192.0.2.1", "192.0.2.2"], [101, 429]),
        ("", ["192.0.2.1", "192.0.2.2"], [101, 429]),
    ],
)
async def test_a_forwarded_address_counts_where_its_proxy_is_trusted(
    trusted: str, forwarded: list[str], statuses: list[int]
) -> None:
    once = Rate(burst=1, per_second=SLOWLY)
    async with limited(trusted, new_connections=once) as server:
        for address, status in zip(forwarded, statuses, strict=True):
            async with await Raw.open(server.port) as raw:
                answer = await raw.upgrade({"X-Forwarded-For": address})
                assert answer.status == status


async def test_a_trusted_proxy_says_that_the_browser_has_https() -> None:
    for trusted, scheme in (("127.0.0.1", "https"), ("192.0.2.1", "http")):
        async with limited(trusted) as server, await Raw.open(server.port) as raw:
            answer = await raw.get("/api/address", "X-Forwarded-Proto: https")
            assert answer.body.startswith(b'{"origin":"' + scheme.encode() + b"://")


async def test_a_club_of_a_hundred_gets_in_and_is_back_at_once_after_a_restart(
    tmp_path: Path,
) -> None:
    """B81: with the default limits, from one address."""
    settings = Settings(data=tmp_path)
    async with in_process(settings) as server:
        host = await Driver.enter(server.ws, "Host")
        room = (await host.create(max_players=200))["room"]

        async def come(place: int) -> Driver:
            driver = await Driver.enter(server.ws, f"P{place}")
            await driver.join(room)
            return driver

        players = [host, *await asyncio.gather(*(come(place) for place in range(100)))]
    async with in_process(settings) as server, drivers(*players):

        async def come_back(driver: Driver) -> Driver:
            again = await Driver.enter(server.ws, token=driver.token)
            await again.join(room)
            return again

        back = await asyncio.gather(*(come_back(player) for player in players))
        async with drivers(*back):
            assert not any(player.of("error") for player in (*players, *back))
            lines = (await back[0].done("join_room"))["players"]
            assert [line["online"] for line in lines] == [True] * 101


# One player


async def test_rooms_that_one_player_hosts_are_bounded() -> None:
    """X24: the rooms of others don't count, one that was left makes place, nothing is forgotten."""
    async with limited(rooms_per_player=2) as server:
        ann, ben = [await Driver.enter(server.ws, name) for name in ("Ann", "Ben")]
        async with drivers(ann, ben):
            first = ann.command("create_room")
            await ann.say(first)
            room = await ann.answer_to(first["id"])
            await ben.create()
            await ann.join(ben.room, "spectator")
            await ann.create()
            error = await ann.refused("create_room")
            assert error["code"] == "not_allowed"
            assert "2 rooms" in error["message"]
            before = len(ann.heard)
            await ann.say(first)
            assert (await ann.answer_to(first["id"], since=before))["room"] == room["room"]
            await ben.join(room["room"])
            await ann.done("leave_room", room=room["room"])
            await ann.create()


# The server


async def test_rooms_of_a_server_are_bounded() -> None:
    async with limited(rooms=2) as server:
        ann, ben = [await Driver.enter(server.ws, name) for name in ("Ann", "Ben")]
        async with drivers(ann, ben):
            for player in (ann, ben):
                await player.create()
            error = await ann.refused("create_room")
            assert error["code"] == "unavailable"
            assert "no more rooms" in error["message"]
            await ann.join(ben.room)


async def test_spectators_of_a_room_are_bounded() -> None:
    async with limited(spectators=1) as server:
        ann, ben, cleo = [await Driver.enter(server.ws, name) for name in ("Ann", "Ben", "Cleo")]
        async with drivers(ann, ben, cleo):
            await ann.create()
            await ben.join(ann.room, "spectator")
            refused = await cleo.refused("join_room", room=ann.room, as_="spectator")
            assert refused["code"] == "room_full"
            await cleo.join(ann.room)


# One connection


@pytest.mark.parametrize("opcode", [PING, PONG])
async def test_pings_and_pongs_of_one_connection_are_bounded(opcode: int) -> None:
    rate = Rate(burst=3, per_second=SLOWLY)
    async with limited(pings=rate) as server, await Raw.upgraded(server.port) as raw:
        await raw.ask({"type": "hello", "name": "Ann"})
        raw.send(frame(b"", opcode) * 3)
        raw.send(text({"type": "clock", "t": 1}))
        assert (await raw.message())["type"] == "clock"
        raw.send(frame(b"", opcode))
        assert await raw.close_code() == 1008


async def test_the_size_of_a_message_is_a_setting() -> None:
    async with limited(message_bytes=100) as server:
        for size, is_fine in ((100, True), (101, False)):
            async with await Raw.upgraded(server.port) as raw:
                raw.send(text('{"type":"hello","name":"Ann"}'.ljust(size)))
                assert ((await raw.read()).opcode != CLOSE) is is_fine


async def test_bad_messages_and_refused_commands_are_settings() -> None:
    rate = Rate(burst=1, per_second=SLOWLY)
    async with limited(bad_messages=2, limited_commands=2, commands=rate) as server:
        async with await Raw.upgraded(server.port) as raw:
            raw.send(text("{") * 2)
            assert [(await raw.message())["code"] for _ in range(2)] == ["bad_message"] * 2
            assert await raw.close_code() == 1008
        async with await Raw.upgraded(server.port) as raw:
            await raw.ask({"type": "hello", "name": "Ann"})
            raw.send(text({"type": "clock", "t": 1}) * 3)
            assert [(await raw.message())["code"] for _ in range(3)] == ["rate_limited"] * 3
            assert await raw.close_code() == 1008
