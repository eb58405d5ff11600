"""Logs of whole races, and the batches in which a server writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from halfmoon_server.eventlog.base import Batch
from halfmoon_server.eventlog.tables import Tables
from halfmoon_server.indexing import index_of
from halfmoon_server.rooms import events as e
from halfmoon_testing.builders import BEN, ROOM, WINNABLE, retire
from halfmoon_testing.rooms import race
from halfmoon_testing.solver import winning_line

ROOMS = ("AAAAA", "BBBBB", "CCCCC", "DDDDD")

Logs = dict[str, list[str]]


def entries_of(room: str, moves: int, *, over: bool) -> list[str]:
    """A room's log: a race of two, with so many moves."""
    at = race(BEN, code=WINNABLE)
    at.play(BEN, winning_line()[:moves])
    if over:
        at.does(BEN, retire())
        at.does("p_ann", retire())
    lines = [e.write_entry(entry).replace(ROOM, room) for entry in at.entries]
    # Rooms of their own: no other has the same races, players or times.
    year = f"179000{1 + ROOMS.index(room)}"
    return [
        line.replace('"r_', f'"r_{room}').replace('"p_', f'"p_{room}_').replace("1790000", year)
        for line in lines
    ]


def batches(logs: Mapping[str, Sequence[str]], size: int, closed: str) -> Iterator[Batch]:
    """All entries, so many of each room at a time; the room `closed` ends with its last."""
    for start in range(0, max(map(len, logs.values())), size):
        for room, entries in logs.items():
            if not (batch := entries[start : start + size]):
                continue
            before, after = index_of(room, entries[:start]), index_of(room, entries[: start + size])
            yield Batch(
                room,
                start,
                batch,
                [key for key in after.keys if key not in before.keys],
                is_last=room == closed and start + size >= len(entries),
                results=[one for one in after.results if one not in before.results],
            )


def read_logs(tables: Tables, rooms: Sequence[str]) -> Logs:
    """What these logs hold. Raises `LogDamaged`."""
    tables.database.execute("BEGIN IMMEDIATE")
    tables.begin()
    found = {room: tables.read(room) for room in rooms}
    tables.database.execute("COMMIT")
    return found
