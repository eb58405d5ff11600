"""Whatever a grammar of commands and its misspellings says, the server answers, once (P19).

Texts are made from the wire's models, then bent: values of another kind, fields left out, doubled
or foreign, texts cut short or with a character too many. Beside it honest people race.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from halfmoon.wire import codec
from halfmoon_testing.driver import Driver, line_up, start_race
from halfmoon_testing.server import ServerProcess
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.strategies import commands, json_values
from halfmoon_testing.wsraw import CLOSE, TEXT, Raw, text

LONG = bool(os.environ.get("HALFMOON_LONG"))
EXAMPLES = 5000 if LONG else 12
WIDE = "--limit-commands 100000/100000 --limit-new-rooms 100000/100000 --limit-player-rooms 100000"
WIDE += " --limit-wrong-rooms 100000/100000 --limit-wrong-tokens 100000/100000"
WIDE += " --limit-new-connections 100000/100000 --limit-bad-messages 100000"
PHASES = list(Phase) if LONG else [Phase.generate]
"""A short run says what it met, and doesn't look for the shortest text that does it."""
HERE = "@here"
"""Stands for the room that the text is said in."""
STRANGE: st.SearchStrategy[Any] = st.sampled_from(
    [
        *(0, -1, 2**53, 2**63, 10**30, 1.0, 1e308, True, None, [], {}, [[]], ["1", "1"], ["1", 8]),
        *(
            "",
            "0",
            "1",
            "R0",
            "13",
            "\u0000",
            "\ud800",
            "\u202e",
            "__proto__",
            "HM1-N-AAAAAAA",
            HERE,
        ),
    ]
)


@st.composite
def bent(draw: st.DrawFn) -> str:
    """The text of a command, more or less."""
    value: dict[str, Any] = json.loads(codec.write(draw(commands())))
    if "room" in value and draw(st.booleans()):
        value["room"] = HERE
    for _ in range(draw(st.integers(0, 2))):
        name = draw(st.sampled_from([*value, "admin", "__proto__", "n"]))
        how = draw(st.integers(0, 2))
        if how == 0:
            value.pop(name, None)
        else:
            value[name] = draw(STRANGE if how == 1 else json_values())
    said = json.dumps(value)
    match draw(st.integers(0, 9)):
        case 0:
            place = draw(st.integers(0, len(said)))
            return said[:place]
        case 1:
            place = draw(st.integers(0, len(said)))
            return said[:place] + draw(st.text(max_size=3)) + said[place:]
        case 2:
            return said[:-1] + f', "type": {json.dumps(draw(STRANGE))}}}'
        case _:
            return said


class Target:
    """A server process, and people who race on it all the while."""

    def __init__(self, folder: Path, runner: asyncio.Runner) -> None:
        self.runner = runner
        self.server = ServerProcess(folder, *WIDE.split())
        self.honest: list[Driver] = []
        self.turn = 0

    async def begin(self) -> None:
        await self.server.start()
        self.honest = await line_up(
            self.server.ws, ["Ann", "Ben"], code=WINNABLE_CODE, countdown_ms=0, time_limit_ms=None
        )
        await start_race(self.honest)

    async def honest_move(self) -> None:
        """The honest go on as if nothing were."""
        line = winning_line()
        for player in self.honest:
            if self.turn % 2:
                await player.done("undo", turn=self.turn)
            else:
                await player.move(self.turn, line[0])
        self.turn += 1

    async def end(self) -> None:
        for player in self.honest:
            await player.close()
        assert await self.server.terminate() == 0


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    with asyncio.Runner() as runner:
        one = Target(tmp_path_factory.mktemp("fuzz") / "data", runner)
        try:
            runner.run(one.begin())
            yield one
            runner.run(one.end())
            assert "Traceback" not in one.server.log(), one.server.log()
            assert '"level": "error"' not in one.server.log(), one.server.log()
        finally:
            runner.run(one.server.clean_up())


async def say_all(port: int, texts: list[str]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Each text as it was said, by a newcomer in a room of their own, and what was heard of it."""
    async with await Raw.upgraded(port) as raw:
        await raw.ask({"type": "hello", "name": "Fuzz"})
        room = (await raw.ask({"type": "create_room", "options": {"countdown_ms": 0}}))["room"]
        heard = []
        for place, one in enumerate(texts):
            mark = f"\u2713{place}"
            # What the room is asked last, it answers last.
            last = text({"type": "join_room", "room": room, "id": mark})
            said = one.replace(HERE, room)
            raw.send(text(said), last)
            messages = await until_mark(raw, mark)
            if not answers_to(said, messages):
                # It led to another room, which keeps no order with this one.
                with contextlib.suppress(TimeoutError):
                    messages.append(await asyncio.wait_for(raw.message(), ANSWERED_WITHIN_S))
            heard.append((said, messages))
        return heard


async def until_mark(raw: Raw, mark: str) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = []
    while True:
        read = await raw.read()
        assert read.opcode != CLOSE, (read.code, read.reason, said)
        if read.opcode == TEXT:
            message = read.json()
            if message.get("re") == mark:
                return said
            said.append(message)


ANSWERED_WITHIN_S = 30.0
ANSWERS = {"error", "ok", "left", "welcome", "clock", "moved", "undone"}


def answers_to(said: str, heard: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of the messages that answer, rather than tell what happened."""
    try:
        id_ = json.loads(said).get("id")
    except (ValueError, AttributeError, RecursionError):
        id_ = None
    own = [m for m in heard if "re" in m]
    if own:
        assert all(m["re"] == id_ for m in own), (said, heard)
        return own
    # Without an id a room is an answer, and the same type is never told of itself.
    return [m for m in heard if m["type"] in ANSWERS or m["type"] == "room"]


UNCHECKED = [
    HealthCheck.too_slow,  # a server is asked
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.function_scoped_fixture,  # one server for all
]


@settings(max_examples=EXAMPLES, phases=PHASES, suppress_health_check=UNCHECKED)
@given(texts=st.lists(bent(), min_size=5, max_size=20))
def test_every_text_gets_one_answer_and_harms_nobody(target: Target, texts: list[str]) -> None:
    for said, messages in target.runner.run(say_all(target.server.port, texts)):
        assert len(answers_to(said, messages)) == 1, (said, messages)
    target.runner.run(target.honest_move())


def test_a_text_that_is_answered_twice_would_be_noticed() -> None:
    """The negative control of the judge."""
    twice = [{"type": "ok", "re": "a"}, {"type": "ok", "re": "a"}]
    assert len(answers_to('{"type":"start","id":"a"}', twice)) == 2
    assert answers_to("{", []) == []
