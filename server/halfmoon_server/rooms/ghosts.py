"""What a ghost does next: its recorded actions as events of the race that it is in."""

from halfmoon.engine.ghosts import GhostOf
from halfmoon.engine.record import Action, MoveAction, RecordedPlayer, UndoAction
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.state import Race, Seat

PREFIX = "g_"


def ghost_of(race: str, line: RecordedPlayer) -> e.Ghost:
    """The ghost of what a player did in that race; a ghost's ghost is whose run it was."""
    of = line.ghost or GhostOf(race=race, player=line.player)
    seat = PREFIX + of.player.partition("_")[2]
    return e.Ghost(player=seat, name=line.name, of=of, actions=tuple(line.actions))


def next_at(race: Race) -> int | None:
    """When the next ghost acts, Unix ms; None where none does any more."""
    following = _next(race)
    return None if following is None else race.starts_at + following[1].at_ms


def next_event(race: Race, now: int) -> e.MoveMade | e.UndoMade | e.Retired | None:
    """What the next ghost to act does, None where none does anything any more."""
    following = _next(race)
    if following is None:
        return None
    seat, action = following
    if isinstance(action, MoveAction):
        spots = seat.run.board.play(action.move).history[-1]
        return e.MoveMade(at=now, player=seat.player, spots=spots, at_ms=action.at_ms)
    if isinstance(action, UndoAction):
        return e.UndoMade(at=now, player=seat.player, at_ms=action.at_ms)
    return e.Retired(at=now, player=seat.player, at_ms=action.at_ms)


def _next(race: Race) -> tuple[Seat, Action] | None:
    """The ghost that acts next, and how."""
    seats = [race.seats[player] for player in race.ghosts]
    waiting = [(seat, action) for seat in seats if (action := _action(seat)) is not None]
    return min(waiting, key=lambda one: one[1].at_ms, default=None)


def _action(seat: Seat) -> Action | None:
    """The first recorded action that the seat hasn't made: each made one is a turn."""
    assert seat.ghost is not None, "only a ghost's actions are known beforehand"
    turn = seat.run.board.turn
    if seat.run.left_as is not None or turn >= len(seat.ghost.actions):
        return None
    return seat.ghost.actions[turn]
