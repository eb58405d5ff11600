"""A tournament at browsers: the organiser's page, who plays in it, and the wall of the hall."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Locator, Request, expect

from e2e.browser.conftest import NewTab
from e2e.browser.tab import Tab
from e2e.browser.test_screens import fingers_fit, is_clean
from halfmoon_server.settings import Settings
from halfmoon_testing.organiser import KEY, Organiser
from halfmoon_testing.server import UNHURRIED, InProcess, in_process

PHONE = {"width": 360, "height": 640}
HALL = {"width": 1280, "height": 720}


@pytest_asyncio.fixture(loop_scope="session")
async def hall(tmp_path: Path) -> AsyncIterator[InProcess]:
    """A server whose organiser key is known."""
    settings = Settings(data=tmp_path / "data", limits=UNHURRIED, organiser_key=KEY)
    async with in_process(settings) as running:
        yield running


async def organise(tab: Tab) -> None:
    """Open the link that the server prints."""
    await tab.open(f"/organiser#{KEY}")
    await expect(tab.page.locator("hm-plan")).to_be_visible()
    assert KEY not in tab.page.url


async def make(tab: Tab) -> str:
    """A series of two short rounds for whoever comes; its id."""
    await tab.button("LAN party").click()
    await tab.page.locator("#plan-rounds").fill("2")
    await tab.page.locator("#plan-break").fill("")
    await tab.page.locator("summary", has_text="other options").click()
    await tab.set_option("countdown_ms", "0")
    await tab.button("Make it").click()
    await expect(tab.page.locator("hm-conduct")).to_be_visible()
    return tab.page.url.partition("?t=")[2]


async def knock(tab: Tab, tournament: str, name: str) -> None:
    """Come in with the tournament's id, where a room's is asked for."""
    await tab.open()
    await tab.say_name(name)
    await tab.page.locator("#room").fill(tournament.lower())
    await tab.button("Join").click()
    await tab.page.wait_for_url(f"**/t/{tournament}")
    await come_in(tab, name)


async def enter(tab: Tab, tournament: str, name: str) -> None:
    """Come in by the link for everybody."""
    await tab.open(f"/t/{tournament}")
    await come_in(tab, name)


async def come_in(tab: Tab, name: str) -> None:
    await tab.page.locator("#entrant-name").fill(name)
    await tab.button("Come in").click()
    await is_in(tab, name)


async def is_in(tab: Tab, name: str) -> None:
    await expect(tab.page.locator(".who-line")).to_contain_text(f"You are {name}")


async def come_back(*tabs: Tab) -> None:
    """From the result of the heat to the tournament."""
    for tab in tabs:
        await tab.button("To the tournament").click()
        await expect(tab.page.locator("hm-tournament")).to_be_visible()


def lines(tab: Tab) -> Locator:
    """Of the tournament's table."""
    return tab.page.locator("hm-table tbody tr").filter(visible=True)


async def test_a_series_is_made_entered_raced_and_seen_on_the_wall(
    hall: InProcess, tab: NewTab
) -> None:
    organiser = await tab(hall, viewport=PHONE)
    await organise(organiser)
    t = await make(organiser)
    wall = await tab(hall, viewport=HALL)
    await wall.open(f"/t/{t}/wall")
    await expect(wall.page.locator(".wall-join .qr")).to_be_visible()
    ann, ben = await tab(hall), await tab(hall, viewport=PHONE)
    await enter(ann, t, "Ann")
    await knock(ben, t, "Ben")
    await expect(wall.page.locator(".wall-people .here")).to_have_text(["Ann", "Ben"])

    # The first round: both are taken into the heat by themselves.
    await organiser.button("Start round 1 (2 of 2 here)").click()
    await ann.is_racing()
    await ben.is_racing()
    for watching in (organiser, wall):
        await expect(watching.page.locator(".live-lines li bdi")).to_have_text(["Ann", "Ben"])
        await expect(watching.page.locator(".live-lines .points")).to_have_text(["0", "0"])
    for player in (ann, ben):
        await player.retire()
    await come_back(ann, ben)
    await expect(lines(wall)).to_have_count(2)
    await expect(lines(ann).first).to_contain_text("50.00")

    # The director corrects a result: what was raced stays beside it, for everybody.
    await organiser.page.locator(".part-rounds > summary").click()
    await organiser.button("Correct the result of Ben").click()
    await organiser.page.locator("#corrected-best").fill("30")
    await organiser.page.locator("#corrected-reason").fill("a card was misread")
    await organiser.page.locator("hm-correction button[type=submit]").click()
    for looking in (organiser, ann):
        raw = looking.page.locator("hm-rounds .raw").filter(visible=True)
        await expect(raw.first).to_contain_text("raced: 0 points")
        await expect(raw.first).to_contain_text("Corrected: a card was misread")
    await expect(lines(wall).first).to_contain_text("Ben")
    await expect(lines(wall).first).to_contain_text("100.00 *")
    await fingers_fit(organiser)
    for one, where in ((organiser, "organiser"), (ann, "entrant"), (wall, "wall")):
        await is_clean(one, where)

    # The second round: a reload in the middle of it comes back to the board, and one out of it to the tournament.
    await organiser.button("Start round 2 (2 of 2 here)").click()
    await ann.is_racing()
    await ben.is_racing()
    await ann.page.reload()
    await ann.is_racing()
    for player in (ann, ben):
        await player.retire()
    await come_back(ben)
    await ben.page.reload()
    await is_in(ben, "Ben")
    await expect(wall.page.locator("hm-podium .step")).to_have_count(2)
    await expect(wall.page.locator('.step[data-rank="1"] bdi')).to_have_text("Ben")
    await expect(ben.page.locator(".who-line")).to_contain_text("place 1 of 2, points: 150.00")
    await is_printed(organiser)


async def is_printed(organiser: Tab) -> None:
    """On paper, also by the browser's own menu, the whole table stands there, all of each name, and of when it is."""
    await organiser.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    await organiser.page.emulate_media(media="print")
    await expect(organiser.page.locator(".print-line")).to_contain_text(
        "The tournament is over. · "
    )
    await expect(organiser.page.locator("hm-conduct .actions")).to_be_hidden()
    for part in (".part-table .table", ".part-table td.col-player bdi >> nth=0"):
        await expect(organiser.page.locator(part)).to_have_css("overflow-x", "visible")
    await organiser.page.emulate_media(media="screen")
    await organiser.page.evaluate("dispatchEvent(new Event('afterprint'))")


async def paste(organiser: Tab) -> None:
    """Two come on the list: a mistyped name is mended, and one that doesn't belong there goes."""
    await organiser.page.locator("#new-names").fill("1. Ann\n2;Bne\n3\tIda\n" + "x" * 30)
    await organiser.reads("is longer than 24 characters")
    await organiser.button("Put 3 names on the list").click()
    await organiser.button("Bne not come yet").click()
    await organiser.page.get_by_label("Name of Bne").fill("Ben")
    await organiser.button("Rename").click()
    await expect(organiser.button("Ben not come yet")).to_be_visible()
    await organiser.button("Ida not come yet").click()
    await organiser.button("Take off the list").click()
    await organiser.reads("Take Ida off the list?")
    await organiser.page.locator("dialog[open] .danger").click()
    await expect(organiser.page.locator(".entrants > li")).to_have_count(2)


async def put_in_order(organiser: Tab) -> None:
    """Ann and Ben are seeded by typing a place, and again with the mouse."""
    await organiser.page.locator(".part-seeds > summary").click()
    names = organiser.page.locator(".seeds bdi")
    await organiser.page.get_by_label("Place of Ann").fill("2")
    await organiser.page.get_by_label("Place of Ann").press("Enter")
    await expect(names).to_have_text(["Ben", "Ann"])
    await organiser.page.get_by_label("Move Ann").hover()
    await organiser.page.mouse.down()
    await organiser.page.get_by_label("Move Ben").hover()
    await expect(names).to_have_text(["Ann", "Ben"])
    await organiser.page.mouse.up()
    await organiser.reads("The seeds are in the new order.")
    await expect(organiser.page.locator(".seeds li.held")).to_have_count(0)
    await expect(names).to_have_text(["Ann", "Ben"])


async def renew(organiser: Tab, hall: InProcess, api: Organiser) -> None:
    """Ann's new code is there at once, as a link and to be scanned."""
    await organiser.button("New code").click()
    await expect(organiser.page.locator("hm-entrants svg.qr")).to_be_visible()
    claims = {one["name"]: one["claim"] for one in await api.get("/entrants")}
    link = organiser.page.locator("hm-entrants .copied-text")
    await expect(link).to_have_text(f"{hall.http}/t/{api.tournament}#claim={claims['Ann']}")
    await expect(organiser.page.locator("hm-entrants code").first).to_have_text(claims["Ann"])


async def move(organiser: Tab, old: Tab, new: Tab) -> None:
    """Ann's new code is used on another device: a further one can be made, and the old device says what has happened."""
    link = await organiser.page.locator("hm-entrants .copied-text").inner_text()
    await new.open("/t/" + link.partition("/t/")[2])
    await is_in(new, "Ann")
    await expect(organiser.button("New code")).to_be_visible()
    await old.reads("Your place is on another device now.")
    await expect(old.button("Continue here")).to_be_hidden()
    await old.page.locator("hm-banner button").click()
    await old.reads("Your place was taken over on another device")
    await expect(old.page.locator("#entrant-claim")).to_be_editable()


async def end_early(organiser: Tab, *players: Tab) -> None:
    """A round in which all still race is ended with a reason."""
    await organiser.button("Start round 1 (2 of 2 here)").click()
    for player in players:
        await player.is_racing()
    await organiser.button("End this round now").click()
    await organiser.reads("2 still race")
    await organiser.page.locator("#confirm-reason").fill("the bell")
    await organiser.button("End it").click()
    await expect(organiser.page.locator(".part-rounds")).to_be_visible()
    await organiser.page.locator(".part-rounds > summary").click()
    await organiser.reads("ended before its time: the bell")


async def test_claims_are_printed_and_taken_once_and_stand_in_no_address(
    hall: InProcess, tab: NewTab
) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    async with Organiser(hall) as api:
        t = await api.make(
            format="swiss", entry="list", race={"time_limit_ms": 600_000, "countdown_ms": 50}
        )
        organiser = await tab(hall, alone=True)
        organiser.page.on("request", note)
        await organiser.page.add_init_script("window.print = () => {}")
        await organiser.open(f"/organiser?t={t}#{KEY}")
        await paste(organiser)
        await put_in_order(organiser)
        # Opened, shut and opened again, the row has its buttons.
        for _ in range(3):
            await organiser.button("Ann not come yet").click()
        await organiser.button("Show the code").click()
        code = organiser.page.locator("hm-entrants svg.qr")
        await expect(code).to_be_visible()
        link = await organiser.page.locator("hm-entrants .copied-text").inner_text()
        claims = {one["name"]: one["claim"] for one in await api.get("/entrants")}
        assert link == f"{hall.http}/t/{t}#claim={claims['Ann']}"

        await organiser.button("Print the entry codes").click()
        await expect(organiser.page.locator(".claim-card strong")).to_have_text(["Ann", "Ben"])
        await organiser.page.emulate_media(media="print")
        await expect(organiser.page.locator(".claim-card svg.qr").last).to_be_visible()
        await expect(organiser.page.locator("hm-conduct .now")).to_be_hidden()
        await organiser.page.emulate_media(media="screen")

        await organiser.button("Start round 1 (0 of 2 here)").dblclick()
        await organiser.reads("Nobody is here.")
        await organiser.reads("Ann, Ben haven't come.")
        await organiser.button("Cancel").click()
        await expect(organiser.button("Start round 1 (0 of 2 here)")).to_be_visible()

        ann, eve = await tab(hall), await tab(hall)
        for page in (ann, eve):
            page.page.on("request", note)
        await ann.open(f"/t/{t}")
        await expect(ann.page.locator("hm-rules li")).to_have_count(3)
        path = link.removeprefix(hall.http)
        await ann.open(path)
        await is_in(ann, "Ann")
        await expect(organiser.page.locator('.entrants [data-state="online"]')).to_have_count(1)
        await eve.open(path)
        await eve.reads("This place is taken")
        await eve.page.locator("#entrant-claim").fill(claims["Ben"].lower().replace("-", ""))
        await eve.button("Come in").click()
        await is_in(eve, "Ben")
        for page in (organiser, ann, eve):
            assert not any(secret in page.page.url for secret in (KEY, *claims.values()))
        secrets = (KEY, *claims.values())
        await renew(organiser, hall, api)
        await end_early(organiser, ann, eve)
        await move(organiser, ann, await tab(hall))
        assert not any(secret in url.partition("#")[0] for url in asked for secret in secrets)


async def test_a_class_fits_on_two_pages_of_the_wall_and_an_empty_round_is_the_last_by_itself(
    hall: InProcess, tab: NewTab
) -> None:
    async with Organiser(hall) as api:
        t = await api.make(entry="list", race={"time_limit_ms": 1000, "countdown_ms": 0})
        await api.add(*(f"Pupil {number}" for number in range(1, 28)), "Pupil 1")
        await api.post("/automatic", {"break_ms": 0}, 200)
        wall = await tab(hall, viewport={"width": 1920, "height": 1080})
        await wall.open(f"/t/{t}/wall")
        await expect(wall.page.locator("hm-rules li").filter(visible=True)).to_have_count(3)
        await expect(wall.page.locator(".wall-people li").last).to_have_text("Pupil 1 ②")
        await wall.reads("Only this device can open this link.")
        # All of them stand on the wall, and all of what tells the way in.
        for low in (".wall-people li >> nth=27", ".wall-join .trouble"):
            box = await wall.page.locator(low).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 1080
        await api.draw()
        await api.until("break")
        await wall.reads("Nobody was there in the last round: round 2 waits for the organiser.")
        await expect(lines(wall)).to_have_count(14)
        table = await wall.page.locator("hm-table").bounding_box()
        join = await wall.page.locator(".wall-join").bounding_box()
        assert table is not None
        assert join is not None
        assert table["y"] + table["height"] <= join["y"]
        await api.post("/automatic", {"break_ms": 0}, 200)
        # Not `racing`: that round may be over again before anybody asks.
        await wall.reads("Nobody was there in the last round: round 3 waits for the organiser.")
