"""The code that follows from the server's secret and the racers' nonces."""

import hashlib
import hmac
import json
from collections import Counter
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.engine.codes import Variant
from halfmoon.engine.draws import commit_of, drawn_code

SECRET = bytes(range(32))
ROOM, RACE = "K7M2P", "r_b1946ac92492d234"
nonces = st.lists(st.binary(min_size=16, max_size=16), max_size=6)


def test_the_commitment_is_the_hash_of_the_secret() -> None:
    assert commit_of(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_the_code_is_what_the_docstring_says() -> None:
    ann, bob = b"b" * 16, b"a" * 16
    said = b"K7M2P\0r_b1946ac92492d234\0" + bob + ann + b"\0\0\0\0"
    number = int.from_bytes(hmac.new(SECRET, said, "sha256").digest(), "big") % 26**28
    code = drawn_code(SECRET, ROOM, RACE, [ann, bob])
    assert code.variant is Variant.SEALED
    assert code.number == number


@given(nonces)
def test_the_order_of_the_nonces_does_not_matter(given_nonces: list[bytes]) -> None:
    forwards = drawn_code(SECRET, ROOM, RACE, given_nonces)
    assert drawn_code(SECRET, ROOM, RACE, reversed(given_nonces)) == forwards


@given(nonces, st.binary(min_size=16, max_size=16))
def test_one_more_nonce_makes_another_code(given_nonces: list[bytes], more: bytes) -> None:
    before = drawn_code(SECRET, ROOM, RACE, given_nonces)
    assert drawn_code(SECRET, ROOM, RACE, [*given_nonces, more]) != before


@pytest.mark.parametrize(
    ("secret", "room", "race"),
    [(bytes(32), ROOM, RACE), (SECRET, "K7M2Q", RACE), (SECRET, ROOM, "r_b1946ac92492d235")],
)
def test_secret_room_and_race_each_matter(secret: bytes, room: str, race: str) -> None:
    assert drawn_code(secret, room, race, []) != drawn_code(SECRET, ROOM, RACE, [])


def test_a_digest_past_the_last_whole_run_of_codes_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    digests = iter([b"\xff" * 32, (2**256 - 2**256 % 26**28).to_bytes(32, "big"), bytes(32)])
    asked: list[bytes] = []

    def digest(_: bytes, message: bytes, name: str) -> bytes:
        assert name == "sha256"
        asked.append(message[-4:])
        return next(digests)

    monkeypatch.setattr(hmac, "digest", digest)
    assert drawn_code(SECRET, ROOM, RACE, []).number == 0
    assert asked == [b"\0\0\0\0", b"\0\0\0\1", b"\0\0\0\2"]


def test_letters_come_out_evenly() -> None:
    letters: Counter[str] = Counter()
    for number in range(2000):
        letters.update(drawn_code(number.to_bytes(32, "big"), ROOM, RACE, []).letters)
    expected = 2000 * 28 / 26
    chi_squared = sum((letters[one] - expected) ** 2 / expected for one in ascii_uppercase)
    assert chi_squared < 52.6, "25 degrees of freedom, one in a thousand"


VECTORS = json.loads((Path(__file__).parents[1] / "vectors/draws.json").read_text())


@pytest.mark.parametrize("vector", VECTORS)
def test_the_page_and_the_engine_share_these_vectors(vector: dict[str, Any]) -> None:
    secret = bytes.fromhex(vector["secret"])
    assert commit_of(secret) == vector["commit"]
    nonces = map(bytes.fromhex, vector["nonces"])
    assert str(drawn_code(secret, vector["room"], vector["race"], nonces)) == vector["code"]
