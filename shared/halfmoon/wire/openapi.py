"""The HTTP part as an OpenAPI 3.1 document (Contract §4): what is served at `/api/openapi`."""

from typing import Any, get_args

from pydantic import BaseModel

from halfmoon.engine.codes import Code
from halfmoon.engine.options import Ends
from halfmoon.engine.record import RaceRecord
from halfmoon.wire.asyncapi import SUBPROTOCOL
from halfmoon.wire.definitions import DIALECT, definitions
from halfmoon.wire.fields import ROOM_ALPHABET, ROOM_ID_LENGTH
from halfmoon.wire.http import (
    ROOMS_A_PAGE,
    Address,
    Health,
    HttpError,
    PublicRoom,
    RoomGlance,
    RoomsPage,
)
from halfmoon.wire.http_examples import DEAL_RESULTS_EXAMPLE, MY_RACES_EXAMPLE
from halfmoon.wire.openapi_challenges import CHALLENGE_ANSWERS, CHALLENGE_BODIES
from halfmoon.wire.openapi_challenges import paths as challenge_paths
from halfmoon.wire.openapi_tournaments import SECURITY, TOURNAMENT_ANSWERS, TOURNAMENT_BODIES
from halfmoon.wire.openapi_tournaments import paths as tournament_paths
from halfmoon.wire.results import RESULTS_A_PAGE, DealResults, MyRaces

ANSWERS: tuple[type[BaseModel], ...] = (
    Address,
    Health,
    HttpError,
    RoomsPage,
    PublicRoom,
    RoomGlance,
    RaceRecord,
    *TOURNAMENT_ANSWERS,
    DealResults,
    MyRaces,
    *CHALLENGE_ANSWERS,
)
"""The models of what is answered in JSON."""
BODIES: tuple[type[BaseModel], ...] = (*TOURNAMENT_BODIES, *CHALLENGE_BODIES)
"""And of what is asked."""

Part = dict[str, Any]

TOKEN: Part = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of `welcome`, a player's secret.",
    }
}
"""How a player says over HTTP who they are."""

_ROOM = {
    "type": "string",
    "pattern": f"^[{ROOM_ALPHABET}]{{{ROOM_ID_LENGTH}}}$",
    "description": "A room id; in any case.",
}


def openapi_document(version: str) -> Part:
    """The document for a server of this version."""
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": DIALECT,
        "info": {
            "title": "Half Moon Race",
            "version": version,
            "description": "What is asked by HTTP. The game itself is played over `/ws`: "
            "see `/api/asyncapi`.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": _paths(),
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {**SECURITY, **TOKEN},
        },
    }


def _schemas() -> Part:
    """The answers and what they are made of; commands and messages stand in `/api/schema`."""
    defined = definitions("#/components/schemas/", ANSWERS, BODIES)
    wanted: set[str] = set()
    _collect([model.__name__ for model in (*ANSWERS, *BODIES)], defined, wanted)
    return {name: schema for name, schema in defined.items() if name in wanted}


def _collect(names: list[str], defined: dict[str, Part], wanted: set[str]) -> None:
    for name in names:
        if name not in wanted:
            wanted.add(name)
            _collect(_references(defined[name]), defined, wanted)


def _references(node: object) -> list[str]:
    match node:
        case {"$ref": str(pointer)}:
            return [pointer.rpartition("/")[2]]
        case dict():
            return [name for value in node.values() for name in _references(value)]  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
        case list():
            return [name for value in node for name in _references(value)]  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
        case _:
            return []


def _paths() -> Part:
    return {
        "/": _get("home", "The web client.", {"200": _page()}),
        "/r/{room}": _get(
            "roomPage",
            "The web client, opened on a room.",
            {"200": _page()},
            [_path("room", _ROOM)],
        ),
        "/healthz": _get(
            "health",
            "Whether the server can do its work.",
            {
                "200": _json("It can.", "Health", {"status": "ok"}),
                "503": _json("It can't write its log right now.", "Health", {"status": "failing"}),
            },
        ),
        "/metrics": _get(
            "metrics",
            "Figures in the text format of Prometheus.",
            {"200": _content("The figures.", "text/plain", {"type": "string"})},
        ),
        "/ws": _get(
            "play",
            "The WebSocket of the game, version 13.",
            {
                "101": {"description": "The upgrade; JSON text frames follow."},
                "400": {"description": "No WebSocket of version 13 with this subprotocol."},
                "403": {"description": "A page of another origin."},
                "426": {"description": "Another version of WebSocket; 13 is understood."},
            },
            [_header("Sec-WebSocket-Protocol", {"type": "string", "const": SUBPROTOCOL})],
        ),
        "/api/address": _get(
            "address",
            "The address under which others find this server.",
            {"200": _json("The address.", "Address")},
        ),
        "/api/rooms": _get(
            "rooms",
            f"Public rooms, the newest first, {ROOMS_A_PAGE} at most.",
            {
                "200": _json("A page of rooms.", "RoomsPage"),
                "404": _json("There is no public room `after`.", "HttpError"),
            },
            [{**_query("after", _ROOM), "description": "The last room of the page before."}],
        ),
        "/api/rooms/{room}": _get(
            "room",
            "What the link to a room tells before one comes in; to who is there already, "
            "or is kept out, that too.",
            {
                "200": _json("The room from outside.", "RoomGlance"),
                "401": _json("No player has this token.", "HttpError"),
                "404": _json("There is no such room.", "HttpError"),
                "429": _json("Too many rooms that aren't there, or wrong tokens.", "HttpError"),
                "503": _json("The log can't be read right now.", "HttpError"),
            },
            [_path("room", _ROOM)],
        ),
        "/api/races/{race}": _get(
            "race",
            "The record of a finished race, for `halfmoon verify`.",
            {
                "200": _json("The record.", "RaceRecord"),
                "404": _json("No race of this id is over.", "HttpError"),
                "503": _json("The log can't be read right now.", "HttpError"),
            },
            [_path("race", {"type": "string"})],
        ),
        **tournament_paths(),
        "/api/deals/{code}/results": _get(
            "dealResults",
            f"Results on a deal, best first, {RESULTS_A_PAGE} at most, of one class of rules: "
            "the largest that fits what is asked for. To a player also their own best ones, wherever "
            "they stand.",
            {
                "200": _json("A page of results.", "DealResults", DEAL_RESULTS_EXAMPLE),
                "304": {"description": "It is as it was."},
                "400": _json("The code or the query can't be read.", "HttpError"),
                "503": _json("The log can't be read right now.", "HttpError"),
            },
            [
                _path("code", {"type": "string", "examples": [Code.text_example]}),
                _query("undo", {"type": "boolean"}),
                _query(
                    "time_limit_ms",
                    {"anyOf": [{"type": "integer", "minimum": 0}, {"const": "none"}]},
                ),
                _query("ends", {"enum": [*get_args(Ends)]}),
                _after(),
            ],
        ),
        "/api/players/me/races": _secret(
            _get(
                "myRaces",
                f"One's own races, the newest first, {RESULTS_A_PAGE} at most, and their totals.",
                {
                    "200": _json("A page of races.", "MyRaces", MY_RACES_EXAMPLE),
                    "304": {"description": "It is as it was."},
                    "400": _json("The query can't be read.", "HttpError"),
                    "401": _json("No player has this token.", "HttpError"),
                    "429": _json("Too many wrong tokens.", "HttpError"),
                    "503": _json("The log can't be read right now.", "HttpError"),
                },
                [_after()],
            )
        ),
        **challenge_paths(),
        "/api/schema": _document("schema", "JSON Schema of every command and message."),
        "/api/asyncapi": _document("asyncapi", "The WebSocket as an AsyncAPI 3 document."),
        "/api/openapi": _document("openapi", "This document."),
    }


def _get(name: str, summary: str, answers: Part, asked: list[Part] | None = None) -> Part:
    operation: Part = {"operationId": name, "summary": summary, "responses": answers}
    return {"get": operation | ({"parameters": asked} if asked else {})}


def _secret(path: Part) -> Part:
    """The path, which takes a player's token."""
    return {"get": {**path["get"], "security": [{"token": []}]}}


def _after() -> Part:
    return {
        **_query("after", {"type": "string"}),
        "description": "The `next` of the page before.",
    }


def _document(name: str, summary: str) -> Part:
    return _get(name, summary, {"200": _content(summary, "application/json", {"type": "object"})})


def _page() -> Part:
    return _content("The page.", "text/html", {"type": "string"})


def _json(description: str, model: str, example: object = None) -> Part:
    return _content(
        description, "application/json", {"$ref": f"#/components/schemas/{model}"}, example
    )


def _content(description: str, kind: str, schema: Part, example: object = None) -> Part:
    shown = {"schema": schema} if example is None else {"schema": schema, "example": example}
    return {"description": description, "content": {kind: shown}}


def _path(name: str, schema: Part) -> Part:
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query(name: str, schema: Part) -> Part:
    return {"name": name, "in": "query", "schema": schema}


def _header(name: str, schema: Part) -> Part:
    return {"name": name, "in": "header", "required": True, "schema": schema}
