"""Disks under SQLite that fail, stall, or remember all that was done to them.

They lie between SQLite and the real files, in this process, for every connection that is opened
while they are there. A `RecordingDisk` knows what would be left after each single operation: all of
it, where the process is killed; what was synced and any part of the rest, where the power goes.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import apsw

Work = Literal["write", "sync", "open"]
Kind = Literal["write", "truncate", "sync", "delete", "said"]


@dataclass(frozen=True)
class Operation:
    """One thing that was done to a file, or `said`: what somebody was told by then."""

    kind: Kind
    file: str
    at: int = 0
    data: bytes = b""


Image = dict[str, bytes]
"""The files of a folder, by name."""


@dataclass
class Trace:
    """What lay in a folder at first, and everything that was done to it, in order."""

    base: Image = field(default_factory=dict[str, bytes])
    operations: list[Operation] = field(default_factory=list[Operation])

    def say(self, what: str) -> None:
        """Note that somebody has been told this by now."""
        self.operations.append(Operation("said", what))

    def said(self, upto: int) -> set[str]:
        """All that had been told before this operation."""
        return {one.file for one in self.operations[:upto] if one.kind == "said"}

    def after_kill(self, upto: int) -> Image:
        """What lies in the folder when the process is killed before this operation."""
        files = {name: bytearray(content) for name, content in self.base.items()}
        for one in self.operations[:upto]:
            _apply(files, one)
        return {name: bytes(content) for name, content in files.items()}

    def after_power_cut(self, upto: int, chance: random.Random) -> Image:
        """What the disk holds when the power goes before this operation.

        That is what was synced, and of what wasn't: nothing, all, or any part in any order; the
        last of it may be torn.
        """
        files = {name: bytearray(content) for name, content in self.base.items()}
        waiting: dict[str, list[Operation]] = {}
        for one in self.operations[:upto]:
            if one.kind in ("sync", "delete"):
                for done in waiting.pop(one.file, []):
                    _apply(files, done)
                _apply(files, one)
            elif one.kind != "said":
                waiting.setdefault(one.file, []).append(one)
        how = chance.choice(("none", "all", "some", "some", "torn", "torn"))
        for written in waiting.values():
            for one in _survivors(written, how, chance):
                _apply(files, one)
        return {name: bytes(content) for name, content in files.items()}


def _survivors(
    written: Sequence[Operation], how: str, chance: random.Random
) -> Iterator[Operation]:
    if how == "none":
        return
    kept = [one for one in written if how == "all" or chance.random() < 0.6]
    yield from kept[:-1]
    if not kept:
        return
    last = kept[-1]
    if how == "torn" and last.data:
        last = Operation(
            last.kind, last.file, last.at, last.data[: chance.randrange(len(last.data))]
        )
    yield last


def _apply(files: dict[str, bytearray], one: Operation) -> None:
    if one.kind == "delete":
        files.pop(one.file, None)
    elif one.kind == "truncate":
        del files.setdefault(one.file, bytearray())[one.at :]
    elif one.kind == "write":
        content = files.setdefault(one.file, bytearray())
        content.extend(bytes(max(0, one.at - len(content))))
        content[one.at : one.at + len(one.data)] = one.data


def lay_down(image: Image, folder: Path) -> Path:
    """Put an image into a new folder, as a server would find it."""
    folder.mkdir(mode=0o700, parents=True)
    for name, content in image.items():
        (folder / name).touch(mode=0o600)
        (folder / name).write_bytes(content)
    return folder


class _RecordedFile(apsw.VFSFile):
    """A file whose changes are noted before they are made."""

    def __init__(self, base: str, name: Any, flags: list[int], trace: Trace) -> None:
        super().__init__(base, name, flags)
        path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name)
        self._name, self._trace = path.name, trace

    def _note(self, kind: Kind, at: int = 0, data: bytes = b"") -> None:
        self._trace.operations.append(Operation(kind, self._name, at, data))

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802 - SQLite's name
        self._note("write", offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._note("truncate", newsize)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._note("sync")  # and no more: what the disk would hold is found out of the trace


class RecordingDisk(apsw.VFS):
    """A disk that keeps a trace of what is done to it."""

    def __init__(self, trace: Trace) -> None:
        self._sound = apsw.vfs_names()[0]
        self._trace = trace
        super().__init__("recording", self._sound, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> _RecordedFile:  # noqa: N802
        return _RecordedFile(self._sound, name, flags, self._trace)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self._trace.operations.append(Operation("delete", Path(filename).name))
        super().xDelete(filename, syncdir)


@contextmanager
def recording_disk(folder: Path) -> Iterator[Trace]:
    """What is done to the folder from now on; what lies in it now is taken to be durable."""
    trace = Trace({file.name: file.read_bytes() for file in folder.iterdir()})
    disk = RecordingDisk(trace)
    try:
        yield trace
    finally:
        disk.unregister()


class _FaultyFile(apsw.VFSFile):
    """A file whose writes and syncs fail, or wait, when they are told to."""

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        FaultyDisk.check("write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        FaultyDisk.check("sync")
        super().xSync(flags)


class FaultyDisk(apsw.VFS):
    """A disk under SQLite that fails at one kind of work, always or now and then."""

    failing: Work | None = None
    chance: random.Random | None = None
    """Where it is given, one of three works of the kind fails."""
    stalled = threading.Event()
    """Cleared, it holds every sync up until it is set."""
    stalled.set()

    def __init__(self) -> None:
        self._sound = apsw.vfs_names()[0]
        super().__init__("faulty", self._sound, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> _FaultyFile:  # noqa: N802
        self.check("open")
        return _FaultyFile(self._sound, name, flags)

    @classmethod
    def check(cls, work: Work) -> None:
        if work == "sync":
            cls.stalled.wait()
        if cls.failing != work or (cls.chance is not None and cls.chance.random() > 0.3):
            return
        raise apsw.FullError if work == "write" else apsw.IOError


@contextmanager
def faulty_disk() -> Iterator[type[FaultyDisk]]:
    """A disk that works until it is told to fail."""
    disk = FaultyDisk()
    try:
        yield FaultyDisk
    finally:
        FaultyDisk.failing = FaultyDisk.chance = None
        FaultyDisk.stalled.set()
        disk.unregister()
