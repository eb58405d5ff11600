"""One room's task: decide, append, evolve, publish. The only writer of its room."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import structlog

from halfmoon.engine.deals import Deal
from halfmoon.wire import commands as c
from halfmoon.wire import messages as m
from halfmoon.wire.errors import ErrorCode
from halfmoon_server.eventlog.base import Batch, EventLog, Key, LogConflict, LogUnavailable
from halfmoon_server.frames import message_frame
from halfmoon_server.hosting.answers import Answers
from halfmoon_server.hosting.clock import Clock
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.commands import (
    Asked,
    Dropped,
    Refusal,
    Reopen,
    Returned,
    RoomRequest,
    TimePassed,
)
from halfmoon_server.rooms.deadlines import due, next_due_at
from halfmoon_server.rooms.decide import decide
from halfmoon_server.rooms.evolve import DealOf, create, evolve
from halfmoon_server.rooms.state import Room

log = structlog.get_logger()

PROGRESS_TICK_MS = 50
BIG_ROOM_TICK_MS = 100
BIG_ROOM = 100
"""From so many people up a room's progress is told by the slower tick."""
NUMBERS_PER_EVENT = 4
"""An event is told in fewer broadcasts than this, so numbers after a restart are past all before."""
REPLAY_AT_ONCE = 200
"""Entries of a log that are replayed before others get their turn."""
LONGEST_TIMER_MS = 3_600_000

ANSWER_KINDS: dict[type[c.AnyRoomCommand], e.AnswerKind] = {
    c.Move: "moved",
    c.Undo: "undone",
    c.LeaveRoom: "left",
    c.JoinRoom: "room",
}
"""What a carried-out command is answered with; `ok` where it isn't named."""
ACTIONS = (e.MoveMade, e.UndoMade, e.Retired)


class Link(Protocol):
    """A connection as a room sees it."""

    @property
    def is_open(self) -> bool:
        """Whether it still speaks for its player; a command of it may outlive it."""
        ...

    def send(self, frame: bytes) -> None:
        """Send a frame that must not be lost."""
        ...

    def offer(self, frame: bytes, room: str, resync: Callable[[], None]) -> None:
        """Send a frame that may be dropped for a slow reader, who then gets `resync`."""
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


class Watcher(Protocol):
    """Who counts what rooms do."""

    def carried_out(self, command: str) -> None:
        """A command was carried out."""
        ...

    def refused(self, code: str) -> None:
        """A command was refused with this error code."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """Something asked of the room, and who waits for the answer."""

    asked: RoomRequest
    id: str | None = None
    link: Link | None = None


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
        self.links: dict[str, Link] = {}
        self._log = event_log
        self._clock = clock
        self._watcher = watcher
        self._on_end = on_end
        self._deal_of = deal_of
        self._n = 0
        self._requests: list[Request] = []
        self._under_way: list[Request] = []
        self._wake = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._dirty: dict[str, None] = {}
        self._told_at = 0.0
        self._tick: asyncio.TimerHandle | None = None
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
                self.room = evolve(self.room, event, self._deal_of)
            self.seq += 1
            self._remember(entry, before)
            if number % REPLAY_AT_ONCE == 0:
                await asyncio.sleep(0)
        self._n = NUMBERS_PER_EVENT * self.room.events

    def _remember(self, entry: e.Entry, before: Room) -> None:
        """Keep the answer that this entry's command was given."""
        if entry.player is not None and entry.id is not None and entry.answer is not None:
            said = views.answer(entry.answer, before, self.room, entry.player, entry.id, self._n)
            self.answers.remember(entry.player, entry.id, message_frame(said))

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

    def drop(self, player: str, link: Link) -> None:
        """The connection is gone; where it was the player's, so is the player."""
        if self.links.get(player) is link:
            del self.links[player]
            self.submit(Request(Dropped(player)))

    def hand_over(self, player: str, link: Link) -> None:
        """A newer connection of the player takes the place of the one that is there."""
        if player in self.links:
            self.links[player] = link
            link.entered(self)

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
        """One turn; False where the log refused it and this host must not go on."""
        turn = self._decide(requests)
        if turn.entries:
            batch = Batch(
                room=self.room.room,
                expected_seq=self.seq,
                entries=[e.write_entry(entry) for entry in turn.entries],
                keys=[*_keys(turn.entries)],
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
        self._tell_progress()
        return True

    # Decide

    def _decide(self, requests: list[Request]) -> Turn:
        now = max(self._clock.now(), self.room.touched_at)
        turn = Turn(room=self.room)
        for request in requests:
            if not isinstance(request.asked, Reopen):
                self._settle(turn, now)
            if isinstance(request.asked, Dropped) and self._is_here(request.asked.player, requests):
                continue
            self._decide_one(turn, request, now)
        self._settle(turn, now)
        return turn

    def _is_here(self, player: str, requests: Iterable[Request]) -> bool:
        """Whether another connection speaks for the player by now, or does in this turn."""
        return player in self.links or any(
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
            answer = message_frame(refusal_message(outcome, turn.room.room, request.id))
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
        step = Step(request, turn.room, changes=changes)
        turn.steps.append(step)
        asked = request.asked
        if kind is None or not isinstance(asked, Asked) or isinstance(asked.command, c.JoinRoom):
            if events:
                turn.entries.append(e.Entry(events=events))
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
        for link in self.links.values():
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

    def _answer(self, step: Step, asked: Asked, link: Link) -> None:
        answer = step.answer
        if answer is None:
            answer = message_frame(
                views.snapshot(step.after, asked.player, self._n, step.request.id)
            )
        self._sit(step.after, asked.player, link)
        link.send(answer)

    def _catch_up(self, step: Step, player: str, link: Link) -> None:
        """Tell who was told the room's beginning what has become of it."""
        is_new_here = self.links.get(player) is not link
        self._sit(step.after, player, link)
        if is_new_here and self._n and self.links.get(player) is link:
            link.send(message_frame(views.snapshot(step.after, player, self._n)))

    def _sit(self, room: Room, player: str, link: Link) -> None:
        """Let the connection speak for the player, unless it ended while this was written."""
        member = room.members.get(player)
        if member is None or not member.is_online or self.links.get(player) is link:
            return
        if link.is_open:
            self.links[player] = link
            link.entered(self)
        elif player not in self.links:
            self.submit(Request(Dropped(player)))

    def _tell(self, before: Room, event: e.Event, after: Room) -> None:
        if isinstance(event, ACTIONS):
            self._dirty[event.player] = None
            return
        if isinstance(event, e.RaceOver | e.MemberLeft | e.RematchOpened):
            self._flush_progress(before)
        for told in views.told(before, event, after, self._n):
            frame = message_frame(told.message)
            if told.to is not None:
                if (link := self.links.get(told.to)) is not None:
                    link.send(frame)
                continue
            self._n += 1
            for link in self.links.values():
                link.send(frame)
        if isinstance(event, e.MemberLeft) and event.player in self.links:
            self.links.pop(event.player).gone(self)

    def _tell_progress(self) -> None:
        """Tell how racers stand: at once in a quiet room, else when the tick is over."""
        if not self._dirty or self._tick is not None:
            return
        tick_ms = BIG_ROOM_TICK_MS if len(self.room.members) >= BIG_ROOM else PROGRESS_TICK_MS
        wait = self._told_at + tick_ms / 1000 - self._loop.time()
        if wait <= 0:
            self._flush_progress(self.room)
        else:
            self._tick = self._loop.call_later(wait, self._tick_over)

    def _tick_over(self) -> None:
        self._tick = None
        self._flush_progress(self.room)

    def _flush_progress(self, room: Room) -> None:
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None
        if not self._dirty or room.race is None:
            return
        self._n += 1
        frame = message_frame(views.progress(room, self._dirty, self._n))
        self._dirty.clear()
        self._told_at = self._loop.time()
        for player, link in self.links.items():
            link.offer(frame, room.room, partial(self._resync, player, link))

    def _resync(self, player: str, link: Link) -> None:
        """A slow reader reads again: the room as it is now makes up for what was dropped."""
        if self.links.get(player) is link and player in self.room.members:
            link.send(message_frame(views.snapshot(self.room, player, self._n)))

    # Time and the end

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due_at = next_due_at(self.room)
        if due_at is not None and not self._is_stopping:
            wait_ms = min(max(0, due_at - self._clock.now()), LONGEST_TIMER_MS)
            self._timer = self._loop.call_later(wait_ms / 1000, self.submit, Request(TimePassed()))

    def _end(self) -> None:
        for timer in (self._timer, self._tick):
            if timer is not None:
                timer.cancel()
        for request in self._requests:
            if request.link is not None:
                request.link.send(message_frame(unknown_room(self.room.room, request.id)))
        for link in self.links.values():
            link.gone(self)
        self.links.clear()
        self._on_end(self)


def refusal_message(refusal: Refusal, room: str, re: str | None) -> m.Error:
    """The refusal as an error on the wire."""
    return m.Error(
        code=refusal.code,
        message=refusal.message,
        room=room,
        reason=refusal.reason,
        board=refusal.board,
        re=re,
    )


def unknown_room(room: str, re: str | None) -> m.Error:
    """The error for a room that isn't there."""
    return m.Error(code=ErrorCode.UNKNOWN_ROOM, message="there is no such room", room=room, re=re)


def _keys(entries: Iterable[e.Entry]) -> Iterable[Key]:
    for entry in entries:
        for event in entry.events:
            if isinstance(event, e.CountdownStarted):
                yield Key("race", event.race)
