"""Buckets that say how often something may be done (Contract §5, *Commands and answers*)."""

import math
from collections import OrderedDict
from dataclasses import dataclass

MOST_ADDRESSES = 20_000
"""Addresses that are remembered; past that the one unused for longest is forgotten."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second from then on."""

    burst: int
    per_second: float


class Bucket:
    """What is left of a `Rate` for one doer. Times are Unix ms or any other ms that only grow."""

    __slots__ = ("_at_ms", "_left", "_rate")

    def __init__(self, rate: Rate, now_ms: float) -> None:
        self._rate = rate
        self._left = float(rate.burst)
        self._at_ms = now_ms

    def take(self, now_ms: float) -> int:
        """Take one; 0 where there was one, else the ms until there will be."""
        wait_ms = self.wait_ms(now_ms)
        if wait_ms == 0:
            self._left -= 1
        return wait_ms

    def wait_ms(self, now_ms: float) -> int:
        """0 where there is one to take, else the ms until there will be."""
        grown = (now_ms - self._at_ms) * self._rate.per_second / 1000
        self._left = min(float(self._rate.burst), self._left + max(0.0, grown))
        self._at_ms = now_ms
        if self._left >= 1:
            return 0
        return max(1, math.ceil((1 - self._left) * 1000 / self._rate.per_second))


class AddressBuckets:
    """A bucket for each address."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, address: str, now_ms: float) -> Bucket:
        """The bucket of this address."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._rate, now_ms)
            if len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket


class Strikes:
    """Refusals in a window of time: too many of them, and the connection is closed."""

    def __init__(self, most: int, within_ms: int) -> None:
        self._most = most
        self._within_ms = within_ms
        self._at_ms: list[float] = []

    def strike(self, now_ms: float) -> bool:
        """One more; whether that is too many."""
        self._at_ms = [at for at in self._at_ms[-self._most :] if now_ms - at < self._within_ms]
        self._at_ms.append(now_ms)
        return len(self._at_ms) > self._most
