"""What the figures of `make bench` are taken with: a server, honest people, and how to print."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from halfmoon_testing.driver import Driver, line_up, start_race
from halfmoon_testing.server import ServerProcess, get_text
from halfmoon_testing.solver import WINNABLE_CODE

LONG = bool(os.environ.get("HALFMOON_LONG"))
WIDE = ("--limit-connections", "5000", "--limit-new-connections", "100000/100000")
"""Attackers and honest people have one address here."""


def show(value: float, unit: str, what: str) -> None:
    """A line of figures."""
    print(f"{value:>12,.1f}  {unit:<5} {what}", flush=True)


def centile(values: Sequence[float], share: float) -> float:
    """The value that this share of them stays below."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def resident_kib(server: ServerProcess) -> int:
    """What the process holds."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text())
    assert found is not None, "Linux says so"
    return int(found[1])


async def racing(server: ServerProcess, count: int, **options: Any) -> list[Driver]:
    """So many people whose race runs."""
    names = [f"P{number}" for number in range(count)]
    players = await line_up(
        server.ws, names, code=WINNABLE_CODE, countdown_ms=0, max_players=1000, **options
    )
    await start_race(players)
    return players


async def hung_up(players: Sequence[Driver]) -> None:
    """All of them gone without a word."""
    await asyncio.gather(*(player.cut() for player in players))


async def show_lag(server: ServerProcess, what: str) -> None:
    """How late the server's event loop was, over its whole life."""
    text_of_metrics = await get_text(server, "/metrics")
    lags = re.findall(r'loop_lag_seconds_bucket{le="([^"]+)"} (\S+)', text_of_metrics)
    total = float(lags[-1][1])
    bound = next(le for le, seen in lags if float(seen) >= 0.99 * total)
    print(f"{'≤ ' + bound:>12}  s     {what}")
