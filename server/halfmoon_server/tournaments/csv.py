"""A tournament's table for a spreadsheet: RFC 4180, with a byte order mark, and no formulas."""

from collections.abc import Iterable
from dataclasses import dataclass

from halfmoon.wire.tournaments import Format, Standings, TableRow
from halfmoon_server.tournaments.state import Tournament

MARK = "\ufeff"
"""By it a spreadsheet knows that the text is UTF-8."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
DECIMALS: dict[Format, int] = {"series": 2, "swiss": 1, "knockout": 0}
"""Of points: percent, halves, rounds passed."""
QUARTERS = 2
"""Decimals of Sonneborn–Berger: a half of half a point."""


@dataclass(frozen=True, slots=True)
class Style:
    """How numbers and cells are written."""

    separator: str = ","
    point: str = "."

    def number(self, value: float, decimals: int) -> str:
        """A number with so many decimals."""
        return f"{value:.{decimals}f}".replace(".", self.point)


def csv_of(t: Tournament, table: Standings, *, has_semicolons: bool = False) -> str:
    """The table as a file.

    With semicolons between cells and decimal commas, it is what a spreadsheet opens where a comma
    stands before decimals: there it takes commas for those, and puts all cells into one.
    """
    style = Style(";", ",") if has_semicolons else Style()
    numbers = sorted({one.round for row in table.rows for one in row.rounds})
    head = ["rank", "entrant", "name", "withdrawn", "points", "wins"]
    if t.format == "swiss":
        head += ["buchholz", "sonneborn_berger"]
    head += ["best", "time_ms", "time", *(f"round {number}" for number in numbers)]
    head += ["byes", "absent", "corrected"]
    lines = [head, *(_cells(t, row, numbers, style) for row in table.rows)]
    return MARK + "".join(_line(cells, style.separator) for cells in lines)


def _cells(t: Tournament, row: TableRow, numbers: Iterable[int], style: Style) -> list[str]:
    decimals = DECIMALS[t.format]
    cells = [
        str(row.rank),
        row.entrant,
        t.entrants[row.entrant].shown,
        "" if row.active else "withdrawn",
        style.number(row.points, decimals),
        str(row.wins),
    ]
    if t.format == "swiss":
        cells.append(style.number(row.buchholz or 0, decimals))
        cells.append(style.number(row.sonneborn_berger or 0, QUARTERS))
    cells += [str(row.best), str(row.time_ms), clock_text(row.time_ms)]
    by_round = {one.round: style.number(one.points, decimals) for one in row.rounds}
    cells += [by_round.get(number, "") for number in numbers]
    for marked in ([r for r in row.rounds if r.bye], [r for r in row.rounds if r.absent]):
        cells.append("; ".join(f"round {one.round}" for one in marked))
    return [*cells, _corrected(t, row.entrant)]


def clock_text(time_ms: int) -> str:
    """A duration as pages write it: m:ss.mmm, or h:mm:ss.mmm from an hour on."""
    seconds, ms = divmod(time_ms, 1000)
    minutes, s = divmod(seconds, 60)
    h, m = divmod(minutes, 60)
    return f"{h}:{m:02}:{s:02}.{ms:03}" if h else f"{m}:{s:02}.{ms:03}"


def _corrected(t: Tournament, entrant: str) -> str:
    """In which rounds the director corrected what they raced, with the reasons."""
    return "; ".join(
        f"round {one.round}: {heat.results[entrant].reason}"
        for one in t.counted
        for heat in one.heats
        if entrant in heat.results and heat.results[entrant].raw is not None
    )


def _line(cells: Iterable[str], separator: str) -> str:
    return separator.join(_cell(cell, separator) for cell in cells) + "\r\n"


def _cell(text: str, separator: str) -> str:
    """A cell that a spreadsheet shows as it is: what could begin a formula gets an apostrophe."""
    if text.startswith(FORMULA_STARTS):
        text = "'" + text
    if any(character in text for character in (separator, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text
