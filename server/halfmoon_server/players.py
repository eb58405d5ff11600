"""Tokens to players, and who is connected where (Contract §5, *Who*)."""

import hashlib
import secrets
from typing import Protocol

from halfmoon_server.eventlog.base import EventLog, Identity

TOKEN_BYTES = 24
PLAYER_BYTES = 8
MOST_CONNECTIONS = 5
"""Of one player, those that were replaced and are leaving counted."""


class WrongToken(Exception):
    """No player has this token."""


class Replaceable(Protocol):
    """A player's connection that a newer one takes the place of."""

    def replaced_by(self, newer: "Replaceable") -> None:
        """Give the newer connection all seats, and close."""
        ...

    def cut(self) -> None:
        """Let go of the socket at once, whatever it waits for."""
        ...


def new_player_id() -> str:
    """A fresh id; it has nothing to do with the token."""
    return f"p_{secrets.token_hex(PLAYER_BYTES)}"


def _hash(token: str) -> bytes:
    # A header of any bytes has surrogates in it, and is nobody's token.
    return hashlib.sha256(token.encode(errors="surrogatepass")).digest()


class Players:
    """Who the players are, by their secret tokens, and the connections of each."""

    def __init__(self, event_log: EventLog, most_connections: int = MOST_CONNECTIONS) -> None:
        self._log = event_log
        self._most_connections = most_connections
        self._connected: dict[str, list[Replaceable]] = {}
        """The last of each speaks for the player; the others have been replaced and are leaving."""

    async def register(self, name: str) -> tuple[Identity, str]:
        """A new player and their token, of which only the hash is kept."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        identity = Identity(player=new_player_id(), name=name)
        await self._log.save_identity(_hash(token), identity)
        return identity, token

    async def recognise(self, token: str, name: str | None) -> Identity:
        """Whose token this is, renamed where a name is given; raises `WrongToken`.

        The look-up is by hash, so its time says nothing about a token that is nearly right.
        """
        known = await self._log.identity(_hash(token))
        if known is None:
            raise WrongToken
        if name is None or name == known.name:
            return known
        renamed = Identity(player=known.player, name=name)
        await self._log.save_identity(_hash(token), renamed)
        return renamed

    def connected(self, player: str, connection: Replaceable) -> None:
        """The player speaks through this connection now; an older one is replaced."""
        connections = self._connected.setdefault(player, [])
        connections.append(connection)
        if len(connections) > 1:
            connections[-2].replaced_by(connection)
        while len(connections) > self._most_connections:
            connections.pop(0).cut()

    def connection_of(self, player: str) -> Replaceable | None:
        """The connection that the player speaks through now."""
        connections = self._connected.get(player)
        return connections[-1] if connections else None

    def disconnected(self, player: str, connection: Replaceable) -> None:
        """The connection is gone."""
        connections = self._connected.get(player, [])
        if connection in connections:
            connections.remove(connection)
        if not connections:
            self._connected.pop(player, None)
