"""A log's rows, found one after the other from its end."""

import apsw

from halfmoon_server.eventlog.base import LogDamaged
from halfmoon_server.eventlog.chain import Row
from halfmoon_server.eventlog.schema import Connection

SPOILT = (apsw.CorruptError, apsw.NotADBError, TypeError, ValueError)
"""What rows raise that something has spoilt; texts that are none are a ValueError."""


def damaged(room: str, event: int, of: int) -> LogDamaged:
    """The fault of a log whose events are sound up to this one."""
    return LogDamaged(f"{room}: event {event} of {of} in its log is damaged or missing")


def linked_rows(database: Connection, room: str, last: int, seq: int) -> list[Row]:
    """The `seq` rows of a log whose last is `last`, oldest first.

    Raises `LogDamaged` where one is missing; what they say is for the chain to prove.
    """
    rows: list[Row] = []
    row_id = last
    for event in range(seq, 0, -1):
        try:
            found = database.execute(
                "SELECT previous, is_last, hash, entry FROM entries WHERE id = ?", (row_id,)
            ).fetchall()
            if not found:
                raise damaged(room, event, seq)
            previous, is_last, chained, entry = found[0]
            rows.append(Row(row_id, bool(is_last), bytes(chained), str(entry)))
            row_id = int(previous)
        except SPOILT:
            raise damaged(room, event, seq) from None
    rows.reverse()
    return rows
