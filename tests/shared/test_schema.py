"""The published documents: valid by their formats, and true of what really goes over the wire."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from pydantic import BaseModel

from halfmoon.engine.codes import Code
from halfmoon.engine.record import RaceRecord
from halfmoon.wire.asyncapi import answer_to
from halfmoon.wire.codec import MESSAGE_TYPES, write
from halfmoon.wire.definitions import COMMAND_MODELS, MESSAGE_MODELS, name_of, type_of
from halfmoon.wire.examples import command_examples, examples, message_examples
from halfmoon.wire.fielddocs import field_texts
from halfmoon.wire.http import Health, HttpError, PublicRoom, RoomsPage
from halfmoon.wire.messages import BoardView, Welcome
from halfmoon.wire.options import RoomOptions
from halfmoon.wire.schema import asyncapi_document, message_schema, openapi_document
from halfmoon.wire.typescript import typescript
from halfmoon_testing.asyncapi import SCHEMAS, validate_asyncapi
from halfmoon_testing.records import simulated_race
from halfmoon_testing.strategies import codes, commands, messages

DECLARATIONS = Path(__file__).parents[2] / "client/halfmoon_web/js/messages.d.ts"

SCHEMA = message_schema()
WHOLE = Draft202012Validator(SCHEMA)


@cache
def by(name: str) -> Draft202012Validator:
    """The validator of one definition."""
    return Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{name}"}]})


COMMAND, MESSAGE = by("Command"), by("Message")
ASYNCAPI, OPENAPI = asyncapi_document("1.2.3"), openapi_document("1.2.3")
TYPESCRIPT = typescript()

EXAMPLES = [(name_of(type(one)), one) for one in (*command_examples(), *message_examples())]


# JSON Schema


def test_the_schema_is_valid_by_its_dialect() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    json.dumps(SCHEMA)


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_an_example_is_valid_by_its_own_definition_and_no_other_message_s(
    name: str, example: BaseModel
) -> None:
    said = json.loads(write(example))
    WHOLE.validate(said)
    models = COMMAND_MODELS if type(example) in COMMAND_MODELS else MESSAGE_MODELS
    assert [name_of(model) for model in models if by(name_of(model)).is_valid(said)] == [name]


@given(commands())
def test_every_command_is_valid(command: BaseModel) -> None:
    COMMAND.validate(json.loads(write(command)))


@given(messages())
def test_every_message_is_valid(message: BaseModel) -> None:
    MESSAGE.validate(json.loads(write(message)))


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_a_field_too_many_is_refused_in_commands_only(name: str, example: BaseModel) -> None:
    more = {**json.loads(write(example)), "confetti": 1}
    assert by(name).is_valid(more) == (type(example) not in COMMAND_MODELS)


@pytest.mark.parametrize(
    ("name", "bent"),
    [
        ("hello", {"type": "hello"}),
        ("hello", {"name": "Ann"}),
        ("hello", {"type": "hello", "name": None}),
        ("start", {"type": "start", "room": "K7M2P", "id": None}),
        ("start", {"type": "start", "room": "K7M2P", "id": "x" * 65}),
        ("undo", {"type": "undo", "room": "K7M2P", "turn": -1}),
        ("undo", {"type": "undo", "room": "K7M2P", "turn": 2**53}),
        ("rematch", {"type": "rematch", "room": "K7M2P", "code": "HM2-N-AAAAAAB"}),
        ("create_room", {"type": "create_room", "options": {"max_players": 0}}),
        ("create_room", {"type": "create_room", "options": {"public": None}}),
        ("ok", {"type": "ok"}),
        ("ok", {"room": "K7M2P"}),
        ("ok", {"type": "ok", "room": "K7M2P", "re": None}),
        ("board", {"type": "board", "room": "K7M2P", "board": {"turn": 0}}),
    ],
)
def test_what_the_contract_refuses_is_not_valid(name: str, bent: dict[str, Any]) -> None:
    assert not by(name).is_valid(bent)


@pytest.mark.parametrize(
    ("name", "text"),
    [("Card", "5s"), ("Card", "10S"), ("Code", "HM1-S-AAAAAAB"), ("Spot", "13"), ("Seal", "ab")],
)
def test_texts_of_a_form_have_a_pattern(name: str, text: str) -> None:
    assert not by(name).is_valid(text)


@given(codes())
def test_every_code_fits_its_pattern(code: Code) -> None:
    by("Code").validate(str(code))


def test_a_null_code_can_be_named_and_is_never_told() -> None:
    assert by("set_options").is_valid(
        {"type": "set_options", "room": "K7M2P", "options": {"code": None}}
    )
    told = json.loads(RoomOptions().model_dump_json())
    assert by("RoomOptions").is_valid(told)
    assert not by("RoomOptions").is_valid({**told, "code": None})


def test_every_type_is_defined_by_its_name() -> None:
    assert {type_of(model) for model in MESSAGE_MODELS} == MESSAGE_TYPES
    for model in (*COMMAND_MODELS, *MESSAGE_MODELS):
        definition = SCHEMA["$defs"][name_of(model)]
        assert definition["properties"]["type"]["const"] == type_of(model)
        assert "type" in definition["required"]


def test_fields_are_described_by_what_stands_beneath_them() -> None:
    assert field_texts(BoardView) == {"turn": "Actions (moves and undos) made on it."}
    assert field_texts(Welcome) == {}
    shown = SCHEMA["$defs"]["error"]["properties"]
    assert shown["retry_ms"]["description"].startswith("With `rate_limited`")


# AsyncAPI


@pytest.mark.skipif(not SCHEMAS.is_dir(), reason="@asyncapi/specs is not installed")
def test_the_websocket_is_a_valid_asyncapi_document() -> None:
    validate_asyncapi(asyncapi_document("1.2.3", "moon.example:8443"))


def test_its_examples_fit_their_payloads() -> None:
    for name, message in ASYNCAPI["components"]["messages"].items():
        (example,) = message["examples"]
        by(name).validate(example["payload"])
    assert ASYNCAPI["info"]["version"] == "1.2.3"


def test_every_command_has_an_answer_and_every_other_message_is_told() -> None:
    operations = ASYNCAPI["operations"]
    assert set(operations) == {name_of(model) for model in COMMAND_MODELS} | {"tell"}
    spoken = [
        reference["$ref"].rpartition("/")[2]
        for name, operation in operations.items()
        for reference in (
            operation["messages"] if name == "tell" else operation["reply"]["messages"]
        )
    ]
    assert set(spoken) == {name_of(model) for model in MESSAGE_MODELS}
    assert [type_of(answer_to(model)) for model in COMMAND_MODELS] == (
        [
            "welcome",
            "clock",
            "room",
            "entered",
            "tournament",
            "room",
            "left",
            "ok",
            "ok",
            "ok",
            "ok",
            "ok",
            "moved",
            "undone",
            "ok",
            "ok",
        ]
    )


# OpenAPI


def openapi_schema(name: str) -> Draft202012Validator:
    return Draft202012Validator({**OPENAPI, "$ref": f"#/components/schemas/{name}"})


def test_the_http_part_is_a_valid_openapi_document() -> None:
    OpenAPIV31SpecValidator(OPENAPI).validate()


TOURNAMENT_PATHS = {
    "/api/qr",
    "/api/tournaments",
    "/api/tournaments/{tournament}",
    *(
        "/api/tournaments/{tournament}" + rest
        for rest in (
            "/standings",
            "/standings.csv",
            "/log",
            "/export",
            "/result",
            "/entrants",
            "/entrants/{entrant}",
            "/entrants/{entrant}/claim",
            "/entrants/{entrant}/name",
            "/entrants/{entrant}/remove",
            "/entrants/{entrant}/withdraw",
            "/entrants/{entrant}/readmit",
            "/seeds",
            "/rounds",
            "/rounds/{round}/heats/{heat}/explanation",
            "/rounds/{round}/results/{entrant}",
            "/rounds/{round}/end",
            "/rounds/{round}/annul",
            "/announcement",
            "/automatic",
            "/end",
        )
    ),
}


def test_it_has_the_paths_of_the_contract() -> None:
    assert set(OPENAPI["paths"]) == {
        "/",
        "/r/{room}",
        "/healthz",
        "/api/address",
        "/metrics",
        "/ws",
        "/api/rooms",
        "/api/rooms/{room}",
        "/api/races/{race}",
        *TOURNAMENT_PATHS,
        "/api/deals/{code}/results",
        "/api/players/me/races",
        "/api/challenges",
        "/api/challenges/{challenge}",
        "/api/players/me/challenges",
        "/api/daily",
        "/api/daily/days",
        "/api/schema",
        "/api/asyncapi",
        "/api/openapi",
    }


def test_what_is_answered_fits_it() -> None:
    room = PublicRoom(
        room="K7M2P",
        state="lobby",
        host_name="Ann",
        players=1,
        max_players=16,
        spectators=0,
        options=RoomOptions(public=True, spectators="fair"),
    )
    record = RaceRecord.read(json.dumps(simulated_race(1)))
    for answer in (RoomsPage(rooms=[room]), Health(), HttpError(error="e", message="m"), record):
        openapi_schema(type(answer).__name__).validate(json.loads(answer.model_dump_json()))


def test_examples_of_answers_fit_their_models() -> None:
    shown = 0
    for path in OPENAPI["paths"].values():
        for answer in path.get("get", {"responses": {}})["responses"].values():
            for content in answer.get("content", {}).values():
                if "example" in content:
                    name = content["schema"]["$ref"].rpartition("/")[2]
                    openapi_schema(name).validate(content["example"])
                    shown += 1
    assert shown >= 4


def test_a_room_in_the_list_has_the_fields_of_the_contract() -> None:
    assert list(PublicRoom.model_fields) == (
        ["room", "state", "host_name", "players", "max_players", "spectators", "options"]
    )


# TypeScript


def test_the_web_client_s_types_are_fresh() -> None:
    """`python -m halfmoon.wire.typescript > client/halfmoon_web/js/messages.d.ts` makes them so."""
    assert DECLARATIONS.read_text() == TYPESCRIPT


@pytest.mark.parametrize(
    "line",
    [
        'export type Role = You["as"];',
        "  as?: " + '"player" | "spectator";',
        "  code?: Code | null;",
        "  reserve: (Card | null)[];",
        "  revealed: Record<Spot, Card | null>;",
        "  starts_at: number | null;",
        "  re?: string;",
        '  top: Card | "??" | null;',
        "  boards?: Record<string, WatchedBoard>;",
        'export type ReactionKind = ReactCommand["reaction"];',
    ],
)
def test_the_types_say_what_may_be_absent_and_what_null(line: str) -> None:
    assert line in TYPESCRIPT.splitlines()


def test_examples_are_named_as_they_are_defined() -> None:
    assert list(examples()) == [name_of(model) for model in (*COMMAND_MODELS, *MESSAGE_MODELS)]
