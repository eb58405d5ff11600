"""Players who race on whatever happens to the server, and know what they were answered.

Each makes moves and takes them back for as long as it is let, has one command under way at most,
and comes back after every loss of its connection. There it sees whether the server's board is the
one that its answers led to, and sends again by the same id what it got no answer to.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from copy import deepcopy
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from halfmoon_testing.driver import Closed, Driver, Message, line_up, start_race
from halfmoon_testing.oracle import OracleBoard
from halfmoon_testing.server import Address
from halfmoon_testing.solver import WINNABLE_CODE, winning_line

LINE = winning_line()
MOST_MOVES = 40
"""Of 48: nobody wins, so that the race goes on."""
AWAY = (Closed, ConnectionClosed, ConnectionError, InvalidHandshake, TimeoutError)


class Racer:
    """One who races on."""

    def __init__(self, driver: Driver, seed: str) -> None:
        self.driver = driver
        self.board = OracleBoard.of_code(WINNABLE_CODE)
        self.owed: Message | None = None
        """The command that was sent and not answered."""
        self.times = 0
        """How often it has come back."""
        self.was_done = False
        """Whether the server had carried out what was owed when this racer last came back."""
        self.answers = 0
        self.close_codes: list[int | None] = []
        self.pause_s = 0.0
        """Between an answer and the next command."""
        self._chance = random.Random(seed)

    async def play(self) -> None:
        """Act until the connection is lost."""
        with contextlib.suppress(*AWAY):
            while True:
                await self.act()
                await asyncio.sleep(self.pause_s)
        self.close_codes.append((await self.driver.closed())[0])

    async def act(self) -> None:
        """One more action, which has to be carried out, or raises that the connection is lost."""
        depth = self.board.moves
        is_undo = depth > 0 and (depth >= MOST_MOVES or self._chance.random() < 0.3)
        fields: dict[str, Any] = {} if is_undo else {"spots": LINE[depth]}
        kind = "undo" if is_undo else "move"
        command = self.driver.command(kind, turn=self.board.turn, **fields)
        self.owed = command
        await self._settle(command)

    async def _settle(self, command: Message) -> None:
        """Send a command, wait for its answer, and do the same on the own board."""
        await self.driver.say(command)
        answer = await self.driver.answer_to(command["id"])
        assert answer["type"] in ("moved", "undone"), answer
        _carry_out(self.board, command)
        assert answer["turn"] == self.board.turn, answer
        assert answer["score"] == self.board.score, answer
        self.answers += 1
        self.owed = None

    async def come_back(self, at: Address) -> None:
        """On a new connection; the board is as it was answered, and what is owed comes once."""
        self.times += 1
        gone = self.driver
        with contextlib.suppress(*AWAY):
            await gone.close()
        self.driver = await Driver.enter(at.ws, token=gone.token, ids=f"{self.times}.")
        self.driver.room = gone.room
        assert self.driver.player == gone.player
        self.check((await self.driver.done("join_room"))["you"]["board"])
        if self.owed is not None:
            await self._settle(self.owed)

    def check(self, seen: Message) -> None:
        """The board is the one of all answers, or has the one command more that is owed."""
        self.was_done = self.owed is not None and seen["turn"] == self.board.turn + 1
        expected = deepcopy(self.board)
        if self.was_done and self.owed is not None:
            _carry_out(expected, self.owed)
        assert seen["turn"] == expected.turn, f"{seen['turn']} actions, {self.board.turn} answered"
        assert [pile["count"] for pile in seen["piles"]] == expected.counts()
        assert (seen["score"], seen["moves"]) == (expected.score, expected.moves)


def _carry_out(board: OracleBoard, command: Message) -> None:
    if command["type"] == "move":
        board.play(command["spots"])
    else:
        board.undo()


async def racing(at: Address, rooms: int, players: int) -> list[Racer]:
    """So many rooms of so many players, all racing on one deal without an end."""
    racers: list[Racer] = []
    for room in range(rooms):
        names = [f"R{room} P{player}" for player in range(players)]
        drivers = await line_up(
            at.ws, names, code=WINNABLE_CODE, countdown_ms=0, time_limit_ms=None
        )
        await start_race(drivers)
        racers += [Racer(driver, driver.room + str(n)) for n, driver in enumerate(drivers)]
    return racers


async def all_back(racers: list[Racer], at: Address) -> None:
    """Everybody comes back, at the same time."""
    await asyncio.gather(*(racer.come_back(at) for racer in racers))


async def leave(racers: list[Racer]) -> None:
    """Everybody goes."""
    for racer in racers:
        with contextlib.suppress(*AWAY):
            await racer.driver.close()
