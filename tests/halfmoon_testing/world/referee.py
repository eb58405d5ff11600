"""What must be true after every event, judged by what is durable and by what leaves the server."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from halfmoon_server import outbox
from halfmoon_server.eventlog.base import Batch, is_room
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.evolve import create, evolve
from halfmoon_server.rooms.state import Room
from halfmoon_testing.builders import exposed_positions, label
from halfmoon_testing.world.process import Process, labelled_deal

Message = dict[str, Any]

LABEL = re.compile(r"<[0-9a-f]{8}\.\d+>")
NOT_REMEMBERED = ("welcome", "clock", "error", "room")
"""Answers to what is never remembered; `create_room` is, and is looked at by its own racer."""
SLOW_S = outbox.SLOW_FOR_MS / 1000 + 0.5


class Referee:
    """Follows the log and every message, and calls each fault once."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.faults: list[str] = []
        self.rooms: dict[str, Room] = {}
        """Every room as its log has it."""
        self.counts: dict[str, int] = defaultdict(int)
        self._now = now
        self._exposed: dict[str, set[str]] = defaultdict(set)
        """For each player, the labels of all that ever lay open on boards of theirs."""
        self._done: set[tuple[str, str, str]] = set()
        self._trace = hashlib.sha256()

    def fault(self, what: str) -> None:
        """Something is not as it must be."""
        self.faults.append(f"at {self._now():.3f} s: {what}")

    def note(self, *what: object) -> None:
        """Something happened that has to happen again when the world is run again."""
        self._trace.update(repr((round(self._now(), 6), *what)).encode())

    @property
    def trace(self) -> str:
        """A hash of all that happened."""
        return self._trace.hexdigest()

    # The log

    def written(self, batch: Batch) -> None:
        """A batch has become durable."""
        self.note("written", batch.room, *batch.entries)
        if not is_room(batch.room):
            return
        for line in batch.entries:
            entry = e.read_entry(line)
            if entry.player is not None and entry.id is not None:
                self._once(batch.room, entry.player, entry.id)
            for event in entry.events:
                self._happened(batch.room, event)

    def _once(self, room: str, player: str, command_id: str) -> None:
        """P04: a command is carried out once."""
        key = (room, player, command_id)
        if key in self._done:
            self.fault(f"{command_id} of {player} was carried out twice in {room}")
        self._done.add(key)

    def _happened(self, name: str, event: e.Event) -> None:
        self.counts[event.type] += 1
        if isinstance(event, e.RoomCreated):
            self.rooms[name] = create(event)
            return
        room = self.rooms[name] = evolve(self.rooms[name], event, labelled_deal)
        if room.race is None:
            return
        if isinstance(event, e.MoveMade | e.UndoMade):
            self._exposes(room, event.player)
        elif isinstance(event, e.RaceStarted):
            for player in room.race.seats:
                self._exposes(room, player)

    def _exposes(self, room: Room, player: str) -> None:
        seat = room.seat(player)
        assert seat is not None, "who acts has a seat"
        places = exposed_positions(seat.run.board.counts)
        self._exposed[player] |= {label(room.code, place) for place in places}

    # What leaves

    def leaves(self, player: str, text: str) -> None:
        """A message to this player is on its way."""
        self.note("said", player, text)
        if not text.startswith("{"):
            return
        self.counts["messages"] += 1
        message: Message = json.loads(text)
        self._is_durable(player, message)
        room = self.rooms.get(message.get("room", ""))
        if room is None:
            return
        if strange := set(LABEL.findall(text)) - self._known(room, player):
            self.fault(f"{player} was sent {strange}, which nobody may know yet, in {text[:200]}")
        if room.state != "over" and not room.options.code and room.code.letters in text:
            self.fault(f"{player} was sent the code of a sealed race in {text[:200]}")

    def _is_durable(self, player: str, message: Message) -> None:
        """P01: nothing is answered that isn't in the log."""
        re_, room = message.get("re"), message.get("room")
        if re_ is None or message["type"] in NOT_REMEMBERED:
            return
        if (room, player, re_) not in self._done:
            self.fault(f"{re_} of {player} was answered before it was durable: {message}")

    def _known(self, room: Room, player: str) -> set[str]:
        """What this player may be shown (Contract §7)."""
        own = self._exposed[player]
        race, mode = room.race, room.options.spectators
        if race is None or mode not in ("open", "fair"):
            return own
        unfinished = [
            seat.player
            for seat in race.seats.values()
            if room.state == "racing" and not room.is_done(seat)
        ]
        if player in unfinished:
            return own
        seen = set[str]().union(*(self._exposed[racer] for racer in race.seats))
        if mode == "fair":
            for racer in unfinished:
                seen &= self._exposed[racer]
        return own | seen

    # Slow consumers

    def look_at(self, process: Process) -> None:
        """P09: nobody is owed more than the bounds say, nor for longer."""
        if not process.is_listening:
            return
        for connection in [*process.server.connections]:
            box = connection._outbox
            if box._is_closed:
                continue
            waiting = len(box._frames), box._waiting_bytes
            if waiting[0] > outbox.MOST_WAITING_FRAMES + 1:
                self.fault(f"{waiting[0]} frames wait for a slow reader")
            if box._slow_since is not None and self._now() - box._slow_since > SLOW_S:
                self.fault(f"a slow reader was not cut after {SLOW_S} s: {waiting} wait")
