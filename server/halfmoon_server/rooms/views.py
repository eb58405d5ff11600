"""What each viewer may see of a room: the only maker of outgoing room messages (Contract §7).

A racer is told of another's board only what `progress` holds. Those who watch see no boards.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from halfmoon.engine.cards import Card
from halfmoon.engine.codes import Code
from halfmoon.engine.run import Run
from halfmoon.engine.spots import PILES, RESERVE, Spot
from halfmoon.wire import messages as m
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.state import Member, Race, Room


@dataclass(frozen=True, slots=True)
class Told:
    """A message and whom it is for."""

    message: m.AnyMessage
    to: str | None = None
    """One player; None: everybody in the room."""


# Answers


def answer(
    kind: e.AnswerKind, before: Room, after: Room, player: str, re: str | None, n: int
) -> m.AnyMessage:
    """The answer to a command that took the room from `before` to `after`."""
    if kind == "moved":
        return _moved(before, after, player, re)
    if kind == "undone":
        return _undone(before, after, player, re)
    if kind == "room":
        return snapshot(after, player, n, re)
    if kind == "left":
        return m.Left(room=after.room, re=re)
    return m.Ok(room=after.room, re=re)


def _runs(before: Room, after: Room, player: str) -> tuple[Run, Run, bool]:
    assert before.race is not None, "only racers act"
    assert after.race is not None, "no race ends by a move alone"
    return before.race.seats[player].run, after.race.seats[player].run, after.options.undo


def _moved(before: Room, after: Room, player: str, re: str | None) -> m.Moved:
    was, run, _ = _runs(before, after, player)
    move = run.board.history[-1]
    removed = [was.board.exposed(spot) for spot in move]
    return m.Moved(
        room=after.room,
        turn=run.board.turn,
        removed=[card for card in removed if card is not None],
        revealed={spot: run.board.exposed(spot) for spot in move},
        score=run.board.score,
        moves=run.board.moves,
        status=run.status,
        at_ms=run.at_ms,
        re=re,
    )


def _undone(before: Room, after: Room, player: str, re: str | None) -> m.Undone:
    was, run, _ = _runs(before, after, player)
    restored: dict[Spot, Card] = {}
    for spot in was.board.history[-1]:
        card = run.board.exposed(spot)
        assert card is not None, "the card went back there"
        restored[spot] = card
    return m.Undone(
        room=after.room,
        turn=run.board.turn,
        restored=restored,
        score=run.board.score,
        moves=run.board.moves,
        status=run.status,
        at_ms=run.at_ms,
        re=re,
    )


def board_view(run: Run, *, undo: bool) -> m.BoardView:
    """A board as its own player sees it; `undo`: whether the race allows it."""
    board = run.board
    return m.BoardView(
        turn=board.turn,
        piles=[
            m.PileView(top=board.exposed(spot), count=count)
            for spot, count in zip(PILES, board.counts, strict=False)
        ],
        reserve=[board.exposed(spot) for spot in RESERVE],
        score=board.score,
        moves=board.moves,
        status=run.status,
        can_undo=undo and board.can_undo and not run.is_done(undo=undo),
    )


def snapshot(room: Room, player: str, n: int, re: str | None = None) -> m.RoomSnapshot:
    """The room as this member sees it; `n` is the number of the last broadcast."""
    race = room.race
    return m.RoomSnapshot(
        room=room.room,
        n=n,
        state=room.state,
        host=room.host,
        host_name=room.host_name,
        options=room.options,
        seal=room.seal,
        code=_code(room),
        players=[*_lines(room)],
        spectators=sum(1 for member in room.members.values() if not member.is_player),
        starts_at=_starts_at(room),
        ends_at=None if race is None else race.ends_at,
        race=None if race is None else race.race,
        standings=None if race is None or race.over_at is None else [*race.standings],
        you=_you(room, player),
        re=re,
    )


def _starts_at(room: Room) -> int | None:
    if room.upcoming is not None:
        return room.upcoming.starts_at
    return None if room.race is None else room.race.starts_at


def _you(room: Room, player: str) -> m.You:
    seat = room.seat(player)
    board = None if seat is None else board_view(seat.run, undo=room.options.undo)
    if board is not None and room.state == "over":
        board = board.model_copy(update={"can_undo": False})
    return m.You(as_=room.members[player].as_, board=board)


def _lines(room: Room) -> Iterator[m.PlayerLine]:
    """Players in the order in which they came, then racers who have left."""
    for member in room.players():
        yield _line(room, member.player, member.name, member)
    for seat in () if room.race is None else room.race.seats.values():
        if seat.player not in room.members:
            yield _line(room, seat.player, seat.name, None)


def _line(room: Room, player: str, name: str, member: Member | None) -> m.PlayerLine:
    seat = room.seat(player)
    return m.PlayerLine(
        player=player,
        name=name,
        ready=member is not None and member.ready,
        online=member is not None and member.is_online,
        status=room.status(player),
        score=0 if seat is None else seat.run.board.score,
        moves=0 if seat is None else seat.run.board.moves,
    )


# Broadcasts


def told(before: Room, event: e.Event, after: Room, n: int) -> list[Told]:
    """What an event makes everybody hear; broadcasts are numbered from `n` + 1 on.

    What racers' actions make others hear is `progress`, which is told by the tick and not by event.
    """
    return [*_told(before, event, after, n)]


def _told(before: Room, event: e.Event, after: Room, n: int) -> Iterator[Told]:
    room = after.room
    match event:
        case e.MemberJoined():
            yield Told(_joined(after, event.player, n + 1))
        case e.MemberLeft():
            yield Told(m.PlayerLeft(room=room, n=n + 1, player=event.player, why=event.why))
        case e.WentOnline() | e.WentOffline() | e.RoleChanged() | e.ReadySet():
            yield Told(_changed(after, event.player, n + 1))
        case e.HostChanged():
            for number, who in enumerate(_hosts(before, after), start=n + 1):
                yield Told(_changed(after, who, number))
        case e.OptionsSet():
            yield Told(
                m.OptionsChanged(
                    room=room, n=n + 1, options=after.options, seal=after.seal, code=_code(after)
                )
            )
        case e.RematchOpened():
            yield Told(
                m.Lobby(
                    room=room, n=n + 1, options=after.options, seal=after.seal, code=_code(after)
                )
            )
        case e.CountdownStarted():
            yield Told(m.Countdown(room=room, n=n + 1, starts_at=event.starts_at))
        case e.CountdownCalledOff():
            yield Told(m.Countdown(room=room, n=n + 1, starts_at=None, why="nobody_ready"))
        case e.RaceStarted():
            yield from _started(after, n + 1)
        case e.RaceOver():
            yield Told(_over(after, n + 1))
        case _:
            return


def _code(room: Room) -> Code | None:
    """The code as far as it may be told by now."""
    return room.code if room.is_code_public else None


def _hosts(before: Room, after: Room) -> list[str]:
    """The old host, where still in the room, and the new one, who may be the same come back."""
    return [who for who in dict.fromkeys((before.host, after.host)) if who in after.members]


def _joined(room: Room, player: str, n: int) -> m.PlayerJoined:
    member = room.members[player]
    return m.PlayerJoined(
        room=room.room,
        n=n,
        player=player,
        name=member.name,
        as_=member.as_,
        ready=member.ready,
        online=member.is_online,
    )


def _changed(room: Room, player: str, n: int) -> m.PlayerChanged:
    member = room.members[player]
    return m.PlayerChanged(
        room=room.room,
        n=n,
        player=player,
        as_=member.as_,
        ready=member.ready,
        online=member.is_online,
        host=player == room.host,
    )


def _race(room: Room) -> Race:
    assert room.race is not None, "the event says that there is a race"
    return room.race


def _started(room: Room, n: int) -> Iterator[Told]:
    race = _race(room)
    yield Told(
        m.Started(
            room=room.room,
            n=n,
            race=race.race,
            starts_at=race.starts_at,
            ends_at=race.ends_at,
            seal=room.seal,
            code=_code(room),
            players=[*race.seats],
        )
    )
    for seat in race.seats.values():
        board = board_view(seat.run, undo=room.options.undo)
        yield Told(m.BoardDealt(room=room.room, board=board), to=seat.player)


def _over(room: Room, n: int) -> m.Over:
    race = _race(room)
    return m.Over(
        room=room.room,
        n=n,
        race=race.race,
        code=room.code,
        seal=room.seal,
        standings=[*race.standings],
    )


def progress(room: Room, players: Iterable[str], n: int) -> m.Progress:
    """How these racers stand now, as broadcast number `n`."""
    lines: list[m.ProgressLine] = []
    for player in players:
        run = _race(room).seats[player].run
        lines.append(
            m.ProgressLine(
                player=player,
                score=run.board.score,
                moves=run.board.moves,
                status=run.status,
                best=run.best,
                at_ms=run.at_ms,
            )
        )
    return m.Progress(room=room.room, n=n, players=lines)
