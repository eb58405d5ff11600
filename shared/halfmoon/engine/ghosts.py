"""Ghosts: recorded runs that race along as they went then."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class GhostOf(BaseModel):
    """Whose recorded run a ghost is, and of which race."""

    model_config = ConfigDict(defer_build=True, frozen=True, strict=True)

    race: Annotated[str | None, Field(exclude_if=lambda race: race is None)] = None
    """Absent where that race was in a room into which not everybody may come: its record names it."""
    player: str
