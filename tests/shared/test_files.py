"""Reading a stranger's file: all of it or a reason, and never waiting for it."""

import os
from pathlib import Path

import pytest

from halfmoon import files
from halfmoon.files import Unreadable, read_file


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    content = os.urandom(3 * files.CHUNK + 7)
    (tmp_path / "file").write_bytes(content)
    assert read_file(tmp_path / "file", len(content)) == content


def test_an_empty_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert read_file(tmp_path / "file", 0) == b""


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"{}")
    (tmp_path / "link").symlink_to("file")
    assert read_file(tmp_path / "link", 10) == b"{}"


def test_a_file_with_a_byte_too_many_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes((2 << 20) + 1))
    with pytest.raises(Unreadable, match="too large: at most 2 MiB"):
        read_file(tmp_path / "file", 2 << 20)


def test_a_file_that_grows_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its size looked right when it was opened."""
    (tmp_path / "file").write_bytes(bytes((2 << 20) + 1))
    monkeypatch.setattr(files, "_check", lambda *_: None)
    with pytest.raises(Unreadable, match="too large"):
        read_file(tmp_path / "file", 2 << 20)


def test_a_pipe_that_took_a_files_place_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked at before it is opened and again after; this is the second look."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    looked_at = (tmp_path / "file").stat()
    monkeypatch.setattr(Path, "stat", lambda *_, **__: looked_at)
    with pytest.raises(Unreadable, match="is a pipe, not a file"):
        read_file(tmp_path / "pipe", 10)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("folder", "is a folder"),
        ("missing", "No such file"),
        ("folder/file", "No such file"),
        ("file/inside", "Not a directory"),
        ("loop", "symbolic links"),
        ("nul\0byte", "null"),
        ("x" * 5_000, "too long"),
    ],
)
def test_what_is_no_readable_file_is_refused_with_a_reason(
    tmp_path: Path, name: str, why: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(Unreadable, match=why):
        read_file(tmp_path / name, 10)
