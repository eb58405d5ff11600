"""Walking through JSON values."""

from collections.abc import Iterable, Iterator
from typing import Any


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every value within a JSON value, the whole of it included."""
    yield path
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(node, dict):
        items = node.items()
    elif isinstance(node, list):
        items = enumerate(node)
    for key, value in items:
        yield from places(value, (*path, key))


def at(node: Any, path: tuple[Any, ...]) -> Any:
    """The value at this path."""
    for step in path:
        node = node[step]
    return node
