"""Whole rooms as frames: what all who see alike are told is written once, until something happens.

So it costs little to be asked for a room again and again, by a flood or by a class that returns.
"""

from typing import NamedTuple

from halfmoon.wire import codec
from halfmoon_server.frames import text_frame
from halfmoon_server.rooms import views
from halfmoon_server.rooms.state import Room
from halfmoon_server.rooms.views import Shown


class _Common(NamedTuple):
    """The text of a snapshot up to its reader's own part, and what it was made of."""

    text: str
    room: Room
    n: int
    shown: Shown | None

    def is_of(self, room: Room, n: int, shown: Shown | None) -> bool:
        """Whether nothing has changed since; rooms and boards are never changed in place."""
        if self.room is not room or self.n != n:
            return False
        if self.shown is None or shown is None:
            return self.shown is shown
        return self.shown.watch is shown.watch and self.shown.w == shown.w


class Snapshots:
    """The snapshots of one room."""

    def __init__(self) -> None:
        self._common: dict[bool, _Common] = {}
        """By whether it is for those who watch."""

    def frame(self, room: Room, player: str, n: int, re: str | None, shown: Shown | None) -> bytes:
        """The frame of `views.snapshot`, to the byte."""
        if not views.may_watch(room, player):
            shown = None
        common = self._common.get(shown is not None)
        if common is None or not common.is_of(room, n, shown):
            text = codec.write(views.snapshot(room, player, n, shown=shown))
            beginning = text.removesuffix(_rest(room, player))
            common = self._common[shown is not None] = _Common(beginning, room, n, shown)
        return text_frame(common.text + _rest(room, player, re))


def _rest(room: Room, player: str, re: str | None = None) -> str:
    """The reader's own part of a snapshot, which comes last in it."""
    return codec.write(views.own(room, player, re))[1:]
