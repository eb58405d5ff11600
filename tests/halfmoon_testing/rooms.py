"""Rooms to play through: by their rules alone, or by their host; and histories at random."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any, NamedTuple, get_args

from hypothesis import strategies as st

from halfmoon.engine.board import Board
from halfmoon.engine.codes import Code, Variant
from halfmoon.engine.deals import Deal
from halfmoon.engine.record import RaceRecord
from halfmoon.engine.rules import WON_MOVES
from halfmoon.engine.run import Run
from halfmoon.engine.spots import SPOTS
from halfmoon.wire import commands as c
from halfmoon.wire.options import OptionChanges
from halfmoon_server.eventlog.base import Batch, EventLog
from halfmoon_server.eventlog.memory import MemoryLog
from halfmoon_server.hosting.room_host import Request, RoomHost
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.commands import Asked, Chance, Dropped, Refusal, Reopen, RoomRequest
from halfmoon_server.rooms.deadlines import due, next_due_at
from halfmoon_server.rooms.decide import Outcome, decide, open_room
from halfmoon_server.rooms.evolve import DealOf, create, evolve
from halfmoon_server.rooms.ghosts import ghost_of
from halfmoon_server.rooms.state import Room, Seat
from halfmoon_server.rooms.terms import Terms
from halfmoon_testing import builders as b
from halfmoon_testing.builders import ANN, BEGAN_AT, ROOM, name_of
from halfmoon_testing.fakes import FakeClock, FakeLink, FakeWatcher, Said, quiet
from halfmoon_testing.records import OPEN_CODES, SEALED_CODES, simulated_race
from halfmoon_testing.solver import Line, winning_line

deal_of = cache(Deal.of)
"""A code's deal, shuffled once for all tests."""

Draw = Callable[[], Chance]


def numbered_chances() -> Draw:
    """Chance that isn't: sealed code 1 and race 1, then 2 and 2, and so on."""
    numbers = itertools.count(1)

    def draw() -> Chance:
        number = next(numbers)
        return Chance(code=Code.from_number(Variant.SEALED, number), race=f"r_{number}")

    return draw


def drawn_chances() -> Draw:
    """Chance that isn't, out of which server and racers draw the deal together."""
    numbers = itertools.count(1)

    def draw() -> Chance:
        number = next(numbers)
        return Chance(race=f"r_{number}", secret=number.to_bytes(32, "big"))

    return draw


def solvable_chances() -> Draw:
    """The same with deals whose winning line is known."""
    numbers = itertools.count(1)

    def draw() -> Chance:
        number = next(numbers)
        return Chance(code=Code.parse(SEALED_CODES[number % len(SEALED_CODES)]), race=f"r_{number}")

    return draw


def other_deal(deal: Deal, exposed: set[int], chance: random.Random) -> Deal:
    """A deal that agrees on these places and is shuffled elsewhere."""
    deck = b.cards(deal)
    hidden = [place for place in range(104) if place not in exposed]
    shuffled = hidden[:]
    chance.shuffle(shuffled)
    for place, source in zip(hidden, shuffled, strict=True):
        deck[place] = b.cards(deal)[source]
    return Deal.of_deck(deal.code, deck)


class Table:
    """A room by its rules alone: who asks what at which time, and what comes of it.

    As with a host, what is due by time has happened before anything is asked, and happens after.
    """

    def __init__(
        self,
        *,
        deal: DealOf = deal_of,
        draw: Draw | None = None,
        ghosts: Sequence[e.Ghost] = (),
        terms: Terms | None = None,
        **options: Any,
    ) -> None:
        self.now = BEGAN_AT
        self.draw = draw or numbered_chances()
        self.deal_of = deal
        self.entries: list[e.Entry] = []
        self.changes: list[tuple[Room, e.Event, Room]] = []
        """Each event with the room before and after it."""
        asked = b.create_room(**options)
        created = open_room(ROOM, asked, ANN, name_of(ANN), self.draw(), self.now, terms)
        if ghosts:
            created = created.model_copy(update={"ghosts": tuple(ghosts)})
        self.room = create(created)
        self._keep((created,))

    def ask(self, player: str, command: c.AnyRoomCommand, name: str | None = None) -> Outcome:
        """What the room makes of a player's command."""
        return self.request(Asked(player, name or name_of(player), command, self.draw()))

    def request(self, request: RoomRequest) -> Outcome:
        """What the room makes of a request."""
        if not isinstance(request, Reopen):
            self._settle()
        outcome = decide(self.room, request, self.now)
        if not isinstance(outcome, Refusal):
            self._take(outcome)
            self._settle()
        return outcome

    def does(self, player: str, *commands: c.AnyRoomCommand) -> tuple[e.Event, ...]:
        """The player says this and it is carried out; the events of the last command."""
        outcome: Outcome = ()
        for command in commands:
            outcome = self.ask(player, command)
            assert not isinstance(outcome, Refusal), f"{player}: {command.type}: {outcome}"
        assert not isinstance(outcome, Refusal)
        return outcome

    def refuses(self, player: str, command: c.AnyRoomCommand) -> str:
        """The player says this and is refused, which changes nothing; the error's code."""
        self._settle()
        before = self.room
        outcome = self.ask(player, command)
        assert isinstance(outcome, Refusal), f"{player}: {command.type} was carried out: {outcome}"
        assert self.room == before, "a refusal changes nothing"
        return outcome.code.value

    def drop(self, *players: str) -> None:
        for player in players:
            self.request(Dropped(player))

    def reopen(self, after_ms: int = 0) -> None:
        """The server was down for so long."""
        self.now += after_ms
        self.request(Reopen())

    def pass_ms(self, ms: int) -> None:
        """Time passes, and what it brings about happens when it is due."""
        until = self.now + ms
        while (due_at := next_due_at(self.room)) is not None and due_at <= until:
            self.now = max(self.now, due_at)
            self._settle()
        self.now = until

    def play(self, player: str, line: Line) -> None:
        """The player makes these moves, a second each."""
        for spots in line:
            self.pass_ms(1000)
            self.does(player, b.move(self.board(player).turn, *spots))

    def board(self, player: str) -> Board:
        return self.run(player).board

    def run(self, player: str) -> Run:
        return self.seat(player).run

    def seat(self, player: str) -> Seat:
        seat = self.room.seat(player)
        assert seat is not None, f"{player} has no seat"
        return seat

    @property
    def events(self) -> list[e.Event]:
        """All that happened, oldest first."""
        return [event for entry in self.entries for event in entry.events]

    def _settle(self) -> None:
        while (event := due(self.room, self.now)) is not None:
            self._take((event,))

    def _take(self, events: tuple[e.Event, ...]) -> None:
        for event in events:
            before, self.room = self.room, evolve(self.room, event, self.deal_of)
            self.changes.append((before, event, self.room))
        if events:
            self._keep(events)

    def _keep(self, events: tuple[e.Event, ...]) -> None:
        self.entries.append(e.Entry(events=events))


def table(*players: str, watching: Sequence[str] = (), **options: Any) -> Table:
    """A lobby where these have joined Ann."""
    at = Table(**options)
    for player in players:
        at.does(player, b.join())
    for spectator in watching:
        at.does(spectator, b.join("spectator"))
    return at


def countdown(*racers: str, watching: Sequence[str] = (), **options: Any) -> Table:
    """A room whose countdown has just begun, with Ann and these ready."""
    at = table(*racers, watching=watching, **options)
    for player in (ANN, *racers):
        at.does(player, b.ready())
    at.does(ANN, b.start())
    assert at.room.state == "countdown"
    return at


def race(*racers: str, watching: Sequence[str] = (), **options: Any) -> Table:
    """A race that has just started, between Ann and these."""
    at = countdown(*racers, watching=watching, **{"countdown_ms": 1000, **options})
    at.pass_ms(at.room.options.countdown_ms)
    return at


def finished(*racers: str, watching: Sequence[str] = (), **options: Any) -> Table:
    """A room whose race is over, since everybody has retired."""
    at = race(*racers, watching=watching, **options)
    for player in (ANN, *racers):
        at.does(player, b.retire())
    assert at.room.state == "over"
    return at


def ghosts(
    count: int, code: Code, seed: int, *, undo: bool = True, time_limit_ms: int | None = 900_000
) -> tuple[e.Ghost, ...]:
    """So many ghosts on a deal: whatever players of all kinds may have done there once."""
    if count == 0:
        return ()
    record = RaceRecord.model_validate_json(
        json.dumps(
            simulated_race(
                seed, code=str(code), undo=undo, time_limit_ms=time_limit_ms, players=count
            )
        )
    )
    return tuple(ghost_of(record.race, line) for line in record.players)


class HostedRoom:
    """A room's host on a log, a link for each player, and a clock that the test moves."""

    def __init__(self, log: EventLog, clock: FakeClock, deal: DealOf, draw: Draw) -> None:
        self.log = log
        self.clock = clock
        self.deal_of = deal
        self.draw = draw
        self.watcher = FakeWatcher()
        self.links: dict[str, FakeLink] = {}
        self.has_ended = False
        self.host: RoomHost

    async def open(self, ghosts: Sequence[e.Ghost] = (), **options: Any) -> None:
        """Ann opens the room, and her connection is told what happens there."""
        asked = b.create_room(**options)
        now = self.clock.now()
        created = open_room(ROOM, asked, ANN, name_of(ANN), self.draw(), now)
        created = created.model_copy(update={"ghosts": tuple(ghosts)})
        entry = e.Entry(player=ANN, answer="room", events=(created,))
        await self.log.append(Batch(ROOM, 0, [e.write_entry(entry)]))
        self.host = self._host(created)
        self.host.begin()
        self.host.attach(ANN, self.link(ANN))
        await self.settled()

    @property
    def room(self) -> Room:
        return self.host.room

    def link(self, player: str) -> FakeLink:
        """The connection that the player speaks by."""
        return self.links.setdefault(player, FakeLink())

    def reconnect(self, player: str) -> FakeLink:
        """A new connection of the player, who has yet to join by it."""
        self.links[player] = FakeLink()
        return self.links[player]

    def say(self, player: str, command: c.AnyRoomCommand) -> None:
        """The player says this; nobody waits for what comes of it."""
        asked = Asked(player, name_of(player), command, self.draw())
        self.host.submit(Request(asked, command.id, self.link(player)))

    async def ask(self, player: str, command: c.AnyRoomCommand) -> Said:
        """The player says this, and is answered so."""
        link = self.link(player)
        before = len(link.frames)
        self.say(player, command)
        await self.settled()
        assert len(link.frames) > before, f"{player}: {command.type} was not answered"
        return link.all()[before]

    async def does(self, player: str, *commands: c.AnyRoomCommand) -> Said:
        """The player says this and it is carried out; the last answer."""
        answer: Said = {}
        for command in commands:
            answer = await self.ask(player, command)
            assert answer["type"] != "error", f"{player}: {command.type}: {answer}"
        return answer

    async def drop(self, player: str) -> None:
        """The player's connection is gone."""
        link = self.link(player)
        link.is_open = False
        self.host.drop(player, link)
        await self.settled()

    async def pass_ms(self, ms: int) -> None:
        """Time passes, and timers run when they are due."""
        until = self.clock.now() + ms
        while (due_at := next_due_at(self.room)) is not None and due_at <= until:
            self.clock.advance(max(0, due_at - self.clock.now()))
            await self.settled()
            if self.has_ended:
                break
        self.clock.advance(until - self.clock.now())
        await self.settled()

    async def race(self, *racers: str) -> None:
        """Ann and these race from now on."""
        for player in racers:
            await self.does(player, b.join())
        for player in (ANN, *racers):
            await self.does(player, b.ready())
        await self.does(ANN, b.start())
        await self.pass_ms(self.room.options.countdown_ms)
        assert self.room.state == "racing"

    async def settled(self) -> None:
        """Return once all that was asked is written and told."""
        for _ in range(2):
            await quiet()
            if not isinstance(self.log, MemoryLog):
                await self.log.identity(b"")  # everything that was written before is durable now
        await quiet()

    async def crash(self) -> None:
        """The process is gone in the middle of whatever it did; nothing but the log is left."""
        task = self.host._task
        assert task is not None, "the host has begun"
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        for link in self.links.values():
            link.is_open = False
        self.links.clear()

    async def restart(self) -> None:
        """The room is brought back from its log."""
        self.host = await self.replayed()
        self.has_ended = False
        self.host.reopen()
        await self.settled()

    async def replayed(self) -> RoomHost:
        """A host that has read the log, and hasn't begun."""
        entries = [e.read_entry(line) for line in await self.log.read(ROOM)]
        created = entries[0].events[0]
        assert isinstance(created, e.RoomCreated), "a room begins with its creation"
        host = self._host(created)
        await host.replay(entries[1:])
        return host

    def _host(self, created: e.RoomCreated) -> RoomHost:
        return RoomHost.opened(
            created, self.log, self.clock, self.watcher, self._ended, self.deal_of
        )

    def _ended(self, host: RoomHost) -> None:
        self.has_ended = True


@asynccontextmanager
async def hosted(
    log: EventLog | None = None,
    *,
    deal: DealOf = deal_of,
    draw: Draw | None = None,
    **options: Any,
) -> AsyncIterator[HostedRoom]:
    """A room that Ann has just opened, on the running loop, whose timers the test's clock drives."""
    clock = FakeClock()
    clock.drive(asyncio.get_running_loop())
    room = HostedRoom(log or MemoryLog(), clock, deal, draw or numbered_chances())
    await room.open(**options)
    try:
        yield room
    finally:
        await room.host.stop()


# --- Histories at random ----------------------------------------------------------------------


class Act(NamedTuple):
    """Something that somebody does next; what it is exactly depends on the room by then."""

    kind: str
    who: str
    number: int


DURATIONS_MS = (0, 1, 40, 999, 1000, 5_000, 60_000, 600_000)
OPTIONS: tuple[OptionChanges, ...] = (
    OptionChanges(time_limit_ms=None),
    OptionChanges(time_limit_ms=5_000),
    OptionChanges(undo=False),
    OptionChanges(undo=True, ends="first_win"),
    OptionChanges(ends="all", countdown_ms=0),
    OptionChanges(countdown_ms=1000),
    OptionChanges(max_players=2),
    OptionChanges(max_players=1),
    OptionChanges(public=True),
    OptionChanges(public=False),
    OptionChanges(spectators="none"),
    OptionChanges(spectators="scores"),
    OptionChanges(spectators="fair"),
    OptionChanges(spectators="open", spectator_delay_ms=1000),
    OptionChanges(reactions=False),
    OptionChanges(code=None),
    *(OptionChanges(code=Code.parse(code)) for code in OPEN_CODES),
)
_KINDS = {
    "join": 6, "watch": 2, "leave": 2, "ready": 6, "unready": 1, "start": 6, "options": 4, "kick": 2,
    "rematch": 2, "move": 16, "line": 12, "stray": 2, "stale": 1, "behind": 1, "undo": 6, "retire": 2,
    "drop": 3, "reopen": 1, "wait": 8, "win": 2, "finish": 3, "again": 3,
    "desert": 1, "react": 2,
}  # fmt: skip
"""What happens how often."""


def histories(
    people: Sequence[str] = b.PEOPLE[:4], most: int = 150
) -> st.SearchStrategy[list[Act]]:
    """What happens in a room, one act after the other; a failure is cut short, not rewritten."""
    seeds = st.integers(0, 2**32 - 1)
    lengths = st.integers(0, 3 * most).map(lambda length: min(length, most))
    return st.builds(lambda seed, length: history(people, seed)[:length], seeds, lengths)


def history(people: Sequence[str], seed: int, length: int = 150) -> list[Act]:
    """What happens in the room of this number."""
    chance = random.Random(seed)
    acts = chance.choice(([], _beginning(people[:1]), _beginning(people[:3]), _beginning(people)))
    while len(acts) < length:
        (kind,) = chance.choices([*_KINDS], [*_KINDS.values()])
        acts += _acts(kind, people, chance)
    return acts


def _acts(kind: str, people: Sequence[str], chance: random.Random) -> list[Act]:
    who = chance.choice(people)
    if kind == "win":
        return [Act("line", who, 0)] * WON_MOVES
    if kind == "finish":
        return [Act(one, player, 0) for player in people for one in ("join", "retire")]
    if kind == "desert":
        left = [Act("drop", player, 0) for player in people]
        return [*left, Act("wait", who, chance.randrange(1000)), Act("wait", who, 7)]
    if kind == "again":
        return [Act("rematch", player, chance.randrange(9)) for player in people] + _beginning(
            people[: chance.randint(1, len(people))]
        )
    times = chance.choice((1, 1, 2, 5)) if kind in ("move", "line", "undo") else 1
    return [Act(kind, who, chance.randrange(1000)) for _ in range(times)]


def _beginning(racers: Sequence[str]) -> list[Act]:
    """Acts by which these come to race."""
    come = [act for who in racers for act in (Act("join", who, 0), Act("ready", who, 0))]
    return [*come, *(Act("start", who, 0) for who in racers), Act("wait", racers[0], 5)]


def wait_of(act: Act) -> int:
    """For how long this waits, ms."""
    return DURATIONS_MS[act.number % len(DURATIONS_MS)]


def request_of(act: Act, room: Room, draw: Draw) -> RoomRequest:
    """What the act asks of the room as it is now."""
    if act.kind == "drop":
        return Dropped(act.who)
    if act.kind == "reopen":
        return Reopen()
    who = speaker(act, room)
    return Asked(who, name_of(who), command_of(act, room), draw())


def speaker(act: Act, room: Room) -> str:
    """Who says it: what only a host may say, the host says two times of three."""
    is_hosts = act.kind in ("start", "options", "kick", "rematch")
    return room.host if is_hosts and act.number % 3 else act.who


def command_of(act: Act, room: Room) -> c.AnyRoomCommand:
    """What the act says in the room as it is now."""
    if act.kind in _SAID:
        return _SAID[act.kind]
    match act.kind:
        case "options":
            return c.SetOptions(room=ROOM, options=OPTIONS[act.number % len(OPTIONS)])
        case "kick":
            return b.kick([*room.members, "p_nobody"][act.number % (len(room.members) + 1)])
        case "react":
            return b.react(_SIGNS[act.number % len(_SIGNS)])
        case "rematch":
            return b.rematch(Code.parse(OPEN_CODES[0]) if act.number % 2 else None)
        case _:
            return _on_board(act, room)


_SIGNS: tuple[c.ReactionKind, ...] = get_args(c.ReactionKind)
_SAID: dict[str, c.AnyRoomCommand] = {
    "join": b.join(),
    "watch": b.join("spectator"),
    "leave": b.leave(),
    "ready": b.ready(),
    "unready": b.ready(ready=False),
    "start": b.start(),
    "retire": b.retire(),
}


def _on_board(act: Act, room: Room) -> c.Move | c.Undo:
    seat = room.seat(act.who)
    board = None if seat is None else seat.run.board
    turn = 0 if board is None else board.turn
    match act.kind:
        case "undo":
            return b.undo(turn)
        case "behind":
            return b.undo(turn + act.number % 3)
        case "stray":
            return b.move(turn, *_stray_spots(act.number))
        case "stale":
            return b.move(turn + 1 + act.number % 2, "1", "2")
        case _:
            return b.move(turn, *_spots(act, board, room.code))


def _stray_spots(number: int) -> list[str]:
    """Two or three spots, or what are none, without a look at the cards."""
    names = [*SPOTS, "13", "R9"]
    return [names[(number * step) % len(names)] for step in range(1, 2 + number % 4)]


def _spots(act: Act, board: Board | None, code: Code) -> Sequence[str]:
    """A move that goes, where there is one: the next of a winning line, or any."""
    if board is None:
        return ("1", "2")
    if act.kind == "line" and str(code) in (*OPEN_CODES, *SEALED_CODES):
        line = winning_line(str(code))
        played = [[*move] for move in board.history]
        if played == line[: len(played)] and len(played) < len(line):
            return line[len(played)]
    moves = board.legal_moves()
    return moves[act.number % len(moves)] if moves else ("1", "2")
