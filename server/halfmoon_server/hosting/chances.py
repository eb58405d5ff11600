"""Random values for the decisions of tournaments, out of the system's CSPRNG."""

import secrets

from halfmoon.wire.fields import ROOM_ALPHABET
from halfmoon_server.eventlog.base import EventLog
from halfmoon_server.hosting.directory import RACE_BYTES, Directory, new_room_id, sealed_code
from halfmoon_server.tournaments.commands import Chance

CLAIM_GROUPS = 3
CLAIM_GROUP = 4


class Chances:
    """Draws values that were never used, room ids among them."""

    def __init__(self, event_log: EventLog, rooms: Directory) -> None:
        self._log = event_log
        self._rooms = rooms

    async def draw(self, *, heats: int = 0, claims: int = 0) -> Chance:
        """Values for so many heats and entries. Raises `LogUnavailable`."""
        return Chance(
            code=sealed_code(),
            rooms=[await self._room_id() for _ in range(heats)],
            races=[f"r_{secrets.token_hex(RACE_BYTES)}" for _ in range(heats)],
            claims=[new_claim() for _ in range(claims)],
        )

    async def _room_id(self) -> str:
        """An id that no room has or ever had: what is drawn with it can't be drawn again."""
        while True:
            room = new_room_id()
            if not self._rooms.is_known(room) and not await self._log.read(room):
                return room


def new_claim() -> str:
    """A fresh claim, about 59 bits, to be read off a sheet of paper."""
    return "-".join(
        "".join(secrets.choice(ROOM_ALPHABET) for _ in range(CLAIM_GROUP))
        for _ in range(CLAIM_GROUPS)
    )
