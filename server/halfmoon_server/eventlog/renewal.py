"""A log's file written anew beside the old one, which it replaces once it is whole."""

import os
from collections.abc import Callable
from pathlib import Path

import apsw

from halfmoon_server.eventlog.file import make, sync_folder
from halfmoon_server.eventlog.rebuild import rebuild
from halfmoon_server.eventlog.schema import Connection, pragma

Copy = Callable[[Connection, Connection], None]
"""Copies entries and identities from an open file into a new one."""

KEPT = ("entries", "identities", "dropped")
"""The tables that stand for themselves."""


def renew(path: Path, old: Connection, copy: Copy) -> list[str]:
    """Put a new file in the place of the one that is open; gives what is wrong with its logs.

    Where it can't be written, the old one is as it was. Raises `apsw.Error`, `OSError` and what
    `copy` raises.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        make(draft)
        faults = _write(draft, old, copy)
        # What still lies in the write-ahead log goes with the old file.
        pragma(old, "journal_mode = DELETE")
        draft.replace(path)
        sync_folder(path.parent)
    finally:
        draft.unlink(missing_ok=True)
    return faults


def copy_rows(old: Connection, new: Connection) -> None:
    """All that stands for itself, as it is."""
    for table in KEPT:
        for row in old.execute(f"SELECT * FROM {table}"):
            new.execute(f"INSERT INTO {table} VALUES({', '.join('?' * len(row))})", row)


def _write(draft: Path, old: Connection, copy: Copy) -> list[str]:
    new: Connection = apsw.Connection(str(draft), apsw.SQLITE_OPEN_READWRITE)
    try:
        pragma(new, "synchronous = FULL")
        new.execute("BEGIN IMMEDIATE")
        copy(old, new)
        faults = rebuild(new)
        new.execute("COMMIT")
    finally:
        new.close(True)
    return faults
