"""The WebSocket as an AsyncAPI 3 document, made from the models: what is served at `/api/asyncapi`."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from halfmoon.wire import commands as c
from halfmoon.wire import messages as m
from halfmoon.wire.definitions import COMMAND_MODELS, MESSAGE_MODELS, Schema, definitions, name_of
from halfmoon.wire.examples import examples

SUBPROTOCOL = "halfmoon.v1"

ANSWERS: dict[type[BaseModel], type[BaseModel]] = {
    c.Hello: m.Welcome,
    c.Clock: m.ClockAnswer,
    c.CreateRoom: m.RoomSnapshot,
    c.JoinRoom: m.RoomSnapshot,
    c.LeaveRoom: m.Left,
    c.Enter: m.Entered,
    c.Follow: m.TournamentNews,
    c.Move: m.Moved,
    c.Undo: m.Undone,
}
"""What answers a command that is carried out; the others are answered `ok`."""

TOLD: tuple[type[BaseModel], ...] = tuple(
    model
    for model in MESSAGE_MODELS
    if model not in {m.Ok, m.Error, *ANSWERS.values()} - {m.TournamentNews}
)
"""What the server says without being asked."""

_CHANNEL = "#/channels/ws"

_ABOUT = """\
People in a room play the same deal of the patience Half Moon at the same time. A connection begins
with `hello`; every command gets exactly one answer, which carries the command's `id` as `re`.
Commands refuse fields that they don't know, readers of messages ignore them."""


def answer_to(command: type[BaseModel]) -> type[BaseModel]:
    """The message that answers this command when it is carried out."""
    return ANSWERS.get(command, m.Ok)


def asyncapi_document(version: str, host: str = "localhost:8080") -> dict[str, Any]:
    """The document for a server of this version at this host."""
    names = [name_of(model) for model in (*COMMAND_MODELS, *MESSAGE_MODELS)]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Half Moon Race",
            "version": version,
            "description": _ABOUT,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {"this": {"host": host, "protocol": "ws"}},
        "channels": {
            "ws": {
                "address": "/ws",
                "description": f"JSON text frames; the subprotocol is `{SUBPROTOCOL}`.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
                "bindings": {"ws": {"method": "GET", "headers": _handshake()}},
            }
        },
        "operations": _operations(),
        "components": {
            "messages": _messages(),
            "schemas": definitions("#/components/schemas/"),
        },
    }


def _handshake() -> Schema:
    return {
        "type": "object",
        "properties": {"Sec-WebSocket-Protocol": {"type": "string", "const": SUBPROTOCOL}},
        "required": ["Sec-WebSocket-Protocol"],
    }


def _operations() -> dict[str, Any]:
    """One for every command with what may answer it, and one for all that is told unasked."""
    asked = {
        name_of(model): {
            "action": "receive",
            "summary": _summary(model),
            "channel": {"$ref": _CHANNEL},
            "messages": _references([model]),
            "reply": {
                "channel": {"$ref": _CHANNEL},
                "messages": _references([answer_to(model), m.Error]),
            },
        }
        for model in COMMAND_MODELS
    }
    told = {
        "action": "send",
        "summary": "What people in a room or a tournament are told as it happens.",
        "channel": {"$ref": _CHANNEL},
        "messages": _references(TOLD),
    }
    return {**asked, "tell": told}


def _references(models: Iterable[type[BaseModel]]) -> list[dict[str, str]]:
    return [{"$ref": f"{_CHANNEL}/messages/{name_of(model)}"} for model in models]


def _messages() -> dict[str, Any]:
    shown = examples()
    return {
        name: {
            "name": name,
            "summary": _summary(model),
            "payload": {"$ref": f"#/components/schemas/{name}"},
            "examples": [{"payload": shown[name]}],
            **_correlation(model),
        }
        for model in (*COMMAND_MODELS, *MESSAGE_MODELS)
        for name in [name_of(model)]
    }


def _correlation(model: type[BaseModel]) -> dict[str, Any]:
    """Where the text is that a command and its answer have in common."""
    field = "id" if model in COMMAND_MODELS else "re"
    if field not in model.model_fields:
        return {}
    return {"correlationId": {"location": f"$message.payload#/{field}"}}


def _summary(model: type[BaseModel]) -> str:
    assert model.__doc__, "every command and message says what it is"
    return model.__doc__.partition("\n")[0]
