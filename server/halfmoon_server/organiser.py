"""The organiser key: who has it runs the tournaments (Contract §8)."""

import contextlib
import hashlib
import hmac
import os
import secrets
from pathlib import Path

from halfmoon_server.eventlog.base import DataFolderError
from halfmoon_server.eventlog.file import keep_to_oneself

VARIABLE = "HALFMOON_ORGANISER_KEY"
FILE_NAME = "organiser.key"
KEY_BYTES = 24


class OrganiserKey:
    """The key, and whether a text is it."""

    def __init__(self, key: str) -> None:
        self.key = key
        self._hash = _hash(key)

    def fits(self, text: str) -> bool:
        """Whether this is the key; the time that it takes says nothing about one nearly right."""
        return hmac.compare_digest(self._hash, _hash(text))


def organiser_key(chosen: str | None, folder: Path | None) -> OrganiserKey:
    """The key that the operator chose, or the folder's own, made where it has none yet.

    So the link stays good over restarts. Raises `DataFolderError`.
    """
    if chosen:
        return OrganiserKey(chosen)
    if folder is None:
        return OrganiserKey(secrets.token_urlsafe(KEY_BYTES))
    return OrganiserKey(own_secret(folder / FILE_NAME, secrets.token_urlsafe(KEY_BYTES)))


def own_secret(path: Path, fresh: str) -> str:
    """What a secret file of the data folder holds; `fresh` is put there where there is none.

    Only the server's user can read it. Raises `DataFolderError`.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(
                os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w"
            ) as file:
                file.write(fresh + "\n")
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        keep_to_oneself(path)
        text = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise DataFolderError(f"{path} can't be used: {why}") from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    if not text:
        raise DataFolderError(f"{path} is empty: remove it, and a new one is made")
    return text


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogateescape")).digest()
