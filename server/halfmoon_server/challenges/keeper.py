"""Challenges and the days' deals as the log keeps them: who made them, and what a room has of them."""

import asyncio
import secrets
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import TypeVar
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from halfmoon.engine.codes import Code
from halfmoon.wire import commands as c
from halfmoon.wire.errors import ErrorCode
from halfmoon.wire.fields import CHALLENGE_ID_LENGTH, ROOM_ALPHABET
from halfmoon_server.challenges import challenge as challenges
from halfmoon_server.challenges import daily
from halfmoon_server.challenges.challenge import Challenge, Wanted
from halfmoon_server.challenges.daily import DailyDeal
from halfmoon_server.challenges.entries import only_entry
from halfmoon_server.challenges.envelopes import Envelopes
from halfmoon_server.eventlog.base import Batch, EventLog, Identity, Key
from halfmoon_server.hosting.clock import Clock
from halfmoon_server.indexing import claim_key
from halfmoon_server.rooms.commands import Refusal
from halfmoon_server.rooms.decide import locked
from halfmoon_server.rooms.terms import Terms, fixed

M = TypeVar("M", bound=BaseModel)


class Keeper:
    """All challenges and days' deals of this server. Its methods raise `LogUnavailable`."""

    def __init__(
        self,
        event_log: EventLog,
        clock: Clock,
        draw_code: Callable[[], Code],
        zone: ZoneInfo | None = None,
    ) -> None:
        self.envelopes = Envelopes(event_log, self._is_the_days)
        self._log = event_log
        self._clock = clock
        self._draw_code = draw_code
        self._zone = zone
        self._making = asyncio.Lock()
        """One challenge after the other, and one draw: each has a number, or a day, of its own."""
        self._last: list[DailyDeal] | None = None
        """The last two days' deals, the newest first, once they were looked up."""

    async def terms_for(self, command: c.CreateRoom) -> Terms | Refusal | None:
        """What is fixed of the room that is asked for; None where it is for no contest."""
        terms = await self._terms_for(command)
        if isinstance(terms, Terms) and (name := fixed(command.options, alone=terms.alone)):
            return locked(name)
        return terms

    async def _terms_for(self, command: c.CreateRoom) -> Terms | Refusal | None:
        if command.daily is not None:
            return (await self.today()).terms
        if command.challenge is None:
            return None
        challenge = await self.challenge(command.challenge)
        if challenge is None:
            return Refusal(ErrorCode.UNKNOWN_CHALLENGE, "there is no such challenge")
        return challenge.terms

    # Challenges

    async def make(self, maker: Identity, wanted: Wanted) -> Challenge | Refusal:
        """A new challenge out of a finished race, or why there is none."""
        async with self._making:
            number = await self.count_of(maker.player) + 1
            made = challenges.make(_new_id(), number, maker, wanted, self._clock.now())
            if isinstance(made, Refusal):
                return made
            if await self.envelopes.is_the_days(made.code):
                return Refusal(
                    ErrorCode.WRONG_STATE,
                    "race: its deal is the day's, and shut until the day is over",
                )
            first = await self.envelopes.first_on(made.code)
            if first is not None and first.sealed and not made.sealed:
                return Refusal(ErrorCode.WRONG_STATE, "race: its deal lies in a sealed envelope")
            if made.sealed and (why := await self.envelopes.why_told(wanted)) is not None:
                return Refusal(ErrorCode.WRONG_STATE, f"sealed: {why}, so this deal is known")
            made = made.model_copy(update={"is_first": first is None})
            await self._write(made.contest, made, challenges.keys_of(made))
            return made

    async def challenge(self, challenge: str) -> Challenge | None:
        """The challenge with this id."""
        return await self._challenge_in(challenges.contest_of(challenge))

    async def made_by(self, player: str, after: int | None, limit: int) -> list[Challenge]:
        """Challenges of this player, newest first, from the one before number `after` on."""
        newest = await self.count_of(player) if after is None else after - 1
        return await self._numbered(partial(challenges.key_of, player), newest, limit, Challenge)

    async def count_of(self, player: str) -> int:
        """How many challenges this player has made; they are numbered without a gap."""
        return await self._count(partial(challenges.key_of, player))

    async def _challenge_in(self, log: str) -> Challenge | None:
        return await only_entry(self._log, log, Challenge)

    # The day's deal

    async def today(self) -> DailyDeal:
        """The deal of the day that it is now, drawn when it is asked for first."""
        async with self._making:
            newest = await self._newest_deal()
            now = self._clock.now()
            if newest is not None and newest.lasts(now):
                return newest
            day = daily.day_of(now, self._zone)
            known = await self.daily_of(day)
            if known is not None and known.number is None and now < known.ends_at:
                return known  # drawn before they were numbered
            # Where the server has gone west, or its clock far back, this day has had its deal.
            while await self.daily_of(day) is not None:
                day += timedelta(days=1)
            deal = DailyDeal(
                day=day,
                code=self._draw_code(),
                ends_at=daily.end_of(day, self._zone),
                number=1 if newest is None or newest.number is None else newest.number + 1,
                drawn_at=now,
            )
            await self._write(deal.contest, deal, daily.keys_of(deal))
            self._last = [deal, *(self._last or [])][:2]
            return deal

    async def days(self, after: int | None, limit: int) -> list[DailyDeal]:
        """The deals of days, the last drawn first, from the one before number `after` on."""
        newest = await self._count(daily.key_of) if after is None else after - 1
        return await self._numbered(daily.key_of, newest, limit, DailyDeal)

    async def _newest_deal(self) -> DailyDeal | None:
        if not self._last:
            self._last = await self.days(None, 2)
        return self._last[0] if self._last else None

    async def _is_the_days(self, code: Code) -> bool:
        """Whether it is the deal of today, or of a day whose last race may still run."""
        await self._newest_deal()
        days = [deal for deal in self._last or [] if deal.code == code]
        return bool(days) and not await self._is_past(days[0])

    async def daily_of(self, day: date) -> DailyDeal | None:
        """The deal of this day, None where none was drawn."""
        return await only_entry(self._log, daily.contest_of(day), DailyDeal)

    async def _write(self, log: str, entry: Challenge | DailyDeal, keys: tuple[Key, ...]) -> None:
        await self._log.append(Batch(log, 0, [entry.model_dump_json()], keys, is_last=True))

    # What is numbered without a gap

    async def _count(self, key_of: Callable[[int], Key]) -> int:
        """How many there are."""
        known, unknown = 0, 1
        while await self._log.find(key_of(unknown)) is not None:
            known, unknown = unknown, 2 * unknown
        while unknown - known > 1:
            middle = (known + unknown) // 2
            if await self._log.find(key_of(middle)) is None:
                unknown = middle
            else:
                known = middle
        return known

    async def _numbered(
        self, key_of: Callable[[int], Key], newest: int, limit: int, model: type[M]
    ) -> list[M]:
        """So many, the newest first."""
        found: list[M] = []
        for number in range(newest, max(0, newest - limit), -1):
            log = await self._log.find(key_of(number))
            one = None if log is None else await only_entry(self._log, log, model)
            if one is not None:
                found.append(one)
        return found

    # Who may know what

    async def is_open(self, contest: str, player: str | None) -> bool:
        """Whether this player may know deal, records and results; None: whether everybody may."""
        kind, _, name = contest.partition("/")
        if kind == challenges.KIND:
            challenge = await self.challenge(name)
            if challenge is None or not challenge.sealed:
                return challenge is not None
            return await self.envelopes.may_know(challenge, player)
        if kind == daily.KIND:
            day = daily.read_day(name)
            deal = None if day is None else await self.daily_of(day)
            if deal is None or await self._is_past(deal):
                return deal is not None
        return player is not None and await self._has_played(contest, player)

    async def _is_past(self, deal: DailyDeal) -> bool:
        """Whether everything of this day is told to everybody; what was told stays so."""
        newest = await self._newest_deal()
        drawn_at = None if newest is None else newest.drawn_at
        return max(self._clock.now(), drawn_at or 0) >= deal.opens_at

    async def _has_played(self, contest: str, player: str) -> bool:
        """Whether the player's own race for it is over."""
        results = await self._log.results_of_contest(contest)
        return any(result.player == player for result in results)

    async def rooms_of(self, contest: str, player: str) -> list[str]:
        """The rooms that the player has had for a contest where each plays alone, the last one last.

        They are more than one where nobody started in those before, and they vanished.
        """
        rooms: list[str] = []
        while room := await self._log.find(claim_key(player, contest, len(rooms) + 1)):
            rooms.append(room)
        return rooms


def _new_id() -> str:
    """A fresh id of a challenge."""
    return "".join(secrets.choice(ROOM_ALPHABET) for _ in range(CHALLENGE_ID_LENGTH))
