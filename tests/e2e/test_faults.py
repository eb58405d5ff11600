"""A full disk, many comings and goings, floods: the server stays honest, and small."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import resource
import sqlite3
from pathlib import Path

import pytest
from aiohttp import ClientSession

from halfmoon_server.eventlog.base import DataFolderError, LogUnavailable
from halfmoon_server.settings import Settings
from halfmoon_testing.driver import Closed, Driver, Message, drivers, line_up, start_race
from halfmoon_testing.server import (
    UNHURRIED,
    Address,
    InProcess,
    get_json,
    in_process,
    server_process,
)
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.wsraw import PING, PONG, Raw, frame, text

LINE = winning_line()
LONG = bool(os.environ.get("HALFMOON_LONG"))


async def test_a_full_disk_gives_no_false_answer_and_play_resumes(folder: Path) -> None:
    """X37, P03: the file may not grow for a while; whatever was answered is there afterwards."""
    async with server_process(folder) as server:
        ann, bob = await line_up(
            server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0, time_limit_ms=None
        )
        await start_race([ann, bob])
        done = 0
        for spots in LINE[:3]:
            await ann.move(done, spots)
            done += 1
        free = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        sizes = [entry.stat().st_size for entry in os.scandir(folder) if "sqlite3" in entry.name]
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (min(sizes), free[1]))
        command = ann.command("move", turn=done, spots=LINE[done])
        await ann.say(command)
        answer: Message = {}
        try:
            answer = await ann.answer_to(command["id"])
            assert answer["type"] == "error", answer
        except Closed:
            assert (await ann.closed())[0] in (1011, 1013)
        await get_json(server, "/healthz", status=503)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, free)
        back = await Driver.enter(server.ws, token=ann.token)
        back.room = ann.room
        async with drivers(back):
            board = (await back.done("join_room"))["you"]["board"]
            assert board["turn"] == done
            await back.say(command)
            assert (await back.answer_to(command["id"]))["turn"] == done + 1
            assert await get_json(server, "/healthz") == {"status": "ok"}
            await server.restart()
        again = await Driver.enter(server.ws, token=ann.token)
        async with drivers(again):
            assert (await again.join(ann.room))["you"]["board"]["turn"] == done + 1
        await ann.close()
        await bob.close()
        assert [line["level"] for line in server.log_lines()]


async def test_a_log_that_leads_in_circles_is_not_followed(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, limits=UNHURRIED)
    async with in_process(settings) as server:
        ann, bob = [await Driver.enter(server.ws, name) for name in ("Ann", "Bob")]
        for player in (ann, bob):
            await player.create(public=True)
            await player.done("set_ready", ready=True)
            await player.close()
    database = sqlite3.connect(tmp_path / "halfmoon.sqlite3")
    with database:
        database.execute("UPDATE entries SET previous = id WHERE room = ?", (ann.room,))
    database.close()
    async with in_process(settings) as server:
        again = await Driver.enter(server.ws, token=bob.token)
        async with drivers(again):
            assert (await again.join(bob.room))["host"] == bob.player  # others are unharmed
            assert (await again.refused("join_room", room=ann.room))["code"] == "unknown_room"


async def test_after_many_comings_and_goings_nothing_is_left(tmp_path: Path) -> None:
    """B75: tasks, connections, addresses and links are as many as before."""
    async with in_process(Settings(data=tmp_path, limits=UNHURRIED)) as server:
        ann = await Driver.enter(server.ws, "Ann")
        async with drivers(ann):
            await ann.create()
            await ann.quiet()

            async def come_and_go(place: int) -> None:
                raw = await Raw.upgraded(server.port)
                async with raw:
                    await raw.ask({"type": "hello", "name": f"P{place}"})
                    raw.send(text({"type": "join_room", "room": ann.room, "as": "spectator"}))
                    if place % 3 == 0:
                        raw.send(frame(b"\x03\xe8", 8))
                        await raw.end()
                    elif place % 3 == 1:
                        await raw.message()

            await come_and_go(0)
            await settled(server, 1)
            before = len(asyncio.all_tasks())
            for start in range(0, 5000 if LONG else 120, 30):
                await asyncio.gather(*(come_and_go(start + place) for place in range(30)))
            await settled(server, 1)
            async with asyncio.timeout(
                30
            ):  # for tasks whose connections are gone, but who aren't yet
                while len(asyncio.all_tasks()) > before + 1:  # noqa: ASYNC110 - nothing to wait for
                    await asyncio.sleep(0.01)
            assert dict(server.server.addresses) == {"127.0.0.1": 1}
            room = await ann.done("join_room")
            assert [line["online"] for line in room["players"]] == [True]


async def settled(server: InProcess, connections: int) -> None:
    """Wait until the server has noticed who is gone."""
    async with asyncio.timeout(30):
        while len(server.server.connections) > connections:  # noqa: ASYNC110 - nothing to wait for
            await asyncio.sleep(0.01)
    gc.collect()


def resident_kib(pid: int) -> int:
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:  # noqa: PTH123 - not on a disk
        return int(file.read().split()[1]) * 4


async def honest(server: Address, rounds: asyncio.Queue[None]) -> None:
    """Three who race in a room of their own, round after round, each of them answered."""
    players = await line_up(server.ws, ["A", "B", "C"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(*players):
        await start_race(players)
        turns = [0, 0, 0]
        while True:
            for place, player in enumerate(players):
                if turns[place] % 2:
                    await player.done("undo", turn=turns[place])
                else:
                    await player.move(turns[place], LINE[0])
                turns[place] += 1
            rounds.put_nowait(None)
            await asyncio.sleep(0.25)


async def another(rounds: asyncio.Queue[None], racing: asyncio.Task[None]) -> None:
    """Wait for the next round; raises what went wrong in it."""
    await asyncio.wait(
        [racing, asyncio.ensure_future(rounds.get())], return_when=asyncio.FIRST_COMPLETED
    )
    if racing.done():
        racing.result()


ATTACKS = ("pings", "pongs", "sizes", "fragments", "halves", "unread", "flood")


@pytest.mark.parametrize("attack", ATTACKS)
async def test_honest_racers_are_not_disturbed(folder: Path, attack: str) -> None:
    """X05, X11, X12, X34, B81: memory returns, and the racers' answers keep coming."""
    count = 200 if LONG else 20
    async with server_process(folder) as server:
        rounds: asyncio.Queue[None] = asyncio.Queue()
        racing = asyncio.create_task(honest(server, rounds))
        await another(rounds, racing)
        before = resident_kib(server.pid)

        async def hurt() -> None:
            async with await Raw.upgraded(server.port) as raw:
                if attack == "halves":
                    return
                if attack in ("unread", "flood"):
                    await raw.ask({"type": "hello", "name": "Eve"})
                if attack == "unread":
                    raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
                data = {
                    "pings": frame(b"x" * 125, PING) * 3000,
                    "pongs": frame(b"x" * 125, PONG) * 3000,
                    "sizes": frame(b"0123456789", declared=65_535),
                    "fragments": frame(b"", fin=False) + frame(b"x", 0, fin=False) * 20_000,
                    "unread": text({"type": "clock", "t": 0}) * 2000,
                    "flood": text({"type": "clock", "t": 0}) * 2000,
                }[attack]
                raw.send(data)
                if attack == "unread":
                    await asyncio.sleep(1)
                else:
                    await raw.end()

        async def half() -> None:
            async with await Raw.open(server.port) as raw:
                raw.send(b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgr")
                await asyncio.sleep(1)

        attackers = [half() if attack == "halves" else hurt() for _ in range(count)]
        await asyncio.gather(*attackers, return_exceptions=True)
        while not rounds.empty():
            rounds.get_nowait()
        await another(rounds, racing)
        racing.cancel()
        await asyncio.gather(racing, return_exceptions=True)
        assert resident_kib(server.pid) - before < 40_000
        assert await get_json(server, "/healthz") == {"status": "ok"}


def spoil(data: bytes, how: str, place: float) -> bytes:
    """A log's file with its end gone, a stretch of zeros, or one bit turned."""
    at = int(len(data) * place)
    if how == "short":
        return data[:at]
    if how == "zeros":
        return data[:at] + b"\x00" * len(data[at : at + 512]) + data[at + 512 :]
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


@pytest.mark.parametrize("how", ["short", "zeros", "bit"])
async def test_a_spoilt_log_is_refused_with_a_sentence_or_served(
    tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """X42: whatever is wrong with the file, the server never breaks over it."""
    folder = tmp_path / "good"
    async with in_process(Settings(data=folder, limits=UNHURRIED)) as server:
        ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
        async with drivers(ann, bob):
            await start_race([ann, bob])
            for turn, spots in enumerate(LINE):
                await ann.move(turn, spots)
            await bob.done("retire")
            race = (await ann.until("over"))["race"]
    good = (folder / "halfmoon.sqlite3").read_bytes()
    refused: list[str] = []
    for place in range(200 if LONG else 24):
        spoilt = tmp_path / str(place)
        spoilt.mkdir(mode=0o700)
        count = 200 if LONG else 24
        (spoilt / "halfmoon.sqlite3").write_bytes(spoil(good, how, (place + 0.5) / count))
        try:
            async with in_process(Settings(data=spoilt, limits=UNHURRIED)) as server:
                async with ClientSession() as session:
                    for path in (f"/api/races/{race}", "/api/rooms", "/metrics"):
                        async with session.get(server.http + path) as answer:
                            assert answer.status in (200, 404, 503), path
                driver = await Driver.open(server.ws)
                async with drivers(driver):
                    driver.room = ann.room
                    with contextlib.suppress(Closed):
                        await driver.hello(token=ann.token)
                        await driver.ask("join_room")
        except (DataFolderError, LogUnavailable) as refusal:
            refused.append(str(refusal))
    assert not any("\n" in sentence for sentence in refused)
    assert "Traceback" not in caplog.text
