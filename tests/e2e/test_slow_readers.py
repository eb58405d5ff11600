"""Who takes nothing is let go of by each of three bounds, and nobody else is (Promise 9).

The control is the same server without bounds, which lets everything wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from socket import SO_LINGER, SOL_SOCKET
from socket import socket as Socket  # noqa: N812 - beside an object of the same name
from struct import pack

import pytest
from structlog.testing import capture_logs

from halfmoon_server.settings import Limits, Settings
from halfmoon_testing.driver import Driver, drivers, line_up, start_race
from halfmoon_testing.server import UNHURRIED, InProcess, in_process
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.wsraw import CLOSE, PING, Raw, frame, text

LINE = winning_line()
MANY = 10**9
BOUNDLESS = replace(UNHURRIED, waiting_messages=MANY, waiting_bytes=MANY, slow_for_ms=MANY)
BOUNDS = {
    "messages": replace(BOUNDLESS, waiting_messages=8),
    "bytes": replace(BOUNDLESS, waiting_bytes=8000),
    "time": replace(BOUNDLESS, slow_for_ms=300),
}
ASKED = 1500
"""So many answers are far more than the kernels at both ends hold (some 300 KB)."""


@asynccontextmanager
async def mute(server: InProcess, room: str) -> AsyncIterator[tuple[Raw, str]]:
    """A spectator who asks for much and reads nothing of it; their player."""
    async with await Raw.upgraded(server.port) as raw:
        player = str((await raw.ask({"type": "hello", "name": "Mute"}))["player"])
        await raw.ask({"type": "join_room", "room": room, "as": "spectator"})
        raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
        raw.send(text({"type": "join_room", "room": room, "as": "spectator"}) * ASKED)
        yield raw, player


async def answers_and_close_code(raw: Raw) -> tuple[int, int | None]:
    """Read again: how many rooms came, and the code by which it was closed, if it was."""
    raw.writer.transport.resume_reading()  # type: ignore[attr-defined]
    rooms = 0
    while (read := await raw.read()).opcode != CLOSE:
        kind = read.json()["type"]
        if kind == "left":
            return rooms, None
        rooms += kind == "room"
    return rooms, read.code


async def ask_and_read(driver: Driver) -> None:
    """Ask for as much as the kernels hold too, and read it as it comes."""
    for _ in range(60):
        asked = [driver.command("join_room") for _ in range(5)]
        await driver.say(*asked)
        await driver.answer_to(asked[-1]["id"])


@pytest.mark.parametrize("limits", BOUNDS.values(), ids=BOUNDS)
async def test_each_bound_alone_cuts_who_reads_nothing_and_nobody_who_reads(
    limits: Limits,
) -> None:
    async with in_process(Settings(limits=limits, ping_every_ms=MANY)) as server:
        ann, ben = await line_up(server.ws, ["Ann", "Ben"])
        async with drivers(ann, ben), mute(server, ann.room) as (raw, player):
            await ask_and_read(ben)
            await ann.until("player_changed", player=player, online=False)
            rooms, code = await answers_and_close_code(raw)
            assert code == 1013
            assert rooms < ASKED
            assert {line["online"] for line in (await ben.done("join_room"))["players"]} == {True}


async def test_without_bounds_everything_waits_for_who_reads_nothing() -> None:
    """The control: it is the bounds that cut."""
    async with in_process(Settings(limits=BOUNDLESS)) as server:
        ann, ben = await line_up(server.ws, ["Ann", "Ben"])
        async with drivers(ann, ben), mute(server, ann.room) as (raw, player):
            raw.send(text({"type": "leave_room", "room": ann.room}))
            await ann.until("player_left", player=player)
            assert await answers_and_close_code(raw) == (ASKED, None)


async def test_who_reads_again_in_time_has_missed_nothing() -> None:
    """The default bounds give a line of some seconds its time; what was dropped is made up for."""
    limits = replace(BOUNDLESS, waiting_messages=64, slow_for_ms=30_000)
    async with in_process(Settings(limits=limits, ping_every_ms=MANY)) as server:
        ann, ben = await line_up(server.ws, ["Ann", "Ben"], code=WINNABLE_CODE, countdown_ms=0)
        async with drivers(ann, ben), await Raw.upgraded(server.port) as raw:
            await raw.ask({"type": "hello", "name": "Late"})
            await raw.ask({"type": "join_room", "room": ann.room, "as": "spectator"})
            await start_race([ann, ben])
            raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
            raw.send(text({"type": "join_room", "room": ann.room}) * 400)
            await ann.move(0, LINE[0])
            raw.writer.transport.resume_reading()  # type: ignore[attr-defined]
            raw.send(text({"type": "clock", "t": 0, "id": "now"}))
            scores: dict[str, int] = {}
            while (message := await raw.message()).get("re") != "now":
                for line in message.get("players", []) if message["type"] in SCORES else []:
                    scores[line["player"]] = line["score"]
            assert scores[ann.player] in (10, 15)


SCORES = {"room", "progress"}


async def test_who_does_not_read_is_cut_and_the_others_play_on(server: InProcess) -> None:
    """X39, B73: the room makes noise, one reads nothing, nobody else waits for them."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob), await Raw.upgraded(server.port) as raw:
        player = str((await raw.ask({"type": "hello", "name": "Mute"}))["player"])
        await raw.ask({"type": "join_room", "room": ann.room, "as": "spectator"})
        await start_race([ann, bob])
        raw.writer.transport.pause_reading()  # type: ignore[attr-defined]

        async def noise() -> None:
            while True:
                raw.send(text({"type": "join_room", "room": ann.room, "as": "spectator"}) * 50)
                await raw.writer.drain()
                await asyncio.sleep(0.01)

        shouting = asyncio.create_task(noise())
        try:
            turn = 0
            async with asyncio.timeout(60):
                while not any(
                    told["player"] == player and not told["online"]
                    for told in ann.of("player_changed")
                ):
                    if turn % 2:
                        await bob.done("undo", turn=turn)
                    else:
                        await bob.move(turn, LINE[0])
                    turn += 1
        finally:
            shouting.cancel()
            await asyncio.gather(shouting, return_exceptions=True)
        assert turn > 0, "those who read are answered meanwhile"


async def test_who_pings_and_is_gone_leaves_no_fault_in_the_log(server: InProcess) -> None:
    """The first pong meets a reset line, and the others a socket that is closing."""
    raw = await Raw.upgraded(server.port)
    await raw.ask({"type": "hello", "name": "Ann"})
    socket: Socket = raw.writer.get_extra_info("socket")
    socket.setsockopt(SOL_SOCKET, SO_LINGER, pack("ii", 1, 0))
    with capture_logs() as lines:
        raw.send(frame(b"", PING) * 50)
        raw.writer.transport.abort()
        async with asyncio.timeout(60):
            while server.server.connections:  # noqa: ASYNC110 - nobody tells of it
                await asyncio.sleep(0.01)
    assert not [line for line in lines if line["log_level"] == "error"]
