"""The codec: model and text are inverse, and a client ignores what it doesn't know."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from halfmoon.wire.codec import read_command, read_message, write
from halfmoon.wire.commands import BaseCommand
from halfmoon.wire.examples import command_examples, examples, message_examples
from halfmoon_testing.strategies import commands, json_values, messages
from halfmoon_testing.trees import at, places

MAPS = {"courses", "revealed", "restored", "cards", "boards"}
"""Fields whose keys are spots or players: what stands there is no field."""


# There and back


@given(commands())
def test_a_command_written_and_read_is_the_same(command: Any) -> None:
    again = read_command(write(command))
    assert again == command
    assert write(again) == write(command)
    if hasattr(command, "options"):
        assert again.options.named() == command.options.named()  # type: ignore[union-attr]


@given(messages())
def test_a_message_written_and_read_is_the_same(message: Any) -> None:
    assert read_message(write(message)) == message
    assert read_message(write(message).encode()) == message


@pytest.mark.parametrize("example", [*command_examples(), *message_examples()], ids=repr)
def test_every_example_is_read_as_what_it_is(example: BaseModel) -> None:
    read = read_command if isinstance(example, BaseCommand) else read_message
    assert read(write(example)) == example


def test_what_is_absent_is_left_out_and_never_null() -> None:
    assert "null" not in "".join(write(command) for command in command_examples()[:7])
    assert write(read_command('{"type":"create_room"}')) == '{"type":"create_room","options":{}}'
    back_to_sealed = '{"room":"K7M2P","type":"set_options","options":{"code":null}}'
    assert write(read_command(back_to_sealed)) == back_to_sealed


# What a client reads


@pytest.mark.parametrize(
    "text", ['{"type":"confetti","n":1}', '{"type":"Board"}', '{"type":7}', '{"type":"hello"}']
)
def test_a_type_that_the_client_does_not_know_is_ignored(text: str) -> None:
    assert read_message(text) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"n":1}', '{"type":"ok"}', '{"type":"left","room":5}']
)
def test_what_is_no_message_of_its_type_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_message(text)


@given(st.binary() | st.text() | json_values().map(json.dumps))
def test_anything_is_a_message_or_none_or_a_value_error(frame: str | bytes) -> None:
    try:
        message = read_message(frame)
    except ValueError:
        return
    assert message is None or isinstance(message, BaseModel)


@pytest.mark.parametrize("example", message_examples(), ids=lambda example: example.type)
def test_fields_that_the_client_does_not_know_are_ignored_anywhere(example: BaseModel) -> None:
    told = json.loads(write(example))
    for path in [path for path in places(told) if isinstance(at(told, path), dict)]:
        if not MAPS.intersection(path[-1:]):
            more = deepcopy(told)
            at(more, path)["confetti"] = [{"colour": None}]
            assert read_message(json.dumps(more)) == example


def test_there_is_an_example_of_every_type() -> None:
    assert len(examples()) == len(command_examples()) + len(message_examples())
