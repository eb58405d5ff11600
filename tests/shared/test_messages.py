"""What the server says: the contract's fields by name, absent or null as it says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from halfmoon.engine.board import Board
from halfmoon.engine.cards import Card
from halfmoon.engine.deals import Deal
from halfmoon.wire import messages as m
from halfmoon.wire.codec import MESSAGE_TYPES, read_message, write
from halfmoon.wire.errors import CloseCode, ErrorCode, Reason
from halfmoon.wire.examples import SEALED, message_examples
from halfmoon.wire.options import RoomOptions

CONTRACT: dict[str, str] = {
    "welcome": "player name token server at re?",
    "clock": "t at re?",
    "room": "room n state host host_name options seal code? coming? draw? players spectators screens? starts_at? ends_at? "
    "race? last_race? standings? w? boards? courses? heat? contest? you re?",
    "ok": "room re?",
    "left": "room re?",
    "entered": "tournament entrant re?",
    "tournament": "tournament name format state round rounds? entrants heats byes entry heat_size? "
    "race annulled ended_early? automatic starts_at? ends_at? next_at? announcement? re?",
    "moved": "room turn removed revealed score moves status at_ms re?",
    "undone": "room turn restored score moves status at_ms re?",
    "error": "code message room? reason? board? retry_ms? bar? re?",
    "player_joined": "room n player name as ready online number? screen?",
    "player_left": "room n player why screen?",
    "player_changed": "room n player name? as ready online host number?",
    "options": "room n options seal code? coming?",
    "lobby": "room n options seal code? coming?",
    "countdown": "room n starts_at why?",
    "started": "room n race starts_at ends_at? seal code? players",
    "progress": "room n players",
    "over": "room n race code? seal standings draw?",
    "opened": "room n race code",
    "reaction": "room n player reaction",
    "board": "room board",
    "boards": "room w boards",
    "seat_moved": "room w player turn removed revealed score moves status? at_ms",
    "seat_undone": "room w player turn restored score moves status? at_ms",
    "seat_unmasked": "room w player cards status?",
    "round": "tournament round room starts_at",
}
"""The fields of every message (Contract §5); a `?` marks what may be absent."""


def told(message: m.Message) -> dict[str, Any]:
    """What a message says on the wire."""
    said: dict[str, Any] = json.loads(write(message))
    return said


@pytest.mark.parametrize("example", message_examples(), ids=lambda example: example.type)
def test_a_message_has_the_fields_of_the_contract(example: m.Message) -> None:
    said = told(example)
    wanted = CONTRACT[said.pop("type")].split()
    assert {field for field in wanted if not field.endswith("?")} <= set(said)
    assert set(said) <= {field.rstrip("?") for field in wanted}
    fields = type(example).model_fields.values()
    names = {field.alias or name for name, field in type(example).model_fields.items()}
    assert names == {"type", *(field.rstrip("?") for field in wanted)}
    optional = {field.alias or "" for field in fields if not field.is_required()}
    assert len(optional) >= 1  # `type` at least


@pytest.mark.parametrize("example", message_examples(), ids=lambda example: example.type)
def test_a_message_without_a_field_that_it_must_have_is_none(example: m.Message) -> None:
    said = told(example)
    for field in CONTRACT[said["type"]].split():
        rest = json.dumps({name: value for name, value in said.items() if name != field})
        if field.endswith("?"):
            assert read_message(rest) is not None
        else:
            with pytest.raises(ValueError, match=field):
                read_message(rest)


def test_every_type_of_the_contract_is_there() -> None:
    assert set(CONTRACT) == MESSAGE_TYPES
    assert [told(example)["type"] for example in message_examples()] == list(CONTRACT)


def test_a_countdown_that_is_called_off_says_null_and_why() -> None:
    off = m.Countdown(room="K7M2P", n=4, starts_at=None, why="nobody_ready")
    assert told(off) == {
        "type": "countdown",
        "room": "K7M2P",
        "n": 4,
        "starts_at": None,
        "why": "nobody_ready",
    }


def test_an_empty_pile_shows_null() -> None:
    moved = m.Moved(
        room="K7M2P",
        turn=1,
        removed=[Card.parse("5S"), Card.parse("6D")],
        revealed={"1": Card.parse("9C"), "R8": None},
        score=10,
        moves=1,
        status="racing",
        at_ms=7,
    )
    assert told(moved)["revealed"] == {"1": "9C", "R8": None}


def test_options_show_a_code_only_where_somebody_typed_one() -> None:
    said = json.loads(RoomOptions().model_dump_json())
    assert said == {
        "time_limit_ms": 900_000,
        "undo": True,
        "ends": "all",
        "max_players": 16,
        "public": False,
        "spectators": "open",
        "spectator_delay_ms": 0,
        "reactions": True,
        "countdown_ms": 3000,
    }
    assert json.loads(RoomOptions(time_limit_ms=None).model_dump_json())["time_limit_ms"] is None


def test_the_examples_show_the_cards_of_their_deal() -> None:
    """And a racer's messages show none that was not exposed."""
    start = Board.start(Deal.of(SEALED))
    dealt, moved = [one for one in message_examples() if isinstance(one, m.BoardDealt | m.Moved)][
        ::-1
    ]
    assert isinstance(dealt, m.BoardDealt)
    assert [pile.top for pile in dealt.board.piles] == start.pile_tops
    assert dealt.board.reserve == start.reserve
    assert isinstance(moved, m.Moved)
    after = start.play(list(moved.revealed))
    assert moved.revealed == {spot: after.exposed(spot) for spot in moved.revealed}


def test_codes_and_reasons_are_those_of_the_contract() -> None:
    assert {code.value for code in ErrorCode} - {"unavailable", "unknown_challenge"} == {
        "bad_message",
        "rate_limited",
        "wrong_state",
        "unknown_room",
        "unknown_tournament",
        "room_full",
        "not_allowed",
        "stale_turn",
        "nothing_to_undo",
        "illegal_move",
        "unauthorized",
    }
    assert [reason.value for reason in Reason] == [
        "unknown_spot",
        "same_spot",
        "wrong_count",
        "empty_spot",
        "need_jack_queen_king",
        "not_eleven",
    ]
    assert {1003, 1007, 1008, 1009, 1012, 1013, 4001} <= {int(code) for code in CloseCode}
