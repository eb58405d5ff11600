"""An event log that lasts as long as the process: for tests, and for a server without a folder."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable

from halfmoon_server.eventlog.base import Batch, Identity, Key, LogConflict, is_room
from halfmoon_server.eventlog.expiry import is_of_contest, last_at, with_tries
from halfmoon_server.eventlog.results import Latest, Place, Result, Rules, RulesCount, Totals


class MemoryLog:
    """`EventLog` in dictionaries."""

    def __init__(self) -> None:
        self._logs: dict[str, list[str]] = {}
        self._live: dict[str, None] = {}
        self._keys: dict[Key, str] = {}
        self._identities: dict[bytes, Identity] = {}
        self._results: dict[tuple[str, str], Result] = {}

    @property
    def is_healthy(self) -> bool:
        """Always: there is nothing that could fail."""
        return True

    async def append(self, batch: Batch) -> None:
        """See `EventLog.append`."""
        seq = len(self._logs.get(batch.room, ()))
        if seq != batch.expected_seq:
            raise LogConflict(f"{batch.room} has {seq} entries, not {batch.expected_seq}")
        self._logs.setdefault(batch.room, []).extend(batch.entries)
        self._keys.update(dict.fromkeys(batch.keys, batch.room))
        self._results.update({(one.race, one.player): one for one in batch.results})
        if batch.is_last:
            self._live.pop(batch.room, None)
        else:
            self._live[batch.room] = None

    async def read(self, room: str) -> list[str]:
        """See `EventLog.read`."""
        return list(self._logs.get(room, ()))

    async def break_off(self, room: str) -> list[str]:
        """See `EventLog.break_off`: nothing breaks here."""
        return await self.read(room)

    async def find(self, key: Key) -> str | None:
        """See `EventLog.find`."""
        return self._keys.get(key)

    async def live_rooms(self) -> list[str]:
        """See `EventLog.live_rooms`."""
        return [name for name in self._live if is_room(name)]

    async def live_logs(self, prefix: str) -> list[str]:
        """See `EventLog.live_logs`."""
        return [name for name in self._live if not is_room(name) and name.startswith(prefix)]

    async def results_of_code(
        self,
        code: str,
        rules: Rules | None,
        after: Place | None,
        limit: int,
        shut: Collection[str] = (),
    ) -> list[Result]:
        """See `EventLog.results_of_code`."""
        found = [one for one in self._on(code, shut) if rules is None or one.rules == rules]
        ranked = sorted(found, key=_place)
        return [one for one in ranked if after is None or one.place > after][:limit]

    async def rules_of_code(self, code: str, shut: Collection[str] = ()) -> list[RulesCount]:
        """See `EventLog.rules_of_code`."""
        classes = Counter(one.rules for one in self._on(code, shut))
        found = [RulesCount(rules, count) for rules, count in classes.items()]
        return sorted(found, key=_largest_first)

    async def contests_of_code(self, code: str) -> list[str]:
        """See `EventLog.contests_of_code`."""
        return sorted({one.contest for one in self._on(code, ()) if one.contest is not None})

    async def own_results(
        self, code: str, rules: Rules, player: str, limit: int, shut: Collection[str] = ()
    ) -> list[tuple[int, Result]]:
        """See `EventLog.own_results`."""
        ranked = await self.results_of_code(code, rules, None, len(self._results), shut)
        return [
            (1 + sum(other.place[:3] < one.place[:3] for other in ranked), one)
            for one in ranked
            if one.player == player
        ][:limit]

    async def has_raced(self, code: str, player: str) -> bool:
        """See `EventLog.has_raced`."""
        return any(one.player == player for one in self._on(code, ()))

    async def results_of_contest(self, contest: str) -> list[Result]:
        """See `EventLog.results_of_contest`."""
        return sorted(self._where(lambda one: one.contest == contest), key=_place)

    async def results_of_player(
        self, player: str, after: Latest | None, limit: int
    ) -> list[Result]:
        """See `EventLog.results_of_player`."""
        found = sorted(self._where(lambda one: one.player == player), key=lambda one: one.latest)
        return [one for one in found if after is None or one.latest > after][:limit]

    async def totals_of(self, player: str) -> Totals:
        """See `EventLog.totals_of`."""
        mine = [*self._where(lambda one: one.player == player)]
        return Totals(
            races=len(mine),
            wins=sum(one.status == "won" for one in mine),
            firsts=sum(one.rank == 1 and one.racers > 1 for one in mine),
            best=max((one.best for one in mine), default=0),
            deadlocks=sum(one.is_deadlocked for one in mine),
            clean=sum(one.undos == 0 and one.moves > 0 for one in mine),
        )

    def _where(self, wanted: Callable[[Result], bool]) -> Iterable[Result]:
        return filter(wanted, self._results.values())

    def _on(self, code: str, shut: Collection[str]) -> Iterable[Result]:
        return self._where(lambda one: one.code == code and one.contest not in shut)

    async def identity(self, token_hash: bytes) -> Identity | None:
        """See `EventLog.identity`."""
        return self._identities.get(token_hash)

    async def save_identity(self, token_hash: bytes, identity: Identity) -> None:
        """See `EventLog.save_identity`."""
        self._identities[token_hash] = identity

    async def forget_rooms(self, before_at: int, limit: int) -> list[str]:
        """See `EventLog.forget_rooms`."""
        kept = with_tries(
            (room, self._logs[first][-1])
            for key, room in self._keys.items()
            if key.kind == "seen" and (first := self._keys.get(_deal_of(key))) is not None
        )
        gone = [
            name
            for name, entries in self._logs.items()
            if is_room(name) and name not in self._live and last_at(entries[-1]) < before_at
            if name not in kept and not is_of_contest(entries[0])
        ][:limit]
        for name in gone:
            del self._logs[name]
        self._keys = {key: room for key, room in self._keys.items() if room not in gone}
        self._results = {
            key: result for key, result in self._results.items() if result.room not in gone
        }
        return gone

    async def probe(self) -> None:
        """See `EventLog.probe`."""

    async def close(self) -> None:
        """See `EventLog.close`."""


def _deal_of(seen: Key) -> Key:
    """The key of the first challenge on the deal that this key says was seen."""
    return Key("deal", seen.key.partition(" ")[2])


def _place(result: Result) -> Place:
    return result.place


def _largest_first(count: RulesCount) -> tuple[int, bool, bool, int, str]:
    rules = count.rules
    limit_ms = rules.time_limit_ms
    return (-count.results, not rules.undo, limit_ms is None, limit_ms or 0, rules.ends)
