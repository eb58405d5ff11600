"""Who has seen a deal, where that takes away the one try at it that everybody has."""

from pydantic import BaseModel, ConfigDict

from halfmoon.engine.codes import Code
from halfmoon_server.eventlog.base import Key

KIND = "reading"


class Reading(BaseModel):
    """A record that was handed to somebody who wasn't there: the one entry of its log."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    player: str
    code: Code
    at: int
    """When, Unix ms."""

    @property
    def log(self) -> str:
        """The name of its log."""
        return f"{KIND}/{self.player} {self.code}"


def key_of(player: str, code: Code) -> Key:
    """The key of the log that says that this player has seen this deal."""
    return Key("seen", f"{player} {code}")


def keys_of(reading: Reading) -> tuple[Key, ...]:
    """The keys that the log of a reading is given."""
    return (key_of(reading.player, reading.code),)


def is_reading(log: str) -> bool:
    """Whether a log of this name is a reading's, and no room's in which somebody races."""
    return log.startswith(f"{KIND}/")
