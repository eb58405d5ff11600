"""Result files: what holds is accepted, and whatever is changed in one is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from halfmoon.cli import main
from halfmoon.engine.errors import RecordFault
from halfmoon.tournaments.result_file import chained, digest, table_of, verify
from halfmoon.wire.options import RoomOptions
from halfmoon.wire.tournaments import LogLine, TournamentState
from halfmoon_server.result_files import json_bytes
from halfmoon_server.signing import SigningKey
from halfmoon_testing.records import simulated_race

KEY = SigningKey(bytes(32))
OTHER = SigningKey(bytes([1] * 32))
File = dict[str, Any]


def made() -> File:
    """A series of one round that two raced, of whom one's result was corrected."""
    record = simulated_race(3)
    lines = record["standings"]
    seats = {f"e{place}": line["player"] for place, line in enumerate(lines, start=1)}
    corrected = {"status": "retired", "best": 0, "time_ms": 0}
    results = [
        {
            "entrant": f"e{place}", "rank": place, "race": record["race"],
            **{key: line[key] for key in ("status", "best", "moves", "actions", "time_ms")},
        }
        for place, line in enumerate(lines, start=1)
    ]  # fmt: skip
    last = results[-1]
    last["raw"] = {key: last[key] for key in corrected}
    last |= {**corrected, "reason": "seen"}
    said = [
        LogLine(seq=1, at=1, by="organiser", what="tournament_made", text="Made."),
        LogLine(
            seq=2, at=2, by="organiser", what="result_corrected", text="Corrected.",
            entrant=last["entrant"], round=1, heat=1, reason="seen",
        ),
    ]  # fmt: skip
    state: File = {
        "tournament": "T4KQ9", "name": "Club", "format": "series", "state": "over", "round": 1,
        "rounds": 1, "entry": "list", "annulled": [], "byes": [],
        "entrants": [
            {"entrant": entrant, "name": entrant.upper(), "active": True, "seed": place,
             "taken": True, "online": False}
            for place, entrant in enumerate(seats, start=1)
        ],
        "heats": [
            {"round": 1, "heat": 1, "room": record["room"], "entrants": [*seats], "state": "over",
             "seal": record["seal"], "starts_at": record["starts_at"], "results": results}
        ],
        "race": {**_options(), "time_limit_ms": 900_000},
        "automatic": {"break_ms": None, "paused": False},
    }  # fmt: skip
    return {
        "format": "halfmoon-result/1", "made_at": 9, "tournament": state,
        "standings": _standings(state), "heats": [{"race": record["race"], "seats": seats}],
        "races": [record], "log": [line.model_dump(mode="json") for line in chained(said)],
        "public_key": KEY.public,
    }  # fmt: skip


def _options() -> File:
    options: File = json.loads(RoomOptions().model_dump_json())
    return options


def _standings(state: File) -> File:
    told: File = json.loads(
        table_of(TournamentState.model_validate_json(json.dumps(state))).model_dump_json()
    )
    return told


def signed(file: File, key: SigningKey = KEY) -> bytes:
    whole = {**file, "public_key": key.public}
    said = digest(whole)
    return json_bytes(whole | {"hash": said.hex(), "signature": key.sign(said)})


def test_what_holds_is_accepted() -> None:
    assert verify(signed(made())).tournament.name == "Club"


def _heat(file: File) -> File:
    heat: File = file["tournament"]["heats"][0]
    return heat


CHANGES: dict[str, Callable[[File], Any]] = {
    "a score": lambda file: _heat(file)["results"][0].update(best=510),
    "a raw score": lambda file: _heat(file)["results"][-1]["raw"].update(best=510),
    "a rank": lambda file: _heat(file)["results"][0].update(rank=2),
    "a result less": lambda file: _heat(file)["results"].pop(),
    "a move": lambda file: file["races"][0]["players"][0]["actions"].pop(0),
    "the deal": lambda file: file["races"][0].update(code="HM1-N-QQQQQQQ"),
    "the seal": lambda file: _heat(file).update(seal="0" * 64),
    "a race less": lambda file: file["races"].clear(),
    "who sat where": lambda file: file["heats"][0]["seats"].update(e1="p_nobody"),
    "points": lambda file: file["standings"]["rows"][0].update(points=12.5),
    "a row less": lambda file: file["standings"]["rows"].pop(),
    "the rule": lambda file: file["standings"].update(rule="By age."),
    "a line of the log": lambda file: file["log"][0].update(text="Nothing."),
    "a line less": lambda file: file["log"].pop(0),
    "a correction without a log line": lambda file: _heat(file)["results"][-1].update(reason="x"),
    "a format": lambda file: file.update(format="halfmoon-result/9"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_is_changed_is_found_even_where_it_is_signed_again(what: str) -> None:
    file = copy.deepcopy(made())
    CHANGES[what](file)
    with pytest.raises(RecordFault):
        verify(signed(file))


def test_a_file_that_was_changed_after_it_was_signed_is_found() -> None:
    with pytest.raises(RecordFault, match="hash"):
        verify(signed(made()).replace(b'"Club"', b'"Clab"'))


def test_a_signature_by_another_key_is_found() -> None:
    whole = json.loads(signed(made()))
    whole["signature"] = OTHER.sign(bytes.fromhex(whole["hash"]))
    with pytest.raises(RecordFault, match="signature"):
        verify(json_bytes(whole))


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"format":"halfmoon-result/1"}', b"\xff"])
def test_what_is_none_is_told(text: bytes) -> None:
    with pytest.raises(RecordFault):
        verify(text)


def test_the_verb_verify_takes_both_kinds_of_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(signed(made()))
    assert main(["verify", str(path)]) == 0
    assert "Club (series) holds" in capsys.readouterr().out
    path.write_bytes(signed(made()).replace(b'"Club"', b'"Clab"'))
    assert main(["verify", str(path)]) == 1
    assert "does not hold: hash" in capsys.readouterr().err
    record = simulated_race(3)
    record["players"][0]["name"] = "halfmoon-result/1"
    for line in record["standings"]:
        if line["player"] == record["players"][0]["player"]:
            line["name"] = "halfmoon-result/1"
    path.write_text(json.dumps(record))
    assert main(["verify", str(path)]) == 0
