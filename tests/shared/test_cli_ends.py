"""How the command ends where its output or its user goes away: by one line, or none, and a status."""

from __future__ import annotations

import io
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from halfmoon import cli
from halfmoon.engine.codes import Code

CODE = "HM1-N-AAAAAAB"
HALFMOON = [sys.executable, "-m", "halfmoon"]

Captured = pytest.CaptureFixture[str]


def test_a_reader_that_has_had_enough_is_no_fault() -> None:
    process = subprocess.Popen(
        [*HALFMOON, "deal", CODE], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_full_disk_is_one_line_and_1() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*HALFMOON, "deal", CODE], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "halfmoon: the output: No space left on device\n"


class Broken(io.StringIO):
    """An output that nothing can be written to."""

    def __init__(self, fault: OSError) -> None:
        super().__init__()
        self.fault = fault

    def write(self, _: str) -> int:
        raise self.fault


def test_the_same_within_the_process(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(sys, "stdout", Broken(BrokenPipeError()))
    assert cli.main(["code"]) == 0
    monkeypatch.setattr(sys, "stdout", Broken(OSError(28, "No space left on device")))
    assert cli.main(["code"]) == 1
    assert capsys.readouterr().err == "halfmoon: the output: No space left on device\n"


def test_a_terminal_of_an_unknown_or_poor_encoding_gets_letters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for encoding in ("ascii", "latin-1"):
        written = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
        assert cli.main(["deal", CODE]) == 0
        assert b"[4C]" in written.getvalue()
    nameless = io.StringIO()
    monkeypatch.setattr(sys, "stdout", nameless)
    assert cli.main(["deal", CODE]) == 0
    assert "[4C]" in nameless.getvalue()


def test_it_says_so_where_it_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(cli, "version", missing)
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == "halfmoon (not installed)\n"


def test_no_output_at_all_is_one_line_and_1(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main(["code"]) == 1
    assert "no standard output" in capsys.readouterr().err


def test_no_place_for_complaints_is_no_fault_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert cli.main(["deal", "x"]) == 1


def test_an_interrupt_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def interrupted(*_: object) -> Code:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "fresh_code", interrupted)
    assert cli.main(["code"]) == 1
    assert capsys.readouterr().err == "halfmoon: interrupted\n"
