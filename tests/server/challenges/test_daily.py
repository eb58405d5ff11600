"""The day's deal: one a day, from midnight to midnight where the server is."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfmoon.engine.codes import Code, Variant
from halfmoon_server.challenges import daily
from halfmoon_server.challenges.keeper import Keeper
from halfmoon_server.eventlog.memory import MemoryLog
from halfmoon_server.rooms.terms import Terms
from halfmoon_testing.builders import create_room
from halfmoon_testing.fakes import FakeClock, FakeLog, quiet

ZONES = [
    "Europe/Budapest", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "America/Sao_Paulo",
    "America/Havana", "Africa/Cairo", "Australia/Lord_Howe", "UTC",
]  # fmt: skip
"""Some of them change their clocks at midnight, some by half an hour."""


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


@given(st.integers(ms("2000-01-01T00:00Z"), ms("2035-01-01T00:00Z")), st.sampled_from(ZONES))
def test_a_day_lasts_until_the_next_begins_whatever_the_clocks_do(at: int, name: str) -> None:
    zone = ZoneInfo(name)
    day = daily.day_of(at, zone)
    end = daily.end_of(day, zone)
    assert at < end
    assert end - at <= 26 * 3_600_000
    assert daily.day_of(end - 1, zone) == day
    assert daily.day_of(end, zone) > day


@pytest.mark.parametrize(
    ("zone", "day", "end"),
    [
        ("UTC", "2026-11-30", "2026-12-01T00:00Z"),
        ("Europe/Budapest", "2026-03-29", "2026-03-29T22:00Z"),
        ("Europe/Budapest", "2026-10-25", "2026-10-25T23:00Z"),
        ("America/Sao_Paulo", "2017-10-14", "2017-10-15T03:00Z"),
    ],
)
def test_midnight_is_the_zones(zone: str, day: str, end: str) -> None:
    assert daily.end_of(date.fromisoformat(day), ZoneInfo(zone)) == ms(end)


def test_without_a_zone_the_day_is_the_systems() -> None:
    now = ms("2026-11-30T12:00Z")
    assert daily.day_of(now, None) == datetime.fromtimestamp(now / 1000, UTC).astimezone().date()
    assert daily.end_of(daily.day_of(now, None), None) - now <= 26 * 3_600_000


@pytest.mark.parametrize("text", ["", "2026-1-2", "20261130", "2026-W49-1", "2026-02-30", "today"])
def test_what_is_no_day_is_none(text: str) -> None:
    assert daily.read_day(text) is None
    assert daily.read_day("2026-11-30") == date(2026, 11, 30)


class Days:
    """Keeper whose codes are numbered as they are drawn."""

    def __init__(self, log: MemoryLog) -> None:
        self.log = log
        self.clock = FakeClock()
        self.numbers = count(1)
        self.keeper = self.again()

    def again(self, zone: str = "UTC") -> Keeper:
        """After a restart, where the server may have another zone."""
        self.keeper = Keeper(self.log, self.clock, self._draw, ZoneInfo(zone))
        return self.keeper

    async def at(self, when: str) -> int | None:
        """The number of the day's deal at this time."""
        self.clock.advance(ms(when) - self.clock.now())
        return (await self.keeper.today()).number

    def _draw(self) -> Code:
        return Code.from_number(Variant.SEALED, next(self.numbers))


async def test_a_day_has_one_deal_however_many_ask_and_after_a_restart() -> None:
    days = Days(MemoryLog())
    deals = await asyncio.gather(*(days.keeper.today() for _ in range(20)))
    assert {deal.code.number for deal in deals} == {1}
    assert await days.again().today() == deals[0]
    days.clock.advance(24 * 3_600_000)
    tomorrow = await days.keeper.today()
    assert (tomorrow.code.number, tomorrow.day) == (2, deals[0].day + timedelta(days=1))
    assert await days.keeper.daily_of(deals[0].day) == deals[0]
    assert await days.keeper.daily_of(tomorrow.day + timedelta(days=1)) is None


async def test_nothing_is_told_of_a_deal_before_it_is_in_the_log() -> None:
    days = Days(FakeLog())
    assert isinstance(days.log, FakeLog)
    days.log.hold()
    asking = asyncio.ensure_future(days.keeper.today())
    await quiet()
    assert not asking.done()
    days.log.release()
    deal = await asking
    assert [batch.room for batch in days.log.appended] == [deal.contest]
    assert days.log.appended[0].is_last


async def test_the_days_room_is_for_one_alone_and_starts_within_the_day() -> None:
    days = Days(MemoryLog())
    deal = await days.keeper.today()
    terms = await days.keeper.terms_for(create_room().model_copy(update={"daily": True}))
    assert isinstance(terms, Terms)
    assert (terms.alone, terms.code, terms.start_before) == (True, deal.code, deal.ends_at)
    assert terms.contest == f"daily/{deal.day}"
    options = terms.room_options
    assert (options.time_limit_ms, options.undo, options.max_players) == (900_000, True, 1)
    assert options.code is None
    assert deal.opens_at == deal.ends_at + 60_000 + 900_000


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_clock_that_is_set_back_over_midnight_brings_no_day_back(restarts: bool) -> None:
    days = Days(MemoryLog())
    assert await days.at("2026-11-30T23:50Z") == 1
    assert await days.at("2026-12-01T00:30Z") == 2
    first, second = days.keeper, await days.keeper.today()
    assert await first.is_open("daily/2026-11-30", None)
    for when in ("2026-11-30T23:55Z", "2026-11-30T01:00Z", "2026-12-01T23:59Z"):
        if restarts:
            days.again()
        assert await days.at(when) == 2
        assert await days.keeper.today() == second
        assert not await days.keeper.is_open("daily/2026-12-01", None)
    assert await days.at("2026-12-02T00:00Z") == 3


async def test_what_was_told_of_a_day_when_the_next_was_drawn_late_stays_told() -> None:
    days = Days(MemoryLog())
    await days.at("2026-11-30T12:00Z")
    assert await days.at("2026-12-01T07:00Z") == 2
    assert await days.at("2026-11-30T20:00Z") == 2
    assert await days.keeper.is_open("daily/2026-11-30", None)


async def test_a_clock_that_was_far_ahead_leaves_a_new_deal_for_the_day() -> None:
    days = Days(MemoryLog())
    assert await days.at("2026-11-30T12:00Z") == 1
    assert await days.at("2027-03-01T12:00Z") == 2
    assert await days.at("2026-11-30T12:05Z") == 3
    deal = await days.keeper.today()
    assert (deal.day, deal.ends_at) == (date(2026, 12, 1), ms("2026-12-02T00:00Z"))
    assert await days.at("2026-12-02T00:00Z") == 4


@pytest.mark.parametrize(
    ("zone", "when", "number", "day"),
    [
        # West: the day of the new zone has had its deal, and gets no second one.
        ("America/New_York", "2026-12-01T00:30Z", 2, date(2026, 12, 1)),
        ("America/New_York", "2026-12-02T04:59Z", 2, date(2026, 12, 1)),
        ("America/New_York", "2026-12-02T05:00Z", 3, date(2026, 12, 2)),
        # East: the deal that was drawn lasts to its end.
        ("Asia/Tokyo", "2026-11-30T15:00Z", 1, date(2026, 11, 30)),
        ("Asia/Tokyo", "2026-12-01T00:00Z", 2, date(2026, 12, 1)),
    ],
)
async def test_a_server_that_moves_has_one_deal_a_day(
    zone: str, when: str, number: int, day: date
) -> None:
    days = Days(MemoryLog())
    assert await days.at("2026-11-30T12:00Z") == 1
    days.again(zone)
    if number == 3:
        await days.at("2026-12-01T12:00Z")
    assert await days.at(when) == number
    assert (await days.keeper.today()).day == day


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.integers(-20 * 3_600_000, 40 * 3_600_000), st.sampled_from(ZONES)), max_size=12
    )
)
def test_no_day_has_two_deals_and_none_that_is_over_comes_back(
    steps: list[tuple[int, str]],
) -> None:
    async def run() -> None:
        days, seen = Days(MemoryLog()), list[int]()
        for passed_ms, zone in steps:
            days.clock.advance(passed_ms)
            deal = await days.again(zone).today()
            assert days.clock.now() < deal.ends_at
            seen.append(deal.number or 0)
        listed = await days.keeper.days(None, 100)
        assert len({deal.day for deal in listed}) == len(listed) == max(seen, default=0)

    asyncio.run(run())
