"""What stands in the source beneath the fields of a model, for the documents that describe it.

Pydantic can do this at import (`use_attribute_docstrings`), and then every start of the program
pays for reading its own source.
"""

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from types import ModuleType

from pydantic import BaseModel


def field_texts(model: type[BaseModel]) -> dict[str, str]:
    """The text beneath each field that has one, by the name that the field has on the wire."""
    texts: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        module = inspect.getmodule(cls)
        if module is not None and cls.__module__.startswith("halfmoon."):
            texts |= _texts_in(module).get(cls.__name__, {})
    names = {name: field.alias or name for name, field in model.model_fields.items()}
    return {names[name]: text for name, text in texts.items() if name in names}


@cache
def _texts_in(module: ModuleType) -> dict[str, dict[str, str]]:
    tree = ast.parse(inspect.getsource(module))
    return {
        node.name: dict(_texts_of(node)) for node in tree.body if isinstance(node, ast.ClassDef)
    }


def _texts_of(definition: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, text in pairwise(definition.body):
        match field, text:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(said))),
            ):
                yield name, " ".join(inspect.cleandoc(said).split())
            case _:
                pass
