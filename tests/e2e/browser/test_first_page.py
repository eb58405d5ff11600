"""How little the first page is, and that the rest comes when it is needed."""

from __future__ import annotations

import asyncio
import re
import shutil
from importlib import resources
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect

from e2e.browser.conftest import NewTab
from e2e.browser.played import Played, room
from halfmoon_server import pages
from halfmoon_server.settings import Settings
from halfmoon_testing.server import InProcess, in_process

PARTS = ("hm-watch", "hm-standings", "hm-keys", "wall")
"""What not everybody sees at once, by the file that it comes in."""


async def parts(page: Page) -> set[str]:
    """Those of the parts that were asked for."""
    asked = await page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    return {part for part in PARTS for url in asked if url.endswith(f"/{part}.js")}


async def test_the_first_page_is_small_and_the_rest_comes_when_it_is_opened(
    server: InProcess, tab: NewTab
) -> None:
    one = await tab(server)
    await one.open()
    await expect(one.page.locator("hm-settings")).to_be_visible()
    sizes = await one.page.evaluate(
        "['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))"
        ".map((entry) => entry.transferSize)"
    )
    assert len(sizes) < 10
    assert 30_000 < sum(sizes) < 80_000
    assert await parts(one.page) == set()
    await one.page.keyboard.press("?")
    await expect(one.page.locator("dialog")).to_be_visible()
    assert await parts(one.page) == {"hm-keys"}
    await one.page.keyboard.press("Escape")
    await one.page.keyboard.press("?")
    await expect(one.page.locator("dialog")).to_be_visible()


async def test_what_is_pressed_before_the_rest_is_there_is_done_once_it_is(
    server: InProcess, tab: NewTab
) -> None:
    """The buttons say that they were pressed, and the room opens as soon as it can."""
    one = await tab(server)
    held = asyncio.Event()

    async def late(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await one.page.route(re.compile(r"/js/(app|rest)\.js"), late)
    await one.page.goto(one.base, wait_until="commit")
    await one.say_name("Ann")
    await one.button("Race friends").click()
    await expect(one.button("Race friends")).to_be_disabled()
    held.set()
    await expect(one.page.locator(".room-id")).to_be_visible()
    await expect(one.page.locator(".person bdi")).to_have_text("Ann")


async def test_a_page_older_than_the_server_is_loaded_anew(server: InProcess, tab: NewTab) -> None:
    """Its parts are gone from there: the player sees the result all the same."""
    one = await tab(server, alone=True)
    one.expects_missing = True
    await one.page.clock.install()

    async def gone(route: Route) -> None:
        await route.fulfill(status=404)

    await one.page.route(re.compile("hm-standings"), gone, times=1)
    async with one.page.expect_response(re.compile("hm-standings")):
        await Played.on(one, room(["Ann", "Ben"], "over"))
    async with one.page.expect_navigation():
        await one.page.clock.fast_forward(10_000)
    await expect(one.page.locator("hm-standings h1")).to_be_visible()


async def test_a_language_is_one_file(
    tab: NewTab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dropped into the folder it is offered, and chosen for whoever reads it; what it lacks is English."""
    web = tmp_path / "web"
    with resources.as_file(resources.files("halfmoon_web")) as package:
        shutil.copytree(package, web)
    (web / "js/words/eo.js").write_text(
        'export const home = {\n  "home.title": "Konkuru kun amikoj",\n};\n'
        'export const page = {\n  "language.name": "Esperanto",\n  "lobby.ready": "Preta",\n};\n'
    )
    made = pages.pages_of(pages.web_files(web))
    monkeypatch.setattr(pages, "packaged_pages", lambda: made)
    async with in_process(Settings(data=tmp_path / "data")) as server:
        one = await tab(server, locale="eo")
        one.may_lose_the_line = True  # this server ends before the tab does
        await one.open()
        await expect(one.page.locator("h1")).to_have_text("Konkuru kun amikoj")
        await one.create("Ann")
        await expect(one.button("Preta", exact=True)).to_be_visible()
        await expect(one.button("Start the race")).to_be_visible()
        offered = one.page.locator("#set-language option")
        await expect(offered.filter(has_text="Esperanto")).to_have_count(1)
