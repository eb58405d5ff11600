"""Every race's seal is that of the code which it tells when it is over, and not before.

Promise 22. Sizes: 20 races in the normal run, 500 under `HALFMOON_LONG`.
"""

from __future__ import annotations

import asyncio
import os

import pytest

from halfmoon_testing import oracle
from halfmoon_testing.driver import Driver, line_up, start_race
from halfmoon_testing.server import InProcess, get_json, get_text

ROOMS, RACES = (20, 25) if os.environ.get("HALFMOON_LONG") else (4, 5)


def told_too_early(code: str, texts: list[str]) -> list[str]:
    """The texts in which a code can be read, however it is written."""
    body = code.removeprefix("HM1-S-")
    return [text for text in texts if body in text.upper().replace("-", "")]


async def races_of(server: InProcess, place: int) -> list[str]:
    """The codes of some races in one room, each of them checked."""
    names = [f"{name}{place}" for name in ("Ann", "Bob")]
    players = await line_up(server.ws, names, countdown_ms=0, public=True, spectators="open")
    watcher = await Driver.enter(server.ws, f"Eve{place}")
    await watcher.join(players[0].room, as_="spectator")
    everybody = [*players, watcher]
    codes: list[str] = []
    for _ in range(RACES):
        before = [len(one.texts) for one in everybody]
        seal = (await watcher.done("join_room"))["seal"]
        await start_race(players)
        race = players[0].of("started")[-1]["race"]
        pages = [await get_text(server, page) for page in (f"/api/races/{race}", "/api/rooms")]
        await players[0].done("retire")
        early = [*pages]
        for one, start in zip(everybody, before, strict=True):
            early += one.texts[start:]
        await players[1].done("retire")
        told = [await one.until("over") for one in everybody]
        code: str = told[0]["code"]
        assert {(over["code"], over["seal"]) for over in told} == {(code, seal)}
        assert seal == oracle.seal_of(code)
        assert told_too_early(code, early) == []
        record = await get_json(server, f"/api/races/{race}")
        assert (record["code"], record["seal"]) == (code, seal)
        codes.append(code)
        await players[0].done("rematch")
        for player in players:
            await player.done("set_ready", ready=True)
    for one in everybody:
        await one.close()
    return codes


async def test_every_seal_is_that_of_the_code_told_afterwards(server: InProcess) -> None:
    found = await asyncio.gather(*(races_of(server, place) for place in range(ROOMS)))
    codes = [code for some in found for code in some]
    assert len(set(codes)) == ROOMS * RACES, "no deal comes twice"


@pytest.mark.parametrize("how", ["{}", '{{"code":"{}"}}'])
def test_a_code_told_too_early_is_caught(how: str) -> None:
    code = "HM1-S-" + "ABCDEFGHIJKLMNOPQRSTUVWXYZAB"
    early = how.format(code.replace("FGH", "F-GH").lower())
    assert told_too_early(code, ["", early]) == [early]
