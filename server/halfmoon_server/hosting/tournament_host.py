"""One tournament's host: decide, append, evolve, publish. The only writer of its log.

At whatever moment the server stops, `resume` goes on from the log: races that ended meanwhile are
read, rooms that are missing are opened, and deals that may be told by now are told.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import structlog

from halfmoon.wire import messages as m
from halfmoon_server.eventlog.base import Batch, EventLog, LogConflict, LogUnavailable
from halfmoon_server.frames import message_frame
from halfmoon_server.hosting.answers import Answers
from halfmoon_server.hosting.bulletin import Bulletin
from halfmoon_server.hosting.chances import Chances
from halfmoon_server.hosting.clock import Clock, seconds_until
from halfmoon_server.hosting.directory import Stopping
from halfmoon_server.hosting.heat_rooms import HeatRooms, Raced, ended, round_frame
from halfmoon_server.hosting.room_host import Link
from halfmoon_server.rooms.state import Room
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments import heats, views
from halfmoon_server.tournaments.decide import Outcome, decide
from halfmoon_server.tournaments.drawing import most_heats
from halfmoon_server.tournaments.evolve import create, evolve
from halfmoon_server.tournaments.state import Heat, Round, Tournament

log = structlog.get_logger()

AGAIN_AFTER_S = 1.0
"""What the log couldn't take is tried again so much later."""


class TournamentHost:
    """Runs one tournament. Everything that changes it goes through `ask`, one at a time."""

    def __init__(
        self,
        entries: Iterable[e.Entry],
        event_log: EventLog,
        clock: Clock,
        rooms: HeatRooms,
        chances: Chances,
    ) -> None:
        """Of the entries of its log, the first of which makes the tournament."""
        self.events: list[e.Event] = []
        self.answers = Answers()
        self._log = event_log
        self._clock = clock
        self._rooms = rooms
        self._chances = chances
        self._lock = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._seq = 0
        self._is_stopping = False
        first, *rest = entries
        made = first.events[0]
        assert isinstance(made, e.TournamentMade), "a tournament begins with its making"
        self.t: Tournament = create(made)
        self.events.append(made)
        self._seq = 1
        self.bulletin = Bulletin(log_name(self.t.tournament), self.news)
        for entry in rest:
            self._take(entry)

    # Asking

    async def ask(
        self,
        request: q.Request,
        player: str | None = None,
        re: str | None = None,
        device: str | None = None,
    ) -> Outcome:
        """Carry a request out; the events, or why nothing is done. Raises `LogUnavailable`.

        It returns once all is durable, and after a draw once the heats' rooms are there.
        `player` and `re` are whose `enter` it is and its id, `device` where an organiser asked.
        """
        async with self._lock:
            now = max(self._clock.now(), self.t.touched_at)
            if isinstance(request, q.DrawRound):
                # Pairing many can take a second, and races go on meanwhile.
                outcome = await asyncio.to_thread(decide, self.t, request, now)
            else:
                outcome = decide(self.t, request, now)
            if isinstance(outcome, q.Refusal) or not outcome:
                return outcome
            outcome = tuple(e.on_device(event, device) for event in outcome)
            entry = e.Entry(player=player, id=re, events=outcome)
            await self._append(entry)
            before = self.t
            self._take(entry)
            await self._follow_up()
            self._displace(before, outcome)
            # Who is told of a heat may ask for its room at once: it has to be there.
            self.bulletin.changed()
        self._set_timer()
        return outcome

    def _displace(self, before: Tournament, events: Iterable[e.Event]) -> None:
        """Who had an entry that was taken from another device is told so, and sent away."""
        for event in events:
            if isinstance(event, e.EntryTaken):
                had = before.entrants[event.entrant].player
                if had is not None and had != event.player:
                    self.bulletin.displace(had)

    async def _append(self, entry: e.Entry) -> None:
        batch = Batch(log_name(self.t.tournament), self._seq, [e.write_entry(entry)])
        try:
            await self._log.append(batch)
        except LogConflict as error:
            log.error("tournament.log_conflict", tournament=self.t.tournament, error=str(error))
            raise LogUnavailable(str(error)) from None

    def _take(self, entry: e.Entry) -> None:
        for event in entry.events:
            self.t = evolve(self.t, event)
            self.events.append(event)
        self._seq += 1
        if entry.player is not None and (own := self.t.entrant_of(entry.player)) is not None:
            self.answers.remember(entry.player, entry.id, self.entered(own.entrant, entry.id))

    async def _follow_up(self) -> None:
        """What has to be so by the state that was reached; tried again where it can't be yet."""
        try:
            await self._rooms.open_missing(self.t)
            await self._rooms.hand_over_seats(self.t)
            await self._rooms.give_up_seats(self.t)
            await self._rooms.end_races(self.t)
            await self._rooms.open_races(self.t)
        except LogUnavailable as error:
            log.error("tournament.rooms_wait", tournament=self.t.tournament, error=str(error))
            self._later(self._follow_up)
        except Stopping:
            return  # the next start goes on from here

    # Heats

    async def resume(self) -> None:
        """Go on after a restart, from wherever it was."""
        for one in self.t.rounds:
            for heat in one.heats:
                if not heat.is_over:
                    await self._read(one, heat)
        await self._follow_up()
        self._set_timer()

    async def _read(self, one: Round, heat: Heat) -> None:
        """Take in a race that ended while nobody listened."""
        try:
            raced = await self._rooms.raced(heat)
            if raced is not None:
                await self._finish(one.round, heat, raced)
        except LogUnavailable as error:
            log.error("tournament.heat_waits", tournament=self.t.tournament, error=str(error))
            self._later(lambda: self._read(one, heat))
        except Stopping:
            return

    def race_over(self, number: int, room: Room) -> None:
        """A race of this round is over in this room."""
        one = self.t.round(number)
        for heat in () if one is None else one.heats:
            if one is not None and heat.room == room.room and ended(room) is not None:
                self._spawn(self._read(one, heat))

    async def _finish(self, number: int, heat: Heat, raced: Raced) -> None:
        chance = await self._chances.draw(heats=1)
        lines = [*heats.lines(heat, raced.standings, raced.handed)]
        seats = {
            entrant: raced.handed[player]
            for entrant, player in heat.seats.items()
            if player in raced.handed
        }
        await self.ask(q.FinishHeat(number, heat.heat, raced.over_at, lines, chance, seats))

    # Who is told

    def welcome(self, player: str, link: Link, answer: bytes) -> None:
        """Answer somebody's `enter`, and tell them all from now on."""
        link.send(answer)
        self.bulletin.add(player, link, plays=True)
        link.send(self.news())
        own = self.t.entrant_of(player)
        for one in self.t.rounds:
            for heat in one.heats:
                if not heat.is_over and own is not None and own.entrant in heat.seats:
                    link.send(round_frame(self.t, one, heat))

    def follow(self, player: str, link: Link, re: str | None) -> None:
        """Answer somebody's `follow`, and tell them all from now on."""
        link.send(self.news(re))
        self.bulletin.add(player, link, plays=False)

    def entered(self, entrant: str, re: str | None) -> bytes:
        """The answer to `enter`."""
        return message_frame(m.Entered(tournament=self.t.tournament, entrant=entrant, re=re))

    def news(self, re: str | None = None) -> bytes:
        """The state as a message."""
        return message_frame(views.news(self.t, self.bulletin.online, self._clock.now(), re))

    # Time, work and the end

    def _set_timer(self) -> None:
        due_at = self._next_due_at()
        self._wait("due", None if due_at is None else seconds_until(due_at, self._clock), self._due)

    def _next_due_at(self) -> int | None:
        """When the next round is due by itself, or when a countdown that all see is over."""
        if (one := self.t.running) is not None:
            now = self._clock.now()
            return min((h.starts_at for h in one.heats if h.starts_at > now), default=None)
        return self.t.next_at

    def _due(self) -> None:
        next_at = self.t.next_at
        if next_at is not None and next_at <= self._clock.now():
            self._spawn(self._draw())
            return
        if self.t.is_racing:
            self.bulletin.changed()
        self._set_timer()

    async def _draw(self) -> None:
        try:
            chance = await self._chances.draw(heats=most_heats(self.t))
            outcome = await self.ask(q.DrawRound(chance, by="server"))
        except LogUnavailable:
            self._later(self._draw)
            return
        if isinstance(outcome, q.Refusal):
            log.info("tournament.no_round", tournament=self.t.tournament, why=outcome.message)

    def _later(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._wait(f"again {len(self._timers)}", AGAIN_AFTER_S, lambda: self._spawn(work()))

    def _wait(self, what: str, seconds: float | None, then: Callable[[], object]) -> None:
        if (timer := self._timers.pop(what, None)) is not None:
            timer.cancel()
        if seconds is not None and not self._is_stopping:
            self._timers[what] = self._loop.call_later(seconds, self._run_out, what, then)

    def _run_out(self, what: str, then: Callable[[], object]) -> None:
        self._timers.pop(what, None)
        then()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work, name=f"tournament {self.t.tournament}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Finish what is under way, and end."""
        self._is_stopping = True
        for timer in self._timers.values():
            timer.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.bulletin.close()


def log_name(tournament: str) -> str:
    """The name of a tournament's log."""
    return f"{heats.KIND}/{tournament}"
