"""Rooms that have been gone for as many days as the operator chose are deleted; others never."""

from __future__ import annotations

import asyncio
from pathlib import Path

from halfmoon_server.eventlog.base import Batch
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_server.indexing import index_of
from halfmoon_server.rooms import events as e
from halfmoon_server.settings import Settings
from halfmoon_server.upkeep.check import check
from halfmoon_server.upkeep.keeping import DAY_MS, ROOMS_AT_ONCE, let_go
from halfmoon_testing.builders import ANN, BEGAN_AT, BEN, ROOM
from halfmoon_testing.fakes import FakeClock, FakeLog
from halfmoon_testing.rooms import finished, race
from halfmoon_testing.server import UNHURRIED, get_json, in_process


def entry(at: int) -> str:
    return f'{{"events":[{{"at":{at},"type":"room_closed"}}]}}'


async def test_all_of_them_go_however_many_there_are_and_the_day_counts() -> None:
    log, clock = FakeLog(), FakeClock()
    for number in range(ROOMS_AT_ONCE + 5):
        await log.append(Batch(f"R{number:04}", 0, [entry(BEGAN_AT)], is_last=True))
    clock.advance(7 * DAY_MS)
    assert await let_go(log, clock, 7) == 0
    clock.advance(1)
    assert await let_go(log, clock, 7) == ROOMS_AT_ONCE + 5
    assert await let_go(log, clock, 7) == 0


async def test_a_server_told_so_deletes_old_races_and_leaves_what_goes_on(tmp_path: Path) -> None:
    """The log of a closed room, its record, its results; not a room that lives, however old."""
    log = SqliteLog(tmp_path)
    closed = finished(BEN)
    closed.drop(ANN, BEN)
    closed.pass_ms(600_000)
    assert closed.room.is_closed
    for name, at in (("AAAAA", closed), ("BBBBB", race(BEN, time_limit_ms=None))):
        lines = [
            e.write_entry(one).replace(ROOM, name).replace('"r_', f'"r_{name}')
            for one in at.entries
        ]
        indexed = index_of(name, lines)
        await log.append(
            Batch(name, 0, lines, indexed.keys, is_last=at is closed, results=indexed.results)
        )
    (old,) = {one.race for one in await log.results_of_player(ANN, None, 9)}
    await log.close()
    async with in_process(Settings(data=tmp_path, limits=UNHURRIED)) as server:
        assert (await get_json(server, f"/api/races/{old}"))["race"] == old
    async with in_process(Settings(data=tmp_path, keep_days=1, limits=UNHURRIED)) as server:
        kept: SqliteLog = server.server.event_log
        async with asyncio.timeout(30):
            while await kept.read("AAAAA"):
                pass
        await get_json(server, f"/api/races/{old}", status=404)
        assert await kept.results_of_player(ANN, None, 9) == []
        assert await kept.live_rooms() == ["BBBBB"]
        assert len(await kept.read("BBBBB")) >= 4
    assert await asyncio.to_thread(check, tmp_path) == []
