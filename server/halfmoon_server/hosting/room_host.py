"""One room's task: decide, append, evolve, publish. The only writer of its room."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from halfmoon.engine.codes import Code
from halfmoon.engine.deals import Deal
from halfmoon.wire import commands as c
from halfmoon_server.eventlog.base import Batch, EventLog, LogConflict, LogUnavailable
from halfmoon_server.eventlog.results import Result
from halfmoon_server.frames import message_frame
from halfmoon_server.hosting.answers import Answers
from halfmoon_server.hosting.audience import Audience, Listener
from halfmoon_server.hosting.clock import Clock, seconds_until
from halfmoon_server.indexing import keys_of
from halfmoon_server.results import results_of
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.commands import (
    Asked,
    Dropped,
    Refusal,
    Reopen,
    Returned,
    RoomRequest,
    SeenElsewhere,
    TimePassed,
)
from halfmoon_server.rooms.deadlines import due, next_due_at
from halfmoon_server.rooms.decide import decide
from halfmoon_server.rooms.evolve import DealOf, create, evolve
from halfmoon_server.rooms.state import Room

log = structlog.get_logger()

REPLAY_AT_ONCE = 200
"""Entries of a log that are replayed before others get their turn."""

ANSWER_KINDS: dict[type[c.AnyRoomCommand], e.AnswerKind] = {
    c.Move: "moved",
    c.Undo: "undone",
    c.LeaveRoom: "left",
    c.JoinRoom: "room",
}
"""What a carried-out command is answered with; `ok` where it isn't named."""


class Link(Listener, Protocol):
    """A connection as a room sees it."""

    @property
    def is_open(self) -> bool:
        """Whether it still speaks for its player; a command of it may outlive it."""
        ...

    def fail(self) -> None:
        """Close the connection, since the room can't say what became of its commands."""
        ...

    def entered(self, host: "RoomHost") -> None:
        """The connection is now told what happens in this room."""
        ...

    def gone(self, host: "RoomHost") -> None:
        """The connection is no longer told what happens in this room."""
        ...

    def displaced(self) -> None:
        """Close the connection, since its player's seat is played on from elsewhere."""
        ...


class Watcher(Protocol):
    """Who counts what rooms do."""

    def carried_out(self, command: str) -> None:
        """A command was carried out."""
        ...

    def refused(self, code: str) -> None:
        """A command was refused with this error code."""
        ...


class Sights(Protocol):
    """Those who know who has seen which deal, in whatever room."""

    def trying(self, player: str, code: Code) -> asyncio.Lock:
        """Held by the room that looks whether this player has seen the deal, until it has begun."""
        ...

    async def has_seen(self, code: Code, player: str) -> bool:
        """Whether this player has seen the deal. Raises `LogUnavailable`."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """Something asked of the room, and who waits for the answer."""

    asked: RoomRequest
    id: str | None = None
    link: Link | None = None
    is_create: bool = False
    """Whether it was a `create_room`, which led to a room that was there: its `id` counts."""


@dataclass(slots=True)
class Step:
    """A request that was decided, with all that will be said once it is in the log."""

    request: Request
    after: Room
    answer: bytes | None = None
    """None for a join that was carried out: its answer is made when it is said."""
    changes: Sequence[tuple[Room, e.Event, Room]] = ()
    """Each event with the room before and after it."""


@dataclass(slots=True)
class Turn:
    """What one turn of the host decided: to be written in one batch."""

    room: Room
    steps: list[Step] = field(default_factory=list[Step])
    entries: list[e.Entry] = field(default_factory=list[e.Entry])
    results: list[Result] = field(default_factory=list[Result])
    """Of the race that is over with it."""


class RoomHost:
    """Runs one room. Everything that changes it goes through here, in order."""

    def __init__(
        self,
        room: Room,
        seq: int,
        event_log: EventLog,
        clock: Clock,
        watcher: Watcher,
        on_end: Callable[["RoomHost"], None],
        deal_of: DealOf = Deal.of,
    ) -> None:
        self.room = room
        self.seq = seq
        self.answers = Answers()
        self._audience: Audience[Link] = Audience(lambda: self.room, clock)
        self._log = event_log
        self._clock = clock
        self._watcher = watcher
        self._on_end = on_end
        self._deal_of = deal_of
        self.on_race_over: Callable[[Room], None] = lambda _: None
        """Told of every race of this room that is over, once that is in the log."""
        self.sights: Sights | None = None
        """Asked before a race begins in which somebody plays alone, and once."""
        self._requests: list[Request] = []
        self._under_way: list[Request] = []
        self._wake = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._is_stopping = False
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def opened(
        cls,
        event: e.RoomCreated,
        event_log: EventLog,
        clock: Clock,
        watcher: Watcher,
        on_end: Callable[["RoomHost"], None],
        deal_of: DealOf = Deal.of,
    ) -> "RoomHost":
        """A host for a room whose first entry has just been written."""
        return cls(create(event), 1, event_log, clock, watcher, on_end, deal_of)

    async def replay(self, entries: Iterable[e.Entry]) -> None:
        """Take the rest of the room's log in, with the answers that were given, before `reopen`."""
        for number, entry in enumerate(entries):
            before = self.room
            for event in entry.events:
                after = evolve(self.room, event, self._deal_of)
                self._audience.replay(self.room, event, after)
                self.room = after
            self.seq += 1
            self._remember(entry, before)
            if number % REPLAY_AT_ONCE == 0:
                await asyncio.sleep(0)
        self._audience.resume(self.room)

    def _remember(self, entry: e.Entry, before: Room) -> None:
        """Keep the answer that this entry's command was given."""
        if entry.player is not None and entry.id is not None and entry.answer is not None:
            said = views.answer(entry.answer, before, self.room, entry.player, entry.id, 0)
            self.answers.remember(entry.player, entry.id, message_frame(said))

    def begin_heat(self, seated: e.HeatSeated, links: Mapping[str, Link]) -> None:
        """Seat a heat's players, whose seats are in the log, where they are connected, and work."""
        before, self.room = self.room, evolve(self.room, seated, self._deal_of)
        self.seq += 1
        for player, link in links.items():
            if link.is_open:
                self._audience.sit(player, link)
                link.entered(self)
        for seat in seated.seats:
            if seat.online and self._link(seat.player) is None:
                self.submit(Request(Dropped(seat.player)))
        self._tell(before, seated, self.room)
        self.begin()

    def begin(self) -> None:
        """Start to work."""
        self._task = self._loop.create_task(self._run(), name=f"room {self.room.room}")

    def submit(self, request: Request) -> None:
        """Ask something of the room; the answer goes to the request's link."""
        self._requests.append(request)
        self._wake.set()

    def reopen(self) -> None:
        """Go on after a restart: nobody is connected, and what is due happens."""
        self.submit(Request(Reopen()))
        self.begin()

    def attach(self, player: str, link: Link) -> None:
        """The connection of a room's creator, who is told everything from now on."""
        self.submit(Request(Returned(player), link=link))

    def come_back(self, player: str, name: str, command_id: str | None, link: Link) -> None:
        """Answer a `create_room` by this room, which its player has opened before."""
        asked = Asked(player, name, c.JoinRoom(room=self.room.room))
        self.submit(Request(asked, command_id, link, is_create=True))

    def drop(self, player: str, link: Link) -> None:
        """The connection is gone; where it was the player's, so is the player."""
        if self._link(player) is link:
            self._audience.rise(player)
            self.submit(Request(Dropped(player)))

    def hand_over(self, player: str, link: Link) -> None:
        """A newer connection of the player takes the place of the one that is there."""
        if self._link(player) is not None:
            self._audience.sit(player, link)
            link.entered(self)
            self._audience.show_all(player)

    async def stop(self) -> None:
        """Carry out what was asked so far, and end."""
        self._is_stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        try:
            await self._serve()
        except Exception:
            # A broken promise of ours. Its room ends here and comes back from its log.
            log.exception("room.broken", room=self.room.room)
            self._fail()
        finally:
            self._end()

    async def _serve(self) -> None:
        self._set_timer()
        while not self.room.is_closed:
            if not self._requests:
                if self._is_stopping:
                    return
                self._wake.clear()
                await self._wake.wait()
            self._under_way, self._requests = self._requests, []
            if not await self._carry_out(self._under_way):
                return
            self._set_timer()

    async def _carry_out(self, requests: list[Request]) -> bool:
        """One turn; False where the log failed and this host must not go on."""
        room, sights = self.room, self.sights
        if room.only is None or room.race is not None or sights is None:
            return await self._write(requests)
        # Of two rooms of one player on one deal only the first begins.
        async with sights.trying(room.only, room.code):
            try:
                if await sights.has_seen(room.code, room.only):
                    requests.insert(0, Request(SeenElsewhere()))
            except LogUnavailable as error:
                log.error("room.log_failed", room=room.room, error=str(error))
                self._fail()
                return False
            return await self._write(requests)

    async def _write(self, requests: list[Request]) -> bool:
        turn = self._decide(requests)
        if turn.entries:
            batch = Batch(
                room=self.room.room,
                expected_seq=self.seq,
                entries=[e.write_entry(entry) for entry in turn.entries],
                keys=[*keys_of(turn.entries)],
                results=turn.results,
                is_last=turn.room.is_closed,
            )
            try:
                await self._log.append(batch)
            except (LogUnavailable, LogConflict) as error:
                log.error("room.log_failed", room=self.room.room, error=str(error))
                self._fail()
                return False
            self.seq += len(batch.entries)
        self.room = turn.room
        for step in turn.steps:
            self._publish(step)
        self._audience.tell_progress()
        return True

    # Decide

    def _decide(self, requests: list[Request]) -> Turn:
        now = max(self._clock.now(), self.room.touched_at)
        turn = Turn(room=self.room)
        for request in requests:
            if not isinstance(request.asked, Reopen | SeenElsewhere):
                self._settle(turn, now)
            if isinstance(request.asked, Dropped) and self._is_here(request.asked.player, requests):
                continue
            self._decide_one(turn, request, now)
        self._settle(turn, now)
        return turn

    def _is_here(self, player: str, requests: Iterable[Request]) -> bool:
        """Whether another connection speaks for the player by now, or does in this turn."""
        return self._link(player) is not None or any(
            isinstance(request.asked, Asked | Returned)
            and request.asked.player == player
            and request.link is not None
            and request.link.is_open
            for request in requests
        )

    def _settle(self, turn: Turn, now: int) -> None:
        """Let everything happen that time has brought about by now."""
        while (event := due(turn.room, now)) is not None:
            self._take(turn, Request(TimePassed()), (event,), None)

    def _decide_one(self, turn: Turn, request: Request, now: int) -> None:
        asked = request.asked
        if not isinstance(asked, Asked):
            outcome = decide(turn.room, asked, now)
            assert not isinstance(outcome, Refusal), "only players are refused"
            if outcome or request.link is not None:
                self._take(turn, request, outcome, None)
            return
        remembered = self.answers.find(asked.player, request.id)
        if remembered is not None:
            turn.steps.append(Step(request, turn.room, remembered))
            return
        outcome = decide(turn.room, asked, now)
        if isinstance(outcome, Refusal):
            self._watcher.refused(outcome.code)
            answer = message_frame(views.refusal(outcome, turn.room.room, request.id))
            turn.steps.append(Step(request, turn.room, answer))
            return
        self._watcher.carried_out(asked.command.type)
        self._take(turn, request, outcome, ANSWER_KINDS.get(type(asked.command), "ok"))

    def _take(
        self,
        turn: Turn,
        request: Request,
        events: tuple[e.Event, ...],
        kind: e.AnswerKind | None,
    ) -> None:
        """Put a decision into the turn: its events, its entry, its answer."""
        before = turn.room
        changes: list[tuple[Room, e.Event, Room]] = []
        for event in events:
            after = evolve(turn.room, event, self._deal_of)
            changes.append((turn.room, event, after))
            turn.room = after
            if isinstance(event, e.RaceOver):
                turn.results += results_of(after)
        step = Step(request, turn.room, changes=changes)
        turn.steps.append(step)
        asked = request.asked
        if kind is None or not isinstance(asked, Asked) or isinstance(asked.command, c.JoinRoom):
            entry = e.Entry(events=events)
            if request.is_create and request.id is not None and isinstance(asked, Asked):
                entry = e.Entry(player=asked.player, id=request.id, answer="room", events=events)
            if events or entry.id is not None:
                turn.entries.append(entry)
            return
        said = views.answer(kind, before, turn.room, asked.player, request.id, 0)
        step.answer = message_frame(said)
        self.answers.remember(asked.player, request.id, step.answer)
        if events or request.id is not None:
            entry = e.Entry(player=asked.player, id=request.id, answer=kind, events=events)
            turn.entries.append(entry)

    def _fail(self) -> None:
        """Nothing of the turn has happened: let go of everybody, who come back and ask again."""
        for request in (*self._under_way, *self._requests):
            if request.link is not None:
                request.link.fail()
        for link in self._audience.links.values():
            link.fail()
        self._requests.clear()

    # Publish

    def _publish(self, step: Step) -> None:
        asked, link = step.request.asked, step.request.link
        if isinstance(asked, Asked) and link is not None:
            self._answer(step, asked, link)
        elif isinstance(asked, Returned) and link is not None:
            self._catch_up(step, asked.player, link)
        for before, event, after in step.changes:
            self._tell(before, event, after)
        if isinstance(asked, Asked) and isinstance(asked.command, c.LeaveRoom):
            self._let_go(asked.player)

    def _let_go(self, player: str) -> None:
        """Who has left is told nothing more, also where the seat stays."""
        member = self.room.members.get(player)
        if member is not None and not member.is_online and (link := self._audience.rise(player)):
            link.gone(self)

    def _answer(self, step: Step, asked: Asked, link: Link) -> None:
        answer = step.answer
        if answer is None:
            answer = self._audience.snapshot(step.after, asked.player, step.request.id)
        self._sit(step.after, asked.player, link)
        link.send(answer)

    def _catch_up(self, step: Step, player: str, link: Link) -> None:
        """Tell who was told the room's beginning what has become of it."""
        is_new_here = self._link(player) is not link
        self._sit(step.after, player, link)
        if is_new_here and self._audience.n and self._link(player) is link:
            link.send(self._audience.snapshot(step.after, player))

    def _sit(self, room: Room, player: str, link: Link) -> None:
        """Let the connection speak for the player, unless it ended while this was written."""
        member = room.members.get(player)
        if member is None or not member.is_online or self._link(player) is link:
            return
        if link.is_open:
            self._audience.sit(player, link)
            link.entered(self)
        elif self._link(player) is None:
            self.submit(Request(Dropped(player)))

    def _tell(self, before: Room, event: e.Event, after: Room) -> None:
        self._audience.tell(before, event, after)
        if isinstance(event, e.SeatsHandedOver):
            self._change_places(event, after)
        if isinstance(event, e.MemberLeft) and (link := self._audience.rise(event.player)):
            link.gone(self)
        if isinstance(event, e.RaceOver):
            self.on_race_over(after)

    def _change_places(self, event: e.SeatsHandedOver, after: Room) -> None:
        """Who has lost a seat is let go; who watched until now and has one is shown it."""
        for player in event.seats:
            if player not in after.members and (link := self._audience.rise(player)):
                link.gone(self)
                link.displaced()
        for player in event.seats.values():
            if (link := self._link(player)) is not None:
                link.send(self._audience.snapshot(after, player))

    def _link(self, player: str) -> Link | None:
        """The connection that speaks for this player."""
        return self._audience.links.get(player)

    # Time and the end

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due_at = next_due_at(self.room)
        if due_at is not None and not self._is_stopping:
            self._timer = self._loop.call_later(
                seconds_until(due_at, self._clock), self.submit, Request(TimePassed())
            )

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for request in self._requests:
            if request.link is not None:
                request.link.send(message_frame(views.unknown_room(self.room.room, request.id)))
        for link in self._audience.links.values():
            link.gone(self)
        self._audience.close()
        self._on_end(self)
