"""What the handlers of one application share, by typed key."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from aiohttp import web

from halfmoon_server.challenges.keeper import Keeper
from halfmoon_server.connection import Connection, Neighbours
from halfmoon_server.contests import ContestKinds
from halfmoon_server.eventlog.base import EventLog
from halfmoon_server.limits import AddressBuckets
from halfmoon_server.organiser import OrganiserKey
from halfmoon_server.signing import SigningKey


@dataclass(slots=True)
class Server:
    """Everything that one running server consists of."""

    around: Neighbours
    event_log: EventLog
    keeper: Keeper
    organiser: OrganiserKey
    signing_key: SigningKey
    wrong_keys: AddressBuckets
    """Wrong organiser keys, by address."""
    contests: ContestKinds
    """Who says whether results are open."""
    connections: set[Connection] = field(default_factory=set[Connection])
    addresses: Counter[str] = field(default_factory=Counter[str])
    """How many connections each address has."""
    is_stopping: bool = False

    def new_connection(self, address: str) -> int:
        """Count one more; 0 where this address may open it, else the ms until it may."""
        now_ms = asyncio.get_running_loop().time() * 1000
        return self.around.new_connections.of(address, now_ms).take(now_ms)


SERVER: web.AppKey[Server] = web.AppKey("server", Server)
