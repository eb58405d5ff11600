"""What every event log promises, and the identities that are kept beside it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from halfmoon_server.eventlog.results import Latest, Place, Result, Rules, RulesCount, Totals

KeyKind = Literal["race", "create", "claim", "challenge", "deal", "daily", "seen"]
"""`race`: a race's id; `create`: a player and the id of their `create_room`; `claim`: a player and
the contest that they play alone for; `challenge`: a player and the number of their challenge;
`deal`: the code of the first challenge on it; `daily`: the number of a day's deal; `seen`: a player and
the code of a deal that they have seen, where that counts."""


@dataclass(frozen=True, slots=True)
class Key:
    """A name by which a room's log is found again."""

    kind: KeyKind
    key: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Entries of one room that are written together or not at all."""

    room: str
    expected_seq: int
    """How many entries the log of this room holds before these."""
    entries: Sequence[str]
    keys: Sequence[Key] = ()
    is_last: bool = False
    """Nothing follows: the room is gone and `live_rooms` no longer names it."""
    results: Sequence[Result] = ()
    """Of a race that is over with these entries."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A player as the server remembers them."""

    player: str
    name: str


class LogConflict(Exception):
    """Somebody else has written to this room's log: the host is no longer its only writer."""


class LogDamaged(Exception):
    """A log isn't as it was written; the message names the log and the event, in one line."""


class LogUnavailable(Exception):
    """Nothing can be written or read right now; what was asked has not happened."""


class DataFolderError(Exception):
    """The data folder can't be used; the message says why and what to do, in one line."""


def is_room(name: str) -> bool:
    """Whether a log of this name is a room's; what else keeps a log has a slash in its name."""
    return "/" not in name


class EventLog(Protocol):
    """Durable, append-only logs, one a room, and the players' identities.

    What is no room keeps its log under a name with a slash, such as `kind/id`.

    What `append` and `save_identity` return from is durable, whatever happens to the process or
    the power afterwards.
    """

    @property
    def is_healthy(self) -> bool:
        """Whether the last attempt to write succeeded."""
        ...

    async def append(self, batch: Batch) -> None:
        """Write the batch; raises `LogConflict` or `LogUnavailable`, and then wrote nothing."""
        ...

    async def read(self, room: str) -> list[str]:
        """All entries of the room, oldest first; empty for a room that never was.

        Raises `LogDamaged` and `LogUnavailable`.
        """
        ...

    async def break_off(self, room: str) -> list[str]:
        """The entries of a log up to where it broke off; it goes on after them.

        What followed is put aside. For logs that nobody has in memory: a host would not know.
        Raises `LogDamaged`, for one with a hole or that has ended, and `LogUnavailable`.
        """
        ...

    async def find(self, key: Key) -> str | None:
        """The room whose log was given this key."""
        ...

    async def live_rooms(self) -> list[str]:
        """The rooms whose last entry hasn't been written, oldest first."""
        ...

    async def live_logs(self, prefix: str) -> list[str]:
        """The other logs, by the beginning of their name, that go on; oldest first."""
        ...

    async def results_of_code(
        self,
        code: str,
        rules: Rules | None,
        after: Place | None,
        limit: int,
        shut: Collection[str] = (),
    ) -> list[Result]:
        """Results on this deal, best first; those of the contests `shut` are left out."""
        ...

    async def rules_of_code(self, code: str, shut: Collection[str] = ()) -> list[RulesCount]:
        """The classes of results on this deal, the largest first."""
        ...

    async def contests_of_code(self, code: str) -> list[str]:
        """The contests that have results on this deal."""
        ...

    async def own_results(
        self, code: str, rules: Rules, player: str, limit: int, shut: Collection[str] = ()
    ) -> list[tuple[int, Result]]:
        """Results of this player on this deal by these rules, best first, each with its rank.

        Among all of them there: equals share one, and those of the contests `shut` don't count.
        """
        ...

    async def has_raced(self, code: str, player: str) -> bool:
        """Whether this player has a result on this deal."""
        ...

    async def results_of_contest(self, contest: str) -> list[Result]:
        """All results of a contest, best first."""
        ...

    async def results_of_player(
        self, player: str, after: Latest | None, limit: int
    ) -> list[Result]:
        """Results of this player, newest first."""
        ...

    async def totals_of(self, player: str) -> Totals:
        """All races of this player in figures."""
        ...

    async def identity(self, token_hash: bytes) -> Identity | None:
        """Who the token with this SHA-256 belongs to."""
        ...

    async def save_identity(self, token_hash: bytes, identity: Identity) -> None:
        """Remember a new player, or a known player's new name."""
        ...

    async def forget_rooms(self, before_at: int, limit: int) -> list[str]:
        """Delete rooms that are gone since before this time, with all that follows from their logs.

        So many at a time; gives which. Nothing of what goes on is touched, no other kind of log,
        and no room of a contest: its claim and its result are part of something larger.
        """
        ...

    async def probe(self) -> None:
        """Write something that means nothing, to learn whether writing works.

        Raises `LogUnavailable`.
        """
        ...

    async def close(self) -> None:
        """Finish what is under way and let go of the storage."""
        ...
