"""The vectors that the page's replay passes too are still what the engine makes."""

import json
from pathlib import Path

from halfmoon_testing.replays import vectors

VECTORS = Path(__file__).parents[1] / "vectors" / "replays.json"


def test_the_vectors_of_the_web_client_are_what_the_engine_makes() -> None:
    written = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert written == vectors()
    statuses = {board[2] for race in written for boards in race["boards"] for board in boards}
    assert statuses == {"racing", "deadlocked", "won"}
    kinds = {
        kind
        for race in written
        for line in race["record"]["players"]
        for action in line["actions"]
        for kind in action
    }
    assert kinds == {"at_ms", "move", "undo", "retire"}
