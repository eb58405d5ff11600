"""What time alone brings about in a room, and when the next such thing is due."""

from collections.abc import Iterator

from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import ghosts
from halfmoon_server.rooms.state import Member, Room

HOST_OFFLINE_MS = 60_000
"""So long may a host be offline, while no race runs, before the office passes on (Contract §5)."""
ROOM_EMPTY_MS = 600_000
"""So long does a room without anybody stay, and a race without a limit that nobody attends."""
SPECTATOR_OFFLINE_MS = 60_000
"""So long is an offline spectator still counted."""


def next_due_at(room: Room) -> int | None:
    """When something is due by time alone, Unix ms; None where nothing is."""
    return None if room.is_closed else min(_due_times(room), default=None)


def due(room: Room, now: int) -> e.Event | None:
    """The first thing that is due by now, None where nothing is."""
    if room.is_closed:
        return None
    if room.upcoming is not None and room.upcoming.starts_at <= now:
        return e.RaceStarted(at=now, starts_at=room.upcoming.starts_at)
    if room.unshown:
        return e.DealShown(at=now, code=room.code, players=room.unshown)
    over_at = _race_over_at(room)
    ghost_at = _ghost_due_at(room)
    if ghost_at is not None and ghost_at <= min(now, ghost_at if over_at is None else over_at):
        assert room.race is not None, "ghosts act in a race"
        return ghosts.next_event(room.race, now)
    if over_at is not None and over_at <= now:
        return e.RaceOver(at=now, over_at=over_at)
    if (left := _given_up(room)) is not None:
        assert room.race is not None, "a race runs"
        return e.Retired(at=now, player=left, at_ms=max(0, now - room.race.starts_at))
    closes_at = _closes_at(room)
    if closes_at is not None and closes_at <= now:
        return e.RoomClosed(at=now)
    for member in _lapsing(room):
        if _lapses_at(member) <= now:
            return e.MemberLeft(at=now, player=member.player, why="left")
    heir = heir_of(room) if _is_host_due(room, now) else None
    return None if heir is None else e.HostChanged(at=now, player=heir)


def heir_of(room: Room) -> str | None:
    """Who takes over from the host: whoever online has been there longest (Contract §5)."""
    for member in room.members.values():
        if member.player != room.host and member.is_online:
            return member.player
    return None


def _due_times(room: Room) -> Iterator[int]:
    if room.upcoming is not None:
        yield room.upcoming.starts_at
    if room.unshown:
        yield room.touched_at
    times = (_race_over_at(room), _ghost_due_at(room), _closes_at(room), _host_due_at(room))
    for due_at in times:
        if due_at is not None:
            yield due_at
    for member in _lapsing(room):
        yield _lapses_at(member)


def _race_over_at(room: Room) -> int | None:
    """When the race that runs ends, as far as it is known by now (Contract §6)."""
    race = room.race
    if race is None or race.over_at is not None:
        return None
    if race.won_at_ms is not None and room.options.ends == "first_win":
        return race.starts_at + race.won_at_ms
    if race.still_racing == 0:
        return race.starts_at + max((seat.run.at_ms for seat in race.living), default=0)
    if race.ends_at is not None:
        return race.ends_at
    return None if room.empty_at is None else room.empty_at + ROOM_EMPTY_MS


def _given_up(room: Room) -> str | None:
    """Somebody who still races, where all who do were withdrawn from the tournament."""
    race = room.race
    if not room.given_up or race is None or not 0 < race.still_racing <= len(room.given_up):
        return None
    racing = [seat.player for seat in race.living if not room.is_done(seat)]
    return racing[0] if room.given_up.issuperset(racing) else None


def _ghost_due_at(room: Room) -> int | None:
    """When a ghost does what it did then, as long as the race runs."""
    race = room.race
    if race is None or race.over_at is not None or not race.ghosts:
        return None
    return ghosts.next_at(race)


def _closes_at(room: Room) -> int | None:
    """When the room vanishes; never while a race runs or is about to."""
    if room.empty_at is None or room.state in ("countdown", "racing"):
        return None
    return max(room.empty_at, _race_ended_at(room)) + ROOM_EMPTY_MS


def _race_ended_at(room: Room) -> int:
    """When the last race was over; 0 where none has been."""
    return 0 if room.race is None or room.race.over_at is None else room.race.over_at


def _host_due_at(room: Room) -> int | None:
    """When an absent host's office passes on, where somebody is there to take it."""
    host = room.members.get(room.host)
    if room.state == "racing" or host is None or host.offline_at is None:
        return None
    if heir_of(room) is None:
        return None
    return max(host.offline_at, _race_ended_at(room)) + HOST_OFFLINE_MS


def _is_host_due(room: Room, now: int) -> bool:
    due_at = _host_due_at(room)
    return due_at is not None and due_at <= now


def _lapsing(room: Room) -> Iterator[Member]:
    """The offline spectators; a host keeps the room, whatever their role."""
    return (member for member in room.away if member.player != room.host)


def _lapses_at(member: Member) -> int:
    assert member.offline_at is not None, "only who is offline lapses"
    return member.offline_at + SPECTATOR_OFFLINE_MS
