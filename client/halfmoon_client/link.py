"""What joins a seat to those who wait for it: commands with their answers, and looks at a room."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from halfmoon.wire.commands import Command
from halfmoon.wire.messages import (
    Answer,
    AnyMessage,
    ClockAnswer,
    Countdown,
    Error,
    RoomSnapshot,
    RoundDrawn,
    TournamentNews,
    Welcome,
)
from halfmoon_client.clock import ServerClock
from halfmoon_client.errors import (
    ClientError,
    CommandRefused,
    LeftRoom,
    NoConnection,
    ServerFault,
)
from halfmoon_client.seat import (
    Answered,
    HeatDrawn,
    RoomChanged,
    RoomGone,
    Seat,
    TournamentChanged,
)

T = TypeVar("T")
A = TypeVar("A", bound=Answer)


class _Look:
    """Somebody who waits for a room or a tournament to look so."""

    def __init__(self, find: Callable[[Any], Any]) -> None:
        self._find = find
        self.future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        # Who asked may have gone; what came of it is then nobody's.
        self.future.add_done_callback(lambda future: future.cancelled() or future.exception())

    def at(self, room: RoomSnapshot | TournamentNews) -> bool:
        """Whether this look was the last."""
        if self.future.done():
            return True
        try:
            found = self._find(room)
        except ClientError as error:
            self.future.set_exception(error)
            return True
        if found is not None:
            self.future.set_result(found)
        return found is not None


class Link:
    """A seat, and everybody in this program who waits for something of it."""

    def __init__(self, seat: Seat, now_ms: Callable[[], int]) -> None:
        self.seat = seat
        self.clock = ServerClock(now_ms)
        self.work = asyncio.Event()
        """Set when there may be something to send."""
        self.welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_connected = False
        self._now_ms = now_ms
        self._connected_ms = 0
        self._answers: dict[str, asyncio.Future[Answer]] = {}
        self._looks: dict[str, list[_Look]] = {}
        self.heats: dict[str, list[RoundDrawn]] = {}
        """The heats that one was drawn into, by tournament, each once and in their order."""
        self._visits: dict[str, list[_Look]] = {}
        self._end: ClientError | None = None

    # For those who wait

    async def ask(self, command: Command, kind: type[A]) -> A:
        """The answer to a command, which is of this kind.

        Who stops waiting doesn't take the command back. Raises `CommandRefused`, `NoConnection`.
        """
        if self._end is not None:
            raise self._end
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._answers[self.seat.send(command)] = future
        self.work.set()
        answer = await future
        if isinstance(answer, Error):
            raise CommandRefused(answer)
        if not isinstance(answer, kind):
            raise ServerFault(f"{command.type} was answered {answer.type}")
        return answer

    def look(self, room: str, find: Callable[[RoomSnapshot], T | None]) -> "asyncio.Future[T]":
        """What `find` gives for the room, the first time that it isn't None.

        Every state of the room that this client hears of is looked at, from the present one on.
        The future raises `LeftRoom`, `NoConnection`, and what of our own `find` raises.
        """
        look = _Look(find)
        view = self.seat.rooms.get(room)
        if self._end is not None:
            look.future.set_exception(self._end)
        elif view is None:
            look.future.set_exception(LeftRoom(room, "left"))
        elif not look.at(view):
            self._looks.setdefault(room, []).append(look)
        return look.future

    def look_at(
        self, tournament: str, find: Callable[[TournamentNews], T | None]
    ) -> "asyncio.Future[T]":
        """What `find` gives for the tournament, the first time that it isn't None.

        It looks again whenever something has changed or a heat of one's own is drawn.
        """
        look = _Look(find)
        if self._end is not None:
            look.future.set_exception(self._end)
            return look.future
        self._visits.setdefault(tournament, []).append(look)
        self._look_at_tournament(tournament)
        return look.future

    # For the one who carries the texts

    def connected(self) -> None:
        """Takes in that there is a connection."""
        self._connected_ms = self._now_ms()
        self.seat.connected()
        self.work.set()

    def dropped(self) -> None:
        """Takes in that the connection is gone, and another may come."""
        self.is_connected = False
        self.seat.dropped()

    def receive(self, message: AnyMessage) -> None:
        """Takes in a message and tells everybody what came of it."""
        for happening in self.seat.receive(message):
            match happening:
                case Answered(_, Welcome() as welcome):
                    self._heard_welcome(welcome)
                case Answered(_, ClockAnswer() as answer):
                    self._ask_clock(self.clock.answered(answer))
                case Answered(command, answer):
                    self._heard_answer(command, answer)
                case RoomChanged(room):
                    self._look_at(room)
                case RoomGone(room, why):
                    self._fail(self._looks.pop(room, []), LeftRoom(room, why))
                case TournamentChanged(tournament):
                    self._look_at_tournament(tournament)
                case HeatDrawn(drawn):
                    self._heard_heat(drawn)
        if isinstance(message, Countdown):
            self._ask_clock(self.clock.ask())
        self.work.set()

    def end(self, why: ClientError) -> None:
        """Takes in that there will be no connection any more, and tells everybody why."""
        if self._end is not None:
            return
        self._end = why
        futures: list[asyncio.Future[Any]] = [self.welcomed, *self._answers.values()]
        for future in futures:
            if not future.done():
                future.set_exception(why)
        for looks in (*self._looks.values(), *self._visits.values()):
            self._fail(looks, why)
        self._answers.clear()
        self._looks.clear()
        self._visits.clear()

    def _heard_welcome(self, welcome: Welcome) -> None:
        self.is_connected = True
        if not self.welcomed.done():
            self.welcomed.set_result(None)
        self._ask_clock(self.clock.restart(self._connected_ms, welcome.at))

    def _heard_answer(self, command: Command, answer: Answer) -> None:
        if command.type == "hello" and isinstance(answer, Error):
            raise CommandRefused(answer)
        future = self._answers.pop(command.id or "", None)
        if future is not None and not future.done():
            future.set_result(answer)

    def _ask_clock(self, question: Command | None) -> None:
        if question is not None:
            self.seat.send(question)

    def _look_at(self, room: str) -> None:
        # A look may start another, so the list is a new one before the first is taken.
        looks = self._looks.pop(room, [])
        view = self.seat.rooms[room]
        waiting = [look for look in looks if not look.at(view)]
        self._looks[room] = waiting + self._looks.get(room, [])

    def _heard_heat(self, drawn: RoundDrawn) -> None:
        """Who comes back is told of the heat that runs once more."""
        known = self.heats.setdefault(drawn.tournament, [])
        if all(heat.room != drawn.room for heat in known):
            known.append(drawn)
        self._look_at_tournament(drawn.tournament)

    def _look_at_tournament(self, tournament: str) -> None:
        looks = self._visits.pop(tournament, [])
        view = self.seat.tournaments.get(tournament)
        waiting = looks if view is None else [look for look in looks if not look.at(view)]
        self._visits[tournament] = waiting + self._visits.get(tournament, [])

    def _fail(self, looks: list[_Look], why: ClientError) -> None:
        for look in looks:
            if not look.future.done():
                look.future.set_exception(why)


def closed() -> NoConnection:
    """Why nothing more comes once the program itself has closed the client."""
    return NoConnection("the client is closed")
