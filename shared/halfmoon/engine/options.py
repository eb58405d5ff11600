"""The options of a race that its rules depend on (Contract §5, options)."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from halfmoon.engine.codes import Code

TimeLimit = Annotated[int, Field(ge=1000, le=86_400_000)]
Ends = Literal["all", "first_win"]


class RaceOptions(BaseModel):
    """What a race is judged by."""

    model_config = ConfigDict(defer_build=True, frozen=True, strict=True)

    code: Annotated[Code | None, Field(exclude_if=lambda code: code is None)] = None
    """The code that somebody typed: the race is *open*. None: sealed."""
    time_limit_ms: TimeLimit | None = 900_000
    undo: bool = True
    ends: Ends = "all"
