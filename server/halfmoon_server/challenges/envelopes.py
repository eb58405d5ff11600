"""Deals that lie in sealed envelopes, or are the day's: whoever hasn't raced on one is told nothing of it.

A deal belongs to sealed envelopes alone or to none. What else was raced on it may be known, so that
it comes into none any more; and once it is in one, no challenge is made of it that would be open.
Everybody has one try at it, which counts from the moment at which its cards are shown to them.
"""

import asyncio
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

from halfmoon.engine.codes import Code, Variant
from halfmoon.engine.record import RaceRecord
from halfmoon_server.challenges import challenge as challenges
from halfmoon_server.challenges import seen
from halfmoon_server.challenges.challenge import Challenge, Wanted
from halfmoon_server.challenges.entries import only_entry
from halfmoon_server.eventlog.base import Batch, EventLog, LogConflict


class Envelopes:
    """All sealed envelopes of this server, by their deals. Its methods raise `LogUnavailable`."""

    def __init__(self, event_log: EventLog, is_the_days: Callable[[Code], Awaitable[bool]]) -> None:
        self._log = event_log
        self.is_the_days = is_the_days
        """Whether a deal is that of a day whose results are shut to those who haven't played it."""
        self._tries: WeakValueDictionary[tuple[str, Code], asyncio.Lock] = WeakValueDictionary()

    def trying(self, player: str, code: Code) -> asyncio.Lock:
        """Held by the room that looks whether this player has seen the deal, until it has begun."""
        return self._tries.setdefault((player, code), asyncio.Lock())

    async def first_on(self, code: Code) -> Challenge | None:
        """The first challenge on this deal: as it is, sealed or open, so are those after it."""
        log = await self._log.find(challenges.deal_key(code))
        return None if log is None else await only_entry(self._log, log, Challenge)

    async def is_open(self, code: Code, player: str | None) -> bool:
        """Whether this player, or None: everybody, may know what was raced on this deal."""
        if code.variant is not Variant.SEALED:
            return True  # what anybody can search is in no envelope, and is no day's
        first = await self.first_on(code)
        if first is not None and first.sealed:
            return await self.may_know(first, player)
        return not await self.is_the_days(code) or (
            player is not None and await self._log.has_raced(str(code), player)
        )

    async def may_know(self, sealed: Challenge, player: str | None) -> bool:
        """Whether a sealed challenge is open to this player.

        To who has raced on its deal to the end, was there when others did, or has read of it.
        """
        if player is None or player in sealed.raced | sealed.watched:
            return player is not None
        if await self._log.has_raced(str(sealed.code), player):
            return True
        log = await self._log.find(seen.key_of(player, sealed.code))
        return log is not None and seen.is_reading(log)

    async def has_seen(self, code: Code, player: str) -> bool:
        """Whether this player has seen the deal, if only in a race that still runs."""
        first = await self.first_on(code)
        if first is not None and player in first.raced | first.watched:
            return True
        if await self._log.has_raced(str(code), player):
            return True
        return await self._log.find(seen.key_of(player, code)) is not None

    async def read(self, player: str, code: Code, at: int) -> None:
        """Remember that this player is handed a record of the deal, before they are."""
        reading = seen.Reading(player=player, code=code, at=at)
        if code.variant is not Variant.SEALED or await self.has_seen(code, player):
            return
        lines, keys = [reading.model_dump_json()], seen.keys_of(reading)
        try:
            await self._log.append(Batch(reading.log, 0, lines, keys, is_last=True))
        except LogConflict:
            return  # two read at once

    async def why_told(self, wanted: Wanted) -> str | None:
        """By what else that happened on this deal it may be known; None where by nothing."""
        record = wanted.record
        first = await self.first_on(record.code)
        if first is not None and not first.sealed:
            return "there is an open challenge on it"
        contests = await self._log.contests_of_code(str(record.code))
        if any(contest.partition("/")[0] != challenges.KIND for contest in contests):
            return "it was raced on for a contest"
        return "it was raced on elsewhere" if await self._is_raced_elsewhere(record) else None

    async def _is_raced_elsewhere(self, record: RaceRecord) -> bool:
        code, most = str(record.code), len(record.players)
        contests = await self._log.contests_of_code(code)
        results = await self._log.results_of_code(code, None, None, most + 1, contests)
        return any(result.race != record.race for result in results)
