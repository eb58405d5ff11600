"""A real Chromium, started once for all tests of a worker; each player is a context of its own."""

from __future__ import annotations

import shutil
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, async_playwright, expect

from e2e.browser.tab import LISTEN, WITHIN_MS, Tab, new_tab
from halfmoon_server.settings import Settings
from halfmoon_testing.server import UNHURRIED, Address, InProcess, in_process, server_process

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

VIEWPORT = {"width": 1280, "height": 800}

NewTab = Callable[..., Awaitable[Tab]]
"""Opens a tab: `tab(server)` for a new player, `tab(server, beside=other)` in the same browser."""


class Contexts:
    """Browsers of the tests' people: to make one costs as much as all that a page does in it.

    One that was only looked through is taken again by somebody else, in another test: every page of
    it is closed, and what it kept for any server is gone.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: list[BrowserContext] = []

    async def make(self, **options: Any) -> BrowserContext:
        context = await self._browser.new_context(
            **{"locale": "en-GB", "viewport": VIEWPORT, "reduced_motion": "reduce", **options}
        )
        await context.add_init_script(LISTEN)
        return context

    async def take(self) -> BrowserContext:
        return self._idle.pop() if self._idle else await self.make()

    async def give_back(self, context: BrowserContext) -> None:
        for page in context.pages:
            origin = urlsplit(page.url)
            tools = await context.new_cdp_session(page)
            kept = {"origin": f"{origin.scheme}://{origin.netloc}", "storageTypes": "all"}
            await tools.send("Storage.clearDataForOrigin", kept)
            await page.close()
        self._idle.append(context)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything below this folder drives the browser."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="no chromium is installed"))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    expect.set_options(timeout=WITHIN_MS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=FLAGS
        )
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def server(tmp_path: Path) -> AsyncIterator[InProcess]:
    """A server in this process, without limits that a test could meet by playing fast."""
    async with in_process(Settings(data=tmp_path / "data", limits=UNHURRIED)) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def process(tmp_path: Path) -> AsyncIterator[Any]:
    """A server process on a port that it keeps when it is started again."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    async with server_process(tmp_path / "data", port=port) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def contexts(browser: Browser) -> Contexts:
    return Contexts(browser)


@pytest_asyncio.fixture(loop_scope="session")
async def tab(contexts: Contexts) -> AsyncIterator[NewTab]:
    """How players come: each in a browser of their own, and nothing may go wrong on their pages.

    `alone` is for whoever changes more than the page: the clock, what is allowed.
    """
    tabs: list[Tab] = []
    taken: list[tuple[BrowserContext, bool]] = []

    async def open_tab(
        at: Address, beside: Tab | None = None, alone: bool = False, **options: Any
    ) -> Tab:
        viewport = options.pop("viewport", VIEWPORT)
        if beside is None:
            is_kept = not options and not alone
            context = await contexts.take() if is_kept else await contexts.make(**options)
            taken.append((context, is_kept))
        else:
            context = beside.page.context
        made = await new_tab(context, at.http)
        tabs.append(made)
        await made.page.set_viewport_size(viewport)
        return made

    yield open_tab
    try:
        for one in tabs:
            if not one.page.is_closed():
                await one.check()
    finally:
        for context, is_kept in taken:
            await (contexts.give_back(context) if is_kept else context.close())
