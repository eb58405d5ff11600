"""The messages as TypeScript declarations, for the checks of the web client.

`python -m halfmoon.wire.typescript > client/halfmoon_web/js/messages.d.ts` writes them anew.
"""

import json
import sys
from collections.abc import Iterator
from typing import cast

from halfmoon.wire.definitions import (
    COMMAND_MODELS,
    MESSAGE_MODELS,
    TEXTS,
    Schema,
    definitions,
    name_of,
    type_of,
)

_HEAD = """\
/**
 * What goes over the wire, made from the server's models; don't edit it, but make it anew:
 * python -m halfmoon.wire.typescript > client/halfmoon_web/js/messages.d.ts
 *
 * A field with a question mark may be absent; it is then never null.
 */
"""

_ALIASES = """\
export type Board = BoardView;
export type BoardStatus = NonNullable<WatchedBoard["status"]>;
export type News = BoardsMessage | SeatMovedMessage | SeatUndoneMessage | SeatUnmaskedMessage;
export type Options = RoomOptions;
export type OptionsChange = OptionChanges;
export type ReactionKind = ReactCommand["reaction"];
export type Role = You["as"];
export type ShownCard = NonNullable<WatchedPile["top"]>;
export type StandingLine = Standing;
export type Status = PlayerLine["status"];
"""


def typescript() -> str:
    """The text of `messages.d.ts`."""
    return "\n".join([_HEAD, *_declarations(), _ALIASES])


def _declarations() -> Iterator[str]:
    names = _names()
    for name, schema in definitions("").items():
        yield f"{_comment(schema)}export {_declared(names.get(name, name), name, schema)}"


def _names() -> dict[str, str]:
    """What commands and messages are called here, where they may not begin with a small letter."""
    return {
        name_of(model): f"{type_of(model).title().replace('_', '')}{suffix}"
        for models, suffix in ((COMMAND_MODELS, "Command"), (MESSAGE_MODELS, "Message"))
        for model in models
    }


def _declared(name: str, defined: str, schema: Schema) -> str:
    if defined in TEXTS:
        return f"type {name} = string;\n"
    if "properties" not in schema:
        kinds = map(_type, schema["oneOf"]) if "oneOf" in schema else _literals(schema)
        return f"type {name} =\n  | " + "\n  | ".join(kinds) + ";\n"
    required = schema.get("required", [])
    lines = [
        f"{_comment(field, '  ')}  {key}{'' if key in required else '?'}: {_type(field)};"
        for key, field in cast("dict[str, Schema]", schema["properties"]).items()
    ]
    return "\n".join([f"interface {name} {{", *lines, "}\n"])


def _type(schema: Schema) -> str:
    """A schema as a type, the way it stands in a field."""
    if "$ref" in schema:
        name: str = schema["$ref"]
        return _names().get(name, name)
    if "const" in schema or "enum" in schema:
        return " | ".join(_literals(schema))
    if "anyOf" in schema:
        return " | ".join(_type(kind) for kind in schema["anyOf"])
    kind: str = schema["type"]
    if kind == "array":
        inner = _type(schema["items"])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if kind == "object":
        names = {"type": "string", **schema["propertyNames"]}  # no name is anything else
        return f"Record<{_type(names)}, {_type(schema['additionalProperties'])}>"
    return {"integer": "number"}.get(kind, kind)


def _literals(schema: Schema) -> list[str]:
    return [json.dumps(value) for value in schema.get("enum", [schema.get("const")])]


def _comment(schema: Schema, indent: str = "") -> str:
    text = str(schema.get("description", "")).replace("\n\n", " ")
    return f"{indent}/** {text} */\n" if text else ""


if __name__ == "__main__":
    sys.stdout.write(typescript())
