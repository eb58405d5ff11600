"""Tapping, sentence by sentence, and the vectors that the web client passes too."""

import json
from collections.abc import Iterable, Mapping
from itertools import permutations
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.engine.cards import PACK, Card
from halfmoon.engine.errors import Reason
from halfmoon.engine.selection import Selection, Tap, tap
from halfmoon.engine.spots import SPOTS, Spot
from halfmoon_testing.oracle import reason_of_cards


class Expected(TypedDict):
    """What one tap of a vector leads to."""

    selected: list[str]
    remove: list[str] | None
    reason: str | None


class Vector(TypedDict):
    """A line of selection.json: exposed cards, taps, and what each leads to."""

    name: str
    cards: dict[Spot, str]
    taps: list[Spot]
    expect: list[Expected]


VECTORS: list[Vector] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "selection.json").read_text(encoding="utf-8")
)

SHOWN: dict[Spot, str] = {
    "1": "5S", "2": "6D", "3": "KH", "4": "KH", "5": "QH", "6": "AH", "7": "QS", "8": "JC", "R1": "JD",
}  # fmt: skip
"""A table with two kings of hearts, as on the rules page."""


def after(*spots: Spot, cards: Mapping[Spot, str] = SHOWN) -> Tap:
    """What the last of these taps leads to."""
    return list(taps(spots, cards))[-1]


def taps(spots: Iterable[Spot], cards: Mapping[Spot, str]) -> Iterable[Tap]:
    exposed: dict[Spot, Card] = {spot: Card.parse(card) for spot, card in cards.items()}
    selected: Selection = ()
    for spot in spots:
        result = tap(selected, spot, exposed)
        yield result
        selected = result.selected


# --- The tapping section, sentence by sentence ------------------------------------------------


def test_the_first_tap_selects_a_card() -> None:
    assert after("1") == Tap(selected=("1",))


def test_a_second_tap_on_a_card_that_makes_11_removes_both() -> None:
    assert after("1", "2") == Tap(selected=(), remove=("1", "2"))


def test_a_triple_is_tapped_one_after_the_other_and_goes_on_the_third_tap() -> None:
    assert list(taps(["8", "5", "3"], SHOWN)) == [
        Tap(selected=("8",)),
        Tap(selected=("8", "5")),
        Tap(selected=(), remove=("8", "5", "3")),
    ]


def test_the_program_never_picks_the_third_for_the_player() -> None:
    only_one_way: dict[Spot, str] = {"8": "JC", "5": "QH", "3": "KH"}
    assert after("8", "5", cards=only_one_way) == Tap(selected=("8", "5"))


def test_tapping_a_selected_card_deselects_it() -> None:
    assert after("1", "1") == Tap(selected=())
    assert after("8", "8") == Tap(selected=())
    assert after("8", "5", "8") == Tap(selected=("5",))


def test_a_second_card_that_does_not_fit_removes_nothing() -> None:
    """5♠ with A♥, 5♠ with K♥, and two K♥: the examples of the rules page."""
    for misfit in (after("1", "6"), after("1", "3"), after("3", "4")):
        assert misfit.remove is None


def test_two_number_cards_of_another_sum_clear_the_selection() -> None:
    assert after("1", "6") == Tap(selected=(), reason=Reason.NOT_ELEVEN)


def test_a_number_card_and_a_court_card_clear_the_selection() -> None:
    cleared = Tap(selected=(), reason=Reason.NEED_JACK_QUEEN_KING)
    assert after("1", "3") == cleared
    assert after("3", "1") == cleared


def test_of_two_court_cards_of_the_same_rank_the_second_becomes_the_selected_one() -> None:
    assert after("3", "4") == Tap(selected=("4",), reason=Reason.NEED_JACK_QUEEN_KING)


def test_with_two_courts_selected_another_of_one_rank_takes_that_ones_place() -> None:
    assert after("8", "5", "R1").selected == ("R1", "5")
    assert after("8", "5", "7").selected == ("8", "7")


def test_with_two_courts_selected_a_number_card_clears() -> None:
    assert after("8", "5", "1") == Tap(selected=(), reason=Reason.NEED_JACK_QUEEN_KING)


def test_an_empty_spot_does_nothing() -> None:
    assert after("R8") == Tap(selected=())
    assert after("1", "R8") == Tap(selected=("1",))


# --- The vectors ------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_the_vectors_of_the_web_client(vector: Vector) -> None:
    results = [
        tap_result.model_dump(mode="json") for tap_result in taps(vector["taps"], vector["cards"])
    ]
    assert results == vector["expect"]


def test_every_way_a_tap_can_end_has_a_vector() -> None:
    steps = [step for vector in VECTORS for step in vector["expect"]]
    assert {step["reason"] for step in steps} == {None, "not_eleven", "need_jack_queen_king"}
    assert {len(step["selected"]) for step in steps} == {0, 1, 2}
    assert {len(step["remove"] or []) for step in steps} == {0, 2, 3}


# --- Any taps on any table --------------------------------------------------------------------


@given(
    st.dictionaries(st.sampled_from(SPOTS), st.sampled_from([str(card) for card in PACK])),
    st.lists(st.sampled_from(SPOTS), max_size=12),
)
def test_any_taps_keep_the_selection_sound(cards: dict[Spot, str], spots: list[Spot]) -> None:
    """Nothing, one card, or two courts of different rank; what goes is what the rules let go."""
    for spot, result in zip(spots, taps(spots, cards), strict=True):
        selected = [cards[chosen] for chosen in result.selected]
        assert len(set(result.selected)) == len(selected) <= 2
        if len(selected) == 2:
            assert len({card[0] for card in selected} & set("JQK")) == 2
        if result.remove is not None:
            assert result.remove[-1] == spot
            assert result.selected == ()
            assert result.reason is None
            assert reason_of_cards([cards[gone] for gone in result.remove]) is None


@given(
    st.dictionaries(
        st.sampled_from(SPOTS), st.sampled_from([str(card) for card in PACK]), min_size=2
    )
)
def test_any_move_of_the_rules_can_be_tapped_in_order(cards: dict[Spot, str]) -> None:
    for count in (2, 3):
        for spots in permutations(cards, count):
            if reason_of_cards([cards[spot] for spot in spots]) is None:
                assert after(*spots, cards=cards) == Tap(selected=(), remove=spots)
