"""Error codes, the reasons of `illegal_move`, and close codes (Contract §5)."""

from enum import IntEnum, StrEnum
from typing import Literal

from halfmoon.engine.errors import Reason

__all__ = ["Bar", "CloseCode", "ErrorCode", "Reason"]


Bar = Literal["alone", "put_out", "no_spectators", "deal_shut"]
"""Why somebody may not come into a room at all, or not to watch: it is for one alone, its host has
put them out, it takes no spectators, or it tells the code of a deal that is shut to them."""


class ErrorCode(StrEnum):
    """Why a command was not carried out."""

    BAD_MESSAGE = "bad_message"
    RATE_LIMITED = "rate_limited"
    WRONG_STATE = "wrong_state"
    UNKNOWN_ROOM = "unknown_room"
    UNKNOWN_TOURNAMENT = "unknown_tournament"
    UNKNOWN_CHALLENGE = "unknown_challenge"
    ROOM_FULL = "room_full"
    NOT_ALLOWED = "not_allowed"
    STALE_TURN = "stale_turn"
    NOTHING_TO_UNDO = "nothing_to_undo"
    ILLEGAL_MOVE = "illegal_move"
    UNAUTHORIZED = "unauthorized"
    UNAVAILABLE = "unavailable"
    """The server can't read or write its log right now; nothing was changed."""


class CloseCode(IntEnum):
    """Why a connection was closed (RFC 6455 §7.4, and our own from 4000 up)."""

    NORMAL = 1000
    UNSUPPORTED_DATA = 1003
    INVALID_TEXT = 1007
    POLICY_VIOLATION = 1008
    TOO_BIG = 1009
    INTERNAL_ERROR = 1011
    SERVICE_RESTART = 1012
    TRY_AGAIN_LATER = 1013
    REPLACED = 4001
    """The same player connected anew, and the newer connection has the seats."""
