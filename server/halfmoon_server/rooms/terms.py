"""What a contest fixes of a room that races for it: the deal, the options, and who may come."""

from dataclasses import dataclass

from halfmoon.engine.codes import Code
from halfmoon.engine.options import RaceOptions
from halfmoon.wire.options import OptionChanges, RoomOptions
from halfmoon_server.rooms.events import Ghost

RACE_OPTIONS = frozenset(RaceOptions.model_fields)
"""What a race is judged by: the same for everybody who races for one contest."""
ALONE_OPTIONS = RACE_OPTIONS | {"max_players", "public", "spectators", "spectator_delay_ms"}
"""And what would let others into a room for one alone, or let them see its boards."""

LONGEST_COUNTDOWN_MS = 60_000
"""So late after `start_before` a race may begin whose countdown began in time."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a room is opened for."""

    contest: str
    """As `kind/id`."""
    code: Code
    """The deal, which nobody is told before the race is over."""
    options: RaceOptions
    alone: bool = False
    """Whether nobody but its creator ever comes in: the deal is a secret from all others."""
    ghosts: tuple[Ghost, ...] = ()
    start_before: int | None = None
    """No race starts from then on, Unix ms."""
    attempt: int = 1
    """Which of its creator's rooms for this contest it is, where each plays alone."""

    @property
    def room_options(self) -> RoomOptions:
        """The options that the room begins with."""
        judged = self.options.model_dump(include=set(RACE_OPTIONS)) | {"code": None}
        if not self.alone:
            return RoomOptions.model_validate(judged)
        return RoomOptions.model_validate({**judged, "max_players": 1, "spectators": "none"})


def fixed(changes: OptionChanges, *, alone: bool) -> str | None:
    """The first option named here that a contest's room can't change, None where there is none."""
    named = changes.model_fields_set & (ALONE_OPTIONS if alone else RACE_OPTIONS)
    return min(named, default=None)
