"""Values with a text form: how they are read from JSON, shown in Python, and described."""

import re

import pytest
from pydantic import TypeAdapter, ValidationError

from halfmoon.engine.cards import PACK, Card
from halfmoon.engine.codes import Code
from halfmoon.engine.text import TextValue

CARDS, CODES = TypeAdapter(Card), TypeAdapter(Code)


def test_json_text_is_read_and_written_as_a_value() -> None:
    card = CARDS.validate_json('"5S"')
    assert card == Card.parse("5S")
    assert CARDS.dump_json(card) == b'"5S"'
    assert CODES.validate_json('" hm1naaaaaab "') == Code.parse("HM1-N-AAAAAAB")


def test_an_unreadable_text_in_json_says_what_is_wrong() -> None:
    with pytest.raises(ValidationError, match="is no card"):
        CARDS.validate_json('"5X"')
    with pytest.raises(ValidationError, match="blank inside"):
        CODES.validate_json('"HM1 N AAAAAAB"')


@pytest.mark.parametrize("json", ["5", "null", "true", "[]", '["5S"]', "{}"])
def test_another_type_in_json_is_no_value(json: str) -> None:
    with pytest.raises(ValidationError):
        CARDS.validate_json(json)


def test_in_python_only_a_ready_value_passes() -> None:
    card = Card.parse("5S")
    assert CARDS.validate_python(card) is card
    with pytest.raises(ValidationError):
        CARDS.validate_python("5S")


def test_the_schema_describes_the_canonical_text() -> None:
    shown = CARDS.json_schema()
    assert shown["type"] == "string"
    assert [card for card in PACK if not re.search(shown["pattern"], str(card))] == []
    assert not re.search(shown["pattern"], "10S")
    pattern, examples = CODES.json_schema()["pattern"], CODES.json_schema()["examples"]
    for code in (*examples, "HM1-S-" + "Z" * 28):
        assert re.search(pattern, code)
        assert str(Code.parse(code)) == code


def test_what_a_text_stands_for_is_said_by_each_kind() -> None:
    with pytest.raises(NotImplementedError):
        TextValue.parse("5S")
