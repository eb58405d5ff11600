"""Somebody in a world who plays by the rules, comes back, and believes nothing unchecked."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from halfmoon.wire import codec
from halfmoon_server.rooms import views
from halfmoon_testing.world.network import Line
from halfmoon_testing.world.script import Script
from halfmoon_testing.world.view import View
from halfmoon_testing.wsraw import UPGRADE, text

if TYPE_CHECKING:
    from halfmoon_testing.world.world import World

Message = dict[str, Any]

PATIENCE_S = 6.0
"""So long an answer is waited for; then the line is given up."""
IDLE_S = 8.0
"""So long nothing is heard before it is asked whether there is anybody."""
TRY_AGAIN_MS = 500
MOST_UNDER_WAY = 3
HEAD = "\r\n".join(
    ["GET /ws HTTP/1.1", *(f"{name}: {value or 'half.moon'}" for name, value in UPGRADE.items())]
)


class Gone(Exception):
    """The line has ended."""


@dataclass
class Command:
    """A command that has to be carried out once."""

    body: Message
    expected: Message = field(default_factory=dict)
    """Fields that its answer has."""
    answer: str | None = None
    """The first answer, as it came."""

    @property
    def id(self) -> str:
        command_id: str = self.body["id"]
        return command_id


class Racer:
    """A player or a spectator."""

    def __init__(self, world: World, name: str, *, watches: bool, actions: int) -> None:
        self.world = world
        self.name = name
        self.watches = watches
        self.chance = random.Random(f"{name} {world.seed}")
        self.player = self.token = ""
        self.is_finished = self.is_resting = False
        """Resting: says nothing, so that the world comes to a quiet point."""
        self.actions = actions
        self.script: Script | None = None
        self.view = View()
        self.line: Line | None = None
        self._ids = 0
        self._pending: list[Command] = []
        """Said or to be said, in order, and not answered."""
        self._answered: list[Command] = []
        self._is_in = False
        """Whether this line has had its `room`."""
        self._hold_until = 0.0
        self._limited_at = -PATIENCE_S
        self._asked_at: float | None = None
        self._heard_at = 0.0

    # Coming back

    async def live(self) -> None:
        """Connect, play, and come back until the race is over."""
        tries = 0
        while not self.is_finished:
            try:
                self.line = self.world.connect(self)
                await self._speak(self.line)
            except (ConnectionRefusedError, Gone):
                tries = 0 if self._is_in else tries + 1
            self._leave()
            await asyncio.sleep(min(5.0, 0.1 * 2**tries) * (0.5 + self.chance.random()))

    def _leave(self) -> None:
        self._is_in = False
        self._asked_at = None
        self.view.is_lost = True
        if self.line is not None and not self.line.is_gone:
            self.line.leave(self.chance.choice(("fin", "rst")))
        self.line = None

    async def _speak(self, line: Line) -> None:
        line.say(f"{HEAD}\r\n\r\n".encode())
        await self._upgraded(line)
        who = {"token": self.token} if self.token else {"name": self.name}
        self._say({"type": "hello", "id": "hello", **who})
        if self.world.room and self.token:
            self._join()
            if self.chance.random() < 0.5:  # nobody has to wait for `room` with what is owed
                self._say_pending()
        while not self.is_finished:
            think_s = self.world.think_s(self.chance)
            if await self._hear_for(line, think_s) and not self.is_resting:
                self._act(line)

    async def _upgraded(self, line: Line) -> None:
        """Return when the line speaks WebSocket; raises `Gone`."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not line.heard and not line.is_gone:
                    line.news.clear()
                    await line.news.wait()
        except TimeoutError:
            raise Gone from None
        if not line.heard or " 101 " not in line.heard.popleft():
            raise Gone
        self._heard_at = asyncio.get_running_loop().time()

    async def _hear_for(self, line: Line, seconds: float) -> bool:
        """Take in all that comes for so long; whether it is time to act."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while True:
            while line.heard:
                self._heard_at = loop.time()
                self._hear(line.heard.popleft())
                if stall_s := self.world.weather.stall():
                    self._stall(line, stall_s)
            if line.is_gone:
                raise Gone
            if self.is_finished:
                return False
            line.news.clear()
            wait = until - loop.time()
            if wait <= 0:
                return True
            try:
                async with asyncio.timeout(wait):
                    await line.news.wait()
            except TimeoutError:
                return True

    def _stall(self, line: Line, seconds: float) -> None:
        """Read nothing for a while; now and then ask for much meanwhile."""
        line.stall(seconds)
        if self.world.room and self.chance.random() < 0.4:
            for _ in range(18):
                self._join()
        self._asked_at = asyncio.get_running_loop().time() + seconds

    # Speaking

    def _say(self, body: Message) -> None:
        assert self.line is not None, "there is a line"
        if self._asked_at is None:
            self._asked_at = asyncio.get_running_loop().time()
        self.line.say(text(body))
        if "id" in body and body["id"][0] == "c" and self.world.weather.repeat():
            self.line.say(text(body))

    def _join(self) -> None:
        as_ = "spectator" if self.watches else "player"
        self._say({"type": "join_room", "room": self.world.room, "as": as_, "id": "join"})

    def _say_pending(self) -> None:
        for command in self._pending:
            self._say(command.body)

    def _command(self, kind: str, expected: Message, **fields: Any) -> None:
        self._ids += 1
        body: Message = {"type": kind, "id": f"c{self._ids}", **fields}
        if kind != "create_room":
            body["room"] = self.world.room
        command = Command(body, expected)
        self._pending.append(command)
        self._say(body)

    def _act(self, line: Line) -> None:
        """Do whatever is next."""
        now = asyncio.get_running_loop().time()
        if self._asked_at is not None and now - self._asked_at > PATIENCE_S:
            raise Gone
        if now < self._hold_until or line.is_stalled or not self.player:
            return
        if self._hold_until:
            self._hold_until = 0.0
            self._say_pending()
        elif not self.world.room:
            if self.world.opener is self and not self._pending:
                self._command("create_room", {"type": "room"}, options=self.world.options)
        elif not self._is_in or self.view.is_lost or now - self._heard_at > IDLE_S:
            if self._asked_at is None:
                self._join()
        elif len(self._pending) < MOST_UNDER_WAY:
            self._play()

    def _play(self) -> None:
        view = self.view
        if self.chance.random() < 0.02:
            self._join()
        if view.state == "lobby" and not self._pending:
            if not self.watches and not view.is_ready(self.player):
                self._command("set_ready", {"type": "ok"}, ready=True)
            elif view.host == self.player and view.count_ready() == self.world.racers:
                self._command("start", {"type": "ok"})
        elif view.state == "racing" and not self.watches and self.script is not None:
            if (fields := self.script.next_action(self.chance, self.actions)) is not None:
                kind, said, expected = fields
                self._command(kind, expected, **said)
            elif not self.script.is_retired and self.world.may_end:
                self.script.is_retired = True
                self._command("retire", {"type": "ok"})
        elif view.state == "over" and not self._pending and self.world.may_end:
            self.is_finished = True

    # Hearing

    def _hear(self, said: str) -> None:
        if not said.startswith("{"):
            return  # a ping, or a goodbye
        message: Message = json.loads(said)
        kind = message["type"]
        if message.get("re") is not None:
            self._hear_answer(message, said)
        if kind == "welcome":
            self.player, self.token = message["player"], message["token"]
            self._asked_at = None
            if not self.world.room:
                self._say_pending()
        elif kind == "room":
            if message.get("re") in (None, "join") or not self._is_in:
                self._hear_room(message)
        elif kind == "board":
            self._hear_board(message["board"])
        elif not self.view.hear(message) and self._is_in:
            self._join()  # a number was left out
        if self.view.fault:
            self._fault(self.view.fault)
            self.view.fault = ""

    def _hear_room(self, message: Message) -> None:
        self.world.room = self.world.room or message["room"]
        is_first = not self._is_in
        self._is_in = True
        self._asked_at = None
        self.view.begin(message)
        if "board" in message["you"]:
            self._hear_board(message["you"]["board"])
        if is_first:
            self._say_pending()

    def _hear_board(self, board: Message) -> None:
        if self.script is None:
            self.script = Script(self.world.code())
        if wrong := self.script.compare(board):
            self._fault(wrong)

    def _hear_answer(self, message: Message, said: str) -> None:
        re_ = message["re"]
        command = next((one for one in self._pending if one.id == re_), None)
        if message["type"] == "error":
            self._hear_error(message, command)
        elif command is not None:
            self._asked_at = None
            command.answer = said
            self._pending.remove(command)
            self._answered.append(command)
            if self.script is not None:
                self.script.acknowledged(command.expected)
            got = {key: message.get(key) for key in command.expected}
            if got != command.expected:
                self._fault(f"{command.body} was answered by {message}, not {command.expected}")
        else:
            self._hear_again(re_, said)

    def _hear_again(self, re_: str, said: str) -> None:
        """P04: a command that is said again is answered as the first time, to the byte."""
        first = next((one.answer for one in self._answered if one.id == re_), said)
        if first != said:
            self._fault(f"{re_} was answered by {said} after {first}")

    def _hear_error(self, message: Message, command: Command | None) -> None:
        code = message["code"]
        now = asyncio.get_running_loop().time()
        if message["re"] == "hello":
            if code != "unavailable":
                self._fault(f"hello was refused: {message}")
            raise Gone
        if code in ("rate_limited", "unavailable"):
            self._limited_at = now
            wait_ms = message.get("retry_ms", TRY_AGAIN_MS)
            self._hold_until = max(self._hold_until, now + wait_ms / 1000)
            self._asked_at = None
        elif command is None:
            return
        elif code == "stale_turn" and now - self._limited_at < PATIENCE_S:
            self._hold_until = now + 0.5  # one before it was limited; both are said again
        elif code in ("wrong_state", "not_allowed") and command.body["type"] in (
            "start",
            "set_ready",
        ):
            self._pending.remove(command)
            self._asked_at = None
        else:
            self._fault(f"{command.body} was refused: {message}")
            self._pending.remove(command)

    def _fault(self, what: str) -> None:
        self.world.referee.fault(f"{self.name}: {what}")

    # Quiet points

    def check_view(self) -> None:
        """P06: where nothing is under way, what was told adds up to what is."""
        host, line = self.world.host(), self.line
        if host is None or line is None or not line.is_quiet or host._audience._dirty:
            return
        link: Any = host._link(self.player)
        if not self._is_in or self.view.is_lost or link is None:
            return
        if link._outbox._frames or link._outbox._is_closed:  # a goodbye may be on its way
            return
        audience = host._audience
        snapshot = views.snapshot(host.room, self.player, audience.n, None, audience._gallery.shown)
        self._compare(json.loads(codec.write(snapshot)), audience.n)

    def _compare(self, room: Message, n: int) -> None:
        if self.view.n != n:
            self._fault(f"has heard of {self.view.n} broadcasts, and {n} were made")
        elif wrong := self.view.differs(room):
            self._fault(f"was never told: {wrong}")
