"""Who is told of one tournament: its state, on every change, many changes within a moment as one."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from halfmoon_server.hosting.room_host import Link

SHORTEST_S = 0.2
BYTES_PER_S = 4_000_000
"""So much is told at most: what is large, or goes to many, is told the less often."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a connection speaks for, and whether they play."""

    player: str
    plays: bool


class Bulletin:
    """The connections that are told of a tournament."""

    def __init__(self, name: str, frame: Callable[[], bytes]) -> None:
        """`frame` gives the state as it is when it is called."""
        self._name = name
        self._frame = frame
        self._readers: dict[Link, Reader] = {}
        self._loop = asyncio.get_running_loop()
        self._told_at = 0.0
        self._wait_s = 0.0
        self._tick: asyncio.TimerHandle | None = None

    @property
    def online(self) -> set[str]:
        """The players who are connected to play."""
        return {reader.player for reader in self._readers.values() if reader.plays}

    def add(self, player: str, link: Link, *, plays: bool) -> None:
        """Tell this connection everything from now on."""
        known = self._readers.get(link)
        self._readers[link] = Reader(player, plays or (known is not None and known.plays))
        if plays and (known is None or not known.plays):
            self.changed()

    def remove(self, link: Link) -> None:
        """Tell it nothing more."""
        reader = self._readers.pop(link, None)
        if reader is not None and reader.plays:
            self.changed()

    def displace(self, player: str) -> None:
        """This player has no entry any more: their connection is told nothing more, and closed."""
        for link in [
            link for link, one in self._readers.items() if one == Reader(player, plays=True)
        ]:
            self.remove(link)
            link.displaced()

    def hand_over(self, old: Link, new: Link) -> None:
        """A newer connection of the same player takes the place of the old."""
        reader = self._readers.pop(old, None)
        if reader is not None:
            self._readers[new] = reader

    def changed(self) -> None:
        """Something has changed: tell it, at once where nothing was told lately."""
        if self._tick is None:
            wait = self._told_at + self._wait_s - self._loop.time()
            # Never within the same turn: answers come before what they cause.
            self._tick = self._loop.call_later(max(0, wait), self._tell)

    def close(self) -> None:
        """Tell nobody anything more."""
        if self._tick is not None:
            self._tick.cancel()
        self._readers.clear()

    def _tell(self) -> None:
        self._tick = None
        self._told_at = self._loop.time()
        if not self._readers:
            return
        frame = self._frame()
        self._wait_s = max(SHORTEST_S, len(frame) * len(self._readers) / BYTES_PER_S)
        for link in self._readers:
            link.offer(frame, self._name, partial(self._resync, link))

    def _resync(self, link: Link) -> None:
        """A slow reader reads again: the state as it is now makes up for what was dropped."""
        if link in self._readers:
            link.send(self._frame())
