"""The send queue of one connection: one write a turn, and what a slow reader is spared or told."""

import asyncio
from collections.abc import Callable

import pytest

from halfmoon_server import outbox as bounds
from halfmoon_server.outbox import Outbox
from halfmoon_testing.fakes import FakeClock, FakeTransport, quiet

FULL = bounds.MOST_BUFFERED_BYTES + 1


class Line:
    """An outbox on a transport, with time that only the test moves."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.clock.drive(asyncio.get_running_loop())
        self.transport = FakeTransport()
        self.given_up = 0
        self.outbox = Outbox(self.transport, self._too_slow)

    def _too_slow(self) -> None:
        self.given_up += 1

    def writes(self) -> list[bytes]:
        """What was handed to the socket since this was asked last, write by write."""
        fresh, self.transport.writes = self.transport.writes, []
        return fresh

    async def pass_ms(self, ms: int) -> None:
        for _ in range(ms // bounds.LOOK_AGAIN_MS):
            self.clock.advance(bounds.LOOK_AGAIN_MS)
            await quiet()
        self.clock.advance(ms % bounds.LOOK_AGAIN_MS)
        await quiet()

    async def stop_reading(self) -> None:
        """The peer reads nothing more, and the outbox has noticed."""
        self.transport.buffered = FULL
        self.outbox.send(b"?")
        await quiet()
        self.writes()

    async def read_all(self) -> None:
        """The peer has caught up."""
        self.transport.buffered = 0
        await self.pass_ms(bounds.LOOK_AGAIN_MS)


@pytest.fixture
async def line() -> Line:
    return Line()


async def test_what_comes_within_one_turn_travels_in_one_write(line: Line) -> None:
    for frame in (b"a", b"b", b"c"):
        line.outbox.send(frame)
    line.outbox.offer(b"d", "K7M2P", lambda: None)
    assert line.writes() == []
    await quiet()
    assert line.writes() == [b"abcd"]


async def test_each_turn_has_its_own_write(line: Line) -> None:
    line.outbox.send(b"a")
    await quiet()
    line.outbox.send(b"b")
    await quiet()
    assert line.writes() == [b"a", b"b"]


async def test_a_flush_by_hand_sends_what_waits_and_nothing_twice(line: Line) -> None:
    line.outbox.send(b"a")
    line.outbox.flush()
    assert line.writes() == [b"a"]
    await quiet()
    assert line.writes() == []


async def test_where_nothing_waits_nothing_is_written(line: Line) -> None:
    line.outbox.flush()
    line.outbox.close()
    line.outbox.flush()
    assert line.writes() == []


async def test_a_buffer_that_is_just_full_is_not_slow(line: Line) -> None:
    line.transport.buffered = bounds.MOST_BUFFERED_BYTES
    line.outbox.send(b"a")
    await quiet()
    assert line.writes() == [b"a"]


async def test_what_must_not_be_lost_waits_for_a_slow_reader_in_order(line: Line) -> None:
    line.transport.buffered = FULL
    for frame in (b"a", b"b"):
        line.outbox.send(frame)
    await quiet()
    line.outbox.send(b"c")
    await line.pass_ms(200)
    assert line.writes() == []
    await line.read_all()
    assert line.writes() == [b"abc"]


async def test_progress_is_dropped_for_a_slow_reader_and_made_up_for_once(line: Line) -> None:
    await line.stop_reading()
    asked: list[str] = []
    for number in range(1000):
        line.outbox.offer(b"progress", "ONE", lambda: asked.append("ONE"))
        if number % 10 == 0:
            line.outbox.offer(b"progress", "TWO", lambda: asked.append("TWO"))
    await line.pass_ms(1000)
    assert asked == []
    await line.read_all()
    assert line.writes() == [b"?"]
    assert asked == ["ONE", "TWO"]
    await line.pass_ms(1000)
    assert asked == ["ONE", "TWO"]
    assert line.given_up == 0


async def test_the_room_that_makes_up_for_it_comes_after_what_waited(line: Line) -> None:
    await line.stop_reading()
    line.outbox.send(b"answer,")
    line.outbox.offer(b"progress,", "ONE", lambda: line.outbox.send(b"room,"))
    await line.read_all()
    line.outbox.offer(b"progress,", "ONE", lambda: None)
    await quiet()
    assert b"".join(line.writes()) == b"?answer,room,progress,"


async def test_a_reader_who_was_slow_once_may_be_slow_again(line: Line) -> None:
    for _ in range(3):
        await line.stop_reading()
        await line.pass_ms(bounds.SLOW_FOR_MS - 100)
        await line.read_all()
    assert line.given_up == 0


def waiting_frames(line: Line) -> None:
    for _ in range(bounds.MOST_WAITING_FRAMES - 1):
        line.outbox.send(b"x")


def waiting_bytes(line: Line) -> None:
    line.outbox.send(b"x" * (bounds.MOST_WAITING_BYTES - 1))


@pytest.mark.parametrize("fill", [waiting_frames, waiting_bytes])
async def test_a_reader_for_whom_too_much_waits_is_given_up(
    line: Line, fill: Callable[[Line], None]
) -> None:
    await line.stop_reading()
    fill(line)
    assert line.given_up == 0
    line.outbox.send(b"one more")
    assert line.given_up == 1
    await line.read_all()
    assert line.writes() == []


async def test_what_came_in_one_turn_counts_as_soon_as_the_reader_is_found_slow(
    line: Line,
) -> None:
    line.transport.buffered = FULL
    for _ in range(bounds.MOST_WAITING_FRAMES + 1):
        line.outbox.send(b"x")
    assert line.given_up == 0
    await quiet()
    assert line.given_up == 1


async def test_a_reader_who_reads_nothing_for_long_is_given_up(line: Line) -> None:
    await line.stop_reading()
    await line.pass_ms(bounds.SLOW_FOR_MS - bounds.LOOK_AGAIN_MS)
    assert line.given_up == 0
    await line.pass_ms(bounds.LOOK_AGAIN_MS)
    assert line.given_up == 1
    await line.pass_ms(60_000)
    assert line.given_up == 1


async def test_who_was_given_up_is_sent_nothing_more(line: Line) -> None:
    await line.stop_reading()
    asked: list[str] = []
    line.outbox.offer(b"progress", "ONE", lambda: asked.append("ONE"))
    await line.pass_ms(bounds.SLOW_FOR_MS)
    line.outbox.send(b"a")
    line.outbox.offer(b"b", "ONE", lambda: asked.append("ONE"))
    await line.read_all()
    assert line.writes() == []
    assert asked == []


async def test_pings_to_a_slow_reader_do_not_make_the_outbox_look_more_often(line: Line) -> None:
    await line.stop_reading()
    for _ in range(50):
        line.outbox.flush()
    loop = asyncio.get_running_loop()
    timers = [timer for timer in loop._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
    assert len(timers) == 1


async def test_a_closed_outbox_hands_over_what_waits_and_takes_nothing_more(line: Line) -> None:
    line.outbox.send(b"goodbye")
    line.outbox.close()
    assert line.writes() == [b"goodbye"]
    line.outbox.send(b"too late")
    line.outbox.close()
    await quiet()
    assert line.writes() == []


async def test_a_slow_reader_is_not_loaded_further_at_the_end(line: Line) -> None:
    await line.stop_reading()
    line.outbox.send(b"a")
    line.outbox.close()
    await line.pass_ms(bounds.SLOW_FOR_MS)
    assert line.writes() == []
    assert line.given_up == 0


async def test_nothing_is_written_to_a_socket_that_is_going(line: Line) -> None:
    line.outbox.send(b"a")
    line.transport.closing = True
    await quiet()
    line.outbox.send(b"b")
    await quiet()
    assert line.writes() == []
    assert line.given_up == 0


async def test_nothing_is_written_by_a_close_of_a_socket_that_is_gone(line: Line) -> None:
    line.outbox.send(b"a")
    line.transport.closing = True
    line.outbox.close()
    assert line.writes() == []
