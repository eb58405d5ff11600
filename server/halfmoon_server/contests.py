"""What a race belongs to may keep its results shut for a while: who may see them, and when."""

from dataclasses import dataclass, field
from typing import Protocol


class Contests(Protocol):
    """Those who run contests of one kind, as what tells of results and records asks them."""

    async def is_open(self, contest: str, player: str | None) -> bool:
        """Whether this player may see the contest's results, records and code.

        None is anybody at all. Raises `LogUnavailable`.
        """
        ...


@dataclass(frozen=True, slots=True)
class ContestKinds:
    """`Contests` of every kind; one that nobody runs is open."""

    kinds: dict[str, Contests] = field(default_factory=dict[str, Contests])
    """By what stands before the first slash of a contest, such as `daily`."""

    async def is_open(self, contest: str | None, player: str | None) -> bool:
        """See `Contests.is_open`; a race of its own is open too."""
        runs = None if contest is None else self.kinds.get(contest.partition("/")[0])
        return contest is None or runs is None or await runs.is_open(contest, player)
