"""P14: whole servers in simulated worlds, where P01, P04, P06, P07 and P09 hold after every event.

A seed that ever found a fault stays in `KEPT`.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from halfmoon.engine.run import Run
from halfmoon.wire import messages as m
from halfmoon_server import outbox
from halfmoon_server.eventlog.base import Batch
from halfmoon_server.hosting.audience import Audience
from halfmoon_server.hosting.room_host import Request, RoomHost
from halfmoon_server.outbox import Outbox
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.state import Room
from halfmoon_testing.world import play
from halfmoon_testing.world.disk import Disk
from halfmoon_testing.world.loop import run
from halfmoon_testing.world.network import Line
from halfmoon_testing.world.process import Process, WorldClock, tell_whose
from halfmoon_testing.world.racer import HEAD
from halfmoon_testing.world.weather import Weather
from halfmoon_testing.world.world import chance_by
from halfmoon_testing.wsraw import text

LONG = bool(os.environ.get("HALFMOON_LONG"))
SEEDS = 3000 if LONG else 30
CHUNK = 10
"""So many worlds are one test."""
played = cache(play)
"""What came of each seed; several tests look at the same."""
KEPT: tuple[int, ...] = (903, 1904)
MOST_SEEDS = 500
"""Within so many a planted bug has to be found."""


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_no_world_loses_doubles_betrays_or_hides_anything(first: int) -> None:
    for seed in (*range(first, first + CHUNK), *(KEPT if first == 0 else ())):
        outcome = played(seed)
        assert not outcome.faults, outcome


def test_worlds_are_full_of_faults_and_of_moves() -> None:
    """What is tried is worth trying: everything goes wrong somewhere, and races are raced."""
    counts: dict[str, int] = {}
    for seed in range(30):
        for what, count in played(seed).counts.items():
            counts[what] = counts.get(what, 0) + count
    assert counts["move_made"] > 500
    assert counts["race_over"] == 30
    assert counts["went_offline"] > 100
    assert counts["room_reopened"] > 10
    ends = {what for what in counts if what.startswith("end: ")}
    assert ends >= {"end: write", "end: read", "end: written", "end: stop"}


def test_a_seed_is_one_world_in_every_process() -> None:
    seeds = range(20 if LONG else 5)
    here = [played(seed).trace for seed in seeds]
    program = f"from halfmoon_testing.world import play\nfor s in {[*seeds]}: print(play(s).trace)"
    there = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.split() == here


# What the worlds must catch: six planted bugs

Plant = Callable[[pytest.MonkeyPatch], None]


def answer_before_append(patch: pytest.MonkeyPatch) -> None:
    async def hasty(self: RoomHost, requests: list[Request]) -> bool:
        turn = self._decide(requests)
        self.room = turn.room
        for step in turn.steps:
            self._publish(step)
        self._audience.tell_progress()
        entries = [e.write_entry(entry) for entry in turn.entries]
        if entries:
            batch = Batch(self.room.room, self.seq, entries, is_last=turn.room.is_closed)
            await self._log.append(batch)
            self.seq += len(entries)
        return True

    patch.setattr(RoomHost, "_carry_out", hasty)


def forget_ids_at_a_restart(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RoomHost, "_remember", lambda self, entry, before: None)


def show_the_card_beneath(patch: pytest.MonkeyPatch) -> None:
    sound = views.board_view

    def peeking(of: Run, *, undo: bool) -> m.BoardView:
        view = sound(of, undo=undo)
        count = of.board.counts[6]
        top = of.board.deal.piles[6][count - 2]
        piles = [*view.piles]
        piles[6] = m.PileView(top=top, count=count)
        return view.model_copy(update={"piles": piles})

    patch.setattr(views, "board_view", peeking)


def lose_a_broadcast_with_its_number(patch: pytest.MonkeyPatch) -> None:
    sound = Audience._flush_progress
    calls = 0

    def forgetful(self: Audience[Any], room: Room) -> None:
        nonlocal calls
        calls += 1
        if calls % 5 == 0:
            self._dirty.clear()
        sound(self, room)

    patch.setattr(Audience, "_flush_progress", forgetful)


def let_the_outbox_grow(patch: pytest.MonkeyPatch) -> None:
    def wait(self: Outbox) -> None:
        self._slow_since = self._slow_since or self._loop.time()
        self._next_flush = self._loop.call_later(outbox.LOOK_AGAIN_MS / 1000, self.flush)

    patch.setattr(Outbox, "_check_bounds", lambda self: None)
    patch.setattr(Outbox, "_wait", wait)


def drop_without_a_word(patch: pytest.MonkeyPatch) -> None:
    """What a slow reader is spared isn't made up for."""

    def offer(self: Outbox, frame: bytes, room: str, resync: Callable[[], None]) -> None:
        if self._slow_since is None:
            self.send(frame)

    patch.setattr(Outbox, "offer", offer)


PLANTS: list[tuple[Plant, str]] = [
    (answer_before_append, "before it was durable"),
    (forget_ids_at_a_restart, "refused|twice"),
    (show_the_card_beneath, "which nobody may know yet"),
    (lose_a_broadcast_with_its_number, "was never told"),
    (let_the_outbox_grow, "wait"),
    (drop_without_a_word, "was never told|broadcasts"),
]


@pytest.mark.parametrize(
    ("plant", "named"), PLANTS, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_planted_bug_is_found(plant: Plant, named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    for seed in range(MOST_SEEDS):
        outcome = play(seed)
        if outcome.faults:
            assert any(part in str(outcome) for part in named.split("|")), outcome
            return
    pytest.fail(f"not found in {MOST_SEEDS} worlds")


# P05: coming back


def test_who_comes_back_is_in_the_room_after_one_round_trip() -> None:
    """hello and join_room travel together; with 50 ms each way `room` is there after 100 ms."""
    with chance_by(5):
        assert run(come_back, factory=tell_whose) == pytest.approx(0.1, abs=1e-6)


async def come_back() -> float:
    """Seconds from the upgrade to `room`, for a racer whose line was cut."""
    weather = Weather(5)
    weather.heal()
    weather.disk_ms, weather.latency = 0, lambda: 0.05  # type: ignore[method-assign]
    process = Process(Disk(lambda _: None), WorldClock(), weather, lambda _: None)
    await process.start()
    line = await upgraded(process)
    line.say(text({"type": "hello", "name": "Ann"}))
    token = (await heard(line, "welcome"))["token"]
    line.say(text({"type": "create_room", "options": {"countdown_ms": 0}}))
    room = (await heard(line, "room"))["room"]
    line.say(text({"type": "set_ready", "room": room, "ready": True}))
    line.say(text({"type": "start", "room": room}))
    board = (await heard(line, "board"))["board"]
    line.leave()
    line = await upgraded(process)
    began = asyncio.get_running_loop().time()
    line.say(text({"type": "hello", "token": token}))
    line.say(text({"type": "join_room", "room": room}))
    snapshot = await heard(line, "room")
    assert snapshot["state"] == "racing"
    assert snapshot["you"]["board"] == board
    took = asyncio.get_running_loop().time() - began
    await process.die()
    return took


async def upgraded(process: Process) -> Line:
    line = process.connect("10.0.0.1", lambda _: None)
    line.say(f"{HEAD}\r\n\r\n".encode())
    while not line.heard:
        line.news.clear()
        await line.news.wait()
    assert " 101 " in line.heard.popleft()
    return line


async def heard(line: Line, kind: str) -> dict[str, Any]:
    """The next message of a type."""
    while True:
        while line.heard:
            message: dict[str, Any] = json.loads(line.heard.popleft())
            if message["type"] == kind:
                return message
        line.news.clear()
        await line.news.wait()
