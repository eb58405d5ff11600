"""The page about the protocol says what the models say."""

from __future__ import annotations

import json
import re

import pytest
from pydantic import BaseModel

from halfmoon.wire.codec import BadMessage, read_command, read_message, write
from halfmoon.wire.definitions import COMMAND_MODELS, MESSAGE_MODELS, definitions, name_of
from halfmoon.wire.errors import CloseCode, ErrorCode, Reason
from halfmoon_testing.protocol_page import PAGE, laid_out, names_in, refreshed

TEXT = PAGE.read_text()


def read(text: str) -> BaseModel:
    """The command or message in a text."""
    try:
        return read_command(text)
    except BadMessage:
        message = read_message(text)
        assert message is not None
        return message


def test_the_examples_are_fresh() -> None:
    """`python -m halfmoon_testing.protocol_page`, started in tests/, makes them so."""
    assert refreshed(TEXT) == TEXT


def test_every_command_and_message_has_one_example() -> None:
    names = [name_of(model) for model in (*COMMAND_MODELS, *MESSAGE_MODELS)]
    assert sorted(names_in(TEXT)) == sorted(names)


def test_every_json_object_on_the_page_is_something_that_is_said() -> None:
    blocks = re.findall(r"^```json\n(.*?)\n```$", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= len(names_in(TEXT))
    for block in blocks:
        assert json.loads(block).items() <= json.loads(write(read(block))).items()


@pytest.mark.parametrize("word", [*(code.value for code in ErrorCode), *(r.value for r in Reason)])
def test_every_error_code_and_reason_is_in_a_table(word: str) -> None:
    assert re.search(rf"^\| `{word}` \|", TEXT, re.MULTILINE)


def test_every_close_code_is_in_a_table() -> None:
    for code in CloseCode:
        assert re.search(rf"^\| {int(code)} \|", TEXT, re.MULTILINE), code


def test_every_option_is_in_a_table_with_its_default_and_bounds() -> None:
    for name, option in definitions("")["OptionChanges"]["properties"].items():
        row = re.search(rf"^\| `{name}` \|.*$", TEXT, re.MULTILINE)
        assert row, name
        bounded = option.get("anyOf", [option])[0]
        for value in (bounded.get("minimum", ""), bounded.get("maximum", "")):
            assert str(value) in row[0]
        for value in bounded.get("enum", []):
            assert f"`{value}`" in row[0]
        if "default" in option:
            assert row[0].endswith(f"| {json.dumps(option['default']).strip(chr(34))} |"), name


def test_a_long_value_is_laid_out_within_the_width() -> None:
    value = {"list": list(range(100)), "text": "x" * 60, "empty": {}, "deep": [["y" * 70] * 3]}
    text = laid_out(value)
    assert json.loads(text) == value
    assert max(map(len, text.splitlines())) <= 100
