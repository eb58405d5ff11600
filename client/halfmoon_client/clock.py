"""The server's time, told from answers that carry it."""

from collections.abc import Callable

from halfmoon.wire.commands import Clock
from halfmoon.wire.messages import ClockAnswer

SAMPLES = 3
"""How often the server is asked in a row: the first answer on a new connection is seldom the
quickest, and nothing is gained by many."""


class ServerClock:
    """Unix time in ms by the server's clock, as far as the quickest answer tells it."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        """Milliseconds of a clock that only runs forward, and from any zero."""
        self._offset_ms = 0
        self._round_trip_ms: int | None = None
        self._left = 0

    @property
    def is_set(self) -> bool:
        """Whether the server was heard yet."""
        return self._round_trip_ms is not None

    def now_at(self) -> int:
        """Unix time in ms by the server's clock, for what ends in `_at`."""
        assert self.is_set, "a welcome sets the clock before anybody can ask"
        return self._now_ms() + self._offset_ms

    def ms_until(self, moment_at: int) -> int:
        """How long it is until then; negative where it is past."""
        return moment_at - self.now_at()

    def restart(self, sent_ms: int, at: int) -> Clock:
        """Starts anew with a connection's welcome, for the machine may have slept.

        Gives the first question.
        """
        self._round_trip_ms = None
        self.sample(sent_ms, at)
        return self.ask()

    def ask(self) -> Clock:
        """The first question of a few in a row."""
        self._left = SAMPLES
        return Clock(t=self._now_ms())

    def answered(self, answer: ClockAnswer) -> Clock | None:
        """Takes in an answer and gives the next question, if there is one."""
        self.sample(answer.t, answer.at)
        self._left -= 1
        return Clock(t=self._now_ms()) if self._left > 0 else None

    def sample(self, sent_ms: int, at: int) -> None:
        """Takes in that what was sent then was answered by `at`, just now."""
        now_ms = self._now_ms()
        round_trip_ms = now_ms - sent_ms
        if self._round_trip_ms is None or round_trip_ms <= self._round_trip_ms:
            self._round_trip_ms = round_trip_ms
            self._offset_ms = at - (sent_ms + now_ms) // 2
