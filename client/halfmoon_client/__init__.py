"""A client in Python: a seat at a race for a program (`connect`), and its protocol (`Seat`)."""

from halfmoon_client.client import Client, Options, Race, Room, Tournament
from halfmoon_client.connect import connect
from halfmoon_client.errors import (
    ClientError,
    CommandRefused,
    LeftRoom,
    NoConnection,
    RaceGone,
    Replaced,
    ServerFault,
)
from halfmoon_client.seat import Seat

__all__ = [
    "Client",
    "ClientError",
    "CommandRefused",
    "LeftRoom",
    "NoConnection",
    "Options",
    "Race",
    "RaceGone",
    "Replaced",
    "Room",
    "Seat",
    "ServerFault",
    "Tournament",
    "connect",
]
