"""Names in one room that look alike get numbers, by the skeletons of UTS 39 (reports X20, B71)."""

import pytest
from hypothesis import given

from halfmoon.wire import messages as m
from halfmoon_server.rooms import views
from halfmoon_server.rooms.lookalikes import number_among, skeleton
from halfmoon_testing.builders import ANN, BEN, CLEO, DAN, join, leave, retire
from halfmoon_testing.rooms import race, table
from halfmoon_testing.strategies import names


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "Ann"),
        ("Ann", "\N{CYRILLIC CAPITAL LETTER A}nn"),
        ("paypal", "р\N{CYRILLIC SMALL LETTER A}yрal"),
        ("Ilse", "llse"),
        ("Otto", "0tto"),
        ("Tom", "Torn"),
        ("Zoë", "Zoe\N{COMBINING DIAERESIS}"),
        ("Ben", "𝐁en"),
        ("Ann", "Ann ②"),
        ("Ann", "Ann②⑳"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anna"), ("Ann", "ann"), ("Zoë", "Zoe"), ("Ann", "Ann 2"), ("A", "B")],
)
def test_names_that_can_be_told_apart(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(names())
def test_a_skeleton_is_its_own(name: str) -> None:
    assert skeleton(name) == skeleton(name)
    assert number_among(name, [(name, None)]) == 2


def test_a_number_that_somebody_has_is_not_used_again() -> None:
    assert number_among("Ann", []) is None
    assert number_among("Ann", [("Ben", None), ("Cleo", 2)]) is None
    assert number_among("Ann", [("Ann", None)]) == 2
    assert number_among("Ann", [("Ann", 2), ("Ben", None)]) == 3
    assert number_among("Ann", [("Ann", None), ("Аnn", 4)]) == 5


def test_who_comes_later_has_the_number_in_every_message_and_keeps_it() -> None:
    at = table()
    twin = at.room.members[ANN].name
    at.ask(BEN, join(), name=twin)
    at.ask(CLEO, join("spectator"), name=twin)
    at.ask(DAN, join())
    assert [one.number for one in at.room.members.values()] == [None, 2, 3, None]
    lines = views.snapshot(at.room, DAN, 0).players
    assert [line.number for line in lines] == [None, 2, None]
    told = [told.message for change in at.changes for told in views.told(*change, 0)]
    joined = [one.number for one in told if isinstance(one, m.PlayerJoined)]
    assert joined == [2, 3, None]
    at.does(ANN, leave())
    assert at.room.members[BEN].number == 2


def test_a_racer_who_left_and_comes_back_has_the_same_number() -> None:
    at = race(BEN)
    assert at.room.race is not None
    at.does(BEN, retire(), leave())
    at.ask(BEN, join(), name=at.room.race.seats[BEN].name)
    assert at.room.members[BEN].number == at.room.race.seats[BEN].number is None
