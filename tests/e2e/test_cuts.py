"""P04: a line that is cut at any byte of a session, and a server that is killed there.

Each command under an id has one effect and one answer, to the byte, however often it is said.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import get_args

import pytest

from halfmoon_server.hosting.answers import Answers
from halfmoon_server.settings import Settings
from halfmoon_testing.cuts import Cut, Line, Story, to_and_fro
from halfmoon_testing.proxy import End, Proxy, proxy_to
from halfmoon_testing.server import UNHURRIED, in_process, server_process

LONG = bool(os.environ.get("HALFMOON_LONG"))
ENDS: Sequence[End] = [end for end in get_args(End) if end != "half"]
LINE = to_and_fro(40)
SHORT_LINE = to_and_fro(16)
"""With all that is said around it no more than a process with its usual limits takes at once."""
BATCH = 300
"""So many races are played on one server, before its memory is given back."""


@asynccontextmanager
async def line_to_a_server() -> AsyncIterator[tuple[int, Proxy]]:
    async with (
        in_process(Settings(limits=UNHURRIED)) as server,
        proxy_to(server.http) as proxy,
    ):
        yield server.port, proxy


async def session_bytes(line: Line = LINE) -> dict[str, int]:
    """How many bytes a session that nobody cuts sends each way."""
    async with line_to_a_server() as (port, proxy):
        story = Story(line)
        await story.begin(port)
        assert not await story.play_until_cut(proxy, Cut("up", None, "fin"))
        assert len(story.answers) == len(line.commands)
        return dict(proxy.passed)


def places(sizes: dict[str, int]) -> list[Cut]:
    """Every byte of both ways by every end; or a spread of them, another end at each."""
    every = [Cut(way, at, "fin") for way, size in sizes.items() for at in range(size)]
    if LONG:
        return [Cut(cut.way, cut.at, end) for cut in every for end in ENDS]
    spread = every[:: len(every) // 60]
    return [Cut(cut.way, cut.at, ENDS[place % 3]) for place, cut in enumerate(spread)]


async def cut_at(cuts: Sequence[Cut]) -> int:
    """Play a race for each of these, all on one server; how many were cut before their end."""
    count = 0
    async with line_to_a_server() as (port, proxy):
        for cut in cuts:
            story = Story(LINE)
            await story.begin(port)
            count += await story.play_until_cut(proxy, cut)
            try:
                await story.come_back(port)
            except AssertionError as error:
                error.add_note(f"the line was cut at {cut}")
                raise
    return count


async def test_a_cut_at_any_byte_loses_nothing_and_doubles_nothing() -> None:
    cuts = places(await session_bytes())
    count = 0
    for start in range(0, len(cuts), BATCH):
        count += await cut_at(cuts[start : start + BATCH])
    assert count >= 0.9 * len(cuts), "sessions differ a little in how much `progress` they hear"


async def test_two_drops_in_a_row_without_a_word_between() -> None:
    """The second line is cut while its client comes back: in the upgrade, in hello, in `room`."""
    sizes = await session_bytes()
    chance = random.Random(4)
    for _ in range(200 if LONG else 8):
        async with line_to_a_server() as (port, proxy):
            story = Story(LINE)
            await story.begin(port)
            for most in (sizes["down"], 1500):
                cut = Cut("down", chance.randrange(most), chance.choice(ENDS))
                assert await story.play_until_cut(proxy, cut)
            await story.come_back(port)


async def test_a_kill_at_any_byte_loses_nothing_and_doubles_nothing(folder: Path) -> None:
    sizes = await session_bytes(SHORT_LINE)
    chance = random.Random(9)
    async with server_process(folder) as server:
        for _ in range(200 if LONG else 2):
            async with proxy_to(server.http) as proxy:
                story = Story(SHORT_LINE)
                await story.begin(server.port)
                way = chance.choice(["up", "down"])
                cut = Cut(way, chance.randrange(sizes[way]), "hang")
                killing = asyncio.create_task(kill_when(proxy, server.kill))
                await story.play_until_cut(proxy, cut)
                await killing
                await server.start()
                await story.come_back(server.port)


async def kill_when(proxy: Proxy, kill: Callable[[], Awaitable[None]]) -> None:
    await proxy.ended.wait()
    await kill()


# What the test must catch


async def test_a_server_that_forgets_ids_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Answers, "find", lambda self, player, command_id: None)
    with pytest.raises(AssertionError):
        await cut_at(places(await session_bytes()))


async def test_a_server_that_answers_anew_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The move is made once, and its second answer has every field, but a time of its own."""
    sound = Answers.find

    def later(self: Answers, player: str, command_id: str | None) -> bytes | None:
        frame = sound(self, player, command_id)
        return frame and re.sub(rb'("at_ms":\d*)\d', rb"\g<1>7", frame)

    monkeypatch.setattr(Answers, "find", later)
    with pytest.raises(AssertionError, match="answered by"):
        await cut_at(places(await session_bytes()))
