"""Entrants whose names look alike, told apart by numbers."""

from collections.abc import Iterable, Sequence

from halfmoon_server.rooms.lookalikes import skeleton
from halfmoon_server.tournaments.state import Entrant


def numbers_among(names: Sequence[str], others: Iterable[Entrant]) -> list[int]:
    """Each newcomer's number among all whose names look like theirs; the first of them has 1.

    What looks alike comes from a table of Unicode's, which changes: so the numbers are decided once
    and stand in the log.
    """
    last = {skeleton(one.name): one.number or 1 for one in others}
    numbers: list[int] = []
    for name in names:
        looks = skeleton(name)
        last[looks] = last.get(looks, 0) + 1
        numbers.append(last[looks])
    return numbers
