"""What SQLite would drop from a write-ahead log without a word: a torn end, or more than that.

A commit is synced before the next one begins. So a crash leaves at most one commit that isn't
whole, at the end; where more of them follow a fault, something has spoilt what was durable.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

HEADER_BYTES = 32
FRAME_HEADER_BYTES = 24
MAGIC = (0x377F0682, 0x377F0683)


@dataclass(frozen=True, slots=True)
class Frame:
    """A page in the write-ahead log."""

    page: int
    is_commit: bool
    salts: bytes


@dataclass(frozen=True, slots=True)
class Wal:
    """The write-ahead log as it lies on the disk."""

    frames: tuple[Frame, ...]
    salts: bytes
    """Those of the frames that belong to it; older ones are what it has been written over."""
    frame_bytes: int
    rest_bytes: int
    """Bytes at its end that are no whole frame."""

    def dropped(self, taken: int) -> "Dropped":
        """What follows the first `taken` frames, which are all that SQLite takes."""
        following = [frame for frame in self.frames[taken:] if frame.salts == self.salts]
        return Dropped(
            at_byte=HEADER_BYTES + taken * self.frame_bytes,
            bytes=len(following) * self.frame_bytes + self.rest_bytes,
            commits=sum(frame.is_commit for frame in following),
        )


@dataclass(frozen=True, slots=True)
class Dropped:
    """What is not taken of a write-ahead log."""

    at_byte: int
    bytes: int
    commits: int
    """How many whole commits are among it, by what they say of themselves."""

    @property
    def is_damage(self) -> bool:
        """Whether it is more than the end of a commit that was never acknowledged."""
        return self.commits > 1


def wal_path(path: Path) -> Path:
    """Where the write-ahead log of this file lies."""
    return path.with_name(path.name + "-wal")


def read_wal(path: Path) -> Wal | None:
    """The write-ahead log of this file, before anybody opens it; None where there is none."""
    try:
        content = wal_path(path).read_bytes()
    except FileNotFoundError:
        return None
    page_bytes = _page_bytes(path)
    frames = tuple(_frames(content, page_bytes))
    frame_bytes = FRAME_HEADER_BYTES + page_bytes
    salts = content[16:24]
    if frames and not _is_header_sound(content):
        salts = next((frame.salts for frame in frames if frame.page), salts)
        own = {frame.page: at for at, frame in enumerate(frames) if frame.salts == salts}
        if _lie_in_file(path, content, own, page_bytes):
            return None  # it was about to be written over
    rest = (len(content) - HEADER_BYTES) % frame_bytes if len(content) > HEADER_BYTES else 0
    return Wal(frames, salts, frame_bytes, rest)


def _is_header_sound(content: bytes) -> bool:
    """Whether the header's check value fits it (SQLite's file format, §4.1 and §4.2)."""
    order = ">" if content[3] & 1 else "<"
    words = struct.unpack(f"{order}6I", content[:24])
    first = second = 0
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    is_known = int.from_bytes(content[:4], "big") in MAGIC
    return is_known and content[24:32] == struct.pack(">2I", first, second)


def _lie_in_file(path: Path, content: bytes, last: Mapping[int, int], page_bytes: int) -> bool:
    """Whether the file itself has every page as the log has it last, in the frame named.

    Older frames, behind those that belong to the log, say nothing of what the file holds now.
    """
    with path.open("rb") as file:
        for page, number in last.items():
            if page == 0:  # pages count from 1: it is no frame
                return False
            at = HEADER_BYTES + number * (FRAME_HEADER_BYTES + page_bytes) + FRAME_HEADER_BYTES
            file.seek((page - 1) * page_bytes)
            if file.read(page_bytes) != content[at : at + page_bytes]:
                return False
    return True


def _page_bytes(path: Path) -> int:
    """The size of a page, by the file's header: the log's own may be spoilt."""
    with path.open("rb") as file:
        header = file.read(18)
    size = int.from_bytes(header[16:18], "big")
    return 65536 if size == 1 else max(size, 512)


def _frames(content: bytes, page_bytes: int) -> Iterator[Frame]:
    step = FRAME_HEADER_BYTES + page_bytes
    for at in range(HEADER_BYTES, len(content) - step + 1, step):
        yield Frame(
            page=int.from_bytes(content[at : at + 4], "big"),
            is_commit=content[at + 4 : at + 8] != b"\0\0\0\0",
            salts=content[at + 8 : at + 16],
        )
