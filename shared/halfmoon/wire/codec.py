"""Text to model and back: the one place that knows JSON."""

import json
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from halfmoon.wire.commands import Command
from halfmoon.wire.messages import AnyMessage

COMMANDS: TypeAdapter[Command] = TypeAdapter(
    Annotated[Command, Field(discriminator="type")], config=ConfigDict(defer_build=True)
)
MESSAGES: TypeAdapter[AnyMessage] = TypeAdapter(
    Annotated[AnyMessage, Field(discriminator="type")], config=ConfigDict(defer_build=True)
)

MESSAGE_TYPES: frozenset[str] = frozenset(
    str(model.model_fields["type"].default)
    for model in cast("tuple[type[BaseModel], ...]", AnyMessage.__args__)
)

LONGEST_ID = 64
LONGEST_FAULT = 200


class BadMessage(ValueError):
    """A text that is no command; the message names the first thing that is wrong with it."""

    def __init__(self, fault: str, re: str | None) -> None:
        super().__init__(fault[:LONGEST_FAULT])
        self.re = re
        """The `id` of the command where one could be read."""


def read_command(text: str) -> Command:
    """The command in a frame's text; raises `BadMessage`."""
    try:
        command = COMMANDS.validate_json(text, by_alias=True, by_name=False)
    except ValidationError as error:
        raise BadMessage(_first_fault(error), _id_in(text)) from None
    # Every key has a colon and colons in strings only add to them: with as many colons as fields,
    # no key is repeated, and the slow look that a repeated key needs is spared.
    if text.count(":") != len(command.model_fields_set):
        _refuse_repeated_keys(text)
    return command


def read_message(text: str | bytes) -> AnyMessage | None:
    """The message in a frame's text, None for a type that this client doesn't know.

    Raises ValueError for a text that is no message of its type.
    """
    try:
        return MESSAGES.validate_json(text)
    except ValidationError as error:
        if error.errors(include_url=False)[0]["type"] == "union_tag_invalid":
            return None
        raise ValueError(_first_fault(error)) from None


def write(message: BaseModel) -> str:
    """The text of a command or a message."""
    return message.model_dump_json(by_alias=True)


def _refuse_repeated_keys(text: str) -> None:
    def checked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                raise BadMessage(f"{key}: the key is repeated", None)
        return dict(pairs)

    try:
        json.loads(text, object_pairs_hook=checked)
    except BadMessage as error:
        raise BadMessage(str(error), _id_in(text)) from None


def _id_in(text: str) -> str | None:
    """The command's `id`, as far as one can be read in a text that is no command."""
    try:
        # The other values don't matter, and a number of 5,000 digits would be none for Python.
        value = json.loads(text, parse_int=float)
    except (ValueError, RecursionError):
        return None
    found = cast("dict[str, Any]", value).get("id") if isinstance(value, dict) else None
    if not isinstance(found, str) or len(found) > LONGEST_ID:
        return None
    try:
        found.encode()
    except UnicodeEncodeError:
        return None
    return found


def _first_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "union_tag_not_found":
        return "type: Field required"
    if first["type"] == "union_tag_invalid":
        return f"type: there is no {first.get('ctx', {})['tag'][:LONGEST_ID]!r}"
    # The first step names the union's member where the fault lies inside one.
    steps = [str(step) for step in first["loc"][1:]]
    place = ".".join(steps)
    fault = first["msg"].removeprefix("Value error, ")
    return f"{place}: {fault}" if place else fault
