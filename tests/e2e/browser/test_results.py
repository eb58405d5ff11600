"""Results at a browser: those of a deal, one's own, challenges, and the day's deal."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import Page, Route, expect

from e2e.browser.conftest import NewTab
from e2e.browser.tab import Tab
from e2e.browser.test_records import race_on, raced, win
from e2e.browser.test_screens import fingers_fit, is_clean
from halfmoon.engine.record import RaceRecord
from halfmoon_testing.server import InProcess
from halfmoon_testing.solver import WINNABLE_CODE

PHONE = {"width": 360, "height": 640}


async def give_up(at: Tab) -> None:
    """Race without a move, and retire as soon as that goes."""
    await at.is_racing()
    await at.retire()
    await expect(at.page.locator("hm-standings h1")).to_be_visible()


async def table(page: Page) -> list[list[str]]:
    """Rank and name of each line."""
    rows = page.locator("hm-lines tbody tr")
    await expect(rows.first).to_be_visible()
    read = (
        "all => all.map((row) => ['.col-rank', 'bdi'].map((one) =>"
        " row.querySelector(one).textContent))"
    )
    lines: list[list[str]] = await rows.evaluate_all(read)
    return lines


async def challenge(at: Tab, *, sealed: bool) -> str:
    """Race alone, and make a challenge of it: the path of its link."""
    await at.open()
    await at.say_name("Ann")
    await at.button("Play alone").click()
    await give_up(at)
    await at.button("Challenge friends").click()
    if sealed:
        await at.page.get_by_label("Sealed envelope").check()
    await at.button("Make the link").click()
    link = at.page.locator("hm-challenging .copied-text")
    await expect(link).to_contain_text("/c/")
    await expect(at.page.locator("hm-challenging .qr")).to_be_visible()
    return urlsplit(await link.inner_text()).path


async def set_out(at: Tab, path: str, name: str, way: str) -> None:
    """Open a page of results for the first time, and race from there."""
    await at.open(path)
    await at.say_name(name)
    await at.button(way, exact=True).click()


async def test_the_results_of_a_deal_and_ones_own(server: InProcess, tab: NewTab) -> None:
    record = await raced(server, ["Ben", "Cleo"], win, lambda racer: race_on(racer, 1, 6))
    await raced(server, ["Dan"], lambda racer: race_on(racer, 2, 2), public=False)
    ann = await tab(server)
    page = ann.page
    await ann.open("/me")
    await ann.reads("Your races gather here")
    await ann.open("/deal/HM1-N-AAAA")
    await ann.reads("This is no game code")
    await ann.open(f"/deal/{WINNABLE_CODE}")
    assert await table(page) == [["1", "Ben"], ["2", "Cleo"], ["3", "Dan"]]
    await ann.reads("replay 10 minutes after the last one has left the room")
    assert await page.get_by_role("link", name="Replay: ").count() == 2
    await set_out(ann, f"/deal/{WINNABLE_CODE.lower()}", "Ann", "Play alone")
    await give_up(ann)
    more = page.get_by_role("link", name="All results on this deal")
    await page.goto(ann.base + str(await more.get_attribute("href")))
    assert await table(page) == [["1", "Ben"], ["2", "Cleo"], ["3", "Dan"], ["4", "Ann"]]
    await is_clean(ann, "deal")

    for name in ("Ben", "Cleo"):
        await page.get_by_role("checkbox", name=name).check()
    await page.get_by_role("link", name="Where they parted").click()
    await page.wait_for_url(f"**/race/{record['race']}?one=*")
    names = [
        await page.locator(f"#parted-{one} option:checked").inner_text() for one in ("one", "other")
    ]
    assert names == ["Ben", "Cleo"]

    await ann.open("/me")
    await expect(page.locator(".own-races li")).to_have_count(1)
    await expect(page.locator(".totals dd").first).to_have_text("1")
    await is_clean(ann, "me")
    await page.set_viewport_size({"width": 360, "height": 640})
    await fingers_fit(ann)

    await page.locator(".own-race").click()
    await page.wait_for_url("**/race/*")
    await ann.button("Make the link").click()
    await ann.reads("Send this link to your friends:")
    await page.goto(ann.base + f"/race/{record['race']}")
    await expect(page.locator("hm-replay")).to_be_visible()
    await expect(page.locator("hm-challenging")).to_have_count(0)


async def test_a_deal_has_a_table_for_each_class_of_rules_a_page_at_a_time(
    server: InProcess, tab: NewTab
) -> None:
    ann = await tab(server)
    page = ann.page
    rules = {"undo": True, "time_limit_ms": 900_000, "ends": "all"}
    others = {**rules, "undo": False}
    lines = [
        {"race": f"r_{i}", "player": f"p_{i}", "name": f"N{i}", "status": "retired"}
        | {"best": 100 - i // 2, "time_ms": 0, "moves": 1, "actions": 1, "starts_at": i}
        for i in range(5)
    ]

    async def answer(route: Route) -> None:
        query = parse_qs(urlsplit(route.request.url).query)
        is_other, is_second = query.get("undo") == ["false"], "after" in query
        shown = lines[:1] if is_other else lines[3:] if is_second else lines[:3]
        await route.fulfill(
            json={
                "code": WINNABLE_CODE,
                "rules": others if is_other else rules,
                "classes": [{**rules, "results": 5}, {**others, "results": 1}],
                "results": shown,
                **({} if is_other or is_second else {"next": "98.0.1.r_2.p_2"}),
            }
        )

    await page.route(re.compile("/api/deals/"), answer)
    await ann.open(f"/deal/{WINNABLE_CODE}")
    assert await table(page) == [["1", "N0"], ["1", "N1"], ["3", "N2"]]
    await ann.button("Show more").click()
    await expect(page.locator("hm-lines tbody tr")).to_have_count(5)
    assert await table(page) == [["1", "N0"], ["1", "N1"], ["3", "N2"], ["3", "N3"], ["5", "N4"]]
    await expect(ann.button("Show more")).to_be_hidden()
    await page.locator("#deal-class").select_option(index=1)
    await expect(page.locator("hm-lines tbody tr")).to_have_count(1)
    assert "undo=false" in page.url
    await page.reload()
    assert await table(page) == [["1", "N0"]]


async def test_a_challenge_is_made_and_raced_against_a_ghost(
    server: InProcess, tab: NewTab
) -> None:
    ann, ben = await tab(server), await tab(server, viewport=PHONE)
    path = await challenge(ann, sealed=False)
    await ben.open(path)
    await ben.reads("Ann challenges you")
    assert await table(ben.page) == [["1", "Ann"]]
    await is_clean(ben, "challenge on a phone")
    await fingers_fit(ben)
    await ben.say_name("Ben")
    await ben.page.locator("#name").press("Enter")
    await ben.is_racing()
    await expect(ben.rival("Ann")).to_contain_text("recorded run")
    await give_up(ben)
    await expect(ben.page.locator("hm-results tr", has_text="Ann")).to_contain_text("recorded run")
    results = ben.page.get_by_role("link", name="The table of all results")
    assert await results.get_attribute("href") == path
    await ben.open(path)
    assert sorted(await table(ben.page)) == [["1", "Ann"], ["1", "Ben"]]
    await ann.open("/me")
    await expect(ann.page.locator(".made-lines li")).to_have_count(2)


async def test_a_sealed_envelope_and_the_days_deal_open_once_one_has_played(
    server: InProcess, tab: NewTab
) -> None:
    ann, ben = await tab(server), await tab(server)
    path = await challenge(ann, sealed=True)
    await ben.open(path)
    await ben.reads("you have one try")
    for shut in (path, "/daily"):
        await ben.open(shut)
        await ben.reads("Play first, then the table opens.")
        await expect(ben.page.locator("hm-lines tbody tr")).to_have_count(0)
    await is_clean(ben, "daily")
    await set_out(ben, path, "Ben", "Race it")
    await give_up(ben)
    await ben.open(path)
    assert sorted(await table(ben.page)) == [["1", "Ann"], ["1", "Ben"]]
    await expect(ben.button("Race it")).to_have_count(0)

    await ben.open()
    await ben.page.get_by_role("link", name="Deal of the day").click()
    await ben.button("Play today's deal").click()
    await ben.is_racing()
    await ben.open("/daily")
    await ben.page.get_by_role("link", name="Go on playing").click()
    await give_up(ben)
    # The record is open to who has played and to nobody else: the link has to say who asks.
    async with ben.page.expect_download() as download:
        await ben.page.get_by_role("link", name="Record of this race").click()
    RaceRecord.read((await (await download.value).path()).read_text()).verify()
    await ben.open("/daily")
    assert await table(ben.page) == [["1", "Ben"]]
    await ben.reads("You have played it")
