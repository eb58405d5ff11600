"""The server's own key, by which it signs result files (Ed25519)."""

import base64
import secrets
from pathlib import Path

from halfmoon_server.organiser import own_secret

FILE_NAME = "signing.key"
KEY_BYTES = 32


class SigningKey:
    """A private key; what needs it is loaded when something is signed."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def sign(self, text: bytes) -> str:
        """The signature, base64."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
            Ed25519PrivateKey,
        )

        return _text(Ed25519PrivateKey.from_private_bytes(self._seed).sign(text))

    @property
    def public(self) -> str:
        """The public key, base64."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
            Ed25519PrivateKey,
        )

        key = Ed25519PrivateKey.from_private_bytes(self._seed)
        return _text(key.public_key().public_bytes_raw())


def signing_key(folder: Path | None) -> SigningKey:
    """The folder's key, made where it has none; without a folder a key for as long as we run.

    Raises `DataFolderError`.
    """
    fresh = secrets.token_bytes(KEY_BYTES)
    if folder is None:
        return SigningKey(fresh)
    return SigningKey(base64.b64decode(own_secret(folder / FILE_NAME, _text(fresh))))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
