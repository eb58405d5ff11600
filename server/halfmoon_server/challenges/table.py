"""The table of all who raced for one challenge, or on one day's deal."""

from collections.abc import Iterable

from halfmoon.engine.standings import Standing
from halfmoon.wire.challenges import TableLine
from halfmoon_server.challenges.challenge import Challenge
from halfmoon_server.eventlog.results import Result


def ghost_lines(challenge: Challenge) -> list[TableLine]:
    """How the recorded runs did that others race against; no ranks yet."""
    lines: list[TableLine] = []
    for ghost, standing in zip(challenge.ghosts, challenge.standings, strict=True):
        own = {"player": ghost.player, "ghost": ghost.of, "race": ghost.of.race}
        lines.append(TableLine.model_validate({**dict(standing), **own}))
    return lines


def result_line(result: Result) -> TableLine:
    """How somebody did who raced for it; no rank yet."""
    names = [name for name in TableLine.model_fields if name != "ghost"]
    return TableLine.model_validate({name: getattr(result, name) for name in names})


def ranked(lines: Iterable[TableLine]) -> list[TableLine]:
    """The lines best first, as standings rank them; equals share a rank."""
    table: list[TableLine] = []
    for place, line in enumerate(sorted(lines, key=_ranked_by), start=1):
        is_equal = bool(table) and _ranked_by(table[-1]) == _ranked_by(line)
        rank = table[-1].rank if is_equal else place
        table.append(line.model_copy(update={"rank": rank}))
    return table


def _ranked_by(line: Standing) -> tuple[int, int, int]:
    """Who has won has the highest score there is, so that one order does for all (Contract §6)."""
    return -line.best, line.time_ms, line.actions
