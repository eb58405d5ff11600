"""Whether a data folder holds what was written to it, and the making anew of what can be."""

from collections.abc import Iterator
from pathlib import Path

import apsw

from halfmoon_server.eventlog.base import DataFolderError
from halfmoon_server.eventlog.chain import digest
from halfmoon_server.eventlog.ends import find_ends, rewrite_ends
from halfmoon_server.eventlog.file import FILE_NAME, Opened, open_file, unreadable
from halfmoon_server.eventlog.migrate import migrate
from halfmoon_server.eventlog.reading import SPOILT
from halfmoon_server.eventlog.rebuild import rebuild
from halfmoon_server.eventlog.renewal import copy_rows, renew
from halfmoon_server.eventlog.schema import DERIVED, Connection, pragma
from halfmoon_server.eventlog.tables import Tables

MOST_OF_ONE_KIND = 20
"""Lines about one thing, at most: the rest follows from the same damage."""


def check(folder: Path) -> list[str]:
    """All that is wrong with the folder, a line each; nothing in it is changed.

    Every log is played again, every chain followed, and what stands beside the entries compared
    with what they say. Raises `DataFolderError` where the file can't be opened at all.
    """
    path = _log_in(folder)
    opened = _opened(path)
    database = opened.database
    try:
        return [*_faults(opened, path)]
    finally:
        database.close(True)


def reindex(folder: Path) -> list[str]:
    """Make all that stands beside the entries anew; gives what is wrong with logs, a line each.

    Raises `DataFolderError`.
    """
    path = _log_in(folder)
    database = _opened(path, mends=True).database
    try:
        return _rebuilt(path, database)
    except (apsw.Error, TypeError, ValueError) as error:
        raise unreadable(path, error) from None
    finally:
        database.close(True)


def _rebuilt(path: Path, database: Connection) -> list[str]:
    try:
        # Tables and indexes are written over where they can be, …
        database.execute("BEGIN IMMEDIATE")
        faults = rebuild(database)
        database.execute("COMMIT")
        if pragma(database, "integrity_check(1)") == [("ok",)]:
            return faults
    except apsw.CorruptError:
        if database.in_transaction:
            database.execute("ROLLBACK")
    # … and else left behind, pages and all.
    return renew(path, database, copy_rows)


def _log_in(folder: Path) -> Path:
    path = folder / FILE_NAME
    if not path.exists():
        raise DataFolderError(f"{folder} is no data folder: there is no {FILE_NAME} in it")
    return path


def _opened(path: Path, *, mends: bool = False) -> Opened:
    migrate(path)
    return open_file(path, mends=mends)


def _faults(opened: Opened, path: Path) -> Iterator[str]:
    if opened.is_cut_short:
        yield f"{path.name}: the file is cut short"
    database = opened.database
    try:
        structure = [str(line) for (line,) in pragma(database, "integrity_check(20)")]
        yield from (f"{path.name}: {line}" for line in structure if line != "ok")
        yield from _identities(database)
        if not find_ends(database).is_sound:
            yield "rooms: where logs end is not as it was written; run halfmoon reindex"
        yield from _derived(database)
    except SPOILT as error:
        yield f"{path.name}: it can't be read to its end ({error})"


def _identities(database: Connection) -> Iterator[str]:
    rows = database.execute("SELECT token_hash, player, name, digest FROM identities")
    for token_hash, player, name, check_value in rows:
        if check_value != digest(token_hash, player, name):
            yield f"identities: {player} is not as it was written"


def _derived(database: Connection) -> Iterator[str]:
    """What is wrong with logs, and where what stands beside them differs from what they say."""
    database.execute("BEGIN IMMEDIATE")
    try:
        rewrite_ends_if_damaged(database)
        tables = Tables(database)
        tables.begin()
        tables.write_heads(always=True)
        for table in DERIVED:
            database.execute(f"CREATE TEMP TABLE found_{table} AS SELECT * FROM main.{table}")
        yield from rebuild(database)
        for table in DERIVED:
            yield from _differences(database, table)
    finally:
        database.execute("ROLLBACK")


def rewrite_ends_if_damaged(database: Connection) -> None:
    """Within a transaction of the caller's."""
    if not find_ends(database).is_sound:
        rewrite_ends(database)


def _differences(database: Connection, table: str) -> Iterator[str]:
    found, expected = f"temp.found_{table}", f"main.{table}"
    for one, other, what in (
        (found, expected, "doesn't follow from the log"),
        (expected, found, "is missing"),
    ):
        rows = database.execute(
            f"SELECT * FROM {one} EXCEPT SELECT * FROM {other} LIMIT {MOST_OF_ONE_KIND}"
        )
        for row in rows:
            yield f"{table}: {' '.join(str(value) for value in row[:3])} {what}; run halfmoon reindex"
