"""Records that hold, and hold what nobody expects: the page shows them as any other, or says what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.async_api import expect

from e2e.browser.conftest import NewTab
from e2e.browser.test_records import drop
from halfmoon_testing.oracle import Deed, OracleBoard
from halfmoon_testing.records import OPEN_CODES, Record, simulated_race, written_down
from halfmoon_testing.server import InProcess

CODE = OPEN_CODES[1]
LIMITLESS = {"time_limit_ms": None, "undo": True, "ends": "all", "code": CODE}
FIRST = tuple(next(iter(OracleBoard.of_code(CODE).legal_moves())))


def called(name: str, player: str) -> Record:
    """A race whose first racer is called so, and known by this id."""
    record = simulated_race(2, code=CODE, players=3)
    old = record["players"][0]["player"]
    for line in (*record["players"], *record["standings"]):
        if line["player"] == old:
            line |= {"player": player, "name": name}
    return record


def with_options(**options: Any) -> Record:
    record = simulated_race(2, code=CODE, players=2)
    return {**record, "options": {**record["options"], **options}}


def lasting(at_ms: int, count: int) -> Record:
    """A race in which moves are made and taken back over so long a time."""
    deeds = [Deed(at_ms * (i + 1) // count, spots=FIRST, undo=i % 2 == 1) for i in range(count)]
    record = written_down(CODE, LIMITLESS, {"p_1": deeds, "p_2": []})
    return {**record, "starts_at": 0, "over_at": at_ms}


HOLDING: dict[str, Callable[[], Record]] = {
    "a name of the language": lambda: called("__proto__", "__proto__"),
    "a name that is code": lambda: called("<img src=x onerror=alert(1)>", "constructor"),
    "no name at all": lambda: called("", ""),
    "a name from right to left": lambda: called("\u202etfel", "\u202e"),
    "an id that is a selector": lambda: called("Ann", '"] , * {x'),
    "options that are none": lambda: with_options(
        public="<b>", max_players="x", spectators=5, spectator_delay_ms=[], countdown_ms=None
    ),
    "a race that is markup": lambda: {**called("Ann", "p_1"), "race": "<b>", "room": "<i>" * 999},
    "a race after all calendars": lambda: {
        **lasting(1_000, 4),
        "starts_at": 2**53 - 1_001,
        "over_at": 2**53 - 1,
    },
    "a race for ever": lambda: lasting(2**53 - 1, 4),
    "very many actions": lambda: lasting(10**7, 1_000),
}


async def test_records_that_hold_are_shown_whatever_they_hold(
    server: InProcess, tab: NewTab
) -> None:
    eve = await tab(server)
    rows = eve.page.locator("hm-results tbody tr")
    for what, make in HOLDING.items():
        record = make()
        await eve.open("/replay")
        await expect(eve.page.locator(".entrance")).to_be_visible()
        await drop(eve, json.dumps(record))
        await expect(rows, what).to_have_count(len(record["standings"]))
        await expect(eve.page.locator("main"), what).not_to_contain_text("Invalid")
        await eve.check()
