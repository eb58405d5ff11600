"""A player at the level of JSON: says commands, keeps what it hears, and checks what always holds.

It shares no code with the project. On the way it checks of every connection that each command gets
one answer, that a room's numbers count up by one, and that what concerns a room names it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from itertools import count
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

WITHIN_S = 30.0
"""So long a message is waited for."""
CARD = re.compile(r'"([A23456789TJQK][SHDC])"')
BOARD_MESSAGES = {"board", "boards", "seat_moved", "seat_undone", "seat_unmasked"}

ROOMLESS = {"welcome", "clock", "error", "entered", "tournament"}

Message = dict[str, Any]


class Closed(AssertionError):
    """The connection was closed while something was waited for."""


class Driver:
    """One connection, and who speaks over it."""

    _opened = count(1)
    """Makes ids differ from connection to connection, as they must."""

    def __init__(self, socket: ClientConnection, ids: str = "") -> None:
        self.socket = socket
        self.heard: list[Message] = []
        """Everything, in the order in which it came."""
        self.texts: list[str] = []
        """The same, as it came."""
        self.player = ""
        self.token = ""
        self.room = ""
        """The room that commands are for where they name none."""
        self._ids = count(1)
        self._prefix = ids or f"c{next(self._opened)}."
        self._numbers: dict[str, int] = {}
        self._owed: Counter[str] = Counter()
        """How many answers are due to each id."""
        self._changed = asyncio.Condition()
        self._read_to: dict[str, int] = {}
        self._fault: str | None = None
        self.is_closed = False
        self._reader = asyncio.create_task(self._read())

    # Coming and going

    @classmethod
    async def open(cls, url: str, *, ids: str = "", **options: Any) -> Driver:
        """A connection over which nothing was said yet."""
        socket = await connect(
            url,
            subprotocols=["halfmoon.v1"],  # type: ignore[list-item]
            compression=None,
            ping_interval=None,
            max_size=None,
            max_queue=None,
            proxy=None,
            open_timeout=WITHIN_S,
            close_timeout=1,
            **options,
        )
        return cls(socket, ids)

    @classmethod
    async def enter(
        cls, url: str, name: str | None = None, token: str | None = None, ids: str = ""
    ) -> Driver:
        """A connection that has said hello."""
        driver = await cls.open(url, ids=ids)
        welcome = await driver.hello(name, token)
        assert welcome["type"] == "welcome", welcome
        return driver

    async def hello(self, name: str | None = None, token: str | None = None) -> Message:
        """Say hello; the answer."""
        who = {key: value for key, value in (("name", name), ("token", token)) if value is not None}
        answer = await self.ask("hello", **who)
        if answer["type"] == "welcome":
            self.player, self.token = answer["player"], answer["token"]
        return answer

    async def close(self) -> None:
        """Say goodbye."""
        await self.socket.close()
        await self._reader

    async def cut(self) -> None:
        """Be gone without a word, as a broken line is."""
        self.socket.transport.abort()
        await self._reader

    async def closed(self) -> tuple[int | None, str]:
        """Wait until the server has closed the connection; its code and reason."""
        await asyncio.wait_for(asyncio.shield(self._reader), WITHIN_S)
        return self.socket.close_code, self.socket.close_reason or ""

    # Speaking

    def command(self, kind: str, **fields: Any) -> Message:
        """A command with an id of its own and the room, where it doesn't say otherwise."""
        command: Message = {"type": kind, "id": f"{self._prefix}{next(self._ids)}"}
        if kind not in ("hello", "create_room", "clock", "enter", "follow"):
            command["room"] = self.room
        command.update({key.rstrip("_"): value for key, value in fields.items()})
        return command

    async def say(self, *commands: Message | str) -> None:
        """Send commands as they are, without waiting."""
        for command in commands:
            if isinstance(command, dict) and "id" in command:
                self._owed[command["id"]] += 1
            text = command if isinstance(command, str) else json.dumps(command)
            await self.socket.send(text)

    async def ask(self, kind: str, **fields: Any) -> Message:
        """Send a command and give its answer; waits and asks again where the rate says so."""
        command = self.command(kind, **fields)
        while True:
            before = len(self.heard)
            await self.say(command)
            answer = await self.answer_to(command["id"], since=before)
            if answer.get("code") != "rate_limited":
                return answer
            await asyncio.sleep(answer["retry_ms"] / 1000)

    async def done(self, kind: str, **fields: Any) -> Message:
        """Send a command that has to succeed."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] != "error", answer
        return answer

    async def refused(self, kind: str, **fields: Any) -> Message:
        """Send a command that has to be refused; the error."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "error", answer
        return answer

    async def create(self, **options: Any) -> Message:
        """Open a room and speak to it from now on."""
        answer = await self.done("create_room", options=options)
        self.room = answer["room"]
        return answer

    async def join(self, room: str, as_: str | None = None) -> Message:
        """Enter a room, or come back to it, and speak to it from now on."""
        self.room = room
        return await self.done("join_room", **({} if as_ is None else {"as": as_}))

    async def move(self, turn: int, spots: Sequence[str]) -> Message:
        """Make a move that has to be carried out."""
        answer = await self.done("move", turn=turn, spots=list(spots))
        assert answer["type"] == "moved", answer
        return answer

    # Hearing

    async def answer_to(self, re_: str, since: int = 0) -> Message:
        """Wait for the answer with this `re`."""
        return await self._find(lambda message: message.get("re") == re_, since, f"re {re_!r}")

    async def until(self, kind: str, since: int | None = None, **fields: Any) -> Message:
        """The next message of a type with these values: after the last one of it asked for so."""
        start = self._read_to.get(kind, 0) if since is None else since

        def fits(message: Message) -> bool:
            return message["type"] == kind and all(
                message.get(key.rstrip("_")) == value for key, value in fields.items()
            )

        found = await self._find(fits, start, f"{kind} {fields}")
        self._read_to[kind] = max(start, self.place_of(found) + 1)
        return found

    def place_of(self, said: Message) -> int:
        """The place of this very message among those heard; another may say the same."""
        return next(place for place, one in enumerate(self.heard) if one is said)

    async def wait_for(self, fits: Any, since: int = 0) -> Message:
        """Wait, however long, for the first message since then that fits."""
        async with self._changed:
            while True:
                for message in self.heard[since:]:
                    if fits(message):
                        return message
                assert not self.is_closed, "the connection was closed"
                await self._changed.wait()

    async def _find(self, fits: Any, start: int, what: str) -> Message:
        async def look() -> Message:
            place = start
            async with self._changed:
                while True:
                    while place < len(self.heard):
                        if fits(self.heard[place]):
                            return self.heard[place]
                        place += 1
                    if self._fault:
                        raise AssertionError(self._fault)
                    if self.is_closed:
                        code = self.socket.close_code
                        raise Closed(f"closed with {code} while waiting for {what}")
                    await self._changed.wait()

        try:
            return await asyncio.wait_for(look(), WITHIN_S)
        except TimeoutError:
            last = "\n".join(text[:300] for text in self.texts[-8:])
            raise AssertionError(
                f"no {what} within {WITHIN_S} s; the last heard:\n{last}"
            ) from None

    def of(self, kind: str, since: int = 0) -> list[Message]:
        """All messages of a type so far."""
        return [message for message in self.heard[since:] if message["type"] == kind]

    def cards(self) -> set[str]:
        """Every card that was ever received."""
        return {card for text in self.texts for card in CARD.findall(text)}

    async def quiet(self) -> None:
        """Return when everything that the server had to say by now has come (a clock comes last)."""
        await self.done("clock", t=0)

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in self.socket:
                assert isinstance(text, str), "the server speaks in text frames"
                message = json.loads(text)
                async with self._changed:
                    self.texts.append(text)
                    self.heard.append(message)
                    self._fault = self._fault or self._check(message)
                    self._changed.notify_all()
        async with self._changed:
            self.is_closed = True
            self._changed.notify_all()

    def _check(self, message: Message) -> str | None:
        """What holds for every message; the fault, where it doesn't."""
        kind = message["type"]
        room = message.get("room")
        if isinstance(re_ := message.get("re"), str):
            self._owed[re_] -= 1
            if self._owed[re_] < 0 and re_.startswith(self._prefix):
                return f"answered more often than asked: {message}"
        if kind not in ROOMLESS and room is None:
            return f"{kind} names no room: {message}"
        if any(value is None and key in ("re", "code", "id") for key, value in message.items()):
            return f"null where absent is meant: {message}"
        if "n" in message and room is not None:
            number: int = message["n"]
            expected = self._numbers.get(room, number - 1) + 1
            self._numbers[room] = message["n"]
            if kind != "room" and message["n"] != expected:
                return f"number {message['n']} where {expected} was due: {message}"
        return None


async def line_up(url: str, names: Sequence[str], **options: Any) -> list[Driver]:
    """So many players in one room, the first of them the host, all ready."""
    host = await Driver.enter(url, names[0])
    await host.create(**options)
    others = await asyncio.gather(*(Driver.enter(url, name) for name in names[1:]))
    for other in others:
        await other.join(host.room)
    everybody = [host, *others]
    for player in everybody:
        await player.done("set_ready", ready=True)
    return everybody


async def start_race(players: Sequence[Driver]) -> list[Message]:
    """Let the host start; everybody's first board."""
    marks = [len(player.heard) for player in players]
    await players[0].done("start")
    boards = []
    for player, mark in zip(players, marks, strict=True):
        boards.append((await player.until("board", since=mark))["board"])
    return boards


@contextlib.asynccontextmanager
async def drivers(*opened: Driver) -> AsyncIterator[None]:
    """Close these at the end, whatever happens."""
    try:
        yield
    finally:
        for driver in opened:
            await driver.close()
