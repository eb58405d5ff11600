"""The index of results in SQLite: rows that are written with the end of a race, and asked for in pages."""

import json
from collections.abc import Collection, Iterable
from typing import Any, cast

from halfmoon.engine.options import Ends
from halfmoon.engine.standings import FinalStatus
from halfmoon_server.eventlog.results import Latest, Place, Result, Rules, RulesCount, Totals
from halfmoon_server.eventlog.schema import Connection

_BEST_FIRST = "-best, time_ms, actions, over_at, player"
_OPEN = "(contest IS NULL OR contest NOT IN (SELECT value FROM json_each(?)))"


def write_results(database: Connection, results: Iterable[Result]) -> None:
    """Put these into the index."""
    database.executemany(
        f"REPLACE INTO results VALUES({', '.join('?' * 21)})", [_row(one) for one in results]
    )


def results_of_code(
    database: Connection,
    code: str,
    rules: Rules | None,
    after: Place | None,
    limit: int,
    shut: Collection[str],
) -> list[Result]:
    """See `EventLog.results_of_code`."""
    where = [f"code = ? AND {_OPEN}"]
    values: list[str | int | None] = [code, json.dumps([*shut])]
    if rules is not None:
        where.append("undo = ? AND time_limit_ms IS ? AND ends = ?")
        values += [rules.undo, rules.time_limit_ms, rules.ends]
    if after is not None:
        where.append(f"({_BEST_FIRST}) > (?, ?, ?, ?, ?)")
        values += after
    return _results(
        database,
        f"WHERE {' AND '.join(where)} ORDER BY {_BEST_FIRST} LIMIT ?",
        (*values, limit),
    )


def rules_of_code(database: Connection, code: str, shut: Collection[str]) -> list[RulesCount]:
    """See `EventLog.rules_of_code`."""
    classes = database.execute(
        "SELECT undo, time_limit_ms, ends, count(*) FROM results "
        f"WHERE code = ? AND {_OPEN} GROUP BY undo, time_limit_ms, ends "
        "ORDER BY count(*) DESC, undo DESC, time_limit_ms IS NULL, time_limit_ms, ends",
        (code, json.dumps([*shut])),
    )
    return [
        RulesCount(Rules(bool(undo), limit, ends), int(count))
        for undo, limit, ends, count in classes
    ]


def contests_of_code(database: Connection, code: str) -> list[str]:
    """See `EventLog.contests_of_code`."""
    rows = database.execute(
        "SELECT DISTINCT contest FROM results WHERE code = ? AND contest IS NOT NULL "
        "ORDER BY contest",
        (code,),
    )
    return [str(contest) for (contest,) in rows]


def own_results(
    database: Connection,
    code: str,
    rules: Rules,
    player: str,
    limit: int,
    shut: Collection[str],
) -> list[tuple[int, Result]]:
    """See `EventLog.own_results`."""
    where = f"WHERE code = ? AND {_OPEN} AND undo = ? AND time_limit_ms IS ? AND ends = ?"
    values = (code, json.dumps([*shut]), rules.undo, rules.time_limit_ms, rules.ends)
    mine = _results(
        database,
        f"{where} AND player = ? ORDER BY {_BEST_FIRST} LIMIT ?",
        (*values, player, limit),
    )
    better = f"SELECT count(*) FROM results {where} AND (-best, time_ms, actions) < (?, ?, ?)"
    found: list[tuple[int, Result]] = []
    for one in mine:
        ((before,),) = database.execute(better, (*values, *one.place[:3]))
        found.append((1 + int(before), one))
    return found


def has_raced(database: Connection, code: str, player: str) -> bool:
    """See `EventLog.has_raced`."""
    found = database.execute(
        "SELECT 1 FROM results WHERE code = ? AND player = ? LIMIT 1", (code, player)
    )
    return bool(found.fetchall())


def results_of_contest(database: Connection, contest: str) -> list[Result]:
    """See `EventLog.results_of_contest`."""
    return _results(database, f"WHERE contest = ? ORDER BY {_BEST_FIRST}", (contest,))


def results_of_player(
    database: Connection, player: str, after: Latest | None, limit: int
) -> list[Result]:
    """See `EventLog.results_of_player`."""
    further = "" if after is None else "AND (-over_at, race) > (?, ?) "
    return _results(
        database,
        f"WHERE player = ? {further}ORDER BY -over_at, race LIMIT ?",
        (player, *(after or ()), limit),
    )


def totals_of(database: Connection, player: str) -> Totals:
    """See `EventLog.totals_of`."""
    rows = database.execute(
        "SELECT count(*), total(status = 'won'), total(rank = 1 AND racers > 1), max(best), "
        "total(is_deadlocked), total(undos = 0 AND moves > 0) FROM results WHERE player = ?",
        (player,),
    )
    (figures,) = [tuple(int(value or 0) for value in row) for row in rows]
    return Totals(*figures)


def _results(
    database: Connection, which: str, values: tuple[str | int | None, ...]
) -> list[Result]:
    return [_result(row) for row in database.execute(f"SELECT * FROM results {which}", values)]


def _row(result: Result) -> tuple[Any, ...]:
    rules = result.rules
    return (
        result.race, result.player, result.name, result.room, result.code,
        rules.undo, rules.time_limit_ms, rules.ends, result.contest,
        result.starts_at, result.over_at, result.rank, result.racers, result.status,
        result.score, result.best, result.moves, result.actions, result.undos,
        result.time_ms, result.is_deadlocked,
    )  # fmt: skip


def _result(row: tuple[Any, ...]) -> Result:
    (
        race, player, name, room, code, undo, time_limit_ms, ends, contest, starts_at, over_at,
        rank, racers, status, score, best, moves, actions, undos, time_ms, is_deadlocked,
    ) = row  # fmt: skip
    return Result(
        race=race,
        player=player,
        name=name,
        room=room,
        code=code,
        rules=Rules(bool(undo), time_limit_ms, cast("Ends", ends)),
        contest=contest,
        starts_at=starts_at,
        over_at=over_at,
        rank=rank,
        racers=racers,
        status=cast("FinalStatus", status),
        score=score,
        best=best,
        moves=moves,
        actions=actions,
        undos=undos,
        time_ms=time_ms,
        is_deadlocked=bool(is_deadlocked),
    )
