"""Races that never were, written down as the contract writes a finished one (§4)."""

from __future__ import annotations

import random
from typing import Any

from halfmoon_testing import oracle, solver
from halfmoon_testing.oracle import Deed, OracleBoard

Record = dict[str, Any]
"""A race record as JSON has it."""

OPEN_CODES = ("HM1-N-AAAAAAA", "HM1-N-AAAAAAB", "HM1-N-AAAAAAD", solver.DEADLOCK_CODE)
SEALED_CODES = ("HM1-S-" + "A" * 28, "HM1-S-" + "HALFMOON" * 3 + "RACE")
"""Deals whose winning lines are found at once."""

STARTS_AT = 1_790_000_000_000


def simulated_race(
    seed: int,
    *,
    code: str | None = None,
    undo: bool = True,
    ends: str = "all",
    time_limit_ms: int | None = 900_000,
    players: int | None = None,
    ghosts: int = 0,
) -> Record:
    """The record of a race by players of all kinds, ranked by the oracle."""
    chance = random.Random(seed)
    code = code or chance.choice(OPEN_CODES + SEALED_CODES)
    count = players or chance.randint(1, 5)
    options: Record = {"time_limit_ms": time_limit_ms, "undo": undo, "ends": ends}
    if code.startswith("HM1-N"):
        options["code"] = code
    raced = {
        f"p_{number}": _actions(code, chance, undo=undo, limit_ms=time_limit_ms)
        for number in range(1, count + 1)
    }
    along = {
        f"g_{number}": _actions(code, chance, undo=undo, limit_ms=time_limit_ms)
        for number in range(1, ghosts + 1)
    }
    return written_down(code, options, raced, along)


def written_down(
    code: str,
    options: Record,
    raced: dict[str, list[Deed]],
    ghosts: dict[str, list[Deed]] | None = None,
) -> Record:
    """The record of what these players did; who was cut short by a first win loses the rest.

    `ghosts` are runs that race along: they end nothing and are cut short by nothing.
    """
    undo, limit_ms = options["undo"], options["time_limit_ms"]
    results = [oracle.race_result(code, player, raced[player], undo=undo) for player in raced]
    wins = [result.time_ms for result in results if result.status == "won"]
    if options["ends"] == "first_win" and wins:
        ended_ms = min(wins)
        raced = {
            player: [deed for deed in deeds if deed.at_ms <= ended_ms]
            for player, deeds in raced.items()
        }
        results = [oracle.race_result(code, player, raced[player], undo=undo) for player in raced]
    elif any(result.status == "timed_out" for result in results) and limit_ms is not None:
        ended_ms = limit_ms
    else:
        ended_ms = max([0, *(deed.at_ms for deeds in raced.values() for deed in deeds)])
    ghosts = ghosts or {}
    raced = {**raced, **ghosts}
    results += [oracle.race_result(code, ghost, ghosts[ghost], undo=undo) for ghost in ghosts]
    table = oracle.ranks(results)
    of = {ghost: {"ghost": {"race": "r_0", "player": f"p{ghost}"}} for ghost in ghosts}
    return {
        "race": "r_1",
        "room": "K7PXM",
        "code": code,
        "seal": oracle.seal_of(code),
        "options": options,
        "starts_at": STARTS_AT,
        "over_at": STARTS_AT + ended_ms,
        "players": [
            {
                "player": player,
                "name": _name(player),
                "actions": [_action(deed) for deed in deeds],
                **of.get(player, {}),
            }
            for player, deeds in raced.items()
        ],
        "standings": [
            {
                "rank": table[result.player],
                "name": _name(result.player),
                **vars(result),
                **of.get(result.player, {}),
            }
            for result in sorted(results, key=lambda result: table[result.player])
        ],
    }


def _name(player: str) -> str:
    return player.capitalize()


def _action(deed: Deed) -> Record:
    if deed.retire:
        return {"at_ms": deed.at_ms, "retire": True}
    if deed.undo:
        return {"at_ms": deed.at_ms, "undo": True}
    return {"at_ms": deed.at_ms, "move": list(deed.spots)}


def _actions(code: str, chance: random.Random, *, undo: bool, limit_ms: int | None) -> list[Deed]:
    """What one player does: along a winning line or at random, with detours where undo is on."""
    board = OracleBoard.of_code(code)
    line = solver.winning_line(code) if chance.random() < 0.5 else []
    patience = chance.choice([0, 5, 20, 200])
    deeds: list[Deed] = []
    at_ms = 0
    while (status := board.status()) == "racing" or (undo and status == "deadlocked"):
        at_ms += chance.choice([0, chance.randrange(2_000), chance.randrange(10_000)])
        if limit_ms is not None and at_ms >= limit_ms:
            break
        on_line = board.moves < len(line) and _lies_on(board, line)
        if undo and board.can_undo() and (status == "deadlocked" or (line and not on_line)):
            board.undo()
            deeds.append(Deed(at_ms, undo=True))
        elif len(deeds) >= patience and not on_line:
            if chance.random() < 0.5:
                deeds.append(Deed(at_ms, retire=True))
            break
        else:
            spots = line[board.moves] if on_line else []
            if not on_line or (undo and chance.random() < 0.1):
                spots = chance.choice(sorted(map(sorted, board.legal_moves())))
            board.play(spots)
            deeds.append(Deed(at_ms, tuple(spots)))
    return deeds


def _lies_on(board: OracleBoard, line: solver.Line) -> bool:
    """Whether the moves that stand are the first of this line."""
    stand = [[spot for spot, _ in move] for move in board.history]
    return stand == line[: len(stand)]
