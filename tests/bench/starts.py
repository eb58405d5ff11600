"""How soon people are in, and in again: at the start of a race, after a restart; and P07's times.

Printed by `make bench`. With HALFMOON_LONG=1 a thousand come back, else two hundred.
"""

from __future__ import annotations

import asyncio
import hashlib
import math
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measuring import LONG, WIDE, centile, show, show_lag
from halfmoon.engine.deals import Deal
from halfmoon_server.eventlog.base import Batch, Identity
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.frames import message_frame
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_testing.builders import ANN, BEN, ROOM, WINNABLE, exposed_positions, move, undo
from halfmoon_testing.rooms import Table, deal_of, other_deal, race
from halfmoon_testing.server import ServerProcess, server_process
from halfmoon_testing.solver import winning_line
from halfmoon_testing.wsraw import Raw, text

LINE = winning_line()
PLAY = LINE[:24]
"""Half of it, so that much is still hidden."""

# P12: time is fair


async def one_start() -> None:
    """When each of a hundred boards is there to be read; this process does nothing else then."""
    with tempfile.TemporaryDirectory() as folder:
        async with server_process(Path(folder) / "data", *WIDE) as server:
            seats = [await Raw.upgraded(server.port) for _ in range(100)]
            for number, raw in enumerate(seats):
                await raw.ask({"type": "hello", "name": f"S{number}"})
            late = [late for _ in range(3) for late in await started(seats)]
            show(centile(late, 0.5), "ms", "P12: half of 100 boards can be read after starts_at")
            show(max(late), "ms", "P12: the last of them, over three starts")
            for raw in seats:
                raw.writer.transport.abort()


async def started(seats: Sequence[Raw]) -> list[float]:
    """Ms after `starts_at`, by the server's clock, at which each board has come."""
    options = {"max_players": 100, "countdown_ms": 3000}
    room = (await seats[0].ask({"type": "create_room", "options": options}))["room"]
    for raw in seats:
        raw.send(text({"type": "join_room", "room": room}))
        raw.send(text({"type": "set_ready", "room": room, "ready": True}))
        await raw.writer.drain()
    asked = time.time() * 1000
    seats[0].send(text({"type": "clock", "t": 0, "id": "clock"}))
    while (answer := await seats[0].message()).get("re") != "clock":
        continue
    offset = answer["at"] - (asked + time.time() * 1000) / 2
    seats[0].send(text({"type": "start", "room": room}))
    while (countdown := await seats[0].message())["type"] != "countdown":
        continue
    came = await asyncio.gather(*(board_came(raw) for raw in seats))
    for raw in seats:
        raw.send(text({"type": "leave_room", "room": room}))
    await asyncio.gather(*(until_left(raw) for raw in seats))
    return [at + offset - countdown["starts_at"] for at in came]


async def board_came(raw: Raw) -> float:
    """When the first bytes of a board were there, Unix ms."""
    seen = b""
    while b'"type":"board"' not in seen:
        seen = seen[-20:] + await raw.reader.read(1 << 16)
    return time.time() * 1000


async def until_left(raw: Raw) -> None:
    seen = b""
    while b'"type":"left"' not in seen:
        seen = seen[-20:] + await raw.reader.read(1 << 16)


# P05: back in one round trip


async def everybody_back() -> None:
    """All come back within five seconds of a restart, each at a moment of their own."""
    count = 1000 if LONG else 200
    with tempfile.TemporaryDirectory() as folder:
        async with server_process(Path(folder) / "data", *WIDE) as server:
            seats = await seated(server, count)
            await server.kill()
            began = time.monotonic()
            await server.start()
            show((time.monotonic() - began) * 1000, "ms", "P05: from the kill to listening again")
            chance = random.Random(1)
            back = [come_back(server, seat, chance.uniform(0, 5)) for seat in seats]
            times = await asyncio.gather(*back)
            last = max(at + took for at, took in times)
            late = [took * 1000 for at, took in times if at > 1]
            show(
                last * 1000, "ms", f"P05: all of {count} are in their seats, who return within 5 s"
            )
            show(
                centile(late, 0.99), "ms", "P05: p99 of upgrade, hello and room, after the first s"
            )
            await show_lag(server, "P05: p99 of the event loop's lag meanwhile")


Seat = tuple[str, str]
"""A token and a room."""


async def seated(server: ServerProcess, count: int) -> list[Seat]:
    """So many people, twenty in a room, all connections of whom are gone."""
    seats: list[Seat] = []
    opened: list[Raw] = []
    room = ""
    for number in range(count):
        raw = await Raw.upgraded(server.port)
        token = (await raw.ask({"type": "hello", "name": f"P{number}"}))["token"]
        if number % 20 == 0:
            room = (await raw.ask({"type": "create_room", "options": {"max_players": 20}}))["room"]
        else:
            await raw.ask({"type": "join_room", "room": room})
        seats.append((token, room))
        opened.append(raw)
    for raw in opened:
        raw.writer.transport.abort()
    return seats


async def come_back(server: ServerProcess, seat: Seat, after_s: float) -> tuple[float, float]:
    """When it began to come back, and how long until it had its `room`, in seconds."""
    token, room = seat
    await asyncio.sleep(after_s)
    began = time.monotonic()
    async with await Raw.upgraded(server.port) as raw:
        raw.send(text({"type": "hello", "token": token}), text({"type": "join_room", "room": room}))
        while (message := await raw.message())["type"] != "room":
            continue
        assert message["you"]["as"] == "player"
        return after_s, time.monotonic() - began


# A restart with much in the log

ROOMS, ACTIONS = 1000, 94


async def restart() -> None:
    """A thousand rooms of a hundred entries each, all of them in the middle of a race."""
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top) / "data"
        rooms = await written(folder)
        began = time.monotonic()
        async with server_process(folder, *WIDE) as server:
            show((time.monotonic() - began) * 1000, "ms", "restart to listening, 1,000 rooms")
            took = [
                (await come_back(server, (f"token {room}", room), 0))[1] for room in rooms[::50]
            ]
            show(
                centile(took, 0.5) * 1000, "ms", "restart: a player is back in one of them (median)"
            )
            show(max(took) * 1000, "ms", "restart: the slowest of 20")


async def written(folder: Path) -> list[str]:
    """Fill a folder; the ids of its rooms."""
    at = race(BEN, code=WINNABLE, time_limit_ms=None)
    for number in range(ACTIONS):
        turn = at.board(BEN).turn
        at.now += 1
        at.does(BEN, undo(turn) if number % 2 else move(turn, *LINE[0]))
    entries = [e.write_entry(entry) for entry in at.entries]
    alphabet = "23456789AB"
    rooms = [f"AB{''.join(alphabet[int(digit)] for digit in f'{n:03}')}" for n in range(ROOMS)]
    log = SqliteLog(folder)
    now = str(int(time.time()))[:4]
    for room in rooms:
        own = [
            entry.replace(ROOM, room)
            .replace('"r_', f'"r_{room}')
            .replace('"p_', f'"p_{room}')
            .replace(":1790", f":{now}")
            for entry in entries
        ]
        await log.append(Batch(room, 0, own))
        token = hashlib.sha256(f"token {room}".encode()).digest()
        await log.save_identity(token, Identity(f"p_{room}ben", "Ben"))
    await log.close()
    print(f"{ROOMS * len(entries):>12,}        entries in {ROOMS:,} rooms")
    return rooms


# P07 (d): no time tells of hidden cards


async def timing() -> None:
    """Whether the times of the same moves separate two deals that differ beneath them.

    What is compared are whole plays, in an order at random: moves of one play are slow together.
    """
    one = deal_of(WINNABLE)
    pair = (
        other_deal(one, set(range(104)), random.Random(3)),
        other_deal(one, exposed_by(one), random.Random(3)),
    )
    chance = random.Random(4)
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(10_000 // (2 * len(PLAY))):
        for which in chance.sample((0, 1), 2):
            times[which].append(played_us(pair[which]))
    count = sum(map(len, times)) * len(PLAY)
    show(count, "", "P07: moves timed on two deals that differ in what is hidden")
    p = separation(*times)
    print(f"{p:>12.3f}  p     P07: that their times are of one kind (Kolmogorov–Smirnov; > 0.01)")
    slower = [us * 1.2 for us in times[0]]
    print(f"{separation(slower, times[1]):>12.3f}  p     P07, the control: a fifth slower")


def exposed_by(deal: Deal) -> set[int]:
    at = race(BEN, deal=lambda _: deal)
    seen = exposed_positions(at.board(ANN).counts)
    for turn, spots in enumerate(PLAY):
        at.does(ANN, move(turn, *spots))
        seen |= exposed_positions(at.board(ANN).counts)
    return seen


def played_us(deal: Deal) -> float:
    """Microseconds from the commands of a play to their frames."""
    at: Table = race(BEN, deal=lambda _: deal)
    began = time.perf_counter()
    for turn, spots in enumerate(PLAY):
        before = at.room
        at.does(ANN, move(turn, *spots))
        message_frame(views.answer("moved", before, at.room, ANN, "id", 0))
        message_frame(views.progress(at.room, [ANN], 1))
    return (time.perf_counter() - began) * 1e6


def separation(one: Sequence[float], other: Sequence[float]) -> float:
    """How likely samples of one kind differ as much as these: two-sample Kolmogorov–Smirnov."""
    both = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    counts, distance = [0, 0], 0.0
    for _, which in both:
        counts[which] += 1
        distance = max(distance, abs(counts[0] / len(one) - counts[1] / len(other)))
    size = math.sqrt(len(one) * len(other) / (len(one) + len(other)))
    scaled = (size + 0.12 + 0.11 / size) * distance
    terms = (
        math.copysign(1, k % 2 - 0.5) * math.exp(-2 * (k * scaled) ** 2) for k in range(1, 101)
    )
    return min(1.0, max(0.0, 2 * sum(terms)))


MEASURES = (one_start, everybody_back, restart, timing)


async def main(chosen: Sequence[str]) -> None:
    """Measure and print; all of it, or what is named."""
    for measure in MEASURES:
        if not chosen or measure.__name__ in chosen:
            await measure()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
