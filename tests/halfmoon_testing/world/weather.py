"""What goes wrong in a world, and how often: drawn from its seed, and over when it is healed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

Ending = Literal["fin", "rst", "hang"]


@dataclass(frozen=True, slots=True)
class CutPlan:
    """Where a line ends."""

    is_up: bool
    """Counted in what the client says, else in what the server says."""
    at: int
    end: Ending


class Weather:
    """One kind of fault is rare in one world and common in the next, or absent."""

    def __init__(self, seed: int) -> None:
        chance = self._chance = random.Random(f"weather {seed}")
        self.latency_ms = chance.choice((1, 5, 40, 200))
        self.cuts = chance.choice((0, 0.3, 0.8))
        """How many of the lines are cut."""
        self.pieces = chance.choice((0, 0.2))
        """How much of what clients say arrives torn into pieces."""
        self.stalls = chance.choice((0, 0.01, 0.04))
        """How often a client stops reading, by the messages that it hears."""
        self.disk_ms = chance.choice((0, 2, 30))
        self.disk_slow = chance.choice((0, 0.02))
        """How many writes take seconds."""
        self.disk_fails = chance.choice((0, 0, 0.03))
        self.crashes = chance.choice((0, 0.002, 0.01))
        """How often the process dies, by what its edges do."""
        self.crashes_left = 4
        self.stops = chance.choice((0, 0.002))
        """How often it is stopped and started with a goodbye, by the same measure."""
        self.repeats = chance.choice((0, 0.1))
        """How many commands are said twice."""
        self.leaps = chance.choice((0, 0.5))
        """How often the server's clock leaps while it is down."""

    def heal(self) -> None:
        """From now on all is well."""
        self.latency_ms, self.disk_ms = 5, 1
        self.cuts = self.pieces = self.stalls = self.disk_slow = 0
        self.disk_fails = self.crashes = self.stops = self.repeats = 0

    def latency(self) -> float:
        """Seconds that something is under way."""
        return self.latency_ms * (0.5 + self._chance.random()) / 1000

    def cut(self) -> CutPlan | None:
        """How the next line will end, None: as its ends wish."""
        if self._chance.random() >= self.cuts:
            return None
        is_up = self._chance.random() < 0.4
        # Small numbers fall into the upgrade, hello and `room`.
        at = int(self._chance.choice((400, 3000, 12_000)) * self._chance.random())
        return CutPlan(is_up, at, self._chance.choice(("fin", "rst", "hang")))

    def torn(self, data: bytes) -> list[bytes]:
        """The pieces in which bytes arrive."""
        if self._chance.random() >= self.pieces or len(data) < 2:
            return [data]
        if self._chance.random() < 0.2:
            return [data[at : at + 1] for at in range(len(data))]
        at = self._chance.randrange(1, len(data))
        return [data[:at], data[at:]]

    def stall(self) -> float:
        """Seconds for which a client reads nothing now, mostly none."""
        if self._chance.random() >= self.stalls:
            return 0
        return self._chance.choice((0.5, 4.0, 15.0))

    def disk_delay(self) -> float:
        """Seconds that a write takes."""
        if self._chance.random() < self.disk_slow:
            return 3 * self._chance.random()
        return self.disk_ms * self._chance.random() / 1000

    def disk_fault(self) -> bool:
        """Whether a write fails."""
        return self._chance.random() < self.disk_fails

    def is_kept(self) -> bool:
        """Whether a write that was under way when the process died is there afterwards."""
        return self._chance.random() < 0.5

    def crash(self) -> bool:
        """Whether the process dies here."""
        if self.crashes_left and self._chance.random() < self.crashes:
            self.crashes_left -= 1
            return True
        return False

    def stop(self) -> bool:
        """Whether the process is told to stop here."""
        return self._chance.random() < self.stops

    def repeat(self) -> bool:
        """Whether a command is said twice."""
        return self._chance.random() < self.repeats

    def down_s(self) -> float:
        """Seconds until a process that ended is started again."""
        return self._chance.choice((0.0, 0.5, 3.0))

    def leap_ms(self) -> int:
        """By how much the clock is wrong, after the process was down."""
        if self._chance.random() >= self.leaps:
            return 0
        return self._chance.randrange(-5000, 60_000)
