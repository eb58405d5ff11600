"""Spots: the twelve tableau piles and the eight reserve places (contract §1)."""

from halfmoon.engine.spots import INDEX, PILES, RESERVE, SPOTS
from halfmoon_testing import oracle


def test_there_are_twelve_piles_and_eight_reserve_places() -> None:
    assert PILES == ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")
    assert RESERVE == ("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8")


def test_the_piles_come_before_the_reserve() -> None:
    assert list(SPOTS) == oracle.SPOTS
    assert SPOTS == PILES + RESERVE


def test_every_spot_knows_its_place_and_nothing_else_has_one() -> None:
    assert [INDEX[spot] for spot in SPOTS] == list(range(20))
    assert len(INDEX) == 20
