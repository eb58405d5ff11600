"""A board as its player sees it, beside the engine that knows all cards."""

from hypothesis import given
from hypothesis import strategies as st

from halfmoon.engine.board import Board
from halfmoon.engine.codes import Code, Variant
from halfmoon.engine.deals import Deal
from halfmoon.engine.run import Run
from halfmoon.engine.spots import Move
from halfmoon.wire import messages as m
from halfmoon_client.board import after, exposed, legal_moves
from halfmoon_server.rooms.views import board_view


def view(board: Board) -> m.BoardView:
    return board_view(Run(board=board), undo=True)


def moved(before: Board, move: Move, now: Board) -> m.Moved:
    return m.Moved(
        room="K7M2P",
        turn=now.turn,
        removed=[card for spot in move if (card := before.exposed(spot))],
        revealed={spot: now.exposed(spot) for spot in move},
        score=now.score,
        moves=now.moves,
        status=now.status,
        at_ms=1,
    )


def undone(move: Move, now: Board) -> m.Undone:
    return m.Undone(
        room="K7M2P",
        turn=now.turn,
        restored={spot: card for spot in move if (card := now.exposed(spot))},
        score=now.score,
        moves=now.moves,
        status=now.status,
        at_ms=1,
    )


@given(number=st.integers(0, 26**7 - 1), choices=st.lists(st.integers(0, 30), max_size=60))
def test_the_exposed_cards_offer_the_moves_that_the_engine_offers(
    number: int, choices: list[int]
) -> None:
    board = Board.start(Deal.of(Code.from_number(Variant.NORMAL, number)))
    seen = view(board)
    for choice in choices:
        moves = board.legal_moves()
        assert legal_moves(seen) == (moves if board.status == "racing" else [])
        assert exposed(seen) == {
            spot: card for spot in exposed(seen) if (card := board.exposed(spot)) is not None
        }
        if board.can_undo and (choice % 5 == 0 or not moves):
            move = board.history[-1]
            board = board.undo()
            seen = after(seen, undone(move, board), undo=True)
        elif moves:
            move = moves[choice % len(moves)]
            before, board = board, board.play(moves[choice % len(moves)])
            seen = after(seen, moved(before, move, board), undo=True)
        assert seen == view(board)


def test_nothing_can_be_undone_where_undo_is_off() -> None:
    board = Board.start(Deal.of(Code.parse("HM1-N-AAAAAAB")))
    move = board.legal_moves()[0]
    now = board.play(move)
    assert not after(view(board), moved(board, move, now), undo=False).can_undo
    assert after(view(board), moved(board, move, now), undo=True).can_undo


def test_who_has_retired_has_no_moves_left() -> None:
    run = Run.start(Deal.of(Code.parse("HM1-N-AAAAAAB")))
    assert legal_moves(board_view(run, undo=True))
    assert legal_moves(board_view(run.left("retired", 5), undo=True)) == []
