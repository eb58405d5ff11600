"""Boards: this deal, that move, this result; and the engine beside the oracle, move by move."""

import os
import random
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.engine.board import Board
from halfmoon.engine.codes import Code, Variant
from halfmoon.engine.deals import Deal
from halfmoon.engine.errors import IllegalMove, NothingToUndo, Reason
from halfmoon.engine.rules import UNDO_LIMIT
from halfmoon.engine.spots import PILES, SPOTS
from halfmoon_testing import oracle, solver
from halfmoon_testing.layouts import deal_of, deck_showing, layout_leaving, played
from halfmoon_testing.oracle import OracleBoard

POSITIONS = 200_000 if os.environ.get("HALFMOON_LONG") else 10_000

PAGE = deck_showing(
    {
        "1": "5S", "2": "2C", "3": "KH", "4": "TD", "5": "QH", "6": "AH", "7": "9S",
        "8": "6D JC", "9": "KH", "10": "4C", "11": "QS", "12": "7D",
        "R1": "3S", "R2": "8C", "R3": "TS", "R4": "5H", "R5": "QD", "R6": "AC", "R7": "9D", "R8": "2H",
    }
)  # fmt: skip
"""A deal with the cards that the rules page tells of, two of them kings of hearts."""


def start(code: str) -> Board:
    return Board.start(Deal.of(Code.parse(code)))


def exposed(board: Board) -> dict[str, str]:
    return {spot: str(card) for spot in SPOTS if (card := board.exposed(spot)) is not None}


def assert_agree(board: Board, judge: OracleBoard) -> None:
    """The engine's board is in every respect the oracle's."""
    assert exposed(board) == judge.exposed()
    assert list(board.counts[:12]) == judge.counts()
    assert [str(card) if card else None for card in board.reserve] == judge.reserve
    assert board.status == judge.status()
    assert board.score == judge.score == 10 * judge.pairs + 15 * judge.triples
    assert (board.moves, board.turn) == (judge.moves, judge.turn)
    assert board.can_undo == judge.can_undo()
    moves = board.legal_moves()
    assert {frozenset(move) for move in moves} == judge.legal_moves()
    assert len({frozenset(move) for move in moves}) == len(moves)


# --- The first position -----------------------------------------------------------------------


def test_at_the_start_twelve_piles_of_eight_and_a_reserve_of_eight_lie_open() -> None:
    board = start("HM1-N-AAAAAAB")
    assert board.counts == (8,) * 12 + (1,) * 8
    assert len(exposed(board)) == 20
    assert (board.score, board.moves, board.turn, board.can_undo) == (0, 0, 0, False)


def test_the_top_of_a_pile_is_the_last_card_dealt_to_it() -> None:
    deck = oracle.deck("HM1-N-AAAAAAB")
    board = start("HM1-N-AAAAAAB")
    assert [str(card) for card in board.pile_tops] == deck[7:96:8]
    assert [str(card) for card in board.reserve] == deck[96:]


@pytest.mark.parametrize("golden", oracle.CHECK_VALUES)
def test_a_fresh_board_is_the_oracles(golden: str) -> None:
    assert_agree(start(golden), OracleBoard.of_code(golden))


def test_a_deal_may_be_a_deadlock_before_the_first_move() -> None:
    """Only kings, queens and low cards lie open: nothing may go."""
    low = iter(["AS", "AH", "AD", "AC", "2S", "2H", "2D", "2C", "3S", "3H", "3D", "3C", "4S", "4H"])
    kings = iter(["KS", "KH", "KD", "KC", "QS", "QH"])
    tops: dict[str, str] = {spot: next(low, "") or next(kings) for spot in SPOTS}
    board = Board.start(deal_of(deck_showing(tops)))
    assert board.status == "deadlocked"
    assert board.legal_moves() == []
    assert not board.can_undo


# --- The example of the rules page, move by move ----------------------------------------------


def test_the_page_begins_with_5_of_spades_on_pile_1_and_6_of_diamonds_on_pile_8() -> None:
    board = Board.start(deal_of(PAGE))
    assert str(board.exposed("1")) == "5S"
    assert str(board.exposed("8")) == "6D"
    assert frozenset(["1", "8"]) in {frozenset(move) for move in board.legal_moves()}


def test_the_first_move_of_the_page_takes_both_and_shows_the_jack_of_clubs() -> None:
    board = Board.start(deal_of(PAGE)).play(["1", "8"])
    assert str(board.exposed("8")) == "JC"
    assert (board.score, board.moves, board.turn) == (10, 1, 1)
    assert (board.counts[0], board.counts[7]) == (7, 7)


def test_the_second_move_of_the_page_takes_the_jack_with_a_queen_and_a_king() -> None:
    board = Board.start(deal_of(PAGE)).play(["1", "8"]).play(["8", "5", "3"])
    assert (board.score, board.moves, board.turn) == (25, 2, 2)
    assert [board.counts[PILES.index(pile)] for pile in ("1", "8", "5", "3")] == [7, 6, 7, 7]


@pytest.mark.parametrize(
    ("spots", "reason"),
    [
        (["1", "6"], Reason.NOT_ELEVEN),
        (["1", "3"], Reason.NEED_JACK_QUEEN_KING),
        (["3", "9"], Reason.NEED_JACK_QUEEN_KING),
    ],
    ids=["5S and AH", "5S and KH", "KH and KH"],
)
def test_what_does_not_fit_on_the_page_removes_nothing(spots: list[str], reason: Reason) -> None:
    board = Board.start(deal_of(PAGE))
    assert board.reason_against(spots) is reason
    with pytest.raises(IllegalMove) as refusal:
        board.play(spots)
    assert refusal.value.reason is reason


@pytest.mark.parametrize(
    "spots",
    [["1", "8"], ["2", "7"], ["4", "6"], ["6", "R3"], ["8", "R4"], ["R1", "R2"], ["R7", "R8"]],
)
def test_the_cards_of_a_pair_may_come_from_anywhere(spots: list[str]) -> None:
    """Two piles, a pile and the reserve, two places of the reserve."""
    board = Board.start(deal_of(PAGE)).play(spots)
    assert board.score == 10


def test_the_cards_of_a_triple_may_come_from_anywhere() -> None:
    board = Board.start(deal_of(PAGE)).play(["1", "8"])
    for spots in (["8", "5", "3"], ["9", "8", "11"], ["R5", "3", "8"]):
        assert board.play(spots).score == 25


# --- Playing ----------------------------------------------------------------------------------


def test_a_move_may_name_its_spots_in_any_order() -> None:
    board = Board.start(deal_of(PAGE))
    one, other = board.play(["1", "8"]), board.play(["8", "1"])
    assert one.counts == other.counts
    assert one.history == (("1", "8"),)
    assert other.history == (("8", "1"),)


def test_an_emptied_reserve_place_stays_empty() -> None:
    board = Board.start(deal_of(PAGE)).play(["R1", "R2"])
    assert (board.exposed("R1"), board.exposed("R2")) == (None, None)
    assert board.reason_against(["R1", "1"]) is Reason.EMPTY_SPOT


def test_an_emptied_pile_stays_empty() -> None:
    laid_out = layout_leaving({"2": "5S", "R1": "6S"})
    board = laid_out.board()
    assert board.pile_tops == [None, board.exposed("2"), *[None] * 10]
    assert board.reason_against(["1", "2"]) is Reason.EMPTY_SPOT


def test_playing_changes_no_board_but_gives_a_new_one() -> None:
    board = Board.start(deal_of(PAGE))
    before = board.model_dump()
    board.play(["1", "8"])
    assert board.model_dump() == before


def test_a_won_game_is_48_moves_and_520_points() -> None:
    board = played(start(solver.WINNABLE_CODE), solver.winning_line())
    assert board.status == "won"
    assert (board.moves, board.score, board.turn) == (48, 520, 48)
    assert set(board.counts) == {0}
    assert exposed(board) == {}
    assert board.legal_moves() == []


@pytest.mark.parametrize("seed", range(20))
def test_every_order_of_winning_is_40_pairs_and_8_triples(seed: int) -> None:
    laid_out = layout_leaving({}, seed)
    board = laid_out.board()
    assert sorted(len(move) for move in board.history) == [2] * 40 + [3] * 8
    assert (board.status, board.moves, board.score) == ("won", 48, 520)


def test_no_board_is_won_before_its_last_move() -> None:
    board = start(solver.WINNABLE_CODE)
    for spots in solver.winning_line():
        assert board.status == "racing"
        board = board.play(spots)
    assert board.status == "won"


# --- Refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spots", "reason"),
    [
        ([], Reason.WRONG_COUNT),
        (["1"], Reason.WRONG_COUNT),
        (["1", "8", "2", "7"], Reason.WRONG_COUNT),
        (list(SPOTS), Reason.WRONG_COUNT),
        (["1", "1"], Reason.SAME_SPOT),
        (["1", "8", "1"], Reason.SAME_SPOT),
        (["1", "1", "8", "8"], Reason.SAME_SPOT),
        (["1"] * 5_000, Reason.SAME_SPOT),
        (["0", "1"], Reason.UNKNOWN_SPOT),
        (["13", "1"], Reason.UNKNOWN_SPOT),
        (["01", "8"], Reason.UNKNOWN_SPOT),
        (["1 ", "8"], Reason.UNKNOWN_SPOT),
        (["R0", "8"], Reason.UNKNOWN_SPOT),
        (["R9", "1"], Reason.UNKNOWN_SPOT),
        (["r1", "1"], Reason.UNKNOWN_SPOT),
        (["１", "8"], Reason.UNKNOWN_SPOT),
        (["-1", "8"], Reason.UNKNOWN_SPOT),
        (["", "8"], Reason.UNKNOWN_SPOT),
        (["13"], Reason.UNKNOWN_SPOT),
        (["13", "13"], Reason.UNKNOWN_SPOT),
        (["1", "8", "2", "13"], Reason.UNKNOWN_SPOT),
        (["1", "6"], Reason.NOT_ELEVEN),
        (["1", "8", "2"], Reason.NOT_ELEVEN),
        (["5", "3"], Reason.NEED_JACK_QUEEN_KING),
        (["5", "3", "9"], Reason.NEED_JACK_QUEEN_KING),
        (["5", "3", "1"], Reason.NEED_JACK_QUEEN_KING),
        (["1", "8", "3"], Reason.NEED_JACK_QUEEN_KING),
    ],
)
def test_a_refusal_has_the_first_reason_of_the_contract(spots: list[str], reason: Reason) -> None:
    board = Board.start(deal_of(PAGE))
    assert board.attempt(spots) is reason
    assert board.reason_against(spots) is reason


@pytest.mark.parametrize(
    ("spots", "reason"),
    [
        (["R1", "13"], Reason.UNKNOWN_SPOT),
        (["R1", "R1"], Reason.SAME_SPOT),
        (["R1"], Reason.WRONG_COUNT),
        (["R1", "1", "2", "3"], Reason.WRONG_COUNT),
        (["R1", "R2"], Reason.EMPTY_SPOT),
        (["1", "R2"], Reason.EMPTY_SPOT),
        (["3", "5", "R2"], Reason.EMPTY_SPOT),
    ],
)
def test_an_empty_spot_comes_after_the_form_and_before_the_cards(
    spots: list[str], reason: Reason
) -> None:
    board = Board.start(deal_of(PAGE)).play(["R1", "R2"])
    assert board.attempt(spots) is reason


def test_a_refused_move_raises_with_an_explanation() -> None:
    with pytest.raises(IllegalMove, match="the sum must be 11"):
        Board.start(deal_of(PAGE)).play(["1", "6"])
    with pytest.raises(IllegalMove, match="one jack, one queen and one king are needed"):
        Board.start(deal_of(PAGE)).play(["1", "3"])


# --- Deadlock ---------------------------------------------------------------------------------


def test_a_deadlock_is_announced_at_the_move_that_causes_it() -> None:
    board = start(solver.DEADLOCK_CODE)
    *before, last = solver.deadlock_line()
    board = played(board, before)
    assert board.status == "racing"
    board = board.play(last)
    assert board.status == "deadlocked"
    assert board.legal_moves() == []
    assert board.can_undo


def test_undoing_a_deadlock_opens_the_board_again_and_the_deal_can_still_be_won() -> None:
    line = solver.deadlock_line()
    board = played(start(solver.DEADLOCK_CODE), line)
    for _ in line:
        board = board.undo()
        assert board.status == "racing"
    board = played(board, solver.winning_line(solver.DEADLOCK_CODE))
    assert (board.status, board.score, board.moves) == ("won", 520, 48)
    assert board.turn == 48 + 2 * len(line)


@pytest.mark.parametrize(
    ("left", "status"),
    [
        # only court cards
        ({"1": "JS", "2": "QS", "3": "KS"}, "racing"),
        ({"1": "JS QS KS"}, "deadlocked"),
        ({"1": "JS QS", "2": "KS"}, "deadlocked"),
        ({"1": "JS JH", "2": "QS QH", "3": "KS KH"}, "racing"),
        ({"1": "JS KH", "2": "JH QS", "3": "QH KS"}, "deadlocked"),
        ({"1": "JS KH", "2": "QH QS", "3": "KS JH"}, "racing"),
        ({"1": "KS JS", "2": "KH QS", "R1": "JH", "R2": "QH"}, "racing"),
        ({"1": "KS JS", "2": "QS JD", "R1": "KH", "R2": "KD", "R3": "QH", "4": "JH QD"}, "racing"),
        ({"1": "JS", "2": "JH", "3": "QS QH", "4": "KS", "5": "KH"}, "racing"),
        ({"1": "JS", "2": "JH", "3": "QS KS", "4": "QH KH"}, "deadlocked"),
        # only the reserve
        ({"R1": "5S", "R8": "6S"}, "racing"),
        ({"R1": "AS", "R2": "TS", "R3": "2S", "R4": "9S"}, "racing"),
        ({"R1": "JS", "R4": "QS", "R8": "KS"}, "racing"),
        # two tops and one place of the reserve
        ({"4": "JS", "9": "QS", "R5": "KS"}, "racing"),
        ({"4": "JS AS", "9": "QS TS", "R5": "KS"}, "racing"),
        ({"4": "AS JS", "9": "TS QS", "R5": "KS"}, "racing"),
        ({"4": "AS JS", "9": "QS TS", "R5": "KS"}, "deadlocked"),
        # one pile, the partner beneath
        ({"12": "5S 6S"}, "deadlocked"),
        ({"12": "5S 5H 6H 6S"}, "deadlocked"),
        ({"12": "5S", "11": "6S"}, "racing"),
        ({"12": "AS AH AD AC AS AH AD AC", "11": "TS TH TD TC TS TH TD TC"}, "racing"),
        # nothing
        ({}, "won"),
    ],
)
def test_the_last_cards_are_judged_right(left: dict[str, str], status: str) -> None:
    """Reports of other games: only court cards left, only the reserve, empty piles."""
    laid_out = layout_leaving(left)
    assert laid_out.board().status == status
    assert_agree(laid_out.board(), laid_out.oracle())


@pytest.mark.parametrize("seed", range(10))
def test_the_way_to_the_last_cards_is_judged_right(seed: int) -> None:
    laid_out = layout_leaving({"1": "JS KH", "2": "QH QS", "R3": "KS", "R7": "JH"}, seed)
    board, judge = Board.start(deal_of(laid_out.cards)), OracleBoard.of_deck(laid_out.cards)
    for spots in laid_out.line:
        board = board.play(spots)
        judge.play(spots)
        assert_agree(board, judge)


# --- Undo -------------------------------------------------------------------------------------


def test_undo_puts_the_cards_back_and_takes_score_and_moves_back() -> None:
    before = Board.start(deal_of(PAGE)).play(["1", "8"])
    after = before.play(["8", "5", "3"]).undo()
    assert exposed(after) == exposed(before)
    assert (after.score, after.moves, after.turn) == (10, 1, 3)


def test_there_is_nothing_to_undo_at_the_start() -> None:
    board = Board.start(deal_of(PAGE))
    with pytest.raises(NothingToUndo, match="no move"):
        board.undo()
    with pytest.raises(NothingToUndo):
        board.play(["1", "8"]).undo().undo()


def test_a_won_game_can_be_undone_to_its_deal() -> None:
    board = played(start(solver.WINNABLE_CODE), solver.winning_line())
    for left in range(47, -1, -1):
        board = board.undo()
        assert (board.moves, board.status) == (left, "racing")
    assert board.model_copy(update={"turn": 0}) == start(solver.WINNABLE_CODE)


def test_undone_moves_are_forgotten_and_the_line_can_branch() -> None:
    board = Board.start(deal_of(PAGE)).play(["1", "8"]).undo().play(["4", "6"])
    assert board.history == (("4", "6"),)
    assert exposed(board.undo()) == exposed(Board.start(deal_of(PAGE)))


def test_120_moves_and_150_undos_go_back_to_the_deal_and_no_further() -> None:
    """A pair is played and taken back until 120 moves were made; at most what stands is undone."""
    board = Board.start(deal_of(PAGE))
    for _ in range(119):
        board = board.play(["1", "8"]).undo()
    board = board.play(["1", "8"])
    undone = 0
    for _ in range(150):
        if board.can_undo:
            board = board.undo()
            undone += 1
    assert undone == 1
    assert (board.score, board.moves, board.turn) == (0, 0, 240)


def test_undo_reaches_back_over_the_last_100_moves() -> None:
    """No line of a deal is longer than 48 moves; the limit holds all the same."""
    assert UNDO_LIMIT == oracle.UNDO_DEPTH == 100
    earlier = (("R1", "R2"),) * 99
    full = Board.start(deal_of(PAGE)).model_copy(update={"history": earlier}).play(["1", "8"])
    assert len(full.history) == 100
    over = full.play(["8", "5", "3"])
    assert len(over.history) == 100
    assert over.history[-2:] == (("1", "8"), ("8", "5", "3"))


# --- Any game ---------------------------------------------------------------------------------

codes = st.integers(0, 26**7 - 1).map(lambda n: Code.from_number(Variant.NORMAL, n))
choices = st.lists(st.integers(0, 10**6), max_size=70)
"""What a player does, one number an action: an undo now and then, else one of the legal moves."""


def boards_of(deal: Deal, chosen: Sequence[int]) -> Iterator[Board]:
    """The boards of a game, the first one first."""
    board = Board.start(deal)
    yield board
    for choice in chosen:
        moves = board.legal_moves()
        if board.can_undo and (not moves or choice % 7 == 0):
            board = board.undo()
        elif moves:
            board = board.play(moves[choice % len(moves)])
        yield board


@given(codes, choices)
def test_undo_after_play_is_the_identity(code: Code, chosen: list[int]) -> None:
    *_, board = boards_of(Deal.of(code), chosen)
    for move in board.legal_moves():
        back = board.play(move).undo()
        assert back.turn == board.turn + 2
        assert back.model_copy(update={"turn": board.turn}) == board


@given(codes, choices)
def test_undoing_all_gives_the_deal_again(code: Code, chosen: list[int]) -> None:
    first, *_, board = boards_of(Deal.of(code), [*chosen, 1])
    while board.can_undo:
        board = board.undo()
    assert board.model_copy(update={"turn": 0}) == first


@given(codes, choices)
def test_the_score_is_always_10_a_pair_and_15_a_triple(code: Code, chosen: list[int]) -> None:
    for board in boards_of(Deal.of(code), chosen):
        pairs = sum(len(move) == 2 for move in board.history)
        triples = sum(len(move) == 3 for move in board.history)
        assert board.score == 10 * pairs + 15 * triples >= 0
        assert board.moves == pairs + triples
        assert sum(board.counts) == 104 - 2 * pairs - 3 * triples


@given(codes, choices)
def test_a_deadlock_is_that_cards_are_left_and_no_move_is(code: Code, chosen: list[int]) -> None:
    for board in boards_of(Deal.of(code), chosen):
        assert (board.status == "racing") == bool(board.legal_moves())
        assert (board.status == "won") == (not exposed(board))


spot_lists = st.lists(
    st.sampled_from([*SPOTS, *SPOTS, "0", "13", "R9", "01", "r1", ""]), max_size=5
)


@given(codes, choices, spot_lists)
def test_any_spots_are_a_move_or_have_a_reason(
    code: Code, chosen: list[int], spots: list[str]
) -> None:
    *_, board = boards_of(Deal.of(code), chosen)
    before = board.model_dump()
    outcome = board.attempt(spots)
    if isinstance(outcome, Board):
        assert outcome.history[-1] == tuple(spots)
        assert board.reason_against(spots) is None
    else:
        assert outcome is board.reason_against(spots)
    assert board.model_dump() == before


# --- The engine beside the oracle -------------------------------------------------------------


def test_the_engine_agrees_with_the_oracle_on_random_positions() -> None:
    """Games of all kinds: won lines, greedy ones and random ones, with undos among the moves."""
    chance = random.Random(20)
    seen = 0
    by_status = dict.fromkeys(("racing", "deadlocked", "won"), 0)
    while seen < POSITIONS:
        for board, judge in _games_beside_the_oracle(chance):
            assert_agree(board, judge)
            _assert_same_reasons(board, judge, chance)
            by_status[board.status] += 1
            seen += 1
    assert min(by_status.values()) > POSITIONS // 250, by_status


def _games_beside_the_oracle(chance: random.Random) -> Iterator[tuple[Board, OracleBoard]]:
    """One game on both boards, position by position; moves are chosen from the oracle's."""
    laid_out = layout_leaving({}, chance.randrange(10**9))
    cards = laid_out.cards if chance.random() < 0.7 else chance.sample(laid_out.cards, 104)
    board, judge = Board.start(deal_of(cards)), OracleBoard.of_deck(cards)
    followed = chance.randrange(49) if cards is laid_out.cards else 0
    greed = chance.random()
    for spots in laid_out.line[:followed]:
        board = board.play(spots)
        judge.play(spots)
    undos = 6
    while True:
        yield board, judge
        moves = sorted(map(sorted, judge.legal_moves()))
        if judge.can_undo() and undos and (not moves or chance.random() < 0.05):
            undos -= 1
            board = board.undo()
            judge.undo()
        elif moves:
            spots = chance.choice(moves)
            if chance.random() < greed:
                spots = max(moves, key=lambda move: sum(board.counts[SPOTS.index(s)] for s in move))
            chance.shuffle(spots)
            board = board.play(spots)
            judge.play(spots)
        else:
            return


def _assert_same_reasons(board: Board, judge: OracleBoard, chance: random.Random) -> None:
    """On lists of spots that are mostly no move, both give the same reason."""
    there = list(judge.exposed())
    for names in (there, SPOTS, [*SPOTS, "13", "R0"]):
        if names:
            for count in (2, 3, chance.randrange(5)):
                spots = chance.choices(names, k=count)
                assert board.reason_against(spots) == judge.reason(spots), spots


def test_the_oracle_agrees_with_itself() -> None:
    """It finds moves by one set of loops and reasons by another, which tries all twos and threes."""
    judge = OracleBoard.of_code(solver.WINNABLE_CODE)
    groups = [frozenset(group) for count in (2, 3) for group in combinations(oracle.SPOTS, count)]
    for number, spots in enumerate(solver.winning_line()):
        if number % 6 == 0:
            allowed = {group for group in groups if judge.reason([*group]) is None}
            assert judge.legal_moves() == allowed
        judge.play(spots)
