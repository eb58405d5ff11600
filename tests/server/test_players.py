"""Players by their secret tokens, and the one connection of each."""

import hashlib
from collections.abc import Callable

import pytest

from halfmoon_server.eventlog.base import Identity, LogUnavailable
from halfmoon_server.players import Players, Replaceable, WrongToken
from halfmoon_testing.builders import ANN, BEN
from halfmoon_testing.fakes import FakeLog


class Phone:
    """A connection that remembers by which other it was replaced."""

    def __init__(self) -> None:
        self.replaced: list[Replaceable] = []
        self.is_cut = False

    def replaced_by(self, newer: Replaceable) -> None:
        self.replaced.append(newer)

    def cut(self) -> None:
        self.is_cut = True


async def test_the_token_is_the_player_and_only_its_hash_is_kept() -> None:
    log = FakeLog()
    players = Players(log)
    ann, token = await players.register("Ann")
    assert await players.recognise(token, None) == ann
    assert [*log._identities] == [hashlib.sha256(token.encode()).digest()]
    assert token not in repr(log._identities)


async def test_a_token_has_more_than_128_bits_and_says_nothing_of_the_player() -> None:
    players = Players(FakeLog())
    known = [await players.register("Ann") for _ in range(50)]
    assert len({token for _, token in known}) == len({one.player for one, _ in known}) == 50
    for identity, token in known:
        assert len(token) * 6 >= 128
        assert identity.player.startswith("p_")
        assert identity.player[2:] not in token


@pytest.mark.parametrize(
    "change",
    [
        str.lower,
        lambda token: token[:-1],
        lambda token: token + "A",
        lambda token: token + "\udcff",
    ],
)
async def test_a_token_that_is_nearly_right_is_wrong(change: Callable[[str], str]) -> None:
    players = Players(FakeLog())
    _, token = await players.register("Ann")
    with pytest.raises(WrongToken):
        await players.recognise(change(token), "Ann")


async def test_a_name_with_the_token_renames_and_a_missing_one_does_not() -> None:
    players = Players(FakeLog())
    ann, token = await players.register("Ann")
    assert await players.recognise(token, "Anna") == Identity(ann.player, "Anna")
    assert await players.recognise(token, None) == Identity(ann.player, "Anna")
    assert await players.recognise(token, "Anna") == Identity(ann.player, "Anna")


async def test_two_of_one_name_are_two_players() -> None:
    """B71: nobody becomes another by a name."""
    players = Players(FakeLog())
    (one, token), (other, _) = await players.register("Ana"), await players.register("Ana")
    assert one.player != other.player
    assert (await players.recognise(token, None)).player == one.player


async def test_a_player_whom_the_log_did_not_take_is_none() -> None:
    log = FakeLog()
    log.is_broken = True
    with pytest.raises(LogUnavailable):
        await Players(log).register("Ann")


def test_a_newer_connection_takes_the_place_of_the_older() -> None:
    players = Players(FakeLog())
    first, second, third = Phone(), Phone(), Phone()
    for phone in (first, second, third):
        players.connected(ANN, phone)
    assert first.replaced == [second]
    assert second.replaced == [third]
    assert third.replaced == []


def test_players_do_not_replace_one_another() -> None:
    players = Players(FakeLog())
    anns, bens = Phone(), Phone()
    players.connected(ANN, anns)
    players.connected(BEN, bens)
    assert anns.replaced == []


def test_an_older_connection_that_ends_late_leaves_the_newer_in_place() -> None:
    players = Players(FakeLog())
    older, newer, newest = Phone(), Phone(), Phone()
    players.connected(ANN, older)
    players.connected(ANN, newer)
    players.disconnected(ANN, older)
    players.connected(ANN, newest)
    assert newer.replaced == [newest]


def test_who_has_gone_is_not_replaced() -> None:
    players = Players(FakeLog())
    older = Phone()
    players.connected(ANN, older)
    players.disconnected(ANN, older)
    players.connected(ANN, Phone())
    assert older.replaced == []


def test_of_too_many_connections_of_one_player_the_oldest_is_cut() -> None:
    """They have been replaced, and may take their time over leaving: but not all of them."""
    players = Players(FakeLog(), most_connections=3)
    phones = [Phone() for _ in range(5)]
    for phone in phones[:3]:
        players.connected(ANN, phone)
    assert not any(phone.is_cut for phone in phones)
    players.connected(ANN, phones[3])
    assert [phone.is_cut for phone in phones] == [True, False, False, False, False]
    players.disconnected(ANN, phones[0])
    players.disconnected(ANN, phones[1])
    players.connected(ANN, phones[4])
    assert [phone.is_cut for phone in phones] == [True, False, False, False, False]
    assert phones[3].replaced == [phones[4]]
