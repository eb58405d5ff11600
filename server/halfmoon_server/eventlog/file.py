"""The file that an event log lies in: made whole, opened by one process alone, of a known format."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

import apsw
import structlog

from halfmoon_server.eventlog.base import DataFolderError
from halfmoon_server.eventlog.chain import digest
from halfmoon_server.eventlog.schema import FORMAT, SCHEMA, Connection, is_derived, pragma
from halfmoon_server.eventlog.wal import Wal, read_wal, wal_path

log = structlog.get_logger()

FILE_NAME = "halfmoon.sqlite3"
HEADER_BYTES = 100
"""Of an SQLite file; the user's version is the 60th and three more."""


def prepare_folder(folder: Path) -> Path:
    """Make the folder and an empty log in it, where they aren't there; gives the log's path.

    The log comes into its place whole, so that a file which isn't one is never a log that has yet
    to begin. Raises `DataFolderError`.
    """
    path = folder / FILE_NAME
    draft = folder / f".{FILE_NAME}.{os.getpid()}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            draft.unlink(missing_ok=True)
            # Made here, so that the file is never readable for others, not even for a moment.
            os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            make(draft)
            _put_in_place(draft, path)
        os.close(os.open(path, os.O_RDWR))
        for file in (path, wal_path(path)):
            keep_to_oneself(file)
    except OSError as error:
        why = "it is a file" if folder.is_file() else error.strerror
        raise DataFolderError(f"the data folder {folder} can't be used: {why}") from None
    except apsw.Error as error:
        raise DataFolderError(f"the data folder {folder} can't be used: {error}") from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    return path


def keep_to_oneself(path: Path) -> None:
    """Let nobody but the owner read this file, such as a copy that was put back by `cp`."""
    with contextlib.suppress(FileNotFoundError, PermissionError):  # not there, or not ours
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)


def make(path: Path) -> None:
    """Put an empty log into an empty file."""
    database: Connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
    try:
        pragma(database, "synchronous = FULL")
        database.execute("BEGIN IMMEDIATE")
        for statement in SCHEMA:
            database.execute(statement)
        database.execute("INSERT INTO heads_written VALUES(0, ?)", (digest(0),))
        pragma(database, f"user_version = {FORMAT}")
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
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make what was renamed in a folder last."""
    if hasattr(os, "O_DIRECTORY"):
        place = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(place)
        finally:
            os.close(place)


def connect(path: Path) -> Connection:
    """A connection that has the file to itself. Raises `apsw.Error`."""
    database: Connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
    try:
        # One process alone: a second server finds the file locked until this one is gone.
        pragma(database, "locking_mode = EXCLUSIVE")
        pragma(database, "journal_mode = WAL")
        pragma(database, "synchronous = FULL")
        pragma(database, "wal_autocheckpoint = 4000")
        # The lock is taken with the first write, and kept.
        database.execute("BEGIN IMMEDIATE")
        database.execute("COMMIT")
    except apsw.Error:
        database.close(True)
        raise
    return database


@dataclass(frozen=True, slots=True)
class Opened:
    """The log's one connection, and what was seen when it was opened."""

    database: Connection
    torn_bytes: int = 0
    """So many bytes at the end of the write-ahead log were no whole commit, and were dropped."""
    is_cut_short: bool = False
    """Whether the file ends before its last page does: what stood there may be of any table."""


def open_file(path: Path, *, mends: bool = False) -> Opened:
    """The log's one connection; raises `DataFolderError`.

    With `mends` what can be made anew is there afterwards, if empty, where it was missing.
    """
    if path.stat().st_size == 0:
        raise unreadable(path, ValueError("it is empty"))
    wal = read_wal(path)
    try:
        database = connect(path)
        try:
            torn_bytes = 0 if wal is None else _torn_bytes(database, path, wal)
            _check(database, path, mends=mends)
            return Opened(database, torn_bytes, _is_cut_short(database, path))
        except BaseException:
            database.close(True)
            raise
    except apsw.BusyError:
        raise in_use(path) from None
    except (apsw.Error, TypeError, ValueError) as error:
        raise unreadable(path, error) from None


def _torn_bytes(database: Connection, path: Path, wal: Wal) -> int:
    """How much SQLite leaves out of the write-ahead log; raises where that was durable."""
    taken, _ = database.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_NOOP)
    dropped = wal.dropped(max(taken, 0))
    if not dropped.is_damage:
        return dropped.bytes
    # It is left as it is when it is closed, or what can't be read would be gone for good.
    database.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    raise DataFolderError(
        f"{wal_path(path)} is damaged at byte {dropped.at_byte}, and {dropped.commits} commits "
        "after it can't be read: put copies of both files back, or cut it off there "
        f"(truncate -s {dropped.at_byte}) to go on without them"
    )


def _is_cut_short(database: Connection, path: Path) -> bool:
    pragma(database, "wal_checkpoint(TRUNCATE)")
    pages, size = (pragma(database, one)[0][0] for one in ("page_count", "page_size"))
    missing = int(pages) * int(size) - path.stat().st_size
    if missing > 0:
        log.error("log.cut_short", file=path.name, bytes=missing)
    return missing > 0


def in_use(path: Path) -> DataFolderError:
    """Who has the file, and what to do, in one line."""
    return DataFolderError(
        f"the data folder {path.parent} is in use by another server: stop that one first, "
        "or give this one another folder with --data"
    )


def unreadable(path: Path, error: Exception) -> DataFolderError:
    """Why the file is no use, and what to do, in one line."""
    why = " ".join(str(error).split())  # SQLite quotes damaged tables over several lines
    return DataFolderError(
        f"{path} can't be read ({why}): give another folder with --data, "
        "or put a copy of the file back"
    )


def _check(database: Connection, path: Path, *, mends: bool) -> None:
    found = int(pragma(database, "user_version")[0][0])
    if found == FORMAT:
        _check_tables(database, path, mends=mends)
        return
    if found > FORMAT:
        raise DataFolderError(
            f"{path} was written by a newer version of Half Moon (format {found}): "
            "use that version, or give another folder with --data"
        )
    raise unreadable(path, ValueError("it is no log of Half Moon"))


def _check_tables(database: Connection, path: Path, *, mends: bool) -> None:
    rows = database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    there = {str(sql) for (sql,) in rows}
    missing = [statement for statement in SCHEMA if statement not in there]
    if not there.issubset(SCHEMA) or not all(map(is_derived, missing)):
        raise unreadable(path, ValueError("its tables are not those of a log"))
    if missing and not mends:
        raise DataFolderError(
            f"{path} lacks an index, which follows from the rest: run halfmoon reindex"
        )
    database.execute("; ".join(missing))


def format_written(path: Path) -> int:
    """The format that stands at the beginning of the file; 0 where none does."""
    with path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    is_database = header.startswith(b"SQLite format 3\0") and len(header) == HEADER_BYTES
    return int.from_bytes(header[60:64], "big") if is_database else 0
