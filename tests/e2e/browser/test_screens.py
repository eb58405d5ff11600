"""Every screen as assistive technology meets it: axe finds nothing, in size, theme and language."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import expect

from e2e.browser.conftest import NewTab
from e2e.browser.played import Played, board, room
from e2e.browser.tab import Tab
from halfmoon_testing.server import InProcess

SIZES = {"phone": (360, 640), "lying": (640, 360), "tablet": (820, 1180), "desktop": (1280, 800)}
PEOPLE = ["Ann", "Márton", "Kata-Bernadett Nagy", "Bence"]

FEW = [("desktop", "dark", "en"), ("phone", "light", "hu"), ("lying", "dark", "de")]
ALL = [
    (size, theme, lang)
    for size in SIZES
    for theme in ("dark", "light")
    for lang in ("en", "hu", "de")
]
AXE = Axe()
LONG = bool(os.environ.get("HALFMOON_LONG"))

SMALL = """() => [...document.querySelectorAll("button, a, input, select")]
    .filter((one) => one.checkVisibility() && !one.closest("[inert], .offscreen") && !one.matches("[data-spot]"))
    .map((one) => [one.getBoundingClientRect(), one.outerHTML.slice(0, 90)])
    .filter(([box]) => box.height > 0 && (box.height < 44 || box.width < 24 || box.right > innerWidth + 1 || box.left < -1))
    .map(([box, html]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`)"""
"""Controls that are too small for a finger, or out of its reach at a side; a label beside a tick belongs to it."""

OUTSIDE = """() => [...document.querySelectorAll("hm-race [data-spot]")]
    .map((spot) => [spot.dataset.spot, spot.querySelector("hm-card").getBoundingClientRect()])
    .filter(([, box]) => box.left < 0 || box.top < 0 || box.right > innerWidth
        || box.bottom > innerHeight || box.width < 40)
    .map(([name, box]) => `${name} ${JSON.stringify(box)}`)"""


async def is_clean(tab: Tab, where: str) -> None:
    """Axe finds nothing, nothing is cut off at the side."""
    if not await tab.page.evaluate("'axe' in window"):
        await tab.page.evaluate(AXE.axe_script)
    found: dict[str, Any] = await tab.page.evaluate(
        "axe.run({ resultTypes: ['violations'], elementRef: false })"
    )
    problems = [
        f"{where}: {one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}"
        for one in found["violations"]
    ]
    assert problems == []
    overflow = "document.documentElement.scrollWidth - innerWidth"
    assert await tab.page.evaluate(overflow) <= 0, where


async def fingers_fit(tab: Tab) -> None:
    ticks = "checkbox"
    small = await tab.page.evaluate(SMALL)
    assert [one for one in small if ticks not in one and "range" not in one] == []


@pytest.mark.parametrize(("size", "theme", "lang"), ALL if LONG else FEW)
async def test_every_screen_is_clean(
    server: InProcess, tab: NewTab, size: str, theme: str, lang: str
) -> None:
    width, height = SIZES[size]
    options: dict[str, Any] = {
        "viewport": {"width": width, "height": height},
        "color_scheme": theme,
        "locale": lang,
        "has_touch": size != "desktop",
    }
    one = await tab(server, **options)
    page = one.page
    one.expects_missing = True
    await one.open()
    await expect(page.locator("#name")).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("lang", lang)
    await is_clean(one, "home")
    await fingers_fit(one)

    played = await Played.on(one, room(PEOPLE, "lobby"))
    await expect(page.locator(".person")).to_have_count(4)
    await is_clean(one, "lobby")
    await fingers_fit(one)

    await page.locator("hm-settings > button").click()
    await is_clean(one, "settings")
    await page.keyboard.press("Escape")
    await page.keyboard.press("?")
    await expect(page.locator("dialog")).to_be_visible()
    await is_clean(one, "keys")
    await page.keyboard.press("Escape")

    played.answer = room(PEOPLE, "racing")
    played.say(played.answer)
    await one.is_racing()
    assert await page.evaluate(OUTSIDE) == []
    assert await page.evaluate("document.querySelector('main').scrollHeight <= innerHeight")
    await page.locator("hm-settings > button").click()
    bottom = "document.querySelector('#settings').getBoundingClientRect().bottom"
    assert await page.evaluate(bottom) <= SIZES[size][1]
    await page.keyboard.press("Escape")
    await one.tap("1")
    played.say({"type": "reaction", "room": "H4K7P", "n": 2, "player": "p_1", "reaction": "wow"})
    await expect(page.locator("hm-reaction svg")).to_be_visible()
    await is_clean(one, "race")
    await fingers_fit(one)

    stuck = board(status="deadlocked", can_undo=True, moves=3, turn=3, score=30)
    you = {"as": "player", "board": stuck}
    played.say(room(PEOPLE, "racing", n=3, you=you, spectators=2))
    await expect(page.locator(".eyes .icon")).to_be_in_viewport(ratio=1)
    await expect(page.locator("hm-board .note:not(.empty)")).to_be_visible()
    await is_clean(one, "deadlock")

    played.say(room(PEOPLE, "over", n=4))
    await expect(page.locator("hm-standings tbody tr")).to_have_count(4)
    await is_clean(one, "over")
    await fingers_fit(one)
    played.say(room(PEOPLE, "over", n=5, host="p_1", host_name=PEOPLE[1]))
    await expect(page.locator("hm-standings .actions > p")).to_be_visible()
    await page.locator("hm-banner button").click()  # says who the host is now
    await expect(one.banner()).not_to_be_visible()
    await fingers_fit(one)


async def test_the_screens_between_are_clean(server: InProcess, tab: NewTab) -> None:
    """The countdown, watching, a seat that went elsewhere."""
    one = await tab(server, viewport={"width": 360, "height": 640}, has_touch=True)
    page = one.page
    soon = int(time.time() * 1000) + 50_000
    played = await Played.on(one, room(PEOPLE, "countdown", starts_at=soon))
    await expect(page.locator("hm-countdown .digit")).to_be_visible()
    await is_clean(one, "countdown")
    watched = room(PEOPLE, "racing", n=2, you={"as": "spectator"})
    played.say(watched | {"players": watched["players"][1:]})
    await expect(page.locator(".watching-note")).to_be_visible()
    await is_clean(one, "watching")
    await fingers_fit(one)
    await played.close(4001, "replaced")
    await expect(one.banner()).to_contain_text("another tab")
    await is_clean(one, "replaced")
    await fingers_fit(one)


async def test_at_twice_the_size_nothing_is_cut_off(server: InProcess, tab: NewTab) -> None:
    """A desktop at 200 % has half as many pixels, each twice as large."""
    one = await tab(server, viewport={"width": 640, "height": 400}, device_scale_factor=2)
    one.expects_missing = True
    played = await Played.on(one, room(PEOPLE, "lobby"))
    await expect(one.page.locator(".person")).to_have_count(4)
    await is_clean(one, "lobby at 200 %")
    played.say(room(PEOPLE, "racing", n=2))
    await one.is_racing()
    assert await one.page.evaluate(OUTSIDE) == []
    await is_clean(one, "race at 200 %")
