"""The verb `serve` where it can't serve: one line that says what is wrong, and no traceback (P18)."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from halfmoon.cli import main
from halfmoon_server.eventlog.file import FILE_NAME

WITHIN_S = 60
"""Past that a server hangs."""
LISTENING = "Half Moon is listening on http://"
BOUND_BY_PERMISSIONS = """
import ctypes, os, sys
for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Starts a program for which permissions hold, also where root runs the tests."""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "halfmoon", "serve", *arguments]


def refused(*arguments: str) -> str:
    """The one line by which `serve` says why it doesn't."""
    program = command(*arguments)
    if os.geteuid() == 0:
        program = [sys.executable, "-c", BOUND_BY_PERMISSIONS, *program]
    done = subprocess.run(program, capture_output=True, text=True, timeout=WITHIN_S, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    return one_line(done.stderr)


def one_line(said: str) -> str:
    assert said.endswith("\n")
    assert said.count("\n") == 1, said
    return said


@contextmanager
def serving(data: Path) -> Iterator["subprocess.Popen[str]"]:
    """A server that listens, with its log in this folder."""
    server = subprocess.Popen(
        command("--port", "0", "--data", str(data)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        assert server.stdout.readline().startswith(LISTENING)
        yield server
    finally:
        server.kill()
        server.communicate(timeout=WITHIN_S)


def stopped(server: "subprocess.Popen[str]", number: int) -> tuple[int, str]:
    """The exit status of a server that got this signal, and what it said on stderr."""
    server.send_signal(number)
    _, said = server.communicate(timeout=WITHIN_S)
    return server.returncode, said


# --- The command line -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("--port", "65536"), "65536"),
        (("--port", "-1"), "--port"),
        (("--port", "http"), "http"),
        (("--port", "८०"), "no port"),
        (("--limit-connections", "0"), "no number from 1 up"),
        (("--limit-wrong-rooms", "60"), "at once / a minute"),
        (("--limit-new-rooms", "60/x"), "no number"),
        (("--limit-pings", "60"), "at once / a second"),
        (("--limit-player-rooms", "-1"), "no number from 1 up"),
        (("--hello-within-ms", "5s"), "no number from 1 up"),
        (("--trusted-proxy", "nginx"), "no address or network"),
        (("--host", ""), "is no address"),
        (("--host", "http://x"), "is no address"),
        (("--data", ""), "needs a name"),
        (("--timezone", "Mars/Olympus"), "is no time zone"),
        (("--timezone", "../Europe"), "is no time zone"),
        (("--allow-origin", "club"), "is no origin"),
        (("--allow-origin", "https://club.example/page"), "is no origin"),
        (("--colour", "red"), "--colour"),
        (("here",), "here"),
    ],
)
def test_a_command_line_that_can_not_be_read_is_status_2(
    arguments: tuple[str, ...], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert what in one_line(err)


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--help"]) == 0
    out, err = capsys.readouterr()
    assert "halfmoon serve --host 0.0.0.0" in out
    assert err == ""


# --- The port ---------------------------------------------------------------------------------


def test_a_port_in_use_is_named_with_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused("--port", str(port))
    assert str(port) in said
    assert "already in use" in said
    assert "--port" in said


def test_an_address_that_is_not_of_this_machine_is_named() -> None:
    assert "192.0.2.1" in refused("--host", "192.0.2.1", "--port", "0")


# --- The data folder --------------------------------------------------------------------------


@pytest.mark.parametrize("below", ["", "new"])
def test_a_folder_that_can_not_be_written_is_refused(tmp_path: Path, below: str) -> None:
    tmp_path.chmod(0o500)
    try:
        said = refused("--port", "0", "--data", str(tmp_path / below))
    finally:
        tmp_path.chmod(0o700)
    assert "Permission denied" in said


def test_a_file_that_can_not_be_written_is_refused(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.touch(mode=0o400)
    assert "Permission denied" in refused("--port", "0", "--data", str(tmp_path))


def test_an_empty_file_is_a_log_that_was_lost(tmp_path: Path) -> None:
    """X42: a log comes into its place whole."""
    (tmp_path / FILE_NAME).touch()
    assert "it is empty" in refused("--port", "0", "--data", str(tmp_path))
