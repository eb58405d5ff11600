"""One player's side of the protocol without a socket: messages in, view and commands out.

A seat outlives its connections. Whoever carries the texts says `connected` and `dropped`, hands
every message to `receive`, and sends what `commands_to_send` gives after each of these calls::

    seat = Seat(name="Ann")
    seat.connected()                        # hello, and join_room for the rooms one is in
    seat.send(JoinRoom(room="K7M2P"))       # waits for the welcome
    for command in seat.commands_to_send(): ...
    for happening in seat.receive(message): ...
    seat.rooms["K7M2P"]                     # the room as it is now

What is lost on the way comes back: a missing `n` asks for the room again, and after a drop the
commands without an answer go again, in order and with the same ids (Contract §5).
"""

from collections.abc import Callable
from dataclasses import dataclass

from halfmoon.wire.commands import (
    Clock,
    Command,
    CreateRoom,
    Enter,
    Follow,
    Hello,
    JoinRoom,
    RoomCommand,
)
from halfmoon.wire.errors import ErrorCode
from halfmoon.wire.messages import (
    Answer,
    AnyBroadcast,
    AnyMessage,
    AnyNews,
    BoardDealt,
    Boards,
    Broadcast,
    Entered,
    Error,
    Left,
    Moved,
    PlayerLeft,
    RoomSnapshot,
    RoundDrawn,
    SeatMoved,
    SeatUndone,
    SeatUnmasked,
    TournamentNews,
    Undone,
    Welcome,
)
from halfmoon_client import board, view, watching
from halfmoon_client.errors import WhyLeft
from halfmoon_client.pending import Pending, Unanswered, fresh_id


@dataclass(frozen=True, slots=True)
class Answered:
    """A command has its answer, which may be an error."""

    command: Command
    answer: Answer


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """`Seat.rooms[room]` isn't what it was."""

    room: str


@dataclass(frozen=True, slots=True)
class RoomGone:
    """One is in the room no longer."""

    room: str
    why: WhyLeft


@dataclass(frozen=True, slots=True)
class TournamentChanged:
    """`Seat.tournaments[tournament]` isn't what it was."""

    tournament: str


@dataclass(frozen=True, slots=True)
class HeatDrawn:
    """One's heat of a tournament is drawn; its room is being joined."""

    drawn: RoundDrawn


Happening = Answered | RoomChanged | RoomGone | TournamentChanged | HeatDrawn


class Seat:
    """A player's seats in all their rooms, over one connection after the other."""

    def __init__(
        self,
        *,
        name: str | None = None,
        token: str | None = None,
        new_id: Callable[[], str] = fresh_id,
    ) -> None:
        self.name = name
        self.token = token
        """The player's secret identity, known from the first welcome on."""
        self.player: str | None = None
        self.rooms: dict[str, RoomSnapshot] = {}
        """Every room that the player is in, as it is now, with the player's own board."""
        self.tournaments: dict[str, TournamentNews] = {}
        """Every tournament that one has entered or follows, as it is now."""
        self._entered: set[str] = set()
        self._pending = Pending(new_id)
        self._asking: dict[str, str] = {}
        """Rooms that are being asked for again, and by which command."""
        self._is_connected = False
        self._is_welcomed = False

    # The connection

    def connected(self) -> None:
        """Takes in that there is a connection: the first commands on it are ready."""
        self._is_connected = True
        # Known by the token one keeps one's name: a name given again would rename.
        name = self.name if self.player is None else None
        self._pending.add(Hello(name=name, token=self.token), is_own=True)
        for room in self.rooms:
            self._ask(room)
        for tournament in self.tournaments:
            again = Enter if tournament in self._entered else Follow
            self._pending.add(again(tournament=tournament), is_own=True)
        self._pending.to_front()

    def dropped(self) -> None:
        """Takes in that the connection is gone."""
        self._is_connected = self._is_welcomed = False
        self._asking.clear()
        self._pending.drop()

    @property
    def held_ms(self) -> int:
        """How long nothing may be sent: wait so long, then say `release`. 0 where nothing holds."""
        return self._pending.held_ms

    def release(self) -> None:
        """Takes in that `held_ms` have passed."""
        self._pending.release()

    # Commands out

    def send(self, command: Command) -> str:
        """Puts the command in the queue under a fresh id, which it gives back.

        Its answer comes as `Answered`, after however many connections; only `clock` is forgotten
        with the connection that it was to measure.
        """
        room = self.rooms.get(command.room) if isinstance(command, RoomCommand) else None
        is_own = isinstance(command, Clock)
        return self._pending.add(command, is_own=is_own, race=room.race if room else None)

    def commands_to_send(self) -> list[Command]:
        """The commands that are to be sent now, oldest first."""
        if not self._is_connected:
            return []
        return self._pending.take(own_only=not self._is_welcomed)

    def _ask(self, room: str) -> None:
        """Asks for the whole room again; until it comes, what is told of it is of no use."""
        if room not in self._asking:
            role = self.rooms[room].you.as_
            again = JoinRoom(room=room, as_=role)
            self._asking[room] = self._pending.add(again, is_own=True)

    # Messages in

    def receive(self, message: AnyMessage) -> list[Happening]:
        """What came of a message; the view is up to date when it is told."""
        if isinstance(message, Broadcast):
            return self._heard_broadcast(message)
        if isinstance(message, BoardDealt):
            room = self._followed(message.room)
            return [] if room is None else self._show(view.with_board(room, message.board))
        if isinstance(message, Boards | SeatMoved | SeatUndone | SeatUnmasked):
            return self._heard_news(message)
        if isinstance(message, RoundDrawn):
            return self._heat_drawn(message)
        one = self._pending.get(message.re)
        if one is not None:
            return self._heard_answer(one, message)
        if isinstance(message, TournamentNews):
            return self._show_tournament(message)
        if isinstance(message, RoomSnapshot) and self._is_news(message):
            return self._show(message)
        return []

    def _followed(self, room: str) -> RoomSnapshot | None:
        """The room, where what is told of it can be added to what is known."""
        return None if room in self._asking else self.rooms.get(room)

    def _is_news(self, message: RoomSnapshot) -> bool:
        """Whether this is the room as a reader who was too slow is sent it, unasked."""
        room = self.rooms.get(message.room)
        return message.re is None and room is not None and message.n >= room.n

    def _heard_broadcast(self, message: AnyBroadcast) -> list[Happening]:
        room = self.rooms.get(message.room)
        if room is None or message.n <= room.n or self.player is None:
            return []
        if isinstance(message, PlayerLeft) and message.player == self.player:
            return self._leave(message.room, message.why)
        if message.room in self._asking:
            return []
        changed = view.after(room, message, self.player) if message.n == room.n + 1 else None
        if changed is None:
            self._ask(message.room)
            return []
        return self._show(changed)

    def _heard_news(self, news: AnyNews) -> list[Happening]:
        room = self._followed(news.room)
        if room is None:
            return []
        changed = watching.after(room, news)
        if changed is None:
            self._ask(news.room)
            return []
        return [] if changed is room else self._show(changed)

    def _heat_drawn(self, message: RoundDrawn) -> list[Happening]:
        """Joins the heat's room, for its people and options are told by the snapshot alone."""
        if message.room not in self.rooms:
            self._pending.add(JoinRoom(room=message.room), is_own=True)
        return [HeatDrawn(message)]

    def _show_tournament(self, message: TournamentNews) -> list[Happening]:
        self.tournaments[message.tournament] = message.model_copy(update={"re": None})
        return [TournamentChanged(message.tournament)]

    def _heard_answer(self, one: Unanswered, answer: Answer) -> list[Happening]:
        if isinstance(answer, Error) and self._has_to_wait(one, answer):
            return []
        assert answer.re is not None, "an answer is told by what it answers"
        self._pending.answered(answer.re)
        return [Answered(one.command, answer), *self._apply(one, answer)]

    def _has_to_wait(self, one: Unanswered, error: Error) -> bool:
        """Whether the command goes out once more, with the same id."""
        is_limited = error.code is ErrorCode.RATE_LIMITED
        if is_limited or (one.is_own and error.code is ErrorCode.UNAVAILABLE):
            self._pending.hold(error.retry_ms)
        elif self._is_welcomed or isinstance(one.command, Hello):
            return False
        # Else it was sent behind a hello that has to be said again.
        self._pending.again(one)
        return True

    def _apply(self, one: Unanswered, answer: Answer) -> list[Happening]:
        match answer:
            case Welcome():
                self.player, self.name, self.token = answer.player, answer.name, answer.token
                self._is_welcomed = True
                return []
            case RoomSnapshot():
                return self._enter(one, answer)
            case Left():
                return self._leave(answer.room, "left")
            case Entered():
                self._entered.add(answer.tournament)
                return []
            case TournamentNews():
                return self._show_tournament(answer)
            case Moved() | Undone():
                return self._act(one, answer)
            case Error():
                return self._refused(one, answer)
            case _:
                return []

    def _enter(self, one: Unanswered, answer: RoomSnapshot) -> list[Happening]:
        room = answer.room
        if self._asking.get(room) == answer.re:
            del self._asking[room]
        if isinstance(one.command, CreateRoom) and one.was_sent:
            # It may be the first answer again, and the room have gone on since.
            news = self._show(answer) if room not in self.rooms else []
            self._ask(room)
            return news
        return self._show(answer)

    def _act(self, one: Unanswered, answer: Moved | Undone) -> list[Happening]:
        room = self.rooms.get(answer.room)
        if room is None or room.you.board is None or one.race != room.race:
            return []
        if answer.turn <= room.you.board.turn:
            return []  # sent again after a drop, and the board that came before holds it already
        if answer.turn > room.you.board.turn + 1:
            self._ask(answer.room)
            return []
        changed = board.after(room.you.board, answer, undo=room.options.undo)
        return self._show(view.with_board(room, changed))

    def _refused(self, one: Unanswered, error: Error) -> list[Happening]:
        if not isinstance(one.command, RoomCommand):
            return []
        name = one.command.room
        if self._asking.get(name) == error.re:
            return self._leave(name, error.code)
        room = self.rooms.get(name)
        if room is None or error.board is None or one.race != room.race:
            return []
        return self._show(view.with_board(room, error.board))

    def _show(self, room: RoomSnapshot) -> list[Happening]:
        self.rooms[room.room] = room.model_copy(update={"re": None})
        return [RoomChanged(room.room)]

    def _leave(self, room: str, why: WhyLeft) -> list[Happening]:
        self._asking.pop(room, None)
        return [RoomGone(room, why)] if self.rooms.pop(room, None) else []
