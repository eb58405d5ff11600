"""An event log that lasts as long as the process: for tests, and for a server without a folder."""

from halfmoon_server.eventlog.base import Batch, Identity, Key, LogConflict, is_room


class MemoryLog:
    """`EventLog` in dictionaries."""

    def __init__(self) -> None:
        self._logs: dict[str, list[str]] = {}
        self._live: dict[str, None] = {}
        self._keys: dict[Key, str] = {}
        self._identities: dict[bytes, Identity] = {}

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
        if batch.is_last:
            self._live.pop(batch.room, None)
        else:
            self._live[batch.room] = None

    async def read(self, room: str) -> list[str]:
        """See `EventLog.read`."""
        return list(self._logs.get(room, ()))

    async def find(self, key: Key) -> str | None:
        """See `EventLog.find`."""
        return self._keys.get(key)

    async def live_rooms(self) -> list[str]:
        """See `EventLog.live_rooms`."""
        return [name for name in self._live if is_room(name)]

    async def live_logs(self, prefix: str) -> list[str]:
        """See `EventLog.live_logs`."""
        return [name for name in self._live if not is_room(name) and name.startswith(prefix)]

    async def identity(self, token_hash: bytes) -> Identity | None:
        """See `EventLog.identity`."""
        return self._identities.get(token_hash)

    async def save_identity(self, token_hash: bytes, identity: Identity) -> None:
        """See `EventLog.save_identity`."""
        self._identities[token_hash] = identity

    async def probe(self) -> None:
        """See `EventLog.probe`."""

    async def close(self) -> None:
        """See `EventLog.close`."""
