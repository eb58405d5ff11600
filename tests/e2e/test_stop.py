"""Servers that stop, and servers that can't start: what is owed is sent, and one line says why."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sqlite3
import sys
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from halfmoon_testing.driver import Closed, Driver, drivers, line_up, start_race
from halfmoon_testing.server import NotStarted, ServerProcess, get_json, server_process
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.wsraw import CLOSE, Raw, text

LINE = winning_line()


# Stopping


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
async def test_a_server_that_stops_sends_what_it_owes_and_closes_with_1012(
    folder: Path, number: signal.Signals
) -> None:
    """P17, B77: with moves in flight, an idle connection, half a request and one who is mute."""
    async with server_process(folder) as server:
        ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
        await start_race([ann, bob])
        idle = await Driver.enter(server.ws, "Idle")
        async with (
            await Raw.open(server.port) as half,
            await Raw.upgraded(server.port) as silent,
            await Raw.upgraded(server.port) as mute,
        ):
            half.send(b"GET / HTTP/1.1\r\nHost: x\r\n")
            await mute.ask({"type": "hello", "name": "Mute"})
            moves = [ann.command("move", turn=turn, spots=LINE[turn]) for turn in range(12)]
            await ann.say(*moves)
            await ann.answer_to(moves[0]["id"])
            assert await server.end_by(number) == 0
            for driver in (ann, bob, idle):
                assert (await driver.closed())[0] == 1012
            for raw in (silent, mute):
                assert (await raw.until(CLOSE)).code == 1012
        answers = len(ann.of("moved"))
        assert answers >= 1
        await server.start()
        again = await Driver.enter(server.ws, token=ann.token)
        async with drivers(again):
            board = (await again.join(ann.room))["you"]["board"]
            assert board["turn"] == answers  # what was done was answered, and the other way round


async def test_a_stop_under_load_answers_all_that_it_carries_out(folder: Path) -> None:
    """P17: rooms end one by one while their people go on asking."""
    async with server_process(folder) as server:
        players = [(await line_up(server.ws, [name], code=WINNABLE_CODE))[0] for name in "ABCDEF"]
        for player in players:
            await player.done("set_options", options={"countdown_ms": 0, "time_limit_ms": None})
            await start_race([player])

        async def play(player: Driver) -> None:
            with contextlib.suppress(Closed, ConnectionClosed):
                for turn in range(15):
                    kind = "undo" if turn % 2 else "move"
                    fields = {} if turn % 2 else {"spots": LINE[0]}
                    await player.say(player.command(kind, turn=turn, **fields))
                    await asyncio.sleep(0.001)

        playing = [asyncio.create_task(play(player)) for player in players]
        await players[0].until("moved")
        assert await server.terminate() == 0
        await asyncio.gather(*playing)
        assert not [word for word in ("destroyed", "never") if word in server.log()]
        await server.start()
        for gone in players:
            assert (await gone.closed())[0] == 1012
            done = len(gone.of("moved")) + len(gone.of("undone"))
            again = await Driver.enter(server.ws, token=gone.token)
            async with drivers(again):
                assert (await again.join(gone.room))["you"]["board"]["turn"] == done


async def test_a_stop_while_rooms_are_brought_back_is_clean(folder: Path) -> None:
    async with server_process(folder) as server:
        ann = await Driver.enter(server.ws, "Ann")
        rooms = [(await ann.create())["room"] for _ in range(60)]
        await server.restart()
        assert await server.terminate() == 0
        assert server.log() == ""
        await server.start()
        again = await Driver.enter(server.ws, token=ann.token)
        async with drivers(again):
            for room in rooms[::20]:
                assert (await again.join(room))["host"] == ann.player
        await ann.close()


async def test_the_port_is_free_at_once_for_the_next(folder: Path) -> None:
    async with server_process(folder) as first:
        ann = await Driver.enter(first.ws, "Ann")
        await first.terminate()
        await ann.close()
        async with server_process(folder, port=first.port) as second:
            assert second.port == first.port
            again = await Driver.enter(second.ws, token=ann.token)
            assert again.player == ann.player
            await second.kill()
            await again.close()
            await second.start()
            assert (await get_json(second, "/healthz")) == {"status": "ok"}


# Folders and ports that can't be used


async def fails(folder: Path, *options: str, port: int = 0) -> str:
    """Start a server that can't; its one line."""
    server = ServerProcess(folder, *options, port=port)
    try:
        with pytest.raises(NotStarted) as caught:
            await server.start()
    finally:
        await server.clean_up()
    assert caught.value.status == 1, caught.value.output
    assert caught.value.output.count("\n") == 1, caught.value.output
    assert "Traceback" not in caught.value.output
    return caught.value.output


async def test_a_data_folder_serves_one_server(folder: Path) -> None:
    """P18, X42: also while the first one is asleep; and the first one doesn't mind."""
    async with server_process(folder) as server:
        ann = await Driver.enter(server.ws, "Ann")
        async with drivers(ann):
            assert "in use" in await fails(folder)
            os.kill(server.pid, signal.SIGSTOP)
            try:
                assert "in use" in await fails(folder)
            finally:
                os.kill(server.pid, signal.SIGCONT)
            await ann.create()


async def test_a_port_in_use_is_one_line(folder: Path) -> None:
    async with server_process(folder) as server:
        line = await fails(folder.with_name("other"), port=server.port)
        assert str(server.port) in line


async def test_a_folder_that_cannot_be_used_is_one_line(tmp_path: Path) -> None:
    """X42."""
    file = tmp_path / "file"
    file.write_text("no folder")
    assert "file" in await fails(file)
    assert "file" in await fails(file / "below")
    (tmp_path / "dir" / "halfmoon.sqlite3").mkdir(parents=True)
    await fails(tmp_path / "dir")
    await fails(Path("/proc/self/nothing"))


async def test_a_log_that_is_none_is_one_line(folder: Path) -> None:
    """X42: another file, a torn one, one of a newer version; the log stays as it is."""
    async with server_process(folder) as server:
        ann = await Driver.enter(server.ws, "Ann")
        await ann.create()
        await server.terminate()
        await ann.close()
    file = folder / "halfmoon.sqlite3"
    good = file.read_bytes()
    database = sqlite3.connect(file)
    database.execute("PRAGMA user_version = 99")
    database.close()
    assert "newer" in await fails(folder)
    for bad in (b"no database" * 1000, good[:1000], b"\x00" * len(good)):
        file.write_bytes(bad)
        await fails(folder)
        assert file.read_bytes() == bad
    file.write_bytes(good)
    async with server_process(folder) as server:
        again = await Driver.enter(server.ws, token=ann.token)
        async with drivers(again):
            assert (await again.join(ann.room))["host"] == ann.player


async def test_the_data_is_for_its_owner_alone(folder: Path) -> None:
    """The log holds the codes of running races."""
    async with server_process(folder) as server:
        ann = await Driver.enter(server.ws, "Ann")
        async with drivers(ann):
            await ann.create()
            with os.scandir(folder) as files:
                modes = {file.name: file.stat().st_mode & 0o077 for file in files}
            assert modes
            assert set(modes.values()) == {0}, modes
            assert os.stat(folder).st_mode & 0o077 == 0  # noqa: PTH116 - as of each file


def readable_for_others(folder: Path) -> dict[str, bool]:
    return {file.name: bool(file.stat().st_mode & 0o077) for file in folder.iterdir()}


def core_dump_bytes(pid: int) -> str:
    """How large a core dump of the process may be, as the kernel says it."""
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()
    return next(line for line in lines if "core file" in line).split()[4]


async def test_files_that_others_could_read_are_shut_at_the_start(folder: Path) -> None:
    """As after a copy was put back; and the process leaves no core dump behind."""
    async with server_process(folder) as server:
        await server.terminate()
        with os.scandir(folder) as files:
            for file in files:
                os.chmod(file, 0o644)  # noqa: PTH101 - as of each file
        assert all(readable_for_others(folder).values())
        await server.start()
        assert not any(readable_for_others(folder).values())
        if sys.platform == "linux":
            assert core_dump_bytes(server.pid) == "0"


async def test_a_command_before_hello_in_the_same_segment_as_the_stop_harms_nobody(
    folder: Path,
) -> None:
    async with server_process(folder) as server, await Raw.upgraded(server.port) as raw:
        raw.send(text({"type": "hello", "name": "Ann"}) + text({"type": "create_room"}) * 10)
        assert await server.terminate() == 0
