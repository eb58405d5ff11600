"""The event log in one SQLite file: append-only, one writer thread, one commit for all who wait.

Entries are rows of one table with an integer key, so that a commit writes one place of the file.
What finds them (the last row of each room, keys, identities) lies in tables beside it.
"""

from collections.abc import Callable, Collection
from pathlib import Path

from halfmoon_server.eventlog import result_rows as rows
from halfmoon_server.eventlog.base import Batch, Identity, Key, is_room
from halfmoon_server.eventlog.file import prepare_folder
from halfmoon_server.eventlog.migrate import migrate
from halfmoon_server.eventlog.results import Latest, Place, Result, Rules, RulesCount, Totals
from halfmoon_server.eventlog.tables import Tables, find, find_identity
from halfmoon_server.eventlog.writer import Writer


class SqliteLog:
    """`EventLog` in a file of `folder`, which no second server can open meanwhile."""

    def __init__(self, folder: Path, observe_commit: Callable[[float], None] | None = None) -> None:
        """Open or make the log. Raises `DataFolderError`.

        `observe_commit` is called on the event loop with the seconds each commit took.
        """
        path = prepare_folder(folder)
        migrate(path)
        self._writer = Writer(path, observe_commit)

    @property
    def is_healthy(self) -> bool:
        """Whether the last attempt to write succeeded."""
        return self._writer.is_healthy

    async def append(self, batch: Batch) -> None:
        """See `EventLog.append`."""
        await self._writer.do(lambda tables: tables.append(batch))

    async def read(self, room: str) -> list[str]:
        """See `EventLog.read`."""
        return await self._writer.do(lambda tables: tables.read(room))

    async def break_off(self, room: str) -> list[str]:
        """See `EventLog.break_off`."""
        return await self._writer.do(lambda tables: tables.break_off(room))

    async def find(self, key: Key) -> str | None:
        """See `EventLog.find`."""
        return await self._writer.ask(lambda database: find(database, key))

    async def live_rooms(self) -> list[str]:
        """See `EventLog.live_rooms`."""
        return [name for name in await self._writer.do(Tables.live) if is_room(name)]

    async def live_logs(self, prefix: str) -> list[str]:
        """See `EventLog.live_logs`."""
        names = await self._writer.do(Tables.live)
        return [name for name in names if not is_room(name) and name.startswith(prefix)]

    async def results_of_code(
        self,
        code: str,
        rules: Rules | None,
        after: Place | None,
        limit: int,
        shut: Collection[str] = (),
    ) -> list[Result]:
        """See `EventLog.results_of_code`."""
        return await self._writer.ask(
            lambda database: rows.results_of_code(database, code, rules, after, limit, shut)
        )

    async def rules_of_code(self, code: str, shut: Collection[str] = ()) -> list[RulesCount]:
        """See `EventLog.rules_of_code`."""
        return await self._writer.ask(lambda database: rows.rules_of_code(database, code, shut))

    async def contests_of_code(self, code: str) -> list[str]:
        """See `EventLog.contests_of_code`."""
        return await self._writer.ask(lambda database: rows.contests_of_code(database, code))

    async def own_results(
        self, code: str, rules: Rules, player: str, limit: int, shut: Collection[str] = ()
    ) -> list[tuple[int, Result]]:
        """See `EventLog.own_results`."""
        return await self._writer.ask(
            lambda database: rows.own_results(database, code, rules, player, limit, shut)
        )

    async def has_raced(self, code: str, player: str) -> bool:
        """See `EventLog.has_raced`."""
        return await self._writer.ask(lambda database: rows.has_raced(database, code, player))

    async def results_of_contest(self, contest: str) -> list[Result]:
        """See `EventLog.results_of_contest`."""
        return await self._writer.ask(lambda database: rows.results_of_contest(database, contest))

    async def results_of_player(
        self, player: str, after: Latest | None, limit: int
    ) -> list[Result]:
        """See `EventLog.results_of_player`."""
        return await self._writer.ask(
            lambda database: rows.results_of_player(database, player, after, limit)
        )

    async def totals_of(self, player: str) -> Totals:
        """See `EventLog.totals_of`."""
        return await self._writer.ask(lambda database: rows.totals_of(database, player))

    async def identity(self, token_hash: bytes) -> Identity | None:
        """See `EventLog.identity`."""
        return await self._writer.ask(lambda database: find_identity(database, token_hash))

    async def save_identity(self, token_hash: bytes, identity: Identity) -> None:
        """See `EventLog.save_identity`."""
        await self._writer.do(lambda tables: tables.save_identity(token_hash, identity))

    async def forget_rooms(self, before_at: int, limit: int) -> list[str]:
        """See `EventLog.forget_rooms`."""
        return await self._writer.do(lambda tables: tables.forget_rooms(before_at, limit))

    async def probe(self) -> None:
        """See `EventLog.probe`."""
        await self._writer.do(Tables.probe)

    async def copy_to(self, path: Path) -> None:
        """Copy the file as it is at one moment into an empty one; raises `LogUnavailable`."""
        await self._writer.copy_to(path)

    async def close(self) -> None:
        """See `EventLog.close`."""
        await self._writer.close()
