"""The day's deal: one sealed code a day, the same for everybody on this server."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict

from halfmoon.engine.codes import Code
from halfmoon.engine.options import RaceOptions
from halfmoon_server.eventlog.base import Key
from halfmoon_server.rooms.terms import LONGEST_COUNTDOWN_MS, Terms

KIND = "daily"
OPTIONS = RaceOptions()
"""What the day's deal is raced by: the usual rules, a quarter of an hour, undo on."""
SET_BACK_MS = 24 * 3_600_000
"""A clock that is set back by less brings no day back and draws no other."""
LATEST_END_MS = LONGEST_COUNTDOWN_MS + (OPTIONS.time_limit_ms or 0)
"""So long after the day the last race on its deal may still run, having begun just in time."""


class DailyDeal(BaseModel):
    """The deal of one day: the one entry of its log, written before anything is told of it."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    day: date
    code: Code
    ends_at: int
    """When the next day begins, Unix ms."""
    number: int | None = None
    """Which of this server's it is, in the order in which they were drawn, from 1 on."""
    drawn_at: int | None = None
    """When it was drawn, Unix ms."""

    @property
    def contest(self) -> str:
        """What a room says that it is for; also the name of the log."""
        return contest_of(self.day)

    @property
    def terms(self) -> Terms:
        """What is fixed of a room in which it is raced."""
        return Terms(self.contest, self.code, OPTIONS, alone=True, start_before=self.ends_at)

    def lasts(self, now: int) -> bool:
        """Whether it is the day's deal at this time, being the last that was drawn.

        It lasts to its end wherever the server has gone meanwhile, and a clock that was set back a
        little changes nothing.
        """
        drawn_at = self.ends_at if self.drawn_at is None else self.drawn_at
        return drawn_at - SET_BACK_MS <= now < self.ends_at

    @property
    def opens_at(self) -> int:
        """From when on everything may be told to everybody, Unix ms."""
        return self.ends_at + LATEST_END_MS


def contest_of(day: date) -> str:
    """The contest of this day."""
    return f"{KIND}/{day.isoformat()}"


def key_of(number: int) -> Key:
    """The key of the deal of this number."""
    return Key("daily", str(number))


def keys_of(deal: DailyDeal) -> tuple[Key, ...]:
    """The keys that the log of a day's deal is given."""
    return () if deal.number is None else (key_of(deal.number),)


def day_of(at: int, zone: ZoneInfo | None) -> date:
    """The day at this time (Unix ms) where the server is; without a zone, the system's."""
    return datetime.fromtimestamp(at / 1000, zone).date()


def end_of(day: date, zone: ZoneInfo | None) -> int:
    """When the day after this one begins, Unix ms."""
    midnight = datetime.combine(day + timedelta(days=1), time(), zone)
    return round(midnight.timestamp() * 1000)


def read_day(text: str) -> date | None:
    """The day of a text such as 2026-11-30, None for any other text."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None
