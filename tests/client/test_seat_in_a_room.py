"""A seat at a real room's rules, on a line that drops, loses and repeats: it always catches up."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from halfmoon.engine.codes import Code, Variant
from halfmoon.wire import commands as c
from halfmoon.wire import messages as m
from halfmoon.wire.options import OptionChanges
from halfmoon_client.board import legal_moves
from halfmoon_client.seat import Answered, Seat
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.commands import Asked, Chance, Dropped, Refusal, RoomRequest
from halfmoon_server.rooms.deadlines import due
from halfmoon_server.rooms.decide import decide, open_room
from halfmoon_server.rooms.evolve import create, evolve

ME, ROOM = "p_0", "K7M2P"
KINDS: dict[str, e.AnswerKind] = {
    "move": "moved",
    "undo": "undone",
    "leave_room": "left",
    "join_room": "room",
}


class Table:
    """One room by the server's own rules, and what it says to one seat."""

    def __init__(self, host: str) -> None:
        self.now = 1_000
        self.n = 0
        self.numbers = itertools.count(1)
        options = OptionChanges(countdown_ms=0, time_limit_ms=60_000)
        asked = c.CreateRoom(options=options)
        self.room = create(open_room(ROOM, asked, host, host, self.chance(), self.now))
        self.remembered: dict[str, m.AnyMessage] = {}
        self.line: list[m.AnyMessage] = []
        """Said to the seat and not heard yet."""
        self.is_listening = False

    def chance(self) -> Chance:
        number = next(self.numbers)
        return Chance(code=Code.from_number(Variant.NORMAL, number), race=f"r_{number}")

    def other(self, player: str, command: c.AnyRoomCommand) -> None:
        """Somebody else says something; what they are answered is theirs."""
        self._change(Asked(player, player, command, self.chance()))

    def hear(self, command: c.Command) -> None:
        """The seat says something."""
        if isinstance(command, c.Hello):
            self.line.append(
                m.Welcome(
                    player=ME,
                    name="Ann",
                    token="secret",
                    server=m.ServerInfo(version="1"),
                    at=self.now,
                    re=command.id,
                )
            )
            return
        assert isinstance(command, c.AnyRoomCommand), "the seat isn't told to"
        assert command.id is not None, "a seat gives every command an id"
        if command.id in self.remembered:
            self.line.append(self.remembered[command.id])
            return
        before, place = self.room, len(self.line)
        refusal, n = self._change(Asked(ME, "Ann", command, self.chance()))
        kind = KINDS.get(command.type, "ok")
        if refusal is not None:
            answer: m.AnyMessage = m.Error(
                code=refusal.code, message="no", board=refusal.board, re=command.id
            )
        else:
            answer = views.answer(kind, before, self.acted, ME, command.id, n)
            self.is_listening = ME in self.room.members
            if kind != "room":
                self.remembered[command.id] = answer
        self.line.insert(place, answer)

    def lose_seat(self) -> None:
        self.line.clear()
        self.is_listening = False
        self._change(Dropped(ME))

    def lose_one(self) -> None:
        """A broadcast is lost on a line that stays; never the last word of the room."""
        for message in self.line:
            if isinstance(message, m.Broadcast) and not isinstance(message, m.PlayerLeft):
                self.line.remove(message)
                return

    def pass_time(self, ms: int) -> None:
        self.now += ms
        while (event := due(self.room, self.now)) is not None:
            self._take(event)

    def _change(self, request: RoomRequest) -> tuple[Refusal | None, int]:
        """The refusal, and the number of the last broadcast before what was caused."""
        n = self.n
        outcome = decide(self.room, request, self.now)
        if isinstance(outcome, Refusal):
            return outcome, n
        joins = isinstance(request, Asked) and isinstance(request.command, c.JoinRoom)
        self.is_listening |= joins and isinstance(request, Asked) and request.player == ME
        for event in outcome:
            self._take(event)
        self.acted = self.room
        self.pass_time(0)
        return None, n

    def _take(self, event: e.Event) -> None:
        before, self.room = self.room, evolve(self.room, event)
        if isinstance(event, e.MoveMade | e.UndoMade | e.Retired):
            self._say(views.progress(self.room, [event.player], self.n + 1), None)
        for told in views.told(before, event, self.room, self.n):
            self._say(told.message, told.to)
        if isinstance(event, e.MemberLeft) and event.player == ME:
            self.is_listening = False

    def _say(self, message: m.AnyMessage, to: str | None) -> None:
        self.n += to is None
        if self.is_listening and to in (None, ME):
            self.line.append(message)


class Evening:
    """A seat and a table, and the line between them."""

    def __init__(self, host: str = ME) -> None:
        self.table = Table(host)
        ids = itertools.count()
        self.seat = Seat(name="Ann", new_id=lambda: f"id{next(ids)}")
        self.given: list[str] = []
        self.answered: list[str] = []
        self.seat.connected()
        self.seat.send(c.JoinRoom(room=ROOM))
        self.settle()

    def say(self, command: c.Command) -> None:
        self.given.append(self.seat.send(command))

    def send(self, at_most: int = 1000) -> None:
        for command in self.seat.commands_to_send()[:at_most]:
            self.table.hear(command)

    def hear(self, at_most: int = 1000) -> None:
        for message in self.table.line[:at_most]:
            self.answered += [
                happening.command.id or ""
                for happening in self.seat.receive(message)
                if isinstance(happening, Answered)
            ]
        del self.table.line[:at_most]

    def cut(self, heard: int, sent: int) -> None:
        """The line is cut: only so many messages and commands made their way."""
        self.send(sent)
        self.hear(heard)
        self.seat.dropped()
        self.table.lose_seat()
        self.seat.connected()

    def settle(self) -> None:
        self.send()
        while self.table.line:
            self.hear()
            self.send()

    def seen(self) -> m.RoomSnapshot | None:
        return self.seat.rooms.get(ROOM)


def ordered(room: m.RoomSnapshot) -> m.RoomSnapshot:
    """The room with its players by id, since who left in a race is listed last by the server."""
    lines = sorted(room.players, key=lambda line: line.player)
    return room.model_copy(update={"players": lines})


def command(evening: Evening, verb: str, k: int) -> c.AnyRoomCommand | None:
    """What somebody says, told from what the seat sees."""
    seen = evening.seen()
    board = seen.you.board if seen else None
    moves = legal_moves(board) if board else []
    turn = board.turn if board else 0
    choices: dict[str, Callable[[], c.AnyRoomCommand]] = {
        "join": lambda: c.JoinRoom(room=ROOM),
        "watch": lambda: c.JoinRoom(room=ROOM, as_="spectator", screen=True if k % 2 else None),
        "leave": lambda: c.LeaveRoom(room=ROOM),
        "ready": lambda: c.SetReady(room=ROOM, ready=k != 0),
        "start": lambda: c.Start(room=ROOM),
        "options": lambda: c.SetOptions(room=ROOM, options=OptionChanges(undo=k % 2 == 0)),
        "kick": lambda: c.Kick(room=ROOM, player=f"p_{k % 3}"),
        "rematch": lambda: c.Rematch(room=ROOM),
        "move": lambda: c.Move(room=ROOM, turn=turn, spots=list(moves[k % len(moves)])),
        "undo": lambda: c.Undo(room=ROOM, turn=turn),
        "retire": lambda: c.Retire(room=ROOM),
    }
    with suppress(ZeroDivisionError):
        return choices[verb]()
    return None


VERBS = [
    "join",
    "watch",
    "leave",
    "ready",
    "start",
    "options",
    "kick",
    "rematch",
    "move",
    "undo",
    "retire",
]
SOCIAL = [verb for verb in VERBS if verb not in ("move", "undo")]
numbers = st.integers(0, 5)
usual = st.sampled_from(["ready", "start", "move", "move", "move", "undo", "retire", "rematch"])
steps = st.one_of(
    st.tuples(st.just("me"), usual, numbers),
    st.tuples(st.just("me"), st.sampled_from(VERBS), numbers),
    st.tuples(st.sampled_from(["p_1", "p_2"]), st.sampled_from(SOCIAL), numbers),
    st.tuples(st.sampled_from(["settle", "send", "hear", "cut", "lose", "drop", "time"]),
              st.just(""), numbers),
)  # fmt: skip


def play(evening: Evening, script: list[tuple[str, str, int]]) -> None:
    for who, verb, k in script:
        match who:
            case "settle":
                evening.settle()
            case "send":
                evening.send()
            case "hear":
                evening.hear(k)
            case "cut":
                evening.cut(heard=k, sent=k)
            case "lose":
                evening.table.lose_one()
            case "drop":
                evening.table._change(Dropped(f"p_{1 + k % 2}"))
            case "time":
                evening.table.pass_time(k * 15_000)
            case _:
                said = command(evening, verb, k)
                if said is not None and who == "me":
                    evening.say(said)
                elif said is not None:
                    evening.table.other(who, said)


def nudge(evening: Evening) -> Iterator[None]:
    """Broadcasts after which a lost one would be noticed."""
    for _ in range(2):
        evening.settle()
        evening.table.other("p_3", c.JoinRoom(room=ROOM))
        evening.settle()
        evening.table.other("p_3", c.LeaveRoom(room=ROOM))
        yield


@given(host=st.sampled_from([ME, "p_1"]), script=st.lists(steps, max_size=40))
def test_whatever_happens_the_view_becomes_the_room_and_every_command_is_answered_once(
    host: str, script: list[tuple[str, str, int]]
) -> None:
    evening = Evening(host)
    play(evening, script)
    for _ in nudge(evening):
        pass
    evening.settle()
    seen, room = evening.seen(), evening.table.room
    if seen is None:
        assert ME not in room.members
    else:
        assert ordered(seen) == ordered(views.snapshot(room, ME, evening.table.n))
    assert [x for x in evening.answered if x in evening.given] == evening.given


def test_the_room_of_this_test_races_to_the_end() -> None:
    """Else the property above would show little."""
    evening = Evening()
    play(evening, [("me", "ready", 1), ("me", "start", 0), ("settle", "", 0)])
    while (seen := evening.seen()) and seen.you.board and legal_moves(seen.you.board):
        play(evening, [("me", "move", 0), ("cut", "", 1), ("settle", "", 0)])
    play(evening, [("me", "retire", 0), ("settle", "", 0)])
    assert seen is not None
    assert seen.you.board is not None
    seen = evening.seen()
    assert seen is not None
    assert seen.state == "over"
    assert seen.standings is not None
    assert seen.standings[0].moves == seen.players[0].moves > 5
    assert seen.standings[0].actions == seen.standings[0].moves
