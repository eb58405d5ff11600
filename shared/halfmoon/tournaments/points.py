"""What a round brings: matchpoints in a series, wins in heats of two (Contract §8)."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from halfmoon.tournaments.rounds import Heat, Line, Round


def matchpoints(one: Round) -> dict[str, int]:
    """Hundredths of a percent for everybody in the round's field.

    1 for each entrant beaten and ½ for each equal, of those possible; absent is 0 and counts as
    beaten. Rounded half to even.
    """
    field = one.field
    lines = {line.entrant: line for heat in one.deciding() for line in heat.lines}
    keys = sorted(line.key for line in lines.values())
    absent = len(field) - len(lines)
    return {
        entrant: _hundredths(lines[entrant], keys, absent) if entrant in lines else 0
        for entrant in field
    }


def _hundredths(line: Line, keys: Sequence[tuple[bool, int, int, int, int]], absent: int) -> int:
    above, upto = bisect_left(keys, line.key), bisect_right(keys, line.key)
    equal = upto - above - 1
    beaten = len(keys) - upto + absent
    possible = len(keys) + absent - 1
    if possible == 0:
        return 0
    return _divided(10_000 * (2 * beaten + equal), 2 * possible)


def _divided(number: int, by: int) -> int:
    """The quotient, rounded half to even."""
    whole, rest = divmod(number, by)
    if 2 * rest > by or (2 * rest == by and whole % 2):
        whole += 1
    return whole


def half_points(heat: Heat) -> dict[str, int]:
    """What a heat of two brings: 2 for a win, 1 for an equal, in halves of a point.

    Against an absent one the other has won; where both are, nobody has.
    """
    points = dict.fromkeys(heat.entrants, 0)
    best = min((line.key for line in heat.lines), default=None)
    first = [line.entrant for line in heat.lines if line.key == best]
    for entrant in first:
        points[entrant] = 2 if len(first) == 1 else 1
    return points
