"""The sans-I/O seat in a tournament: it enters, is taken to its heat, and comes back after a drop."""

from halfmoon.wire import commands as c
from halfmoon.wire import messages as m
from halfmoon.wire.examples import message_examples
from halfmoon_client.seat import Answered, HeatDrawn, Seat, TournamentChanged

NEWS = next(one for one in message_examples() if isinstance(one, m.TournamentNews))
T = NEWS.tournament
DRAWN = m.RoundDrawn(tournament=T, round=2, room="K7M2P", starts_at=7)


def entered() -> Seat:
    """A seat that has an entry and has been told of the tournament."""
    seat = Seat(name="Ann")
    connect(seat)
    seat.send(c.Enter(tournament=T, claim="8JWM-QY3C"))
    [enter] = seat.commands_to_send()
    answer = m.Entered(tournament=T, entrant="e1", re=enter.id)
    assert seat.receive(answer) == [Answered(enter, answer)]
    assert seat.receive(NEWS.model_copy(update={"re": None})) == [TournamentChanged(T)]
    return seat


def connect(seat: Seat) -> list[c.Command]:
    """What it says on a fresh connection, after the welcome."""
    seat.connected()
    [hello] = [one for one in seat.commands_to_send() if isinstance(one, c.Hello)]
    server = m.ServerInfo(version="1")
    seat.receive(m.Welcome(player="p_1", name="Ann", token="t", server=server, at=5, re=hello.id))
    return seat.commands_to_send()


def test_the_state_is_kept() -> None:
    assert entered().tournaments[T].entrants == NEWS.entrants


def test_a_heat_that_is_drawn_is_joined_once() -> None:
    seat = entered()
    assert seat.receive(DRAWN) == [HeatDrawn(DRAWN)]
    [join] = seat.commands_to_send()
    assert isinstance(join, c.JoinRoom)
    assert join.room == "K7M2P"


def test_after_a_drop_it_enters_again_without_the_claim() -> None:
    seat = entered()
    seat.dropped()
    seat.connected()
    again = seat.commands_to_send()
    assert [type(one) for one in again] == [c.Hello, c.Enter]
    assert isinstance(again[1], c.Enter)
    assert again[1].claim is None


def test_who_follows_follows_again() -> None:
    seat = Seat(name="Wall")
    connect(seat)
    seat.send(c.Follow(tournament=T))
    [follow] = seat.commands_to_send()
    news = NEWS.model_copy(update={"re": follow.id})
    assert seat.receive(news) == [Answered(follow, news), TournamentChanged(T)]
    seat.dropped()
    seat.connected()
    assert [type(one) for one in seat.commands_to_send()] == [c.Hello, c.Follow]
