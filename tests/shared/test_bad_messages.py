"""Any text at all is a command or a `BadMessage`, which has the command's id where one can be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.wire.codec import BadMessage, read_command, write
from halfmoon.wire.commands import BaseCommand
from halfmoon.wire.examples import command_examples
from halfmoon_testing.strategies import json_values
from halfmoon_testing.trees import at, places

MAX_FRAME = 16_384

EXAMPLES = [json.loads(write(command)) for command in command_examples()]


def refusal(text: str) -> BadMessage:
    with pytest.raises(BadMessage) as refused:
        read_command(text)
    assert 0 < len(str(refused.value)) <= 200
    return refused.value


def outcome(text: str) -> BaseCommand | BadMessage:
    """What a text is, and an exception of any other kind where it is neither."""
    try:
        return read_command(text)
    except BadMessage as bad:
        return bad


# What is no command


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "]",
        '"',
        "\0",
        r"\u0000",
        "[" * 16_000,
        '{"a":' * 3_000,
        "9" * 5_000,
        "null",
        "true",
        '"hello"',
        "[]",
        '[{"type":"hello","name":"Ann"}]',
        '{"type":"hello","name":NaN}',
        '{"type":"clock","t":Infinity}',
        '\ufeff{"type":"hello","name":"Ann"}',
        '{"type":"hello","name":"Ann"}{}',
        '{"type":"hello","name":"Ann",}',
        "{'type':'hello','name':'Ann'}",
        '{"type":"hello","name":"A\nn"}',
        r'{"type":"hello","name":"\ud800"}',
        '{"type":"hello","name":"\ud800"}',
        r'{"type":"hello","\udc00":"Ann"}',
        "{}",
        '{"type":null}',
        '{"type":["hello"]}',
        '{"type":"Hello","name":"Ann"}',
        '{"type":"welcome"}',
        '{"type":"' + "x" * 16_000 + '"}',
        '{"type":"hello","name":"Ann","x":' + "9" * 5_000 + "}",
    ],
    ids=lambda text: repr(text[:40]),
)
def test_what_is_no_json_object_or_no_command_is_refused(text: str) -> None:
    assert refusal(text).re is None


@given(st.text())
def test_any_text_is_a_command_or_a_bad_message(text: str) -> None:
    outcome(text)


@given(st.text(st.sampled_from('{}[]",:\\ud8001eE+-.truefalsnNaI \0\ufeff')))
def test_any_text_that_looks_like_json_is_one_or_the_other(text: str) -> None:
    outcome(text)


@given(st.binary())
def test_any_bytes_that_are_a_text_are_one_or_the_other(frame: bytes) -> None:
    outcome(frame.decode("utf-8", "surrogateescape"))


@given(st.data(), st.sampled_from(EXAMPLES), json_values())
def test_a_bent_command_is_a_command_or_refused_with_its_id(
    data: st.DataObject, example: dict[str, Any], value: Any
) -> None:
    bent = deepcopy(example)
    *path, key = data.draw(st.sampled_from([place for place in places(example) if place]))
    at(bent, tuple(path))[key] = value
    result = outcome(json.dumps(bent))
    if isinstance(result, BadMessage):
        sent = bent["id"]
        assert result.re == (sent if isinstance(sent, str) and len(sent) <= 64 else None)
    else:
        assert result.id == bent["id"]


# `re`


@pytest.mark.parametrize(
    ("fields", "re"),
    [
        ('"id":"x"', "x"),
        ('"id":""', ""),
        ('"id":"' + "😀" * 64 + '"', "😀" * 64),
        ('"id":"' + "x" * 65 + '"', None),
        ('"id":5', None),
        ('"id":null', None),
        ('"id":["x"]', None),
        (r'"id":"\ud800"', None),
        (r'"id":"\u00e9\n"', "é\n"),
        ('"options":{"id":"x"}', None),
        ('"n":' + "9" * 5_000 + ',"id":"x"', "x"),
        ('"n":1e999,"id":"x"', "x"),
    ],
    ids=lambda text: repr(text)[:30],
)
def test_re_is_the_id_wherever_one_can_be_read(fields: str, re: str | None) -> None:
    assert refusal(f'{{"type":"nothing",{fields}}}').re == re
    assert refusal(f'{{{fields},"type":"hello","name":7}}').re == re


# Repeated keys


def with_a_key_twice(node: Any) -> Iterator[str]:
    """The text of a JSON value, each time with another one of its keys repeated."""
    if isinstance(node, dict):
        for key, value in node.items():
            rest = [f"{json.dumps(k)}:{json.dumps(v)}" for k, v in node.items()]
            yield "{" + ",".join([*rest, f"{json.dumps(key)}:{json.dumps(value)}"]) + "}"
            for inner in with_a_key_twice(value):
                others = [f"{json.dumps(k)}:{json.dumps(v)}" for k, v in node.items() if k != key]
                yield "{" + ",".join([*others, f"{json.dumps(key)}:{inner}"]) + "}"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["type"])
def test_a_repeated_key_is_refused_wherever_it_stands(example: dict[str, Any]) -> None:
    for text in with_a_key_twice(example):
        refused = refusal(text)
        assert "the key is repeated" in str(refused)
        assert refused.re == example["id"]


@pytest.mark.parametrize(
    "text",
    [
        r'{"type":"hello","name":"Ann","n\u0061me":"Ben"}',
        '{"type":"hello","type":"clock","t":1,"name":"Ann"}',
        '{"type":"move","room":"K7M2P","turn":0,"turn":1,"spots":["1","8"]}',
        '{"type":"move","room":"K7M2P","turn":0,"spots":["1","8"],"spots":["2","3"]}',
        '{"type":"create_room","options":{"undo":true},"options":{}}',
    ],
)
def test_a_repeated_key_is_refused_however_it_is_written(text: str) -> None:
    refusal(text)


def test_colons_and_keys_in_texts_are_no_keys() -> None:
    read_command('{"type":"hello","name":"a:b","id":"\\"name\\":\\"x\\":"}')


# Frames of the largest size


def padded(text: str) -> str:
    return text + " " * (MAX_FRAME - len(text.encode()))


def test_blanks_between_tokens_are_no_fault() -> None:
    read_command(padded('{"type":"hello","name":"Ann"}'))


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"move","room":"K7M2P","turn":0,"spots":[' + ",".join(["0"] * 8_000) + "]}",
        '{"type":"hello",' + ",".join(f'"{i}":0' for i in range(1_900)) + "}",
        '{"type":"create_room","options":{' + ",".join(['"undo":true'] * 1_300) + "}}",
    ],
    ids=["spots", "fields", "options"],
)
def test_the_first_of_thousands_of_faults_is_enough(text: str) -> None:
    assert len(text) <= MAX_FRAME
    refusal(text)
