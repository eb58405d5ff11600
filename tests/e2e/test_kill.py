"""Servers that are killed and started again: nothing answered is lost, nothing comes twice."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from halfmoon_testing import oracle
from halfmoon_testing.driver import Closed, Driver, Message, drivers, line_up, start_race
from halfmoon_testing.oracle import OracleBoard
from halfmoon_testing.server import ServerProcess, get_json, server_process
from halfmoon_testing.solver import WINNABLE_CODE, winning_line

LINE = winning_line()
LONG = bool(os.environ.get("HALFMOON_LONG"))


class Story:
    """A scripted race of two, told step by step, and what must be true after each."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.boards = [OracleBoard.of_code(WINNABLE_CODE) for _ in range(2)]
        self.players: list[Driver] = []
        self.expected: Message = {"state": "lobby"}
        self.times = 0

    async def begin(self) -> None:
        self.players = [await Driver.enter(self.server.ws, name) for name in ("Ann", "Bob")]

    def steps(self, moves: int) -> list[Callable[[], Awaitable[None]]]:
        """Every step ends with an answer that was received."""
        racing: list[Callable[[], Awaitable[None]]] = []
        for place in range(moves):
            racing.append(partial(self.act, 0, LINE[place]))
            if place % 3 == 1:
                racing.append(partial(self.act, 1, LINE[place // 3]))
                racing.append(partial(self.act, 0, []))
                racing.append(partial(self.act, 0, LINE[place]))
        options = {"countdown_ms": 0, "time_limit_ms": None}
        anew = {"state": "lobby", "status": ["waiting"] * 2, "ready": [False] * 2}
        over = {"state": "over", "status": ["retired"] * 2}
        return [
            self.create,
            self.join,
            partial(self.do, 0, "set_options", {}, options=options),
            partial(self.do, 0, "set_ready", {"ready": [True, False]}, ready=True),
            partial(self.do, 1, "set_ready", {"ready": [True, True]}, ready=True),
            self.start,
            *racing,
            partial(self.do, 1, "retire", {"status": ["racing", "retired"]}),
            partial(self.do, 0, "retire", over),
            partial(self.do, 0, "rematch", anew),
        ]

    async def create(self) -> None:
        await self.players[0].create(code=WINNABLE_CODE)

    async def join(self) -> None:
        await self.players[1].join(self.players[0].room)

    async def do(self, who: int, kind: str, expected: Message, **fields: Any) -> None:
        await self.players[who].done(kind, **fields)
        self.expected.update(expected)

    async def start(self) -> None:
        self.expected["state"] = "racing"
        await self.players[0].done("start")
        for player in self.players:
            await player.until("board")

    async def act(self, who: int, spots: list[str]) -> None:
        """A move, or with no spots an undo."""
        board = self.boards[who]
        turn = board.turn
        if spots:
            board.play(spots)
            await self.players[who].move(turn, spots)
        else:
            board.undo()
            await self.players[who].done("undo", turn=turn)

    async def kill_and_come_back(self) -> None:
        await self.server.restart()
        await self.come_back()

    async def come_back(self) -> None:
        """Both on new connections, hello and join_room in one write; everything is as it was."""
        self.times += 1
        for place, gone in enumerate(self.players):
            driver = await Driver.open(self.server.ws, ids=f"{self.times}.")
            driver.room, driver.token, driver.player = gone.room, gone.token, gone.player
            await gone.close()
            self.players[place] = driver
            assert (await driver.hello(token=gone.token))["player"] == gone.player
            if gone.room:
                self.check(place, await driver.done("join_room"))

    def check(self, place: int, room: Message) -> None:
        for key, value in self.expected.items():
            if key in ("ready", "status"):
                lines = [line[key] for line in room["players"]]
                assert lines == value[: len(lines)], (key, room)
            else:
                assert room[key] == value, room
        if self.expected["state"] != "lobby":
            board, seen = self.boards[place], room["you"]["board"]
            assert [pile["count"] for pile in seen["piles"]] == board.counts()
            assert seen["turn"] == board.turn
            assert seen["score"] == board.score
            assert {str(n): p["top"] for n, p in enumerate(seen["piles"], 1) if p["top"]} == {
                spot: card for spot, card in board.exposed().items() if spot[0] != "R"
            }


async def test_kill_9_between_any_two_steps_of_a_race(folder: Path) -> None:
    """X35, B60: the server dies after a step, with time after each; now and then again at its start."""
    async with server_process(folder) as server:
        story = Story(server)
        await story.begin()
        chance = random.Random(9)
        for number, step in enumerate(story.steps(40 if LONG else 3)):
            await step()
            if number % 2 and not LONG:
                continue
            if number % 5 == 4:  # twice: in the middle of recovery
                await server.kill()
                starting = asyncio.create_task(server.start())
                await asyncio.sleep(chance.random() * 0.3)
                starting.cancel()
                await asyncio.gather(starting, return_exceptions=True)
            await story.kill_and_come_back()
        async with drivers(*story.players):
            assert len((await story.players[0].done("join_room"))["players"]) == 2


async def test_kill_9_under_way_leaves_each_command_done_once_or_not_at_all(folder: Path) -> None:
    """Killed with commands in flight; all sent again by their ids come out as if once."""
    async with server_process(folder) as server:
        ann, bob = await line_up(
            server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0, time_limit_ms=None
        )
        await start_race([ann, bob])
        done = 0
        answered: dict[str, Message] = {}
        for number in range(40 if LONG else 3):
            commands = [
                ann.command("move", turn=done + place, spots=LINE[done + place])
                for place in range(4)
            ]
            await ann.say(*commands)
            if number % 2:
                await ann.answer_to(commands[number % 4]["id"])
            await server.kill()
            await ann.closed()
            answered.update({m["re"]: m for m in ann.of("moved")})
            await server.start()
            room, token = ann.room, ann.token
            ann = await Driver.enter(server.ws, token=token, ids=f"{number}.")
            ann.room = room
            await ann.done("join_room")
            await ann.say(*commands)
            for place, command in enumerate(commands):
                answer = await ann.answer_to(command["id"])
                assert answer["turn"] == done + place + 1
                assert answered.get(command["id"], answer) == answer
            done += 4
            if done + 4 > 40:
                break
        assert (await ann.done("join_room"))["you"]["board"]["turn"] == done
        async with drivers(ann):
            await bob.close()


async def test_a_restart_in_the_countdown_starts_the_race_when_it_was_due(folder: Path) -> None:
    """B60: and those who come back within the countdown see the same time."""
    async with server_process(folder) as server:
        (ann,) = await line_up(server.ws, ["Ann"], code=WINNABLE_CODE, countdown_ms=4000)
        await ann.done("start")
        starts_at = (await ann.until("countdown"))["starts_at"]
        await server.restart()
        again = await Driver.enter(server.ws, token=ann.token)
        async with drivers(again):
            room = await again.join(ann.room)
            if room["state"] == "countdown":
                assert room["starts_at"] == starts_at
                started = await again.until("started")
            else:  # the restart took longer than the countdown
                started = room
            assert started["starts_at"] >= starts_at
            assert started["starts_at"] == starts_at or room["state"] == "racing"
            assert (await again.move(0, LINE[0]))["turn"] == 1
        await ann.close()


async def test_a_countdown_that_ended_while_the_server_was_down_ends_at_once(folder: Path) -> None:
    async with server_process(folder) as server:
        (ann,) = await line_up(server.ws, ["Ann"], code=WINNABLE_CODE, countdown_ms=1000)
        await ann.done("start")
        due_at = (await ann.until("countdown"))["starts_at"]
        await server.kill()
        await ann.close()
        await asyncio.sleep(max(0, due_at + 100 - time.time() * 1000) / 1000)
        again_at = time.time() * 1000
        await server.start()
        again = await Driver.enter(server.ws, token=ann.token)
        async with drivers(again):
            room = await again.join(ann.room)
            assert room["state"] == "racing"
            assert room["starts_at"] >= again_at - 50  # nobody loses time
            assert room["ends_at"] - room["starts_at"] == 900_000


async def test_a_race_goes_on_by_the_clock_while_the_server_is_down(folder: Path) -> None:
    async with server_process(folder) as server:
        ann, bob = await line_up(
            server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0, time_limit_ms=2000
        )
        await start_race([ann, bob])
        moved = await ann.move(0, LINE[0])
        ends_at = ann.of("started")[0]["ends_at"]
        await server.kill()
        await ann.close()
        await bob.close()
        await asyncio.sleep(max(0, ends_at + 100 - time.time() * 1000) / 1000)
        await server.start()
        again = await Driver.enter(server.ws, token=ann.token)
        async with drivers(again):
            room = await again.join(ann.room)
            assert room["state"] == "over"
            first, second = room["standings"]
            assert (first["player"], first["time_ms"]) == (ann.player, moved["at_ms"])
            assert (first["status"], second["status"]) == ("timed_out", "timed_out")
            record = await get_json(server, f"/api/races/{room['race']}")
            assert record["over_at"] == ends_at
            assert oracle.record_holds(record)


async def test_after_a_kill_everybody_who_was_there_is_offline_and_comes_back(
    folder: Path,
) -> None:
    """No ghosts out of the log: who doesn't come back isn't there."""
    async with server_process(folder) as server:
        ann, bob = await line_up(server.ws, ["Ann", "Bob"])
        await server.restart()
        again = await Driver.enter(server.ws, token=ann.token)
        async with drivers(again):
            room = await again.join(ann.room)
            assert [line["online"] for line in room["players"]] == [True, False]
            with pytest.raises(Closed):
                await bob.until("over")
        await ann.close()
        await bob.close()
