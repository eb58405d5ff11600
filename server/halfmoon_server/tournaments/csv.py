"""A tournament's table for a spreadsheet: RFC 4180, with a byte order mark, and no formulas."""

from collections.abc import Iterable

from halfmoon.wire.tournaments import Format, Standings, TableRow

MARK = "\ufeff"
"""By it a spreadsheet knows that the text is UTF-8."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_of(kind: Format, table: Standings) -> str:
    """The table as a file."""
    numbers = sorted({one.round for row in table.rows for one in row.rounds})
    head = ["rank", "entrant", "name", "withdrawn", "points", "wins"]
    if kind == "swiss":
        head += ["buchholz", "sonneborn_berger"]
    head += ["best", "time_ms", *(f"round {number}" for number in numbers)]
    lines = [head, *(_cells(kind, row, numbers) for row in table.rows)]
    return MARK + "".join(_line(cells) for cells in lines)


def _cells(kind: Format, row: TableRow, numbers: Iterable[int]) -> list[str]:
    cells = [
        str(row.rank),
        row.entrant,
        row.name,
        "" if row.active else "withdrawn",
        _points(row.points),
        str(row.wins),
    ]
    if kind == "swiss":
        cells += [_points(row.buchholz or 0), _points(row.sonneborn_berger or 0)]
    by_round = {one.round: _points(one.points) for one in row.rounds}
    return [*cells, str(row.best), str(row.time_ms), *(by_round.get(n, "") for n in numbers)]


def _points(points: float) -> str:
    return f"{points:.2f}".removesuffix(".00")


def _line(cells: Iterable[str]) -> str:
    return ",".join(map(_cell, cells)) + "\r\n"


def _cell(text: str) -> str:
    """A cell that a spreadsheet shows as it is: what could begin a formula gets an apostrophe."""
    if text.startswith(FORMULA_STARTS):
        text = "'" + text
    if any(character in text for character in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text
