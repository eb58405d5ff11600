"""Deals: the check values, the golden decks, the algorithm step by step (contract §2)."""

import json
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.engine.cards import TWO_PACKS
from halfmoon.engine.codes import Code, Variant
from halfmoon.engine.deals import Deal, shuffled, uniform_below, words
from halfmoon_testing import oracle


class GoldenDeck(TypedDict):
    """A line of golden_decks.json, whose decks the oracle dealt."""

    code: str
    seal: str
    cards: str


GOLDEN: list[GoldenDeck] = json.loads(
    Path(__file__).with_name("golden_decks.json").read_text(encoding="ascii")
)

codes = st.builds(Code.from_number, st.just(Variant.NORMAL), st.integers(0, 26**7 - 1)) | st.builds(
    Code.from_number, st.just(Variant.SEALED), st.integers(0, 26**28 - 1)
)


@pytest.mark.parametrize(("code", "expected"), oracle.CHECK_VALUES.items())
def test_the_check_values_of_the_contract(code: str, expected: str) -> None:
    assert oracle.check_value([str(card) for card in shuffled(Code.parse(code))]) == expected


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: str(golden["code"]))
def test_the_golden_decks(golden: GoldenDeck) -> None:
    code = Code.parse(golden["code"])
    assert code.seal == golden["seal"]
    assert " ".join(str(card) for card in shuffled(code)) == golden["cards"]


def test_the_golden_decks_are_of_both_variants() -> None:
    assert len({golden["code"] for golden in GOLDEN}) == 20
    assert {golden["code"][4] for golden in GOLDEN} == {"N", "S"}


@given(codes)
def test_every_deck_is_two_packs(code: Code) -> None:
    assert Counter(shuffled(code)) == Counter(TWO_PACKS)


@given(codes)
def test_every_deck_is_the_oracles(code: Code) -> None:
    assert [str(card) for card in shuffled(code)] == oracle.deck(str(code))


@given(codes)
def test_a_deal_lays_the_deck_out_in_twelve_piles_and_a_reserve(code: Code) -> None:
    deal, deck = Deal.of(code), shuffled(code)
    assert [len(pile) for pile in deal.piles] == [8] * 12
    assert [card for pile in deal.piles for card in pile] == deck[:96]
    assert list(deal.reserve) == deck[96:]


def test_the_last_card_of_a_pile_is_its_top_and_a_reserve_place_holds_one() -> None:
    deal = Deal.of(Code.parse("HM1-N-AAAAAAB"))
    assert [ladder[-1] for ladder in deal.ladders[:12]] == [pile[-1] for pile in deal.piles]
    assert [ladder[1:] for ladder in deal.ladders[12:]] == [(card,) for card in deal.reserve]
    assert {ladder[0] for ladder in deal.ladders} == {None}


def test_the_same_code_makes_the_same_deal_and_another_code_another() -> None:
    first = Deal.of(Code.parse("HM1-N-AAAAAAB"))
    assert Deal.of(Code.parse(" hm1naaaaaab ")) == first
    assert Deal.of(Code.parse("HM1-N-AAAAAAC")).piles != first.piles


def test_words_are_big_endian_and_run_on_over_the_digests() -> None:
    """Step 2, for the first three digests of a code."""
    code = Code.parse("HM1-N-AAAAAAB")
    expected = oracle._Words("HM1-N-AAAAAAB")
    assert list(islice(words(code), 24)) == [expected.next() for _ in range(24)]


@pytest.mark.parametrize("bound", [2, 3, 7, 100, 104])
def test_a_word_past_the_last_whole_multiple_is_dropped(bound: int) -> None:
    """Step 3: from 2³² − (2³² mod n) on, a word would favour small numbers."""
    limit = 2**32 - 2**32 % bound
    assert uniform_below(bound, iter([limit - 1, 5])) == bound - 1
    if limit < 2**32:
        assert uniform_below(bound, iter([limit, 2**32 - 1, 1])) == 1


def test_words_never_end() -> None:
    with pytest.raises(AssertionError, match="never end"):
        uniform_below(7, iter([]))
