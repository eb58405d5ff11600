"""A copy of a data folder that is whole, also while its server writes to it.

The server has the file to itself, so it makes the copy: it is asked over a socket in the folder,
which only the folder's owner can reach.
"""

import asyncio
import contextlib
import json
import os
import shutil
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from pathlib import Path

import structlog

from halfmoon_server.eventlog.base import DataFolderError, LogUnavailable
from halfmoon_server.eventlog.file import FILE_NAME, sync_folder
from halfmoon_server.eventlog.sqlite import SqliteLog

log = structlog.get_logger()

SOCKET_NAME = "halfmoon.sock"
MOST_REQUEST_BYTES = 16 * 1024
HAS_SOCKETS = hasattr(socket, "AF_UNIX")
"""Not on every platform."""

CopyLog = Callable[[Path], Awaitable[None]]
"""Copies the log itself to a path where there is an empty file."""


class NotCopied(Exception):
    """Why there is no copy, in one line."""


async def copy_folder(folder: Path, place: Path, copy_log: CopyLog) -> None:
    """Copy the data folder to a place where there is nothing yet; raises `NotCopied`."""
    try:
        await asyncio.to_thread(place.mkdir, mode=0o700)
    except OSError as error:
        raise NotCopied(f"{place} can't be made: {error.strerror}") from None
    try:
        target = place / FILE_NAME
        os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        await copy_log(target)
        await asyncio.to_thread(_copy_others, folder, place)
    except (OSError, LogUnavailable) as error:
        shutil.rmtree(place, ignore_errors=True)
        raise NotCopied(f"{place} can't be written: {error}") from None


def _copy_others(folder: Path, place: Path) -> None:
    """What lies beside the log: keys of the server's own."""
    for path in folder.iterdir():
        if path.is_file() and not path.name.startswith((".", FILE_NAME)):
            shutil.copy2(path, place / path.name)
    sync_folder(place)


# The server's side


@contextlib.asynccontextmanager
async def backups_on_demand(folder: Path, copy_log: CopyLog) -> AsyncGenerator[None, None]:
    """Answer those who ask for a copy of the folder."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said = await _carried_out(await reader.readline(), folder, copy_log)
        writer.write(json.dumps(said).encode() + b"\n")
        with contextlib.suppress(OSError):
            await writer.drain()
        writer.close()

    try:
        listener = _listen(folder)
    except OSError as error:
        log.warning("backup.unavailable", error=error.strerror or str(error))
        yield
        return
    async with await asyncio.start_unix_server(answer, sock=listener, limit=MOST_REQUEST_BYTES):
        yield
    (folder / SOCKET_NAME).unlink(missing_ok=True)


async def _carried_out(line: bytes, folder: Path, copy_log: CopyLog) -> dict[str, str]:
    try:
        place = Path(json.loads(line)["to"])
        await copy_folder(folder, place, copy_log)
    except NotCopied as error:
        log.error("backup.failed", error=str(error))
        return {"error": str(error)}
    except (ValueError, LookupError, TypeError):
        return {"error": "this is no request for a copy"}
    log.info("backup.made", to=str(place))
    return {"made": str(place)}


def _listen(folder: Path) -> socket.socket:
    if not HAS_SOCKETS:
        raise OSError("there are no sockets in folders here")
    # Whoever has the log has the folder: a socket that is there was left by a killed server.
    (folder / SOCKET_NAME).unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    try:
        with _short(folder) as near:
            listener.bind(f"{near}/{SOCKET_NAME}")
        (folder / SOCKET_NAME).chmod(0o600)
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


# The side of who asks


def ask_for_copy(folder: Path, place: Path) -> bool:
    """Let the server that has the folder copy it; False where none listens.

    Raises `NotCopied`.
    """
    if not HAS_SOCKETS:
        return False
    with socket.socket(socket.AF_UNIX) as server:
        try:
            with _short(folder) as near:
                server.connect(f"{near}/{SOCKET_NAME}")
        except OSError:
            return False
        with server.makefile("rwb") as line:
            line.write(json.dumps({"to": str(place)}).encode() + b"\n")
            line.flush()
            said = line.readline()
    if not said:
        raise NotCopied("the server stopped before the copy was made")
    answer = json.loads(said)
    if "error" in answer:
        raise NotCopied(str(answer["error"]))
    return True


def copy_unused(folder: Path, place: Path) -> None:
    """Copy a folder that no server has; raises `NotCopied` and `DataFolderError`."""
    if not (folder / FILE_NAME).exists():
        raise DataFolderError(f"{folder} is no data folder: there is no {FILE_NAME} in it")

    async def copy() -> None:
        event_log = SqliteLog(folder)
        try:
            await copy_folder(folder, place, event_log.copy_to)
        finally:
            await event_log.close()

    asyncio.run(copy())


@contextlib.contextmanager
def _short(folder: Path) -> Generator[str, None, None]:
    """A name for the folder that fits into a socket's address, which holds about a hundred bytes."""
    if not Path("/proc/self/fd").is_dir():
        yield str(folder)
        return
    near = os.open(folder, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{near}"
    finally:
        os.close(near)
