"""The examples in docs/protocol.md, made from the models.

The page's prose is written by hand. What stands between `<!-- move -->` and `<!-- end -->` is made:
`python -m halfmoon_testing.protocol_page`, started in tests/, makes it anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from halfmoon.wire.definitions import COMMAND_MODELS, Schema, definitions, name_of
from halfmoon.wire.examples import examples

PAGE = Path(__file__).parents[2] / "docs/protocol.md"
WIDTH = 100

_BLOCK = re.compile(r"(?<=^<!-- )(\w+) -->\n(?:.*?\n)??<!-- end -->$", re.MULTILINE | re.DOTALL)
_COMMANDS = [name_of(model) for model in COMMAND_MODELS]


def refreshed(page: str) -> str:
    """The page with all its examples made anew."""
    shown, defined = examples(), definitions("")

    def made(block: re.Match[str]) -> str:
        name = block[1]
        return f"{name} -->\n{_described(name, defined[name], shown[name])}\n<!-- end -->"

    return _BLOCK.sub(made, page)


def names_in(page: str) -> list[str]:
    """What the page has examples of, in its order."""
    return [block[1] for block in _BLOCK.finditer(page)]


def _described(name: str, schema: Schema, example: Any) -> str:
    arrow = "→" if name in _COMMANDS else "←"
    about = schema["description"].replace("\n\n", " ")
    parts = [f"{arrow} **`{example['type']}`** {about}", f"```json\n{laid_out(example)}\n```"]
    if notes := list(_notes(schema)):
        parts.append("\n".join(notes))
    return "\n\n".join(parts)


def _notes(schema: Schema) -> Iterator[str]:
    """What the example doesn't show: what a field means, and which ones may be absent."""
    fields: dict[str, Schema] = schema["properties"]
    absent = [name for name in fields if name not in (*schema["required"], "id", "re")]
    for name, field in fields.items():
        if "description" in field:
            yield f"- `{name}`{'?' if name in absent else ''}: {field['description']}"
    rest = [f"`{name}`" for name in absent if "description" not in fields[name]]
    if rest:
        yield f"- may be absent: {', '.join(rest)}"


def laid_out(value: Any, indent: int = 0) -> str:
    """A JSON value on one line where it fits, else a line for each field and lists filled."""
    compact = json.dumps(value, ensure_ascii=False)
    if len(compact) + indent <= WIDTH or not isinstance(value, dict | list):
        return compact
    inner = indent + 2
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {laid_out(one, inner)}" for key, one in value.items()]
        lines = [f"{item}," for item in items[:-1]] + items[-1:]
        return "\n".join(["{", *(" " * inner + line for line in lines), " " * indent + "}"])
    items = [laid_out(one, inner) for one in value]
    lines = list(_filled([f"{item}," for item in items[:-1]] + items[-1:], WIDTH - inner))
    return "\n".join(["[", *(" " * inner + line for line in lines), " " * indent + "]"])


def _filled(items: list[str], width: int) -> Iterator[str]:
    line = ""
    for item in items:
        if line and len(line) + 1 + len(item) > width:
            yield line
            line = ""
        line = f"{line} {item}" if line else item
    yield line


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text()))
