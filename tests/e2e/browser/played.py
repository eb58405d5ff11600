"""A server that says what the test writes: for what a real one refuses, or takes long to come to."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from playwright.async_api import Route, WebSocketRoute

from e2e.browser.tab import Tab

Message = dict[str, Any]

ROOM = "H4K7P"
ME = "p_0"
SEAL = "9f3a" * 16
OPTIONS: Message = {
    "time_limit_ms": 900_000,
    "undo": True,
    "ends": "all",
    "max_players": 400,
    "public": False,
    "spectators": "open",
    "spectator_delay_ms": 0,
    "countdown_ms": 3_000,
    "reactions": True,
}
TOPS = ["5S", "2C", "KH", "4C", "QH", "AH", "8D", "6D", "2D", "JC", "TH", "3H"]


def board(**more: Any) -> Message:
    return {
        "turn": 0,
        "piles": [{"top": top, "count": 8} for top in TOPS],
        "reserve": ["AH", "JC", "5C", None, "3S", "JH", "TD", "2C"],
        "score": 0,
        "moves": 0,
        "status": "racing",
        "can_undo": False,
        **more,
    }


def room(names: Sequence[str], state: str, **more: Any) -> Message:
    """The room of these people; the first is who looks at the page, and the host."""
    status = {"racing": "racing", "over": "retired"}.get(state, "waiting")
    players = [
        {
            "player": f"p_{i}",
            "name": name,
            "ready": i % 2 == 0,
            "online": i % 3 != 2,
            "status": status,
            "score": 10 * (i % 50),
            "moves": i % 50,
        }
        for i, name in enumerate(names)
    ]
    made: Message = {
        "type": "room",
        "room": ROOM,
        "n": 1,
        "state": state,
        "host": ME,
        "host_name": names[0],
        "options": OPTIONS,
        "seal": SEAL,
        "players": players,
        "spectators": 0,
        "you": {"as": "player"},
    }
    if state != "lobby":
        now = int(time.time() * 1000)
        made |= {"starts_at": now - 60_000, "ends_at": now + 600_000, "race": "r_1"}
    if state == "racing":
        made["you"] = {"as": "player", "board": board()}
    if state == "over":
        made["code"] = "HM1-S-" + "ABCDEFG" * 4
        made["standings"] = [
            {
                "rank": i + 1,
                "player": line["player"],
                "name": line["name"],
                "status": "retired",
                "score": line["score"],
                "best": line["score"],
                "moves": line["moves"],
                "actions": line["moves"],
                "time_ms": 1_234,
            }
            for i, line in enumerate(players)
        ]
    return made | more


class Played:
    """Answers the page's socket: `hello` and `clock` properly, everything else with `room`."""

    def __init__(self, answer: Message) -> None:
        self.answer = answer
        self.heard: list[Message] = []
        self._socket: WebSocketRoute | None = None

    @classmethod
    async def on(cls, tab: Tab, answer: Message) -> Played:
        """Stand in for the server on this tab, and come into the room by its link."""
        played = cls(answer)
        await tab.hold(played._opened)
        await tab.page.route(f"**/api/rooms/{ROOM}", played._glance)
        await tab.open(f"/r/{ROOM}")
        await tab.say_name("Ann")
        await tab.page.locator("#name").press("Enter")
        return played

    def say(self, message: Message) -> None:
        assert self._socket is not None, "the page has connected"
        self._socket.send(json.dumps(message))

    async def close(self, code: int, reason: str) -> None:
        assert self._socket is not None, "the page has connected"
        await self._socket.close(code=code, reason=reason)

    async def _glance(self, route: Route) -> None:
        told = {key: self.answer[key] for key in ("room", "state", "host_name", "spectators")}
        seen = {"players": 1, "max_players": 16, "watching": "open"}
        await route.fulfill(json=told | seen)

    def _opened(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._hears)

    def _hears(self, text: str | bytes) -> None:
        command = json.loads(text)
        self.heard.append(command)
        now = int(time.time() * 1000)
        re_ = {"re": command["id"]} if "id" in command else {}
        if command["type"] == "hello":
            who = {"player": ME, "name": "Ann", "token": "t", "server": {"version": "1"}}
            self.say({"type": "welcome", **who, "at": now, **re_})
        elif command["type"] == "clock":
            self.say({"type": "clock", "t": command["t"], "at": now})
        elif command["type"] == "join_room":
            self.say(self.answer | re_)
        else:
            self.say({"type": "ok", "room": ROOM, **re_})
