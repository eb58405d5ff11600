"""`decide(room, request, now)`: the events that a request leads to, or why it is refused.

Each function checks in the contract's order (§5, *Errors*): being in the room and having the role,
then the state of room, race or seat, then the turn, then the move itself. What is due by time
(`deadlines.due`) has happened before anything is asked.
"""

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from halfmoon.engine.codes import Code
from halfmoon.engine.draws import drawn_code
from halfmoon.engine.errors import EXPLANATIONS, Reason
from halfmoon.wire import commands as c
from halfmoon.wire.errors import Bar, ErrorCode
from halfmoon.wire.options import OptionChanges, RoomOptions
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.commands import (
    Asked,
    Chance,
    Dropped,
    EndRace,
    GiveUp,
    HandOver,
    OpenRace,
    Refusal,
    Reopen,
    Returned,
    RoomRequest,
    SeenElsewhere,
)
from halfmoon_server.rooms.deadlines import heir_of
from halfmoon_server.rooms.evolve import evolve
from halfmoon_server.rooms.lookalikes import number_among
from halfmoon_server.rooms.state import REACTION_EVERY_MS, Member, Room, Seat
from halfmoon_server.rooms.terms import LONGEST_COUNTDOWN_MS, Terms, fixed
from halfmoon_server.rooms.views import board_view

Outcome = tuple[e.Event, ...] | Refusal

BARS: dict[Bar, str] = {
    "alone": "this room is for one player alone",
    "put_out": "the host has put you out of this room",
    "no_spectators": "this room takes no spectators",
    "deal_shut": "this deal is shut until you have played it: come when another is prepared",
}
"""What keeps somebody out, in words for developers."""


def decide(room: Room, request: RoomRequest, now: int) -> Outcome:
    """The events that `request` leads to at `now` (Unix ms), or a refusal, which changes nothing."""
    if room.is_closed:
        gone = _refuse(ErrorCode.UNKNOWN_ROOM, "there is no such room")
        return gone if isinstance(request, Asked) else ()
    if isinstance(request, Asked):
        return _asked(room, request, now)
    if isinstance(request, Dropped):
        return _dropped(room, request, now)
    if isinstance(request, Returned):
        return _returned(room, request, now)
    if isinstance(request, Reopen):
        return _reopened(room, now)
    if isinstance(request, SeenElsewhere):
        return _seen_elsewhere(room, now)
    if isinstance(request, OpenRace):
        return _opened(room, now)
    if isinstance(request, EndRace):
        return _ended(room, now)
    if isinstance(request, HandOver):
        return _handed_over(room, request, now)
    if isinstance(request, GiveUp):
        return _given_up(room, request, now)
    return ()


def open_room(
    room: str,
    asked: c.CreateRoom,
    player: str,
    name: str,
    chance: Chance,
    now: int,
    terms: Terms | None = None,
) -> e.RoomCreated:
    """The event by which a room begins; `terms` where it is opened for a contest."""
    if terms is not None:
        return _open_contest(room, asked, player, name, now, terms)
    options, named = _merged(RoomOptions(), asked.options, spectators_named=False)
    code, drawing = _deal(room, options, chance)
    return e.RoomCreated(
        at=now,
        room=room,
        player=player,
        name=name,
        options=options,
        spectators_named=named,
        code=code,
        drawing=drawing,
    )


def _deal(room: str, options: RoomOptions, chance: Chance) -> tuple[Code, e.DrawSecret | None]:
    """The next deal: typed, or given, or begun to be drawn."""
    code = options.code or chance.code
    if code is not None:
        return code, None
    secret = chance.secret
    assert secret is not None, "chance holds a code or what one is made of"
    drawing = e.DrawSecret(secret=secret.hex(), race=chance.race)
    return drawn_code(secret, room, chance.race, ()), drawing


def _open_contest(
    room: str, asked: c.CreateRoom, player: str, name: str, now: int, terms: Terms
) -> e.RoomCreated:
    assert fixed(asked.options, alone=terms.alone) is None, "the edge refuses it"
    options, named = _merged(terms.room_options, asked.options, spectators_named=terms.alone)
    return e.RoomCreated(
        at=now,
        room=room,
        player=player,
        name=name,
        options=options,
        spectators_named=named,
        code=terms.code,
        contest=terms.contest,
        ghosts=terms.ghosts,
        attempt=terms.attempt if terms.alone else None,
        start_before=terms.start_before,
    )


def _asked(room: Room, asked: Asked, now: int) -> Outcome:
    command = asked.command
    if isinstance(command, c.JoinRoom):
        return _join(room, asked, command, now)
    member = room.members.get(asked.player)
    if member is None:
        return _refuse(ErrorCode.NOT_ALLOWED, "you are not in this room")
    outcome = _DECIDE[type(command)](room, member, asked, now)
    if isinstance(outcome, Refusal) or member.is_online or isinstance(command, c.LeaveRoom):
        return outcome
    return (e.WentOnline(at=now, player=member.player), *outcome)


# Coming and going


def _join(room: Room, asked: Asked, command: c.JoinRoom, now: int) -> Outcome:
    member = room.members.get(asked.player)
    if member is not None:
        return _come_back(room, member, asked, now)
    returns = room.seat(asked.player) is not None
    as_: c.As = "player" if returns else "spectator" if room.is_heat else command.as_
    if not returns and not _has_place(room, as_, asked.most_spectators):
        return _refuse(ErrorCode.ROOM_FULL, "this room is full")
    if (bar := bar_of(room, asked.player)) is not None:
        return barred(bar)
    if as_ == "spectator" and room.options.spectators == "none":
        return barred("no_spectators")
    number = _number(room, asked)
    joined = e.MemberJoined(
        at=now,
        player=asked.player,
        name=asked.name,
        as_=as_,
        number=number,
        screen=as_ == "spectator" and command.screen is not None,
    )
    if room.host in room.members or room.is_heat:
        return (joined,)
    return (joined, e.HostChanged(at=now, player=asked.player))


def bar_of(room: Room, player: str | None) -> Bar | None:
    """What keeps this player, or whom nobody knows yet, out of the room altogether."""
    if room.only not in (None, player):
        return "alone"
    return "put_out" if player in room.banned else None


def _number(room: Room, asked: Asked) -> int | None:
    """What stands beside the name of who comes in, so that nobody is taken for another."""
    own = room.seat(asked.player)
    if own is not None and own.name == asked.name:
        return own.number
    seats = () if room.race is None else room.race.seats.values()
    others = [(one.name, one.number) for one in (*room.members.values(), *seats)]
    return number_among(asked.name, others)


def _come_back(room: Room, member: Member, asked: Asked, now: int) -> Outcome:
    command = asked.command
    assert isinstance(command, c.JoinRoom), "only who joins comes back"
    events: list[e.Event] = []
    if not member.is_online:
        events.append(e.WentOnline(at=now, player=member.player))
    if room.state == "lobby" and command.as_ != member.as_:
        if not _has_place(room, command.as_, asked.most_spectators):
            return _refuse(ErrorCode.ROOM_FULL, "this room is full")
        if command.as_ == "spectator" and room.options.spectators == "none":
            return barred("no_spectators")
        events.append(e.RoleChanged(at=now, player=member.player, as_=command.as_))
    return tuple(events)


def _has_place(room: Room, as_: c.As, most_spectators: int) -> bool:
    if as_ == "player":
        return sum(1 for _ in room.players()) < room.options.max_players
    watching = sum(1 for member in room.members.values() if not member.is_player)
    return watching < most_spectators


def _leave(room: Room, member: Member, _: Asked, now: int) -> Outcome:
    if room.is_heat and member.is_player:  # the seat stays (Contract §8)
        return (e.WentOffline(at=now, player=member.player),) if member.is_online else ()
    return _out(room, member.player, "left", now)


def _kick(room: Room, member: Member, asked: Asked, now: int) -> Outcome:
    assert isinstance(asked.command, c.Kick), "the table maps types"
    out = asked.command.player
    if member.player != room.host:
        return _only_host()
    if out == member.player:
        return _refuse(ErrorCode.NOT_ALLOWED, "a host can't put themselves out")
    if out not in room.members:
        return _refuse(ErrorCode.NOT_ALLOWED, "that player isn't in this room")
    if room.state == "racing":
        return _refuse(ErrorCode.WRONG_STATE, "nobody can be put out during a race")
    return _out(room, out, "kicked", now)


def _out(room: Room, player: str, why: e.Why, now: int) -> Outcome:
    events: list[e.Event] = []
    seat = room.seat(player)
    if room.state == "racing" and seat is not None and not room.is_done(seat):
        events.append(e.Retired(at=now, player=player, at_ms=_race_ms(room, now)))
    left = e.MemberLeft(at=now, player=player, why=why)
    events.append(left)
    without = evolve(room, left)
    if player == room.host and without.members:
        heir = heir_of(without) or next(iter(without.members))
        events.append(e.HostChanged(at=now, player=heir))
    return (*events, *_called_off(without, now))


def _dropped(room: Room, request: Dropped, now: int) -> Outcome:
    member = room.members.get(request.player)
    if member is None or not member.is_online:
        return ()
    offline = e.WentOffline(at=now, player=member.player)
    return (offline, *_called_off(evolve(room, offline), now))


def _returned(room: Room, request: Returned, now: int) -> Outcome:
    member = room.members.get(request.player)
    if member is None or member.is_online:
        return ()
    return (e.WentOnline(at=now, player=member.player),)


def _called_off(room: Room, now: int) -> tuple[e.Event, ...]:
    if (
        room.upcoming is None
        or room.is_heat
        or any(member.is_online for member in room.ready_players())
    ):
        return ()
    return (e.CountdownCalledOff(at=now),)


def _reopened(room: Room, now: int) -> Outcome:
    reopened = e.RoomReopened(at=now)
    if room.upcoming is None or room.upcoming.starts_at > now:
        return (reopened,)
    if room.start_before is not None and now >= room.start_before + LONGEST_COUNTDOWN_MS:
        return (reopened, e.CountdownCalledOff(at=now))
    # The start that the server slept through happens now, so that nobody loses time (Contract §6).
    return (reopened, e.RaceStarted(at=now, starts_at=now))


def _seen_elsewhere(room: Room, now: int) -> Outcome:
    if room.race is not None or room.is_known:
        return ()
    called_off = () if room.upcoming is None else (e.CountdownCalledOff(at=now),)
    return (e.DealKnown(at=now), *called_off)


def _opened(room: Room, now: int) -> Outcome:
    if room.state != "over" or room.is_opened or not room.is_heat:
        return ()
    return (e.RaceOpened(at=now),)


def _ended(room: Room, now: int) -> tuple[e.Event, ...]:
    """Retirements: a record may end before its limit only where everybody is done (Contract §4)."""
    if not room.is_heat:
        return ()
    if room.upcoming is not None:  # it begins, so that all have a result
        started = e.RaceStarted(at=now, starts_at=now)
        return (started, *_ended(evolve(room, started), now))
    if room.state != "racing" or room.race is None:
        return ()
    at_ms = _race_ms(room, now)
    return tuple(
        e.Retired(at=now, player=seat.player, at_ms=at_ms)
        for seat in room.race.living
        if not room.is_done(seat)
    )


def _handed_over(room: Room, request: HandOver, now: int) -> Outcome:
    """Nothing once the race is over: what was raced stays with whom it was raced by."""
    if not room.is_heat or room.state not in ("countdown", "racing"):
        return ()
    seats = {
        had: holder
        for drawn_for, holder in request.holders.items()
        if (had := room.handed.get(drawn_for, drawn_for)) != holder
    }
    return (e.SeatsHandedOver(at=now, seats=seats),) if seats else ()


def _given_up(room: Room, request: GiveUp, now: int) -> Outcome:
    if not room.is_heat or room.state == "over" or request.players == room.given_up:
        return ()
    return (e.SeatsGivenUp(at=now, players=tuple(sorted(request.players))),)


# Before the race


def _set_ready(room: Room, member: Member, asked: Asked, now: int) -> Outcome:
    assert isinstance(asked.command, c.SetReady), "the table maps types"
    if not member.is_player:
        return _refuse(ErrorCode.NOT_ALLOWED, "a spectator doesn't race")
    if room.state != "lobby":
        return _only_in("the lobby")
    ready = asked.command.ready
    nonce = asked.command.nonce if ready else None
    if (ready, nonce) == (member.ready, member.nonce):
        return ()
    return (e.ReadySet(at=now, player=member.player, ready=ready, nonce=nonce),)


def _start(room: Room, member: Member, asked: Asked, now: int) -> Outcome:
    if member.player != room.host:
        return _only_host()
    if room.state != "lobby":
        return _only_in("the lobby")
    if room.is_known:
        return deal_seen()
    if room.start_before is not None and now >= room.start_before:
        return _refuse(ErrorCode.WRONG_STATE, "the day of this deal is over")
    if not any(ready.is_online or ready is member for ready in room.ready_players()):
        return _refuse(ErrorCode.WRONG_STATE, "no player is ready and online")
    starts_at = now + room.options.countdown_ms
    drawing = room.drawing
    race = _chance(asked).race if drawing is None else drawing.race
    countdown = e.CountdownStarted(at=now, race=race, starts_at=starts_at)
    if drawing is None or drawing.nonces == room.nonces:
        return (countdown,)
    nonces = room.nonces
    secret = bytes.fromhex(drawing.secret)
    code = drawn_code(secret, room.room, race, map(bytes.fromhex, nonces.values()))
    return (e.CodeDrawn(at=now, nonces=nonces, code=code), countdown)


def _set_options(room: Room, member: Member, asked: Asked, now: int) -> Outcome:
    assert isinstance(asked.command, c.SetOptions), "the table maps types"
    changes = asked.command.options
    if member.player != room.host:
        return _only_host()
    if room.contest is not None and (name := fixed(changes, alone=room.only is not None)):
        return locked(name)
    if room.state != "lobby":
        return _only_in("the lobby")
    options, named = _merged(room.options, changes, spectators_named=room.spectators_named)
    if "max_players" in changes.model_fields_set and not _has_room_for(room, options):
        return _refuse(ErrorCode.WRONG_STATE, "more players than that are here")
    code, drawing = room.code, None
    if "code" in changes.model_fields_set:
        code, drawing = _deal(room.room, options, _chance(asked))
    elif room.drawing is not None:
        drawing = e.DrawSecret(secret=room.drawing.secret, race=room.drawing.race)
    return (
        e.OptionsSet(at=now, options=options, spectators_named=named, code=code, drawing=drawing),
    )


def _has_room_for(room: Room, options: RoomOptions) -> bool:
    return sum(1 for _ in room.players()) <= options.max_players


def _merged(
    options: RoomOptions, changes: OptionChanges, *, spectators_named: bool
) -> tuple[RoomOptions, bool]:
    """The options after the changes, and whether `spectators` has been named by now."""
    values = {**dict(options), **changes.named()}
    named = spectators_named or "spectators" in changes.model_fields_set
    if not named:
        values["spectators"] = "fair" if values["public"] else "open"
    try:
        return RoomOptions.model_validate(values), named
    except ValidationError as error:
        raise AssertionError("each value was checked when the command was read") from error


def _rematch(room: Room, member: Member, asked: Asked, now: int) -> Outcome:
    assert isinstance(asked.command, c.Rematch), "the table maps types"
    if member.player != room.host:
        return _only_host()
    if room.contest is not None:
        return _refuse(ErrorCode.NOT_ALLOWED, "a room of a contest has no rematch: open another")
    if room.state != "over":
        return _refuse(ErrorCode.WRONG_STATE, "a rematch comes after a race")
    options = room.options.model_copy(update={"code": asked.command.code})
    code, drawing = _deal(room.room, options, _chance(asked))
    return (e.RematchOpened(at=now, options=options, code=code, drawing=drawing),)


def _react(room: Room, member: Member, asked: Asked, now: int) -> Outcome:
    assert isinstance(asked.command, c.React), "the table maps types"
    if not room.options.reactions:
        return _refuse(ErrorCode.NOT_ALLOWED, "the host has switched reactions off")
    wait_ms = room.reacted_at.get(member.player, 0) + REACTION_EVERY_MS - now
    if wait_ms > 0:
        return Refusal(ErrorCode.RATE_LIMITED, "too many signs, too fast", retry_ms=wait_ms)
    return (e.Reacted(at=now, player=member.player, reaction=asked.command.reaction),)


# In the race


def _racing_seat(room: Room, member: Member) -> Seat | Refusal:
    """The seat of a player who may act now, or why they may not."""
    if not member.is_player:
        return _refuse(ErrorCode.NOT_ALLOWED, "a spectator doesn't race")
    if room.state != "racing":
        return _refuse(ErrorCode.WRONG_STATE, "no race runs")
    seat = room.seat(member.player)
    if seat is None:
        return _refuse(ErrorCode.WRONG_STATE, "you are in the next race, not in this one")
    if room.is_done(seat):
        return _refuse(ErrorCode.WRONG_STATE, "your race has ended")
    return seat


def _move(room: Room, member: Member, asked: Asked, now: int) -> Outcome:
    command = asked.command
    assert isinstance(command, c.Move), "the table maps types"
    seat = _racing_seat(room, member)
    if isinstance(seat, Refusal):
        return seat
    board = seat.run.board
    if command.turn != board.turn:
        return _stale(room, seat)
    outcome = board.attempt(command.spots)
    if isinstance(outcome, Reason):
        return Refusal(ErrorCode.ILLEGAL_MOVE, EXPLANATIONS[outcome], reason=outcome)
    made = outcome.history[-1]
    return (e.MoveMade(at=now, player=member.player, spots=made, at_ms=_race_ms(room, now)),)


def _undo(room: Room, member: Member, asked: Asked, now: int) -> Outcome:
    command = asked.command
    assert isinstance(command, c.Undo), "the table maps types"
    if not room.options.undo:
        return _refuse(ErrorCode.NOT_ALLOWED, "undo is off in this room")
    seat = _racing_seat(room, member)
    if isinstance(seat, Refusal):
        return seat
    if command.turn != seat.run.board.turn:
        return _stale(room, seat)
    if not seat.run.board.can_undo:
        return _refuse(ErrorCode.NOTHING_TO_UNDO, "no move stands that could be taken back")
    return (e.UndoMade(at=now, player=member.player, at_ms=_race_ms(room, now)),)


def _retire(room: Room, member: Member, _: Asked, now: int) -> Outcome:
    seat = _racing_seat(room, member)
    if isinstance(seat, Refusal):
        return seat
    return (e.Retired(at=now, player=member.player, at_ms=_race_ms(room, now)),)


def _race_ms(room: Room, now: int) -> int:
    assert room.race is not None, "only a race that runs has a clock"
    return max(0, now - room.race.starts_at)


def _stale(room: Room, seat: Seat) -> Refusal:
    board = board_view(seat.run, undo=room.options.undo)
    return Refusal(ErrorCode.STALE_TURN, f"the board is at turn {board.turn}", board=board)


def _chance(asked: Asked) -> Chance:
    assert asked.chance is not None, "the edge draws chance for the commands that need it"
    return asked.chance


def _refuse(code: ErrorCode, message: str) -> Refusal:
    return Refusal(code, message)


def locked(option: str) -> Refusal:
    """Why an option can't be changed in a room of a contest."""
    return _refuse(ErrorCode.NOT_ALLOWED, f"{option} is fixed by what this room is for")


def deal_seen() -> Refusal:
    """Why somebody doesn't race on a deal that everybody plays once."""
    return _refuse(ErrorCode.NOT_ALLOWED, "you have seen this deal already")


def barred(bar: Bar) -> Refusal:
    """Why somebody doesn't come in like this."""
    return Refusal(ErrorCode.NOT_ALLOWED, BARS[bar], bar=bar)


def _only_host() -> Refusal:
    return _refuse(ErrorCode.NOT_ALLOWED, "only the host can do this")


def _only_in(place: str) -> Refusal:
    return _refuse(ErrorCode.WRONG_STATE, f"this can only be done in {place}")


_DECIDE: dict[type[Any], Callable[[Room, Member, Asked, int], Outcome]] = {
    c.LeaveRoom: _leave,
    c.Kick: _kick,
    c.SetReady: _set_ready,
    c.Start: _start,
    c.SetOptions: _set_options,
    c.Rematch: _rematch,
    c.Move: _move,
    c.Undo: _undo,
    c.Retire: _retire,
    c.React: _react,
}
