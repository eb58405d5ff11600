"""The types of the wire's fields: bounds, names, room ids, and fields that may be absent."""

import unicodedata
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetJsonSchemaHandler,
    StringConstraints,
    ValidationInfo,
)
from pydantic_core import CoreSchema

T = TypeVar("T")

MAX_INTEGER = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly."""

Count = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
Milliseconds = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
"""A duration; fields of it end in `_ms`."""
Moment = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
"""Unix time in ms by the server's clock; fields of it end in `_at`."""

CommandId = Annotated[str, StringConstraints(max_length=64)]
"""A client's own name for a command, used once per player; the answer repeats it as `re`."""


class _NeverNull:
    """The published schema of a field that is left out rather than null."""

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        shown = handler(core_schema)
        shown.pop("default", None)
        rest = [one for one in shown.get("anyOf", []) if one != {"type": "null"}]
        return rest[0] if len(rest) == 1 else shown


def _refuse_null(value: Any, info: ValidationInfo) -> Any:
    if value is None and info.mode == "json":
        raise ValueError("may be left out, but never null")
    return value


def is_absent(value: object) -> bool:
    """Whether an optional field has nothing to say and is left out of the text."""
    return value is None


Maybe = Annotated[
    T | None, BeforeValidator(_refuse_null), _NeverNull(), Field(exclude_if=is_absent)
]
"""A field marked `?` in the contract: absent from the text where it is None, and never null."""

NAME_LENGTH = 24
MOST_COMBINING = 2
"""Combining marks that may stand on one letter, so that no name reaches into another's line."""

_REFUSED_CATEGORIES = {
    "Cc": "a control character",
    "Cf": "an invisible format character",
    "Cs": "half of a character",
    "Co": "a private-use character",
    "Cn": "an unassigned character",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
}
_BLANK_LOOKING = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)


def read_name(text: str) -> str:
    """The name as everybody is shown it: NFC, trimmed, inner blanks collapsed (Contract §5, *Who*).

    Raises ValueError, which names the first thing that is wrong.
    """
    return read_line(text, NAME_LENGTH, "a name")


def read_line(text: str, most: int, what: str = "this") -> str:
    """One line of up to `most` characters, cleaned and refused as names are.

    Raises ValueError, which names the first thing that is wrong.
    """
    if len(text) > 8 * most:
        raise ValueError(f"{what} has at most {most} characters")
    normal = unicodedata.normalize("NFC", text)
    spaced = "".join(" " if unicodedata.category(c) == "Zs" else c for c in normal)
    name = " ".join(part for part in spaced.split(" ") if part)
    combining = 0
    for character in name:
        category = unicodedata.category(character)
        kind = _REFUSED_CATEGORIES.get(category)
        if kind is None and character in _BLANK_LOOKING:
            kind = "a character that looks like nothing"
        if kind is not None:
            raise ValueError(f"{what} can't hold {kind} (U+{ord(character):04X})")
        combining = combining + 1 if category.startswith("M") else 0
        if combining > MOST_COMBINING:
            raise ValueError(f"{what} can't pile up marks on one letter")
    if not name:
        raise ValueError(f"{what} can't be empty")
    if len(name) > most:
        raise ValueError(f"{what} has at most {most} characters")
    if not any(character.isalnum() for character in name):
        raise ValueError(f"{what} needs at least one letter or digit")
    return name


PlayerName = Annotated[str, AfterValidator(read_name)]

ROOM_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Digits and letters of which no two look alike; a room id is five of them."""
ROOM_ID_LENGTH = 5


def read_room_id(text: str) -> str:
    """The room id in upper case. Only ASCII has one here: `'ſ'.upper()` is `S`."""
    return text.upper() if text.isascii() else text


RoomId = Annotated[
    str,
    StringConstraints(max_length=64),
    AfterValidator(read_room_id),
    Field(examples=["K7M2P"]),
]
"""A room id in any case on input; what is no room's id is `unknown_room`, not a bad message."""

PlayerId = Annotated[str, StringConstraints(max_length=64), Field(examples=["p_4f1c0a9e2b7d8c35"])]
RaceId = Annotated[str, StringConstraints(max_length=64), Field(examples=["r_b1946ac92492d234"])]
CHALLENGE_ID_LENGTH = 12
"""Letters of a room id's alphabet: about 59 bits, which nobody guesses."""
ChallengeId = Annotated[
    str,
    StringConstraints(max_length=64),
    AfterValidator(read_room_id),
    Field(examples=["7QW2M9XKTB4H"]),
]
"""A challenge's id in any case on input; what is none is `unknown_challenge`, not a bad message."""
SEAL_PATTERN = "^[0-9a-f]{64}$"
Seal = Annotated[str, StringConstraints(pattern=SEAL_PATTERN)]
