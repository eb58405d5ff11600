"""The types of fields: names, room ids, integers, and fields that may be absent."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, ValidationError

from halfmoon.wire.fields import MAX_INTEGER, ROOM_ALPHABET, Count, Maybe, read_name, read_room_id
from halfmoon_testing.strategies import names

# Names (Contract §5, *Who*)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann  ", "Ann"),
        ("Ann   \u00a0\u3000 Lee", "Ann Lee"),
        ("\u2003Ann\u2003", "Ann"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("x" * 24, "x" * 24),
        (" " * 50 + "x" * 24 + " " * 50, "x" * 24),
        ("e\u0301" * 24, "\u00e9" * 24),
        ("7", "7"),
        ("Ferenc Puskás", "Ferenc Puskás"),
        ("王小明", "王小明"),
        ("محمد", "محمد"),
        ("Ann ♥", "Ann ♥"),
        ("A😀", "A😀"),
        ("\u0410nn", "\u0410nn"),  # an А of Cyrillic is a letter like any other
        ("<img src=x onerror=1>", "<img src=x onerror=1>"),
        ("</script>", "</script>"),
        ("{{7*7}}", "{{7*7}}"),
        ("=HYPERLINK(1)", "=HYPERLINK(1)"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_a_name_is_read_as_everybody_is_shown_it(text: str, name: str) -> None:
    assert read_name(text) == name


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty"),
        (" \u3000 ", "empty"),
        ("x" * 25, "at most 24"),
        ("x" * 100_000, "at most 24"),
        ("\U0001d160" * 24, "at most 24|letter or digit"),  # grows to 72 under NFC
        ("\u0958" * 24, "at most 24"),  # each grows to two under NFC
        ("\u3164", "looks like nothing"),
        ("A\u115f", "looks like nothing"),
        ("\u2800", "looks like nothing"),
        ("A\ufe0f", "looks like nothing"),
        ("A\U000e0101", "looks like nothing"),
        ("A" + "\u0301" * 500, "at most 24|pile up"),
        ("x" + "\u0301" * 3, "pile up"),
        ("\u202ennA", r"invisible format character \(U\+202E\)"),
        ("A\u200bnn", "format"),
        ("A\u00adnn", "format"),
        ("\ufeffAnn", "format"),
        ("\U000e0041nn", "format"),
        ("A\x1b[2J", r"control character \(U\+001B\)"),
        ("A\0", r"U\+0000"),
        ("Ann\n", r"U\+000A"),
        ("A\tnn", r"U\+0009"),
        ("A\x7f", "control"),
        ("A\x85", "control"),
        ("A\u2028", "line separator"),
        ("A\u2029", "paragraph separator"),
        ("A\ue000", "private-use"),
        ("A\ud800", "half of a character"),
        ("A\uffff", "unassigned"),
        ("!!!", "letter or digit"),
        ("😀", "letter or digit"),
        ("\u0301", "letter or digit"),
    ],
    ids=lambda text: ascii(text[:24]),
)
def test_what_is_no_name_is_refused_by_the_rule(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read_name(text)


@given(st.text(max_size=60) | names())
def test_a_name_is_normal_short_and_visible_and_read_again_the_same(text: str) -> None:
    try:
        name = read_name(text)
    except ValueError:
        return
    assert read_name(name) == name
    assert 1 <= len(name) <= 24
    assert name == unicodedata.normalize("NFC", name).strip()
    assert not {unicodedata.category(c)[0] for c in name} & {"C"}
    assert "  " not in name
    assert any(c.isalnum() for c in name)


# Room ids


def test_no_two_characters_of_a_room_id_look_alike() -> None:
    assert len(set(ROOM_ALPHABET)) == len(ROOM_ALPHABET) == 31
    assert not set("01OIL") - set("L") & set(ROOM_ALPHABET)


@pytest.mark.parametrize(("text", "room"), [("k7m2p", "K7M2P"), ("K7m2P", "K7M2P"), ("", "")])
def test_a_room_id_is_read_in_any_case(text: str, room: str) -> None:
    assert read_room_id(text) == room


@pytest.mark.parametrize("text", ["ſ2345", "ß234", "ı2345", "ﬁ234"])
def test_only_ascii_has_an_upper_case(text: str) -> None:
    assert read_room_id(text) == text


# Integers, and what may be absent


class Form(BaseModel):
    """A model with both."""

    model_config = ConfigDict(strict=True)

    n: Count = 0
    note: Maybe[str] = None


@pytest.mark.parametrize("text", ["0", "-0", "7", str(MAX_INTEGER)])
def test_an_integer_is_0_to_2_to_the_53(text: str) -> None:
    assert Form.model_validate_json(f'{{"n":{text}}}').n == int(text)


@pytest.mark.parametrize(
    "text",
    [
        "-1",
        str(MAX_INTEGER + 1),
        "9223372036854775808",
        "1e0",
        "0.0",
        "1.5",
        "true",
        "false",
        '"0"',
        "null",
        "[0]",
        "{}",
        "NaN",
        "9" * 5000,
    ],
    ids=lambda text: text[:24],
)
def test_what_is_no_such_integer_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        Form.model_validate_json(f'{{"n":{text}}}')


def test_a_field_that_may_be_absent_is_never_null() -> None:
    with pytest.raises(ValidationError, match="never null"):
        Form.model_validate_json('{"note":null}')
    assert Form().model_dump_json() == '{"n":0}'
    assert Form(note="").model_dump_json() == '{"n":0,"note":""}'
