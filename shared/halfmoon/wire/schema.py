"""The documents about the wire, made from the models: JSON Schema, AsyncAPI and OpenAPI.

What the server gives at `/api/schema`, `/api/asyncapi` and `/api/openapi`.
"""

from halfmoon.wire.asyncapi import asyncapi_document
from halfmoon.wire.definitions import DIALECT, Schema, definitions
from halfmoon.wire.openapi import openapi_document

__all__ = ["asyncapi_document", "message_schema", "openapi_document"]


def message_schema() -> Schema:
    """The document at `/api/schema`: valid by it is every command and every message."""
    return {
        "$schema": DIALECT,
        "title": "Half Moon Race: commands and messages",
        "description": "What goes over the WebSocket, one JSON object a frame.",
        "anyOf": [{"$ref": "#/$defs/Command"}, {"$ref": "#/$defs/Message"}],
        "$defs": definitions("#/$defs/"),
    }
