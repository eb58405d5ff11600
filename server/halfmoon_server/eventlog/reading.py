"""A log's rows, found one after the other from its end, and vouched for by its chain."""

import apsw

from halfmoon_server.eventlog.base import LogDamaged
from halfmoon_server.eventlog.chain import Row, prove
from halfmoon_server.eventlog.schema import Connection

SPOILT = (apsw.CorruptError, apsw.NotADBError, TypeError, ValueError)
"""What rows raise that something has spoilt; texts that are none are a ValueError."""


def damaged(room: str, event: int, of: int) -> LogDamaged:
    """The fault of a log whose events are sound up to this one."""
    return LogDamaged(f"{room}: event {event} of {of} in its log is damaged or missing")


def read_rows(database: Connection, room: str, last: int, seq: int) -> list[Row]:
    """The `seq` rows of a log whose last is `last`, oldest first; raises `LogDamaged`."""
    rows = linked_rows(database, room, last, seq)
    proof = prove(room, rows)
    if proof.sound < seq:
        raise damaged(room, proof.sound + 1, seq)
    return rows


def linked_rows(database: Connection, room: str, last: int, seq: int) -> list[Row]:
    """The same without a look at their chain: raises `LogDamaged` where a row is missing."""
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
