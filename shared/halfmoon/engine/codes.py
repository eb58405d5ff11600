"""Game codes: read leniently, printed canonically, sealed by a hash (Contract §2)."""

import hashlib
from enum import StrEnum
from string import ascii_uppercase
from typing import ClassVar, Self

from halfmoon.engine.errors import UnreadableCode
from halfmoon.engine.text import TextValue

PREFIX = "HM1"
BLANKS = " \t\r\n\f\v"
LONGEST_SHOWN = 48
"""Characters of an unreadable text that an error message repeats."""


class Variant(StrEnum):
    """What a code is for: normal codes are typed and shared, sealed ones minted by the server."""

    NORMAL = "N"
    SEALED = "S"


LETTERS: dict[Variant, int] = {Variant.NORMAL: 7, Variant.SEALED: 28}
"""How many letters a code of each variant has."""


class Code(TextValue):
    """A game code, which always makes the same deal. `Code.parse` and `str` are inverse."""

    __slots__ = ("letters", "variant")

    text_pattern: ClassVar[str] = "^HM1-(N-[A-Z]{7}|S-[A-Z]{28})$"
    text_example: ClassVar[str] = "HM1-N-AAAAAAB"

    variant: Variant
    letters: str

    def __init__(self, variant: Variant, letters: str) -> None:
        if len(letters) != LETTERS[variant] or not set(letters) <= set(ascii_uppercase):
            raise UnreadableCode(
                f"variant {variant} takes {LETTERS[variant]} letters A–Z, not {_shown(letters)}"
            )
        self.variant = variant
        self.letters = letters

    @classmethod
    def from_number(cls, variant: Variant, number: int) -> Self:
        """The code whose letters, read as a base-26 number with A = 0, are `number`."""
        letters = ""
        rest = number
        for _ in range(LETTERS[variant]):
            rest, digit = divmod(rest, 26)
            letters = ascii_uppercase[digit] + letters
        if rest or number < 0:
            raise UnreadableCode(f"{number} is no number of a code of variant {variant}")
        return cls(variant, letters)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The code that `text` stands for; raises `UnreadableCode`, naming what is wrong.

        ASCII case, surrounding blanks and ASCII dashes wherever they stand are ignored. Only ASCII
        is raised to upper case: `'ſ'.upper()` is `S`, and two texts would seal differently
        but deal the same.
        """
        body = text.strip(BLANKS)
        if not body:
            raise UnreadableCode("an empty text is no game code")
        if len(body.replace("-", "")) > 4 * LONGEST_SHOWN:
            raise UnreadableCode(f"{_shown(body)} is too long for a game code")
        _check_characters(body)
        letters = body.replace("-", "").upper()
        if not letters.startswith(PREFIX):
            raise UnreadableCode(f"{_shown(body)} doesn't begin with {PREFIX}: no game code")
        variant, letters = letters[3:4], letters[4:]
        if variant not in list(Variant):
            raise UnreadableCode(
                f"{_shown(body)} has {variant!r} where a game code has its variant, N or S"
            )
        if not letters.isalpha() and letters:
            wrong = next(c for c in letters if not c.isalpha())
            raise UnreadableCode(f"{_shown(body)} has {wrong!r} where only letters A–Z may stand")
        if len(letters) != LETTERS[Variant(variant)]:
            raise UnreadableCode(
                f"{_shown(body)} has {len(letters)} letters after {PREFIX}-{variant}-, "
                f"not {LETTERS[Variant(variant)]}"
            )
        return cls(Variant(variant), letters)

    @property
    def number(self) -> int:
        """The letters read as a base-26 number, A = 0."""
        value = 0
        for letter in self.letters:
            value = value * 26 + ascii_uppercase.index(letter)
        return value

    @property
    def seal(self) -> str:
        """Hex SHA-256 of the canonical text: published before the race, checked after it."""
        return hashlib.sha256(str(self).encode("ascii")).hexdigest()

    def __str__(self) -> str:
        return f"{PREFIX}-{self.variant}-{self.letters}"

    def __repr__(self) -> str:
        return f"Code.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Code) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def _check_characters(body: str) -> None:
    for character in body:
        if not character.isascii():
            raise UnreadableCode(
                f"{_shown(body)} has {character!r} (U+{ord(character):04X}): "
                "a game code is written in ASCII letters, digits and dashes"
            )
        if character in BLANKS:
            raise UnreadableCode(f"{_shown(body)} has a blank inside: a game code has none")
        if not (character.isalnum() or character == "-"):
            raise UnreadableCode(f"{_shown(body)} has {character!r}, which is in no game code")


def _shown(text: str) -> str:
    return ascii(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "...")
