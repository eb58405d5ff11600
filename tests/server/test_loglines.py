"""Log lines that can't be written keep nobody waiting."""

import io
import sys

import pytest
import structlog

from halfmoon_server.loglines import stderr


class Full(io.TextIOBase):
    """A file on a full disk."""

    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def test_a_line_goes_to_stderr_as_it_is_by_then(capsys: pytest.CaptureFixture[str]) -> None:
    logger = stderr()
    logger.warning('{"event": "x"}')
    assert capsys.readouterr().err == '{"event": "x"}\n'


def test_a_full_disk_behind_stderr_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Full())
    stderr().error("lost")


def test_a_closed_stderr_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)
    stderr().error("lost")


def test_every_level_that_structlog_knows_has_its_word() -> None:
    bound = structlog.wrap_logger(stderr(), processors=[structlog.processors.JSONRenderer()])
    for level in ("debug", "info", "warning", "error", "critical", "exception"):
        getattr(bound, level)("said")
