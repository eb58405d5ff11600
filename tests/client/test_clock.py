"""The server's time as a client tells it."""

from halfmoon.wire.messages import ClockAnswer
from halfmoon_client.clock import SAMPLES, ServerClock


class Now:
    """Milliseconds that pass when the test says so."""

    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> int:
        return self.ms


def test_the_quickest_answer_counts() -> None:
    now = Now()
    clock = ServerClock(now)
    assert not clock.is_set
    for round_trip_ms, at in [(100, 5_000), (10, 6_000), (400, 7_000)]:
        sent_ms = now.ms
        now.ms += round_trip_ms
        clock.sample(sent_ms, at)
    # The second was sent at 100 and answered within 10 ms: at 105, about, it was 6,000.
    assert clock.is_set
    assert clock.now_at() == now.ms + 6_000 - 105
    assert clock.ms_until(clock.now_at() + 30) == 30


def test_a_new_connection_begins_anew_since_the_machine_may_have_slept() -> None:
    now = Now()
    clock = ServerClock(now)
    clock.sample(0, 1_000)
    now.ms = 200
    assert clock.restart(100, 90_000).t == 200
    assert clock.now_at() == 200 + 90_000 - 150


def test_it_asks_a_few_times_in_a_row() -> None:
    clock = ServerClock(Now())
    asked = [clock.restart(0, 1_000)]
    while question := clock.answered(ClockAnswer(t=asked[-1].t, at=1_000)):
        asked.append(question)
    assert len(asked) == SAMPLES
