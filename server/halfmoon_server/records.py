"""A finished race out of its room's log (Contract §4)."""

from collections.abc import Iterable
from dataclasses import dataclass

from halfmoon.engine.deals import Deal
from halfmoon.engine.record import (
    Action,
    MoveAction,
    RaceRecord,
    RecordedPlayer,
    RetireAction,
    UndoAction,
)
from halfmoon_server.eventlog.base import EventLog, Key
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.evolve import DealOf, create, evolve
from halfmoon_server.rooms.state import Room, Seat


@dataclass(frozen=True, slots=True)
class Found:
    """A record, and what decides who may see it."""

    record: RaceRecord
    contest: str | None
    """What the race belongs to."""
    witnesses: frozenset[str]
    """Who was in its room from its start on, until the next race was prepared or the log ends."""


async def find_record(event_log: EventLog, race: str) -> Found | None:
    """The record of this race, None where it isn't over or never was.

    Raises `LogUnavailable`, and what a spoilt log makes its readers raise.
    """
    room = await event_log.find(Key("race", race))
    if room is None:
        return None
    entries = [e.read_entry(line) for line in await event_log.read(room)]
    record = record_of(entries, race)
    if record is None:
        return None
    first = entries[0].events[0]
    contest = first.contest if isinstance(first, e.RoomCreated) else None
    return Found(record, contest, witnesses_of(entries, record))


def record_of(
    entries: Iterable[e.Entry], race: str, deal_of: DealOf = Deal.of
) -> RaceRecord | None:
    """The record of `race` in a room's log, None where it isn't over there."""
    room: Room | None = None
    actions: dict[str, list[Action]] = {}
    for event in (event for entry in entries for event in entry.events):
        room = create(event) if isinstance(event, e.RoomCreated) else _next(room, event, deal_of)
        if isinstance(event, e.RaceStarted):
            actions = {}
        elif isinstance(event, e.SeatsHandedOver):
            actions = {event.seats.get(who, who): done for who, done in actions.items()}
        elif (action := _action(event)) is not None:
            actions.setdefault(action[0], []).append(action[1])
        elif isinstance(event, e.RaceOver) and room.race is not None and room.race.race == race:
            return _record(room, actions)
    return None


def witnesses_of(entries: Iterable[e.Entry], record: RaceRecord) -> frozenset[str]:
    """Everybody who was in the room of this race from its start on, as long as it was the last."""
    members: set[str] = set()
    seen: set[str] | None = None
    for event in (event for entry in entries for event in entry.events):
        if isinstance(event, e.RoomCreated | e.MemberJoined):
            members.add(event.player)
        elif isinstance(event, e.MemberLeft):
            members.discard(event.player)
        elif isinstance(event, e.SeatsHandedOver):
            members |= {*event.seats.values()}
        elif isinstance(event, e.RaceStarted) and event.starts_at == record.starts_at:
            seen = {*members}
        elif isinstance(event, e.RematchOpened) and seen is not None:
            break
        if seen is not None:
            seen |= members
    return frozenset(seen or ())


def room_after(lines: Iterable[str]) -> Room | None:
    """The room as its log leaves it, None for an empty log."""
    room: Room | None = None
    for event in (event for line in lines for event in e.read_entry(line).events):
        room = create(event) if isinstance(event, e.RoomCreated) else _next(room, event, Deal.of)
    return room


def _next(room: Room | None, event: e.Event, deal_of: DealOf) -> Room:
    assert room is not None, "a room begins with its creation"
    return evolve(room, event, deal_of)


def _action(event: e.Event) -> tuple[str, Action] | None:
    match event:
        case e.MoveMade():
            return event.player, MoveAction(at_ms=event.at_ms, move=[*event.spots])
        case e.UndoMade():
            return event.player, UndoAction(at_ms=event.at_ms, undo=True)
        case e.Retired():
            return event.player, RetireAction(at_ms=event.at_ms, retire=True)
        case _:
            return None


def _record(room: Room, actions: dict[str, list[Action]]) -> RaceRecord:
    race = room.race
    assert race is not None, "the race that is over"
    assert race.over_at is not None, "the race that is over"
    return RaceRecord(
        race=race.race,
        room=room.room,
        code=room.code,
        seal=room.seal,
        options=room.options,
        starts_at=race.starts_at,
        over_at=race.over_at,
        players=[_recorded(seat, actions.get(seat.player, [])) for seat in race.seats.values()],
        standings=[*race.standings],
        draw=None if room.drawing is None else room.drawing.draw,
    )


def _recorded(seat: Seat, actions: list[Action]) -> RecordedPlayer:
    """A player's line; a ghost did all that it had done before, also where the race was over."""
    if seat.ghost is None:
        return RecordedPlayer(player=seat.player, name=seat.name, actions=actions)
    whole = [*seat.ghost.actions]
    return RecordedPlayer(player=seat.player, name=seat.name, actions=whole, ghost=seat.ghost.of)
