"""What somebody in a room knows from messages alone, and where that is not what is."""

from __future__ import annotations

from typing import Any

from halfmoon_testing.watchers import Watcher

Message = dict[str, Any]
LINE = ("ready", "online", "status", "score", "moves")


class View:
    """A room as it was told."""

    def __init__(self) -> None:
        self.is_lost = True
        """Something was left out, or nothing was told yet: only a `room` helps."""
        self.fault = ""
        self.state = self.host = ""
        self.players: dict[str, Message] = {}
        self.n = 0
        self._watcher: Watcher | None = None

    def begin(self, room: Message) -> None:
        """Take in a `room`."""
        if not self.is_lost and room["n"] < self.n:
            self.fault = f"a room of number {room['n']} came after {self.n}"
        self.is_lost = False
        self.n, self.state, self.host = room["n"], room["state"], room["host"]
        self.players = {
            line["player"]: {key: line[key] for key in LINE} for line in room["players"]
        }
        self._watcher = Watcher.told(room) if "boards" in room else None

    def hear(self, message: Message) -> bool:
        """Take in what everybody is told; False where something before it was left out."""
        if self.is_lost:
            return True
        if "n" in message:
            return self._hear_number(message)
        if message["type"] == "boards":
            self._watcher = Watcher.told(message)
        elif "w" in message:
            return self._hear_watched(message)
        return True

    def is_ready(self, player: str) -> bool:
        return bool(self.players.get(player, {}).get("ready"))

    def count_ready(self) -> int:
        return sum(1 for line in self.players.values() if line["ready"] and line["online"])

    def differs(self, room: Message) -> str:
        """Where this isn't the room; empty where it is."""
        told = View()
        told.begin(room)
        mine, theirs = vars(self), vars(told)
        for key in ("state", "host", "players"):
            if mine[key] != theirs[key]:
                return f"{key} is {theirs[key]}, not {mine[key]}"
        if self._watcher is None or told._watcher is None:
            return ""
        if self._watcher != told._watcher:
            return f"boards are {told._watcher}, not {self._watcher}"
        return ""

    def _hear_number(self, message: Message) -> bool:
        if message["n"] != self.n + 1:
            if message["n"] <= self.n:
                self.fault = f"number {message['n']} came after {self.n}"
            self.is_lost = True
            return False
        self.n += 1
        act = getattr(self, f"_{message['type']}", None)
        if act is not None:
            act(message)
        return True

    def _hear_watched(self, message: Message) -> bool:
        watcher = self._watcher
        if watcher is None:
            self.fault = f"{message['type']} came before any boards"
            return True
        if message["w"] != watcher.w + 1:
            self.is_lost = True
            return False
        watcher.hear(message)
        return True

    # Broadcasts, by their type

    def _player_joined(self, message: Message) -> None:
        if message["as"] == "player":
            new = {"status": "waiting", "score": 0, "moves": 0}
            self.players[message["player"]] = new | {key: message[key] for key in LINE[:2]}

    def _player_left(self, message: Message) -> None:
        self.players.pop(message["player"], None)

    def _player_changed(self, message: Message) -> None:
        if message["player"] in self.players:
            self.players[message["player"]] |= {key: message[key] for key in LINE[:2]}
        if message["host"]:
            self.host = message["player"]

    def _countdown(self, message: Message) -> None:
        self.state = "lobby" if message["starts_at"] is None else "countdown"

    def _started(self, message: Message) -> None:
        self.state = "racing"
        for player in message["players"]:
            self.players[player] |= {"status": "racing", "score": 0, "moves": 0}

    def _progress(self, message: Message) -> None:
        for line in message["players"]:
            self.players[line["player"]] |= {key: line[key] for key in LINE[2:]}

    def _over(self, message: Message) -> None:
        self.state = "over"
        for line in message["standings"]:
            self.players[line["player"]] |= {key: line[key] for key in LINE[2:]}
