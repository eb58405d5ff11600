"""A log of an earlier format, written anew in today's."""

from pathlib import Path

import apsw
import structlog

from halfmoon_server.eventlog.base import DataFolderError, Identity
from halfmoon_server.eventlog.chain import beginning, link
from halfmoon_server.eventlog.file import connect, format_written, in_use, unreadable
from halfmoon_server.eventlog.renewal import renew
from halfmoon_server.eventlog.schema import FORMAT, Connection
from halfmoon_server.eventlog.tables import write_identity

log = structlog.get_logger()

FIRST_FORMAT = 1


def migrate(path: Path) -> None:
    """Bring a file of format 1 to today's; any other is left alone. Raises `DataFolderError`.

    Nothing is changed in the old file: the new one takes its place once it is whole.
    """
    try:
        if format_written(path) == FIRST_FORMAT:
            _migrate(path)
            log.info("log.migrated", to=FORMAT)
    except apsw.BusyError:
        raise in_use(path) from None
    except (apsw.Error, TypeError, ValueError, LookupError) as error:
        raise unreadable(path, error) from None
    except OSError as error:
        raise DataFolderError(
            f"{path} can't be brought to the format of this version: {error.strerror}"
        ) from None


def _migrate(path: Path) -> None:
    old = connect(path)
    try:
        for fault in renew(path, old, _copy):
            log.error("log.damaged", fault=fault)
    finally:
        old.close(True)


def _copy(old: Connection, new: Connection) -> None:
    _copy_entries(old, new)
    for token_hash, player, name in old.execute("SELECT * FROM identities"):
        write_identity(new, token_hash, Identity(player=player, name=name))


def _copy_entries(old: Connection, new: Connection) -> None:
    """Every entry under its old number, with the hash that it would have been given."""
    closed = "SELECT max(id) FROM entries WHERE room IN (SELECT room FROM rooms WHERE NOT is_live)"
    lasts = {row[0] for row in old.execute(closed + " GROUP BY room")}
    chained: dict[str, bytes] = {}
    for row_id, room, seq, previous, entry in old.execute("SELECT * FROM entries ORDER BY id"):
        is_last = row_id in lasts
        chained[room] = link(chained.get(room, beginning(room)), entry, is_last=is_last)
        new.execute(
            "INSERT INTO entries VALUES(?, ?, ?, ?, ?, ?, ?)",
            (row_id, room, seq, previous, is_last, chained[room], entry),
        )
