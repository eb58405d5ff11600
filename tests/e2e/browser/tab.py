"""A player at a browser: does what a person does with a page, and complains where a person would."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import (
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    WebSocketRoute,
    expect,
)

WITHIN_MS = 20_000.0
"""So long anything may take to show."""

LISTEN = """
window.cspReports = [];
document.addEventListener("securitypolicyviolation",
  (event) => window.cspReports.push(event.violatedDirective + " " + event.blockedURI));
"""
"""Runs before the page does: keeps what the policy refused."""

FACE_UP = """(spot) => new Promise((found, failed) => {
    const until = performance.now() + 15000;
    const look = () => {
        if (performance.now() > until) return failed(new Error(`no card turned up on ${spot}`));
        const card = document.querySelector(`hm-race [data-spot="${spot}"] hm-card`);
        if (!["red", "black"].includes(card.dataset.kind)) return requestAnimationFrame(look);
        const box = card.getBoundingClientRect();
        found([box.x + box.width / 2, box.y + box.height / 2]);
    };
    look();
})"""
"""The middle of the card on a spot, once it shows its face."""

_SOCKET = re.compile("/ws$")
_MISSING = re.compile(r"status of (401|404)")
_REFUSED = re.compile(r"WebSocket connection to 'ws://[^']*' failed")


class Tab:
    """One page, the things that can be done on it, and all that it did wrong."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base
        self.faults: list[str] = []
        self.may_lose_the_line = False
        """Whether the server is down for a while: refused sockets are no fault then."""
        self.expects_missing = False
        """Whether something isn't found, or not for the test's made-up token, which the browser reports."""
        self.is_held = False
        """Whether its line goes through a test's hands, which don't let go of it again."""
        page.set_default_timeout(WITHIN_MS)
        page.on("console", self._said)
        page.on("pageerror", self._failed)
        page.on("request", self._asked)

    def leave(self) -> None:
        """Somebody else takes the page."""
        self.page.remove_listener("console", self._said)
        self.page.remove_listener("pageerror", self._failed)
        self.page.remove_listener("request", self._asked)

    def _said(self, message: ConsoleMessage) -> None:
        is_refused = self.may_lose_the_line and _REFUSED.search(message.text)
        is_missing = self.expects_missing and _MISSING.search(message.text)
        if message.type in ("error", "warning") and not is_refused and not is_missing:
            self.faults.append(f"{message.type}: {message.text}")

    def _failed(self, error: Error) -> None:
        self.faults.append(f"error: {error}")

    def _asked(self, request: Request) -> None:
        if urlsplit(request.url).netloc != urlsplit(self.base).netloc:
            self.faults.append(f"a request to another place: {request.url}")

    async def check(self) -> None:
        """Nothing went wrong so far."""
        assert not self.faults, self.faults
        assert await self.page.evaluate("window.cspReports") == []

    async def hold(self, take: Callable[[WebSocketRoute], Any]) -> None:
        """Give every line that the page opens to `take`, instead of to the server."""
        self.is_held = True
        await self.page.route_web_socket(_SOCKET, take)

    # Getting in

    async def open(self, path: str = "/") -> None:
        await self.page.goto(self.base + path)

    async def say_name(self, name: str) -> None:
        await self.page.locator("#name").fill(name)

    async def create(self, name: str) -> str:
        """Make a room; its id."""
        await self.open()
        await self.say_name(name)
        await self.button("Race friends").click()
        return (await self.page.locator(".room-id").inner_text()).strip()

    async def join(self, room: str, name: str) -> None:
        """Follow the link to a room."""
        await self.open(f"/r/{room}")
        await self.say_name(name)
        await self.button("Join").click()
        await expect(self.page.locator(".room-id")).to_have_text(room)

    async def set_option(self, name: str, value: str) -> None:
        """Type into a text field of the options, and leave it."""
        field = self.page.locator(f"#option-{name}")
        await field.fill(value)
        await field.blur()

    async def ready(self) -> None:
        await self.button("Ready", exact=True).click()
        await expect(self.button("Not ready")).to_be_visible()

    async def start(self) -> None:
        await self.button("Start the race").click()

    # Racing

    def spot(self, name: str) -> Locator:
        return self.page.locator(f'hm-race [data-spot="{name}"]')

    async def is_racing(self) -> None:
        await expect(self.page.locator("hm-race hm-board")).not_to_have_attribute("inert", "")

    async def tap(self, *spots: str) -> None:
        """Press on the cards, each as soon as it lies face up."""
        for spot in spots:
            x, y = await self.page.evaluate(FACE_UP, spot)
            await self.page.mouse.click(x, y)

    async def play(self, line: Sequence[Sequence[str]]) -> None:
        """Tap the cards of every move, one after the other."""
        for move in line:
            await self.tap(*move)

    async def has(self, *, score: int, moves: int) -> None:
        """The information bar says so."""
        values = self.page.locator("hm-infobar .stat .value")
        await expect(values.nth(2)).to_have_text(str(score))
        await expect(values.nth(3)).to_have_text(str(moves))

    async def faces(self) -> list[str]:
        """What every spot says to a screen reader."""
        spots = self.page.locator("hm-race [data-spot]")
        names = await spots.evaluate_all("all => all.map((spot) => spot.ariaLabel)")
        return [str(name) for name in names]

    async def undo(self) -> None:
        await self.button("Undo").click()

    async def retire(self) -> None:
        await self.button("Retire").click()
        await self.button("Retire").click()

    # Looking

    def button(self, name: str, *, exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def rival(self, name: str) -> Locator:
        """The line of the live ranking."""
        return self.page.locator(".rival").filter(has=self.page.locator("bdi", has_text=name))

    def banner(self) -> Locator:
        return self.page.locator("hm-banner.shown")

    async def reads(self, text: str) -> None:
        """These words stand somewhere on the page."""
        await expect(self.page.get_by_text(text).filter(visible=True).first).to_be_visible()

    async def result(self) -> list[tuple[str, ...]]:
        """Rank, player, end and best score of each line of the result table."""
        rows = self.page.locator("hm-standings tbody tr")
        await expect(rows.first).to_be_visible()
        read = "all => all.map((row) => [0, 1, 2, 3].map((i) => row.children[i].innerText.trim()))"
        return [tuple(row) for row in await rows.evaluate_all(read)]
