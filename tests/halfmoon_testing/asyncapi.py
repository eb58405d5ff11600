"""Whether a document is valid AsyncAPI 3: its shape, by the published schema, and its references.

The schema comes from the npm package @asyncapi/specs. It says what may stand where, not what a
reference leads to: that is looked at here.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError

SCHEMAS = Path(__file__).parents[2] / "client/node_modules/@asyncapi/specs/schemas"


def validate_asyncapi(document: dict[str, object]) -> None:
    """Do nothing about a valid document; raise ValueError naming the first fault of another."""
    for fault in chain(_faults_of_shape(document), _faults_of_references(document)):
        raise ValueError(fault)  # references are looked at only where the shape is right


def _faults_of_shape(document: dict[str, Any]) -> Iterator[str]:
    assert SCHEMAS.is_dir(), "@asyncapi/specs is not installed: `make test` does it"
    version = document.get("asyncapi")
    if version not in ("3.0.0", "3.1.0"):
        yield f"asyncapi: {version!r} is no version of AsyncAPI 3"
        return
    for error in _validator(version).iter_errors(document):
        leaf = max(_leaves(error), key=_telling)
        yield f"{leaf.json_path}: {leaf.message}"


@cache
def _validator(version: str) -> Draft7Validator:
    return Draft7Validator(json.loads((SCHEMAS / f"{version}.json").read_text()))


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """What went wrong in each of the alternatives, where there are some."""
    if not error.context:
        yield error
    for cause in error.context or ():
        yield from _leaves(cause)


def _telling(error: ValidationError) -> tuple[bool, int]:
    """Deep faults tell most; that a thing is not a reference, which everything may be, tells least."""
    return error.validator_value != ["$ref"], len(error.absolute_path)


def _faults_of_references(document: dict[str, object]) -> Iterator[str]:
    for place, pointer in _references(document):
        where = ".".join(place)
        try:
            _target(document, pointer)
        except (LookupError, TypeError, ValueError):
            yield f"{where}: {pointer} leads nowhere"
            continue
        wanted = _collection(place)
        if wanted and wanted not in pointer.split("/")[-2:-1]:
            yield f"{where}: {pointer} is none of the {wanted}"
    yield from _faults_of_operations(document)


def _references(node: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every place that holds a reference, and its pointer."""
    items: Iterable[tuple[object, Any]] = ()
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield place, node["$ref"]
        items = node.items()
    elif isinstance(node, list):
        items = enumerate(node)
    for key, value in items:
        yield from _references(value, (*place, str(key)))


def _target(document: Any, pointer: str) -> Any:
    """What stands at a pointer into the document; what Python raises there where nothing does."""
    start, *keys = pointer.split("/")
    if start != "#":
        raise LookupError(pointer)
    for key in keys:
        name = key.replace("~1", "/").replace("~0", "~")
        document = document[int(name) if isinstance(document, list) else name]
    return document


def _collection(place: tuple[str, ...]) -> str | None:
    """The collection that a reference at this place must lead into; None where there is no rule."""
    if "payload" in place or "headers" in place or "schemas" in place:
        return None
    if place[-1] == "channel":
        return "channels"
    return place[-2] if place[-2] in ("channels", "messages", "operations", "servers") else None


def _faults_of_operations(document: dict[str, Any]) -> Iterator[str]:
    """An operation, and its reply, may use the messages of its own channel only."""
    for name, operation in document.get("operations", {}).items():
        if "channel" not in operation:
            continue  # a reference, which leads to an operation that is written out elsewhere
        for side in (operation, operation.get("reply", {})):
            channel = side.get("channel", operation["channel"])["$ref"]
            for message in side.get("messages", ()):
                if not message["$ref"].startswith(f"{channel}/messages/"):
                    yield f"operations.{name}: {message['$ref']} is no message of {channel}"
