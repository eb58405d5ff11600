"""Which cards may go together, what they score, and when nothing may (the rules page)."""

from itertools import combinations, combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.engine.cards import PACK, TWO_PACKS, Card
from halfmoon.engine.errors import Reason
from halfmoon.engine.rules import is_deadlocked, points, reason_against, tally
from halfmoon_testing.oracle import reason_of_cards

ONE_OF_EACH_RANK = PACK[:13]


def cards_of(text: str) -> list[Card]:
    return [Card.parse(card) for card in text.split()]


@pytest.mark.parametrize("text", ["AS TH", "2S 9H", "3S 8H", "4S 7H", "5S 6H", "5S 6S", "6D 5S"])
def test_two_number_cards_that_add_up_to_11_are_a_pair(text: str) -> None:
    assert reason_against(cards_of(text)) is None


def test_there_are_five_kinds_of_pair_and_one_kind_of_triple() -> None:
    pairs = [
        f"{one.rank.letter}{other.rank.letter}"
        for one, other in combinations(ONE_OF_EACH_RANK, 2)
        if reason_against([one, other]) is None
    ]
    triples = [
        "".join(card.rank.letter for card in cards)
        for cards in combinations_with_replacement(ONE_OF_EACH_RANK, 3)
        if reason_against(cards) is None
    ]
    assert pairs == ["AT", "29", "38", "47", "56"]
    assert triples == ["JQK"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("5S 5H", Reason.NOT_ELEVEN),
        ("5S AH", Reason.NOT_ELEVEN),
        ("TS TH", Reason.NOT_ELEVEN),
        ("5S KH", Reason.NEED_JACK_QUEEN_KING),
        ("JS TH", Reason.NEED_JACK_QUEEN_KING),
        ("AS JH", Reason.NEED_JACK_QUEEN_KING),
        ("KH KH", Reason.NEED_JACK_QUEEN_KING),
        ("JS QS", Reason.NEED_JACK_QUEEN_KING),
        ("JS QS QH", Reason.NEED_JACK_QUEEN_KING),
        ("JS QS 5H", Reason.NEED_JACK_QUEEN_KING),
        ("5S 6H KS", Reason.NEED_JACK_QUEEN_KING),
        ("5S 6H AS", Reason.NOT_ELEVEN),
        ("2S 3H 6S", Reason.NOT_ELEVEN),
        ("AS TH 5S", Reason.NOT_ELEVEN),
    ],
)
def test_what_may_not_go_has_its_reason(text: str, reason: Reason) -> None:
    assert reason_against(cards_of(text)) is reason


@pytest.mark.parametrize("count", [2, 3])
def test_every_pair_and_triple_of_ranks_is_judged_as_the_oracle_judges(count: int) -> None:
    for cards in product(ONE_OF_EACH_RANK, repeat=count):
        assert reason_against(cards) == reason_of_cards([str(card) for card in cards])


@pytest.mark.parametrize("text", ["JS QH KD", "JS QH KS", "KD JD QD"])
def test_suits_and_order_never_matter(text: str) -> None:
    assert reason_against(cards_of(text)) is None


def test_a_pair_scores_10_and_a_triple_15() -> None:
    assert points(2) == 10
    assert points(3) == 15
    assert 40 * points(2) + 8 * points(3) == 520


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5S",
        "5S 5H AS AH",
        "JS JH JD JC JS JH JD JC",
        "JS QS JH QH JD QD",
        "QS KS QH KH",
        "KS KH AS 2S 3S 4S 5S",
        "TS 9S 8S 7S 6S JS QS",
        "KS KH KD KC KS KH KD KC QS QH QD QC QS QH QD QC AS AS AH AH",
    ],
)
def test_no_pair_and_no_triple_is_a_deadlock(text: str) -> None:
    assert is_deadlocked(tally(cards_of(text)))


@pytest.mark.parametrize(
    "text",
    [
        "5S 6D",
        "AS TH",
        "JS QH KD",
        "JS JH JD JC QS KS",
        "KS KH KD KC KS KH KD KC AS AS AH AH AD AD AC AC TS",
        "TS 9S 8S 7S 6S JS QS 2C",
    ],
)
def test_one_pair_or_triple_is_enough_to_go_on(text: str) -> None:
    assert not is_deadlocked(tally(cards_of(text)))


@given(st.lists(st.sampled_from(range(104)), unique=True, max_size=20))
def test_deadlock_is_that_no_two_or_three_cards_may_go(indexes: list[int]) -> None:
    """Of any twenty cards of the two packs, whether or not a game can show them together."""
    cards = [TWO_PACKS[index] for index in indexes]
    groups = [*combinations(cards, 2), *combinations(cards, 3)]
    moves = [group for group in groups if reason_of_cards([str(card) for card in group]) is None]
    assert is_deadlocked(tally(cards)) == (not moves)


def test_empty_spots_count_for_nothing() -> None:
    assert tally([None, *cards_of("5S 6D"), None]) == tally(cards_of("6H 5C"))


@pytest.mark.parametrize("letter", list("A23456789TJQK"))
def test_eight_cards_of_a_rank_are_not_taken_for_another_rank(letter: str) -> None:
    eight = [card for card in TWO_PACKS if card.rank.letter == letter]
    assert len(eight) == 8
    assert is_deadlocked(tally(eight))
