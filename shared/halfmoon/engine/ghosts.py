"""Ghosts: recorded runs that race along as they went then."""

from pydantic import BaseModel, ConfigDict


class GhostOf(BaseModel):
    """Whose recorded run a ghost is, and of which race."""

    model_config = ConfigDict(defer_build=True, frozen=True, strict=True)

    race: str
    player: str
