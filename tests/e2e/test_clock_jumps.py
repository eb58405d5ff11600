"""Somebody sets the server's clock in the middle of a race, and nothing comes of it (P12)."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from halfmoon_testing.driver import Driver, drivers, line_up, start_race
from halfmoon_testing.server import ServerProcess, server_process
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.wsraw import Raw

LIBRARIES = [*Path("/usr/lib").glob("*/faketime/libfaketime.so.1")]
HOUR_S = 3600


async def wall_clock_of(server: ServerProcess) -> float:
    """What the process takes for the time, in Unix seconds: it stands in its log."""
    before = len(server.log_lines())
    async with await Raw.open(server.port) as raw:
        await raw.upgrade({"Origin": "https://elsewhere.example"})
        await raw.end()
    (line,) = server.log_lines()[before:]
    return dt.datetime.fromisoformat(line["timestamp"].replace("Z", "+00:00")).timestamp()


@pytest.mark.skipif(not LIBRARIES, reason="libfaketime isn't installed (Debian: faketime)")
async def test_a_clock_that_is_set_back_and_forth_moves_no_time_of_a_race(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offset = tmp_path / "offset"
    offset.write_text("+0")
    monkeypatch.setenv("FAKETIME_TIMESTAMP_FILE", str(offset))
    monkeypatch.setenv("FAKETIME_NO_CACHE", "1")
    monkeypatch.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
    monkeypatch.setenv("LD_PRELOAD", str(LIBRARIES[0]))
    async with server_process(tmp_path / "data") as server:
        monkeypatch.delenv("LD_PRELOAD")
        options = {"code": WINNABLE_CODE, "countdown_ms": 0, "time_limit_ms": 600_000}
        players = await line_up(server.ws, ["Ann", "Ben"], **options)
        async with drivers(*players):
            await start_race(players)
            began = await wall_clock_of(server)
            told = []
            for turn, jump in enumerate(("-3600", "+3600", "+0")):
                offset.write_text(jump)
                # The negative control: the process itself does believe it.
                assert abs(await wall_clock_of(server) - began - int(jump)) < HOUR_S / 2
                told.append(await play(players[0], turn))
            assert told == sorted(told)
            assert told[-1] < 600_000
            for player in players:
                await player.done("retire")
            over = [await player.until("over") for player in players]
            assert over[0]["standings"][0]["time_ms"] == told[-1]
            await players[0].quiet()
            assert [len(player.of("over")) for player in players] == [1, 1]


async def play(player: Driver, turn: int) -> int:
    """The time at which a move was made, as its answer has it."""
    return int((await player.move(turn, winning_line()[turn]))["at_ms"])
