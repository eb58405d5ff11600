"""What a program plays with: a client, the rooms that it is in, and the races that it runs."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import TypedDict, TypeVar, Unpack

from halfmoon.engine.codes import Code
from halfmoon.engine.draws import NONCE_BYTES
from halfmoon.engine.options import Ends
from halfmoon.engine.spots import Move as MoveSpots
from halfmoon.engine.standings import Standing
from halfmoon.wire.commands import (
    As,
    CreateRoom,
    Enter,
    JoinRoom,
    Kick,
    LeaveRoom,
    Move,
    Rematch,
    Retire,
    SetOptions,
    SetReady,
    Start,
    Undo,
)
from halfmoon.wire.errors import ErrorCode
from halfmoon.wire.messages import (
    BoardView,
    Entered,
    Left,
    Moved,
    Ok,
    RoomSnapshot,
    TournamentNews,
    Undone,
)
from halfmoon.wire.options import OptionChanges, Spectators
from halfmoon_client.board import legal_moves
from halfmoon_client.clock import ServerClock
from halfmoon_client.errors import CommandRefused, LeftRoom, RaceGone
from halfmoon_client.link import Link

T = TypeVar("T")


class Options(TypedDict, total=False):
    """The options of a room that are to be other than they are (Contract §5, options)."""

    code: Code | str | None
    """A typed game code; None goes back to a sealed deal."""
    time_limit_ms: int | None
    undo: bool
    ends: Ends
    max_players: int
    public: bool
    spectators: Spectators
    spectator_delay_ms: int
    reactions: bool
    countdown_ms: int


class Client:
    """A player who is connected to a server; `connect` makes one.

    What it awaits may be given up at any time: a command that was given stays given, and is
    answered once, through however many connections. Everything raises `NoConnection` once there
    will be no connection any more.
    """

    def __init__(self, link: Link) -> None:
        self._link = link

    @property
    def player(self) -> str:
        """The player's id, which everybody may know."""
        assert self._link.seat.player is not None, "a client is welcomed before anybody has it"
        return self._link.seat.player

    @property
    def name(self) -> str:
        """The name as everybody is shown it."""
        return self._link.seat.name or ""

    @property
    def token(self) -> str:
        """The player's secret: give it to `connect` another time to be the same player."""
        return self._link.seat.token or ""

    @property
    def clock(self) -> ServerClock:
        """The server's time."""
        return self._link.clock

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection now; where not, the client is on its way back."""
        return self._link.is_connected

    async def create(self, **options: Unpack[Options]) -> "Room":
        """A new room, whose host and player one is.

        Raises `CommandRefused`, and ValueError for an option that there isn't.
        """
        command = CreateRoom(options=_changes(options))
        return Room(self._link, (await self._link.ask(command, RoomSnapshot)).room)

    async def race_challenge(self, challenge: str, **options: Unpack[Options]) -> "Room":
        """A room on the deal of this challenge, by its rules and with its ghosts.

        Where the challenge is a sealed envelope it is one's only room for it. Raises
        `CommandRefused`, also where one has started there already.
        """
        command = CreateRoom(challenge=challenge, options=_changes(options))
        return Room(self._link, (await self._link.ask(command, RoomSnapshot)).room)

    async def race_daily(self, **options: Unpack[Options]) -> "Room":
        """One's only room for the day's deal. Raises `CommandRefused`, also once one has started."""
        command = CreateRoom(daily=True, options=_changes(options))
        return Room(self._link, (await self._link.ask(command, RoomSnapshot)).room)

    async def join(self, room: str, as_: As = "player") -> "Room":
        """The room of this id, in any case; one may be in it already. Raises `CommandRefused`."""
        command = JoinRoom(room=room, as_=as_)
        return Room(self._link, (await self._link.ask(command, RoomSnapshot)).room)

    async def enter(self, tournament: str, claim: str | None = None) -> "Tournament":
        """An entry of this tournament: by its claim, or as whoever comes where that is open.

        The same player comes back to it without a claim. Raises `CommandRefused`.
        """
        command = Enter(tournament=tournament, claim=claim)
        entered = await self._link.ask(command, Entered)
        return Tournament(self._link, entered.tournament, entered.entrant)


class Tournament:
    """A tournament in which one has an entry."""

    def __init__(self, link: Link, tournament: str, entrant: str) -> None:
        self._link = link
        self._heats = 0
        self.id = tournament
        self.entrant = entrant
        """One's own entry, by which the state and the table name one."""

    async def view(self) -> TournamentNews:
        """The tournament as it is now: entrants, heats with results, what comes next."""
        return await self._link.look_at(self.id, lambda view: view)

    async def heat(self) -> "Room | None":
        """The room of one's heat that runs, or of the next once it is drawn; each is given once.

        None once the tournament is over. In the room, `race()` is the race.
        """
        room = await self._link.look_at(self.id, self._next)
        if room == "":
            return None
        return Room(self._link, (await self._link.ask(JoinRoom(room=room), RoomSnapshot)).room)

    def _next(self, view: TournamentNews) -> str | None:
        over = {heat.room for heat in view.heats if heat.state == "over"}
        for drawn in self._link.heats.get(self.id, [])[self._heats :]:
            self._heats += 1
            if drawn.room not in over:
                return drawn.room
        return "" if view.state == "over" else None


class Room:
    """A room that one is in. Its verbs raise `CommandRefused`."""

    def __init__(self, link: Link, room: str) -> None:
        self._link = link
        self.id = room

    @property
    def view(self) -> RoomSnapshot:
        """The room as it is now: players, host, options, standings. Raises `LeftRoom`."""
        try:
            return self._link.seat.rooms[self.id]
        except KeyError:
            raise LeftRoom(self.id, "left") from None

    async def ready(self, ready: bool = True) -> None:
        """Says that one is ready for the race, or isn't.

        With it goes a random share in the choice of the deal (`halfmoon.engine.draws`); it stands
        in the race's record among the `draw`'s nonces.
        """
        nonce = secrets.token_hex(NONCE_BYTES) if ready else None
        await self._link.ask(SetReady(room=self.id, ready=ready, nonce=nonce), Ok)

    async def start(self) -> None:
        """Starts the countdown. Host only."""
        await self._link.ask(Start(room=self.id), Ok)

    async def set_options(self, **options: Unpack[Options]) -> None:
        """Changes the options that are named. Host only. Raises ValueError for what is none."""
        await self._link.ask(SetOptions(room=self.id, options=_changes(options)), Ok)

    async def kick(self, player: str) -> None:
        """Puts the player of this id out for good. Host only."""
        await self._link.ask(Kick(room=self.id, player=player), Ok)

    async def rematch(self, code: Code | str | None = None) -> None:
        """Takes everybody back to the lobby, for a new sealed deal or that of a code. Host only."""
        command = Rematch(room=self.id) if code is None else Rematch(room=self.id, code=_code(code))
        await self._link.ask(command, Ok)

    async def leave(self) -> None:
        """Leaves for good."""
        await self._link.ask(LeaveRoom(room=self.id), Left)

    async def until(self, find: Callable[[RoomSnapshot], T | None]) -> T:
        """What `find` gives for the room, as soon as that isn't None.

        Looks at the room now and after every change, so nothing is missed between two of them.
        Raises `LeftRoom`.
        """
        return await self._link.look(self.id, find)

    async def race(self) -> "Race":
        """The race that one runs in this room now, or the next one, once it has started.

        Raises `LeftRoom`, and `RaceGone` where it was a heat and is over: none follows in its room.
        """
        return await self.until(self._race_in)

    def _race_in(self, view: RoomSnapshot) -> "Race | None":
        if view.heat and view.state == "over" and view.race is not None:
            raise RaceGone(view.race)
        if view.state != "racing" or view.race is None or view.you.board is None:
            return None
        return Race(self._link, self.id, view.race, view.you.board)


class Race:
    """A race that one runs. Its verbs raise `CommandRefused`."""

    def __init__(self, link: Link, room: str, race: str, board: BoardView) -> None:
        self._link = link
        self._room = room
        self.id = race
        self.board = board
        """One's own board as it is now, as far as it is exposed."""
        self._turns = asyncio.Lock()
        self._standings = link.look(room, self._follow)

    @property
    def is_over(self) -> bool:
        """Whether the race is over for everybody."""
        return self._standings.done()

    def legal_moves(self) -> list[MoveSpots]:
        """The moves that the exposed cards offer, each once; none once one is done."""
        return legal_moves(self.board)

    async def move(self, spots: Sequence[str]) -> Moved:
        """Removes the exposed cards of two or three spots."""
        async with self._turns:
            command = Move(room=self._room, turn=self.board.turn, spots=list(spots))
            return await self._link.ask(command, Moved)

    async def undo(self) -> Undone:
        """Takes the last move back."""
        async with self._turns:
            return await self._link.ask(Undo(room=self._room, turn=self.board.turn), Undone)

    async def retire(self) -> None:
        """Ends one's race with what one has."""
        async with self._turns:
            await self._link.ask(Retire(room=self._room), Ok)

    async def standings(self) -> list[Standing]:
        """The standings, best first, once the race is over for everybody.

        Raises `LeftRoom`, and `RaceGone` where the end of the race wasn't heard.
        """
        return await asyncio.shield(self._standings)

    async def finish(self) -> list[Standing]:
        """Retires, unless one is done; then the standings, once everybody is done."""
        if not self.is_over and self.board.status in ("racing", "deadlocked"):
            try:
                await self.retire()
            except CommandRefused as refusal:
                # The time may be up, or a deadlock the end where nothing can be undone.
                if refusal.code is not ErrorCode.WRONG_STATE:
                    raise
        return await self.standings()

    def _follow(self, view: RoomSnapshot) -> list[Standing] | None:
        if view.race != self.id:
            raise RaceGone(self.id)
        self.board = view.you.board or self.board
        return view.standings


def _changes(options: Options) -> OptionChanges:
    named: dict[str, object] = dict(options)
    if "code" in options:
        named["code"] = _code(options["code"])
    return OptionChanges.model_validate(named)


def _code(code: Code | str | None) -> Code | None:
    return Code.parse(code) if isinstance(code, str) else code
