"""What the server says (Contract §5): answers and broadcasts, one union on `type`."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from halfmoon.engine.board import BoardStatus
from halfmoon.engine.cards import Card
from halfmoon.engine.codes import Code
from halfmoon.engine.ghosts import GhostOf
from halfmoon.engine.record import Commit, Draw, OnlyTrue
from halfmoon.engine.run import RunStatus
from halfmoon.engine.spots import Spot
from halfmoon.engine.standings import Standing
from halfmoon.wire.commands import As, ReactionKind
from halfmoon.wire.errors import Bar, ErrorCode, Reason
from halfmoon.wire.fields import Count, Maybe, Milliseconds, Moment, PlayerId, RaceId, RoomId, Seal
from halfmoon.wire.options import RoomOptions
from halfmoon.wire.tournaments import EntrantId, TournamentId, TournamentState

_MODEL = ConfigDict(defer_build=True, frozen=True, strict=True, populate_by_name=True)

PlayerStatus = Literal["waiting"] | RunStatus
RoomState = Literal["lobby", "countdown", "racing", "over"]
FACE_DOWN: Final = "??"
ShownCard = Card | Literal["??"]
"""A card, or `??` for one that those who watch may not see yet (Contract §7)."""


class Part(BaseModel):
    """A piece of a message. A reader ignores fields that it doesn't know."""

    model_config = _MODEL


class Message(BaseModel):
    """A whole message."""

    model_config = _MODEL


class PileView(Part):
    """A tableau pile as its player sees it."""

    top: Card | None
    count: Annotated[int, Field(ge=0, le=8)]


class BoardView(Part):
    """A board as its own player sees it (Contract §5, *Boards*)."""

    turn: Count
    """Actions (moves and undos) made on it."""
    piles: Annotated[list[PileView], Field(min_length=12, max_length=12)]
    reserve: Annotated[list[Card | None], Field(min_length=8, max_length=8)]
    score: Count
    moves: Count
    status: RunStatus
    can_undo: bool


class WatchedPile(Part):
    """A tableau pile as those who watch see it."""

    top: ShownCard | None
    count: Annotated[int, Field(ge=0, le=8)]


class WatchedBoard(Part):
    """A board as those who watch see it: after as many actions as may be seen."""

    turn: Count
    piles: Annotated[list[WatchedPile], Field(min_length=12, max_length=12)]
    reserve: Annotated[list[Card | None], Field(min_length=8, max_length=8)]
    score: Count
    moves: Count
    status: Maybe[BoardStatus] = None
    """By its cards; left out while one lies face down."""


class ComingDraw(Part):
    """What the server has bound itself to before any player's nonce was known."""

    commit: Commit
    """Hex SHA-256 of the secret that the deal is made of."""
    race: RaceId
    """The id of the race to come, a part of the sum."""


class ServerInfo(Part):
    """What answers."""

    version: str


class PlayerLine(Part):
    """A player in the snapshot of a room."""

    player: PlayerId
    name: str
    ready: bool
    online: bool
    status: PlayerStatus
    score: Count
    moves: Count
    best: Maybe[Count] = None
    """The highest score so far; there once the player has a seat."""
    number: Maybe[Count] = None
    """Shown beside the name where it looks like that of somebody who was there before: 2, 3, …"""
    ghost: Maybe[GhostOf] = None
    """Where nobody races but a recorded run does: whose it is."""
    actions: Maybe[Count] = None
    """See `ProgressLine.actions`."""


class You(Part):
    """What the snapshot of a room says to its reader alone."""

    as_: Annotated[As, Field(alias="as")]
    board: Maybe[BoardView] = None


class HeatOf(Part):
    """What a room is a heat of."""

    tournament: TournamentId
    round: Count


class ProgressLine(Part):
    """How a player stands: all that rivals are told."""

    player: PlayerId
    score: Count
    moves: Count
    status: RunStatus
    best: Count
    at_ms: Milliseconds
    """The player's last change, from the start of the race."""
    actions: Maybe[Count] = None
    """Moves and undos made: how far the board is, of which those who watch may see an earlier `turn`.
    Told to them alone."""


# Answers


class Welcome(Message):
    """Answer to `hello`."""

    type: Literal["welcome"] = "welcome"
    player: PlayerId
    name: str
    token: str
    server: ServerInfo
    at: Moment
    re: Maybe[str] = None


class ClockAnswer(Message):
    """Answer to `clock`: the value sent, and the server's time."""

    type: Literal["clock"] = "clock"
    t: Count
    at: Moment
    re: Maybe[str] = None


class RoomSnapshot(Message):
    """A room as one of its people sees it: everything needed to go on."""

    type: Literal["room"] = "room"
    room: RoomId
    n: Count
    """The number of the last broadcast that this snapshot holds."""
    state: RoomState
    host: PlayerId
    host_name: str
    options: RoomOptions
    seal: Seal
    code: Maybe[Code] = None
    coming: Maybe[ComingDraw] = None
    """Before the race, where server and racers draw the deal together."""
    draw: Maybe[Draw] = None
    """After such a race: what the deal was made of."""
    players: list[PlayerLine]
    spectators: Count
    screens: Maybe[Count] = None
    """Walls and overlays, which `spectators` doesn't count; absent where there are none."""
    starts_at: Maybe[Moment] = None
    ends_at: Maybe[Moment] = None
    race: Maybe[RaceId] = None
    last_race: Maybe[RaceId] = None
    """After a rematch: the race before it, whose record can be looked at."""
    standings: Maybe[list[Standing]] = None
    w: Maybe[Count] = None
    """The number of the last news of boards that `boards` holds."""
    boards: Maybe[dict[PlayerId, WatchedBoard]] = None
    """Every seat's board, for those who may watch."""
    courses: Maybe[
        dict[PlayerId, list[Annotated[list[Count], Field(min_length=2, max_length=2)]]]
    ] = None
    """While a race runs: how the scores of the best went so far, a racer's points oldest first, each
    `[at_ms, score]`, the score from then on. Of very many points some are left out."""
    heat: Maybe[HeatOf] = None
    """There where the room is a heat of a tournament: it has no host then, `host` is empty."""
    contest: Maybe[str] = None
    """What the race belongs to, such as `daily/2026-11-30`: deal and rules are fixed there."""
    you: You
    re: Maybe[str] = None


class OwnPart(Part):
    """The last fields of a `RoomSnapshot`: those that are its reader's alone."""

    you: You
    re: Maybe[str] = None


class Ok(Message):
    """Answer to a command that has nothing more to say."""

    type: Literal["ok"] = "ok"
    room: RoomId
    re: Maybe[str] = None


class Left(Message):
    """Answer to `leave_room`."""

    type: Literal["left"] = "left"
    room: RoomId
    re: Maybe[str] = None


class Entered(Message):
    """Answer to `enter`."""

    type: Literal["entered"] = "entered"
    tournament: TournamentId
    entrant: EntrantId
    re: Maybe[str] = None


class Moved(Message):
    """Answer to `move`."""

    type: Literal["moved"] = "moved"
    room: RoomId
    turn: Count
    removed: list[Card]
    """The cards that went, in the order of the move's `spots`."""
    revealed: dict[Spot, Card | None]
    """Every spot of the move with the card now exposed there."""
    score: Count
    moves: Count
    status: RunStatus
    at_ms: Milliseconds
    re: Maybe[str] = None


class Undone(Message):
    """Answer to `undo`."""

    type: Literal["undone"] = "undone"
    room: RoomId
    turn: Count
    restored: dict[Spot, Card]
    score: Count
    moves: Count
    status: RunStatus
    at_ms: Milliseconds
    re: Maybe[str] = None


class Error(Message):
    """The command changed nothing, and why. The connection stays."""

    type: Literal["error"] = "error"
    code: ErrorCode
    message: str
    """For developers, in English; a page says it in the player's language by `code`."""
    room: Maybe[RoomId] = None
    reason: Maybe[Reason] = None
    """With `illegal_move`."""
    bar: Maybe[Bar] = None
    """With `not_allowed`, to who wants to come in: what is in the way."""
    board: Maybe[BoardView] = None
    """With `stale_turn`: the board as it is."""
    retry_ms: Maybe[Milliseconds] = None
    """With `rate_limited`: when it is worth trying again."""
    re: Maybe[str] = None


# Broadcasts to everybody in the room


class Broadcast(Message):
    """What everybody in a room is told; `n` counts up by one."""

    room: RoomId
    n: Count


class PlayerJoined(Broadcast):
    """Somebody came, as a player or to watch."""

    type: Literal["player_joined"] = "player_joined"
    player: PlayerId
    name: str
    as_: Annotated[As, Field(alias="as")]
    ready: bool
    online: bool
    number: Maybe[Count] = None
    """Shown beside the name where it looks like that of somebody who was there before: 2, 3, …"""
    screen: Maybe[OnlyTrue] = None
    """Whether it is a wall or an overlay, which isn't counted among the spectators."""


class PlayerLeft(Broadcast):
    """Somebody left for good; who left during a race stays listed until the rematch."""

    type: Literal["player_left"] = "player_left"
    player: PlayerId
    why: Literal["left", "kicked"]
    screen: Maybe[OnlyTrue] = None
    """As in `player_joined`."""


class PlayerChanged(Broadcast):
    """Role, ready mark, presence or the host's office of somebody changed."""

    type: Literal["player_changed"] = "player_changed"
    player: PlayerId
    name: Maybe[str] = None
    as_: Annotated[As, Field(alias="as")]
    ready: bool
    online: bool
    host: bool
    number: Maybe[Count] = None
    """Shown beside the name where it looks like that of somebody who was there before: 2, 3, …"""


class OptionsChanged(Broadcast):
    """The options as they are now."""

    type: Literal["options"] = "options"
    options: RoomOptions
    seal: Seal
    code: Maybe[Code] = None
    coming: Maybe[ComingDraw] = None


class Lobby(Broadcast):
    """The same people in the lobby again, nobody ready, with a new deal."""

    type: Literal["lobby"] = "lobby"
    options: RoomOptions
    seal: Seal
    code: Maybe[Code] = None
    coming: Maybe[ComingDraw] = None


class Countdown(Broadcast):
    """The race will start; or, with null, was called off."""

    type: Literal["countdown"] = "countdown"
    starts_at: Moment | None
    why: Maybe[Literal["nobody_ready"]] = None


class Started(Broadcast):
    """The race runs."""

    type: Literal["started"] = "started"
    race: RaceId
    starts_at: Moment
    ends_at: Maybe[Moment] = None
    seal: Seal
    code: Maybe[Code] = None
    players: list[PlayerId]
    """Those who race."""


class Progress(Broadcast):
    """How some players stand now; many changes within a tick travel in one."""

    type: Literal["progress"] = "progress"
    players: list[ProgressLine]


class Over(Broadcast):
    """The race is over: its deal is told, and who came in how."""

    type: Literal["over"] = "over"
    race: RaceId
    code: Maybe[Code] = None
    """Left out while another heat of the same round runs; `opened` brings it then."""
    seal: Seal
    standings: list[Standing]
    draw: Maybe[Draw] = None
    """What the deal was made of, where server and racers drew it together."""


class Opened(Broadcast):
    """All heats of the round are over: the deal of this one is told."""

    type: Literal["opened"] = "opened"
    race: RaceId
    code: Code


class Reaction(Broadcast):
    """Somebody shows a sign."""

    type: Literal["reaction"] = "reaction"
    player: PlayerId
    reaction: ReactionKind


class BoardDealt(Message):
    """To each racer, after `started`: their own board."""

    type: Literal["board"] = "board"
    room: RoomId
    board: BoardView


# News of boards, to those who may watch


class Boards(Message):
    """All boards, to each who may watch from now on."""

    type: Literal["boards"] = "boards"
    room: RoomId
    w: Count
    """The number of the last news that these boards hold."""
    boards: dict[PlayerId, WatchedBoard]


class SeatNews(Message):
    """News of one watched board; `w` counts up by one."""

    room: RoomId
    w: Count
    player: PlayerId


class SeatMoved(SeatNews):
    """A racer's move, as far as it may be seen."""

    type: Literal["seat_moved"] = "seat_moved"
    turn: Count
    removed: list[Card]
    revealed: dict[Spot, ShownCard | None]
    score: Count
    moves: Count
    status: Maybe[BoardStatus] = None
    at_ms: Milliseconds


class SeatUndone(SeatNews):
    """A racer took a move back."""

    type: Literal["seat_undone"] = "seat_undone"
    turn: Count
    restored: dict[Spot, Card]
    score: Count
    moves: Count
    status: Maybe[BoardStatus] = None
    at_ms: Milliseconds


class SeatUnmasked(SeatNews):
    """Cards that were sent as `??` may be seen now."""

    type: Literal["seat_unmasked"] = "seat_unmasked"
    cards: dict[Spot, Card]
    status: Maybe[BoardStatus] = None
    """There once no card of the board lies face down any more."""


# News of a tournament


class TournamentNews(Message, TournamentState):
    """A tournament as it is now: on every change to its entrants and to those who follow it."""

    type: Literal["tournament"] = "tournament"
    re: Maybe[str] = None


class RoundDrawn(Message):
    """To an entrant whose heat is drawn: where it is raced, and when."""

    type: Literal["round"] = "round"
    tournament: TournamentId
    round: Count
    room: RoomId
    starts_at: Moment


AnyNews = Boards | SeatMoved | SeatUndone | SeatUnmasked
Answer = (
    Welcome
    | ClockAnswer
    | RoomSnapshot
    | Ok
    | Left
    | Entered
    | TournamentNews
    | Moved
    | Undone
    | Error
)
AnyBroadcast = (
    PlayerJoined
    | PlayerLeft
    | PlayerChanged
    | OptionsChanged
    | Lobby
    | Countdown
    | Started
    | Progress
    | Over
    | Opened
    | Reaction
)
AnyMessage = Answer | AnyBroadcast | BoardDealt | AnyNews | RoundDrawn
