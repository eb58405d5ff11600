"""The only reader of time: it begins with the wall clock and then goes its own way."""

import time

import pytest

from halfmoon_server.hosting.clock import SystemClock


class Ticks:
    """The system's clocks, moved by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall_ns = 1_790_000_000_123_456_789
        self.steady_ns = 5_000_000_000
        monkeypatch.setattr(time, "time_ns", lambda: self.wall_ns)
        monkeypatch.setattr(time, "monotonic_ns", lambda: self.steady_ns)
        monkeypatch.setattr(time, "clock_gettime_ns", lambda _: self.steady_ns)


@pytest.fixture(params=["with a clock that counts sleep", "without"])
def ticks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Ticks:
    if request.param == "without":
        monkeypatch.delattr(time, "CLOCK_BOOTTIME", raising=False)
    return Ticks(monkeypatch)


def test_it_begins_with_the_wall_clock(ticks: Ticks) -> None:
    assert SystemClock().now() == 1_790_000_000_123


def test_it_goes_on_by_the_clock_that_nobody_can_set(ticks: Ticks) -> None:
    clock = SystemClock()
    for hours in (-1, 1):
        ticks.wall_ns += hours * 3_600_000_000_000
        ticks.steady_ns += 250_000_000
    assert clock.now() == 1_790_000_000_623
