"""What earlier versions wrote is read to the same standings, for ever (Promise 13)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from halfmoon.engine.record import RaceRecord
from halfmoon_server.records import record_of
from halfmoon_server.rooms import events as e
from halfmoon_testing.golden import replayed
from halfmoon_testing.oracle import record_holds

GOLDEN = Path(__file__).parents[2] / "golden"
VERSIONS = sorted(path.stem for path in GOLDEN.glob("rooms-*.log"))


def logs_of(version: str) -> list[list[str]]:
    """The logs that this version wrote."""
    return [
        log.splitlines() for log in (GOLDEN / f"{version}.log").read_text().strip().split("\n\n")
    ]


def test_there_are_golden_logs_and_they_hold_what_happens_in_rooms() -> None:
    assert "rooms-0.1.0" in VERSIONS
    lines = [line for log in logs_of("rooms-0.1.0") for line in log]
    seen = {event.type for line in lines for event in e.read_entry(line).events}
    assert seen >= {
        "room_created", "member_joined", "member_left", "went_online", "went_offline",
        "role_changed", "ready_set", "host_changed", "options_set", "countdown_started",
        "countdown_called_off", "race_started", "move_made", "undo_made", "retired", "race_over",
        "rematch_opened", "reacted", "room_reopened", "room_closed",
    }  # fmt: skip


@pytest.mark.parametrize("version", VERSIONS)
def test_a_golden_log_replays_to_the_recorded_standings(version: str) -> None:
    recorded = json.loads((GOLDEN / f"{version}.standings.json").read_text())
    assert sum(map(len, recorded)) >= 4
    for lines, races in zip(logs_of(version), recorded, strict=True):
        room, made = replayed(lines)
        assert made == races
        assert room.is_closed
        for race in races:
            record = record_of([e.read_entry(line) for line in lines], race["race"])
            assert record is not None
            RaceRecord.read(record.model_dump_json()).verify()
            assert record_holds(record.model_dump(mode="json"))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_golden_log_is_written_again_as_it_was_read(version: str) -> None:
    """So that a log that was moved, copied or made anew keeps its chain."""
    for lines in logs_of(version):
        for line in lines:
            assert e.read_entry(line) == e.read_entry(e.write_entry(e.read_entry(line)))
