"""What each viewer may see of a room: the only maker of outgoing room messages (Contract §7).

A racer is told of another's board only what `progress` holds, until done. Those who watch see of
boards what `watching` lets them see.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from halfmoon.engine.board import Board, BoardStatus
from halfmoon.engine.cards import Card
from halfmoon.engine.codes import Code
from halfmoon.engine.draws import commit_of
from halfmoon.engine.record import Draw
from halfmoon.engine.run import Run
from halfmoon.engine.spots import PILES, RESERVE, Spot
from halfmoon.wire import messages as m
from halfmoon.wire.errors import Bar, ErrorCode
from halfmoon.wire.http import RoomGlance
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.commands import Refusal
from halfmoon_server.rooms.courses import courses_of
from halfmoon_server.rooms.state import Member, Race, Room
from halfmoon_server.rooms.watching import SeatUnmasked, Sight, Watch, WatchedSeat

Made = dict[str, tuple[WatchedSeat, m.WatchedBoard]]
"""Boards as they were last made, each with the seat that it shows."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What those who watch have been shown of boards, and the number of the last news of it."""

    watch: Watch
    w: int
    made: Made = field(default_factory=dict[str, tuple[WatchedSeat, m.WatchedBoard]], compare=False)


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


def snapshot(
    room: Room, player: str, n: int, re: str | None = None, shown: Shown | None = None
) -> m.RoomSnapshot:
    """The room as this member sees it; `n` is the number of the last broadcast.

    `shown` is what those who watch have been shown by now; it is told to them alone.
    """
    race = room.race
    watching = [member for member in room.members.values() if not member.is_player]
    if not may_watch(room, player):
        shown = None
    return m.RoomSnapshot(
        room=room.room,
        n=n,
        state=room.state,
        host=room.host,
        host_name=room.host_name,
        options=room.options,
        seal=room.seal,
        code=_code(room),
        coming=_coming(room),
        draw=_draw(room),
        players=[_counted(room, line) if shown else line for line in _lines(room)],
        spectators=sum(1 for member in watching if not member.is_screen),
        screens=sum(1 for member in watching if member.is_screen) or None,
        starts_at=_starts_at(room),
        ends_at=None if race is None else race.ends_at,
        race=None if race is None else race.race,
        last_race=room.last_race,
        standings=None if race is None or race.over_at is None else [*race.standings],
        w=None if shown is None else shown.w,
        boards=None if shown is None else watched_boards(shown.watch, shown.made),
        courses=_courses(room),
        contest=room.contest,
        heat=_heat_of(room),
        you=_you(room, player),
        re=re,
    )


def glance(room: Room, player: str | None, bar: Bar | None) -> RoomGlance:
    """The room as its link tells of it to somebody, or to nobody in particular."""
    race = room.race
    watching = sum(1 for member in room.members.values() if not member.is_player)
    screens = sum(1 for member in room.members.values() if member.is_screen)
    member = None if player is None else room.members.get(player)
    return RoomGlance(
        room=room.room,
        state=room.state,
        host_name=room.host_name,
        players=len(room.members) - watching,
        max_players=room.options.max_players,
        spectators=watching - screens,
        watching=room.options.spectators,
        starts_at=_starts_at(room),
        ends_at=None if race is None else race.ends_at,
        heat=_heat_of(room),
        bar=bar,
        you=None if member is None else member.as_,
    )


def own(room: Room, player: str, re: str | None = None) -> m.OwnPart:
    """What in a snapshot is its reader's alone."""
    return m.OwnPart(you=_you(room, player), re=re)


def _courses(room: Room) -> dict[str, list[list[int]]] | None:
    """How the scores of the best went so far; once a race is over, its record tells it."""
    if room.race is None or room.state != "racing":
        return None
    return courses_of(room.race) or None


def _heat_of(room: Room) -> m.HeatOf | None:
    """The tournament and round of a heat, out of `tournament/T/ROUND`."""
    if not room.is_heat or room.contest is None:
        return None
    _, tournament, number = room.contest.split("/")
    return m.HeatOf(tournament=tournament, round=int(number))


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
    """Players in the order in which they came, then racers who have left, and ghosts."""
    for member in room.players():
        yield _line(room, member.player, member.name, member)
    if room.race is None:
        for ghost in room.ghosts_shown:
            yield _ghost_line(room, ghost)
    for seat in () if room.race is None else room.race.seats.values():
        if seat.ghost is not None:
            yield _ghost_line(room, seat.ghost)
        elif seat.player not in room.members:
            yield _line(room, seat.player, seat.name, None)


def _line(room: Room, player: str, name: str, member: Member | None) -> m.PlayerLine:
    seat = room.seat(player)
    person = member or seat
    return m.PlayerLine(
        player=player,
        name=name,
        ready=member is not None and member.ready,
        online=member is not None and member.is_online,
        status=room.status(player),
        score=0 if seat is None else seat.run.board.score,
        moves=0 if seat is None else seat.run.board.moves,
        best=None if seat is None else seat.run.best,
        number=None if person is None else person.number,
    )


def _counted(room: Room, line: m.PlayerLine) -> m.PlayerLine:
    """The line as those who watch are told it."""
    seat = room.seat(line.player)
    return line if seat is None else line.model_copy(update={"actions": seat.run.board.turn})


def _ghost_line(room: Room, ghost: e.Ghost) -> m.PlayerLine:
    """A ghost among the players: it is always there, and ready."""
    line = _line(room, ghost.player, ghost.name, None)
    return line.model_copy(update={"ready": True, "online": True, "ghost": ghost.of})


# Refusals


def refusal(why: Refusal, room: str, re: str | None) -> m.Error:
    """The error for a command that was not carried out."""
    return m.Error(
        code=why.code,
        message=why.message,
        room=room,
        reason=why.reason,
        board=why.board,
        retry_ms=why.retry_ms,
        bar=why.bar,
        re=re,
    )


def unknown_room(room: str, re: str | None) -> m.Error:
    """The error for a room that isn't there."""
    return m.Error(code=ErrorCode.UNKNOWN_ROOM, message="there is no such room", room=room, re=re)


def unavailable(room: str | None, re: str | None) -> m.Error:
    """The error where the log can't be read or written before anything of a room was changed."""
    return m.Error(
        code=ErrorCode.UNAVAILABLE,
        message="the log can't be read or written right now: try again in a moment",
        room=room,
        re=re,
    )


# Boards, for those who watch


def may_watch(room: Room, player: str) -> bool:
    """Whether this member may see boards: anybody but a racer who isn't done (Contract §7)."""
    if player not in room.members or room.options.spectators not in ("open", "fair"):
        return False
    seat = room.seat(player)
    return seat is None or room.state != "racing" or room.is_done(seat)


def watched_boards(watch: Watch, made: Made | None = None) -> dict[str, m.WatchedBoard]:
    """All boards as those who watch see them.

    With `made`, only those are made anew whose seats have changed since it was last handed in.
    """
    made = {} if made is None else made
    for player, seat in watch.seats.items():
        if player not in made or made[player][0] is not seat:
            made[player] = seat, _watched_board(seat)
    return {player: made[player][1] for player in watch.seats}


def boards(room: Room, shown: Shown) -> m.Boards:
    """All boards, for somebody who may watch from now on."""
    return m.Boards(room=room.room, w=shown.w, boards=watched_boards(shown.watch, shown.made))


def _watched_board(seat: WatchedSeat) -> m.WatchedBoard:
    board, hidden = seat.board, seat.hidden_spots
    return m.WatchedBoard(
        turn=board.turn,
        piles=[
            m.WatchedPile(top=_shown_card(board, spot, hidden), count=count)
            for spot, count in zip(PILES, board.counts, strict=False)
        ],
        reserve=board.reserve,
        score=board.score,
        moves=board.moves,
        status=_watched_status(seat),
    )


def _shown_card(board: Board, spot: Spot, hidden: Collection[Spot]) -> m.ShownCard | None:
    return m.FACE_DOWN if spot in hidden else board.exposed(spot)


def _watched_status(seat: WatchedSeat) -> BoardStatus | None:
    """By the cards alone, and not while one of them lies face down."""
    return None if seat.hidden else seat.board.status


def news(room: Room, sight: Sight, w: int) -> m.AnyNews:
    """What those who watch are told of one seat, as news number `w`."""
    after = sight.after
    if isinstance(sight, SeatUnmasked):
        still = after.hidden_spots
        spots: list[Spot] = [spot for spot in sight.before.hidden_spots if spot not in still]
        return m.SeatUnmasked(
            room=room.room,
            w=w,
            player=after.player,
            cards=_cards(after, spots),
            status=_watched_status(after),
        )
    board, action = after.board, sight.action
    if action.is_undo:
        return m.SeatUndone(
            room=room.room,
            w=w,
            player=after.player,
            turn=board.turn,
            restored=_cards(after, action.spots),
            score=board.score,
            moves=board.moves,
            status=_watched_status(after),
            at_ms=action.at_ms,
        )
    hidden = after.hidden_spots
    return m.SeatMoved(
        room=room.room,
        w=w,
        player=after.player,
        turn=board.turn,
        removed=[*_cards(sight.before, action.spots).values()],
        revealed={spot: _shown_card(board, spot, hidden) for spot in action.spots},
        score=board.score,
        moves=board.moves,
        status=_watched_status(after),
        at_ms=action.at_ms,
    )


def _cards(seat: WatchedSeat, spots: Iterable[Spot]) -> dict[Spot, Card]:
    cards: dict[Spot, Card] = {}
    for spot in spots:
        card = seat.board.exposed(spot)
        assert card is not None, "a card lies there"
        cards[spot] = card
    return cards


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
            screen = _screen(before.members[event.player])
            yield Told(
                m.PlayerLeft(room=room, n=n + 1, player=event.player, why=event.why, screen=screen)
            )
        case e.WentOnline() | e.WentOffline() | e.RoleChanged() | e.ReadySet():
            yield Told(_changed(after, event.player, n + 1))
        case e.SeatsHandedOver():
            # Of somebody whom nobody knows yet: clients ask for the room again, and have all seats.
            yield Told(_changed(after, next(iter(event.seats.values())), n + 1))
        case e.HostChanged():
            for number, who in enumerate(_hosts(before, after), start=n + 1):
                yield Told(_changed(after, who, number))
        case e.OptionsSet() | e.RematchOpened() | e.CodeDrawn():
            yield Told(_deal(event, after, n + 1))
        case e.Reacted():
            yield Told(m.Reaction(room=room, n=n + 1, player=event.player, reaction=event.reaction))
        case _:
            yield from _told_of_race(event, after, n)


def _told_of_race(event: e.Event, after: Room, n: int) -> Iterator[Told]:
    room = after.room
    match event:
        case e.CountdownStarted() | e.HeatSeated():
            yield Told(m.Countdown(room=room, n=n + 1, starts_at=event.starts_at))
        case e.CountdownCalledOff():
            yield Told(m.Countdown(room=room, n=n + 1, starts_at=None, why="nobody_ready"))
        case e.RaceStarted():
            yield from _started(after, n + 1)
        case e.RaceOver():
            yield Told(_over(after, n + 1))
        case e.RaceOpened():
            race = _race(after)
            yield Told(m.Opened(room=room, n=n + 1, race=race.race, code=after.code))
        case _:
            return


def _code(room: Room) -> Code | None:
    """The code as far as it may be told by now."""
    return room.code if room.is_code_public else None


def _coming(room: Room) -> m.ComingDraw | None:
    """What the server has bound itself to for the race to come."""
    drawing = room.drawing
    if drawing is None or room.race is not None:
        return None
    return m.ComingDraw(commit=commit_of(bytes.fromhex(drawing.secret)), race=drawing.race)


def _draw(room: Room) -> Draw | None:
    """What the deal was made of, once it may be told."""
    is_told = room.state == "over" and not room.is_shut
    return room.drawing.draw if room.drawing is not None and is_told else None


def _deal(event: e.Event, room: Room, n: int) -> m.Lobby | m.OptionsChanged:
    kind = m.Lobby if isinstance(event, e.RematchOpened) else m.OptionsChanged
    return kind(
        room=room.room,
        n=n,
        options=room.options,
        seal=room.seal,
        code=_code(room),
        coming=_coming(room),
    )


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
        number=member.number,
        screen=_screen(member),
    )


def _screen(member: Member) -> Literal[True] | None:
    return True if member.is_screen else None


def _changed(room: Room, player: str, n: int) -> m.PlayerChanged:
    member = room.members[player]
    return m.PlayerChanged(
        room=room.room,
        n=n,
        player=player,
        name=member.name,
        as_=member.as_,
        ready=member.ready,
        online=member.is_online,
        host=player == room.host,
        number=member.number,
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
    dealt: m.BoardDealt | None = None
    for seat in race.living:
        if dealt is None:  # all have the same: made once, and written once
            dealt = m.BoardDealt(room=room.room, board=board_view(seat.run, undo=room.options.undo))
        yield Told(dealt, to=seat.player)


def _over(room: Room, n: int) -> m.Over:
    race = _race(room)
    return m.Over(
        room=room.room,
        n=n,
        race=race.race,
        code=_code(room),
        seal=room.seal,
        standings=[*race.standings],
        draw=_draw(room),
    )


def progress(
    room: Room, players: Iterable[str], n: int, *, to_watchers: bool = False
) -> m.Progress:
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
                actions=run.board.turn if to_watchers else None,
            )
        )
    return m.Progress(room=room.room, n=n, players=lines)
