"""A line that loses every sixth packet hides nothing: what everybody was told is what is so.

Promise 6. Sizes: some rounds in the normal run, 16 people for 20 min under `HALFMOON_LONG`.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from halfmoon_testing.driver import Driver, drivers
from halfmoon_testing.lossy import LossyLine, lossy_line
from halfmoon_testing.racers import Racer, racing
from halfmoon_testing.server import break_build, server_process
from halfmoon_testing.world.view import View

LONG = bool(os.environ.get("HALFMOON_LONG"))
RACERS, WATCHERS, FOR_S = (12, 4, 1200) if LONG else (3, 1, 0)
ROUNDS = 1
"""At least so many, however long they take."""
UNLIMITED = ("--limit-commands", "100000/100000")


class Listener:
    """Somebody's connection, and what they know from it."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.view = View()
        self._taken_in = 0
        self._has_begun = False

    def take_in(self) -> View:
        """What is known by all that was told; of those that were asked for only the first begins it."""
        for message in self.driver.heard[self._taken_in :]:
            if message["type"] == "room":
                if not self._has_begun or "re" not in message:
                    self.view.begin(message)
                    self._has_begun = True
            else:
                self.view.hear(message)
        self._taken_in = len(self.driver.heard)
        assert not self.view.fault, self.view.fault
        assert not self.view.is_lost, "something was left out, and no room made up for it"
        return self.view

    async def knows_the_room(self) -> None:
        """At a quiet point: progress may be a tick late, and then it is as the room says."""
        fault = ""
        for _ in range(10):
            await self.driver.quiet()
            known = self.take_in()
            if not (fault := known.differs(await self.driver.done("join_room"))):
                return
            await asyncio.sleep(0.2)
        raise AssertionError(f"a silent gap: {fault}")


async def race_on(folder: Path, line: LossyLine) -> int:
    """Race in rounds over the line; everybody's view is right after each. How many were lost."""
    async with server_process(folder, *UNLIMITED, *line.options, within=line.within) as server:
        racers: list[Racer] = await racing(server, 1, RACERS)
        watchers = [await Driver.enter(server.ws, f"W{number}") for number in range(WATCHERS)]
        for watcher in watchers:
            await watcher.join(racers[0].driver.room, "spectator")
        people = [*(racer.driver for racer in racers), *watchers]
        async with drivers(*people):
            listeners = [Listener(driver) for driver in people]
            began, rounds = time.monotonic(), 0
            while rounds < ROUNDS or time.monotonic() - began < FOR_S:
                line.lose(5 + rounds % 4 * 5)
                await asyncio.gather(*(act(racer, 4) for racer in racers))
                await asyncio.gather(*(one.knows_the_room() for one in listeners))
                rounds += 1
            lost = line.lost()
            line.lose(0)
        await server.terminate()
    return lost


async def act(racer: Racer, times: int) -> None:
    for _ in range(times):
        await racer.act()


async def test_everybody_knows_the_room_over_a_line_that_loses_packets(folder: Path) -> None:
    with lossy_line() as line:
        assert await race_on(folder, line) > 0


async def test_a_broadcast_that_is_lost_without_a_word_is_found_out(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: a server that leaves who leads out of each progress, and no number."""
    break_build(
        tmp_path,
        monkeypatch,
        "from halfmoon_server.hosting.audience import Audience\n"
        "sound = Audience._flush_progress\n"
        "def forgetful(self, room):\n"
        "    seats = room.race.seats\n"
        "    self._dirty.pop(max(seats, key=lambda who: seats[who].run.board.score), None)\n"
        "    sound(self, room)\n"
        "Audience._flush_progress = forgetful\n",
    )
    with lossy_line() as line, pytest.raises(AssertionError, match="a silent gap"):
        await race_on(folder, line)
