"""The event log in one SQLite file: append-only, one writer thread, one commit for all who wait.

Entries are rows of one table with an integer key, so that a commit writes one place of the file.
What finds them (the last row of each room, keys, identities) lies in tables beside it; the rows of
a room are linked backwards. The last rows of busy rooms are kept in memory and written down now
and then; after a crash they are found again by reading the rows since.
"""

import asyncio
import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import apsw

from halfmoon_server.eventlog.base import (
    Batch,
    DataFolderError,
    Identity,
    Key,
    LogConflict,
    LogUnavailable,
    is_room,
)

T = TypeVar("T")

Connection = Any
"""apsw's own stubs leave the types of what is bound unnamed, which strict checking refuses."""

FORMAT = 1
"""Of the file; a server refuses a file of a later one."""
FILE_NAME = "halfmoon.sqlite3"
MOST_PER_COMMIT = 1000
ROWS_PER_HEADS_WRITE = 4096

_SCHEMA = """
CREATE TABLE entries(id INTEGER PRIMARY KEY, room TEXT NOT NULL, seq INTEGER NOT NULL,
                     previous INTEGER NOT NULL, entry TEXT NOT NULL);
CREATE TABLE rooms(room TEXT PRIMARY KEY, last INTEGER NOT NULL, seq INTEGER NOT NULL,
                   is_live INTEGER NOT NULL, first INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX live ON rooms(first) WHERE is_live;
CREATE TABLE keys(kind TEXT, key TEXT, room TEXT NOT NULL, PRIMARY KEY(kind, key)) WITHOUT ROWID;
CREATE TABLE identities(token_hash BLOB PRIMARY KEY, player TEXT NOT NULL, name TEXT NOT NULL)
    WITHOUT ROWID;
CREATE TABLE heads_written(upto INTEGER NOT NULL);
INSERT INTO heads_written VALUES(0);
"""


@dataclass(slots=True)
class _Head:
    """The end of a room's log."""

    last: int
    seq: int


@dataclass(slots=True)
class _Job:
    """Something that the writer thread does within its next commit."""

    run: Callable[[], Any]
    done: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None


@dataclass(slots=True)
class _Pending:
    """What a commit under way will have changed in memory, once it is durable."""

    heads: dict[str, _Head] = field(default_factory=dict[str, _Head])
    closed: set[str] = field(default_factory=set[str])


class SqliteLog:
    """`EventLog` in a file of `folder`, which no second server can open meanwhile."""

    def __init__(self, folder: Path, observe_commit: Callable[[float], None] | None = None) -> None:
        """Open or make the log. Raises `DataFolderError`.

        `observe_commit` is called on the event loop with the seconds each commit took.
        """
        self._path = folder / FILE_NAME
        self._observe = observe_commit
        _prepare_folder(folder)
        self._database = _open(self._path)
        self._heads: dict[str, _Head] = {}
        self._pending = _Pending()
        self._next_id = 1
        self._heads_upto = 0
        try:
            self._recover_heads()
        except (apsw.Error, TypeError, ValueError) as error:
            self._database.close(True)
            raise _unreadable(self._path, error) from None
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._is_healthy = True
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="event log", daemon=True)
        self._thread.start()

    @property
    def is_healthy(self) -> bool:
        """Whether the last attempt to write succeeded."""
        return self._is_healthy

    async def append(self, batch: Batch) -> None:
        """See `EventLog.append`."""
        await self._do(lambda: self._append(batch))

    async def read(self, room: str) -> list[str]:
        """See `EventLog.read`."""
        return await self._do(lambda: self._read(room))

    async def find(self, key: Key) -> str | None:
        """See `EventLog.find`."""
        rows = "SELECT room FROM keys WHERE kind = ? AND key = ?"
        found = await self._do(lambda: self._one(rows, (key.kind, key.key)))
        return None if found is None else str(found[0])

    async def live_rooms(self) -> list[str]:
        """See `EventLog.live_rooms`."""
        return [name for name in await self._do(self._live) if is_room(name)]

    async def live_logs(self, prefix: str) -> list[str]:
        """See `EventLog.live_logs`."""
        names = await self._do(self._live)
        return [name for name in names if not is_room(name) and name.startswith(prefix)]

    async def identity(self, token_hash: bytes) -> Identity | None:
        """See `EventLog.identity`."""
        rows = "SELECT player, name FROM identities WHERE token_hash = ?"
        found = await self._do(lambda: self._one(rows, (token_hash,)))
        return None if found is None else Identity(player=str(found[0]), name=str(found[1]))

    async def save_identity(self, token_hash: bytes, identity: Identity) -> None:
        """See `EventLog.save_identity`."""
        row = (token_hash, identity.player, identity.name)
        await self._do(
            lambda: self._database.execute("REPLACE INTO identities VALUES(?, ?, ?)", row)
        )

    async def probe(self) -> None:
        """See `EventLog.probe`."""
        # A row comes and goes: SQLite writes nothing for a value that stays as it was.
        await self._do(
            lambda: self._database.execute(
                "INSERT INTO keys VALUES('probe', '', ''); DELETE FROM keys WHERE kind = 'probe'"
            )
        )

    async def close(self) -> None:
        """See `EventLog.close`."""
        if self._is_closed:
            return
        self._is_closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    async def _do(self, run: Callable[[], T]) -> T:
        if self._is_closed:
            raise LogUnavailable("the log is closed")
        job = _Job(run, asyncio.get_running_loop().create_future())
        self._jobs.put(job)
        result: T = await job.done
        return result

    # On the writer thread

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            jobs = [job]
            closing = False
            while len(jobs) < MOST_PER_COMMIT:
                try:
                    following = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if following is None:
                    closing = True
                    break
                jobs.append(following)
            self._commit(jobs)
            if closing:
                break
        self._shut()

    def _commit(self, jobs: list[_Job]) -> None:
        """Run the jobs in one transaction, and tell each of them how it went."""
        began = time.perf_counter()
        self._pending = _Pending()
        try:
            before = self._database.total_changes()
            self._database.execute("BEGIN IMMEDIATE")
            for job in jobs:
                self._run(job)
            self._write_heads_sometimes()
            self._database.execute("COMMIT")
        except apsw.Error as error:
            self._rollback(jobs, error)
        else:
            # What only read has not shown that the disk takes anything.
            self._is_healthy |= self._database.total_changes() > before
            self._heads.update(self._pending.heads)
            for room in self._pending.closed:
                self._heads.pop(room, None)
        took = time.perf_counter() - began
        by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
        for job in jobs:
            by_loop.setdefault(job.done.get_loop(), []).append(job)
        for loop, mine in by_loop.items():
            try:
                loop.call_soon_threadsafe(self._resolve, mine, took)
            except RuntimeError:  # the loop has been closed: nobody waits any more
                continue

    def _run(self, job: _Job) -> None:
        """One job; a refusal is its own, a failure of the storage is everybody's."""
        try:
            job.result = job.run()
        except LogConflict as error:
            job.error = error

    def _rollback(self, jobs: list[_Job], error: apsw.Error) -> None:
        self._is_healthy = False
        for job in jobs:
            job.error = LogUnavailable(f"the log can't be written: {error}")
        try:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            self._next_id = self._last_id() + 1
        except apsw.Error:
            self._reopen()

    def _reopen(self) -> None:
        """A fresh connection, since the old one can't even roll back; it may fail and be tried again."""
        try:
            self._database.close(True)
            self._database = _open(self._path)
            self._heads.clear()
            self._recover_heads()
        except (apsw.Error, DataFolderError):
            return

    def _resolve(self, jobs: list[_Job], took: float) -> None:
        if self._observe is not None:
            self._observe(took)
        for job in jobs:
            if job.done.done():
                continue
            if job.error is not None:
                job.done.set_exception(job.error)
            else:
                job.done.set_result(job.result)

    def _append(self, batch: Batch) -> None:
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

    def _read(self, room: str) -> list[str]:
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

    def _live(self) -> list[str]:
        rows = self._database.execute("SELECT room FROM rooms WHERE is_live ORDER BY first")
        return [str(name) for (name,) in rows]

    def _one(self, statement: str, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        rows: Iterable[tuple[Any, ...]] = self._database.execute(statement, values)
        for row in rows:
            return tuple(row)
        return None

    def _last_id(self) -> int:
        row = self._one("SELECT max(id) FROM entries", ())
        return 0 if row is None or row[0] is None else int(row[0])

    def _write_heads_sometimes(self) -> None:
        if self._next_id - self._heads_upto < ROWS_PER_HEADS_WRITE:
            return
        for room, head in {**self._heads, **self._pending.heads}.items():
            self._write_head(room, head)
        self._heads_upto = self._next_id - 1
        self._database.execute("UPDATE heads_written SET upto = ?", (self._heads_upto,))

    def _recover_heads(self) -> None:
        """Find the ends of all logs that were written since the heads were last written down."""
        row = self._one("SELECT upto FROM heads_written", ())
        self._heads_upto = 0 if row is None else int(row[0])
        tail = "SELECT id, room, seq FROM entries WHERE id > ? ORDER BY id"
        for row_id, room, seq in self._database.execute(tail, (self._heads_upto,)):
            self._heads[str(room)] = _Head(last=int(row_id), seq=int(seq))
        self._next_id = self._last_id() + 1

    def _shut(self) -> None:
        try:
            self._heads_upto = -ROWS_PER_HEADS_WRITE
            self._pending = _Pending()
            self._database.execute("BEGIN IMMEDIATE")
            self._write_heads_sometimes()
            self._database.execute("COMMIT")
        except apsw.Error:
            self._is_healthy = False
        self._database.close(True)


def _prepare_folder(folder: Path) -> None:
    """Make the folder and an empty log in it, where they aren't there. Raises `DataFolderError`.

    The log comes into its place whole, so that a file which isn't one is never a log that has yet
    to begin.
    """
    path = folder / FILE_NAME
    draft = folder / f".{FILE_NAME}.{os.getpid()}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            draft.unlink(missing_ok=True)
            # Made here, so that the file is never readable for others, not even for a moment.
            os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            _make(draft)
            _put_in_place(draft, path)
        os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        why = "it is a file" if folder.is_file() else error.strerror
        raise DataFolderError(f"the data folder {folder} can't be used: {why}") from None
    except apsw.Error as error:
        raise DataFolderError(f"the data folder {folder} can't be used: {error}") from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _make(path: Path) -> None:
    database: Connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
    try:
        _pragma(database, "synchronous = FULL")
        database.execute("BEGIN IMMEDIATE")
        database.execute(_SCHEMA)
        _pragma(database, f"user_version = {FORMAT}")
        database.execute("COMMIT")
    finally:
        database.close(True)


def _put_in_place(draft: Path, path: Path) -> None:
    """Give the log its name, unless another server that starts now was first."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        draft.rename(path)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _open(path: Path) -> Connection:
    if path.stat().st_size == 0:
        raise _unreadable(path, ValueError("it is empty"))
    try:
        database: Connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
        # One process alone: a second server finds the file locked until this one is gone.
        _pragma(database, "locking_mode = EXCLUSIVE")
        _pragma(database, "journal_mode = WAL")
        _pragma(database, "synchronous = FULL")
        _pragma(database, "wal_autocheckpoint = 4000")
        _check(database, path)
    except apsw.BusyError:
        raise DataFolderError(
            f"the data folder {path.parent} is in use by another server: stop that one first, "
            "or give this one another folder with --data"
        ) from None
    except apsw.Error as error:
        raise _unreadable(path, error) from None
    return database


def _unreadable(path: Path, error: Exception) -> DataFolderError:
    return DataFolderError(
        f"{path} can't be read ({error}): give another folder with --data, "
        "or put a copy of the file back"
    )


def _pragma(database: Connection, setting: str) -> list[Any]:
    # Fetched to the end, since a statement stops at its first row.
    return list(database.execute(f"PRAGMA {setting}"))


def _check(database: Connection, path: Path) -> None:
    found = int(_pragma(database, "user_version")[0][0])
    if found > FORMAT:
        raise DataFolderError(
            f"{path} was written by a newer version of Half Moon (format {found}): "
            "use that version, or give another folder with --data"
        )
    if found < FORMAT:
        raise _unreadable(path, ValueError("it is no log of Half Moon"))
    # The lock is taken with the first write, and kept.
    database.execute("BEGIN IMMEDIATE")
    database.execute("COMMIT")
