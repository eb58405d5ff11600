"""The answers that were given, so that a command sent again is not carried out again.

Contract §5, *Commands and answers*: the last 256 of each player in each room.
"""

from collections import OrderedDict

MOST_PER_PLAYER = 256


class Answers:
    """Answers by player and by the command's `id`; the oldest of a player go first."""

    def __init__(self) -> None:
        self._by_player: dict[str, OrderedDict[str, bytes]] = {}

    def find(self, player: str, command_id: str | None) -> bytes | None:
        """The frame that this command was answered with, None where it wasn't carried out."""
        if command_id is None:
            return None
        given = self._by_player.get(player)
        return None if given is None else given.get(command_id)

    def remember(self, player: str, command_id: str | None, frame: bytes) -> None:
        """Keep the frame that answered the command; a command without an id is forgotten."""
        if command_id is None:
            return
        given = self._by_player.setdefault(player, OrderedDict())
        given[command_id] = frame
        if len(given) > MOST_PER_PLAYER:
            given.popitem(last=False)
