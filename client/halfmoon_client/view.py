"""A room kept current: the snapshot of a room, after each of its broadcasts (Contract §5)."""

from typing import Any

from halfmoon.wire.messages import (
    AnyBroadcast,
    BoardView,
    Countdown,
    Lobby,
    Opened,
    OptionsChanged,
    Over,
    PlayerChanged,
    PlayerJoined,
    PlayerLeft,
    PlayerLine,
    Progress,
    Reaction,
    RoomSnapshot,
    Started,
)


def after(room: RoomSnapshot, message: AnyBroadcast, me: str) -> RoomSnapshot | None:
    """The room as it is after `message`, whose `n` comes next; `me` is the reader's player id.

    None where a broadcast doesn't tell enough, and the room has to be asked for again.
    """
    changed = _changed(room, message, me)
    return None if changed is None else _with(changed, n=message.n)


def with_board(room: RoomSnapshot, board: BoardView | None) -> RoomSnapshot:
    """The room with this as the reader's own board."""
    return _with(room, you=room.you.model_copy(update={"board": board}))


def _changed(room: RoomSnapshot, message: AnyBroadcast, me: str) -> RoomSnapshot | None:
    match message:
        case PlayerJoined():
            return _joined(room, message, me)
        case PlayerLeft():
            return _left(room, message)
        case PlayerChanged():
            return _player_changed(room, message, me)
        case OptionsChanged():
            return _with(
                room,
                options=message.options,
                seal=message.seal,
                code=message.code,
                coming=message.coming,
            )
        case Lobby():
            return _back_in_lobby(room, message)
        case Countdown(starts_at=starts_at):
            state = "lobby" if starts_at is None else "countdown"
            return _with(room, state=state, starts_at=starts_at)
        case Started():
            return _started(room, message)
        case Progress():
            return _progressed(room, message, me)
        case Over():
            return _over(room, message, me)
        case Opened():
            return _with(room, code=message.code)
        case Reaction():
            return room


def _with(room: RoomSnapshot, **changes: Any) -> RoomSnapshot:
    return room.model_copy(update=changes)


def _with_line(room: RoomSnapshot, player: str, **changes: Any) -> RoomSnapshot:
    lines = [
        line.model_copy(update=changes) if line.player == player else line for line in room.players
    ]
    return _with(room, players=lines)


def _line(room: RoomSnapshot, player: str) -> PlayerLine | None:
    return next((line for line in room.players if line.player == player), None)


def _newcomer(player: str, name: str, *, ready: bool, online: bool) -> PlayerLine:
    return PlayerLine(
        player=player,
        name=name,
        ready=ready,
        online=online,
        status="waiting",
        score=0,
        moves=0,
    )


def _joined(room: RoomSnapshot, message: PlayerJoined, me: str) -> RoomSnapshot:
    player, name, ready, online = message.player, message.name, message.ready, message.online
    if _line(room, player):
        return _with_line(room, player, name=name, ready=ready, online=online)
    if message.screen:
        mine = player == me
        return room if mine else _with(room, screens=(room.screens or 0) + 1)
    if message.as_ == "spectator":
        # The answer to one's own join comes first, and counts one already.
        return room if player == me else _with(room, spectators=room.spectators + 1)
    newcomer = _newcomer(player, name, ready=ready, online=online)
    return _with(room, players=[*room.players, newcomer])


def _left(room: RoomSnapshot, message: PlayerLeft) -> RoomSnapshot:
    line = _line(room, message.player)
    if message.screen:
        return _with(room, screens=max(0, (room.screens or 0) - 1) or None)
    if line is None:
        return _with(room, spectators=max(0, room.spectators - 1))
    if room.state in ("racing", "over") and line.status != "waiting":
        # Who raced stays listed until the rematch.
        return _with_line(room, message.player, online=False, ready=False)
    return _with(room, players=[other for other in room.players if other is not line])


def _player_changed(room: RoomSnapshot, message: PlayerChanged, me: str) -> RoomSnapshot | None:
    line = _line(room, message.player)
    if message.as_ == "player" and line is None:
        return None  # who comes in among the players, and where, is best asked for
    if message.as_ == "player":
        room = _with_line(room, message.player, ready=message.ready, online=message.online)
    elif line is not None:
        others = [other for other in room.players if other is not line]
        room = _with(room, players=others, spectators=room.spectators + 1)
    if message.player == me:
        room = _with(room, you=room.you.model_copy(update={"as_": message.as_}))
    if not message.host or room.host == message.player:
        return room
    if line is None:
        return None
    return _with(room, host=message.player, host_name=line.name)


def _back_in_lobby(room: RoomSnapshot, message: Lobby) -> RoomSnapshot | None:
    if not all(line.online for line in room.players):
        return None  # who left during the race goes now, who is merely offline stays
    lines = [_newcomer(line.player, line.name, ready=False, online=True) for line in room.players]
    return _with(
        with_board(room, None),
        state="lobby",
        options=message.options,
        seal=message.seal,
        code=message.code,
        coming=message.coming,
        draw=None,
        players=lines,
        starts_at=None,
        ends_at=None,
        race=None,
        last_race=room.race,
        standings=None,
        boards=None,
        w=None,
    )


def _started(room: RoomSnapshot, message: Started) -> RoomSnapshot:
    lines = [
        line.model_copy(
            update={
                "status": "racing" if line.player in message.players else "waiting",
                "score": 0,
                "moves": 0,
                "best": 0,
            }
        )
        for line in room.players
    ]
    return _with(
        with_board(room, None),
        state="racing",
        race=message.race,
        starts_at=message.starts_at,
        ends_at=message.ends_at,
        seal=message.seal,
        code=message.code,
        coming=None,
        players=lines,
        standings=None,
        boards=None,
        w=None,
    )


def _progressed(room: RoomSnapshot, message: Progress, me: str) -> RoomSnapshot:
    for line in message.players:
        room = _with_line(
            room,
            line.player,
            score=line.score,
            moves=line.moves,
            status=line.status,
            best=line.best,
            actions=line.actions,
        )
        if line.player == me:
            room = _ended(room, line.status)
    return room


def _over(room: RoomSnapshot, message: Over, me: str) -> RoomSnapshot:
    for line in message.standings:
        room = _with_line(room, line.player, score=line.score, moves=line.moves, status=line.status)
        if line.player == me:
            room = _ended(room, line.status)
    return _with(
        room,
        state="over",
        race=message.race,
        code=message.code,
        seal=message.seal,
        standings=message.standings,
        draw=message.draw,
    )


def _ended(room: RoomSnapshot, status: str) -> RoomSnapshot:
    """The room with the reader's own race ended, where the board itself doesn't say so."""
    if room.you.board is None or status not in ("retired", "timed_out"):
        return room
    changes = {"status": status, "can_undo": False}
    return with_board(room, room.you.board.model_copy(update=changes))
