"""Entrants whose names look alike, told apart by numbers."""

from collections.abc import Iterable, Sequence

from halfmoon_server.rooms.lookalikes import skeleton
from halfmoon_server.tournaments.state import Entrant


def numbers_among(names: Sequence[str], others: Iterable[Entrant]) -> list[int]:
    """Each newcomer's number among all whose names look like theirs, or sound so; the first has 1.

    Names that differ by case alone are the same when they are called out. What looks alike comes
    from a table of Unicode's, which changes: so the numbers are decided once and stand in the log.
    """
    last: dict[tuple[str, str], int] = {}

    def take(name: str, number: int) -> None:
        last.update((key, max(number, last.get(key, 0))) for key in _keys(name))

    for one in others:
        take(one.name, one.number or 1)
    numbers: list[int] = []
    for name in names:
        numbers.append(1 + max(last.get(key, 0) for key in _keys(name)))
        take(name, numbers[-1])
    return numbers


def _keys(name: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Two names with one of these in common are told apart by numbers."""
    return ("looks", skeleton(name)), ("sounds", name.casefold())
