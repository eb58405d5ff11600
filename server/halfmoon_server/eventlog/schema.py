"""What lies in the file of an event log: its tables, and the format that they have together.

`entries` is the log. `identities` stands for itself, each row with a check value of its own. The
rest is found again by reading the entries: see `halfmoon reindex`.
"""

from typing import Any

Connection = Any
"""apsw's own stubs leave the types of what is bound unnamed, which strict checking refuses."""

FORMAT = 2
"""Of the file; a server refuses a file of a later one."""

SCHEMA = (
    """CREATE TABLE entries(
    id INTEGER PRIMARY KEY, room TEXT NOT NULL, seq INTEGER NOT NULL, previous INTEGER NOT NULL,
    is_last INTEGER NOT NULL, hash BLOB NOT NULL, entry TEXT NOT NULL)""",
    """CREATE TABLE rooms(
    room TEXT PRIMARY KEY, last INTEGER NOT NULL, seq INTEGER NOT NULL, is_live INTEGER NOT NULL,
    first INTEGER NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE keys(
    kind TEXT, key TEXT, room TEXT NOT NULL, PRIMARY KEY(kind, key)) WITHOUT ROWID""",
    """CREATE TABLE identities(
    token_hash BLOB PRIMARY KEY, player TEXT NOT NULL, name TEXT NOT NULL,
    digest BLOB NOT NULL) WITHOUT ROWID""",
    "CREATE TABLE heads_written(upto INTEGER NOT NULL, digest BLOB NOT NULL)",
    """CREATE TABLE dropped(
    id INTEGER PRIMARY KEY, room TEXT NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL,
    entry TEXT NOT NULL)""",
    """CREATE TABLE results(
    race TEXT NOT NULL, player TEXT NOT NULL, name TEXT NOT NULL, room TEXT NOT NULL,
    code TEXT NOT NULL, undo INTEGER NOT NULL, time_limit_ms INTEGER, ends TEXT NOT NULL,
    contest TEXT, starts_at INTEGER NOT NULL, over_at INTEGER NOT NULL, rank INTEGER NOT NULL,
    racers INTEGER NOT NULL, status TEXT NOT NULL, score INTEGER NOT NULL, best INTEGER NOT NULL,
    moves INTEGER NOT NULL, actions INTEGER NOT NULL, undos INTEGER NOT NULL,
    time_ms INTEGER NOT NULL, is_deadlocked INTEGER NOT NULL,
    PRIMARY KEY(race, player)) WITHOUT ROWID""",
    """CREATE INDEX results_by_code ON results(
    code, undo, time_limit_ms, ends, -best, time_ms, actions, over_at, player)""",
    "CREATE INDEX results_by_player ON results(player, -over_at, race)",
    "CREATE INDEX results_by_contest ON results(contest) WHERE contest IS NOT NULL",
)

DERIVED = ("rooms", "keys", "results")
"""The tables that follow from the entries."""


def is_derived(statement: str) -> bool:
    """Whether what this statement of the schema makes can be made anew: such a table, or an index."""
    return statement.startswith(("CREATE INDEX", *(f"CREATE TABLE {name}(" for name in DERIVED)))


def pragma(database: Connection, setting: str) -> list[Any]:
    """What SQLite says to a setting; fetched to the end, since it stops at its first row."""
    return list(database.execute(f"PRAGMA {setting}"))
