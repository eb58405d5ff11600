"""Hypothesis strategies: commands, messages and JSON of any kind.

Commands and messages are built from the fields of their models, so that a new field is tried as
soon as it is there.
"""

from __future__ import annotations

from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import AfterValidator, BaseModel, ValidationError
from pydantic.fields import FieldInfo

from halfmoon.engine.cards import PACK, Card
from halfmoon.engine.codes import LETTERS, Code, Variant
from halfmoon.wire.definitions import COMMAND_MODELS, MESSAGE_MODELS
from halfmoon.wire.fields import MAX_INTEGER, read_name, read_room_id

Model = TypeVar("Model", bound=BaseModel)


def commands() -> SearchStrategy[Any]:
    """Any command."""
    return st.one_of([of_model(model) for model in COMMAND_MODELS])


def messages() -> SearchStrategy[Any]:
    """Any message."""
    return st.one_of([of_model(model) for model in MESSAGE_MODELS])


def of_model(model: type[Model]) -> SearchStrategy[Model]:
    """Any value of a model; a field with a default is now and then left unnamed."""

    def build(values: dict[str, Any]) -> Model:
        try:
            return model(**values)
        except ValidationError:
            reject()

    named = {name: _of_field(field) for name, field in model.model_fields.items() if name != "type"}
    optional = {name for name in named if not model.model_fields[name].is_required()}
    return st.fixed_dictionaries(
        {name: strategy for name, strategy in named.items() if name not in optional},
        optional={name: strategy for name, strategy in named.items() if name in optional},
    ).map(build)


def codes() -> SearchStrategy[Code]:
    """Any game code."""
    return st.sampled_from(Variant).flatmap(
        lambda variant: st.builds(
            Code.from_number, st.just(variant), st.integers(0, 26 ** LETTERS[variant] - 1)
        )
    )


def names() -> SearchStrategy[str]:
    """Any name as everybody is shown it."""
    letters = st.characters(categories=["L", "Nd"])
    more = st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"]), max_size=23)
    return st.builds(str.__add__, letters, more).filter(_is_name).map(read_name)


def _is_name(text: str) -> bool:
    try:
        return bool(read_name(text))
    except ValueError:
        return False


def json_values() -> SearchStrategy[Any]:
    """Anything that JSON can say, and a little more: Python also writes NaN."""
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4)
        ),
        max_leaves=8,
    )


def _of_field(field: FieldInfo) -> SearchStrategy[Any]:
    return _of_type(field.annotation, field.metadata)


def _of_type(kind: Any, limits: list[Any]) -> SearchStrategy[Any]:
    """Values of an annotation within the limits that stand beside it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _of_type(inner[0], [*limits, *inner[1:]])
    if origin in (Union, UnionType):
        return st.one_of([_of_type(one, limits) for one in inner])
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is list:
        low, high = _limit(limits, "min_length", 0), _limit(limits, "max_length", 5)
        return st.lists(_of_type(inner[0], []), min_size=low, max_size=high)
    if origin is dict:
        return st.dictionaries(_of_type(inner[0], []), _of_type(inner[1], []), max_size=3)
    return _of_class(kind, limits)


def _of_class(kind: type[Any], limits: list[Any]) -> SearchStrategy[Any]:
    if kind is int:
        return st.integers(_limit(limits, "ge", 0), _limit(limits, "le", MAX_INTEGER))
    if kind is str:
        return _texts(limits)
    if kind is Card:
        return st.sampled_from(PACK)
    if kind is Code:
        return codes()
    if issubclass(kind, Enum):
        return st.sampled_from(kind)
    if issubclass(kind, BaseModel):
        return of_model(kind)
    return {bool: st.booleans(), NoneType: st.none()}[kind]


def _texts(limits: list[Any]) -> SearchStrategy[str]:
    readers = [limit.func for limit in limits if isinstance(limit, AfterValidator)]
    if read_name in readers:
        return names()
    pattern = _limit(limits, "pattern", None)
    if pattern is not None:
        return st.from_regex(pattern, fullmatch=True)
    low, high = _limit(limits, "min_length", 0), _limit(limits, "max_length", 64)
    texts = st.text(min_size=low, max_size=high)
    return texts.map(read_room_id) if read_room_id in readers else texts


def _limit(limits: list[Any], name: str, otherwise: Any) -> Any:
    """The limit of this name, also of those that pydantic keeps one level deeper."""
    deeper = [inner for one in limits if isinstance(one, FieldInfo) for inner in one.metadata]
    found = (getattr(one, name, None) for one in [*limits, *deeper])
    return next((value for value in found if value is not None), otherwise)
