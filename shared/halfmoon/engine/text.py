"""Values that have a text form: how pydantic reads, checks and writes them."""

from collections.abc import Callable
from typing import Any, ClassVar, Self

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema


class TextValue:
    """A value that is a string in JSON and an object in Python; `parse` and `str` are inverse."""

    __slots__ = ()

    text_pattern: ClassVar[str]
    """Regular expression of the canonical text, for the published schema."""
    text_example: ClassVar[str]
    """One canonical text, for the published schema."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """The value that `text` stands for; raises `UnreadableText`."""
        raise NotImplementedError

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, __: GetCoreSchemaHandler) -> CoreSchema:
        """Text from JSON is parsed; in Python only a ready value passes."""
        return core_schema.json_or_python_schema(
            json_schema=core_schema.no_info_after_validator_function(
                cls.parse, core_schema.str_schema()
            ),
            python_schema=core_schema.is_instance_schema(cls),
            serialization=core_schema.to_string_ser_schema(),
            metadata={"pydantic_js_functions": [_shown_as(cls.text_pattern, cls.text_example)]},
        )


def _shown_as(
    pattern: str, example: str
) -> Callable[[CoreSchema, GetJsonSchemaHandler], dict[str, Any]]:
    """What makes the published schema that of the canonical text."""

    def publish(_: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(core_schema.str_schema(pattern=pattern)), "examples": [example]}

    return publish
