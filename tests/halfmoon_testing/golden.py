"""Golden logs: what a version wrote, and what it made of it, kept for every later one to read.

`python -m halfmoon_testing.golden FOLDER` writes those of this version; a release keeps them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.evolve import create, evolve
from halfmoon_server.rooms.state import Room
from halfmoon_testing.builders import PEOPLE, ROOM
from halfmoon_testing.rooms import Table, history, request_of, solvable_chances, wait_of

SEEDS = (14, 43, 55, 64)
LENGTH = 90


def replayed(lines: Iterable[str]) -> tuple[Room, list[dict[str, Any]]]:
    """The room that a log makes, and the standings of each of its races."""
    room: Room | None = None
    races: list[dict[str, Any]] = []
    for line in lines:
        for event in e.read_entry(line).events:
            if room is None:
                assert isinstance(event, e.RoomCreated), "a room begins with its creation"
                room = create(event)
                continue
            room = evolve(room, event)
            if isinstance(event, e.RaceOver):
                assert room.race is not None, "a race is over"
                standings = [json.loads(one.model_dump_json()) for one in room.race.standings]
                races.append(
                    {"race": room.race.race, "code": str(room.code), "standings": standings}
                )
    assert room is not None, "a log has a beginning"
    return room, races


def played(seed: int) -> list[str]:
    """The log of a room in which much happens; what it is depends on the seed alone."""
    at = Table(draw=solvable_chances(), code=None)
    for act in history(PEOPLE[:3], seed, LENGTH):
        if act.kind == "wait":
            at.pass_ms(wait_of(act))
        else:
            at.request(request_of(act, at.room, at.draw))
    at.drop(*PEOPLE[:3])
    at.pass_ms(3_600_000)
    return [e.write_entry(entry).replace(ROOM, f"GD{seed:03}") for entry in at.entries]


def main(arguments: Sequence[str]) -> None:
    """Write the golden logs of this version."""
    folder, name = Path(arguments[0]), f"rooms-{version('halfmoon-race')}"
    logs = [played(seed) for seed in SEEDS]
    (folder / f"{name}.log").write_text("\n\n".join("\n".join(lines) for lines in logs) + "\n")
    made = [replayed(lines)[1] for lines in logs]
    (folder / f"{name}.standings.json").write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
