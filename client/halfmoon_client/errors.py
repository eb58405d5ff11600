"""The exceptions of the client.

Each tells of something that the program that plays has to know::

    ClientError
    ├── CommandRefused          the server answered `error`; has the `code` and perhaps a `reason`
    ├── LeftRoom                one is in the room no longer; has `why`
    ├── RaceGone                a race ended and the room went on while the connection was away
    └── NoConnection            there is no connection, and none will come by itself
        ├── Replaced            the same player connected anew, and has the seats there
        └── ServerFault         the server broke the protocol
"""

from typing import Literal

from halfmoon.wire.errors import ErrorCode, Reason
from halfmoon.wire.messages import Error

WhyLeft = Literal["left", "kicked"] | ErrorCode
"""How one came to be out of a room: `left`, `kicked`, or why coming back was refused."""


class ClientError(Exception):
    """What a program that uses this client may want to catch."""


class CommandRefused(ClientError):
    """The command changed nothing, and why."""

    def __init__(self, answer: Error) -> None:
        super().__init__(f"{answer.reason or answer.code}: {answer.message}")
        self.code: ErrorCode = answer.code
        self.reason: Reason | None = answer.reason
        """The first reason that applies, with `illegal_move`."""
        self.message: str = answer.message
        """An English sentence for developers."""


class LeftRoom(ClientError):
    """One is in the room no longer, so nothing more is told of it."""

    def __init__(self, room: str, why: WhyLeft) -> None:
        super().__init__(f"not in room {room} any more: {why}")
        self.room = room
        self.why: WhyLeft = why


class RaceGone(ClientError):
    """The race ended and the room went on while the connection was away, so its end wasn't heard."""

    def __init__(self, race: str) -> None:
        super().__init__(f"the end of the race wasn't heard; its record is at /api/races/{race}")
        self.race = race


class NoConnection(ClientError, ConnectionError):
    """There is no connection, and none will come by itself."""


class Replaced(NoConnection):
    """The same player connected anew; coming back by itself would take the seats away again."""


class ServerFault(NoConnection):
    """The server sent what the protocol doesn't have, or says that this client did."""
