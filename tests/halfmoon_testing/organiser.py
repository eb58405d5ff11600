"""A tournament from outside: the organiser's calls over HTTP, and bots who play in it."""

from __future__ import annotations

import asyncio
import io
import json
import random
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from aiohttp import ClientSession

from halfmoon_testing.driver import Driver, Message
from halfmoon_testing.server import Address

KEY = "the-key-of-the-tests"
VALUES = {rank: value for value, rank in enumerate("A23456789T", start=1)}
TINY: dict[str, Any] = {"time_limit_ms": 1500, "countdown_ms": 50}
"""Options of races that are over in a moment."""

TOGETHER = 25
"""So many bots connect at once."""
WITHIN_S = 60
"""The longest that a round is waited for; none takes as long but on a machine that is very busy."""


class Organiser:
    """Who has the key, or somebody who hasn't."""

    def __init__(self, at: Address, key: str | None = KEY, tournament: str = "") -> None:
        self.at = at
        self.key = key
        self.tournament = tournament
        self.device = ""
        """What the log shall call this device, percent-encoded where it has to be."""
        self._session: ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = ClientSession()
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def call(
        self, method: str, path: str, body: Any = None, *, status: int | None = None
    ) -> Any:
        """A call on the tournament; the JSON that it is answered with."""
        got, answer = await self.try_call(method, path, body)
        wanted = (200, 201) if status is None else (status,)
        assert got in wanted, (method, path, got, answer)
        return answer

    async def try_call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and JSON of a call."""
        assert self._session is not None, "used with `async with`"
        headers = {} if self.key is None else {"Authorization": f"Bearer {self.key}"}
        if self.device:
            headers["Halfmoon-Device"] = quote(self.device, safe="%")
        whole = path if path.startswith("/api") else f"/api/tournaments/{self.tournament}{path}"
        url = self.at.http + whole
        data = None if body is None else io.BytesIO(json.dumps(body).encode())
        async with self._session.request(method, url, data=data, headers=headers) as answer:
            if "json" in answer.content_type:
                return answer.status, await answer.json()
            return answer.status, (await answer.read()).decode()

    async def get(self, path: str = "", status: int = 200) -> Any:
        """What a path of the tournament answers."""
        return await self.call("GET", path, status=status)

    async def post(self, path: str, body: Any = None, status: int | None = None) -> Any:
        """A call that does something."""
        return await self.call("POST", path, body, status=status)

    async def make(self, kind: str = "series", **fields: Any) -> str:
        """A tournament, of which all later calls are."""
        body: dict[str, Any] = {"name": "Club evening", "format": kind, "race": TINY, **fields}
        made = await self.post("/api/tournaments", body, status=201)
        self.tournament = made["tournament"]
        return self.tournament

    async def add(self, *names: str) -> list[dict[str, Any]]:
        """Names on the list, with their claims."""
        added: list[dict[str, Any]] = await self.post("/entrants", {"names": list(names)}, 201)
        return added

    async def draw(self) -> dict[str, Any]:
        """The next round."""
        drawn: dict[str, Any] = await self.post("/rounds", status=201)
        return drawn

    async def until(self, *states: str) -> dict[str, Any]:
        """The tournament once it is in one of these states."""
        pause_s = 0.02
        async with asyncio.timeout(WITHIN_S):
            while True:
                state: dict[str, Any] = await self.get()
                if state["state"] in states:
                    return state
                # The state of hundreds is long: asked for all the time it would slow the round down.
                await asyncio.sleep(pause_s)
                pause_s = min(0.5, pause_s * 1.2)


class Bot:
    """An entrant who plays a few legal moves in every heat, and retires."""

    def __init__(
        self, url: str, name: str, tournament: str, *, claim: str = "", lot: int = 0
    ) -> None:
        self.url = url
        self.name = name
        self.tournament = tournament
        self.claim = claim
        self.entrant = ""
        self.driver: Driver | None = None
        self.token: str | None = None
        self.lot = random.Random(f"{name} {lot}")
        self.heats: list[Message] = []
        self._playing: asyncio.Task[None] | None = None

    @property
    def there(self) -> Driver:
        """Its connection."""
        assert self.driver is not None, "the bot has come"
        return self.driver

    async def come(self) -> None:
        """Connect, enter, and play whatever is drawn."""
        driver = await Driver.enter(self.url, self.name, self.token)
        self.driver, self.token = driver, driver.token
        first = {"claim": self.claim} if self.claim and not self.entrant else {}
        answer = await driver.done("enter", tournament=self.tournament, **first)
        self.entrant = answer["entrant"]
        self._playing = asyncio.create_task(self._play(driver))

    async def go(self) -> None:
        """Be gone, as a lid that falls shut."""
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
        if self.driver is not None:
            await self.driver.close()

    async def _play(self, driver: Driver) -> None:
        mark = 0
        while True:
            drawn = await driver.wait_for(lambda said: said["type"] == "round", mark)
            mark = driver.place_of(drawn) + 1
            self.heats.append(drawn)
            driver.room = drawn["room"]
            heard = (said for said in driver.heard[mark:] if said.get("room") == drawn["room"])
            if not any(heard):
                # Where one wasn't connected when it was drawn, one has to join.
                await asyncio.sleep(0.05)
                if not any(s.get("room") == drawn["room"] for s in driver.heard[mark:]):
                    await driver.ask("join_room")
            await self._race(driver, drawn["room"], mark)

    async def _race(self, driver: Driver, room: str, mark: int) -> None:
        def is_board(said: Message) -> bool:
            if said.get("room") != room:
                return False
            return said["type"] == "board" or (said["type"] == "room" and "board" in said["you"])

        said = await driver.wait_for(is_board, mark)
        board = said["board"] if said["type"] == "board" else said["you"]["board"]
        for _ in range(self.lot.randrange(4)):
            move = self._move(board)
            if move is None:
                break
            answer = await driver.ask("move", room=room, turn=board["turn"], spots=move)
            if answer["type"] != "moved":
                return
            board = after(board, answer)
        await driver.ask("retire", room=room)

    def _move(self, board: Message) -> list[str] | None:
        """A pair that adds up to 11, by lot."""
        pairs = pairs_on(board)
        return self.lot.choice(pairs) if pairs else None


def pairs_on(board: Message) -> list[list[str]]:
    """All pairs that add up to 11."""
    shown = {str(place): pile["top"] for place, pile in enumerate(board["piles"], start=1)}
    shown |= {f"R{place}": card for place, card in enumerate(board["reserve"], start=1)}
    cards = {spot: VALUES.get(card[0]) for spot, card in shown.items() if card}
    return [
        [a, b] for a in cards for b in cards if a < b and (cards[a] or 99) + (cards[b] or 99) == 11
    ]


async def come(bots: Iterable[Bot]) -> None:
    """Let them all come, some at a time: one process plays them all, and a `hello` is due in 5 s."""
    waiting = [*bots]
    while waiting:
        await asyncio.gather(*(bot.come() for bot in waiting[:TOGETHER]))
        del waiting[:TOGETHER]


def after(board: Message, moved: Message) -> Message:
    """A board after the answer to a move."""
    piles, reserve = [dict(pile) for pile in board["piles"]], list(board["reserve"])
    for spot, card in moved["revealed"].items():
        if spot.startswith("R"):
            reserve[int(spot[1:]) - 1] = card
        else:
            pile = piles[int(spot) - 1]
            pile["top"], pile["count"] = card, pile["count"] - 1
    return {**board, "turn": moved["turn"], "piles": piles, "reserve": reserve}
