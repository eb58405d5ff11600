"""Which races of a challenge's table are told to whom: a record names its room, into which others may come."""

from collections.abc import Collection, Mapping

from halfmoon.wire.challenges import TableLine
from halfmoon_server.eventlog.base import Key
from halfmoon_server.keys import Server


class Races:
    """Races as one reader is told them. Its methods raise `LogUnavailable`."""

    def __init__(self, server: Server, player: str | None, rooms: Mapping[str, str]) -> None:
        self._server = server
        self._player = player
        self._rooms = rooms
        """Rooms by their races, as far as they are known already."""

    async def told(self, race: str, raced: Collection[str]) -> str | None:
        """The race, for who raced there and where its room is no secret; else None."""
        if self._player is not None and self._player in raced:
            return race
        room = self._rooms.get(race) or await self._server.event_log.find(Key("race", race))
        directory = self._server.around.directory
        return None if room is None or directory.is_private(room, self._player) else race

    async def line(self, line: TableLine) -> TableLine:
        """A line of the table, with what may be told of its race."""
        of = line.ghost
        if line.race is None or await self.told(line.race, (of or line).player.split()) is not None:
            return line
        ghost = None if of is None else of.model_copy(update={"race": None})
        return line.model_copy(update={"race": None, "ghost": ghost})
