"""Examples of what the HTTP part answers, for the OpenAPI document."""

from typing import Any

from halfmoon.wire.examples import ANN, LIMIT_MS, RACE, ROOM, STARTS_AT, TYPED

_RULES = {"undo": True, "time_limit_ms": LIMIT_MS, "ends": "all"}
_RESULT: dict[str, Any] = {
    "race": RACE,
    "player": ANN,
    "name": "Ann",
    "starts_at": STARTS_AT,
    "over_at": STARTS_AT + 412_700,
    "rank": 1,
    "racers": 2,
    "status": "won",
    "score": 520,
    "best": 520,
    "moves": 48,
    "actions": 56,
    "undos": 4,
    "time_ms": 412_700,
}

DEAL_RESULTS_EXAMPLE: dict[str, Any] = {
    "code": str(TYPED),
    "rules": _RULES,
    "classes": [{**_RULES, "results": 1}],
    "results": [_RESULT],
}
MY_RACES_EXAMPLE: dict[str, Any] = {
    "player": ANN,
    "name": "Ann",
    "totals": {"races": 1, "wins": 1, "firsts": 1, "best": 520, "deadlocks": 0, "clean": 0},
    "races": [{**_RESULT, **_RULES, "room": ROOM, "code": str(TYPED)}],
}
