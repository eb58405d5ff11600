"""The organiser key and the server's own: kept in the data folder, for its user alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from halfmoon_server.eventlog.base import DataFolderError
from halfmoon_server.organiser import FILE_NAME, OrganiserKey, organiser_key
from halfmoon_server.signing import signing_key


def test_the_link_stays_good_over_restarts(tmp_path: Path) -> None:
    first = organiser_key(None, tmp_path / "data")
    assert organiser_key(None, tmp_path / "data").key == first.key
    assert len(first.key) >= 32
    mode = (tmp_path / "data" / FILE_NAME).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_the_operators_own_key_comes_first(tmp_path: Path) -> None:
    assert organiser_key("chosen", tmp_path).key == "chosen"
    assert not (tmp_path / FILE_NAME).exists()


def test_without_a_folder_every_start_has_its_own() -> None:
    assert organiser_key(None, None).key != organiser_key(None, None).key


@pytest.mark.parametrize("text", ["", "key", "the-Key", "the-key ", "the-key\udcff", "the-keyő"])
def test_only_the_key_fits(text: str) -> None:
    assert not OrganiserKey("the-key").fits(text)
    assert OrganiserKey("the-key").fits("the-key")


def test_an_empty_key_file_is_told_and_not_used(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("")
    with pytest.raises(DataFolderError, match="empty"):
        organiser_key(None, tmp_path)


def test_the_server_signs_with_the_same_key_after_a_restart(tmp_path: Path) -> None:
    first, again = signing_key(tmp_path), signing_key(tmp_path)
    assert first.public == again.public
    assert first.sign(b"x") == again.sign(b"x")
    assert signing_key(None).public != first.public
