"""The program of docs/python-client.md that plays in a tournament runs as it stands there."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

from halfmoon_client import CommandRefused, connect
from halfmoon_server.settings import Settings
from halfmoon_testing.organiser import KEY, Organiser
from halfmoon_testing.server import UNHURRIED, in_process

PAGE = Path(__file__).parents[2] / "docs" / "python-client.md"


def example() -> str:
    blocks: list[str] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    [found] = [block for block in blocks if "client.enter" in block]
    return found


async def test_the_example_takes_its_entry_by_the_claim_and_races_every_round() -> None:
    async with (
        in_process(Settings(limits=UNHURRIED, organiser_key=KEY)) as hall,
        Organiser(hall) as organiser,
    ):
        race = {"time_limit_ms": 60_000, "countdown_ms": 50}
        t = await organiser.make(race=race, rounds=2, entry="list")
        ann, _ = await organiser.add("Ann", "Ben")
        program = (
            example()
            .replace("http://127.0.0.1:8080", hall.http)
            .replace("T4KQ9", t)
            .replace("8JWM-QY3C-77RP", ann["claim"])
        )
        run = asyncio.create_task(
            asyncio.to_thread(
                subprocess.run,
                [sys.executable, "-c", program],
                capture_output=True, text=True, timeout=60, check=False,
            )
        )  # fmt: skip
        async with asyncio.timeout(60):
            while True:
                if (await organiser.get())["entrants"][0]["taken"]:
                    break
                await asyncio.sleep(0.05)
        await organiser.draw()
        await organiser.until("break")
        await organiser.draw()
        await organiser.until("over")
        done = await run
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("Club evening is over: 2 entrants")
        results = [heat["results"] for heat in (await organiser.get())["heats"]]
        assert [[line["entrant"] for line in lines] for lines in results] == [["e1"], ["e1"]]
        assert all(lines[0]["actions"] > 0 for lines in results)


async def test_a_program_comes_back_to_its_entry_and_its_heat_by_its_token() -> None:
    async with (
        in_process(Settings(limits=UNHURRIED, organiser_key=KEY)) as hall,
        Organiser(hall) as organiser,
    ):
        t = await organiser.make(race={"time_limit_ms": 60_000, "countdown_ms": 0}, rounds=1)
        async with connect(hall.http, name="Ann") as ann:
            first = await ann.enter(t)
            async with connect(hall.http, name="Ben") as ben:
                with pytest.raises(CommandRefused, match="claim"):
                    await ben.enter(t, claim="nonsense")
                await ben.enter(t)
            await organiser.draw()
            room = await first.heat()
            assert room is not None
        async with connect(hall.http, token=ann.token) as again:
            back = await again.enter(t)
            assert back.entrant == first.entrant
            same = await back.heat()
            assert same is not None
            assert same.id == room.id
            await (await same.race()).retire()
            await organiser.post("/rounds/1/end", {"reason": "the bell"}, status=200)
            assert await back.heat() is None
