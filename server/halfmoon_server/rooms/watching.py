"""What those who watch may see of boards (Contract §7): live, or so that no watcher can help.

With `fair` a watched board is the seat's board after its first *k* actions, *k* being as large as
possible so that every card which these actions removed has been exposed by every racer who isn't
done. Exposed cards are kept as sets of the deal's 104 positions, in the bits of an integer: what
all unfinished racers have exposed is then one `&` over their sets.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from halfmoon.engine.board import Board
from halfmoon.engine.deals import PILE_COUNT, PILE_HEIGHT, RESERVE_COUNT
from halfmoon.engine.spots import INDEX, SPOTS, Move, Spot
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.evolve import ghosts_finish
from halfmoon_server.rooms.state import Room, Seat

ALL = (1 << PILE_COUNT * PILE_HEIGHT + RESERVE_COUNT) - 1
"""Every position of a deal."""


def position(spot: Spot, count: int) -> int:
    """The bit of the card that is exposed on `spot` while `count` cards lie there."""
    index = INDEX[spot]
    if index < PILE_COUNT:
        return 1 << PILE_HEIGHT * index + count - 1
    return 1 << PILE_COUNT * PILE_HEIGHT + index - PILE_COUNT


def exposed(board: Board) -> int:
    """The positions whose cards are exposed on this board."""
    return sum(position(s, count) for s, count in zip(SPOTS, board.counts, strict=True) if count)


@dataclass(frozen=True, slots=True)
class Action:
    """A move or an undo that was made on a seat's board."""

    board: Board
    """The board after it."""
    spots: Move
    is_undo: bool
    needs: int
    """The positions that it removed: all unfinished racers must have exposed them."""
    covers: int
    """The positions that are no longer exposed after it."""
    shows: int
    """The positions that it exposed."""
    at_ms: int


@dataclass(frozen=True, slots=True)
class WatchedSeat:
    """A seat as those who watch see it; as long as nothing changes there, the same object."""

    player: str
    board: Board
    """The seat's board after the actions that may be seen."""
    hidden: int
    """The exposed positions of `board` that may not be seen."""
    waiting: tuple[Action, ...]
    """The actions beyond, in order."""
    seen: int
    """The positions that this racer has ever exposed."""
    is_done: bool
    """Whether nothing is kept back for its racer, who is done or a ghost."""

    @property
    def hidden_spots(self) -> list[Spot]:
        """The spots that show a card face down."""
        board = self.board
        return [
            spot
            for spot, count in zip(SPOTS, board.counts, strict=True)
            if count and self.hidden & position(spot, count)
        ]


@dataclass(frozen=True, slots=True)
class Watch:
    """All boards of a race as those who watch see them."""

    is_fair: bool
    seats: Mapping[str, WatchedSeat]
    common: int
    """The positions that every racer who isn't done has exposed."""


@dataclass(frozen=True, slots=True)
class SeatActed:
    """Those who watch now see this action."""

    before: WatchedSeat
    after: WatchedSeat
    action: Action


@dataclass(frozen=True, slots=True)
class SeatUnmasked:
    """Cards that lay face down may be seen now."""

    before: WatchedSeat
    after: WatchedSeat


Sight = SeatActed | SeatUnmasked


def follow(
    watch: Watch | None, before: Room, event: e.Event, after: Room
) -> tuple[Watch | None, list[Sight]]:
    """What an event lets those who watch see, in order, and what they see from then on."""
    match event:
        case e.RaceStarted():
            return watch_of(after), []
        case e.RematchOpened():
            return None, []
        case e.SeatsHandedOver() if watch is not None:
            return renamed(watch, event), []
        case e.MoveMade() | e.UndoMade() if watch is not None:
            return _advanced(_acted(watch, before, event, after))
        case e.RaceOver() if watch is not None:
            for one in ghosts_finish(before, event.at):
                watch = _followed(watch, *one)
            return _advanced(_finished(watch, after))
        case e.Retired() if watch is not None:
            return _advanced(_finished(watch, after))
        case _:
            return watch, []


def renamed(watch: Watch, event: e.SeatsHandedOver) -> Watch:
    """The same boards, those of seats that were handed over under who has them now."""
    seats = (renamed_seat(seat, event) for seat in watch.seats.values())
    return replace(watch, seats={seat.player: seat for seat in seats})


def renamed_seat(seat: WatchedSeat, event: e.SeatsHandedOver) -> WatchedSeat:
    """The same board under who has the seat now."""
    holder = event.seats.get(seat.player)
    return seat if holder is None else replace(seat, player=holder)


def renamed_sight(sight: Sight, event: e.SeatsHandedOver) -> Sight:
    """What is yet to be seen of a seat, under who has it now."""
    before, after = renamed_seat(sight.before, event), renamed_seat(sight.after, event)
    return replace(sight, before=before, after=after)


def watch_of(room: Room) -> Watch | None:
    """All boards of a race that has just begun, or is over; None where none are to be seen."""
    race, mode = room.race, room.options.spectators
    if race is None or mode not in ("open", "fair"):
        return None
    seats: dict[str, WatchedSeat] = {}
    for seat in race.seats.values():
        board = seat.run.board
        seats[seat.player] = WatchedSeat(
            player=seat.player,
            board=board,
            hidden=0,
            waiting=(),
            seen=exposed(board),
            is_done=_is_open(room, seat),
        )
    return Watch(is_fair=mode == "fair", seats=seats, common=_common(seats))


def _acted(watch: Watch, before: Room, event: e.MoveMade | e.UndoMade, after: Room) -> Watch:
    """The racer's action takes its place in the queue, and what it exposed counts as exposed."""
    was, now = before.seat(event.player), after.seat(event.player)
    assert was is not None, "only racers act"
    assert now is not None, "only racers act"
    board = now.run.board
    is_undo = isinstance(event, e.UndoMade)
    spots = was.run.board.history[-1] if isinstance(event, e.UndoMade) else event.spots
    covers, shows = _exposed_on(was.run.board, spots), _exposed_on(board, spots)
    action = Action(board, spots, is_undo, 0 if is_undo else covers, covers, shows, event.at_ms)
    seat = watch.seats[event.player]
    acted = WatchedSeat(
        player=seat.player,
        board=seat.board,
        hidden=seat.hidden,
        waiting=(*seat.waiting, action),
        seen=seat.seen | shows,
        is_done=_is_open(after, now),
    )
    return Watch(watch.is_fair, {**watch.seats, event.player: acted}, watch.common)


def _exposed_on(board: Board, spots: Move) -> int:
    """The positions whose cards are exposed on these spots."""
    counts = board.counts
    return sum(position(spot, count) for spot in spots if (count := counts[INDEX[spot]]))


def _followed(watch: Watch, before: Room, event: e.Event, after: Room) -> Watch:
    if isinstance(event, e.MoveMade | e.UndoMade):
        return _acted(watch, before, event, after)
    return watch


def _is_open(room: Room, seat: Seat) -> bool:
    """Whether this seat needs no secret kept from it: its racer is done, or there is none."""
    return seat.ghost is not None or room.is_done(seat)


def _finished(watch: Watch, room: Room) -> Watch:
    """Racers who are done no longer keep anything back."""
    assert room.race is not None, "somebody raced"
    seats = {
        player: replace(seat, is_done=_is_open(room, room.race.seats[player]))
        for player, seat in watch.seats.items()
    }
    return replace(watch, seats=seats)


def _common(seats: Mapping[str, WatchedSeat]) -> int:
    common = ALL
    for seat in seats.values():
        if not seat.is_done:
            common &= seat.seen
    return common


def _advanced(watch: Watch) -> tuple[Watch, list[Sight]]:
    """Every seat as far on as it may be seen."""
    common = _common(watch.seats) if watch.is_fair else ALL
    sights: list[Sight] = []
    seats = dict(watch.seats)
    is_news = common != watch.common
    for player, seat in watch.seats.items():
        # Without news for all, only a seat with something new of its own can move on.
        if not is_news and (not seat.waiting or seat.waiting[0].needs & ~common):
            continue
        for sight in _seat_sights(seat, common):
            sights.append(sight)
            seats[player] = sight.after
    return Watch(watch.is_fair, seats, common), sights


def _seat_sights(seat: WatchedSeat, common: int) -> Iterator[Sight]:
    hidden = seat.hidden & ~common
    if hidden != seat.hidden:
        unmasked = replace(seat, hidden=hidden)
        yield SeatUnmasked(seat, unmasked)
        seat = unmasked
    while seat.waiting and not seat.waiting[0].needs & ~common:
        action = seat.waiting[0]
        shown = WatchedSeat(
            player=seat.player,
            board=action.board,
            hidden=seat.hidden & ~action.covers | action.shows & ~common,
            waiting=seat.waiting[1:],
            seen=seat.seen,
            is_done=seat.is_done,
        )
        yield SeatActed(seat, shown, action)
        seat = shown
