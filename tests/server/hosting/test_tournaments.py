"""Tournaments over their logs: whatever moment the server stops at, the next start goes on."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from halfmoon.wire.options import OptionChanges
from halfmoon.wire.tournaments import Correction, Format, NewTournament
from halfmoon_server.eventlog.base import LogUnavailable
from halfmoon_server.hosting.directory import Directory
from halfmoon_server.hosting.tournament_host import TournamentHost
from halfmoon_server.hosting.tournaments import Tournaments
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import views
from halfmoon_testing.fakes import FakeClock, FakeLink, FakeLog, FakeWatcher, quiet, read
from halfmoon_testing.tables import table

LONG = bool(os.environ.get("HALFMOON_LONG"))
LIMIT_MS = 5000
TO = Correction(status="retired", best=50, time_ms=900, reason="the jury saw it")


class Crashed(Exception):
    """The server is gone."""


class MortalLog(FakeLog):
    """A log that a server writes so many entries to, and then is gone."""

    def __init__(self) -> None:
        super().__init__()
        self.left = 10**9

    async def append(self, batch: Any) -> None:
        if self.left <= 0:
            self.is_broken = True
        await super().append(batch)
        self.left -= 1
        # The last entry is durable, and nobody is told any more.
        self.is_broken = self.left <= 0
        await self._ready()


class Hall:
    """A server's tournaments on a log that outlives it."""

    def __init__(self, log: MortalLog, clock: FakeClock) -> None:
        self.log = log
        self.clock = clock
        self.rooms = Directory(log, clock, FakeWatcher())
        self.all = Tournaments(log, clock, self.rooms, lambda _: None)

    async def begin(self) -> None:
        await self.rooms.begin()
        await self.all.begin()
        await quiet()

    async def restarted(self, after_ms: int = 700) -> Hall:
        """Another server on the same log, a little later."""
        await self.stop()
        self.log.is_broken, self.log.left = False, 10**9
        self.clock.advance(after_ms)
        hall = Hall(self.log, self.clock)
        await hall.begin()
        return hall

    async def stop(self) -> None:
        await self.rooms.stop()
        await self.all.stop()

    @property
    def host(self) -> TournamentHost:
        [host] = [*self.all]
        return host

    async def ask(self, request: q.Request) -> None:
        outcome = await self.host.ask(request)
        assert not isinstance(outcome, q.Refusal), outcome

    async def draw(self) -> None:
        chance = await self.all.chances.draw(heats=len(self.host.t.entrants))
        await self.ask(q.DrawRound(chance))

    async def pass_time(self, ms: int) -> None:
        self.clock.advance(ms)
        await quiet()
        await quiet()

    async def race(self) -> None:
        """Let the round that runs come to its end."""
        for _ in range(40):
            if not self.host.t.is_racing:
                return
            await self.pass_time(1000)
        raise AssertionError("the round doesn't end")


async def make(hall: Hall, kind: Format) -> None:
    race = OptionChanges(time_limit_ms=LIMIT_MS, countdown_ms=1000)
    rounds = None if kind == "knockout" else 2
    await hall.all.make(
        NewTournament(name="Club", format=kind, rounds=rounds, race=race, entry="list")
    )
    await hall.ask(q.AddEntrants(["Ann", "Ben", "Cy"], await hall.all.chances.draw(claims=3)))
    for entrant in [*hall.host.t.entrants.values()]:
        chance = await hall.all.chances.draw(claims=1)
        await hall.ask(q.Enter(f"p_{entrant.entrant}", "?", entrant.claim, chance))


async def correct(hall: Hall) -> None:
    """One result of the last round, so that somebody wins where all were away."""
    one = hall.host.t.rounds[-1]
    entrant = next(iter(one.heats[-1].results))
    chance = await hall.all.chances.draw(heats=1)
    await hall.ask(q.Correct(one.round, entrant, TO, chance))


async def finish(hall: Hall) -> None:
    """Play on to the end, from wherever it is."""
    while not hall.host.t.is_over:
        if not hall.host.t.is_racing:
            await hall.draw()
        await hall.race()


def steps(kind: Format) -> list[Callable[[Hall], Awaitable[None]]]:
    async def first(hall: Hall) -> None:
        await hall.draw()

    async def race(hall: Hall) -> None:
        await hall.race()

    return [first, race, correct, finish]


async def check(hall: Hall) -> None:
    """Everything is as if nothing had happened."""
    t = hall.host.t
    assert t.is_over
    assert all(heat.is_over for one in t.rounds for heat in one.heats)
    for one in t.rounds:
        for heat in one.heats:
            assert {*heat.results} == {*heat.seats}
            lines = await hall.log.read(heat.room)
            assert sum('"race_started"' in line for line in lines) == 1
            assert sum('"race_over"' in line for line in lines) == 1
            assert sum('"heat_seated"' in line for line in lines) == 1
    if t.rounds_planned is not None:
        assert len(t.rounds) == t.rounds_planned
    state = json.loads(views.state(t, (), 0).model_dump_json(by_alias=True))
    rows = json.loads(views.standings(t).model_dump_json())["rows"]
    ranks = [(row["rank"], row["entrant"], row["points"]) for row in rows]
    assert ranks == [(row["rank"], row["entrant"], row["points"]) for row in table(state)]


async def crashed_run(kind: Format, after: int | None) -> tuple[int, Hall]:
    """A tournament whose server is gone after so many entries; how many were written in all."""
    clock = FakeClock()
    clock.drive(asyncio.get_running_loop())
    log = MortalLog()
    hall = Hall(log, clock)
    await hall.begin()
    await make(hall, kind)
    made = len(log.appended)
    if after is not None:
        log.left = after
    for step in steps(kind):
        try:
            await step(hall)
        except Exception:  # noqa: BLE001 - however it shows that the server is gone
            assert log.is_broken
        if log.is_broken:
            hall = await hall.restarted()
            break
    await finish(hall)
    await quiet()
    await check(hall)
    written = len(log.appended) - made
    await hall.stop()
    return written, hall


@pytest.mark.parametrize("kind", ["series", "swiss", "knockout"])
async def test_a_server_that_is_gone_after_any_entry_goes_on(kind: Format) -> None:
    """Mid-draw, mid-countdown, mid-round, mid-correction: killed between any two entries."""
    count, _ = await crashed_run(kind, None)
    assert count > 8
    # A knockout in which all are away has many heats; in the normal run some of its points do.
    for after in range(0, count, 1 if LONG or kind == "series" else 3):
        await crashed_run(kind, after)


async def test_an_early_end_that_is_in_the_log_is_carried_out_by_the_next_server() -> None:
    clock = FakeClock()
    clock.drive(asyncio.get_running_loop())
    log = MortalLog()
    hall = Hall(log, clock)
    await hall.begin()
    await make(hall, "swiss")
    await hall.draw()
    await hall.pass_time(1500)
    log.left = 1
    with pytest.raises(LogUnavailable):
        await hall.ask(q.EndRound(1, "the bell"))
    assert log.is_broken
    hall = await hall.restarted()
    await quiet()
    [heat] = hall.host.t.rounds[0].heats
    assert {one.counts.status for one in heat.results.values()} == {"retired"}
    assert heat.over_at is not None
    assert heat.over_at < heat.starts_at + LIMIT_MS
    await hall.stop()


async def test_a_seat_follows_its_entry_though_the_server_was_gone_in_between() -> None:
    """The claim is in the tournament's log, and the room hasn't been asked yet."""
    clock = FakeClock()
    clock.drive(asyncio.get_running_loop())
    hall = Hall(MortalLog(), clock)
    await hall.begin()
    await make(hall, "series")
    await hall.draw()
    await hall.pass_time(1500)
    [heat] = hall.host.t.rounds[0].heats
    one = next(iter(hall.host.t.entrants.values()))
    await hall.ask(q.RenewClaim(one.entrant, await hall.all.chances.draw(claims=1)))
    claim = hall.host.t.entrants[one.entrant].claim
    hall.log.left = 1
    chance = await hall.all.chances.draw(claims=1)
    with pytest.raises(LogUnavailable):
        await hall.ask(q.Enter("p_new", "?", claim, chance))
    hall = await hall.restarted()
    room = await hall.rooms.find(heat.room)
    assert room is not None
    assert [*room.room.members] == ["p_new", "p_e2", "p_e3"]
    await hall.race()
    [heat] = hall.host.t.rounds[0].heats
    assert heat.seats == {"e1": "p_new", "e2": "p_e2", "e3": "p_e3"}
    assert {*heat.results} == {"e1", "e2", "e3"}
    await hall.stop()


async def test_the_heats_of_a_round_are_opened_once_whoever_asks_again() -> None:
    clock = FakeClock()
    clock.drive(asyncio.get_running_loop())
    hall = Hall(MortalLog(), clock)
    await hall.begin()
    await make(hall, "swiss")
    await hall.draw()
    rooms = {heat.room for heat in hall.host.t.rounds[0].heats}
    hall = await hall.restarted()
    assert {heat.room for heat in hall.host.t.rounds[0].heats} == rooms
    assert all(hall.rooms.is_known(room) for room in rooms)
    await hall.race()
    await hall.stop()


async def test_a_round_that_is_due_waits_for_the_disk() -> None:
    clock = FakeClock()
    clock.drive(asyncio.get_running_loop())
    hall = Hall(MortalLog(), clock)
    await hall.begin()
    await make(hall, "series")
    await hall.draw()
    await hall.race()
    await hall.ask(q.SetAutomatic(1000, paused=False))
    hall.log.is_broken = True
    await hall.pass_time(1000)
    assert len(hall.host.t.rounds) == 1
    hall.log.is_broken = False
    await hall.pass_time(1000)
    async with asyncio.timeout(30):
        while len(hall.host.t.rounds) < 2:  # the draw is made on a thread
            await quiet()
    await hall.race()
    await hall.stop()


class SlowLog(MortalLog):
    """A log that takes its time, in which others have theirs."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()
        self.clock = clock

    async def append(self, batch: Any) -> None:
        self.clock.advance(5)
        await quiet()
        await super().append(batch)


class Witness(FakeLink):
    """Somebody who looks at once into every room that they are told of."""

    def __init__(self, hall: Hall) -> None:
        super().__init__()
        self.hall = hall
        self.seen: set[str] = set()
        self.missing: set[str] = set()

    def send(self, frame: bytes) -> None:
        super().send(frame)
        for heat in read(frame)["heats"]:
            is_there = self.hall.rooms.is_known(heat["room"])
            (self.seen if is_there else self.missing).add(heat["room"])


async def test_a_heat_is_told_of_once_its_room_is_there() -> None:
    clock = FakeClock()
    clock.drive(asyncio.get_running_loop())
    hall = Hall(SlowLog(clock), clock)
    await hall.begin()
    await make(hall, "swiss")
    witness = Witness(hall)
    hall.host.follow("p_wall", witness, None)
    for _ in range(2):  # what is told next is told at once
        await hall.pass_time(1000)
    await hall.draw()
    await hall.race()
    await hall.pass_time(1000)
    assert witness.seen
    assert not witness.missing
    await hall.stop()


async def test_two_draws_at_once_make_one_round() -> None:
    clock = FakeClock()
    clock.drive(asyncio.get_running_loop())
    hall = Hall(MortalLog(), clock)
    await hall.begin()
    await make(hall, "series")
    chances = [await hall.all.chances.draw(heats=3) for _ in range(2)]
    outcomes = await asyncio.gather(*(hall.host.ask(q.DrawRound(chance)) for chance in chances))
    assert [isinstance(outcome, q.Refusal) for outcome in outcomes] == [False, True]
    await hall.race()
    await hall.stop()
