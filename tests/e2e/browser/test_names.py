"""Names and texts are shown as they are and do nothing (reliability P21; reports B65 and B67)."""

from __future__ import annotations

import os
from typing import Any

import pytest
from playwright.async_api import expect

from e2e.browser.conftest import NewTab
from e2e.browser.payloads import many
from e2e.browser.played import OPTIONS, ROOM, Played, room
from e2e.browser.tab import Tab
from halfmoon_testing.server import InProcess

NAMES = ["Ann", *many(300 if os.environ.get("HALFMOON_LONG") else 60)]

LAYOUT = """([rows, edge]) => {
    const boxes = [...document.querySelectorAll(rows)].map((row) => {
        const [box, inner] = [row, row.querySelector(edge)].map((part) => part.getBoundingClientRect());
        return { height: box.height, right: inner.right, isInside: inner.right <= box.right + 1 };
    });
    return { boxes, overflow: document.documentElement.scrollWidth - innerWidth };
}"""
"""The heights of the rows, and where in each of them the part lies that a name could push."""


async def shows_as_it_is(tab: Tab, rows: str, edge: str) -> None:
    await expect(tab.page.locator(rows)).to_have_count(len(NAMES))
    shown = await tab.page.locator(f"{rows} bdi").all_text_contents()
    # One's own line says "you" in the live ranking.
    assert set(NAMES) - set(shown) <= {"Ann"}
    seen: dict[str, Any] = await tab.page.evaluate(LAYOUT, [rows, edge])
    assert seen["overflow"] <= 0
    assert all(box["isInside"] for box in seen["boxes"])
    assert len({round(box["right"]) for box in seen["boxes"]}) == 1
    heights = [box["height"] for box in seen["boxes"]]
    assert max(heights) - min(heights) <= 1.5
    assert await tab.page.title() == "Half Moon Race"
    assert await tab.page.evaluate("typeof pwned") == "undefined"


@pytest.mark.parametrize(
    ("screen", "width", "height"),
    [
        ("lobby", 1280, 800),
        ("lobby", 360, 640),
        ("racing", 1280, 800),  # on a phone the ranking is a strip of pills, as wide as the names
        ("over", 1280, 800),
        ("over", 360, 640),
    ],
)
async def test_hostile_names_are_shown_and_move_nothing(
    server: InProcess, tab: NewTab, screen: str, width: int, height: int
) -> None:
    one = await tab(server, viewport={"width": width, "height": height})
    await one.page.route("**/api/races/*", lambda route: route.fulfill(status=404))
    one.expects_missing = True
    await Played.on(one, room(NAMES, screen, host="p_gone"))
    rows, edge = {
        "lobby": (".person", "small"),
        "racing": (".rival", ".points"),
        "over": ("hm-standings tbody tr", ".col-best"),
    }[screen]
    await shows_as_it_is(one, rows, edge)


async def test_texts_from_elsewhere_are_shown_as_texts(server: InProcess, tab: NewTab) -> None:
    """A code, a refusal's message and a close reason by somebody else's program."""
    one = await tab(server)
    payload = "<img src=x onerror=pwned()>"
    options = OPTIONS | {"code": payload}
    played = await Played.on(one, room(["Ann", "Ben"], "lobby", options=options, code=payload))
    await expect(one.page.locator(".terms .copied-text")).to_have_text(payload)
    played.say({"type": "error", "code": payload, "message": payload, "room": ROOM})
    await expect(one.banner()).to_contain_text("That didn't work")
    await played.close(4001, payload)
    await expect(one.banner()).to_contain_text("another tab")
    assert await one.page.evaluate("typeof pwned") == "undefined"
