"""Cards: their notation, and the fixed order that every shuffle starts from (contract §1, §2)."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.engine.cards import PACK, TWO_PACKS, Card, Rank, Suit
from halfmoon.engine.errors import UnreadableCard, UnreadableText
from halfmoon_testing.oracle import two_packs, value


def test_two_packs_lie_in_the_order_of_the_contract() -> None:
    """Suits S H D C, in each suit A 2 … T J Q K, the second pack after the first."""
    assert [str(card) for card in TWO_PACKS] == two_packs()


def test_every_card_exists_twice() -> None:
    assert len(PACK) == 52
    assert set(Counter(TWO_PACKS).values()) == {2}


@pytest.mark.parametrize("card", PACK, ids=str)
def test_text_and_card_are_inverse(card: Card) -> None:
    assert Card.parse(str(card)) == card
    assert str(Card.parse(str(card))) == str(card)


@pytest.mark.parametrize("card", PACK, ids=str)
def test_a_number_card_has_its_value_and_a_court_card_none(card: Card) -> None:
    assert (0 if card.rank.is_court else int(card.rank)) == value(str(card))


def test_a_repr_can_be_pasted_back() -> None:
    card = Card(Rank.TEN, Suit.DIAMONDS)
    assert repr(card) == "Card.parse('TD')"
    assert eval(repr(card)) == card


def test_equal_cards_of_the_two_packs_are_equal_and_others_are_not() -> None:
    assert TWO_PACKS[0] == TWO_PACKS[52]
    assert len({TWO_PACKS[0], TWO_PACKS[52]}) == 1
    assert Card.parse("5S") != Card.parse("5H")
    assert Card.parse("5S") != "5S"


@pytest.mark.parametrize(
    "text",
    ["", "5", "S5", "5s", "10S", "TDX", "1S", "0S", "5Ş", "XS", "5X", " 5S", "5S\n", "5" * 99],
)
def test_what_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(UnreadableCard, match="is no card"):
        Card.parse(text)


@given(st.text(max_size=3))
def test_any_text_is_a_card_or_unreadable(text: str) -> None:
    try:
        assert str(Card.parse(text)) == text
    except UnreadableText:
        assert text not in two_packs()
