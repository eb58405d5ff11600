"""One seed, one world: a server, people who race, and what goes wrong, on time that costs none."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import json
import logging
import random
import secrets
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest import mock

from structlog.testing import capture_logs

from halfmoon.engine.codes import Code
from halfmoon.wire import codec
from halfmoon_server import app, outbox
from halfmoon_server.eventlog.base import Key
from halfmoon_server.hosting.room_host import RoomHost
from halfmoon_server.pages import Pages
from halfmoon_server.records import record_of
from halfmoon_server.rooms import events as e
from halfmoon_testing import oracle
from halfmoon_testing.world.disk import Disk
from halfmoon_testing.world.loop import Stuck, run
from halfmoon_testing.world.network import Line
from halfmoon_testing.world.process import Process, WorldClock, tell_whose
from halfmoon_testing.world.racer import Racer
from halfmoon_testing.world.referee import Referee
from halfmoon_testing.world.weather import Weather

FINISHED_WITHIN_S = 60.0
"""After all is healed, every racer has finished by then."""
LOOK_EVERY_S = 0.25
NOTICED_WITHIN_S = 30.0
"""Who reads nothing for long, and hangs on a dead line then, has come back by then."""
REST_S = 1.5
MOST_TOLD = 5
"""Faults of one world that are printed; the rest mostly follows from them."""
SLOW_BYTES = 1024
"""Peers count as slow from so few bytes on, since worlds say little."""
pages = cache(Pages)
"""The page is packed once for all worlds: nobody looks at it."""
EXPECTED_LOGS = ("room.log_failed", "room.not_restored")
"""Errors in the server's log that a failing disk may cause."""


@dataclass(frozen=True)
class Outcome:
    """What came of a seed."""

    seed: int
    faults: list[str]
    trace: str
    """Equal where everything that happened is equal."""
    counts: dict[str, int]

    def __str__(self) -> str:
        faults = "\n".join(f"  {fault}" for fault in self.faults[:MOST_TOLD])
        return f"seed {self.seed} (python -m halfmoon_testing.world {self.seed}):\n{faults}"


class World:
    """Everything that there is."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = random.Random(f"world {seed}")
        self.weather = Weather(seed)
        self.referee = Referee(lambda: asyncio.get_running_loop().time())
        self.disk = Disk(self.referee.written)
        self.clock = WorldClock()
        self.room = ""
        self.is_healed = False
        self.racers = self.chance.randint(1, 4)
        watchers = self.chance.choice((0, 0, 1, 2))
        self.options = self._options()
        self.may_end = self.chance.random() < 0.4
        """Whether racers may retire; in the end they may in every world."""
        self._pace_s = self.chance.choice((0.05, 0.3, 1.5))
        self.people = [
            Racer(self, f"P{n}", watches=n >= self.racers, actions=self.chance.randint(0, 40))
            for n in range(self.racers + watchers)
        ]
        self._process: Process | None = None
        self._restarting: asyncio.Task[None] | None = None
        self._own = contextvars.copy_context()
        """The context of nobody's process."""
        self._healed_at = 0.0

    def _options(self) -> dict[str, object]:
        options: dict[str, object] = {
            "spectators": self.chance.choice(("open", "fair", "scores")),
            "countdown_ms": self.chance.choice((0, 1000)),
            "time_limit_ms": self.chance.choice((None, 3_600_000)),
        }
        if self.chance.random() < 0.5:
            options["code"] = self.chance.choice(("HM1-N-AAAAAAB", "HM1-N-AAAAABE"))
        return options

    # As racers see it

    @property
    def opener(self) -> Racer:
        """Who opens the room."""
        return self.people[0]

    def think_s(self, chance: random.Random) -> float:
        """Seconds until somebody does the next thing."""
        return (0.05 if self.is_healed else self._pace_s) * (0.5 + chance.random())

    def code(self) -> Code:
        """The deal of the race."""
        return self.referee.rooms[self.room].code

    def host(self) -> RoomHost | None:
        """The room's host in the server that runs."""
        if self._process is None or not self._process.is_listening:
            return None
        found: RoomHost | None = self._process.server.around.directory._hosts.get(self.room)
        return found

    def connect(self, racer: Racer) -> Line:
        """A line to the server; raises ConnectionRefusedError."""
        if self._process is None:
            raise ConnectionRefusedError
        address = f"10.0.0.{self.people.index(racer) + 1}"
        return self._process.connect(address, lambda text: self._leaves(racer, text))

    def _leaves(self, racer: Racer, text: str) -> None:
        self.referee.leaves(racer.player or racer.name, text)

    # The course of it

    async def unfold(self) -> None:
        """Let everything happen, from the first start to the last finish."""
        await self._start()
        tasks = [asyncio.create_task(racer.live()) for racer in self.people]
        looking = asyncio.create_task(self._look())
        try:
            await self._bad_times(tasks)
            await self._heal()
            await asyncio.sleep(NOTICED_WITHIN_S)
            await self._rest()
            self.may_end = True
            await self._finish(tasks)
            await self._check_record()
        finally:
            looking.cancel()
            if self._process is not None:
                await self._process.die()

    async def _bad_times(self, tasks: list[asyncio.Task[None]]) -> None:
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + self.chance.choice((5, 20, 45))
        while loop.time() < ends_at and not self._is_over(tasks):
            await asyncio.sleep(self.chance.choice((1, 3, 6)))
            await self._rest()

    def _is_over(self, tasks: list[asyncio.Task[None]]) -> bool:
        return bool(self.referee.faults) or all(task.done() for task in tasks)

    async def _heal(self) -> None:
        self.weather.heal()
        self.is_healed = True
        while self._restarting is not None:  # noqa: ASYNC110 - time costs nothing here
            await asyncio.sleep(LOOK_EVERY_S)
        self._healed_at = asyncio.get_running_loop().time()

    async def _rest(self) -> None:
        """Come to a quiet point, and see whether everybody whom news can reach knows what is."""
        for racer in self.people:
            racer.is_resting = True
        await asyncio.sleep(REST_S)
        for racer in self.people:
            racer.check_view()
            racer.is_resting = False

    async def _finish(self, tasks: list[asyncio.Task[None]]) -> None:
        loop = asyncio.get_running_loop()
        while not self._is_over(tasks):
            if loop.time() > self._healed_at + FINISHED_WITHIN_S:
                late = [racer.name for racer in self.people if not racer.is_finished]
                self.referee.fault(f"{late} haven't finished {FINISHED_WITHIN_S} s after healing")
                return
            await asyncio.sleep(LOOK_EVERY_S)
        for task in tasks:
            if task.done() and (error := task.exception()) is not None:
                raise error

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if self._process is not None:
                self.referee.look_at(self._process)

    async def _check_record(self) -> None:
        """The record has every action once, in order, and holds before the oracle."""
        room = self.referee.rooms.get(self.room)
        if self.referee.faults or room is None or room.race is None:
            return
        entries = [e.read_entry(line) for line in await self.disk.read(self.room)]
        record = record_of(entries, room.race.race)
        if record is None or await self.disk.find(Key("race", room.race.race)) != self.room:
            self.referee.fault("the race has no record")
            return
        written = json.loads(codec.write(record))
        if not oracle.record_holds(written):
            self.referee.fault(f"the record doesn't hold: {written}")
        for line in written["players"]:
            self._check_actions(line["player"], line["actions"])

    def _check_actions(self, player: str, actions: list[dict[str, object]]) -> None:
        (racer,) = (racer for racer in self.people if racer.player == player)
        made = [action.get("move", []) for action in actions if "retire" not in action]
        said = [] if racer.script is None else racer.script.actions
        if made != said:
            self.referee.fault(f"{racer.name} made {said}, and the record has {made}")

    # The server's lives

    async def _start(self) -> None:
        process = Process(self.disk, self.clock, self.weather, self._edge)
        self._process = process
        self.referee.note("start")
        await process.start()

    def _edge(self, where: str) -> None:
        """The server's edge did something: a moment at which it may end."""
        process = self._process
        if process is None or self._restarting is not None:
            return
        if self.weather.crash():
            process.kill()
            self._end(where, process.die(told=self.chance.random() < 0.7))
        elif process.is_listening and self.weather.stop():
            self._end("stop", process.stop())

    def _end(self, how: str, ending: Coroutine[Any, Any, None]) -> None:
        self.referee.note("end", how)
        self.referee.counts[f"end: {how}"] += 1
        loop = asyncio.get_running_loop()
        self._restarting = loop.create_task(self._again(ending), context=self._own)

    async def _again(self, ending: Coroutine[Any, Any, None]) -> None:
        await ending
        await asyncio.sleep(self.weather.down_s())
        self.clock.leapt_ms += self.weather.leap_ms()
        self._restarting = None
        with contextlib.suppress(asyncio.CancelledError):  # it may die while it starts
            await self._start()


@contextlib.contextmanager
def chance_by(seed: int) -> Iterator[None]:
    """Ids, tokens and codes come from the seed instead of the system."""
    chance = random.Random(f"secrets {seed}")

    def token_hex(size: int = 32) -> str:
        return chance.randbytes(size).hex()

    with (
        mock.patch.object(secrets, "token_bytes", lambda size=32: chance.randbytes(size)),
        mock.patch.object(secrets, "token_hex", token_hex),
        mock.patch.object(secrets, "token_urlsafe", token_hex),
        mock.patch.object(secrets, "randbelow", chance.randrange),
        mock.patch.object(secrets, "choice", chance.choice),
        mock.patch.object(outbox, "MOST_BUFFERED_BYTES", SLOW_BYTES),
        mock.patch.object(app, "Pages", pages),
    ):
        yield


class _Errors(logging.Handler):
    """What libraries log as an error."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else ""
        self._faults.append(f"{record.name}: {record.getMessage()} {error!r}")


@contextlib.contextmanager
def errors_in(name: str, faults: list[str]) -> Iterator[None]:
    """What is logged there as an error is a fault."""
    logger, handler = logging.getLogger(name), _Errors(faults)
    level, logger.level = logger.level, logging.ERROR
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.level = level


def play(seed: int) -> Outcome:
    """Run the world of this seed."""
    world = World(seed)
    faults = world.referee.faults
    with chance_by(seed), capture_logs() as logs, errors_in("aiohttp.server", faults):
        try:
            run(world.unfold, faults, tell_whose)
        except Stuck as error:
            faults.append(str(error))
    faults += [
        str(line)
        for line in logs
        if line["log_level"] in ("error", "critical") and line["event"] not in EXPECTED_LOGS
    ]
    return Outcome(seed, faults, world.referee.trace, dict(world.referee.counts))
