"""What the HTTP part answers in JSON (Contract §4)."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from halfmoon.wire.fields import Count, RoomId
from halfmoon.wire.messages import RoomState
from halfmoon.wire.options import RoomOptions

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
