"""The rows of an event log: entries linked backwards, the ends of all logs, keys, identities.

Everything here happens within a transaction of the caller's. The ends of busy logs are kept in
memory and written down now and then; after a crash they are found again by reading the rows since.
"""

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog

from halfmoon_server.eventlog.base import Batch, Identity, Key, LogConflict
from halfmoon_server.eventlog.chain import Row, beginning, digest, link, prove
from halfmoon_server.eventlog.ends import (
    Head,
    find_ends,
    last_id,
    rewrite_ends,
    write_head,
    write_upto,
)
from halfmoon_server.eventlog.expiry import closed_before, delete_logs
from halfmoon_server.eventlog.reading import damaged, linked_rows
from halfmoon_server.eventlog.result_rows import write_results
from halfmoon_server.eventlog.schema import Connection
from halfmoon_server.indexing import UNREADABLE, index_of

log = structlog.get_logger()

ROWS_PER_HEADS_WRITE = 4096


@dataclass(slots=True)
class _Pending:
    """What a commit under way will have changed in memory, once it is durable."""

    heads: dict[str, Head] = field(default_factory=dict[str, Head])
    closed: set[str] = field(default_factory=set[str])


class Tables:
    """What is read and written in an open file."""

    def __init__(self, database: Connection) -> None:
        """Find the ends of all logs. Raises what spoilt rows raise."""
        self.database = database
        self._pending = _Pending()
        ends = find_ends(database)
        if not ends.is_sound:
            log.error("log.ends_damaged")
            database.execute("BEGIN IMMEDIATE")
            rewrite_ends(database)
            database.execute("COMMIT")
            ends = find_ends(database)
        self._heads = ends.heads
        self._heads_upto = ends.upto
        self._next_id = ends.next_id

    # The transaction

    def begin(self) -> None:
        """A transaction has begun."""
        self._pending = _Pending()

    def committed(self) -> None:
        """The transaction is durable."""
        self._heads.update(self._pending.heads)
        for room in self._pending.closed:
            self._heads.pop(room, None)

    def rolled_back(self) -> None:
        """Nothing of the transaction has happened."""
        self._pending = _Pending()
        self._next_id = max(last_id(self.database), self._heads_upto) + 1

    def write_heads(self, *, always: bool = False) -> None:
        """Write the ends of busy logs down, where many rows came since or `always`."""
        if not always and self._next_id - self._heads_upto < ROWS_PER_HEADS_WRITE:
            return
        for room, head in {**self._heads, **self._pending.heads}.items():
            if room not in self._pending.closed:
                write_head(self.database, room, head, is_live=True)
        self._heads_upto = self._next_id - 1
        write_upto(self.database, self._heads_upto)

    # Logs

    def append(self, batch: Batch) -> None:
        """Write the batch; raises `LogConflict`, and then wrote nothing."""
        head = self._head(batch.room)
        seq = 0 if head is None else head.seq
        if seq != batch.expected_seq:
            raise LogConflict(f"{batch.room} has {seq} entries, not {batch.expected_seq}")
        after = self._insert(batch, head)
        self._pending.heads[batch.room] = after
        if head is None or batch.is_last:
            write_head(self.database, batch.room, after, is_live=not batch.is_last)
        if batch.is_last:
            self._pending.closed.add(batch.room)
        write_keys(self.database, batch.room, batch.keys)
        write_results(self.database, batch.results)

    def _insert(self, batch: Batch, head: Head | None) -> Head:
        """Put the entries behind the log's end; gives its new end."""
        if head is None:
            head = Head(0, 0, beginning(batch.room), self._next_id)
        last, seq, chained = head.last, head.seq, head.hash
        rows: list[tuple[int, str, int, int, bool, bytes, str]] = []
        for number, entry in enumerate(batch.entries, start=1):
            is_last = batch.is_last and number == len(batch.entries)
            chained = link(chained, entry, is_last=is_last)
            seq += 1
            rows.append((self._next_id, batch.room, seq, last, is_last, chained, entry))
            last = self._next_id
            self._next_id += 1
        self.database.executemany("INSERT INTO entries VALUES(?, ?, ?, ?, ?, ?, ?)", rows)
        return Head(last, seq, chained, head.first)

    def read(self, room: str) -> list[str]:
        """All entries of the log, oldest first; raises `LogDamaged`."""
        head = self._head(room)
        if head is None:
            return []
        rows = linked_rows(self.database, room, head.last, head.seq)
        sound = prove(room, rows).sound
        if sound < head.seq:
            raise damaged(room, sound + 1, head.seq)
        return [row.entry for row in rows]

    def break_off(self, room: str) -> list[str]:
        """See `EventLog.break_off`."""
        head = self._head(room)
        if head is None:
            return []
        rows = linked_rows(self.database, room, head.last, head.seq)
        proof = prove(room, rows)
        if proof.sound == head.seq:
            return [row.entry for row in rows]
        if not (proof.is_torn and proof.sound and self._is_live(room)):
            raise damaged(room, proof.sound + 1, head.seq)
        log.error(
            "log.tail_dropped", log=room, from_event=proof.sound + 1, events=head.seq - proof.sound
        )
        return self._break_off(room, head, rows, proof.sound)

    def _break_off(self, room: str, head: Head, rows: Sequence[Row], sound: int) -> list[str]:
        """Let the log end after so many entries; gives them."""
        for number, row in enumerate(rows[sound:], start=sound + 1):
            self.database.execute("DELETE FROM entries WHERE id = ?", (row.id,))
            self.database.execute(
                "REPLACE INTO dropped VALUES(?, ?, ?, ?, ?)",
                (row.id, room, number, row.hash, row.entry),
            )
        end = Head(rows[sound - 1].id, sound, rows[sound - 1].hash, head.first)
        self._pending.heads[room] = end
        write_head(self.database, room, end, is_live=True)
        entries = [row.entry for row in rows[:sound]]
        for table in ("keys", "results"):
            self.database.execute(f"DELETE FROM {table} WHERE room = ?", (room,))
        with contextlib.suppress(*UNREADABLE):
            indexed = index_of(room, entries)
            write_keys(self.database, room, indexed.keys)
            write_results(self.database, indexed.results)
        return entries

    def _is_live(self, room: str) -> bool:
        return any(_rows(self.database, "SELECT 1 FROM rooms WHERE room = ? AND is_live", room))

    def forget_rooms(self, before_at: int, limit: int) -> list[str]:
        """See `EventLog.forget_rooms`."""
        gone = closed_before(self.database, before_at, limit)
        delete_logs(self.database, gone)
        return gone

    def live(self) -> list[str]:
        """The logs that go on, oldest first."""
        rows = self.database.execute("SELECT room FROM rooms WHERE is_live ORDER BY first")
        return [str(name) for (name,) in rows]

    # Identities

    def save_identity(self, token_hash: bytes, identity: Identity) -> None:
        """Remember a new player, or a known player's new name."""
        write_identity(self.database, token_hash, identity)

    def probe(self) -> None:
        """Write something that means nothing."""
        # A row comes and goes: SQLite writes nothing for a value that stays as it was.
        self.database.execute(
            "INSERT INTO keys VALUES('probe', '', ''); DELETE FROM keys WHERE kind = 'probe'"
        )

    # The ends of logs

    def _head(self, room: str) -> Head | None:
        head = self._pending.heads.get(room) or self._heads.get(room)
        if head is not None:
            return head
        statement = (
            "SELECT rooms.last, rooms.seq, entries.hash, rooms.first "
            "FROM rooms LEFT JOIN entries ON entries.id = rooms.last WHERE rooms.room = ?"
        )
        for last, seq, chained, first in _rows(self.database, statement, room):
            if chained is None:
                raise damaged(room, int(seq), int(seq))
            return Head(int(last), int(seq), bytes(chained), int(first))
        return None


def write_keys(database: Connection, room: str, keys: Iterable[Key]) -> None:
    """Let these keys find the log."""
    database.executemany(
        "REPLACE INTO keys VALUES(?, ?, ?)", [(key.kind, key.key, room) for key in keys]
    )


def write_identity(database: Connection, token_hash: bytes, identity: Identity) -> None:
    """Remember who has the token of this hash."""
    row = (token_hash, identity.player, identity.name)
    database.execute("REPLACE INTO identities VALUES(?, ?, ?, ?)", (*row, digest(*row)))


def find(database: Connection, key: Key) -> str | None:
    """The log that was given this key."""
    statement = "SELECT room FROM keys WHERE kind = ? AND key = ?"
    for (room,) in _rows(database, statement, key.kind, key.key):
        return str(room)
    return None


def find_identity(database: Connection, token_hash: bytes) -> Identity | None:
    """Who has the token of this hash."""
    statement = "SELECT player, name, digest FROM identities WHERE token_hash = ?"
    for player, name, check in _rows(database, statement, token_hash):
        if check == digest(token_hash, player, name):
            return Identity(player=str(player), name=str(name))
        log.error("identity.damaged", player=str(player))
    return None


def _rows(database: Connection, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = database.execute(statement, values).fetchall()
    return rows
