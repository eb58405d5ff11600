"""Rooms that have gone for long enough: found by the end of their logs, and deleted whole."""

import contextlib
import json
from collections.abc import Iterable, Sequence

from halfmoon_server.eventlog.schema import Connection

NEVER = 2**63 - 1


def last_at(entry: str) -> int:
    """When the last event of an entry happened; far in the future for what is no entry."""
    with contextlib.suppress(ValueError, LookupError, TypeError):
        return int(json.loads(entry)["events"][-1]["at"])
    return NEVER


def is_of_contest(first: str) -> bool:
    """Whether the room that begins with this entry belongs to a contest, whose table needs it."""
    with contextlib.suppress(ValueError, LookupError, TypeError, AttributeError):
        return json.loads(first)["events"][0].get("contest") is not None
    return True


def is_sealed(entry: str) -> bool:
    """Whether a challenge with this entry is a sealed envelope; also where the entry can't be read."""
    with contextlib.suppress(ValueError, LookupError, TypeError):
        return json.loads(entry)["sealed"] is not False
    return True


def with_tries(seen: Iterable[tuple[str, str]]) -> set[str]:
    """The rooms, of these with a challenge's entry, that hold somebody's one try at an envelope.

    The room says who has seen the deal, and what they made of it: both count as long as the
    envelope is there.
    """
    return {room for room, entry in seen if is_sealed(entry)}


def closed_before(database: Connection, before_at: int, limit: int) -> list[str]:
    """Rooms that have gone, oldest first, whose last event is older than this."""
    ends = database.execute(
        "SELECT rooms.room, begins.entry, ends.entry FROM rooms "
        "JOIN entries AS begins ON begins.id = rooms.first "
        "JOIN entries AS ends ON ends.id = rooms.last "
        "WHERE NOT rooms.is_live AND ends.is_last AND instr(rooms.room, '/') = 0 "
        "ORDER BY rooms.last"
    )
    kept = with_tries(
        database.execute(
            "SELECT DISTINCT seen.room, challenge.entry FROM keys AS seen "
            "JOIN keys AS deal ON deal.kind = 'deal' "
            "AND deal.key = substr(seen.key, instr(seen.key, ' ') + 1) "
            "JOIN rooms ON rooms.room = deal.room "
            "JOIN entries AS challenge ON challenge.id = rooms.last WHERE seen.kind = 'seen'"
        )
    )
    gone: list[str] = []
    for room, first, last in ends:
        if len(gone) == limit or last_at(last) >= before_at:
            break  # those after it ended later
        if str(room) not in kept and not is_of_contest(first):
            gone.append(str(room))
    ends.close()
    return gone


def delete_logs(database: Connection, names: Sequence[str]) -> None:
    """Delete these logs, and all that follows from them."""
    if not names:
        return
    for name in names:
        # By its links: entries are not found by their log otherwise, but by a look at all of them.
        database.execute(
            "WITH RECURSIVE mine(id) AS (SELECT last FROM rooms WHERE room = ? UNION ALL "
            "SELECT previous FROM entries JOIN mine ON entries.id = mine.id) "
            "DELETE FROM entries WHERE id IN mine AND room = ?",
            (name, name),
        )
    for table in ("keys", "results", "rooms"):
        database.execute(
            f"DELETE FROM {table} WHERE room IN (SELECT value FROM json_each(?))",
            (json.dumps([*names]),),
        )
