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

from e2e.browser.tab import LISTEN, WITHIN_MS, Tab
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
    """Browsers of the tests' people, each with a page: to make one costs as much as all that it shows.

    One that was only looked through is taken again by somebody else, in another test: its page
    shows nothing, and what it kept for any server is gone.  A page whose line a test has in its
    hands can't be let go, and is closed.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: dict[str, list[BrowserContext]] = {}

    async def make(self, **options: Any) -> BrowserContext:
        context = await self._browser.new_context(
            **{"locale": "en-GB", "viewport": VIEWPORT, "reduced_motion": "reduce", **options}
        )
        await context.add_init_script(LISTEN)
        await context.new_page()
        return context

    async def take(self, **options: Any) -> BrowserContext:
        idle = self._idle.get(repr(sorted(options.items())))
        return idle.pop() if idle else await self.make(**options)

    async def give_back(self, tabs: list[Tab], context: BrowserContext, **options: Any) -> None:
        origins = {_origin(page.url) for page in context.pages}
        for one in tabs:
            one.leave()
            if one.is_held or one is not tabs[0]:
                await one.page.close()
        kept = context.pages[0] if context.pages else await context.new_page()
        await kept.unroute_all()
        await kept.emulate_media(media="null")
        await kept.mouse.move(0, 0)
        await kept.goto("about:blank")
        tools = await context.new_cdp_session(kept)
        for origin in origins:
            data = {"origin": origin, "storageTypes": "all"}
            await tools.send("Storage.clearDataForOrigin", data)
        await tools.detach()
        self._idle.setdefault(repr(sorted(options.items())), []).append(context)


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


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
    taken: list[tuple[BrowserContext, dict[str, Any] | None]] = []

    async def open_tab(
        at: Address, beside: Tab | None = None, alone: bool = False, **options: Any
    ) -> Tab:
        viewport = options.pop("viewport", VIEWPORT)
        if beside is None:
            context = await (contexts.make if alone else contexts.take)(**options)
            taken.append((context, None if alone else options))
            page = context.pages[0]
        else:
            page = await beside.page.context.new_page()
        made = Tab(page, at.http)
        tabs.append(made)
        await page.set_viewport_size(viewport)
        return made

    yield open_tab
    try:
        for one in tabs:
            if not one.page.is_closed():
                await one.check()
    finally:
        for context, options in taken:
            its = [one for one in tabs if one.page.context == context]
            await (
                context.close() if options is None else contexts.give_back(its, context, **options)
            )
