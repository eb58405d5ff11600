"""Random values for the decisions of tournaments, out of the system's CSPRNG."""

import asyncio
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
            rooms=await self._room_ids(heats),
            races=[f"r_{secrets.token_hex(RACE_BYTES)}" for _ in range(heats)],
            claims=[new_claim() for _ in range(claims)],
        )

    async def _room_ids(self, count: int) -> list[str]:
        """Ids that no room has or ever had: what is drawn with one can't be drawn again."""
        found: dict[str, None] = {}
        while len(found) < count:
            fresh = [new_room_id() for _ in range(count - len(found))]
            logs = await asyncio.gather(*(self._log.read(room) for room in fresh))
            found |= {
                room: None
                for room, lines in zip(fresh, logs, strict=True)
                if not lines and not self._rooms.is_known(room)
            }
        return [*found]


def new_claim() -> str:
    """A fresh claim, about 59 bits, to be read off a sheet of paper."""
    return "-".join(
        "".join(secrets.choice(ROOM_ALPHABET) for _ in range(CLAIM_GROUP))
        for _ in range(CLAIM_GROUPS)
    )
