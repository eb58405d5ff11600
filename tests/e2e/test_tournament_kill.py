"""A tournament's server killed at random moments: what was answered holds, and it goes on."""

from __future__ import annotations

import asyncio
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientError

from halfmoon.cli import main
from halfmoon.engine.record import RaceRecord
from halfmoon.tournaments.result_file import verify
from halfmoon_server.organiser import VARIABLE
from halfmoon_testing.driver import Driver, drivers
from halfmoon_testing.organiser import KEY, Organiser, after, pairs_on
from halfmoon_testing.server import get_json, server_process
from halfmoon_testing.tables import table

LONG = bool(os.environ.get("HALFMOON_LONG"))
KILLS = 10 if LONG else 2
ROUNDS = 3
FIELDS = ("rank", "entrant", "points", "buchholz", "sonneborn_berger", "best", "time_ms")


async def play_on(organiser: Organiser, answered: list[dict[str, Any]]) -> None:
    """Draw round after round, until the tournament is over or the server is gone."""
    try:
        while (await organiser.until("entry", "break", "over"))["state"] != "over":
            status, drawn = await organiser.try_call("POST", "/rounds")
            if status == 201:
                answered.append(drawn)
    except (ClientError, OSError):
        return


async def test_a_claim_that_is_used_in_mid_race_takes_the_running_seat_over_a_kill_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pupil's phone dies: the new one plays on where the old one stood, and the old one can't."""
    monkeypatch.setenv(VARIABLE, KEY)
    async with server_process(tmp_path / "data") as server, Organiser(server) as organiser:
        await organiser.make(race={"time_limit_ms": 60_000, "countdown_ms": 50}, entry="list")
        claims = [entry["claim"] for entry in await organiser.add("Ann", "Ben")]
        old, ben = await Driver.enter(server.ws, "Ann"), await Driver.enter(server.ws, "Ben")
        for driver, claim in ((old, claims[0]), (ben, claims[1])):
            await driver.done("enter", tournament=organiser.tournament, claim=claim)
        drawn = await organiser.draw()
        [heat] = drawn["heats"]
        a = heat["entrants"][0]
        old.room = ben.room = heat["room"]
        await ben.until("board")
        board = (await old.until("board"))["board"]
        move = pairs_on(board)[0]
        moved = await old.done("move", turn=0, spots=move)
        claim = (await organiser.post(f"/entrants/{a}/claim", status=201))["claim"]
        new = await Driver.enter(server.ws, "New phone")
        entered = await new.done("enter", tournament=organiser.tournament, claim=claim)
        assert entered["entrant"] == a
        assert (await new.until("round"))["room"] == heat["room"]
        assert await old.closed() == (4001, "claimed")
        assert (await ben.until("player_changed", player=new.player))["as"] == "player"
        await server.kill()
        await server.start()
        again = await Driver.enter(server.ws, token=new.token)
        back, ben = (
            await Driver.enter(server.ws, token=old.token),
            await Driver.enter(server.ws, token=ben.token),
        )
        async with drivers(again, back, ben):
            refused = await back.refused("enter", tournament=organiser.tournament)
            assert refused["code"] == "not_allowed"
            await again.done("enter", tournament=organiser.tournament)
            told = await again.until("round")
            room = await again.join(told["room"])
            assert room["you"]["board"] == after(board, moved) | {
                "score": moved["score"], "moves": 1, "status": "racing", "can_undo": True,
            }  # fmt: skip
            assert [(one["player"], one["name"]) for one in room["players"]] == [
                (again.player, "Ann"), (ben.player, "Ben"),
            ]  # fmt: skip
            assert (await back.join(told["room"]))["you"] == {"as": "spectator"}
            assert (await back.refused("move", turn=1, spots=move))["code"] == "not_allowed"
            await ben.join(told["room"])
            await again.done("undo", turn=1)
            await again.done("retire")
            await ben.done("retire")
        state = await organiser.until("break")
        assert len(state["entrants"]) == len(state["heats"][0]["results"]) == 2
        race = state["heats"][0]["results"][0]["race"]
        record = await get_json(server, f"/api/races/{race}")
        RaceRecord.read(json.dumps(record)).verify()
        actions = {one["player"]: len(one["actions"]) for one in record["players"]}
        assert actions == {new.player: 3, ben.player: 1}
        verify(json.dumps(await organiser.get("/result")).encode())
        assert await server.terminate() == 0


@pytest.mark.parametrize("seed", range(5 if LONG else 1))
async def test_a_tournament_survives_kills_at_any_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    lot = random.Random(seed)
    answered: list[dict[str, Any]] = []
    async with server_process(tmp_path / "data") as server, Organiser(server) as organiser:
        race = {"time_limit_ms": 1000, "countdown_ms": 200}
        rounds = max(ROUNDS, KILLS // 2)
        await organiser.make("swiss", rounds=rounds, race=race, entry="list")
        for entry in await organiser.add("Ann", "Ben", "Cy", "Dora", "Eve"):
            driver = await Driver.enter(server.ws, entry["name"])
            async with drivers(driver):
                await driver.done("enter", tournament=organiser.tournament, claim=entry["claim"])
        for _ in range(KILLS):
            playing = asyncio.create_task(play_on(organiser, answered))
            await asyncio.sleep(lot.random() * 1.5)
            await server.kill()
            await playing
            await server.start()
        await play_on(organiser, answered)
        state = await organiser.get()
        told = (await organiser.get("/standings"))["rows"]
        assert state["state"] == "over"
        assert [{f: row[f] for f in FIELDS} for row in told] == [
            {f: row[f] for f in FIELDS} for row in table(state)
        ]
        drawn = [
            line for line in (await organiser.get("/log"))["log"] if line["what"] == "round_drawn"
        ]
        assert [line["round"] for line in drawn] == [*range(1, rounds + 1)]
        rooms = {(heat["round"], heat["heat"]): heat["room"] for heat in state["heats"]}
        for one in answered:
            assert [rooms[one["round"], heat["heat"]] for heat in one["heats"]] == [
                heat["room"] for heat in one["heats"]
            ]
        for heat in state["heats"]:
            assert len(heat["results"]) == 2
            record = await get_json(server, f"/api/races/{heat['results'][0]['race']}")
            RaceRecord.read(json.dumps(record)).verify()
        assert await server.terminate() == 0
        assert await asyncio.to_thread(main, ["check", "--data", str(tmp_path / "data")]) == 0
