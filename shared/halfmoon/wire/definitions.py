"""The models as JSON Schema, by name: what all documents about the wire are made of.

A command and a message are defined under their `type`, their parts under the model's name. What a
client sends is described as it is read, what the server says as it is written.
"""

from collections.abc import Callable, Iterable
from typing import Any, cast, get_args

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema
from pydantic_core import CoreSchema, core_schema

from halfmoon.engine.cards import Card
from halfmoon.engine.codes import Code
from halfmoon.engine.spots import SPOTS
from halfmoon.wire.commands import Command
from halfmoon.wire.fielddocs import field_texts
from halfmoon.wire.fields import MAX_INTEGER, SEAL_PATTERN
from halfmoon.wire.messages import AnyMessage, ClockAnswer

Schema = dict[str, Any]
"""A JSON Schema, or a part of one."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"

COMMAND_MODELS: tuple[type[BaseModel], ...] = get_args(Command)
MESSAGE_MODELS: tuple[type[BaseModel], ...] = get_args(AnyMessage)

TEXTS: dict[str, Schema] = {
    "Card": {
        "description": "A card: rank and suit.",
        "type": "string",
        "pattern": Card.text_pattern,
        "examples": [Card.text_example],
    },
    "Code": {
        "description": "A game code as it is printed. It is read in any case, with dashes anywhere.",
        "type": "string",
        "pattern": Code.text_pattern,
        "examples": [Code.text_example],
    },
    "Seal": {
        "description": "SHA-256 of the race's code, in hex.",
        "type": "string",
        "pattern": SEAL_PATTERN,
    },
    "Spot": {
        "description": "A tableau pile 1…12 or a reserve place R1…R8.",
        "type": "string",
        "enum": list(SPOTS),
    },
}
"""The texts that have a form of their own."""


def definitions(
    prefix: str,
    answers: Iterable[type[BaseModel]] = (),
    bodies: Iterable[type[BaseModel]] = (),
) -> dict[str, Schema]:
    """Every command, message and part by its name, and the unions `Command` and `Message`.

    References between them begin with `prefix`. `answers` are further models that the server
    writes, `bodies` such as it reads.
    """
    commands, messages = _names(COMMAND_MODELS), _names(MESSAGE_MODELS)
    defined: dict[str, Schema] = {
        "Command": {"description": "What a client may say.", **_one_of(commands, prefix)},
        "Message": {"description": "What the server says.", **_one_of(messages, prefix)},
    }
    defined |= _of_models(prefix, (*MESSAGE_MODELS, *answers), (*COMMAND_MODELS, *bodies))
    order = ["Command", "Message", *commands, *messages]
    rest = sorted(name for name in defined if name not in order)
    return {name: defined[name] for name in order + rest}


def name_of(model: type[BaseModel]) -> str:
    """The name under which a model is defined."""
    if model is ClockAnswer:
        return "clock_answer"  # `clock` is also a command
    return type_of(model) if "type" in model.model_fields else model.__name__


def type_of(model: type[BaseModel]) -> str:
    """The `type` of a command or a message on the wire."""
    return str(model.model_fields["type"].default)


def _names(models: Iterable[type[BaseModel]]) -> list[str]:
    return [name_of(model) for model in models]


def _one_of(names: list[str], prefix: str) -> Schema:
    return {"oneOf": [{"$ref": prefix + name} for name in names]}


def _of_models(
    prefix: str, written: tuple[type[BaseModel], ...], read: tuple[type[BaseModel], ...]
) -> dict[str, Schema]:
    """The definitions of the models that the server writes or reads, and of their parts."""
    modes: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        *((model, "validation") for model in read),
        *((model, "serialization") for model in written),
    ]
    _, document = models_json_schema(modes, ref_template="{model}", schema_generator=_Generator)
    renamed = {model.__name__: name_of(model) for model, _ in modes}
    found = cast("dict[str, Schema]", document["$defs"])

    def finished(node: Schema) -> Schema:
        if node.get("default", "") is None or "const" in node:
            node.pop("default", None)  # no value at all, or the only one: not worth saying
        for name, text in TEXTS.items():
            if _is_text(node, text):
                said = {"description": node["description"]} if "description" in node else {}
                return {**said, "$ref": prefix + name}
        if "$ref" in node:
            name = str(node["$ref"])
            node["$ref"] = prefix + renamed.get(name, name)
        return node

    return TEXTS | {
        renamed.get(name, name): cast("Schema", _walked(schema, finished))
        for name, schema in found.items()
    }


def _is_text(node: Schema, text: Schema) -> bool:
    return any(key in node and node[key] == text.get(key) for key in ("pattern", "enum"))


def _walked(node: Any, change: Callable[[Schema], Schema]) -> Any:
    """The tree with every object in it changed, the inner ones first."""
    if isinstance(node, dict):
        pairs = cast("Schema", node).items()
        return change({key: _walked(value, change) for key, value in pairs})
    if isinstance(node, list):
        return [_walked(value, change) for value in node]  # pyright: ignore[reportUnknownVariableType]
    return node


class _Generator(GenerateJsonSchema):
    """Pydantic's generator, saying what the contract says."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Give no titles to fields: their names say as much."""
        return False

    def field_is_required(self, field: Any, total: bool) -> bool:
        """Tell whether it is always there: in messages all that isn't left out, and each `type`."""
        if self.mode == "serialization":
            return "serialization_exclude_if" not in field
        return _is_constant(field["schema"]) or super().field_is_required(field, total)

    def model_field_schema(self, schema: core_schema.ModelField) -> Schema:
        """Refuse null where it would be left out."""
        shown = super().model_field_schema(schema)
        if self.mode == "serialization" and "serialization_exclude_if" in schema:
            shown.pop("default", None)
            rest = [one for one in shown.get("anyOf", []) if one != {"type": "null"}]
            return rest[0] if len(rest) == 1 else shown
        return shown

    def int_schema(self, schema: core_schema.IntSchema) -> Schema:
        """Bound the integer by what every JSON reader keeps."""
        return {"minimum": 0, "maximum": MAX_INTEGER, **super().int_schema(schema)}

    def model_schema(self, schema: core_schema.ModelSchema) -> Schema:
        """Describe the fields by what stands beneath them in the source; `type` comes first."""
        shown = super().model_schema(schema)
        fields: Schema = shown.get("properties", {})
        for name, text in field_texts(schema["cls"]).items():
            fields[name].setdefault("description", text)
        if "type" in fields:
            shown["properties"] = {"type": fields["type"], **fields}
        return shown


def _is_constant(schema: CoreSchema) -> bool:
    inner = schema["schema"] if schema["type"] == "default" else schema
    return inner["type"] == "literal" and len(cast("list[object]", inner.get("expected"))) == 1
