"""Everybody who is connected to one room: who is told what, by which number, and when.

Messages are made by `views`; here each is encoded once and goes to all whom it is for.
"""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Generic, Protocol, TypeVar

from halfmoon_server.frames import message_frame
from halfmoon_server.hosting.clock import Clock, seconds_until
from halfmoon_server.hosting.gallery import Gallery, Scene
from halfmoon_server.hosting.snapshots import Snapshots
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.state import Room

PROGRESS_TICK_MS = 50
BIG_ROOM_TICK_MS = 100
BIG_ROOM = 100
"""From so many people up a room's progress is told by the slower tick."""
NUMBERS_PER_EVENT = 4
"""An event is told in fewer broadcasts than this, so numbers after a restart are past all before."""
ACTIONS = (e.MoveMade, e.UndoMade, e.Retired)


class Listener(Protocol):
    """A connection that is told things."""

    def send(self, frame: bytes) -> None:
        """Send a frame that must not be lost."""
        ...

    def offer(self, frame: bytes, room: str, resync: Callable[[], None]) -> None:
        """Send a frame that may be dropped for a slow reader, who then gets `resync`."""
        ...


L = TypeVar("L", bound=Listener)


class Audience(Generic[L]):
    """The connections of one room, by player."""

    def __init__(self, room: Callable[[], Room], clock: Clock) -> None:
        self.links: dict[str, L] = {}
        self._room = room
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._n = 0
        self._dirty: dict[str, None] = {}
        self._told_at = 0.0
        self._tick: asyncio.TimerHandle | None = None
        self._gallery = Gallery()
        self._snapshots = Snapshots()
        self._curtain: asyncio.TimerHandle | None = None
        self._watching: list[tuple[str, L]] | None = None
        """Who may watch, as long as nothing happened that could change it."""

    @property
    def n(self) -> int:
        """The number of the last broadcast."""
        return self._n

    def snapshot(self, room: Room, player: str, re: str | None = None) -> bytes:
        """The frame of the room as this member sees it."""
        return self._snapshots.frame(room, player, self._n, re, self._gallery.shown)

    def sit(self, player: str, link: L) -> None:
        """The connection speaks and hears for this player from now on."""
        self.links[player] = link
        self._watching = None

    def rise(self, player: str) -> L | None:
        """The connection that spoke for this player no longer does."""
        self._watching = None
        return self.links.pop(player, None)

    def replay(self, before: Room, event: e.Event, after: Room) -> None:
        """Take in what was told before the server was started anew."""
        self._gallery.replay(before, event, after)

    def resume(self, room: Room) -> None:
        """Go on after `replay`, with numbers that were never used."""
        self._n = NUMBERS_PER_EVENT * room.events
        self._gallery.resume(room, self._clock.now())
        self._set_curtain()

    def close(self) -> None:
        """Stop all timers and let everybody go."""
        for timer in (self._tick, self._curtain):
            if timer is not None:
                timer.cancel()
        self.links.clear()
        self._watching = None

    def show_all(self, player: str) -> None:
        """All boards to a connection that took another's place, before any news of them."""
        if views.may_watch(self._room(), player):
            self._show_boards(self._room(), [player])

    # What happened

    def tell(self, before: Room, event: e.Event, after: Room) -> None:
        """Tell everybody what an event lets them know."""
        newcomers = self._new_watchers(before, event, after)
        if newcomers or not isinstance(event, ACTIONS):
            self._watching = None
        self._gallery.follow(before, event, after)
        if isinstance(event, ACTIONS):
            self._dirty[event.player] = None
            self._show_boards(after, newcomers)
            self._show_due(after)
            return
        if isinstance(event, e.RaceOver):
            # Whatever still waits is shown to those who watch, before they are told the end.
            self._flush_progress(before)
            self._show(before, None)
            self._watching = None
        elif isinstance(event, e.MemberLeft | e.RematchOpened | e.SeatsHandedOver):
            self._flush_progress(before)
            self._watching = None
        self._tell_all(before, event, after)
        self._show_boards(after, newcomers)
        self._show_due(after)

    def _tell_all(self, before: Room, event: e.Event, after: Room) -> None:
        message, frame = None, b""
        for told in views.told(before, event, after, self._n):
            if told.message is not message:  # one that goes to several is written once
                message, frame = told.message, message_frame(told.message)
            if told.to is not None:
                if (link := self.links.get(told.to)) is not None:
                    link.send(frame)
                continue
            self._n += 1
            for link in self.links.values():
                link.send(frame)

    # Progress

    def tell_progress(self) -> None:
        """Tell how racers stand: at once in a quiet room, else when the tick is over."""
        if not self._dirty or self._tick is not None:
            return
        tick_ms = BIG_ROOM_TICK_MS if len(self._room().members) >= BIG_ROOM else PROGRESS_TICK_MS
        wait = self._told_at + tick_ms / 1000 - self._loop.time()
        if wait <= 0:
            self._flush_progress(self._room())
        else:
            self._tick = self._loop.call_later(wait, self._tick_over)

    def _tick_over(self) -> None:
        self._tick = None
        self._flush_progress(self._room())

    def _flush_progress(self, room: Room) -> None:
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None
        if not self._dirty or room.race is None:
            return
        self._n += 1
        frame = watched = message_frame(views.progress(room, self._dirty, self._n))
        watching = {player for player, _ in self._watchers(room)}
        if watching:
            said = views.progress(room, self._dirty, self._n, to_watchers=True)
            watched = message_frame(said)
        self._dirty.clear()
        self._told_at = self._loop.time()
        for player, link in self.links.items():
            self._offer(player, link, watched if player in watching else frame)

    def _offer(self, player: str, link: L, frame: bytes) -> None:
        link.offer(frame, self._room().room, partial(self._resync, player, link))

    def _resync(self, player: str, link: L) -> None:
        """A slow reader reads again: the room as it is now makes up for what was dropped."""
        room = self._room()
        if self.links.get(player) is link and player in room.members:
            link.send(self.snapshot(room, player))

    # Boards

    def _new_watchers(self, before: Room, event: e.Event, after: Room) -> list[str]:
        """The racers who by this event are done, and may watch from now on."""
        if isinstance(event, ACTIONS):
            racers = [event.player]
        elif isinstance(event, e.RaceOver) and before.race is not None:
            racers = [*before.race.seats]
        else:
            return []
        return [
            player
            for player in racers
            if views.may_watch(after, player) and not views.may_watch(before, player)
        ]

    def _show_boards(self, room: Room, players: list[str]) -> None:
        """All boards as they have been shown by now, to those who haven't seen any."""
        shown = self._gallery.shown
        if shown is None or not players:
            return
        frame = message_frame(views.boards(room, shown))
        for player in players:
            if (link := self.links.get(player)) is not None:
                link.send(frame)

    def _show_due(self, room: Room) -> None:
        if self._gallery.next_due_at is not None:
            self._show(room, self._clock.now())
            self._set_curtain()

    def _show(self, room: Room, now: int | None) -> None:
        for scene, w in self._gallery.take_due(now):
            for frame in self._frames(room, scene, w):
                for player, link in self._watchers(room):
                    self._offer(player, link, frame)

    def _frames(self, room: Room, scene: Scene, w: int) -> Iterator[bytes]:
        shown = self._gallery.shown
        if scene.is_first and shown is not None:
            yield message_frame(views.boards(room, shown))
            return
        for number, sight in enumerate(scene.sights, start=w):
            yield message_frame(views.news(room, sight, number))

    def _watchers(self, room: Room) -> list[tuple[str, L]]:
        if self._watching is None:
            self._watching = [
                (player, link)
                for player, link in self.links.items()
                if views.may_watch(room, player)
            ]
        return self._watching

    def _set_curtain(self) -> None:
        """Come back when the next scene is due."""
        if self._curtain is not None:
            self._curtain.cancel()
            self._curtain = None
        due_at = self._gallery.next_due_at
        if due_at is not None:
            self._curtain = self._loop.call_later(
                seconds_until(due_at, self._clock), self._curtain_up
            )

    def _curtain_up(self) -> None:
        self._curtain = None
        self._show_due(self._room())
