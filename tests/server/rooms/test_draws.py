"""The deal that server and racers draw together (`halfmoon.engine.draws`), in a room."""

import pytest

from halfmoon.engine.draws import commit_of, drawn_code
from halfmoon.engine.record import RaceRecord
from halfmoon.wire import messages as m
from halfmoon_server.records import record_of
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.evolve import create, evolve
from halfmoon_testing import builders as b
from halfmoon_testing.builders import ANN, BEN, CLEO, ROOM
from halfmoon_testing.rooms import Table, deal_of, drawn_chances, table

ANNS, BENS = "a1" * 16, "b2" * 16


def drawing(*players: str) -> Table:
    """A lobby whose deal will be drawn; a countdown of a second."""
    return table(*players, draw=drawn_chances(), countdown_ms=1000)


def snapshot(at: Table, player: str = ANN) -> m.RoomSnapshot:
    return views.snapshot(at.room, player, 0)


def heard(at: Table) -> list[m.AnyMessage]:
    """What everybody was told of all that has happened."""
    return [
        one.message for change in at.changes for one in views.told(*change, 0) if one.to is None
    ]


def raced(at: Table, *players: str) -> RaceRecord:
    """The record, once these have retired."""
    at.pass_ms(1000)
    race = at.room.race
    assert race is not None
    for player in players:
        at.does(player, b.retire())
    record = record_of(at.entries, race.race, deal_of)
    assert record is not None
    return record


def test_the_lobby_shows_what_the_server_is_bound_to_before_anybody_said_a_nonce() -> None:
    at = drawing(BEN)
    coming = snapshot(at).coming
    assert coming is not None
    began = at.room.drawing
    assert began is not None
    assert coming.commit == commit_of(bytes.fromhex(began.secret))
    at.does(ANN, b.ready(nonce=ANNS))
    at.does(ANN, b.start())
    at.pass_ms(1000)
    assert at.room.race is not None
    assert at.room.race.race == coming.race
    assert raced(at, ANN).draw is not None
    assert at.room.drawing is not None
    assert at.room.drawing.secret == began.secret


def test_the_code_is_made_of_the_secret_and_the_nonces_of_those_who_are_ready() -> None:
    at = drawing(BEN, CLEO)
    at.does(ANN, b.ready(nonce=ANNS))
    at.does(BEN, b.ready(nonce=BENS))
    at.does(CLEO, b.ready())
    lobby_seal = at.room.seal
    at.does(ANN, b.start())
    began = at.room.drawing
    assert began is not None
    nonces = [bytes.fromhex(ANNS), bytes.fromhex(BENS)]
    secret = bytes.fromhex(began.secret)
    assert at.room.code == drawn_code(secret, ROOM, began.race, nonces)
    assert at.room.seal != lobby_seal
    record = raced(at, ANN, BEN, CLEO)
    record.verify()
    assert record.draw is not None
    assert record.draw.nonces == {ANN: ANNS, BEN: BENS}


def test_the_new_seal_is_told_before_the_countdown() -> None:
    at = drawing()
    at.does(ANN, b.ready(nonce=ANNS))
    at.changes.clear()
    at.does(ANN, b.start())
    told, countdown = heard(at)
    assert isinstance(told, m.OptionsChanged)
    assert told.seal == at.room.code.seal
    assert isinstance(countdown, m.Countdown)


def test_without_a_nonce_the_seal_of_the_lobby_stands() -> None:
    at = drawing(BEN)
    seal = at.room.seal
    at.does(ANN, b.ready())
    at.changes.clear()
    at.does(ANN, b.start())
    assert [type(one) for one in heard(at)] == [m.Countdown]
    assert at.room.seal == seal
    record = raced(at, ANN)
    record.verify()
    assert record.draw is not None
    assert record.draw.nonces == {}


def test_who_is_not_ready_any_more_has_no_share() -> None:
    at = drawing(BEN)
    at.does(BEN, b.ready(nonce=BENS))
    at.does(BEN, b.ready(ready=False, nonce=BENS))
    assert at.room.members[BEN].nonce is None
    at.does(ANN, b.ready(nonce=ANNS))
    at.does(ANN, b.start())
    assert at.room.drawing is not None
    assert at.room.drawing.nonces == {ANN: ANNS}


def test_who_watches_instead_has_no_share() -> None:
    at = drawing(BEN)
    at.does(BEN, b.ready(nonce=BENS))
    at.does(BEN, b.join("spectator"))
    at.does(BEN, b.join("player"))
    assert at.room.members[BEN].nonce is None


def test_another_nonce_takes_the_place_of_the_first() -> None:
    at = drawing()
    at.does(ANN, b.ready(nonce=BENS))
    assert [type(event) for event in at.does(ANN, b.ready(nonce=ANNS))] == [e.ReadySet]
    assert at.does(ANN, b.ready(nonce=ANNS)) == ()
    assert at.room.nonces == {ANN: ANNS}


def test_a_countdown_that_was_called_off_draws_again_with_the_same_secret() -> None:
    at = drawing(BEN)
    at.does(ANN, b.ready(nonce=ANNS))
    at.does(ANN, b.start())
    before = at.room.drawing
    assert before is not None
    at.drop(ANN)
    assert at.room.state == "lobby"
    at.does(ANN, b.join())
    at.does(ANN, b.set_options(undo=False))
    at.does(ANN, b.ready())
    at.does(ANN, b.start())
    assert at.room.drawing is not None
    assert at.room.drawing.secret == before.secret
    assert at.room.drawing.nonces == {}
    record = raced(at, ANN)
    record.verify()


def test_a_typed_code_is_not_drawn() -> None:
    at = drawing()
    at.does(ANN, b.set_options(code=b.WINNABLE))
    assert snapshot(at).coming is None
    at.does(ANN, b.ready(nonce=ANNS))
    at.does(ANN, b.start())
    record = raced(at, ANN)
    assert record.code == b.WINNABLE
    assert record.draw is None
    assert snapshot(at).draw is None


@pytest.mark.parametrize("again", [b.rematch(), b.set_options(code=None)])
def test_every_lobby_has_a_secret_of_its_own(again: object) -> None:
    at = drawing()
    first = at.room.drawing
    at.does(ANN, b.ready(nonce=ANNS))
    if again == b.rematch():
        at.does(ANN, b.start())
        raced(at, ANN)
        at.does(ANN, b.rematch())
    else:
        at.does(ANN, b.set_options(code=None))
    assert first is not None
    assert at.room.drawing is not None
    assert at.room.drawing.secret != first.secret
    assert at.room.drawing.race != first.race


def test_the_secret_is_told_at_the_end_and_never_before() -> None:
    at = drawing(BEN)
    began = at.room.drawing
    assert began is not None
    at.does(ANN, b.ready(nonce=ANNS))
    at.does(BEN, b.ready(nonce=BENS))
    at.does(ANN, b.start())
    at.pass_ms(1000)
    at.does(BEN, b.retire())
    said = [one.model_dump_json() for one in heard(at)]
    said += [snapshot(at, who).model_dump_json() for who in (ANN, BEN)]
    assert not any(began.secret in text for text in said)
    at.does(ANN, b.retire())
    over = heard(at)[-1]
    assert isinstance(over, m.Over)
    assert over.draw is not None
    assert over.draw.secret == began.secret
    assert snapshot(at, BEN).draw == over.draw


def test_a_room_from_its_log_draws_the_same() -> None:
    at = drawing(BEN)
    at.does(ANN, b.ready(nonce=ANNS))
    at.does(ANN, b.start())
    raced(at, ANN)
    events = [event for entry in at.entries for event in e.read_entry(e.write_entry(entry)).events]
    assert isinstance(events[0], e.RoomCreated)
    room = create(events[0])
    for event in events[1:]:
        room = evolve(room, event, deal_of)
    assert room == at.room
    assert room.drawing is not None
    assert room.drawing.nonces == {ANN: ANNS}
