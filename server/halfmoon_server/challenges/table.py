"""The table of all who raced for one challenge, or on one day's deal."""

from collections.abc import Iterable
from typing import NamedTuple

from halfmoon.wire.challenges import LINES_A_PAGE, TableLine
from halfmoon_server.challenges.challenge import Challenge
from halfmoon_server.eventlog.results import Place, Result


class Placed(NamedTuple):
    """A line and where it stands, which no line that comes later changes."""

    place: Place
    line: TableLine


def ghost_lines(challenge: Challenge) -> list[Placed]:
    """How the recorded runs did that others race against, before their equals; no ranks yet."""
    lines: list[Placed] = []
    for ghost, standing in zip(challenge.ghosts, challenge.standings, strict=True):
        own = {"player": ghost.player, "ghost": ghost.of, "race": ghost.of.race}
        line = TableLine.model_validate({**dict(standing), **own})
        place = Place(-line.best, line.time_ms, line.actions, 0, line.player)
        lines.append(Placed(place, line))
    return lines


def result_line(result: Result) -> Placed:
    """How somebody did who raced for it; no rank yet."""
    names = [name for name in TableLine.model_fields if name != "ghost"]
    line = TableLine.model_validate({name: getattr(result, name) for name in names})
    return Placed(result.place, line)


def ranked(lines: Iterable[Placed]) -> list[Placed]:
    """The lines best first, as standings rank them; equals share a rank."""
    table: list[Placed] = []
    for number, (place, line) in enumerate(sorted(lines, key=_place), start=1):
        is_equal = bool(table) and table[-1].place[:3] == place[:3]
        rank = table[-1].line.rank if is_equal else number
        table.append(Placed(place, line.model_copy(update={"rank": rank})))
    return table


def page_of(
    table: Iterable[Placed], after: Place | None = None
) -> tuple[list[TableLine], Place | None]:
    """The lines behind this place, as many as a page has, and behind which the next one begins.

    By the place and not by a count: whoever comes into the table meanwhile moves no line to
    another page.
    """
    rest = [one for one in table if after is None or one.place > after]
    page = rest[:LINES_A_PAGE]
    return [one.line for one in page], page[-1].place if len(rest) > len(page) else None


def _place(placed: Placed) -> Place:
    return placed.place
