"""`evolve(room, event)`: the room after an event. It never says no."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from halfmoon.engine.codes import Code
from halfmoon.engine.deals import Deal
from halfmoon.engine.run import Run
from halfmoon.engine.standings import Finish, standings
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import ghosts
from halfmoon_server.rooms.courses import grown
from halfmoon_server.rooms.state import (
    REACTION_EVERY_MS,
    Drawing,
    Member,
    Race,
    Room,
    Seat,
    Upcoming,
    changed,
)

DealOf = Callable[[Code], Deal]
"""How a code becomes a deal; tests put labels on the cards here."""


def create(event: e.RoomCreated) -> Room:
    """The room that begins with this event."""
    creator = Member(player=event.player, name=event.name, as_="player")
    is_heat = not event.player
    return Room(
        room=event.room,
        created_at=event.at,
        host=event.player,
        host_name=event.name,
        options=event.options,
        spectators_named=event.spectators_named,
        code=event.code,
        seal=event.code.seal,
        members={} if is_heat else {event.player: creator},
        is_heat=is_heat,
        drawing=_drawing(event.drawing),
        contest=event.contest,
        ghosts=event.ghosts,
        only=None if event.attempt is None else event.player,
        start_before=event.start_before,
        events=1,
        touched_at=event.at,
    )


def _drawing(begun: e.DrawSecret | None) -> Drawing | None:
    return None if begun is None else Drawing(secret=begun.secret, race=begun.race)


def evolve(room: Room, event: e.Event, deal_of: DealOf = Deal.of) -> Room:
    """The room after `event`."""
    if isinstance(event, e.RaceStarted):
        after = _race_started(room, event, deal_of)
    else:
        after = _EVOLVE[type(event)](room, event)
    return changed(after, events=room.events + 1, touched_at=max(room.touched_at, event.at))


def _with_member(room: Room, member: Member, at: int) -> Room:
    return _with_members(room, {**room.members, member.player: member}, at)


def _with_members(room: Room, members: Mapping[str, Member], at: int) -> Room:
    """The room with these people, and since when nobody of them is online."""
    if any(member.is_online for member in members.values()):
        empty_at = None
    else:
        empty_at = at if room.empty_at is None else room.empty_at
    away = tuple(m for m in members.values() if not m.is_online and not m.is_player)
    return replace(room, members=members, away=away, empty_at=empty_at)


def _member_joined(room: Room, event: e.MemberJoined) -> Room:
    member = Member(
        player=event.player,
        name=event.name,
        as_=event.as_,
        number=event.number,
        is_screen=event.screen,
    )
    return _with_member(room, member, event.at)


def _member_left(room: Room, event: e.MemberLeft) -> Room:
    members = {who: member for who, member in room.members.items() if who != event.player}
    banned = room.banned | {event.player} if event.why == "kicked" else room.banned
    return replace(_with_members(room, members, event.at), banned=banned)


def _went_online(room: Room, event: e.WentOnline) -> Room:
    return _with_member(room, replace(room.members[event.player], offline_at=None), event.at)


def _went_offline(room: Room, event: e.WentOffline) -> Room:
    return _with_member(room, replace(room.members[event.player], offline_at=event.at), event.at)


def _role_changed(room: Room, event: e.RoleChanged) -> Room:
    member = replace(
        room.members[event.player], as_=event.as_, ready=False, nonce=None, is_screen=False
    )
    return _with_member(room, member, event.at)


def _ready_set(room: Room, event: e.ReadySet) -> Room:
    member = replace(room.members[event.player], ready=event.ready, nonce=event.nonce)
    return _with_member(room, member, event.at)


def _host_changed(room: Room, event: e.HostChanged) -> Room:
    return replace(room, host=event.player, host_name=room.members[event.player].name)


def _options_set(room: Room, event: e.OptionsSet) -> Room:
    return replace(
        room,
        options=event.options,
        spectators_named=event.spectators_named,
        code=event.code,
        seal=event.code.seal,
        drawing=_kept(room.drawing, event.drawing),
    )


def _kept(drawing: Drawing | None, begun: e.DrawSecret | None) -> Drawing | None:
    """What is drawn goes on, with the nonces that it holds, where the secret is the same."""
    if drawing is not None and begun is not None and drawing.secret == begun.secret:
        return drawing
    return _drawing(begun)


def _code_drawn(room: Room, event: e.CodeDrawn) -> Room:
    assert room.drawing is not None, "only what is drawn is drawn again"
    drawing = replace(room.drawing, nonces=event.nonces)
    return replace(room, code=event.code, seal=event.code.seal, drawing=drawing)


def _countdown_started(room: Room, event: e.CountdownStarted) -> Room:
    return replace(room, upcoming=Upcoming(race=event.race, starts_at=event.starts_at))


def _countdown_called_off(room: Room, _: e.CountdownCalledOff) -> Room:
    return replace(room, upcoming=None)


def _race_started(room: Room, event: e.RaceStarted, deal_of: DealOf) -> Room:
    assert room.upcoming is not None, "a race starts out of its countdown"
    limit_ms = room.options.time_limit_ms
    start = Run.start(deal_of(room.code))
    seats = {
        member.player: Seat(member.player, member.name, start, number=member.number)
        for member in room.ready_players()
    }
    living = len(seats)
    seats |= _ghost_seats(room.ghosts_shown, start)
    return replace(
        room,
        upcoming=None,
        race=Race(
            race=room.upcoming.race,
            starts_at=event.starts_at,
            ends_at=None if limit_ms is None else event.starts_at + limit_ms,
            seats=seats,
            still_racing=0 if start.is_done(undo=room.options.undo) else living,
            ghosts=tuple(ghost.player for ghost in room.ghosts_shown),
        ),
    )


def _ghost_seats(ghosts: Iterable[e.Ghost], start: Run) -> dict[str, Seat]:
    return {
        ghost.player: Seat(player=ghost.player, name=ghost.name, run=start, ghost=ghost)
        for ghost in ghosts
    }


def _with_hidden_ghosts(room: Room) -> Room:
    """The room with seats for the ghosts that weren't shown while the race ran."""
    race = room.race
    assert race is not None, "only a race that runs can be over"
    if room.only is None or not room.ghosts:
        return room
    deal = next(race.living).run.board.deal
    seats = {**race.seats, **_ghost_seats(room.ghosts, Run.start(deal))}
    named = tuple(ghost.player for ghost in room.ghosts)
    return replace(room, race=replace(race, seats=seats, ghosts=named))


def _heat_seated(room: Room, event: e.HeatSeated) -> Room:
    members = {
        seat.player: Member(
            player=seat.player,
            name=seat.name,
            as_="player",
            ready=True,
            offline_at=None if seat.online else event.at,
            number=seat.number,
        )
        for seat in event.seats
    }
    upcoming = Upcoming(race=event.race, starts_at=event.starts_at)
    seated = replace(room, upcoming=upcoming, is_shut=event.is_shut)
    return _with_members(seated, members, event.at)


def _seats_handed_over(room: Room, event: e.SeatsHandedOver) -> Room:
    """The same seats in the same order; who watched until now and has one watches no more."""
    new = {*event.seats.values()} - {*event.seats}
    members = {
        event.seats.get(who, who): replace(
            member, player=holder, offline_at=_offline_at(room, holder, event.at)
        )
        if (holder := event.seats.get(who)) is not None
        else member
        for who, member in room.members.items()
        if who not in new
    }
    race = room.race
    if race is not None:
        seats = (
            replace(s, player=event.seats.get(s.player, s.player)) for s in race.seats.values()
        )
        race = replace(race, seats={seat.player: seat for seat in seats})
    drawn_for = {holder: drawn for drawn, holder in room.handed.items()}
    handed = {drawn_for.get(had, had): holder for had, holder in event.seats.items()}
    given_up = frozenset(event.seats.get(who, who) for who in room.given_up)
    after = replace(room, race=race, handed={**room.handed, **handed}, given_up=given_up)
    return _with_members(after, members, event.at)


def _seats_given_up(room: Room, event: e.SeatsGivenUp) -> Room:
    return replace(room, given_up=frozenset(event.players))


def _offline_at(room: Room, player: str, at: int) -> int | None:
    """Since when somebody is away who comes to a seat: they may have watched the room."""
    member = room.members.get(player)
    return at if member is None else member.offline_at


def _race_opened(room: Room, _: e.RaceOpened) -> Room:
    return replace(room, is_shut=False, is_opened=True)


def _with_run(room: Room, player: str, run: Run) -> Room:
    race = room.race
    assert race is not None, "only racers act"
    was = race.seats[player]
    seat = changed(was, run=run)
    if run.board is not was.run.board:
        seat = changed(seat, course=grown(was.course, run.at_ms, run.board.score))
    acted = changed(race, seats={**race.seats, player: seat})
    if seat.ghost is None:
        won_at_ms = race.won_at_ms
        if won_at_ms is None and run.status == "won":
            won_at_ms = run.at_ms
        done = room.is_done(seat)
        acted = changed(acted, still_racing=race.still_racing - done, won_at_ms=won_at_ms)
    return changed(room, race=acted)


def _run(room: Room, player: str) -> Run:
    assert room.race is not None, "only racers act"
    return room.race.seats[player].run


def _move_made(room: Room, event: e.MoveMade) -> Room:
    run = _run(room, event.player)
    return _with_run(room, event.player, run.moved_to(run.board.play(event.spots), event.at_ms))


def _undo_made(room: Room, event: e.UndoMade) -> Room:
    run = _run(room, event.player)
    return _with_run(room, event.player, run.moved_to(run.board.undo(), event.at_ms))


def _retired(room: Room, event: e.Retired) -> Room:
    return _with_run(room, event.player, _run(room, event.player).left("retired", event.at_ms))


def ghosts_finish(room: Room, at: int) -> Iterator[tuple[Room, e.Event, Room]]:
    """What ghosts hadn't done when the race was over, each action with the room before and after."""
    while room.race is not None and (event := ghosts.next_event(room.race, at)) is not None:
        before, room = room, _EVOLVE[type(event)](room, event)
        yield before, event, room


def _race_over(room: Room, event: e.RaceOver) -> Room:
    room = _with_hidden_ghosts(room)
    for _, _, after in ghosts_finish(room, event.at):
        room = after
    race = room.race
    assert race is not None, "only a race that runs can be over"
    ended_ms = event.over_at - race.starts_at
    seats = {
        seat.player: seat
        if room.is_done(seat)
        else replace(seat, run=seat.run.left("timed_out", max(ended_ms, seat.run.at_ms)))
        for seat in race.seats.values()
    }
    ranked = tuple(standings(map(_finish, seats.values())))
    return replace(
        room,
        race=replace(race, seats=seats, still_racing=0, over_at=event.over_at, standings=ranked),
    )


def _finish(seat: Seat) -> Finish:
    ghost = None if seat.ghost is None else seat.ghost.of
    return Finish(player=seat.player, name=seat.name, run=seat.run, ghost=ghost)


def _rematch_opened(room: Room, event: e.RematchOpened) -> Room:
    return replace(
        room,
        race=None,
        last_race=None if room.race is None else room.race.race,
        shown=frozenset(),
        ghosts=(),
        options=event.options,
        code=event.code,
        seal=event.code.seal,
        drawing=_drawing(event.drawing),
        members={
            who: replace(member, ready=False, nonce=None) for who, member in room.members.items()
        },
    )


def _reacted(room: Room, event: e.Reacted) -> Room:
    lately = {who: at for who, at in room.reacted_at.items() if at + REACTION_EVERY_MS > event.at}
    return replace(room, reacted_at={**lately, event.player: event.at})


def _room_reopened(room: Room, event: e.RoomReopened) -> Room:
    members = {
        who: replace(member, offline_at=event.at if member.is_online else member.offline_at)
        for who, member in room.members.items()
    }
    return _with_members(room, members, event.at)


def _deal_shown(room: Room, event: e.DealShown) -> Room:
    return replace(room, shown=room.shown.union(event.players))


def _deal_known(room: Room, _: e.DealKnown) -> Room:
    return replace(room, is_known=True)


def _room_closed(room: Room, _: e.RoomClosed) -> Room:
    return replace(room, is_closed=True)


_EVOLVE: dict[type[e.Event], Callable[[Room, Any], Room]] = {
    e.MemberJoined: _member_joined,
    e.MemberLeft: _member_left,
    e.WentOnline: _went_online,
    e.WentOffline: _went_offline,
    e.RoleChanged: _role_changed,
    e.ReadySet: _ready_set,
    e.HostChanged: _host_changed,
    e.OptionsSet: _options_set,
    e.CodeDrawn: _code_drawn,
    e.CountdownStarted: _countdown_started,
    e.CountdownCalledOff: _countdown_called_off,
    e.HeatSeated: _heat_seated,
    e.SeatsHandedOver: _seats_handed_over,
    e.SeatsGivenUp: _seats_given_up,
    e.RaceOpened: _race_opened,
    e.MoveMade: _move_made,
    e.UndoMade: _undo_made,
    e.Retired: _retired,
    e.RaceOver: _race_over,
    e.RematchOpened: _rematch_opened,
    e.Reacted: _reacted,
    e.RoomReopened: _room_reopened,
    e.DealShown: _deal_shown,
    e.DealKnown: _deal_known,
    e.RoomClosed: _room_closed,
}
