"""How often something may be done: buckets that fill by the clock, strikes that fade."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon_server import limits
from halfmoon_server.limits import AddressBuckets, Bucket, Rate, Strikes

COMMANDS = Rate(burst=20, per_second=10)


def test_so_many_at_once_and_then_one_each_tenth_of_a_second() -> None:
    bucket = Bucket(COMMANDS, 0)
    assert [bucket.take(0) for _ in range(20)] == [0] * 20
    assert bucket.take(0) == 100
    assert bucket.take(60) == 40
    assert bucket.take(100) == 0
    assert bucket.take(100) == 100


def test_who_waits_as_long_as_was_said_is_served() -> None:
    bucket = Bucket(Rate(burst=1, per_second=0.15), 0)
    bucket.take(0)
    now = 0.0
    for _ in range(5):
        now += bucket.wait_ms(now)
        assert bucket.take(now) == 0


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    bucket = Bucket(COMMANDS, 0)
    taken = sum(bucket.take(3_600_000) == 0 for _ in range(100))
    assert taken == 20


def test_a_look_takes_nothing() -> None:
    bucket = Bucket(Rate(burst=1, per_second=1), 0)
    assert [bucket.wait_ms(0) for _ in range(3)] == [0, 0, 0]
    assert bucket.take(0) == 0


def test_a_refusal_costs_nothing() -> None:
    bucket = Bucket(Rate(burst=1, per_second=1), 0)
    bucket.take(0)
    for _ in range(100):
        assert bucket.take(500) == 500
    assert bucket.take(1000) == 0


def test_a_clock_that_goes_back_gives_nothing_away() -> None:
    bucket = Bucket(Rate(burst=1, per_second=1), 10_000)
    bucket.take(10_000)
    assert bucket.take(5000) == 1000


@given(st.lists(st.floats(0, 2000), max_size=200), st.integers(1, 30), st.floats(0.1, 50))
def test_never_more_than_the_burst_and_what_the_time_gave(
    gaps: list[float], burst: int, per_second: float
) -> None:
    bucket = Bucket(Rate(burst, per_second), 0)
    now, served = 0.0, 0
    for gap in gaps:
        now += gap
        served += bucket.take(now) == 0
        assert served <= burst + now * per_second / 1000 + 1e-6


def test_each_address_has_a_bucket_of_its_own() -> None:
    buckets = AddressBuckets(Rate(burst=1, per_second=1))
    assert buckets.of("a", 0).take(0) == 0
    assert buckets.of("a", 0).take(0) == 1000
    assert buckets.of("b", 0).take(0) == 0


def test_of_very_many_addresses_the_one_unused_for_longest_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST_ADDRESSES", 2)
    buckets = AddressBuckets(Rate(burst=1, per_second=1))
    for address in ("a", "b", "a", "c"):
        buckets.of(address, 0).take(0)
    assert buckets.of("a", 0).take(0) == 1000
    assert buckets.of("b", 0).take(0) == 0


def test_so_many_strikes_are_forgiven_and_one_more_is_not() -> None:
    strikes = Strikes(most=3, within_ms=5000)
    assert [strikes.strike(at) for at in (0, 1, 2, 3)] == [False, False, False, True]


def test_strikes_fade() -> None:
    strikes = Strikes(most=3, within_ms=5000)
    assert not any(strikes.strike(at) for at in range(0, 100_000, 2000))
    late = Strikes(most=1, within_ms=5000)
    assert [late.strike(at) for at in (0, 5000, 9999)] == [False, False, True]
