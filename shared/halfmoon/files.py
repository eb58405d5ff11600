"""Reading a file that a stranger may have made: whole, bounded, and never waiting for it."""

import os
import stat
from pathlib import Path

CHUNK = 1 << 20

_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


class Unreadable(Exception):
    """A file that can't be read; the message names it and says why."""


def read_file(path: Path, largest: int) -> bytes:
    """All bytes of a regular file; raises `Unreadable`, also where it has more than `largest`."""
    try:
        # Looked at before it is opened, since opening a device can do something; and again after,
        # since it may be another one by then.
        _check(path.stat(), path, largest)
        with os.fdopen(os.open(path, _FLAGS), "rb", buffering=0) as file:
            _check(os.fstat(file.fileno()), path, largest)
            content = bytearray()
            while chunk := file.read(CHUNK):
                content += chunk
                if len(content) > largest:
                    raise Unreadable(_too_large(path, largest))
    except (OSError, ValueError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else str(fault)
        raise Unreadable(f"{path} can't be read: {why}") from None
    return bytes(content)


_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def _check(status: os.stat_result, path: Path, largest: int) -> None:
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFREG:
        raise Unreadable(f"{path} is {_KINDS.get(kind, 'a device')}, not a file")
    if status.st_size > largest:
        raise Unreadable(_too_large(path, largest))


def _too_large(path: Path, largest: int) -> str:
    return f"{path} is too large: at most {largest >> 20} MiB are read"
