"""The only reader of time: now in Unix ms, unmoved by whoever sets the system's clock."""

import time
from typing import Protocol


class Clock(Protocol):
    """Where the server's time comes from."""

    def now(self) -> int:
        """Unix time in ms."""
        ...


LONGEST_TIMER_MS = 3_600_000
"""A timer comes back at least so often to look at the clock, which may have slept meanwhile."""


def seconds_until(due_at: int, clock: Clock) -> float:
    """How long a timer shall wait for `due_at` (Unix ms), or to look at the clock again."""
    return min(max(0, due_at - clock.now()), LONGEST_TIMER_MS) / 1000


class SystemClock:
    """The wall clock as it was at the start, carried on by a clock that nobody can set.

    Where the system has one, that clock also counts the time that a laptop slept.
    """

    def __init__(self) -> None:
        self._source = getattr(time, "CLOCK_BOOTTIME", None)
        self._began_at = time.time_ns() // 1_000_000
        self._began = self._ticks_ms()

    def now(self) -> int:
        """Unix time in ms; never goes back."""
        return self._began_at + self._ticks_ms() - self._began

    def _ticks_ms(self) -> int:
        if self._source is None:
            return time.monotonic_ns() // 1_000_000
        return time.clock_gettime_ns(self._source) // 1_000_000
