"""One real example of every command and message: two people meet in a room and race.

Boards and moves come from the engine, so that the cards are those of the deal.
"""

from functools import cache
from typing import Any

from halfmoon.engine.board import Board
from halfmoon.engine.cards import Card
from halfmoon.engine.codes import Code
from halfmoon.engine.deals import Deal
from halfmoon.engine.errors import EXPLANATIONS, Reason
from halfmoon.engine.spots import PILES, SPOTS, Move, Spot
from halfmoon.engine.standings import Standing
from halfmoon.wire import commands as c
from halfmoon.wire import messages as m
from halfmoon.wire.definitions import name_of, type_of
from halfmoon.wire.errors import ErrorCode
from halfmoon.wire.options import OptionChanges, RoomOptions
from halfmoon.wire.tournaments import (
    AutomaticMode,
    EntrantLine,
    HeatLine,
    HeatResult,
)

ROOM = "K7M2P"
RACE = "r_b1946ac92492d234"
ANN, BEN = "p_4f1c0a9e2b7d8c35", "p_90e2b64ad1f73c58"
TOURNAMENT = "T4KQ9"
TOKEN = "Zk3vQ8xw1Jt6RrYb0uTnLQ"  # noqa: S105  # nobody's
SEALED = Code.parse("HM1-S-QXJUVFWODKZPLMSBTRIHGNEYCAXK")
TYPED = Code.parse("HM1-N-AAAAAAB")
STARTS_AT = 1_790_000_003_000
LIMIT_MS = 600_000

OPTIONS = RoomOptions(time_limit_ms=LIMIT_MS)


def examples() -> dict[str, dict[str, Any]]:
    """Every example as JSON has it, `type` first, by the name under which its model is defined."""
    return {
        name_of(type(one)): {
            "type": type_of(type(one)),
            **one.model_dump(mode="json", by_alias=True),
        }
        for one in (*command_examples(), *message_examples())
    }


@cache
def command_examples() -> tuple[c.BaseCommand, ...]:
    """One of every command."""
    return (
        c.Hello(id="1", name="Ann"),
        c.Clock(id="2", t=1_789_999_990_250),
        c.CreateRoom(id="3", options=OptionChanges(time_limit_ms=LIMIT_MS)),
        c.Enter(id="15", tournament=TOURNAMENT, claim="8JWM-QY3C-77RP"),
        c.Follow(id="16", tournament=TOURNAMENT),
        c.JoinRoom(id="4", room=ROOM, as_="player"),
        c.LeaveRoom(id="5", room=ROOM),
        c.SetReady(id="6", room=ROOM, ready=True),
        c.Start(id="7", room=ROOM),
        c.SetOptions(id="8", room=ROOM, options=OptionChanges(undo=False, code=None)),
        c.Kick(id="9", room=ROOM, player=BEN),
        c.Rematch(id="10", room=ROOM, code=TYPED),
        c.Move(id="11", room=ROOM, turn=0, spots=list(_move())),
        c.Undo(id="12", room=ROOM, turn=1),
        c.Retire(id="13", room=ROOM),
        c.React(id="14", room=ROOM, reaction="nice"),
    )


@cache
def message_examples() -> tuple[m.Message, ...]:
    """One of every message, answers to the commands above where they are answers."""
    return (
        m.Welcome(
            player=ANN, name="Ann", token=TOKEN, server=m.ServerInfo(version="0.1.0"),
            at=1_789_999_990_000, re="1",
        ),
        m.ClockAnswer(t=1_789_999_990_250, at=1_789_999_990_263, re="2"),
        _snapshot(),
        m.Ok(room=ROOM, re="6"),
        m.Left(room=ROOM, re="5"),
        m.Entered(tournament=TOURNAMENT, entrant="e1", re="15"),
        _tournament(),
        _moved(),
        _undone(),
        m.Error(
            code=ErrorCode.ILLEGAL_MOVE, message=EXPLANATIONS[Reason.NOT_ELEVEN], room=ROOM,
            reason=Reason.NOT_ELEVEN, re="11",
        ),
        m.PlayerJoined(room=ROOM, n=1, player=BEN, name="Ben", as_="player", ready=False, online=True),
        m.PlayerLeft(room=ROOM, n=9, player=BEN, why="left"),
        m.PlayerChanged(
            room=ROOM, n=2, player=BEN, name="Ben", as_="player", ready=True, online=True, host=False,
        ),
        m.OptionsChanged(
            room=ROOM, n=3, seal=SEALED.seal,
            options=OPTIONS.model_copy(update={"undo": False}),
        ),
        m.Lobby(
            room=ROOM, n=8, seal=TYPED.seal, code=TYPED,
            options=OPTIONS.model_copy(update={"code": TYPED}),
        ),
        m.Countdown(room=ROOM, n=4, starts_at=STARTS_AT),
        m.Started(
            room=ROOM, n=5, race=RACE, starts_at=STARTS_AT, ends_at=STARTS_AT + LIMIT_MS,
            seal=SEALED.seal, players=[ANN, BEN],
        ),
        m.Progress(room=ROOM, n=6, players=[
            m.ProgressLine(player=ANN, score=10, moves=1, status="racing", best=10, at_ms=4_180),
            m.ProgressLine(player=BEN, score=25, moves=2, status="racing", best=25, at_ms=4_205),
        ]),
        m.Over(room=ROOM, n=7, race=RACE, code=SEALED, seal=SEALED.seal, standings=_standings()),
        m.Opened(room=ROOM, n=8, race=RACE, code=SEALED),
        m.Reaction(room=ROOM, n=8, player=ANN, reaction="nice"),
        m.BoardDealt(room=ROOM, board=_view(_start())),
        m.Boards(room=ROOM, w=0, boards={ANN: _watched(_start()), BEN: _watched(_start())}),
        _seat_moved(),
        _seat_undone(),
        _seat_unmasked(),
        m.RoundDrawn(tournament=TOURNAMENT, round=1, room=ROOM, starts_at=STARTS_AT),
    )  # fmt: skip


def _snapshot() -> m.RoomSnapshot:
    """What Ann gets when she comes back in the middle of the race."""
    return m.RoomSnapshot(
        room=ROOM,
        n=6,
        state="racing",
        host=ANN,
        host_name="Ann",
        options=OPTIONS,
        seal=SEALED.seal,
        players=[
            m.PlayerLine(
                player=ANN, name="Ann", ready=True, online=True,
                status="racing", score=10, moves=1, best=10,
            ),
            m.PlayerLine(
                player=BEN, name="Ben", ready=True, online=True,
                status="racing", score=25, moves=2, best=25,
            ),
        ],
        spectators=0,
        starts_at=STARTS_AT,
        ends_at=STARTS_AT + LIMIT_MS,
        race=RACE,
        courses={ANN: [[4_180, 10]], BEN: [[3_020, 10], [4_205, 25]]},
        you=m.You(as_="player", board=_view(_start().play(_move()))),
        re="4",
    )  # fmt: skip


def _moved() -> m.Moved:
    before, spots = _start(), _move()
    after = before.play(spots)
    return m.Moved(
        room=ROOM,
        turn=after.turn,
        removed=[card for spot in spots if (card := before.exposed(spot))],
        revealed={spot: after.exposed(spot) for spot in spots},
        score=after.score,
        moves=after.moves,
        status="racing",
        at_ms=4_180,
        re="11",
    )


def _undone() -> m.Undone:
    back, spots = _start().play(_move()).undo(), _move()
    return m.Undone(
        room=ROOM,
        turn=back.turn,
        restored={spot: card for spot in spots if (card := back.exposed(spot))},
        score=back.score,
        moves=back.moves,
        status="racing",
        at_ms=6_022,
        re="12",
    )


def _watched(board: Board) -> m.WatchedBoard:
    view = _view(board)
    return m.WatchedBoard(
        turn=view.turn,
        piles=[m.WatchedPile(top=pile.top, count=pile.count) for pile in view.piles],
        reserve=view.reserve,
        score=view.score,
        moves=view.moves,
        status=board.status,
    )


def _seat_moved() -> m.SeatMoved:
    """Ann's move while Ben has not exposed what lay beneath."""
    moved = _moved()
    return m.SeatMoved(
        room=ROOM,
        w=1,
        player=ANN,
        turn=moved.turn,
        removed=moved.removed,
        revealed={spot: card and m.FACE_DOWN for spot, card in moved.revealed.items()},
        score=moved.score,
        moves=moved.moves,
        at_ms=moved.at_ms,
    )


def _seat_undone() -> m.SeatUndone:
    undone = _undone()
    return m.SeatUndone(
        room=ROOM,
        w=3,
        player=ANN,
        turn=undone.turn,
        restored=undone.restored,
        score=undone.score,
        moves=undone.moves,
        status="racing",
        at_ms=undone.at_ms,
    )


def _seat_unmasked() -> m.SeatUnmasked:
    """Ben has exposed the same cards by now."""
    revealed = _moved().revealed
    cards: dict[Spot, Card] = {spot: card for spot, card in revealed.items() if card is not None}
    return m.SeatUnmasked(room=ROOM, w=2, player=ANN, cards=cards, status="racing")


def _standings() -> list[Standing]:
    return [
        Standing(
            rank=1, player=BEN, name="Ben", status="won",
            score=520, best=520, moves=48, actions=54, time_ms=311_740,
        ),
        Standing(
            rank=2, player=ANN, name="Ann", status="retired",
            score=385, best=400, moves=36, actions=45, time_ms=402_116,
        ),
    ]  # fmt: skip


def _tournament() -> m.TournamentNews:
    """After the first of five rounds, in which Ann and Ben were the only ones."""
    results = [
        HeatResult(
            entrant="e1" if line.player == ANN else "e2",
            rank=line.rank,
            status=line.status,
            best=line.best,
            moves=line.moves,
            actions=line.actions,
            time_ms=line.time_ms,
            race=RACE,
        )
        for line in _standings()
    ]
    return m.TournamentNews(
        tournament=TOURNAMENT,
        name="Club evening",
        format="series",
        state="break",
        round=1,
        rounds=5,
        entrants=[
            EntrantLine(entrant="e1", name="Ann", active=True, seed=1, taken=True, online=True),
            EntrantLine(entrant="e2", name="Ben", active=True, seed=2, taken=True, online=True),
        ],
        heats=[
            HeatLine(
                round=1, heat=1, room=ROOM, entrants=["e1", "e2"], state="over",
                seal=SEALED.seal, starts_at=STARTS_AT, results=results,
            ),
        ],
        byes=[],
        entry="open",
        race=OPTIONS,
        annulled=[],
        automatic=AutomaticMode(break_ms=60_000, paused=False),
        next_at=STARTS_AT + LIMIT_MS + 60_000,
        re="16",
    )  # fmt: skip


@cache
def _start() -> Board:
    return Board.start(Deal.of(SEALED))


def _move() -> Move:
    return _start().legal_moves()[0]


def _view(board: Board) -> m.BoardView:
    cards = {spot: board.exposed(spot) for spot in SPOTS}
    counts = dict(zip(SPOTS, board.counts, strict=True))
    return m.BoardView(
        turn=board.turn,
        piles=[m.PileView(top=cards[pile], count=counts[pile]) for pile in PILES],
        reserve=[card for spot, card in cards.items() if spot not in PILES],
        score=board.score,
        moves=board.moves,
        status=board.status,
        can_undo=board.can_undo,
    )
