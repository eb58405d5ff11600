"""What the operator chose, frozen; units stand in the names."""

from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from halfmoon_server import outbox
from halfmoon_server.limits import Rate
from halfmoon_server.players import MOST_CONNECTIONS
from halfmoon_server.proxies import Networks
from halfmoon_server.rooms.commands import MOST_SPECTATORS

COMMANDS = Rate(burst=20, per_second=10)
PINGS = Rate(burst=100, per_second=10)
NEW_CONNECTIONS = Rate(burst=2000, per_second=50)
NEW_ROOMS = Rate(burst=600, per_second=1)
WRONG_ROOMS = Rate(burst=60, per_second=0.1)
WRONG_KEYS = Rate(burst=60, per_second=0.5)
WRONG_TOKENS = Rate(burst=9, per_second=0.15)


@dataclass(frozen=True, slots=True)
class Limits:
    """What an address, a player, a connection and all of them together may do.

    The defaults let a class of 40 or a club of 100 behind one address in within a minute, and all
    of them back at once after a restart.
    """

    connections_per_address: int = 1024
    new_connections: Rate = NEW_CONNECTIONS
    """Of one address: what asks for an upgrade beyond it is refused with 429."""
    new_rooms: Rate = NEW_ROOMS
    """Of one address."""
    wrong_rooms: Rate = WRONG_ROOMS
    """Of one address, challenges too: the secrecy of a private room lives by this."""
    wrong_tokens: Rate = WRONG_TOKENS
    """Of one address: the tenth within a minute is refused."""

    connections_per_player: int = MOST_CONNECTIONS
    """One has the seats; others may still be on their way out, and past this the oldest is cut."""
    rooms_per_player: int = 280
    """Rooms that one player hosts: more than the creations that are remembered of a player."""

    rooms: int = 20_000
    """All rooms of the server; past that no new one is opened."""
    spectators: int = MOST_SPECTATORS
    """Those who watch one room."""

    message_bytes: int = 16 * 1024
    """Of one message (Contract §5, *Frames*)."""
    commands: Rate = COMMANDS
    """Of one connection (Contract §5)."""
    limited_commands: int = 100
    """So many commands past the rate within 5 s are refused; one more closes the connection."""
    bad_messages: int = 10
    """So many in a row without one of the right shape, and the connection is closed."""
    pings: Rate = PINGS
    """Pings and pongs of one connection that nobody asked for."""
    waiting_messages: int = outbox.MOST_WAITING_FRAMES
    """What may wait for a peer that doesn't read, in messages and …"""
    waiting_bytes: int = outbox.MOST_WAITING_BYTES
    """… in bytes."""
    slow_for_ms: int = outbox.SLOW_FOR_MS
    """So long may a peer read nothing while something waits for it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server runs."""

    host: str = "127.0.0.1"
    port: int = 8080
    data: Path | None = None
    """Where the log lies; None keeps it in memory."""
    organiser_key: str | None = field(default=None, repr=False)
    """Who has it runs tournaments; None: the data folder's own, or one for as long as we run."""
    keep_days: int | None = None
    """Rooms that have been gone for longer are deleted, with the records of their races."""
    allowed_origins: frozenset[str] = frozenset()
    """Further origins whose pages may connect, as `https://host:port`."""
    tls_cert: Path | None = None
    """A certificate in PEM form, by which all is encrypted; None: plain HTTP."""
    tls_key: Path | None = None
    """Its key, where that isn't in the same file."""
    trusted_proxies: Networks = ()
    """Whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed."""
    timezone: ZoneInfo | None = None
    """Where the day's deal changes at midnight; None: where the system says that it is."""
    limits: Limits = field(default_factory=Limits)
    hello_within_ms: int = 5000
    ping_every_ms: int = 20_000
    pong_within_ms: int = 20_000
