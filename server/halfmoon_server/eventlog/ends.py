"""Where each log ends: written down now and then, and found again by reading the rows since."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from halfmoon_server.eventlog.chain import digest
from halfmoon_server.eventlog.schema import Connection, pragma


@dataclass(slots=True)
class Head:
    """The end of a log."""

    last: int
    """The id of its last row."""
    seq: int
    hash: bytes
    first: int
    """The id of its first row."""


@dataclass(frozen=True, slots=True)
class Ends:
    """What the file says about the ends of its logs."""

    heads: dict[str, Head]
    """Of the logs that go on and were written to since all ends were written down."""
    upto: int
    """The row up to which they were."""
    next_id: int
    is_sound: bool
    """Whether all that was written down is as it was written."""


def write_head(database: Connection, room: str, head: Head, *, is_live: bool) -> None:
    """Write down where a log ends."""
    row = (room, head.last, head.seq, int(is_live), head.first)
    database.execute("REPLACE INTO rooms VALUES(?, ?, ?, ?, ?, ?)", (*row, digest(*row)))


def write_upto(database: Connection, upto: int) -> None:
    """Write down that the ends of logs are known up to this row."""
    database.execute("UPDATE heads_written SET upto = ?, digest = ?", (upto, digest(upto)))


def find_ends(database: Connection) -> Ends:
    """The ends of all logs. Raises what spoilt rows raise."""
    upto, is_sound = _upto(database)
    firsts: dict[str, int] = {}
    for room, last, seq, is_live, first, check in _rows(database, "SELECT * FROM rooms"):
        is_sound &= check == digest(room, last, seq, is_live, first)
        firsts[room] = first
    # A row that a fault hides has no check value that could be wrong.
    is_sound &= pragma(database, "quick_check(rooms)") == [("ok",)]
    heads: dict[str, Head] = {}
    tail = f"SELECT id, room, seq, is_last, hash FROM entries WHERE id > {upto} ORDER BY id"
    for row_id, room, seq, is_last, chained in _rows(database, tail):
        is_sound &= room in firsts
        if is_last:
            heads.pop(room, None)
        else:
            first = firsts.get(room, int(row_id))
            heads[room] = Head(int(row_id), int(seq), bytes(chained), first)
    # Where the last rows were deleted, their numbers are not used again.
    return Ends(heads, upto, max(last_id(database), upto) + 1, is_sound)


def rewrite_ends(database: Connection) -> None:
    """Write the ends of all logs down anew, out of the entries; within a transaction."""
    found = _rows(
        database,
        "SELECT entries.room, entries.id, seq, is_last, hash, ends.first FROM entries JOIN "
        "(SELECT min(id) AS first, max(id) AS last FROM entries GROUP BY room) AS ends "
        "ON entries.id = ends.last",
    )
    database.execute("DELETE FROM rooms")
    for room, row_id, seq, is_last, chained, first in [*found]:
        head = Head(int(row_id), int(seq), bytes(chained), int(first))
        write_head(database, room, head, is_live=not is_last)
    write_upto(database, last_id(database))


def last_id(database: Connection) -> int:
    """The id of the last row; 0 where there is none."""
    ((found,),) = _rows(database, "SELECT max(id) FROM entries")
    return 0 if found is None else int(found)


def _upto(database: Connection) -> tuple[int, bool]:
    """The row up to which the ends are written down, and whether that can be believed."""
    rows = [*_rows(database, "SELECT upto, digest FROM heads_written")]
    if len(rows) != 1 or rows[0][1] != digest(rows[0][0]):
        return 0, False
    return int(rows[0][0]), True


def _rows(database: Connection, statement: str) -> Iterator[tuple[Any, ...]]:
    yield from database.execute(statement)
