"""Frames as they go over the wire (RFC 6455 §5.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.wire import messages as m
from halfmoon_server.frames import message_frame, text_frame
from halfmoon_testing.builders import ROOM
from halfmoon_testing.fakes import payload, read


@pytest.mark.parametrize(
    ("size", "head"),
    [
        (0, b"\x81\x00"),
        (125, b"\x81\x7d"),
        (126, b"\x81\x7e\x00\x7e"),
        (65_535, b"\x81\x7e\xff\xff"),
        (65_536, b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00"),
    ],
)
def test_the_length_is_written_as_short_as_it_can_be(size: int, head: bytes) -> None:
    assert text_frame("x" * size) == head + b"x" * size


def test_the_length_counts_bytes_and_not_letters() -> None:
    assert text_frame("ő") == b"\x81\x02\xc5\x91"


@given(st.text(max_size=300))
def test_the_text_comes_back(text: str) -> None:
    assert payload(text_frame(text)).decode() == text


def test_a_message_is_framed_as_its_json() -> None:
    assert read(message_frame(m.Ok(room=ROOM, re="7"))) == {"type": "ok", "room": ROOM, "re": "7"}
