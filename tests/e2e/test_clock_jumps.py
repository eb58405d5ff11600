"""Somebody sets the server's clock in the middle of a race or a tournament, and nothing comes of it (P12)."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from halfmoon_testing.driver import Driver, drivers, line_up, start_race
from halfmoon_testing.organiser import KEY, Organiser, pairs_on
from halfmoon_testing.server import ServerProcess, server_process
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.tables import table
from halfmoon_testing.wsraw import Raw

LIBRARIES = [*Path("/usr/lib").glob("*/faketime/libfaketime.so.1")]
LONG = bool(os.environ.get("HALFMOON_LONG"))
HOUR_S = 3600
LID_S = 0.5
FIELDS = ("rank", "entrant", "points", "wins", "best", "time_ms")


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


async def shut_the_lid(server: ServerProcess) -> None:
    """Stop the process as it stands, and let it go on after a while."""
    os.kill(server.pid, signal.SIGSTOP)
    await asyncio.sleep(LID_S)
    os.kill(server.pid, signal.SIGCONT)


@pytest.mark.skipif(not LONG, reason="a server under libfaketime is slow: HALFMOON_LONG=1")
@pytest.mark.skipif(not LIBRARIES, reason="libfaketime isn't installed (Debian: faketime)")
async def test_rounds_end_and_follow_whatever_the_clock_is_set_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is set in mid-round and in the break, and in every round the laptop's lid is shut."""
    offset = tmp_path / "offset"
    offset.write_text("+0")
    monkeypatch.setenv("HALFMOON_ORGANISER_KEY", KEY)
    monkeypatch.setenv("FAKETIME_TIMESTAMP_FILE", str(offset))
    monkeypatch.setenv("FAKETIME_NO_CACHE", "1")
    monkeypatch.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
    monkeypatch.setenv("LD_PRELOAD", str(LIBRARIES[0]))
    async with server_process(tmp_path / "data") as server, Organiser(server) as organiser:
        monkeypatch.delenv("LD_PRELOAD")
        race = {"time_limit_ms": 600_000, "countdown_ms": 0}
        await organiser.make("series", rounds=2, race=race)
        players = [await Driver.enter(server.ws, name) for name in ("Ann", "Ben")]
        async with drivers(*players):
            for player in players:
                await player.done("enter", tournament=organiser.tournament)
            await organiser.post("/automatic", {"break_ms": 500}, status=200)
            await organiser.draw()
            for number, in_round in enumerate(("+3600", "-3600"), start=1):
                boards = [await board_of_round(player, number) for player in players]
                before = await wall_clock_of(server)
                offset.write_text(in_round)
                # The negative control: the process itself does believe it.
                assert abs(await wall_clock_of(server) - before) > HOUR_S / 2
                await shut_the_lid(server)
                for player, board in zip(players, boards, strict=True):
                    await player.done("move", turn=0, spots=pairs_on(board)[0])
                    await player.done("retire")
                for player in players:
                    await player.until("over", room=player.room)
                offset.write_text("+0")
            state = await organiser.until("over")
            told = (await organiser.get("/standings"))["rows"]
            rows = [{field: row[field] for field in FIELDS} for row in told]
            assert rows == [{field: row[field] for field in FIELDS} for row in table(state)]
            lines = [line for heat in state["heats"] for line in heat["results"]]
            assert [line["best"] for line in lines] == [10] * 4
            # The time under the lid counts for all; of the hour that was set there is nothing.
            assert all(LID_S * 1000 <= line["time_ms"] < 600_000 for line in lines)
            moments = [line["at"] for line in (await organiser.get("/log"))["log"]]
            assert moments == sorted(moments)
            assert moments[-1] - moments[0] < 600_000


async def board_of_round(player: Driver, number: int) -> dict[str, Any]:
    """The board on which a round's heat begins, once one was led into it."""
    drawn = await player.until("round", round=number)
    player.room = drawn["room"]
    board: dict[str, Any] = (await player.until("board", room=player.room))["board"]
    return board
