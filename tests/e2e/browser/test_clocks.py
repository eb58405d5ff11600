"""Clocks that are wrong, clocks that jump, and lines that are slow: the server's time is what counts."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.async_api import expect

from e2e.browser.conftest import NewTab
from e2e.browser.played import Message, Played, room
from e2e.browser.tab import Tab
from halfmoon_testing.server import InProcess

MOST_OFF_MS = 5000
"""So far from the server's time may the page be on a busy machine; the clocks are off by minutes."""

SERVER_NOW = "document.querySelector('hm-infobar').serverNow()"

GO = """() => new Promise((done) => {
    const board = document.querySelector("hm-race hm-board");
    const digit = document.querySelector("hm-countdown");
    const look = () => board.inert ? requestAnimationFrame(look) : done(digit.hidden);
    look();
})"""
"""Whether the countdown is gone in the frame in which the board opens."""


class FarAway(Played):
    """A server at the other end of the world: every message takes its time, and not always as long."""

    ways_ms = (300, 100, 200)
    """How long the next one takes, in turn, each way."""
    _count = 0

    def _later(self, *args: Any) -> None:
        self._count += 1
        way_ms = self.ways_ms[self._count // 2 % len(self.ways_ms)]
        asyncio.get_running_loop().call_later(way_ms / 1000, *args)

    def say(self, message: Message) -> None:
        self._later(super().say, message)

    def _hears(self, text: str | bytes) -> None:
        self._later(super()._hears, text)


async def is_right(tab: Tab) -> None:
    """The page's idea of the server's time is right, and so is what it says."""
    before = time.time() * 1000
    said = float(await tab.page.evaluate(SERVER_NOW))
    after = time.time() * 1000
    assert before - MOST_OFF_MS < said < after + MOST_OFF_MS


@pytest.mark.parametrize("wrong_by", [timedelta(minutes=11), timedelta(days=-1)])
async def test_a_wrong_clock_and_one_that_jumps_make_no_difference(
    server: InProcess, tab: NewTab, wrong_by: timedelta
) -> None:
    """Report B11: the countdown and the race's time are the server's."""
    one = await tab(server, alone=True)
    await one.page.clock.install(time=datetime.now(UTC) + wrong_by)
    soon = int(time.time() * 1000) + 50_000
    played = await Played.on(one, room(["Ann", "Ben"], "countdown", starts_at=soon))
    digit = int(await one.page.locator("hm-countdown .digit").inner_text())
    assert 0 < digit <= 50
    await is_right(one)

    played.say(room(["Ann", "Ben"], "racing", n=2))
    await one.is_racing()
    await one.page.clock.set_system_time(datetime.now(UTC) + timedelta(hours=1))
    await is_right(one)
    shown = one.page.locator("hm-infobar .stat .value").first
    minutes, seconds = (await shown.inner_text()).split(":")
    # The race began a minute before it was told; the page's idea of now may be off by a blink.
    assert 59 <= int(minutes) * 60 + int(seconds) < 600


async def test_far_from_the_server_the_board_opens_with_go(server: InProcess, tab: NewTab) -> None:
    """Report B10: a line of 600 ms there and back, which is uneven."""
    one = await tab(server)
    soon = int(time.time() * 1000) + 50_000
    played = await FarAway.on(one, room(["Ann", "Ben"], "countdown", starts_at=soon))
    await expect(one.page.locator("hm-countdown .digit")).to_be_visible()
    await is_right(one)
    played.say(room(["Ann", "Ben"], "racing", n=2))
    assert await one.page.evaluate(GO)
    await is_right(one)
