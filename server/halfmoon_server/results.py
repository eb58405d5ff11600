"""The results of a race that is over, one for each who raced."""

from halfmoon_server.eventlog.results import Result, Rules
from halfmoon_server.rooms.state import Room


def results_of(room: Room) -> tuple[Result, ...]:
    """The results of the room's race, in the order of its standings, once it is over.

    Ghosts have raced before: they are ranked and get none.
    """
    race, options = room.race, room.options
    assert race is not None, "a race that is over"
    assert race.over_at is not None, "a race that is over"
    living = [line for line in race.standings if line.ghost is None]
    rules = Rules(undo=options.undo, time_limit_ms=options.time_limit_ms, ends=options.ends)
    return tuple(
        Result(
            race=race.race,
            player=line.player,
            name=line.name,
            room=room.room,
            code=str(room.code),
            rules=rules,
            contest=room.contest,
            starts_at=race.starts_at,
            over_at=race.over_at,
            rank=line.rank,
            racers=len(race.standings),
            status=line.status,
            score=line.score,
            best=line.best,
            moves=line.moves,
            actions=line.actions,
            # An undo is an action and takes another back: what doesn't stand counts twice.
            undos=(line.actions - line.moves) // 2,
            time_ms=line.time_ms,
            is_deadlocked=race.seats[line.player].run.board.status == "deadlocked",
        )
        for line in living
    )
