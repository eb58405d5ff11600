"""A line that goes dead without a word, and a page that comes back from the background."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import WebSocketRoute, expect

from e2e.browser.conftest import NewTab
from e2e.browser.tab import Tab
from halfmoon_testing.driver import Driver, drivers
from halfmoon_testing.server import InProcess
from halfmoon_testing.solver import WINNABLE_CODE, winning_line

LINE = winning_line()
APART = next(i for i in range(1, 20) if not set(LINE[i]) & set(LINE[i + 1]))


TOLD_WITHIN_MS = 12_000
"""By the page's clock: so soon after it died a line is said to be lost."""


def score(moves: int) -> int:
    """The points of the winning line's first moves."""
    return sum(10 if len(move) == 2 else 15 for move in LINE[:moves])


class Line:
    """Between the page and the server; while it is dead, nothing gets through and nobody is told."""

    def __init__(self) -> None:
        self.is_dead = False
        self.heard: list[str] = []
        """The types of what the page said."""
        self._servers: list[WebSocketRoute] = []

    async def lay(self, tab: Tab) -> None:
        await tab.hold(self._opened)

    async def lock(self) -> None:
        """The phone sleeps: its socket is gone at the server, and the page isn't told."""
        self.is_dead = True
        for server in self._servers:
            await server.close()
        self._servers.clear()

    async def wake(self, tab: Tab) -> None:
        self.is_dead = False
        await tab.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def _opened(self, socket: WebSocketRoute) -> None:
        if self.is_dead:
            return  # a socket that never opens
        server = socket.connect_to_server()
        self._servers.append(server)

        def out(text: str | bytes) -> None:
            self.heard.append(json.loads(text)["type"])
            if not self.is_dead:
                server.send(text)

        def back(text: str | bytes) -> None:
            if not self.is_dead:
                socket.send(text)

        socket.on_message(out)
        server.on_message(back)


HIDDEN = """() => {
    const banner = document.querySelector("hm-banner").getBoundingClientRect();
    return [...document.querySelectorAll("hm-race [data-spot]")].filter((spot) => {
        const card = spot.querySelector("hm-card").getBoundingClientRect();
        return card.left < banner.right && banner.left < card.right
            && card.top < banner.bottom && banner.top < card.bottom;
    }).map((spot) => spot.dataset.spot);
}"""
"""The cards that lie below the banner: they are to be played while it stands."""


async def in_race(server: InProcess, one: Tab, rival: Driver) -> str:
    """The page and a program race on a known deal."""
    # First: a connection that says nothing for 5 s is closed, and a busy machine's page takes its time.
    await rival.hello("Ben")
    room = await one.create("Ann")
    await one.set_option("code", WINNABLE_CODE)
    await one.set_option("countdown_ms", "0")
    await rival.join(room)
    await rival.done("set_ready", room=room, ready=True)
    await one.ready()
    await one.start()
    await one.is_racing()
    return room


async def test_a_dead_line_is_told_and_taps_are_held(server: InProcess, tab: NewTab) -> None:
    """Report B18."""
    line = Line()
    one = await tab(server, alone=True)
    one.may_lose_the_line = True
    await one.page.clock.install()
    await line.lay(one)
    async with drivers(ben := await Driver.open(server.ws)):
        room = await in_race(server, one, ben)
        await one.play(LINE[:APART])
        await one.has(score=score(APART), moves=APART)
        line.is_dead = True
        await one.play(LINE[APART : APART + 2])
        for turn in range(3):
            await ben.done("move", room=room, turn=turn, spots=LINE[turn])
        await expect(one.banner()).not_to_be_visible()
        await one.page.clock.run_for(TOLD_WITHIN_MS)
        await expect(one.banner()).to_contain_text("Connection lost", timeout=1)
        for width, height in ((360, 640), (640, 360), (768, 1024), (1280, 800)):
            await one.page.set_viewport_size({"width": width, "height": height})
            assert await one.page.evaluate(HIDDEN) == [], (width, height)
        line.is_dead = False
        await one.page.clock.run_for(8_000)  # the attempt that was under way is given up
        await one.has(score=score(APART + 2), moves=APART + 2)
        await expect(one.rival("Ben").locator(".points")).to_have_text("35")
        await expect(one.banner()).not_to_be_visible()


@pytest.mark.parametrize("minutes", [25, 60])
async def test_a_page_that_is_seen_again_asks_at_once(
    server: InProcess, tab: NewTab, minutes: int
) -> None:
    """Reports B27 and B29: what went by meanwhile, and even a dead line, is made good in a moment."""
    line = Line()
    one = await tab(server, alone=True)
    await one.page.clock.install()
    await line.lay(one)
    async with drivers(ben := await Driver.open(server.ws)):
        room = await in_race(server, one, ben)
        line.is_dead = True
        await ben.done("move", room=room, turn=0, spots=LINE[0])
        await one.page.evaluate("window.isTheSamePage = true")
        await one.page.clock.fast_forward(minutes * 60_000)
        await line.wake(one)
        await expect(one.rival("Ben").locator(".points")).to_have_text("10")
        assert line.heard[-1] in ("join_room", "clock")
        assert "join_room" in line.heard
        assert await one.page.evaluate("window.isTheSamePage")


async def test_a_phone_that_slept_through_the_start_wakes_in_the_race(
    server: InProcess, tab: NewTab
) -> None:
    """Report B27: no reload, no name asked, and the seat is there since it was ready."""
    line = Line()
    one = await tab(server, alone=True)
    await one.page.clock.install()
    await line.lay(one)
    async with drivers(ben := await Driver.open(server.ws)):
        await ben.hello("Ben")
        room = (await ben.create(code=WINNABLE_CODE, countdown_ms=0))["room"]
        await one.join(room, "Ann")
        await one.ready()
        await one.page.evaluate("window.isTheSamePage = true")
        await ben.done("set_ready", ready=True)
        await line.lock()
        await ben.done("start")
        await ben.until("started")
        await one.page.clock.fast_forward(10 * 60_000)
        await line.wake(one)
        await one.is_racing()
        await one.play(LINE[:1])
        await one.has(score=10, moves=1)
        assert await one.page.evaluate("window.isTheSamePage")
