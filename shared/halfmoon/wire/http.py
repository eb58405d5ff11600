"""What the HTTP part answers in JSON (Contract §4)."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from halfmoon.wire.commands import As
from halfmoon.wire.errors import Bar
from halfmoon.wire.fields import Count, Maybe, Moment, RoomId
from halfmoon.wire.messages import HeatOf, RoomState
from halfmoon.wire.options import RoomOptions, Spectators

_MODEL = ConfigDict(defer_build=True, frozen=True, strict=True)

ROOMS_A_PAGE = 100
"""The most rooms that one answer of `/api/rooms` holds."""


class PublicRoom(BaseModel):
    """A public room in the list of rooms."""

    model_config = _MODEL

    room: RoomId
    state: RoomState
    host_name: str
    players: Count
    """How many players are there; spectators are not counted."""
    max_players: Count
    spectators: Count
    options: RoomOptions


class RoomsPage(BaseModel):
    """Public rooms, the newest first. The rooms after the last of them are `?after=` its id."""

    model_config = _MODEL

    rooms: list[PublicRoom]


class RoomGlance(BaseModel):
    """What a room's link tells before one comes in: whose room it is, and whether one can."""

    model_config = _MODEL

    room: RoomId
    state: RoomState
    host_name: str
    """Empty in a heat of a tournament, which has no host."""
    players: Count
    """How many players are there; spectators are not counted."""
    max_players: Count
    spectators: Count
    """Walls and overlays are not counted."""
    watching: Spectators
    """What those who watch see; with `none` nobody may."""
    starts_at: Maybe[Moment] = None
    ends_at: Maybe[Moment] = None
    heat: Maybe[HeatOf] = None
    bar: Maybe[Bar] = None
    """What keeps who asks out of this room; without a token, what keeps everybody out."""
    you: Maybe[As] = None
    """As what who asks is there already."""


class Address(BaseModel):
    """Where others find this server, as far as it can be told."""

    model_config = _MODEL

    origin: str
    """What the address of a page begins with, such as `http://192.168.1.5:8080`."""
    reach: Literal["device", "network"]
    """Who can open it: this device alone, or others in its network too."""


class Health(BaseModel):
    """Whether the server can do its work; `failing` comes with status 503."""

    model_config = _MODEL

    status: Literal["ok", "failing"] = "ok"


class HttpError(BaseModel):
    """Why a request was not answered as asked: a code for programs, a sentence for people."""

    model_config = _MODEL

    error: str
    message: str
