"""A race of one over a line that is cut at a given byte, and what must be true afterwards (P04).

`Story` plays hello, join_room, moves and undos, several under way at a time, until the line ends;
comes back on another; says again, under the same ids, what was not answered and the last that was;
and holds every answer and the board against the oracle's.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from halfmoon_testing.oracle import OracleBoard, Places
from halfmoon_testing.proxy import End, Proxy, Way
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.wsraw import TEXT, Raw, text

Message = dict[str, Any]

UNDER_WAY = 4
"""So many commands are said before the first of them has to be answered."""
SAID_AGAIN = 4
"""So many of the answered commands are said again too."""
GONE = (ConnectionError, asyncio.IncompleteReadError)
"""What a line that ended makes of reading."""


@dataclass(frozen=True)
class Cut:
    """Where and how a line ends."""

    way: str
    """`up` or `down`."""
    at: int | None
    """After so many bytes; None: it doesn't end."""
    end: End

    def ways(self) -> tuple[Way, Way]:
        cut = Way(end_at=self.at, end=self.end)
        return (cut, Way()) if self.way == "up" else (Way(), cut)


@dataclass
class Line:
    """The commands of a race, and what the oracle makes of each."""

    commands: list[Message] = field(default_factory=list)
    expected: list[Message] = field(default_factory=list)
    """The fields of each answer that don't depend on time."""
    boards: list[Message] = field(default_factory=list)
    """What the board shows before the first command, and after each."""


def to_and_fro(count: int) -> Line:
    """So many moves of a winning line, every fourth command taking one back."""
    board, line, moves = OracleBoard.of_code(WINNABLE_CODE), Line(), winning_line()
    line.boards.append(shown(board))
    for number in range(count):
        command: Message = {"id": f"a{number}", "turn": board.turn}
        if number % 4 == 3:
            command["type"] = "undo"
            restored = board.undo()
            answer: Message = {"type": "undone", "restored": dict(restored)}
        else:
            spots = moves[board.moves]
            command |= {"type": "move", "spots": spots}
            answer = {"type": "moved"} | removed_and_revealed(board.play(spots), board)
        answer |= {"re": command["id"], "turn": board.turn, "score": board.score}
        line.commands.append(command)
        line.expected.append(answer | {"moves": board.moves, "status": board.status()})
        line.boards.append(shown(board))
    return line


def removed_and_revealed(removed: Places, board: OracleBoard) -> Message:
    """What `moved` says of the cards, after the move was made on the board."""
    exposed = board.exposed()
    return {
        "removed": [card for _, card in removed],
        "revealed": {spot: exposed.get(spot) for spot, _ in removed},
    }


def shown(board: OracleBoard) -> Message:
    """The board as its player is shown it."""
    piles = [{"top": pile[-1] if pile else None, "count": len(pile)} for pile in board.piles]
    return {
        "turn": board.turn,
        "piles": piles,
        "reserve": list(board.reserve),
        "score": board.score,
        "moves": board.moves,
        "status": board.status(),
        "can_undo": board.can_undo(),
    }


class Story:
    """One race over lines that end."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.room = ""
        self.token = ""
        self.said = 0
        """How many of the commands were sent at least once."""
        self.answers: dict[str, str] = {}
        """The first answer to each id, as it came."""
        self._raw: Raw | None = None

    async def begin(self, port: int) -> None:
        """Let the race start."""
        async with await Raw.upgraded(port) as raw:
            self.token = (await raw.ask({"type": "hello", "name": "Ann"}))["token"]
            options = {"code": WINNABLE_CODE, "countdown_ms": 0, "time_limit_ms": None}
            self.room = (await raw.ask({"type": "create_room", "options": options}))["room"]
            here = {"room": self.room}
            raw.send(text({"type": "set_ready", "ready": True, **here}))
            raw.send(text({"type": "start", **here}))
            while (await raw.message())["type"] != "board":
                continue

    async def play(self, port: int) -> bool:
        """Play until everything is answered; False where the line ended before."""
        try:
            async with await Raw.open(port) as raw:
                self._raw = raw
                await raw.upgrade()
                await self._come_in(raw)
                for count, command in enumerate(self.line.commands, start=1):
                    self.said = max(self.said, count)
                    raw.send(text({**command, "room": self.room}))
                    while count - len(self.answers) >= UNDER_WAY:
                        await self._hear(raw)
                while len(self.answers) < len(self.line.commands):
                    await self._hear(raw)
        except GONE:
            return False
        return True

    async def play_until_cut(self, proxy: Proxy, cut: Cut) -> bool:
        """Play through the proxy; whether the line was cut before everything was said."""
        proxy.up, proxy.down = cut.ways()
        proxy.ended.clear()
        port = int(proxy.url.rpartition(":")[2])
        playing = asyncio.create_task(self.play(port))
        ended = asyncio.create_task(proxy.ended.wait())
        await asyncio.wait([playing, ended], return_when=asyncio.FIRST_COMPLETED)
        if cut.end == "hang" and self._raw is not None:
            self._raw.writer.transport.abort()  # nobody was told: who has waited long gives up
        await playing
        ended.cancel()
        return proxy.ended.is_set()

    async def come_back(self, port: int) -> None:
        """All that was said is said again on a new line, and comes out as if said once."""
        done = len(self.answers)
        async with await Raw.upgraded(port) as raw:
            board = (await self._come_in(raw))["you"]["board"]
            assert done <= board["turn"] <= self.said, (done, board["turn"], self.said)
            assert board == self.line.boards[board["turn"]]
            again = self.line.commands[max(0, done - SAID_AGAIN) : self.said]
            raw.send(*(text({**command, "room": self.room}) for command in again))
            owed = {command["id"] for command in again}
            while owed:
                owed.discard(await self._hear(raw))
            assert len(self.answers) == self.said
            room = await self._ask(raw, {"type": "join_room", "id": "look"})
            assert room["you"]["board"] == self.line.boards[self.said]
            await self._ask(raw, {"type": "retire", "id": "end"})
            while (over := await raw.message())["type"] != "over":
                continue
            (standing,) = over["standings"]
            end = self.line.boards[self.said]
            assert standing["actions"] == self.said
            assert (standing["score"], standing["moves"]) == (end["score"], end["moves"])

    async def _come_in(self, raw: Raw) -> Message:
        """Say hello and join_room in one write; the room."""
        raw.send(text({"type": "hello", "token": self.token}))
        return await self._ask(raw, {"type": "join_room", "id": "in"})

    async def _ask(self, raw: Raw, command: Message) -> Message:
        raw.send(text({**command, "room": self.room}))
        while (message := await raw.message()).get("re") != command["id"]:
            continue
        return message

    async def _hear(self, raw: Raw) -> str:
        """Take in the next message; the id that it answers, if any."""
        said = (await raw.until(TEXT)).payload.decode()
        message: Message = json.loads(said)
        answered: str = message.get("re", "")
        if answered.startswith("a"):
            expected = self.line.expected[int(answered[1:])]
            got = {key: message.get(key) for key in expected}
            assert got == expected, f"{got} is not {expected}"
            first = self.answers.setdefault(answered, said)
            assert first == said, f"answered by {said} after {first}"
        return answered
