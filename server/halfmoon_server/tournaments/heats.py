"""A heat as a room: the events that it begins with, and what its race comes to."""

from collections.abc import Collection, Iterator, Mapping

from halfmoon.engine.standings import Standing
from halfmoon.wire.options import RoomOptions
from halfmoon_server.rooms import events as r
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments.state import Heat, Round, Tournament

KIND = "tournament"
MOST_PLAYERS = 1000


def contest(tournament: str, number: int) -> str:
    """What the races of a round belong to: their results are shut until all of them are over."""
    return f"{KIND}/{tournament}/{number}"


def read_contest(text: str | None) -> tuple[str, int] | None:
    """The tournament and the round of a contest; None for one of another kind."""
    kind, _, rest = (text or "").partition("/")
    tournament, _, number = rest.partition("/")
    return (tournament, int(number)) if kind == KIND and number.isdigit() else None


def room_of(
    t: Tournament, one: Round, heat: Heat, online: Collection[str], now: int
) -> tuple[r.RoomCreated, r.HeatSeated]:
    """The events by which a heat's room begins; `online` are the players who are connected."""
    created = r.RoomCreated(
        at=now,
        room=heat.room,
        player="",
        name="",
        options=heat_options(t.options, is_alone=len(one.heats) == 1),
        spectators_named=True,
        code=heat.code,
        contest=contest(t.tournament, one.round),
    )
    seated = r.HeatSeated(
        at=now,
        race=heat.race,
        starts_at=heat.starts_at,
        seats=tuple(_seats(t, heat, online)),
        is_shut=any(other is not heat and not other.is_over for other in one.heats),
    )
    return created, seated


def _seats(t: Tournament, heat: Heat, online: Collection[str]) -> Iterator[r.HeatSeat]:
    """Everybody's seat, with the name and the number that they have all over the tournament."""
    for entrant, player in heat.seats.items():
        one = t.entrants[entrant]
        yield r.HeatSeat(player=player, name=one.name, online=player in online, number=one.number)


def heat_options(options: RoomOptions, *, is_alone: bool) -> RoomOptions:
    """The room's options: boards are shown to watchers in a heat at most that races alone."""
    spectators = options.spectators
    if spectators != "none" and not is_alone:
        spectators = "scores"
    return options.model_copy(update={"max_players": MOST_PLAYERS, "spectators": spectators})


def lines(
    heat: Heat, standings: Collection[Standing], handed: Mapping[str, str]
) -> Iterator[e.RacedLine]:
    """What a heat's race came to, by entrant; `handed` are the seats that were handed over."""
    entrants = {handed.get(player, player): entrant for entrant, player in heat.seats.items()}
    for one in standings:
        yield e.RacedLine(
            entrant=entrants[one.player],
            status=one.status,
            best=one.best,
            moves=one.moves,
            actions=one.actions,
            time_ms=one.time_ms,
        )
