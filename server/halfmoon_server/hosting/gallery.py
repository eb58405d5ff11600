"""What those who watch a room are shown of boards, and when: at once, or with the room's delay."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.state import Room
from halfmoon_server.rooms.views import Made, Shown
from halfmoon_server.rooms.watching import (
    Sight,
    Watch,
    follow,
    renamed,
    renamed_sight,
    watch_of,
)


@dataclass(frozen=True, slots=True)
class Scene:
    """What one event lets those who watch see."""

    due_at: int
    sights: list[Sight]
    first: Watch | None
    """All boards, where the race has just begun; they are shown instead of news."""

    @property
    def is_first(self) -> bool:
        """Whether the race has just begun."""
        return self.first is not None


class Gallery:
    """Follows a room's events, and gives out what is due to be shown, in order."""

    def __init__(self) -> None:
        self._watch: Watch | None = None
        self._shown: Watch | None = None
        self._w = 0
        self._scenes: deque[Scene] = deque()
        self._made: Made = {}
        self._replayed: list[tuple[Room, e.Event, Room]] = []
        """What happened so far in a race that ran when the server stopped."""

    @property
    def shown(self) -> Shown | None:
        """What has been shown by now, None where no boards are to be seen."""
        return None if self._shown is None else Shown(self._shown, self._w, self._made)

    @property
    def next_due_at(self) -> int | None:
        """When something is to be shown, Unix ms; None where nothing waits."""
        return self._scenes[0].due_at if self._scenes else None

    def follow(self, before: Room, event: e.Event, after: Room) -> None:
        """Take an event in; what it lets be seen waits for its time."""
        watch, sights = follow(self._watch, before, event, after)
        is_first = isinstance(event, e.RaceStarted)
        self._watch = watch
        if isinstance(event, e.SeatsHandedOver):
            self._rename(event)
        if watch is None:
            self._shown = None
            self._made.clear()
            self._scenes.clear()
        elif is_first or sights:
            due_at = event.at + after.options.spectator_delay_ms
            # A scene keeps what changed alone: with a delay, thousands of them may wait.
            self._scenes.append(Scene(due_at, sights, watch if is_first else None))

    def _rename(self, event: e.SeatsHandedOver) -> None:
        """What is shown, and what waits to be shown, belongs to who has the seats now."""
        if self._shown is not None:
            self._shown = renamed(self._shown, event)
        for scene in [*self._scenes]:
            self._scenes.popleft()
            sights = [renamed_sight(sight, event) for sight in scene.sights]
            first = None if scene.first is None else renamed(scene.first, event)
            self._scenes.append(Scene(scene.due_at, sights, first))

    def replay(self, before: Room, event: e.Event, after: Room) -> None:
        """Take in what happened before the server was started anew, until `resume`.

        Of a race that is over only the last boards are to be seen, so nothing of it is kept.
        """
        if isinstance(event, e.RaceStarted | e.RaceOver | e.RematchOpened):
            self._replayed.clear()
        if after.state == "racing":
            self._replayed.append((before, event, after))

    def resume(self, room: Room, now: int) -> None:
        """Go on from here: what was due by now has been shown."""
        for before, event, after in self._replayed:
            self.follow(before, event, after)
        self._replayed.clear()
        if room.state == "over":
            self._watch = self._shown = watch_of(room)
        for _ in self.take_due(now):
            continue

    def take_due(self, now: int | None) -> Iterator[tuple[Scene, int]]:
        """Each scene that is due by `now` (None: all), with the number of its first news.

        It counts as shown from then on.
        """
        while self._scenes and (now is None or self._scenes[0].due_at <= now):
            scene = self._scenes.popleft()
            self._shown = self._after(scene)
            first = self._w + 1
            self._w += len(scene.sights)
            yield scene, first

    def _after(self, scene: Scene) -> Watch | None:
        """What is shown once this scene is: each board as its last sight leaves it."""
        if scene.first is not None or self._shown is None:
            return scene.first
        seen = {sight.after.player: sight.after for sight in scene.sights}
        return replace(self._shown, seats={**self._shown.seats, **seen})
