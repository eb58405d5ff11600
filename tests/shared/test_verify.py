"""The verb `verify`: one line about any record, and any file at all in a few seconds."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from halfmoon import cli
from halfmoon_testing.records import Record, simulated_race

CODE = "HM1-N-AAAAAAB"

Captured = pytest.CaptureFixture[str]


def failure(captured: Captured) -> str:
    """The one line that a failing command leaves."""
    out, err = captured.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def written(path: Path, record: Record) -> str:
    path.write_text(json.dumps(record))
    return str(path)


def test_a_record_that_holds_is_one_line_and_0(tmp_path: Path, capsys: Captured) -> None:
    record = simulated_race(1, code=CODE, players=3)
    assert cli.main(["verify", written(tmp_path / "race.json", record)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("\n") == 1
    assert "Race r_1 on HM1-N-AAAAAAB holds" in out
    assert "3 players" in out
    assert any(line["name"] in out for line in record["standings"] if line["rank"] == 1)


def test_the_line_says_who_won_or_came_first(tmp_path: Path, capsys: Captured) -> None:
    """By the oracle's records, of which some have a winner and some have none."""
    kinds = set()
    for seed in range(8):
        record = simulated_race(seed, code=CODE, players=1)
        assert cli.main(["verify", written(tmp_path / "race.json", record)]) == 0
        out = capsys.readouterr().out
        first = record["standings"][0]
        if first["status"] == "won":
            assert f"{first['name']} won after {first['time_ms'] / 1000:.3f} s." in out
        else:
            assert f"came first with {first['best']} points." in out
        kinds.add(first["status"] == "won")
    assert kinds == {True, False}


def test_the_first_fault_is_named_and_1(tmp_path: Path, capsys: Captured) -> None:
    record = simulated_race(1, code=CODE, players=3)
    record["standings"][0]["score"] += 10
    assert cli.main(["verify", written(tmp_path / "race.json", record)]) == 1
    assert "race.json does not hold: standings: score of p_" in failure(capsys)


def test_a_name_in_a_record_commands_no_terminal(tmp_path: Path, capsys: Captured) -> None:
    record = simulated_race(1, code=CODE, players=1)
    record["players"][0]["name"] = record["standings"][0]["name"] = "\x1b[2J\u202eAnn\nBen"
    assert cli.main(["verify", written(tmp_path / "race.json", record)]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert r"\x1b[2J\u202eAnn\nBen" in out


def wrong_actions(count: int) -> str:
    """A record in which one player did so many things that are no actions."""
    record = simulated_race(1, code=CODE, players=2)
    record["players"][0]["actions"] = [0] * count
    return json.dumps(record, separators=(",", ":"))


def hostile_files(folder: Path) -> dict[str, Callable[[], object]]:
    """How to make each hostile file at the path `folder / name`."""

    def sparse() -> None:
        with (folder / "sparse").open("wb") as file:
            file.truncate(1 << 30)

    def bound_socket() -> None:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(folder / "socket"))

    return {
        "missing": lambda: None,
        "folder": (folder / "folder").mkdir,
        "pipe": lambda: os.mkfifo(folder / "pipe"),
        "socket": bound_socket,
        "loop": lambda: (folder / "loop").symlink_to("loop"),
        "zero": lambda: (folder / "zero").symlink_to("/dev/zero"),
        "sparse": sparse,
        "empty": (folder / "empty").touch,
        "latin": lambda: (folder / "latin").write_bytes(b'{"race":"\xe9"}'),
        "nul": lambda: (folder / "nul").write_bytes(bytes(1000)),
        "deep": lambda: (folder / "deep").write_bytes(b"[" * 100_000),
        "deep_object": lambda: (folder / "deep_object").write_bytes(b'{"a":' * 100_000),
        "list": lambda: (folder / "list").write_text("[]"),
        "number": lambda: (folder / "number").write_text("9" * 100_000),
        "bom": lambda: (folder / "bom").write_bytes(b"\xef\xbb\xbf{}"),
        "wrong_actions": lambda: (folder / "wrong_actions").write_text(wrong_actions(500_000)),
        "n" * 300: lambda: None,
    }


@pytest.mark.parametrize("name", list(hostile_files(Path())))
def test_a_hostile_file_is_one_line_and_1(name: str, tmp_path: Path, capsys: Captured) -> None:
    hostile_files(tmp_path)[name]()
    assert cli.main(["verify", str(tmp_path / name)]) == 1
    assert failure(capsys).startswith("halfmoon: ")


MEASURED = """
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "halfmoon", "verify", sys.argv[1]], check=False)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
sys.exit(done.returncode)
"""
"""Runs `verify` and prints its peak in MB, from a process that is small itself: a child begins with
the peak of its parent."""


@pytest.mark.parametrize("name", ["deep", "sparse", "pipe", "wrong_actions"])
def test_a_hostile_file_costs_little(name: str, tmp_path: Path) -> None:
    """Under 200 MB, whatever it would like."""
    hostile_files(tmp_path)[name]()
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(tmp_path / name)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert int(done.stdout) < 200


def test_a_nul_in_the_path_is_one_line(capsys: Captured) -> None:
    assert cli.main(["verify", "a\0b"]) == 1
    assert "can't be read" in failure(capsys)


def test_a_file_that_grows_past_the_bound_is_refused(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The size is not believed: files under /proc say 0."""
    monkeypatch.setattr(cli, "LARGEST_RECORD", 10)
    assert cli.main(["verify", "/proc/self/status"]) == 1
    assert "too large" in failure(capsys)


@pytest.mark.parametrize("text", ['{"tournament": {}, "standings": {}, "log": []}', '{"rows": []}'])
def test_a_table_of_a_tournament_is_told_from_a_broken_record(
    tmp_path: Path, capsys: Captured, text: str
) -> None:
    """It isn't signed: the line says which file can be checked."""
    (tmp_path / "t.json").write_text(text)
    assert cli.main(["verify", str(tmp_path / "t.json")]) == 1
    assert "verify its result file" in failure(capsys)
