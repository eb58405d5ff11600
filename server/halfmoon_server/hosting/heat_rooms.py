"""A tournament's heats as rooms of the directory: opened, read when their race is over, and told."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from halfmoon.engine.standings import Standing
from halfmoon.wire import messages as m
from halfmoon_server.eventlog.base import EventLog
from halfmoon_server.frames import message_frame
from halfmoon_server.hosting.clock import Clock
from halfmoon_server.hosting.directory import Directory
from halfmoon_server.hosting.room_host import Link, Request
from halfmoon_server.records import room_after
from halfmoon_server.rooms.commands import EndRace, GiveUp, HandOver, OpenRace
from halfmoon_server.rooms.state import Room
from halfmoon_server.tournaments import heats
from halfmoon_server.tournaments.state import Heat, Round, Tournament

LinkOf = Callable[[str], Link | None]
"""The connection of a player, whatever it is used for."""


class HeatRooms:
    """The rooms of one tournament's heats."""

    def __init__(
        self, event_log: EventLog, clock: Clock, rooms: Directory, link_of: LinkOf
    ) -> None:
        self._log = event_log
        self._clock = clock
        self._rooms = rooms
        self._link_of = link_of

    async def open_missing(self, t: Tournament) -> None:
        """Open the rooms of the running round that aren't there yet, all in one go.

        Raises `LogUnavailable` and `Stopping`; then some may be there, and asked again the others
        follow.
        """
        if (one := t.running) is None:
            return
        missing = [h for h in one.heats if not h.is_over and not self._rooms.is_known(h.room)]
        opening = [self._open(t, one, heat) for heat in missing]
        for outcome in await asyncio.gather(*opening, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome

    async def _open(self, t: Tournament, one: Round, heat: Heat) -> None:
        links = {
            player: link
            for player in heat.seats.values()
            if (link := self._link_of(player)) is not None and link.is_open
        }
        created, seated = heats.room_of(t, one, heat, links.keys(), self._clock.now())
        host, is_new = await self._rooms.open_heat(created, seated)
        if not is_new:
            return
        frame = round_frame(t, one, heat)
        for link in links.values():
            if link.is_open:
                link.send(frame)
        host.begin_heat(seated, links)

    async def raced(self, heat: Heat) -> "Raced | None":
        """How a heat's race ended; None while it runs. Raises `LogUnavailable`."""
        host = await self._rooms.find(heat.room)
        room = room_after(await self._log.read(heat.room)) if host is None else host.room
        return None if room is None else ended(room)

    async def hand_over_seats(self, t: Tournament) -> None:
        """Let every seat of the round that runs be that of who has its entry now."""
        one = t.running
        for heat in () if one is None else one.heats:
            if heat.is_over or not (holders := t.holders(heat)):
                continue
            if (host := await self._rooms.find(heat.room)) is not None:
                host.submit(Request(HandOver(holders)))

    async def give_up_seats(self, t: Tournament) -> None:
        """Let no heat wait for who was withdrawn."""
        one = t.running
        for heat in () if one is None else one.heats:
            if heat.is_over or (host := await self._rooms.find(heat.room)) is None:
                continue
            gone = t.withdrawn(heat)
            if gone or host.room.given_up:
                host.submit(Request(GiveUp(gone)))

    async def end_races(self, t: Tournament) -> None:
        """Let every heat be over that its round's early end has cut short."""
        one = t.running
        for heat in () if one is None else one.heats:
            if one is not None and one.is_cut(heat):
                host = await self._rooms.find(heat.room)
                if host is not None:
                    host.submit(Request(EndRace()))

    async def open_races(self, t: Tournament) -> None:
        """Let every heat of the rounds that are over tell its deal."""
        for heat in (heat for one in t.rounds if one.is_over for heat in one.heats):
            if self._rooms.is_known(heat.room):
                host = await self._rooms.find(heat.room)
                if host is not None and not host.room.is_opened:
                    host.submit(Request(OpenRace()))


@dataclass(frozen=True, slots=True)
class Raced:
    """How a heat's race ended."""

    over_at: int
    standings: Collection[Standing]
    handed: Mapping[str, str]
    """The seats that were handed over: whom each was drawn for, to whose it was in the end."""


def ended(room: Room) -> Raced | None:
    """How the room's race ended; None while it runs."""
    race = room.race
    if race is None or race.over_at is None:
        return None
    return Raced(race.over_at, race.standings, room.handed)


def round_frame(t: Tournament, one: Round, heat: Heat) -> bytes:
    """What an entrant is told whose heat is drawn."""
    return message_frame(
        m.RoundDrawn(
            tournament=t.tournament, round=one.round, room=heat.room, starts_at=heat.starts_at
        )
    )
