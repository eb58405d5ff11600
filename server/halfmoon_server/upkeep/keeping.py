"""Letting rooms go that have been gone for as many days as the operator chose."""

import asyncio

import structlog

from halfmoon_server.eventlog.base import EventLog, LogDamaged, LogUnavailable
from halfmoon_server.hosting.clock import Clock

log = structlog.get_logger()

DAY_MS = 86_400_000
EVERY_S = 3600.0
ROOMS_AT_ONCE = 100
"""So many in one commit, so that nobody waits long for theirs."""


async def let_go(event_log: EventLog, clock: Clock, keep_days: int) -> int:
    """Delete the rooms that have been gone for longer; how many there were.

    Raises `LogUnavailable` and `LogDamaged`.
    """
    before_at = clock.now() - keep_days * DAY_MS
    count = 0
    while gone := await event_log.forget_rooms(before_at, ROOMS_AT_ONCE):
        count += len(gone)
    return count


async def keep_letting_go(event_log: EventLog, clock: Clock, keep_days: int) -> None:
    """The same now and every hour."""
    while True:
        try:
            if count := await let_go(event_log, clock, keep_days):
                log.info("rooms.deleted", rooms=count, older_than_days=keep_days)
        except (LogUnavailable, LogDamaged) as error:
            log.error("rooms.not_deleted", error=str(error))
        await asyncio.sleep(EVERY_S)
