"""A tournament's table for a spreadsheet: RFC 4180, with a byte order mark, and no formulas."""

from collections.abc import Iterable

from halfmoon.wire.tournaments import Format, Standings, TableRow

MARK = "\ufeff"
"""By it a spreadsheet knows that the text is UTF-8."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_of(kind: Format, table: Standings, *, has_semicolons: bool = False) -> str:
    """The table as a file.

    With semicolons between cells and decimal commas, it is what a spreadsheet opens where a comma
    stands before decimals: there it takes commas for those, and puts all cells into one.
    """
    numbers = sorted({one.round for row in table.rows for one in row.rounds})
    head = ["rank", "entrant", "name", "withdrawn", "points", "wins"]
    if kind == "swiss":
        head += ["buchholz", "sonneborn_berger"]
    head += ["best", "time_ms", *(f"round {number}" for number in numbers)]
    separator, point = (";", ",") if has_semicolons else (",", ".")
    lines = [head, *(_cells(kind, row, numbers, point) for row in table.rows)]
    return MARK + "".join(_line(cells, separator) for cells in lines)


def _cells(kind: Format, row: TableRow, numbers: Iterable[int], point: str) -> list[str]:
    cells = [
        str(row.rank),
        row.entrant,
        row.name,
        "" if row.active else "withdrawn",
        _points(row.points, point),
        str(row.wins),
    ]
    if kind == "swiss":
        cells += [_points(points or 0, point) for points in (row.buchholz, row.sonneborn_berger)]
    by_round = {one.round: _points(one.points, point) for one in row.rounds}
    return [*cells, str(row.best), str(row.time_ms), *(by_round.get(n, "") for n in numbers)]


def _points(points: float, point: str) -> str:
    return f"{points:.2f}".removesuffix(".00").replace(".", point)


def _line(cells: Iterable[str], separator: str) -> str:
    return separator.join(_cell(cell, separator) for cell in cells) + "\r\n"


def _cell(text: str, separator: str) -> str:
    """A cell that a spreadsheet shows as it is: what could begin a formula gets an apostrophe."""
    if text.startswith(FORMULA_STARTS):
        text = "'" + text
    if any(character in text for character in (separator, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text
