"""Tables of tournaments by another way, written from the contract and sharing no code with it.

`table(state)` takes what `GET /api/tournaments/T` answers, as JSON, and gives the rows that
`/standings` has to have.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import Any

State = dict[str, Any]
Rows = list[dict[str, Any]]


def table(state: State) -> Rows:
    """The rows, best first; of equals the better seed comes first."""
    values = {"series": series, "swiss": swiss, "knockout": knockout}[state["format"]](state)
    seeds = {one["entrant"]: one["seed"] for one in state["entrants"]}
    names = {one["entrant"]: one["name"] for one in state["entrants"]}
    orders: dict[str, Callable[[dict[str, Any]], tuple[Any, ...]]] = {
        "series": lambda v: (-v["points"], -v["wins"], -v["best"], v["time_ms"]),
        "swiss": lambda v: (
            -v["points"], -v["buchholz"], -v["sonneborn_berger"], -v["best"], v["time_ms"],
        ),
        "knockout": lambda v: (-v["points"],),
    }  # fmt: skip
    ranked_by = orders[state["format"]]
    rows = []
    for entrant in sorted(values, key=lambda one: (ranked_by(values[one]), seeds[one])):
        mine = values[entrant]
        better = sum(ranked_by(other) < ranked_by(mine) for other in values.values())
        row = {"rank": better + 1, "entrant": entrant, "name": names[entrant]}
        rows.append(row | {key: _number(value) for key, value in mine.items()})
    return rows


def _number(value: Any) -> float | int:
    return value if isinstance(value, int) else float(value)


def counted(state: State) -> list[int]:
    """The numbers of the rounds that are over and count."""
    annulled = {one["round"] for one in state["annulled"]}
    running = {heat["round"] for heat in state["heats"] if heat["state"] != "over"}
    return [n for n in range(1, state["round"] + 1) if n not in annulled | running]


def heats(state: State, number: int) -> list[dict[str, Any]]:
    """The round's heats that count: where the same raced twice, the later."""
    last = {}
    for heat in state["heats"]:
        if heat["round"] == number:
            last[tuple(sorted(heat["entrants"]))] = heat
    return list(last.values())


def beats(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """Contract §6: winners first and the earlier win first; best, who had it first, fewer actions."""
    if (a["status"] == "won") != (b["status"] == "won"):
        return bool(a["status"] == "won")
    if a["status"] == "won" and a["time_ms"] != b["time_ms"]:
        return bool(a["time_ms"] < b["time_ms"])
    if a["best"] != b["best"]:
        return bool(a["best"] > b["best"])
    if a["time_ms"] != b["time_ms"]:
        return bool(a["time_ms"] < b["time_ms"])
    return bool(a["actions"] < b["actions"])


def _blank(state: State, **more: Any) -> dict[str, dict[str, Any]]:
    zero = {"points": Fraction(0), "wins": 0, "best": 0, "time_ms": 0, **more}
    return {one["entrant"]: dict(zero) for one in state["entrants"]}


def _sum_up(values: dict[str, Any], lines: list[dict[str, Any]]) -> None:
    for line in lines:
        values[line["entrant"]]["best"] += line["best"]
        values[line["entrant"]]["time_ms"] += line["time_ms"]


def series(state: State) -> dict[str, dict[str, Any]]:
    """Matchpoints over the whole field of each round."""
    values = _blank(state)
    for number in counted(state):
        field = [one for heat in heats(state, number) for one in heat["entrants"]]
        lines = [line for heat in heats(state, number) for line in heat["results"]]
        raced = {line["entrant"]: line for line in lines}
        for one in field:
            if one not in raced:
                continue
            mine, matchpoints = raced[one], Fraction(0)
            for other in field:
                if other == one:
                    continue
                if other not in raced or beats(mine, raced[other]):
                    matchpoints += 1
                elif not beats(raced[other], mine):
                    matchpoints += Fraction(1, 2)
            percent = 100 * matchpoints / (len(field) - 1)
            exact = Decimal(percent.numerator) / Decimal(percent.denominator)
            rounded = exact.quantize(Decimal("0.01"), ROUND_HALF_EVEN)
            values[one]["points"] += Fraction(rounded)
            values[one]["wins"] += not any(beats(line, mine) for line in lines)
        _sum_up(values, lines)
    return values


def _met(state: State) -> list[tuple[str, str, Fraction]]:
    """Who raced a heat against whom, and what it brought."""
    games = []
    for number in counted(state):
        for heat in heats(state, number):
            a, b = heat["entrants"]
            raced = {line["entrant"]: line for line in heat["results"]}
            for one, other in ((a, b), (b, a)):
                if one not in raced:
                    continue
                if other not in raced or beats(raced[one], raced[other]):
                    points = Fraction(1)
                elif beats(raced[other], raced[one]):
                    points = Fraction(0)
                else:
                    points = Fraction(1, 2)
                games.append((one, other, points))
    return games


def swiss(state: State) -> dict[str, dict[str, Any]]:
    """Wins, byes, Buchholz, Sonneborn–Berger."""
    values = _blank(state, buchholz=Fraction(0), sonneborn_berger=Fraction(0))
    games = _met(state)
    for one, _, points in games:
        values[one]["points"] += points
        values[one]["wins"] += points == 1
    for bye in state["byes"]:
        if bye["round"] in counted(state):
            values[bye["entrant"]]["points"] += 1
    for one, other, points in games:
        values[one]["buchholz"] += values[other]["points"]
        values[one]["sonneborn_berger"] += points * values[other]["points"]
    for number in counted(state):
        _sum_up(values, [line for heat in heats(state, number) for line in heat["results"]])
    return values


def knockout(state: State) -> dict[str, dict[str, Any]]:
    """How many rounds everybody came through."""
    values = _blank(state)
    for number in counted(state):
        for bye in state["byes"]:
            if bye["round"] == number:
                values[bye["entrant"]]["points"] += 1
        for heat in heats(state, number):
            lines = heat["results"]
            first = [one for one in lines if not any(beats(other, one) for other in lines)]
            if len(first) == 2 and _walked_away(state, heat):
                first = [min(first, key=lambda line: _seed(state, line["entrant"]))]
                values[first[0]["entrant"]]["wins"] -= 1  # goes on, but has won nothing
            if len(first) == 1:
                values[first[0]["entrant"]]["points"] += 1
                values[first[0]["entrant"]]["wins"] += 1
            _sum_up(values, lines)
    return values


def _walked_away(state: State, heat: dict[str, Any]) -> bool:
    """Whether these two have raced three times without doing anything: the better seed goes on."""
    same = [
        other
        for other in state["heats"]
        if other["round"] == heat["round"] and {*other["entrants"]} == {*heat["entrants"]}
    ]
    idle = [all(line["actions"] == 0 for line in one["results"]) for one in same[-3:]]
    return len(idle) == 3 and all(idle)


def _seed(state: State, entrant: str) -> int:
    return next(int(one["seed"]) for one in state["entrants"] if one["entrant"] == entrant)
