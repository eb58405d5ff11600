"""The chain of a log: each entry's hash is over the one before it, so that no change goes unseen."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

DIGEST_BYTES = 8


def beginning(log: str) -> bytes:
    """What the first hash of this log is chained to."""
    return hashlib.sha256(log.encode()).digest()


def link(before: bytes, entry: str, *, is_last: bool) -> bytes:
    """The hash of an entry: over the hash before it, whether the log ends with it, and its text."""
    return hashlib.sha256(before + (b"\1" if is_last else b"\0") + entry.encode()).digest()


def digest(*values: object) -> bytes:
    """A check value of a row that no chain holds."""
    text = "\0".join(str(value) for value in values)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:DIGEST_BYTES]


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as it is stored."""

    id: int
    is_last: bool
    hash: bytes
    entry: str


@dataclass(frozen=True, slots=True)
class Proof:
    """How much of a log its chain vouches for."""

    sound: int
    """Entries from the beginning that are as they were written."""
    is_torn: bool
    """Whether nothing after them is whole: the log broke off there, rather than having a hole."""


def prove(log: str, rows: Iterable[Row]) -> Proof:
    """Follow the chain through all rows of a log, oldest first.

    A hash that was spoilt harms nothing where a later one vouches for the same entries.
    """
    running = stored = beginning(log)
    sound = last_whole = 0
    number = 0
    for number, row in enumerate(rows, start=1):
        running = link(running, row.entry, is_last=row.is_last)
        if row.hash == running:
            sound = number
        if row.hash == link(stored, row.entry, is_last=row.is_last):
            last_whole = number
        stored = row.hash
    return Proof(sound, is_torn=last_whole <= sound < number)
