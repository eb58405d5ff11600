"""The options of a room (Contract §5): the race's own and how the room is run."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from halfmoon.engine.codes import Code
from halfmoon.engine.options import RaceOptions
from halfmoon.wire.fields import is_absent

Spectators = Literal["open", "fair", "scores", "none"]


class RoomOptions(RaceOptions):
    """All options as everybody in the room is shown them."""

    code: Annotated[Code | None, Field(exclude_if=is_absent)] = None
    """The code that somebody typed; left out where the deal is sealed."""
    max_players: Annotated[int, Field(ge=1, le=1000)] = 16
    """Players at most; spectators are not counted."""
    public: bool = False
    """Whether the room is listed in `/api/rooms`."""
    spectators: Spectators = "open"
    """What those who watch see of boards."""
    spectator_delay_ms: Annotated[int, Field(ge=0, le=3_600_000)] = 0
    """How much later those who watch are told about boards."""
    reactions: bool = True
    """Whether people may show each other signs."""
    countdown_ms: Annotated[int, Field(ge=0, le=60_000)] = 3000


class OptionChanges(RoomOptions):
    """The options that a command names; the others stay as they are.

    A `code` of null is named too: it goes back to a fresh sealed deal.
    """

    model_config = ConfigDict(extra="forbid")

    def named(self) -> dict[str, object]:
        """The options that were named, with their values."""
        return {name: getattr(self, name) for name in self.model_fields_set}

    @model_serializer(mode="wrap")
    def _write_named(self, write_all: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written = write_all(self)
        return {
            name: written.get(name)
            for name in RoomOptions.model_fields
            if name in self.model_fields_set
        }
