"""The sans-I/O seat: this was said, this is what one sees and says then."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

from halfmoon.engine.board import Board
from halfmoon.engine.codes import Code
from halfmoon.engine.deals import Deal
from halfmoon.engine.run import Run
from halfmoon.engine.standings import Standing
from halfmoon.wire import commands as c
from halfmoon.wire import messages as m
from halfmoon.wire.errors import ErrorCode
from halfmoon.wire.options import OptionChanges, RoomOptions
from halfmoon_client.pending import CALM, PATIENCE_MS, WINDOW
from halfmoon_client.seat import Answered, Happening, RoomChanged, RoomGone, Seat
from halfmoon_server.rooms.views import board_view

ROOM, SEAL = "K7M2P", "0" * 64
CODE = Code.parse("HM1-N-AAAAAAB")
RUN = Run.start(Deal.of(CODE))
M = TypeVar("M", bound=m.Message)


def welcome(re: str | None) -> m.Welcome:
    server = m.ServerInfo(version="1")
    return m.Welcome(player="p_1", name="Ann", token="secret", server=server, at=5, re=re)


def line(player: str, **fields: Any) -> m.PlayerLine:
    name = {"p_1": "Ann", "p_2": "Bob", "p_3": "Cy"}[player]
    values = {"ready": False, "online": True, "status": "waiting", "score": 0, "moves": 0}
    return m.PlayerLine(player=player, name=name, **{**values, **fields})


def room(**fields: Any) -> m.RoomSnapshot:
    values: dict[str, Any] = {
        "room": ROOM,
        "n": 5,
        "state": "lobby",
        "host": "p_1",
        "host_name": "Ann",
        "options": RoomOptions(),
        "seal": SEAL,
        "players": [line("p_1"), line("p_2")],
        "spectators": 0,
        "you": m.You(as_="player"),
    }
    return m.RoomSnapshot(**{**values, **fields})


def racing_room(board: Board = RUN.board, **fields: Any) -> m.RoomSnapshot:
    lines = [line("p_1", status="racing"), line("p_2", status="racing")]
    you = m.You(as_="player", board=board_view(Run(board=board), undo=True))
    values = {"state": "racing", "race": "r_1", "starts_at": 9, "players": lines, "you": you}
    return room(**{**values, **fields})


def moved(before: Board, spots: Sequence[str], re: str | None) -> m.Moved:
    now = before.play(spots)
    move = now.history[-1]
    return m.Moved(
        room=ROOM,
        turn=now.turn,
        removed=[card for spot in move if (card := before.exposed(spot))],
        revealed={spot: now.exposed(spot) for spot in move},
        score=now.score,
        moves=now.moves,
        status=now.status,
        at_ms=7,
        re=re,
    )


def error(code: ErrorCode, re: str | None, **fields: Any) -> m.Error:
    return m.Error(code=code, message="no", re=re, **fields)


class Player:
    """A seat, and what it was told to say on this connection."""

    def __init__(self, **seat: Any) -> None:
        ids = itertools.count(1)
        self.seat = Seat(new_id=lambda: f"id{next(ids)}", **(seat or {"name": "Ann"}))
        self.said: list[c.Command] = []

    def says(self) -> list[c.Command]:
        """What it says since it was last asked."""
        new = self.seat.commands_to_send()
        self.said += new
        return new

    def connect(self) -> list[c.Command]:
        self.seat.connected()
        return self.says()

    def welcomed(self) -> "Player":
        [hello, *_] = self.connect()
        self.seat.receive(welcome(hello.id))
        return self

    def seated(self, snapshot: m.RoomSnapshot) -> "Player":
        self.welcomed()
        self.seat.send(c.JoinRoom(room=ROOM))
        [join] = self.says()
        self.hears(snapshot.model_copy(update={"re": join.id}))
        return self

    def hears(self, *messages: m.AnyMessage) -> list[Happening]:
        return [happening for message in messages for happening in self.seat.receive(message)]

    @property
    def view(self) -> m.RoomSnapshot:
        return self.seat.rooms[ROOM]

    @property
    def board(self) -> m.BoardView:
        assert self.view.you.board is not None
        return self.view.you.board

    def drops(self) -> None:
        self.seat.dropped()
        self.said.clear()


def kinds(commands: list[c.Command]) -> list[str]:
    return [command.type for command in commands]


# Coming in


def test_a_new_player_says_hello_with_a_name_and_nothing_more_before_the_welcome() -> None:
    ann = Player(name="Ann")
    ann.seat.send(c.JoinRoom(room="k7m2p"))
    [hello] = ann.connect()
    assert hello == c.Hello(id=hello.id, name="Ann")
    assert ann.says() == []
    ann.hears(welcome(hello.id))
    assert (ann.seat.player, ann.seat.name, ann.seat.token) == ("p_1", "Ann", "secret")
    assert [command.model_dump()["room"] for command in ann.says()] == [ROOM]


def test_who_has_a_token_says_it_and_needs_no_name() -> None:
    [hello] = Player(token="old").connect()
    assert hello == c.Hello(id=hello.id, token="old")


def test_nothing_is_said_without_a_connection() -> None:
    ann = Player()
    ann.seat.send(c.JoinRoom(room=ROOM))
    assert ann.says() == []


def test_a_refused_hello_is_told() -> None:
    ann = Player(token="wrong")
    [hello] = ann.connect()
    refusal = error(ErrorCode.UNAUTHORIZED, hello.id)
    assert ann.hears(refusal) == [Answered(hello, refusal)]


def test_every_command_has_an_id_of_its_own() -> None:
    ann = Seat(name="Ann")
    ids = {ann.send(c.Start(room=ROOM)) for _ in range(100)}
    assert len(ids) == 100
    assert all(16 <= len(id_) <= 64 for id_ in ids)


def test_an_answer_finds_its_command_by_re() -> None:
    ann = Player().seated(room())
    for ready in (True, False):
        ann.seat.send(c.SetReady(room=ROOM, ready=ready))
    first, second = ann.says()
    second_ok, first_ok = (m.Ok(room=ROOM, re=one.id) for one in (second, first))
    assert ann.hears(second_ok) == [Answered(second, second_ok)]
    assert ann.hears(first_ok) == [Answered(first, first_ok)]
    assert ann.hears(first_ok) == []


# The room kept current


def test_each_broadcast_changes_the_room() -> None:
    ann = Player().seated(room())
    steps: list[tuple[m.AnyBroadcast, dict[str, Any]]] = [
        (
            m.PlayerJoined(
                room=ROOM, n=6, player="p_3", name="Cy", as_="player", ready=False, online=True
            ),
            {"players": [line("p_1"), line("p_2"), line("p_3")]},
        ),
        (
            m.PlayerJoined(
                room=ROOM, n=7, player="p_4", name="Di", as_="spectator", ready=False, online=True
            ),
            {"spectators": 1},
        ),
        (
            m.PlayerChanged(
                room=ROOM, n=8, player="p_3", as_="player", ready=True, online=True, host=False
            ),
            {"players": [line("p_1"), line("p_2"), line("p_3", ready=True)]},
        ),
        (m.PlayerLeft(room=ROOM, n=9, player="p_4", why="left"), {"spectators": 0}),
        (
            m.PlayerChanged(
                room=ROOM, n=10, player="p_2", as_="player", ready=False, online=True, host=True
            ),
            {"host": "p_2", "host_name": "Bob"},
        ),
        (
            m.PlayerChanged(
                room=ROOM, n=11, player="p_3", as_="spectator", ready=False, online=True, host=False
            ),
            {"players": [line("p_1"), line("p_2")], "spectators": 1},
        ),
        (
            m.OptionsChanged(
                room=ROOM, n=12, options=RoomOptions(undo=False, code=CODE), seal=SEAL, code=CODE
            ),
            {"options": RoomOptions(undo=False, code=CODE), "code": CODE},
        ),
    ]
    for message, fields in steps:
        expected = ann.view.model_copy(update={"n": message.n, **fields})
        assert ann.hears(message) == [RoomChanged(ROOM)]
        assert ann.view == expected


def test_a_race_from_countdown_to_rematch() -> None:
    ann = Player().seated(room(players=[line("p_1", ready=True), line("p_2")]))
    ann.hears(m.Countdown(room=ROOM, n=6, starts_at=3000))
    assert (ann.view.state, ann.view.starts_at) == ("countdown", 3000)
    started = m.Started(
        room=ROOM, n=7, race="r_1", starts_at=3000, ends_at=9000, seal=SEAL, players=["p_1"]
    )
    ann.hears(started)
    assert [one.status for one in ann.view.players] == ["racing", "waiting"]
    assert ann.view.you.board is None
    ann.hears(m.BoardDealt(room=ROOM, board=board_view(RUN, undo=True)))
    assert ann.board.turn == 0
    retired = m.ProgressLine(player="p_1", score=10, moves=1, status="retired", best=10, at_ms=8)
    ann.hears(m.Progress(room=ROOM, n=8, players=[retired]))
    assert (ann.view.players[0].score, ann.board.status) == (10, "retired")
    standing = Standing(
        rank=1, player="p_1", name="Ann", status="retired", score=10, best=10, moves=1,
        actions=1, time_ms=8,
    )  # fmt: skip
    ann.hears(m.Over(room=ROOM, n=9, race="r_1", code=CODE, seal=SEAL, standings=[standing]))
    assert (ann.view.state, ann.view.code, ann.view.standings) == ("over", CODE, [standing])
    ann.hears(m.Lobby(room=ROOM, n=10, options=RoomOptions(), seal="1" * 64))
    assert ann.view == room(n=10, seal="1" * 64, last_race="r_1")


def test_a_countdown_that_is_called_off_leads_back_to_the_lobby() -> None:
    ann = Player().seated(room(state="countdown", starts_at=3000))
    ann.hears(m.Countdown(room=ROOM, n=6, starts_at=None, why="nobody_ready"))
    assert ann.view == room(n=6)


def test_a_time_limit_ends_ones_own_board_too() -> None:
    ann = Player().seated(racing_room())
    standing = Standing(
        rank=1, player="p_1", name="Ann", status="timed_out", score=0, best=0, moves=0,
        actions=0, time_ms=0,
    )  # fmt: skip
    ann.hears(m.Over(room=ROOM, n=6, race="r_1", code=CODE, seal=SEAL, standings=[standing]))
    assert (ann.board.status, ann.board.can_undo) == ("timed_out", False)


@pytest.mark.parametrize(("state", "is_listed"), [("racing", True), ("lobby", False)])
def test_who_leaves_a_race_stays_listed(state: str, is_listed: bool) -> None:
    ann = Player().seated(racing_room() if state == "racing" else room())
    ann.hears(m.PlayerLeft(room=ROOM, n=6, player="p_2", why="left"))
    assert [one.player for one in ann.view.players if not one.online] == ["p_2"] * is_listed


def test_what_a_snapshot_holds_already_is_not_heard_twice() -> None:
    ann = Player().seated(room(spectators=1))
    told = m.PlayerLeft(room=ROOM, n=5, player="p_9", why="left")
    assert ann.hears(told) == []
    assert ann.view == room(spectators=1)


def test_a_room_that_one_is_not_in_is_not_followed() -> None:
    ann = Player().welcomed()
    assert ann.hears(m.Countdown(room="ABCDE", n=1, starts_at=1)) == []
    assert ann.hears(m.BoardDealt(room="ABCDE", board=board_view(RUN, undo=True))) == []
    assert ann.hears(room()) == []


def test_a_sign_is_counted() -> None:
    """It doesn't make the seat ask for a room that it has."""
    ann = Player().seated(room())
    ann.hears(m.Reaction(room=ROOM, n=6, player="p_2", reaction="gg"))
    assert ann.view == room(n=6)
    assert ann.says() == []


def test_a_reader_who_was_too_slow_takes_the_room_that_comes_unasked() -> None:
    ann = Player().seated(room())
    assert ann.hears(room(n=9, spectators=4)) == [RoomChanged(ROOM)]
    assert ann.view.spectators == 4
    assert ann.hears(room(n=8)) == []


# Gaps


def test_a_missing_number_asks_for_the_room_once_and_believes_nothing_until_it_comes() -> None:
    ann = Player().seated(room())
    assert ann.hears(m.Countdown(room=ROOM, n=7, starts_at=3000)) == []
    assert ann.hears(m.Countdown(room=ROOM, n=8, starts_at=None)) == []
    assert ann.hears(m.BoardDealt(room=ROOM, board=board_view(RUN, undo=True))) == []
    [again] = ann.says()
    assert again == c.JoinRoom(id=again.id, room=ROOM, as_="player")
    assert ann.view == room()
    ann.hears(room(n=8, spectators=2, re=again.id))
    assert ann.view == room(n=8, spectators=2)
    assert ann.hears(m.Countdown(room=ROOM, n=9, starts_at=4000)) == [RoomChanged(ROOM)]


def test_who_watches_asks_as_one_who_watches() -> None:
    ann = Player().seated(room(you=m.You(as_="spectator")))
    ann.hears(m.Countdown(room=ROOM, n=9, starts_at=1))
    [again] = ann.says()
    assert isinstance(again, c.JoinRoom)
    assert again.as_ == "spectator"


@pytest.mark.parametrize(
    "untold",
    [
        m.PlayerChanged(
            room=ROOM, n=6, player="p_9", as_="player", ready=False, online=True, host=False
        ),
        m.PlayerChanged(
            room=ROOM, n=6, player="p_9", as_="spectator", ready=False, online=True, host=True
        ),
        m.Lobby(room=ROOM, n=6, options=RoomOptions(), seal=SEAL),
    ],
    ids=["a name that was never told", "a host who was never named", "who left and who is away"],
)
def test_what_a_broadcast_does_not_tell_is_asked_for(untold: m.AnyBroadcast) -> None:
    players = [line("p_1"), line("p_2", online=False)]
    ann = Player().seated(room(state="over", players=players))
    assert ann.hears(untold) == []
    assert kinds(ann.says()) == ["join_room"]


def test_asking_in_vain_for_a_room_that_is_gone_is_leaving_it() -> None:
    ann = Player().seated(room())
    ann.hears(m.Countdown(room=ROOM, n=9, starts_at=1))
    [again] = ann.says()
    refusal = error(ErrorCode.UNKNOWN_ROOM, again.id)
    gone = RoomGone(ROOM, ErrorCode.UNKNOWN_ROOM)
    assert ann.hears(refusal) == [Answered(again, refusal), gone]
    assert ann.seat.rooms == {}


def test_a_server_that_cannot_write_is_asked_again_a_little_later() -> None:
    ann = Player().seated(room())
    ann.hears(m.Countdown(room=ROOM, n=9, starts_at=1))
    [again] = ann.says()
    assert ann.hears(error(ErrorCode.UNAVAILABLE, again.id)) == []
    assert ann.seat.held_ms == PATIENCE_MS
    ann.seat.release()
    assert ann.says() == [again]


# The board


def test_moves_and_undos_change_ones_board() -> None:
    ann = Player().seated(racing_room())
    move = RUN.board.legal_moves()[0]
    ann.seat.send(c.Move(room=ROOM, turn=0, spots=list(move)))
    [sent] = ann.says()
    assert ann.hears(moved(RUN.board, move, sent.id))[1:] == [RoomChanged(ROOM)]
    assert ann.board == board_view(Run(board=RUN.board.play(move)), undo=True)


def test_a_board_that_has_gone_on_comes_with_the_refusal() -> None:
    ann = Player().seated(racing_room())
    ann.seat.send(c.Move(room=ROOM, turn=0, spots=["1", "2"]))
    [sent] = ann.says()
    newer = board_view(Run(board=RUN.board.play(RUN.board.legal_moves()[0])), undo=True)
    refusal = error(ErrorCode.STALE_TURN, sent.id, board=newer)
    assert ann.hears(refusal) == [Answered(sent, refusal), RoomChanged(ROOM)]
    assert ann.board == newer


def test_an_illegal_move_changes_nothing() -> None:
    ann = Player().seated(racing_room())
    ann.seat.send(c.Move(room=ROOM, turn=0, spots=["1", "1"]))
    [sent] = ann.says()
    refusal = error(ErrorCode.ILLEGAL_MOVE, sent.id)
    assert ann.hears(refusal) == [Answered(sent, refusal)]
    assert ann.view == racing_room()


def test_an_answer_from_further_on_than_the_board_asks_for_the_room() -> None:
    ann = Player().seated(racing_room())
    further = RUN.board.play(RUN.board.legal_moves()[0])
    move = further.legal_moves()[0]
    ann.seat.send(c.Move(room=ROOM, turn=1, spots=list(move)))
    [sent] = ann.says()
    ann.hears(moved(further, move, sent.id))
    assert ann.board.turn == 0
    assert kinds(ann.says()) == ["join_room"]


# Drops


def test_after_a_drop_hello_and_join_go_together_and_then_what_is_unanswered() -> None:
    ann = Player().seated(room())
    ann.seat.send(c.SetReady(room=ROOM, ready=True))
    [answered] = ann.says()
    ann.hears(m.Ok(room=ROOM, re=answered.id))
    ann.seat.send(c.Start(room=ROOM))
    [start] = ann.says()
    ann.drops()
    ann.seat.send(c.Retire(room=ROOM))
    hello, join = ann.connect()
    assert hello == c.Hello(id=hello.id, token="secret")
    assert join == c.JoinRoom(id=join.id, room=ROOM)
    ann.hears(welcome(hello.id))
    resent, retire = ann.says()
    assert resent == start
    assert kinds([retire]) == ["retire"]


def test_what_was_asked_for_one_connection_is_not_asked_on_the_next() -> None:
    ann = Player().seated(room())
    ann.hears(m.Countdown(room=ROOM, n=9, starts_at=1))
    ann.seat.send(c.Clock(t=1))
    assert kinds(ann.says()) == ["join_room", "clock"]
    ann.drops()
    [hello, join] = ann.connect()
    ann.hears(welcome(hello.id))
    assert ann.says() == []
    ann.hears(room(n=12, re=join.id))
    assert ann.view.n == 12


def test_a_drop_before_the_welcome_begins_again() -> None:
    ann = Player()
    ann.connect()
    ann.drops()
    [hello] = ann.connect()
    assert hello == c.Hello(id=hello.id, name="Ann")


def test_a_move_carried_out_before_the_drop_counts_once() -> None:
    ann = Player().seated(racing_room())
    move = RUN.board.legal_moves()[0]
    ann.seat.send(c.Move(room=ROOM, turn=0, spots=list(move)))
    [sent] = ann.says()
    ann.drops()
    hello, join = ann.connect()
    now = RUN.board.play(move)
    ann.hears(welcome(hello.id), racing_room(now, re=join.id))
    assert ann.says() == [sent]
    first_answer = moved(RUN.board, move, sent.id)
    assert ann.hears(first_answer) == [Answered(sent, first_answer)]
    assert ann.board == board_view(Run(board=now), undo=True)


def test_an_old_answer_does_not_move_the_board_of_a_new_race() -> None:
    ann = Player().seated(racing_room())
    move = RUN.board.legal_moves()[0]
    ann.seat.send(c.Move(room=ROOM, turn=0, spots=list(move)))
    [sent] = ann.says()
    ann.drops()
    hello, join = ann.connect()
    ann.hears(welcome(hello.id), racing_room(race="r_2", re=join.id))
    ann.says()
    ann.hears(moved(RUN.board, move, sent.id))
    assert ann.board == board_view(RUN, undo=True)


def test_a_room_whose_creation_was_answered_late_is_asked_for_as_it_is_now() -> None:
    ann = Player().welcomed()
    ann.seat.send(c.CreateRoom())
    [create] = ann.says()
    ann.drops()
    [hello] = ann.connect()
    ann.hears(welcome(hello.id))
    assert ann.says() == [create]
    happened = ann.hears(room(n=0, re=create.id))
    assert happened[1:] == [RoomChanged(ROOM)]
    [join] = ann.says()
    ann.hears(room(n=3, spectators=2, re=join.id))
    assert ann.view == room(n=3, spectators=2)


def test_a_room_is_left_where_coming_back_is_refused() -> None:
    ann = Player().seated(room())
    ann.drops()
    hello, join = ann.connect()
    happened = ann.hears(welcome(hello.id), error(ErrorCode.NOT_ALLOWED, join.id))
    assert happened[-1] == RoomGone(ROOM, ErrorCode.NOT_ALLOWED)


# Leaving


def test_who_is_put_out_is_told_and_hears_no_more() -> None:
    ann = Player().seated(room())
    out = m.PlayerLeft(room=ROOM, n=6, player="p_1", why="kicked")
    assert ann.hears(out) == [RoomGone(ROOM, "kicked")]
    assert ann.seat.rooms == {}
    assert ann.hears(m.Countdown(room=ROOM, n=7, starts_at=1)) == []
    ann.drops()
    assert kinds(ann.connect()) == ["hello"]


def test_who_leaves_is_out_with_the_answer() -> None:
    ann = Player().seated(room())
    ann.seat.send(c.LeaveRoom(room=ROOM))
    [leave] = ann.says()
    left = m.Left(room=ROOM, re=leave.id)
    assert ann.hears(left) == [Answered(leave, left), RoomGone(ROOM, "left")]
    assert ann.hears(m.PlayerLeft(room=ROOM, n=6, player="p_1", why="left")) == []


# Rates


def limited(retry_ms: int | None = 300) -> Callable[[c.Command], m.Error]:
    def refuse(command: c.Command) -> m.Error:
        return error(ErrorCode.RATE_LIMITED, command.id, retry_ms=retry_ms)

    return refuse


def test_a_limited_command_goes_again_in_its_place_with_its_id_after_the_wait() -> None:
    ann = Player().seated(room())
    for ready in (True, False, True):
        ann.seat.send(c.SetReady(room=ROOM, ready=ready))
    first, second, third = ann.says()
    ann.hears(m.Ok(room=ROOM, re=first.id))
    assert ann.hears(limited(200)(third), limited(300)(second)) == []
    ann.seat.send(c.Start(room=ROOM))
    assert ann.seat.held_ms == 300
    assert ann.says() == []
    ann.seat.release()
    assert ann.says() == [second]
    ann.hears(m.Ok(room=ROOM, re=second.id))
    assert ann.says() == [third]


def test_many_commands_go_out_a_window_at_a_time() -> None:
    ann = Player().seated(room())
    for _ in range(3 * WINDOW):
        ann.seat.send(c.SetReady(room=ROOM, ready=True))
    burst = ann.says()
    assert len(burst) == WINDOW
    ann.hears(m.Ok(room=ROOM, re=burst[0].id), m.Ok(room=ROOM, re=burst[1].id))
    assert len(ann.says()) == 2


def test_after_calm_the_window_opens_again() -> None:
    ann = Player().seated(room())
    for _ in range(CALM + 2 * WINDOW):
        ann.seat.send(c.SetReady(room=ROOM, ready=True))
    for command in ann.says():
        ann.hears(limited()(command))
    ann.seat.release()
    for _ in range(CALM):
        [one] = ann.says()
        ann.hears(m.Ok(room=ROOM, re=one.id))
    assert len(ann.says()) == WINDOW


def test_a_limited_hello_is_said_again_with_what_came_behind_it() -> None:
    ann = Player().seated(room())
    ann.drops()
    hello, join = ann.connect()
    ann.hears(limited(None)(hello), error(ErrorCode.WRONG_STATE, join.id))
    assert ann.seat.held_ms == PATIENCE_MS
    ann.seat.release()
    assert ann.says() == [hello]
    ann.hears(welcome(hello.id))
    assert ann.says() == [join]
    assert ann.view == room()


def test_a_drop_ends_the_wait() -> None:
    ann = Player().seated(room())
    ann.seat.send(c.CreateRoom(options=OptionChanges(undo=False)))
    [create] = ann.says()
    ann.hears(limited(60_000)(create))
    ann.drops()
    assert ann.seat.held_ms == 0
    hello, join = ann.connect()
    ann.hears(welcome(hello.id), room(re=join.id))
    assert ann.says() == [create]
