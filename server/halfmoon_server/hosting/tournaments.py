"""All tournaments of this server: made, found, and brought back from their logs."""

import asyncio
from collections.abc import Iterator

import structlog

from halfmoon.wire import commands as c
from halfmoon.wire.options import RoomOptions
from halfmoon.wire.tournaments import NewTournament
from halfmoon_server.eventlog.base import Batch, EventLog, Identity, LogConflict
from halfmoon_server.hosting.chances import Chances
from halfmoon_server.hosting.clock import Clock
from halfmoon_server.hosting.directory import Directory, Stopping, new_room_id
from halfmoon_server.hosting.heat_rooms import HeatRooms, LinkOf
from halfmoon_server.hosting.tournament_host import TournamentHost, log_name
from halfmoon_server.indexing import UNREADABLE
from halfmoon_server.rooms.state import Room
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments.commands import Refusal
from halfmoon_server.tournaments.heats import KIND, MOST_PLAYERS, read_contest

log = structlog.get_logger()

USUAL_ROUNDS = 5
"""Of a series or a Swiss of which nothing is said."""


class Tournaments:
    """The hosts of all tournaments, by id."""

    def __init__(
        self, event_log: EventLog, clock: Clock, rooms: Directory, link_of: LinkOf
    ) -> None:
        self.chances = Chances(event_log, rooms)
        self._log = event_log
        self._clock = clock
        self._rooms = HeatRooms(event_log, clock, rooms, link_of)
        self._hosts: dict[str, TournamentHost] = {}
        self._resuming: asyncio.Task[None] | None = None
        self._is_stopping = False
        rooms.on_race_over = self._race_over

    async def begin(self) -> None:
        """Bring all of them back, and let each go on. Raises `LogUnavailable`."""
        for name in await self._log.live_logs(f"{KIND}/"):
            try:
                entries = [e.read_entry(line) for line in await self._log.read(name)]
                host = self._made(entries)
            except UNREADABLE as error:
                log.error("tournament.unreadable", log=name, error=type(error).__name__)
                continue
            self._hosts[host.t.tournament] = host
        self._resuming = asyncio.create_task(self._resume_all(), name="resuming tournaments")

    async def _resume_all(self) -> None:
        for host in [*self._hosts.values()]:
            await host.resume()

    async def stop(self) -> None:
        """Let each finish what is under way."""
        self._is_stopping = True
        if self._resuming is not None:
            self._resuming.cancel()
        await asyncio.gather(*(host.stop() for host in self._hosts.values()))

    def find(self, tournament: str) -> TournamentHost | None:
        """The host of this tournament."""
        return self._hosts.get(tournament)

    def __iter__(self) -> Iterator[TournamentHost]:
        """All of them, the newest first."""
        made = sorted(self._hosts.values(), key=lambda host: -host.t.made_at)
        return iter(made)

    async def make(self, asked: NewTournament, device: str | None = None) -> TournamentHost:
        """A new tournament, made on this device. Raises `LogUnavailable` and `Stopping`."""
        while True:
            if self._is_stopping:
                raise Stopping
            tournament = new_room_id()
            entry = e.Entry(events=(_making(asked, tournament, self._clock.now(), device),))
            batch = Batch(log_name(tournament), 0, [e.write_entry(entry)])
            try:
                await self._log.append(batch)
            except LogConflict:  # a tournament of long ago had this id
                continue
            host = self._made([entry])
            self._hosts[tournament] = host
            return host

    async def enter(
        self, host: TournamentHost, identity: Identity, command: c.Enter
    ) -> bytes | Refusal:
        """Take an entry for this player; the answer. Raises `LogUnavailable`."""
        chance = await self.chances.draw(claims=1)
        asked = q.Enter(identity.player, identity.name, command.claim, chance)
        outcome = await host.ask(asked, identity.player, command.id)
        if isinstance(outcome, Refusal):
            return outcome
        own = host.t.entrant_of(identity.player)
        assert own is not None, "they have an entry by now"
        return host.entered(own.entrant, command.id)

    async def is_open(self, contest: str, player: str | None) -> bool:  # noqa: ARG002
        """See `Contests.is_open`: for everybody alike once the round is over."""
        found = read_contest(contest)
        host = None if found is None else self._hosts.get(found[0])
        one = None if found is None or host is None else host.t.round(found[1])
        return one is not None and one.is_over

    def _made(self, entries: list[e.Entry]) -> TournamentHost:
        return TournamentHost(entries, self._log, self._clock, self._rooms, self.chances)

    def _race_over(self, room: Room) -> None:
        found = read_contest(room.contest)
        host = None if found is None else self._hosts.get(found[0])
        if found is not None and host is not None:
            host.race_over(found[1], room)


def _making(
    asked: NewTournament, tournament: str, now: int, device: str | None
) -> e.TournamentMade:
    rounds = asked.rounds
    if rounds is None and asked.format != "knockout":
        rounds = USUAL_ROUNDS
    return e.TournamentMade(
        at=now,
        by="organiser",
        device=device,
        tournament=tournament,
        name=asked.name,
        format=asked.format,
        rounds=rounds,
        options=_race_options(asked),
        heat_size=asked.heat_size,
        entry=asked.entry,
    )


def _race_options(asked: NewTournament) -> RoomOptions:
    """The options of every race: no host lists it, and watchers can't help (Contract §8)."""
    options = RoomOptions.model_validate({**dict(RoomOptions()), **asked.race.named()})
    spectators = "fair" if options.spectators == "open" else options.spectators
    return options.model_copy(
        update={"public": False, "max_players": MOST_PLAYERS, "spectators": spectators}
    )


def fault_in(asked: NewTournament) -> str | None:
    """What is wrong with a tournament whose parts are right each for itself."""
    named = asked.race.named()
    if named.get("code") is not None:
        return "race.code: a tournament's deals are sealed"
    if "time_limit_ms" in named and named["time_limit_ms"] is None:
        return "race.time_limit_ms: a round has to end"
    if asked.format == "knockout" and asked.rounds is not None:
        return "rounds: a knockout has as many as it takes"
    if asked.format != "series" and asked.heat_size not in (None, 2):
        return "heat_size: here two race each other"
    return None
