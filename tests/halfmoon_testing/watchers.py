"""Those who watch: what they make of what they are told, and what they may be told (Contract §7).

`SlowRace` restates *fair* with lists and sets, from the events of a race and the oracle's boards;
`audit` follows a room event by event and holds what the gallery shows against it.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile

from halfmoon.engine.codes import Code
from halfmoon.engine.record import Action, MoveAction, UndoAction
from halfmoon.wire import codec
from halfmoon.wire import commands as c
from halfmoon.wire import messages as m
from halfmoon_server.hosting.gallery import Gallery
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.commands import Chance
from halfmoon_server.rooms.state import Room
from halfmoon_testing import builders as b
from halfmoon_testing import oracle
from halfmoon_testing.fakes import Said
from halfmoon_testing.oracle import OracleBoard
from halfmoon_testing.records import OPEN_CODES
from halfmoon_testing.rooms import Table, ghosts, race
from halfmoon_testing.solver import winning_line

Change = tuple[Room, e.Event, Room]
Position = tuple[str, int]
"""A place of the deal: its spot, and how many cards lie there while it is exposed."""

FACE_DOWN = "??"
LABEL = re.compile(r"<[0-9a-f]{8}\.\d+>")

labelled_deal = cache(b.labelled_deal)
deck = cache(oracle.deck)


@cache
def labels_of(code: Code) -> dict[Position, str]:
    """What is written on the card that was dealt at each place."""
    piles = [(spot, height) for spot in oracle.SPOTS[:12] for height in range(1, 9)]
    places = [*piles, *((spot, 1) for spot in oracle.SPOTS[12:])]
    return {place: b.label(code, number) for number, place in enumerate(places)}


class Fault(AssertionError):
    """What is shown is not what the contract says."""


class TooEarly(Fault):
    """A card was named that may not be known yet."""


class Behind(Fault):
    """An action, or a card, was kept back without need."""


# --- Somebody who watches ---------------------------------------------------------------------


@dataclass
class Watcher:
    """What somebody knows of boards from messages alone, as a client would keep it."""

    w: int
    boards: dict[str, Said]

    @classmethod
    def told(cls, message: Said) -> Watcher:
        """Who has just been told all boards, by `boards` or by `room`."""
        return cls(message["w"], deepcopy(message["boards"]))

    def hear(self, message: Said) -> None:
        """Take in the next message about boards."""
        if message["type"] == "boards":
            self.w, self.boards = message["w"], deepcopy(message["boards"])
            return
        assert message["w"] == self.w + 1, "w counts up by one"
        self.w += 1
        board = self.boards[message["player"]]
        if message["type"] == "seat_unmasked":
            for spot, card in message["cards"].items():
                assert top_of(board, spot) == FACE_DOWN, "a card is turned up once"
                _put(board, spot, card, 0)
        else:
            self._act(board, message)
        board.pop("status", None)
        board |= {"status": message["status"]} if "status" in message else {}

    def _act(self, board: Said, message: Said) -> None:
        assert message["turn"] == board["turn"] + 1, "actions come in their order"
        if message["type"] == "seat_moved":
            there = [top_of(board, spot) for spot in message["revealed"]]
            assert message["removed"] == there, "what goes is what lay there"
            for spot, card in message["revealed"].items():
                _put(board, spot, card, -1)
        else:
            assert message["type"] == "seat_undone"
            for spot, card in message["restored"].items():
                _put(board, spot, card, +1)
        board |= {name: message[name] for name in ("turn", "score", "moves")}


def top_of(board: Said, spot: str) -> str | None:
    """What a board shows on this spot."""
    if spot.startswith("R"):
        card: str | None = board["reserve"][int(spot[1:]) - 1]
        return card
    top: str | None = board["piles"][int(spot) - 1]["top"]
    return top


def _put(board: Said, spot: str, card: str | None, more: int) -> None:
    if spot.startswith("R"):
        board["reserve"][int(spot[1:]) - 1] = card
    else:
        pile = board["piles"][int(spot) - 1]
        pile["top"] = card
        pile["count"] += more


# --- The definition, slowly -------------------------------------------------------------------


@dataclass
class Seen:
    """A board after some action: how high its piles are, and the numbers beside it."""

    heights: dict[str, int]
    score: int
    moves: int
    status: str


@dataclass
class SlowSeat:
    """A racer's board with all that ever happened on it."""

    board: OracleBoard
    is_done: bool = False
    is_ghost: bool = False
    """A ghost has no secret to be kept from it, and no hand to help."""
    seen: list[Seen] = field(default_factory=list)
    """The board after none of the actions, after the first, and so on."""
    removed: list[list[Position]] = field(default_factory=list)
    """What the first action took away, the second, and so on; an undo takes nothing."""
    exposed: set[Position] = field(default_factory=set)

    def look(self) -> None:
        """Write down the board as it is now."""
        board = self.board
        heights = {str(pile): count for pile, count in enumerate(board.counts(), start=1)}
        heights |= {f"R{n}": int(card is not None) for n, card in enumerate(board.reserve, start=1)}
        self.seen.append(Seen(heights, board.score, board.moves, board.status()))
        self.exposed |= {position for position in heights.items() if position[1]}

    def move(self, spots: Iterable[str]) -> None:
        self.removed.append([(spot, self.seen[-1].heights[spot]) for spot in spots])
        self.board.play([*spots])
        self.look()

    def undo(self) -> None:
        self.removed.append([])
        self.board.undo()
        self.look()


class SlowRace:
    """What those who watch a race may see by now."""

    def __init__(self, room: Room) -> None:
        assert room.race is not None, "it has just begun"
        self.labels = labels_of(room.code)
        self.undo = room.options.undo
        self.is_fair = room.options.spectators == "fair"
        self.ghosts = {ghost.player: ghost.actions for ghost in room.ghosts}
        self.seats: dict[str, SlowSeat] = {}
        for player in room.race.seats:
            deal = OracleBoard.of_deck(deck(str(room.code)))
            seat = SlowSeat(deal, is_ghost=player in self.ghosts)
            seat.look()
            self._judge(seat)
            self.seats[player] = seat

    def take(self, event: e.Event) -> None:
        """Take in what happened."""
        match event:
            case e.MoveMade():
                self.seats[event.player].move(event.spots)
                self._judge(self.seats[event.player])
            case e.UndoMade():
                self.seats[event.player].undo()
                self._judge(self.seats[event.player])
            case e.Retired():
                self.seats[event.player].is_done = True
            case e.RaceOver():
                for ghost, actions in self.ghosts.items():
                    self._finish(self.seats[ghost], actions)
                for seat in self.seats.values():
                    seat.is_done = True
            case _:
                pass

    def _judge(self, seat: SlowSeat) -> None:
        status = seat.seen[-1].status
        is_stuck = status == "deadlocked" and not self.undo
        seat.is_done = seat.is_ghost or status == "won" or is_stuck

    def _finish(self, ghost: SlowSeat, actions: Iterable[Action]) -> None:
        """What the ghost hadn't done yet happens at once."""
        for action in [*actions][len(ghost.removed) :]:
            if isinstance(action, MoveAction):
                ghost.move(action.move)
            elif isinstance(action, UndoAction):
                ghost.undo()

    def is_known(self, position: Position) -> bool:
        """Whether every racer who isn't done has had this card exposed."""
        if not self.is_fair:
            return True
        return all(position in seat.exposed for seat in self.seats.values() if not seat.is_done)

    def actions_shown(self, player: str) -> int:
        """So many of the racer's actions may be seen."""
        removed = self.seats[player].removed
        return len([*takewhile(lambda places: all(map(self.is_known, places)), removed)])

    def board(self, player: str) -> Said:
        """The racer's board as it may be seen."""
        turn = self.actions_shown(player)
        seen = self.seats[player].seen[turn]
        tops = {spot: self._shown(spot, height) for spot, height in seen.heights.items()}
        board = {
            "turn": turn,
            "piles": [{"top": tops[p], "count": seen.heights[p]} for p in oracle.SPOTS[:12]],
            "reserve": [tops[place] for place in oracle.SPOTS[12:]],
            "score": seen.score,
            "moves": seen.moves,
        }
        return board if FACE_DOWN in tops.values() else {**board, "status": seen.status}

    def _shown(self, spot: str, height: int) -> str | None:
        if not height:
            return None
        return self.labels[spot, height] if self.is_known((spot, height)) else FACE_DOWN

    def may_not_be_named(self, player: str, labels: set[str]) -> list[Position]:
        """The cards among these that no news of this seat may hold."""
        exposed = self.seats[player].exposed
        named = [position for position, label in self.labels.items() if label in labels]
        return [p for p in named if p not in exposed or not self.is_known(p)]


# --- The audit --------------------------------------------------------------------------------


def said(message: m.AnyMessage) -> Said:
    """The message as it goes over the wire, to whoever reads JSON."""
    read: Said = json.loads(codec.write(message))
    return read


def audit(changes: Iterable[Change]) -> Counter[str]:
    """Follow a room on labelled deals, as who watches from the start and who comes late see it.

    Raises a `Fault` where anything is shown too early, too late, or not as it is. Gives how often
    what was seen.
    """
    following = Audit()
    for before, event, after in changes:
        following.follow(before, event, after)
    return following.counted


_MATTER = (e.RaceStarted, e.MoveMade, e.UndoMade, e.Retired, e.RaceOver, e.RematchOpened)


class Audit:
    """Holds all that a gallery shows against the slow definition."""

    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()
        self._gallery = Gallery()
        self._slow: SlowRace | None = None
        self._watchers: list[Watcher] = []
        self._viewed: dict[str, object] = {}

    def follow(self, before: Room, event: e.Event, after: Room) -> None:
        """Take in an event, and look at everything that is shown by it."""
        if isinstance(event, e.RaceStarted):
            self._slow = SlowRace(after)
        elif isinstance(event, e.RematchOpened):
            self._slow, self._watchers = None, []
        elif self._slow is not None:
            self._slow.take(event)
        self._gallery.follow(before, event, after)
        messages = [*shown_by(self._gallery, event.at, after)]
        for message in messages:
            self._hear(message)
        if messages or isinstance(event, _MATTER):
            self._compare()
        self._let_in(after)

    def _hear(self, message: Said) -> None:
        self.counted[message["type"]] += 1
        assert self._slow is not None, "boards are of a race"
        if message["type"] == "boards":
            boards = message["boards"]
        else:
            boards = {message["player"]: {**message, "player": ""}}
            self.counted["masked"] += FACE_DOWN in message.get("revealed", {}).values()
        for player, text in boards.items():
            named = {*LABEL.findall(json.dumps(text))}
            if early := self._slow.may_not_be_named(player, named):
                raise TooEarly(f"{early} of {player} in {message}")
        for watcher in self._watchers:
            watcher.hear(message)
        if message["type"] == "boards" and not self._watchers:
            self._watchers = [Watcher.told(message)]

    def _compare(self) -> None:
        """Everybody who watches has every seat's board as far as it may be seen, and no further."""
        shown = self._gallery.shown
        if self._slow is None or shown is None:
            assert shown is None, "without a race there is nothing to see"
            return
        for player, seat in self._slow.seats.items():
            right = self._slow.board(player)
            self.counted["waiting"] += right["turn"] < len(seat.removed)
            _compared(self._watchers[0].boards[player], right, player)
            watched = shown.watch.seats[player]
            if self._viewed.get(player) is not watched:
                self._viewed[player] = watched
                view = views._watched_board(watched).model_dump(mode="json")
                _compared(view, right, player)
        for watcher in self._watchers[1:]:
            assert watcher == self._watchers[0], "all who watch know the same"

    def _let_in(self, room: Room) -> None:
        """Now and then somebody comes to watch, and is told in `room` what others know."""
        if self._gallery.shown is None or room.events % 17 or len(self._watchers) > 3:
            return
        for player in room.members:
            snapshot = said(views.snapshot(room, player, 0, shown=self._gallery.shown))
            assert ("boards" in snapshot) == ("w" in snapshot) == self._may_watch(room, player)
            if "boards" in snapshot:
                self._watchers.append(Watcher.told(snapshot))
                assert self._watchers[-1] == self._watchers[0], "all who watch know the same"
                self.counted["late"] += 1

    def _may_watch(self, room: Room, player: str) -> bool:
        assert self._slow is not None
        seat = self._slow.seats.get(player)
        return player in room.members and (seat is None or seat.is_done)


def _compared(board: Said, right: Said, player: str) -> None:
    """Raise the fault of a board that isn't the right one."""
    if board == right:
        return
    if board["turn"] != right["turn"]:
        kind: type[Fault] = TooEarly if board["turn"] > right["turn"] else Behind
        raise kind(f"{player}: {board['turn']} actions are shown, and {right['turn']} may be")
    for spot in oracle.SPOTS:
        one, other = top_of(board, spot), top_of(right, spot)
        if one != other:
            kind = Behind if one == FACE_DOWN else TooEarly if other == FACE_DOWN else Fault
            raise kind(f"{player}: spot {spot} shows {one}, and {other} is right")
    raise Fault(f"{player}: {board} is shown, and {right} is right")


def shown_by(gallery: Gallery, now: int | None, room: Room) -> Iterator[Said]:
    """What all who watch are told by now (None: at last)."""
    for scene, w in gallery.take_due(now):
        if scene.is_first:
            assert gallery.shown is not None
            yield said(views.boards(room, gallery.shown))
        for number, sight in enumerate(scene.sights, start=w):
            yield said(views.news(room, sight, number))


# --- Races at random --------------------------------------------------------------------------

RACERS = b.PEOPLE[:4]
WATCHING = b.PEOPLE[4]
CODES = tuple(Code.parse(code) for code in OPEN_CODES)
CHANCE = Chance(code=CODES[0], race="r_1")
"""Every race here is on a code that was typed, whose winning line is known."""
_DEEDS = {
    "line": 50, "move": 20, "undo": 14, "undo all": 1, "retire": 0.4, "leave": 0.4, "join": 1, "drop": 2,
    "wait": 0.5,
}  # fmt: skip


def raced(seed: int, **options: object) -> Table:
    """A race at random: one to four people of different speeds, of whom some undo, give up or go.

    They follow the same line now and then, so that much of what one has seen the others have too.
    """
    chance = random.Random(seed)
    racers = RACERS[: chance.choice((1, 2, 2, 3, 3, 4))]
    agreed = {
        "spectators": chance.choice(("fair", "fair", "fair", "open")),
        "undo": chance.random() < 0.75,
        "ends": chance.choice(("all", "first_win")),
        "time_limit_ms": chance.choice((None, 200_000, 900_000)),
        **options,
    }
    code = CODES[seed % len(CODES)]
    undo, limit_ms = bool(agreed["undo"]), agreed["time_limit_ms"]
    assert limit_ms is None or isinstance(limit_ms, int)
    at = race(
        *racers[1:],
        watching=[WATCHING],
        deal=labelled_deal,
        draw=lambda: CHANCE,
        code=code,
        ghosts=ghosts(seed % 4 // 2, code, seed, undo=undo, time_limit_ms=limit_ms),
        **agreed,
    )
    _run(at, racers, chance)
    if chance.random() < 0.2 and at.room.host in at.room.members:
        at.ask(at.room.host, b.rematch(chance.choice(CODES)))
        for who in racers:
            at.ask(who, b.join())
            at.ask(who, b.ready())
        at.ask(at.room.host, b.start())
        at.pass_ms(at.room.options.countdown_ms)
        _run(at, racers, chance)
    return at


def _run(at: Table, racers: tuple[str, ...], chance: random.Random) -> None:
    """Whatever people do until the race is over."""
    speeds = [chance.choice((1, 2, 5)) for _ in racers]
    for _ in range(chance.choice((20, 60, 60, 120, 250))):
        if at.room.state != "racing":
            return
        (who,) = chance.choices(racers, speeds)
        (deed,) = chance.choices([*_DEEDS], [*_DEEDS.values()])
        at.pass_ms(chance.choice((0, 1, 300, 1500)))
        for command in _commands(deed, at, who, chance):
            at.ask(who, command)
    if at.room.options.time_limit_ms is not None and chance.random() < 0.5:
        at.pass_ms(at.room.options.time_limit_ms)
    for who in chance.sample(racers, len(racers)):
        at.ask(who, b.join())
        at.ask(who, b.retire())


def _commands(deed: str, at: Table, who: str, chance: random.Random) -> list[c.AnyRoomCommand]:
    """What that is as commands, some of which may be refused."""
    seat = at.room.seat(who)
    turn = 0 if seat is None else seat.run.board.turn
    match deed:
        case "line" | "move" if seat is not None:
            spots = _spots(deed, at, who, chance)
            return [] if spots is None else [b.move(turn, *spots)]
        case "undo":
            return [b.undo(turn + n) for n in range(chance.choice((1, 1, 2, 4)))]
        case "undo all":
            return [b.undo(turn + n) for n in range(48)]
        case "drop":
            at.drop(who)
            return [b.join()]
        case "wait":
            at.pass_ms(20_000)
            return []
        case _:
            rest: dict[str, c.AnyRoomCommand] = {"retire": b.retire(), "leave": b.leave()}
            return [rest.get(deed, b.join())]


def _spots(deed: str, at: Table, who: str, chance: random.Random) -> Iterable[str] | None:
    board = at.board(who)
    line = winning_line(str(at.room.code))
    if deed == "line" and [[*move] for move in board.history] == line[: board.moves]:
        return line[board.moves] if board.moves < len(line) else None
    moves = board.legal_moves()
    return chance.choice(moves) if moves else None
