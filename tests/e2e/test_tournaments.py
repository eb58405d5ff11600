"""Whole tournaments through the public interface, played by bots, and what must be true of them."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from halfmoon.engine.record import RaceRecord
from halfmoon.tournaments.result_file import verify
from halfmoon_server.settings import Settings
from halfmoon_testing.organiser import KEY, Bot, Organiser, come
from halfmoon_testing.server import UNHURRIED, InProcess, get_json, in_process
from halfmoon_testing.tables import table

LONG = bool(os.environ.get("HALFMOON_LONG"))
FIELDS = ("rank", "entrant", "name", "points", "wins", "best", "time_ms")
SIZES = [("series", 28), ("swiss", 9), ("knockout", 9)]
if LONG:
    KINDS = ("series", "swiss", "knockout")
    SIZES = [(kind, count) for kind in KINDS for count in (9, 28, 100, 300)]


@pytest_asyncio.fixture
async def hall(tmp_path: Path) -> AsyncIterator[InProcess]:
    """A server whose organiser key is known."""
    settings = Settings(data=tmp_path / "data", limits=UNHURRIED, organiser_key=KEY)
    async with in_process(settings) as running:
        yield running


async def same_table(organiser: Organiser) -> None:
    """The table is the one that an independent program makes of the state."""
    state, told = await organiser.get(), await organiser.get("/standings")
    fields = [*FIELDS, *(("buchholz", "sonneborn_berger") if state["format"] == "swiss" else ())]
    rows = [{field: row[field] for field in fields} for row in told["rows"]]
    assert rows == [{field: row[field] for field in fields} for row in table(state)]


async def check_races(hall: InProcess, state: dict[str, Any]) -> None:
    """Every race has a record that holds, on the deal that its seal promised."""
    for heat in state["heats"][-20:]:
        for result in heat["results"][:1]:
            record = await get_json(hall, f"/api/races/{result['race']}")
            assert hashlib.sha256(record["code"].encode()).hexdigest() == heat["seal"]
            RaceRecord.read(json.dumps(record)).verify()


@pytest.mark.parametrize(("kind", "count"), SIZES)
async def test_a_whole_tournament(hall: InProcess, kind: str, count: int) -> None:
    """A fifth drop out or come late; the table is right after every round, and so is the file."""
    lot = random.Random(count)
    async with Organiser(hall) as organiser:
        more: dict[str, Any] = {} if kind == "knockout" else {"rounds": 3}
        if count >= 100:
            # One process is server and everybody: boards of hundreds take a while to play.
            more["race"] = {"time_limit_ms": 15_000, "countdown_ms": 2000}
        await organiser.make(kind, entry="list", **more)
        entries = await organiser.add(*(f"Pupil {number}" for number in range(count)))
        bots = [
            Bot(hall.ws, entry["name"], organiser.tournament, claim=entry["claim"])
            for entry in entries
        ]
        late = set(lot.sample(range(count), count // 10))
        gone = set(lot.sample(range(count), count // 10)) - late
        await come(bot for n, bot in enumerate(bots) if n not in late)
        state = await organiser.get()
        while state["state"] != "over":
            await organiser.draw()
            state = await organiser.until("break", "over")
            await same_table(organiser)
            if state["round"] == 1:
                await come(bots[n] for n in late)
                await asyncio.gather(*(bots[n].go() for n in gone))
        await check_races(hall, state)
        text = json.dumps(await organiser.get("/result")).encode()
        assert len(verify(text).standings.rows) == count
        await asyncio.gather(*(bot.go() for bot in bots if bot.driver is not None))
