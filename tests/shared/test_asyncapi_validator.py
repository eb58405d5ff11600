"""The check of AsyncAPI documents lets valid ones pass and finds faults of every kind."""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from halfmoon_testing.asyncapi import validate_asyncapi

VALID: dict[str, Any] = {
    "asyncapi": "3.0.0",
    "info": {"title": "Greetings", "version": "1"},
    "servers": {"here": {"host": "localhost:8080", "protocol": "ws"}},
    "channels": {
        "ws": {
            "address": "/ws",
            "servers": [{"$ref": "#/servers/here"}],
            "messages": {
                "hello": {"$ref": "#/components/messages/hello"},
                "welcome": {"$ref": "#/components/messages/welcome"},
            },
        }
    },
    "operations": {
        "hello": {
            "action": "receive",
            "channel": {"$ref": "#/channels/ws"},
            "messages": [{"$ref": "#/channels/ws/messages/hello"}],
            "reply": {"messages": [{"$ref": "#/channels/ws/messages/welcome"}]},
        }
    },
    "components": {
        "messages": {
            "hello": {"payload": {"$ref": "#/components/schemas/Hello"}},
            "welcome": {"payload": {"type": "object", "required": ["name"]}},
        },
        "schemas": {
            "Hello": {
                "type": "object",
                "properties": {"name": {"$ref": "#/components/schemas/Name"}},
            },
            "Name": {"type": "string", "maxLength": 24},
        },
    },
}


def test_a_valid_document_passes() -> None:
    validate_asyncapi(VALID)


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda d: d.pop("info"), "'info' is a required property"),
        (lambda d: d.update(asyncapi="2.6.0"), "'2.6.0' is no version"),
        (lambda d: d["operations"]["hello"].update(action="publish"), "action: 'publish'"),
        (lambda d: d["channels"]["ws"].update(adress="/ws"), "'adress'"),
        (lambda d: d["components"]["schemas"]["Name"].update(type="text"), "Name.type: 'text'"),
        (
            lambda d: d["components"]["schemas"].pop("Name"),
            "#/components/schemas/Name leads nowhere",
        ),
        (lambda d: d["components"]["messages"].pop("hello"), "messages/hello leads nowhere"),
        (lambda d: d["servers"].pop("here"), "#/servers/here leads nowhere"),
        (
            lambda d: d["channels"]["ws"]["servers"][0].update({"$ref": "#/channels/ws"}),
            "#/channels/ws is none of the servers",
        ),
        (
            lambda d: d["operations"]["hello"].update(
                messages=[{"$ref": "#/components/messages/hello"}]
            ),
            "#/components/messages/hello is no message of #/channels/ws",
        ),
    ],
)
def test_a_fault_is_found_and_named(spoil: Callable[[dict[str, Any]], object], fault: str) -> None:
    document = deepcopy(VALID)
    spoil(document)
    with pytest.raises(ValueError, match=re.escape(fault)):
        validate_asyncapi(document)
