"""What a race belongs to may keep its results shut for a while: who may see them, and when."""

from dataclasses import dataclass, field
from typing import Protocol

from halfmoon.engine.codes import Code


class Contests(Protocol):
    """Those who run contests of one kind, as what tells of results and records asks them."""

    async def is_open(self, contest: str, player: str | None) -> bool:
        """Whether this player may see the contest's results, records and code.

        None is anybody at all. Raises `LogUnavailable`.
        """
        ...


class Deals(Protocol):
    """Those who keep deals shut, whatever was raced on them."""

    async def is_open(self, code: Code, player: str | None) -> bool:
        """Whether this player may know what was raced on this deal; None is anybody at all.

        Raises `LogUnavailable`.
        """
        ...


@dataclass(frozen=True, slots=True)
class ContestKinds:
    """`Contests` of every kind; one that nobody runs is open."""

    deals: Deals
    kinds: dict[str, Contests] = field(default_factory=dict[str, Contests])
    """By what stands before the first slash of a contest, such as `daily`."""

    async def is_open(self, contest: str | None, code: Code, player: str | None) -> bool:
        """Whether this player may know of a race for this contest, or for none, on this deal."""
        is_over = await self.contest_is_open(contest, player)
        return is_over and await self.deals.is_open(code, player)

    async def contest_is_open(self, contest: str | None, player: str | None) -> bool:
        """See `Contests.is_open`; what belongs to no contest is open."""
        runs = None if contest is None else self.kinds.get(contest.partition("/")[0])
        return contest is None or runs is None or await runs.is_open(contest, player)
