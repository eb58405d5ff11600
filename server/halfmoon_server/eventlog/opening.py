"""A log's file, opened with all that stands beside its entries in order."""

from pathlib import Path

import apsw
import structlog

from halfmoon_server.eventlog.base import DataFolderError
from halfmoon_server.eventlog.file import open_file
from halfmoon_server.eventlog.rebuild import rebuild
from halfmoon_server.eventlog.schema import Connection
from halfmoon_server.eventlog.tables import Tables

log = structlog.get_logger()


def open_tables(path: Path) -> tuple[Connection, Tables]:
    """The file's one connection and its tables; raises `DataFolderError`.

    Where the end of the file is missing, what can be made again is made again.
    """
    opened = open_file(path)
    database = opened.database
    try:
        if opened.torn_bytes:
            _say_where_it_ends(database, opened.torn_bytes)
        if opened.is_cut_short:
            database.execute("BEGIN IMMEDIATE")
            for fault in rebuild(database):
                log.error("log.damaged", fault=fault)
            database.execute("COMMIT")
        return database, Tables(database)
    except (apsw.Error, TypeError, ValueError, LookupError) as error:
        database.close(True)
        raise DataFolderError(
            f"{path} can't be read ({error}): try halfmoon reindex, or put a copy of the file back"
        ) from None


def _say_where_it_ends(database: Connection, dropped_bytes: int) -> None:
    last = "SELECT room, seq FROM entries ORDER BY id DESC LIMIT 1"
    for room, seq in database.execute(last):
        log.warning("log.torn_end_dropped", bytes=dropped_bytes, log=room, last_event=seq)
