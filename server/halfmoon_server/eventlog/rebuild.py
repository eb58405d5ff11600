"""What stands beside the entries, made again from the entries alone."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from halfmoon_server.eventlog.chain import Row, prove
from halfmoon_server.eventlog.ends import Head, last_id, write_head, write_upto
from halfmoon_server.eventlog.reading import damaged
from halfmoon_server.eventlog.result_rows import write_results
from halfmoon_server.eventlog.schema import DERIVED, Connection
from halfmoon_server.eventlog.tables import write_keys
from halfmoon_server.indexing import UNREADABLE, IndexOf, index_of


def rebuild(database: Connection, index: IndexOf = index_of) -> list[str]:
    """Make the derived tables anew, within a transaction of the caller's.

    Gives what is wrong with logs, a line each: of a log that is damaged all stands in the indexes
    that comes before the damage.
    """
    for table in DERIVED:
        database.execute(f"DELETE FROM main.{table}")
    faults = [
        fault for name, rows in _logs(database) for fault in _write(database, name, rows, index)
    ]
    write_upto(database, last_id(database))
    return faults


def _logs(database: Connection) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """Every log's rows, oldest first."""
    rows: Iterable[tuple[Any, ...]] = database.execute(
        "SELECT room, id, seq, previous, is_last, hash, entry FROM entries ORDER BY room, id"
    )
    for room, mine in groupby(rows, key=lambda row: str(row[0])):
        yield room, [row[1:] for row in mine]


def _write(
    database: Connection, name: str, found: Sequence[tuple[Any, ...]], index: IndexOf
) -> Iterator[str]:
    """Write what follows from one log's rows; gives what is wrong with it."""
    rows = [Row(row[0], bool(row[3]), bytes(row[4]), str(row[5])) for row in found]
    sound = prove(name, rows).sound
    for number, (row, before) in enumerate(zip(found, (None, *found), strict=False), start=1):
        expected = (number, 0 if before is None else before[0])
        if (row[1], row[2]) != expected:
            sound = min(sound, number - 1)
    if sound < len(rows):
        yield str(damaged(name, sound + 1, len(rows)))
    head = Head(rows[-1].id, int(found[-1][1]), rows[-1].hash, rows[0].id)
    write_head(database, name, head, is_live=not rows[-1].is_last)
    try:
        indexed = index(name, [row.entry for row in rows[:sound]])
    except UNREADABLE as fault:
        yield f"{name}: its log can't be played again ({type(fault).__name__})"
        return
    write_keys(database, name, indexed.keys)
    write_results(database, indexed.results)
