"""What a client may say: every command's shape, and what is bent, too much or missing in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from halfmoon.engine.codes import Code
from halfmoon.wire.codec import BadMessage, read_command, write
from halfmoon.wire.commands import (
    BaseCommand,
    CreateRoom,
    Hello,
    JoinRoom,
    Move,
    RoomCommand,
    SetOptions,
    Undo,
)
from halfmoon.wire.examples import command_examples
from halfmoon.wire.options import OptionChanges

EXAMPLES = [json.loads(write(command)) for command in command_examples()]
OPTIONAL = {"id", "name", "token", "as", "options", "code", "claim"}
"""Fields that a command may leave out, each where it has it."""


def read(**fields: Any) -> BaseCommand:
    return read_command(json.dumps(fields))


def refused(**fields: Any) -> str:
    with pytest.raises(BadMessage) as bad:
        read(**fields)
    return str(bad.value)


def move(**fields: Any) -> dict[str, Any]:
    return {"type": "move", "room": "K7M2P", "turn": 0, "spots": ["1", "8"], **fields}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["type"])
def test_every_field_is_needed_that_the_contract_does_not_mark(example: dict[str, Any]) -> None:
    for field in example:
        rest = {name: value for name, value in example.items() if name != field}
        needs_it = field not in OPTIONAL or (field, example["type"]) in {
            ("name", "hello"),  # there is no token
            ("options", "set_options"),
        }
        if needs_it:
            refused(**rest)
        else:
            read(**rest)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["type"])
@pytest.mark.parametrize("field", ["admin", "__proto__", "constructor", "", "re", "as_", "Type"])
def test_an_unknown_field_is_refused(example: dict[str, Any], field: str) -> None:
    assert "Extra inputs" in refused(**example, **{field: True})


@pytest.mark.parametrize("field", ["admin", "__proto__", "seal", "Code"])
def test_an_unknown_option_is_refused(field: str) -> None:
    refused(type="create_room", options={field: True})


def test_every_command_but_five_carries_a_room() -> None:
    without = {type(one) for one in command_examples() if not isinstance(one, RoomCommand)}
    assert {model.model_fields["type"].default for model in without} == {
        "hello",
        "clock",
        "create_room",
        "enter",
        "follow",
    }


# hello


def test_a_hello_has_a_name_or_a_token() -> None:
    assert read(type="hello", token="t") == Hello(token="t")
    assert read(type="hello", token="t", name="Ann") == Hello(token="t", name="Ann")
    assert "name" in refused(type="hello")


@pytest.mark.parametrize("token", ["", "x" * 10_000, None, 5, ["t"]])
def test_what_is_no_token_is_refused(token: object) -> None:
    refused(type="hello", name="Ann", token=token)


@pytest.mark.parametrize("name", ["", "x" * 25, "\u3164", "\u202ennA", "\0", None, 7, ["Ann"], {}])
def test_what_is_no_name_is_refused(name: object) -> None:
    assert "name" in refused(type="hello", name=name)


# move and undo


@pytest.mark.parametrize(
    "turn", ["0", 0.0, True, -1, 2**53, 9223372036854775808, None, [0], {}, 1e300]
)
def test_a_turn_that_is_no_integer_is_refused(turn: object) -> None:
    assert refused(**move(turn=turn)).startswith("turn: ")
    assert refused(type="undo", room="K7M2P", turn=turn).startswith("turn: ")


def test_a_turn_with_an_exponent_is_no_integer() -> None:
    with pytest.raises(BadMessage, match="turn"):
        read_command('{"type":"undo","room":"K7M2P","turn":1e0}')


@pytest.mark.parametrize("spots", ["18", None, {}, [1, 8], ["1", None], [["1"], "8"], 18, True])
def test_spots_that_are_no_texts_are_refused(spots: object) -> None:
    assert refused(**move(spots=spots)).startswith("spots")


@pytest.mark.parametrize(
    "spots",
    [
        [],
        ["1"],
        ["1", "1"],
        ["01", "8"],
        ["1 ", "8"],
        ["R0", "8"],
        ["R9", "1"],
        ["13", "1"],
        ["1", "2", "3", "4"],
        ["1"] * 3000,
        ["x" * 10000, "8"],
        ["", "\x00"],
        ["r1", "１"],
    ],
    ids=lambda spots: ascii(spots)[:24],
)
def test_texts_that_are_no_spots_are_read_for_the_board_to_refuse_with_its_reason(
    spots: list[str],
) -> None:
    command = read(**move(spots=spots))
    assert isinstance(command, Move)
    assert command.spots == spots


# Rooms, roles, codes


def test_a_room_id_of_any_case_and_of_no_room_is_read() -> None:
    assert read(type="start", room="k7m2p").model_dump()["room"] == "K7M2P"
    read(type="start", room="")
    refused(type="start", room="x" * 65)
    refused(type="start", room=7)


def test_a_role_is_one_of_two_and_player_where_none_is_named() -> None:
    assert read(type="join_room", room="K7M2P") == JoinRoom(room="K7M2P", as_="player")
    assert read(**{"type": "join_room", "room": "K7M2P", "as": "spectator"}) == JoinRoom(
        room="K7M2P", as_="spectator"
    )
    for role in ("Player", "host", "", None, ["player"]):
        refused(**{"type": "join_room", "room": "K7M2P", "as": role})


def test_a_code_is_read_leniently_and_refused_clearly() -> None:
    command = read(type="create_room", options={"code": " hm1naaaaaab "})
    assert isinstance(command, CreateRoom)
    assert command.options.code == Code.parse("HM1-N-AAAAAAB")
    assert "HM1" in refused(type="rematch", room="K7M2P", code="HM2-N-AAAAAAB")
    refused(type="rematch", room="K7M2P", code=None)


# Options (X22)


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("time_limit_ms", [1000, 86_400_000, None]),
        ("max_players", [1, 1000]),
        ("countdown_ms", [0, 60_000]),
        ("spectator_delay_ms", [0, 3_600_000]),
        ("ends", ["all", "first_win"]),
        ("spectators", ["open", "fair", "scores", "none"]),
        ("undo", [True, False]),
        ("public", [True, False]),
        ("code", [None, "HM1-N-AAAAAAB"]),
    ],
)
def test_an_option_is_read_up_to_its_bounds(option: str, values: list[object]) -> None:
    for value in values:
        command = read(type="set_options", room="K7M2P", options={option: value})
        assert isinstance(command, SetOptions)
        assert set(command.options.named()) == {option}


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("time_limit_ms", [0, -1, 1, 999, 86_400_001, 2**53, 2**63, 1.5, "1000", True]),
        ("max_players", [0, -1, 1001, 10**9, None, 2.0]),
        ("countdown_ms", [-1, 60_001, 10**12, None]),
        ("spectator_delay_ms", [-1, 3_600_001, None]),
        ("ends", ["ALL", "", None, ["all"]]),
        ("spectators", [["boards"], "boards", None]),
        ("undo", [0, 1, "true", None]),
        ("public", ["yes", None]),
        ("code", ["", "AAAAAAB", 7]),
    ],
)
def test_an_option_outside_its_bounds_is_refused(option: str, values: list[object]) -> None:
    for value in values:
        refused(type="create_room", options={option: value})


def test_options_that_were_not_named_stay_unsaid() -> None:
    changes = OptionChanges(undo=False)
    assert changes.named() == {"undo": False}
    assert json.loads(write(SetOptions(room="K7M2P", options=changes)))["options"] == {
        "undo": False
    }


def test_commands_are_made_by_name_and_are_frozen() -> None:
    assert '"as":"spectator"' in write(JoinRoom(room="k7m2p", as_="spectator"))
    command = Undo(room="K7M2P", turn=1)
    with pytest.raises(ValidationError, match="frozen"):
        command.turn = 2  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
