"""What somebody stumbles over who is here for the first time."""

from __future__ import annotations

import json

from playwright.async_api import Route, expect

from e2e.browser.conftest import NewTab
from e2e.browser.played import ROOM, Played, room
from halfmoon_testing.server import InProcess

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}

WIDER = "() => { const m = document.querySelector('main'); return m.scrollWidth - m.clientWidth; }"
"""By how much the screen's content is wider than the screen."""


async def test_the_host_races_who_starts_without_having_said_ready(
    server: InProcess, tab: NewTab
) -> None:
    ann, ben, eve = await tab(server), await tab(server), await tab(server)
    room_id = await ann.create("Ann")
    await eve.open(f"/r/{room_id}?watch")
    await expect(eve.page.locator(".room-id")).to_have_text(room_id)
    await ben.open(f"/r/{room_id}")
    await ben.reads("Ann invites you to a race")
    await ben.reads("1 player here · in the lobby")
    await ben.join(room_id, "Ben")
    await ann.reads("Only this device can open this link")
    await ann.set_option("countdown_ms", "0")
    await ben.ready()
    await ann.button("Ready, and start").click()
    for one in (ann, ben):
        await one.is_racing()
        await one.retire()
    await ann.result()
    async with ann.page.expect_download() as download:
        await ann.page.get_by_role("link", name="Record of this race").click()
    record = json.loads((await (await download.value).path()).read_text())
    assert {player["name"] for player in record["players"]} == {"Ann", "Ben"}

    await ann.button("Same deal again").click()
    await ann.reads("the code of an earlier race")


async def test_joining_asks_for_the_room_and_says_so_in_view(
    server: InProcess, tab: NewTab
) -> None:
    one = await tab(server, **PHONE)
    one.expects_missing = True
    await one.open("/r/22222")
    await expect(one.page.locator(".invitation")).to_contain_text("There is no room 22222")
    await expect(one.button("Race friends")).to_have_class("main")
    await one.say_name("Ann" + "😀" * 30)
    await expect(one.page.locator("#name")).to_have_value("Ann" + "😀" * 21)
    await one.say_name("Ann")
    trouble = one.page.locator(".trouble")
    await one.button("Join").click()
    await expect(trouble).to_contain_text("give the room first")
    await expect(trouble).to_be_in_viewport(ratio=1)
    await expect(one.page.locator("#room")).to_be_focused()
    await one.page.locator("#room").press("Enter")
    await expect(trouble).to_contain_text("give the room first")
    await one.page.locator("#room").fill("ABCDE")
    await one.button("Join").click()
    await expect(trouble).to_contain_text("There is no such room")
    await expect(trouble).to_be_in_viewport(ratio=1)


async def test_a_refused_option_is_told_at_its_field_and_stays_to_be_mended(
    server: InProcess, tab: NewTab
) -> None:
    one = await tab(server, **PHONE)
    await one.create("Ann")
    code, trouble = one.page.locator("#option-code"), one.page.locator(".trouble")
    await one.set_option("code", "HM1-N-NONE")
    await expect(trouble).to_contain_text("Game code: that isn't a valid one.")
    await expect(code).to_have_attribute("aria-invalid", "true")
    await expect(code).to_have_value("HM1-N-NONE")
    await expect(one.banner()).not_to_be_visible()
    await one.set_option("countdown_ms", "61")
    await expect(trouble.nth(1)).to_have_text("Countdown: from 0 to 60 seconds.")
    await one.set_option("countdown_ms", "6")
    await expect(trouble).to_have_count(1)
    await one.page.locator("#option-undo").uncheck()
    await expect(one.page.locator("dd").filter(has_text="6 seconds")).to_be_attached()
    await expect(code).to_have_value("HM1-N-NONE")
    await expect(trouble).to_contain_text("Game code: that isn't a valid one.")
    await one.set_option("code", "")
    await expect(trouble).not_to_be_attached()
    await expect(one.page.locator("[aria-invalid=true]")).to_have_count(0)


async def test_wide_names_are_cut_and_one_sees_oneself(server: InProcess, tab: NewTab) -> None:
    names = ["Ann", "W" * 24, "漢" * 24, "Kata-Bernadett Nagy"]
    one = await tab(server, **PHONE)
    played = await Played.on(one, room(names, "racing"))
    await one.is_racing()
    await expect(one.page.locator(".rival.me")).to_be_in_viewport(ratio=1)

    async def record(route: Route) -> None:
        moves = [{"at_ms": 4_900, "move": ["1", "2"]}, {"at_ms": 9_999, "move": ["1", "2"]}]
        players = [
            {"player": f"p_{i}", "name": name, "actions": moves} for i, name in enumerate(names)
        ]
        await route.fulfill(json={"starts_at": 0, "over_at": 10_000, "players": players})

    await one.page.route("**/api/races/*", record)
    played.say(room(names, "over", n=2))
    await expect(one.page.locator(".legend b")).to_have_text(["20"] * 4)
    assert await one.page.evaluate(WIDER) <= 0
    assert ROOM in one.page.url
