"""The commands that have no answer yet, in order, and which of them may go out now."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from halfmoon.wire.commands import Command

WINDOW = 16
"""Commands on their way at once: fewer than the 20 that a connection may send at once."""
CALM = 20
"""Answers in a row, none of them `rate_limited`, after which the whole window is used again."""
PATIENCE_MS = 1000
"""How long to wait where the server doesn't say."""


def fresh_id() -> str:
    """An id that no command of this player had before."""
    return secrets.token_urlsafe(12)


@dataclass(slots=True)
class Unanswered:
    """A command and what became of it so far."""

    command: Command
    is_own: bool
    """Asked by the seat itself, and only on this connection."""
    race: str | None
    """The race that ran in the command's room when it was given."""
    is_sent: bool = False
    was_sent: bool = False
    """On an earlier connection: it may have been carried out there."""


class Pending:
    """A queue that a command leaves with its answer, and not when it is sent."""

    def __init__(self, new_id: Callable[[], str] = fresh_id) -> None:
        self.held_ms = 0
        """How long nothing may go out."""
        self._new_id = new_id
        self._by_id: dict[str, Unanswered] = {}
        self._window = WINDOW
        self._calm = 0

    def add(self, command: Command, *, is_own: bool = False, race: str | None = None) -> str:
        """Puts the command at the end under a fresh id, which it gives back."""
        key = self._new_id()
        assert key not in self._by_id, "an id is used once"
        named = command.model_copy(update={"id": key})
        self._by_id[key] = Unanswered(named, is_own, race)
        return key

    def get(self, key: str | None) -> Unanswered | None:
        """The command of this id, while it is unanswered."""
        return None if key is None else self._by_id.get(key)

    def take(self, *, own_only: bool) -> list[Command]:
        """The commands that go out now; each is given out once, until it has to go `again`."""
        if self.held_ms:
            return []
        may_go = [one for one in self._by_id.values() if one.is_own or not own_only]
        free = max(0, self._window - sum(one.is_sent for one in may_go))
        going = [one for one in may_go if not one.is_sent][:free]
        for one in going:
            one.is_sent = True
        return [one.command for one in going]

    def answered(self, key: str) -> None:
        """Takes in that the command has its answer."""
        del self._by_id[key]
        self._calm += 1
        if self._calm >= CALM:
            self._window = WINDOW

    def again(self, one: Unanswered) -> None:
        """Puts the command back in its place: it is to be sent once more."""
        one.is_sent = False

    def hold(self, retry_ms: int | None) -> None:
        """Lets nothing out for so long; and then one by one, or waiting would end in a burst."""
        self.held_ms = max(self.held_ms, retry_ms or PATIENCE_MS)
        self._window, self._calm = 1, 0

    def release(self) -> None:
        """Takes in that `held_ms` have passed."""
        self.held_ms = 0

    def drop(self) -> None:
        """Takes in that the connection is gone: what was asked for it alone is forgotten."""
        self.held_ms, self._window, self._calm = 0, WINDOW, 0
        self._by_id = {key: one for key, one in self._by_id.items() if not one.is_own}
        for one in self._by_id.values():
            one.was_sent = one.was_sent or one.is_sent
            one.is_sent = False

    def to_front(self) -> None:
        """Puts the seat's own commands before all others."""
        own = {key: one for key, one in self._by_id.items() if one.is_own}
        self._by_id = own | self._by_id
