"""Deals that lie in sealed envelopes: whoever hasn't raced on one is told nothing of it.

A deal belongs to sealed envelopes alone or to none. What else was raced on it may be known, so that
it comes into none any more; and once it is in one, no challenge is made of it that would be open.
"""

from halfmoon.engine.codes import Code
from halfmoon.engine.record import RaceRecord
from halfmoon_server.challenges import challenge as challenges
from halfmoon_server.challenges.challenge import Challenge, Wanted
from halfmoon_server.challenges.entries import only_entry
from halfmoon_server.eventlog.base import EventLog


class Envelopes:
    """All sealed envelopes of this server, by their deals. Its methods raise `LogUnavailable`."""

    def __init__(self, event_log: EventLog) -> None:
        self._log = event_log

    async def first_on(self, code: Code) -> Challenge | None:
        """The first challenge on this deal: as it is, sealed or open, so are those after it."""
        log = await self._log.find(challenges.deal_key(code))
        return None if log is None else await only_entry(self._log, log, Challenge)

    async def is_open(self, code: Code, player: str | None) -> bool:
        """Whether this player, or None: everybody, may know what was raced on this deal."""
        first = await self.first_on(code)
        return first is None or not first.sealed or await self.has_seen(first, player)

    async def has_seen(self, sealed: Challenge, player: str | None) -> bool:
        """Whether this player has raced on a sealed challenge's deal, or was there when others did."""
        if player is None or player in sealed.raced | sealed.watched:
            return player is not None
        return await self._log.has_raced(str(sealed.code), player)

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
