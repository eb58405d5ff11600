"""Frames that are refused before aiohttp sees them, however they are cut (RFC 6455)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon_server.guard import REFUSED, FrameCheck, is_close_code
from halfmoon_testing.wsraw import CLOSE, PING, PONG, TEXT, frame

BIG = frame(b"x" * 70_000)
FINE = st.one_of(
    st.builds(frame, st.binary(max_size=300), st.sampled_from([TEXT, PING, PONG, 0, 2, 3])),
    st.just(BIG),
    st.builds(lambda code: frame(code.to_bytes(2, "big"), CLOSE), st.sampled_from([1000, 1001])),
    st.just(frame(b"", CLOSE)),
    st.just(frame(b"\x03", CLOSE)),
    st.just(frame(b"\x03\xec" + b"x" * 200, CLOSE)),  # too long for a control frame: aiohttp's
)
BAD = st.one_of(
    st.builds(lambda data: frame(data, TEXT, masked=False), st.binary(max_size=200)),
    st.builds(
        lambda code, reason: frame(code.to_bytes(2, "big") + reason, CLOSE),
        st.sampled_from([0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535]),
        st.binary(max_size=50),
    ),
)


def passed(data: bytes, cuts: list[int]) -> bytes:
    """What a check passes on of bytes that come in pieces."""
    check = FrameCheck()
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return b"".join(check.feed(data[start:end]) for start, end in pairwise(places))


CUTS = st.lists(st.integers(0, 100_000), max_size=40)


@given(st.lists(FINE, max_size=5), CUTS)
def test_what_is_allowed_passes_unchanged(frames: list[bytes], cuts: list[int]) -> None:
    data = b"".join(frames)
    assert passed(data, cuts) == data


@given(st.lists(FINE, max_size=4), BAD, st.binary(max_size=50), CUTS)
def test_what_is_not_allowed_is_refused_in_its_place_and_nothing_comes_after_it(
    frames: list[bytes], bad: bytes, rest: bytes, cuts: list[int]
) -> None:
    before = b"".join(frames)
    assert passed(before + bad + rest, cuts) == before + REFUSED


@given(st.lists(FINE, max_size=2), BAD)
def test_single_bytes_are_judged_alike(frames: list[bytes], bad: bytes) -> None:
    before = b"".join(one for one in frames if len(one) < 1000)
    data = before + bad
    assert passed(data, [*range(len(data))]) == before + REFUSED


@pytest.mark.parametrize(
    ("codes", "allowed"),
    [
        ((1000, 1001, 1002, 1003, 1007, 1011, 1012, 1013, 1014, 3000, 4001, 4999), True),
        ((0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535), False),
    ],
)
def test_which_codes_a_close_may_carry(codes: tuple[int, ...], allowed: bool) -> None:
    assert [is_close_code(code) for code in codes] == [allowed] * len(codes)
