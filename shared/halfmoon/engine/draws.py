"""The deal that nobody chose: a code made of the server's secret and the racers' nonces.

The server shows `commit`, the hash of its secret, and the race's id before any racer has said
anything; each racer may add a nonce of their own; the code follows from all of it. So the server
can't pick a deal once it knows the nonces, and no racer can pick one without knowing the secret.
Afterwards the secret and the nonces stand in the record, and everybody can do the sum again.
It doesn't keep the server from *looking*: who runs it knows the deal from the start on.
"""

import hashlib
import hmac
from collections.abc import Iterable

from halfmoon.engine.codes import LETTERS, Code, Variant

SECRET_BYTES = 32
NONCE_BYTES = 16

_CODES: int = 26 ** LETTERS[Variant.SEALED]
_LIMIT = 2**256 - 2**256 % _CODES
"""Digests from here on are dropped, so that every code is equally likely."""


def commit_of(secret: bytes) -> str:
    """Hex SHA-256 of the secret: what is published beforehand."""
    return hashlib.sha256(secret).hexdigest()


def drawn_code(secret: bytes, room: str, race: str, nonces: Iterable[bytes]) -> Code:
    """The sealed code that follows from the secret, the ids of room and race, and the nonces.

    HMAC-SHA-256 under the secret of: the ASCII room id, a zero byte, the ASCII race id, a zero
    byte, the nonces one after the other in ascending order, and i as 4 bytes big-endian; for
    i = 0, 1, 2, … the first digest below 2²⁵⁶ − (2²⁵⁶ mod 26²⁸), read big-endian, modulo 26²⁸.
    """
    said = b"\0".join((room.encode("ascii"), race.encode("ascii"), b"".join(sorted(nonces))))
    counter = 0
    while True:
        message = said + counter.to_bytes(4, "big")
        number = int.from_bytes(hmac.digest(secret, message, "sha256"), "big")
        if number < _LIMIT:
            return Code.from_number(Variant.SEALED, number % _CODES)
        counter += 1
