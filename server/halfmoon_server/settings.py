"""What the operator chose, frozen; units stand in the names."""

from dataclasses import dataclass, field
from pathlib import Path

from halfmoon_server.limits import Rate

COMMANDS = Rate(burst=20, per_second=10)
NEW_ROOMS = Rate(burst=600, per_second=1)
WRONG_ROOMS = Rate(burst=60, per_second=0.1)
WRONG_TOKENS = Rate(burst=9, per_second=0.15)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one address or one connection may do. The defaults let a class of 40 in at once."""

    connections_per_address: int = 1024
    commands: Rate = COMMANDS
    """Of one connection (Contract §5)."""
    new_rooms: Rate = NEW_ROOMS
    """Of one address."""
    wrong_rooms: Rate = WRONG_ROOMS
    """Of one address: the secrecy of a private room lives by this."""
    wrong_tokens: Rate = WRONG_TOKENS
    """Of one address: the tenth within a minute is refused."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server runs."""

    host: str = "127.0.0.1"
    port: int = 8080
    data: Path | None = None
    """Where the log lies; None keeps it in memory."""
    allowed_origins: frozenset[str] = frozenset()
    """Further origins whose pages may connect, as `https://host:port`."""
    limits: Limits = field(default_factory=Limits)
    hello_within_ms: int = 5000
    ping_every_ms: int = 20_000
    pong_within_ms: int = 20_000
