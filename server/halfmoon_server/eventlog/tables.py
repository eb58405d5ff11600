"""The rows of an event log: entries linked backwards, the ends of all logs, keys, identities.

Everything here happens within a transaction of the caller's. The ends of busy logs are kept in
memory and written down now and then; after a crash they are found again by reading the rows since.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from halfmoon_server.eventlog.base import Batch, Identity, Key, LogConflict
from halfmoon_server.eventlog.file import Connection

ROWS_PER_HEADS_WRITE = 4096


@dataclass(slots=True)
class _Head:
    """The end of a room's log."""

    last: int
    seq: int


@dataclass(slots=True)
class _Pending:
    """What a commit under way will have changed in memory, once it is durable."""

    heads: dict[str, _Head] = field(default_factory=dict[str, _Head])
    closed: set[str] = field(default_factory=set[str])


class Tables:
    """What is read and written in an open file."""

    def __init__(self, database: Connection) -> None:
        """Find the ends of all logs. Raises `apsw.Error`, `TypeError` and `ValueError`."""
        self._database = database
        self._heads: dict[str, _Head] = {}
        self._pending = _Pending()
        self._next_id = 1
        self._heads_upto = 0
        self._recover_heads()

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
        self._next_id = self._last_id() + 1

    def write_heads(self, *, always: bool = False) -> None:
        """Write the ends of busy logs down, where many rows came since or `always`."""
        if not always and self._next_id - self._heads_upto < ROWS_PER_HEADS_WRITE:
            return
        for room, head in {**self._heads, **self._pending.heads}.items():
            self._write_head(room, head)
        self._heads_upto = self._next_id - 1
        self._database.execute("UPDATE heads_written SET upto = ?", (self._heads_upto,))

    # Logs

    def append(self, batch: Batch) -> None:
        """Write the batch; raises `LogConflict`, and then wrote nothing."""
        head = self._head(batch.room)
        seq = 0 if head is None else head.seq
        if seq != batch.expected_seq:
            raise LogConflict(f"{batch.room} has {seq} entries, not {batch.expected_seq}")
        previous = 0 if head is None else head.last
        rows: list[tuple[int, str, int, int, str]] = []
        for entry in batch.entries:
            seq += 1
            rows.append((self._next_id, batch.room, seq, previous, entry))
            previous = self._next_id
            self._next_id += 1
        self._database.executemany("INSERT INTO entries VALUES(?, ?, ?, ?, ?)", rows)
        for key in batch.keys:
            named = (key.kind, key.key, batch.room)
            self._database.execute("REPLACE INTO keys VALUES(?, ?, ?)", named)
        self._pending.heads[batch.room] = _Head(last=previous, seq=seq)
        if head is None:
            row = (batch.room, previous, seq, True, rows[0][0])
            self._database.execute("INSERT INTO rooms VALUES(?, ?, ?, ?, ?)", row)
        if batch.is_last:
            self._write_head(batch.room, self._pending.heads[batch.room])
            self._database.execute("UPDATE rooms SET is_live = 0 WHERE room = ?", (batch.room,))
            self._pending.closed.add(batch.room)

    def read(self, room: str) -> list[str]:
        """All entries of the log, oldest first; raises `LogConflict` for one with a hole."""
        head = self._head(room)
        entries: list[str] = []
        row_id = 0 if head is None else head.last
        while row_id:
            row = self._one("SELECT previous, entry FROM entries WHERE id = ?", (row_id,))
            # Links only go back: one that a fault turned round would lead in circles.
            if row is None or not 0 <= int(row[0]) < row_id:
                raise LogConflict(f"{room}: entry {row_id} of its log is missing or damaged")
            row_id = int(row[0])
            entries.append(str(row[1]))
        entries.reverse()
        return entries

    def live(self) -> list[str]:
        """The logs that go on, oldest first."""
        rows = self._database.execute("SELECT room FROM rooms WHERE is_live ORDER BY first")
        return [str(name) for (name,) in rows]

    # Keys and identities

    def find(self, key: Key) -> str | None:
        """The log that was given this key."""
        rows = "SELECT room FROM keys WHERE kind = ? AND key = ?"
        found = self._one(rows, (key.kind, key.key))
        return None if found is None else str(found[0])

    def identity(self, token_hash: bytes) -> Identity | None:
        """Who has the token of this hash."""
        rows = "SELECT player, name FROM identities WHERE token_hash = ?"
        found = self._one(rows, (token_hash,))
        return None if found is None else Identity(player=str(found[0]), name=str(found[1]))

    def save_identity(self, token_hash: bytes, identity: Identity) -> None:
        """Remember a new player, or a known player's new name."""
        row = (token_hash, identity.player, identity.name)
        self._database.execute("REPLACE INTO identities VALUES(?, ?, ?)", row)

    def probe(self) -> None:
        """Write something that means nothing."""
        # A row comes and goes: SQLite writes nothing for a value that stays as it was.
        self._database.execute(
            "INSERT INTO keys VALUES('probe', '', ''); DELETE FROM keys WHERE kind = 'probe'"
        )

    # The ends of logs

    def _write_head(self, room: str, head: _Head) -> None:
        self._database.execute(
            "UPDATE rooms SET last = ?, seq = ? WHERE room = ?", (head.last, head.seq, room)
        )

    def _head(self, room: str) -> _Head | None:
        head = self._pending.heads.get(room) or self._heads.get(room)
        if head is not None:
            return head
        row = self._one("SELECT last, seq FROM rooms WHERE room = ?", (room,))
        return None if row is None else _Head(last=int(row[0]), seq=int(row[1]))

    def _recover_heads(self) -> None:
        """Find the ends of all logs that were written since the heads were last written down."""
        row = self._one("SELECT upto FROM heads_written", ())
        self._heads_upto = 0 if row is None else int(row[0])
        tail = "SELECT id, room, seq FROM entries WHERE id > ? ORDER BY id"
        for row_id, room, seq in self._database.execute(tail, (self._heads_upto,)):
            self._heads[str(room)] = _Head(last=int(row_id), seq=int(seq))
        self._next_id = self._last_id() + 1

    def _last_id(self) -> int:
        row = self._one("SELECT max(id) FROM entries", ())
        return 0 if row is None or row[0] is None else int(row[0])

    def _one(self, statement: str, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        rows: Iterable[tuple[Any, ...]] = self._database.execute(statement, values)
        for row in rows:
            return tuple(row)
        return None
