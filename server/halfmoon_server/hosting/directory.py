"""Opens, finds, restores and evicts rooms."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

import structlog

from halfmoon.engine.codes import LETTERS, Code, Variant
from halfmoon.engine.deals import Deal
from halfmoon.engine.draws import SECRET_BYTES
from halfmoon.wire import commands as c
from halfmoon.wire.errors import ErrorCode
from halfmoon.wire.fields import ROOM_ALPHABET, ROOM_ID_LENGTH
from halfmoon.wire.options import RoomOptions
from halfmoon_server.challenges.keeper import Keeper
from halfmoon_server.eventlog.base import (
    Batch,
    EventLog,
    Key,
    LogConflict,
    LogDamaged,
    LogUnavailable,
)
from halfmoon_server.frames import message_frame
from halfmoon_server.hosting.clock import Clock
from halfmoon_server.hosting.room_host import RoomHost, Watcher
from halfmoon_server.indexing import UNREADABLE, create_key, keys_of
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.commands import Chance, Refusal
from halfmoon_server.rooms.decide import deal_seen, open_room
from halfmoon_server.rooms.evolve import DealOf, create
from halfmoon_server.rooms.state import Room
from halfmoon_server.rooms.terms import Terms
from halfmoon_server.settings import Limits

log = structlog.get_logger()

RACE_BYTES = 8
MOST_LISTED = 1000
"""Public rooms that are remembered after they vanished."""


def sealed_code() -> Code:
    """A fresh sealed code from the system's CSPRNG (Contract §2)."""
    return Code.from_number(Variant.SEALED, secrets.randbelow(26 ** LETTERS[Variant.SEALED]))


def draw() -> Chance:
    """Fresh random values for one decision, from the system's CSPRNG (Contract §2)."""
    return Chance(
        race=f"r_{secrets.token_hex(RACE_BYTES)}", secret=secrets.token_bytes(SECRET_BYTES)
    )


def new_room_id() -> str:
    """A fresh room id."""
    return "".join(secrets.choice(ROOM_ALPHABET) for _ in range(ROOM_ID_LENGTH))


class Stopping(Exception):
    """The server stops and takes nothing new."""


class NoPlace(Exception):
    """No new room is opened, since there are as many as may be; says of what."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class Directory:
    """All rooms of this server: those in memory, and those that their logs can bring back."""

    def __init__(
        self,
        event_log: EventLog,
        clock: Clock,
        watcher: Watcher,
        deal_of: DealOf = Deal.of,
        limits: Limits | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        self._log = event_log
        self._clock = clock
        self._keeper = keeper or Keeper(event_log, clock, sealed_code)
        self._watcher = watcher
        self._deal_of = deal_of
        self._limits = limits or Limits()
        self.on_race_over: Callable[[Room], None] = lambda _: None
        """Told of every race that is over, once that is in the log."""
        self._hosts: dict[str, RoomHost] = {}
        self._asleep: dict[str, None] = {}
        self._restoring: dict[str, asyncio.Task[RoomHost | None]] = {}
        self._creating: dict[object, asyncio.Task[Opened | Refusal]] = {}
        """By the key of the command, or by nothing but itself where it has no id."""
        self._claims: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        """Held by who opens a room for a contest where each plays alone, and once."""
        self._listed: OrderedDict[str, Room] = OrderedDict()
        """The public rooms that were there lately, by which a list of rooms goes on."""
        self._waking: asyncio.Task[None] | None = None
        self._is_stopping = False

    def __len__(self) -> int:
        return len(self._hosts)

    async def begin(self) -> None:
        """Learn which rooms live; they are brought back one by one, or when somebody asks."""
        self._asleep = dict.fromkeys(await self._log.live_rooms())
        self._waking = asyncio.create_task(self._wake_all(), name="waking rooms")

    async def stop(self) -> None:
        """Let every room finish what it was asked, and end; those on their way into memory too."""
        self._is_stopping = True
        if self._waking is not None:
            self._waking.cancel()
        coming: list[asyncio.Task[Any]] = [*self._restoring.values(), *self._creating.values()]
        await asyncio.gather(*coming, return_exceptions=True)
        hosts = [*self._hosts.values()]
        await asyncio.gather(*(host.stop() for host in hosts))

    def rooms(self) -> Iterator[Room]:
        """The rooms in memory."""
        return (host.room for host in self._hosts.values())

    async def open(self, player: str, name: str, command: c.CreateRoom) -> "Opened | Refusal":
        """Open a room for its creator, or say why not.

        Raises `LogUnavailable`, `NoPlace` and `Stopping`.

        Sent again with the same id it opens nothing and gives the first answer again.
        """
        if self._is_stopping:
            raise Stopping
        key = None if command.id is None else create_key(player, command.id)
        task = None if key is None else self._creating.get(key)
        if task is None:
            opening = key or object()
            task = asyncio.create_task(self._open_once(key, player, name, command))
            self._creating[opening] = task
            task.add_done_callback(lambda _: self._creating.pop(opening, None))
        return await asyncio.shield(task)

    async def find(self, room: str) -> RoomHost | None:
        """The host of this room, brought back from its log where need be; None: no such room.

        Raises `LogUnavailable` and `Stopping`.
        """
        host = self._hosts.get(room)
        if host is not None or room not in self._asleep:
            return host
        if self._is_stopping:
            raise Stopping
        task = self._restoring.get(room)
        if task is None:
            task = asyncio.create_task(self._restore(room), name=f"restoring {room}")
            self._restoring[room] = task
            task.add_done_callback(lambda _: self._restoring.pop(room, None))
        return await asyncio.shield(task)

    async def open_heat(
        self, created: e.RoomCreated, seated: e.HeatSeated
    ) -> tuple[RoomHost, bool]:
        """A heat's room, and whether it is new: then `begin_heat` is to be called at once.

        Asked for again it is the same room. Raises `LogUnavailable` and `Stopping`.
        """
        if self._is_stopping:
            raise Stopping
        entries = [e.write_entry(e.Entry(events=(event,))) for event in (created, seated)]
        keys = (Key("race", seated.race),)
        known = await self.find(created.room)
        if known is not None:
            return known, False
        try:
            await self._log.append(Batch(created.room, 0, entries, keys))
        except LogConflict:
            raise LogUnavailable(f"{created.room} is another room's name") from None
        return self._new_host(created), True

    def is_known(self, room: str) -> bool:
        """Whether there is such a room."""
        return room in self._hosts or room in self._asleep

    def is_private(self, room: str, player: str | None) -> bool:
        """Whether others may come into this room, but it stands in no list, and this player isn't in it."""
        host = self._hosts.get(room)
        if host is None:
            return room in self._asleep
        there = host.room
        return not (there.options.public or there.only is not None or player in there.members)

    async def is_shut_to(self, room: Room, player: str) -> bool:
        """Whether this room tells who comes in a code that is shut to them: in an envelope, or the day's.

        Raises `LogUnavailable`.
        """
        if room.only is not None or player in room.members or not room.is_code_public:
            return False  # into a room for one alone nobody comes anyway
        return not await self._keeper.envelopes.is_open(room.code, player)

    async def is_shut_to_some(self, room: Room, code: Code) -> bool:
        """Whether a typed code would tell some who are in this room of a deal that is shut to them.

        Raises `LogUnavailable`.
        """
        envelopes = self._keeper.envelopes
        if await envelopes.is_open(code, None):
            return False
        return not all([await envelopes.is_open(code, player) for player in room.members])

    async def told_options(self, room: Room) -> RoomOptions:
        """A room's options as they stand in a list: without a code that is shut to anybody.

        Raises `LogUnavailable`.
        """
        code = room.options.code
        if code is None or await self._keeper.envelopes.is_open(code, None):
            return room.options
        return room.options.model_copy(update={"code": None})

    def listed(self, room: str) -> Room | None:
        """A public room that is there, or was there lately."""
        host = self._hosts.get(room)
        found = self._listed.get(room) if host is None else host.room
        return found if found is not None and found.options.public else None

    async def _open_once(
        self, key: Key | None, player: str, name: str, command: c.CreateRoom
    ) -> "Opened | Refusal":
        room = None if key is None else await self._log.find(key)
        if room is not None:
            return await self._opened_before(room, player, command)
        terms = await self._keeper.terms_for(command)
        if isinstance(terms, Refusal):
            return terms
        if terms is None or not terms.alone:
            return await self._open(player, name, command, terms)
        return await self._open_alone(player, name, command, terms)

    async def _opened_before(self, room: str, player: str, command: c.CreateRoom) -> "Opened":
        first, _ = await self._events(room)
        frame = _created_frame(create(first), player, command.id)
        return Opened(await self.find(room), frame, is_new=False)

    async def _events(self, room: str) -> tuple[e.RoomCreated, list[e.Event]]:
        """How a room began, and all that happened there; a log that can't be read isn't there now."""
        try:
            entries = [e.read_entry(line) for line in await self._log.read(room)]
            first, *rest = [event for entry in entries for event in entry.events]
            assert isinstance(first, e.RoomCreated), "a room begins with its creation"
        except UNREADABLE:
            raise LogUnavailable(f"the log of {room} can't be read") from None
        return first, rest

    async def _open_alone(
        self, player: str, name: str, command: c.CreateRoom, terms: Terms
    ) -> "Opened | Refusal":
        """The one room that a player has for a contest: as long as they haven't begun, the same."""
        async with self._claims.setdefault((player, terms.contest), asyncio.Lock()):
            rooms = await self._keeper.rooms_of(terms.contest, player)
            if rooms and await self._has_raced(rooms[-1]):
                return Refusal(ErrorCode.NOT_ALLOWED, "you have started on this deal already")
            if await self._keeper.envelopes.has_seen(terms.code, player):
                return deal_seen()
            host = await self.find(rooms[-1]) if rooms else None
            if host is not None:
                return Opened(host, None, is_new=False)
            return await self._open(player, name, command, replace(terms, attempt=len(rooms) + 1))

    async def _has_raced(self, room: str) -> bool:
        host = await self.find(room)
        if host is not None:
            return host.room.race is not None
        _, events = await self._events(room)
        return any(isinstance(event, e.RaceStarted) for event in events)

    async def _open(
        self, player: str, name: str, command: c.CreateRoom, terms: Terms | None
    ) -> "Opened":
        self._check_place(player)
        while True:
            room = new_room_id()
            if self.is_known(room):
                continue
            event = open_room(room, command, player, name, draw(), self._clock.now(), terms)
            entry = e.Entry(player=player, id=command.id, answer="room", events=(event,))
            try:
                keys = [*keys_of([entry])]
                await self._log.append(Batch(room, 0, [e.write_entry(entry)], keys))
            except LogConflict:  # a room of long ago had this id
                continue
            break
        self._watcher.carried_out(command.type)
        host = self._host(event)
        return Opened(host, _created_frame(host.room, player, command.id), is_new=True)

    def _check_place(self, player: str) -> None:
        """Raise `NoPlace` where the player, or the server, has as many rooms as may be."""
        if len(self._hosts) + len(self._asleep) >= self._limits.rooms:
            raise NoPlace(
                ErrorCode.UNAVAILABLE, "this server holds no more rooms: try again in a while"
            )
        hosted = sum(1 for room in self.rooms() if room.host == player)
        if hosted >= self._limits.rooms_per_player:
            raise NoPlace(
                ErrorCode.NOT_ALLOWED,
                f"you host {hosted} rooms, and no more are allowed: leave one",
            )

    def _host(self, event: e.RoomCreated) -> RoomHost:
        host = self._new_host(event)
        host.begin()
        return host

    def _new_host(self, event: e.RoomCreated) -> RoomHost:
        host = self._made(event)
        self._hosts[event.room] = host
        return host

    def _made(self, event: e.RoomCreated) -> RoomHost:
        host = RoomHost.opened(
            event, self._log, self._clock, self._watcher, self._ended, self._deal_of
        )
        host.on_race_over = self.on_race_over
        host.sights = self._keeper.envelopes
        return host

    def _ended(self, host: RoomHost) -> None:
        room = host.room.room
        if self._hosts.get(room) is host:
            del self._hosts[room]
            if not host.room.is_closed:
                self._asleep[room] = None
            elif host.room.options.public:
                self._listed[room] = host.room
                if len(self._listed) > MOST_LISTED:
                    self._listed.popitem(last=False)

    async def _wake_all(self) -> None:
        for room in [*self._asleep]:
            try:
                await self.find(room)
            except LogUnavailable as error:
                log.error("room.not_restored", room=room, error=str(error))

    async def _restore(self, room: str) -> RoomHost | None:
        try:
            entries = [e.read_entry(line) for line in await self._lines(room)]
            first = entries[0].events[0]
            assert isinstance(first, e.RoomCreated), "a room begins with its creation"
            host = self._made(first)
            await host.replay(entries[1:])
        except UNREADABLE as error:
            # What pydantic says of an entry repeats it, and the code of a race may stand there.
            why = str(error) if isinstance(error, LogDamaged) else type(error).__name__
            log.error("room.unreadable", room=room, error=why)
            self._asleep.pop(room, None)
            return None
        self._asleep.pop(room, None)
        self._hosts[room] = host
        host.reopen()
        return host

    async def _lines(self, room: str) -> list[str]:
        """The log of a room that nobody has in memory; one that broke off goes on from there."""
        try:
            return await self._log.read(room)
        except LogDamaged:
            return await self._log.break_off(room)


@dataclass(frozen=True, slots=True)
class Opened:
    """A room that was opened, and the answer to its creator."""

    host: RoomHost | None
    """None where the room has gone since the command was carried out."""
    frame: bytes | None
    """None where the room was there before: who comes back to it is answered by it."""
    is_new: bool


def _created_frame(room: Room, player: str, re: str | None) -> bytes:
    return message_frame(views.snapshot(room, player, 0, re))
