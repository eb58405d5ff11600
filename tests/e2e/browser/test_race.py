"""Two people in two browsers race on the same deal, and what happens to them on the way."""

from __future__ import annotations

from playwright.async_api import expect

from e2e.browser.conftest import NewTab
from e2e.browser.tab import Tab
from halfmoon_testing.server import Address, InProcess, ServerProcess
from halfmoon_testing.solver import DEADLOCK_CODE, WINNABLE_CODE, deadlock_line, winning_line

LINE = winning_line()

APART = next(i for i in range(1, 20) if not set(LINE[i]) & set(LINE[i + 1]))
"""Here two moves follow each other of which the second doesn't need what the first turns up."""


def score(moves: int) -> int:
    """The points of the winning line's first moves."""
    return sum(10 if len(move) == 2 else 15 for move in LINE[:moves])


async def start_race(
    at: Address, tab: NewTab, *names: str, code: str = WINNABLE_CODE, countdown: str = "0"
) -> list[Tab]:
    """Each of them in a browser of their own, racing on this code; the first is the host."""
    host = await tab(at)
    room = await host.create(names[0])
    await host.set_option("code", code)
    await host.set_option("countdown_ms", countdown)
    tabs = [host]
    for name in names[1:]:
        guest = await tab(at)
        await guest.join(room, name)
        tabs.append(guest)
    for one in tabs:
        await one.ready()
    await host.start()
    if countdown == "0":
        for one in tabs:
            await one.is_racing()
    return tabs


async def test_two_browsers_race_to_the_end_and_again(server: InProcess, tab: NewTab) -> None:
    ann, ben = await start_race(server, tab, "Ann", "Ben")
    assert await ann.faces() == await ben.faces()

    await ben.play(LINE[:3])
    await expect(ann.rival("Ben").locator(".points")).to_have_text(str(score(3)))
    await ann.play(LINE)
    await expect(ben.rival("Ann")).to_contain_text("won")
    await ben.retire()

    for one in (ann, ben):
        assert await one.result() == [
            ("1", "Ann", "won", "520"),
            ("2", "Ben", "retired", str(score(3))),
        ]
    await ann.reads("You won the race")
    await ben.reads("Your place: 2 of 2")
    for one in (ann, ben):
        await one.reads(WINNABLE_CODE)

    await ann.button("Rematch").click()
    await ann.ready()
    await ben.reads("Ann has called a rematch.")
    assert (await ben.result())[0][1] == "Ann"  # who reads isn't called away
    await ben.button("Ready for the next race").click()
    await expect(ben.button("Not ready")).to_be_visible()
    await ann.start()
    for one in (ann, ben):
        await one.is_racing()
        await one.reads("sealed")
    assert await ann.faces() == await ben.faces()

    for one in (ann, ben):
        await one.retire()
    for one in (ann, ben):
        await one.reads("Server and 2 racers drew it together: nobody could choose it.")
        await expect(one.page.locator("hm-seal")).to_have_attribute("data-result", "fits")


async def test_a_reload_in_the_middle_keeps_everything(server: InProcess, tab: NewTab) -> None:
    ann, ben = await start_race(server, tab, "Ann", "Ben")
    await ben.play(LINE[:1])
    await ann.play(LINE[:5])
    await ann.has(score=score(5), moves=5)
    before = await ann.faces()

    await ann.page.reload()
    await ann.is_racing()
    await ann.has(score=score(5), moves=5)
    assert await ann.faces() == before
    await expect(ann.rival("Ben").locator(".points")).to_have_text(str(score(1)))
    ways = ann.page.locator("hm-race .side hm-graph .way")
    steps = await ways.evaluate_all(
        "all => all.map((way) => way.getAttribute('d').split('V').length - 1)"
    )
    assert sorted(steps) == [1, 5], "the graph is whole"

    await ann.undo()
    await ann.has(score=score(4), moves=4)
    await ann.play(LINE[4:6])
    await ann.page.reload()  # with a move on its way
    await ann.is_racing()
    await ann.has(score=score(6), moves=6)

    await ann.page.go_back()  # home, where the race is one tap away
    await ann.reads("Your race is running")
    await ann.button("Return to your race").click()
    await ann.is_racing()
    await ann.has(score=score(6), moves=6)


async def test_no_board_opens_before_the_countdown_is_over(server: InProcess, tab: NewTab) -> None:
    ann, ben = await start_race(server, tab, "Ann", "Ben", countdown="2")
    for one in (ann, ben):
        await expect(one.page.locator("hm-countdown .digit")).to_be_visible()
        await expect(one.page.locator("hm-race hm-board")).to_have_attribute("inert", "")
    for one in (ann, ben):
        await one.is_racing()
        await expect(one.spot("1")).to_contain_text("8")


async def test_a_deadlock_is_told_in_words_and_undone(server: InProcess, tab: NewTab) -> None:
    ann, ben = await start_race(server, tab, "Ann", "Ben", code=DEADLOCK_CODE)
    line = deadlock_line()
    for told in ("They don't go together. Move errors, in the settings", None):
        await ann.tap("4", "6")  # the nine and a four
        await ann.tap("4", "6")
        note = ann.page.locator("hm-board .note")
        await (expect(note).to_contain_text(told) if told else expect(note).to_be_empty())
    await ann.play(line)
    await ann.reads("No more moves from here")
    await expect(ben.rival("Ann")).to_contain_text("deadlocked")

    await ann.undo()
    await expect(ann.page.get_by_text("No more moves from here")).not_to_be_visible()
    await expect(ben.rival("Ann")).not_to_contain_text("deadlocked")

    await ann.play(line[-1:])
    await ann.retire()
    await ann.reads("You retired")


async def test_many_clicks_on_a_pair_remove_it_once(server: InProcess, tab: NewTab) -> None:
    """Report B32."""
    [ann] = await start_race(server, tab, "Ann")
    one, other = LINE[0]
    await ann.page.evaluate(
        """([one, other]) => {
            const spot = (name) => document.querySelector(`hm-race [data-spot="${name}"]`);
            for (let i = 0; i < 6; i++) { spot(one).click(); spot(other).click(); }
        }""",
        [one, other],
    )
    await ann.has(score=10, moves=1)
    for _ in range(4):
        await ann.page.keyboard.press("u")
    await ann.has(score=0, moves=0)


async def test_the_seat_goes_on_in_the_newest_tab(server: InProcess, tab: NewTab) -> None:
    """Report B22."""
    [ann] = await start_race(server, tab, "Ann")
    await ann.play(LINE[:1])
    second = await tab(server, beside=ann)
    await second.open(ann.page.url.removeprefix(server.http))
    await second.is_racing()
    await second.has(score=10, moves=1)
    await expect(ann.banner()).to_contain_text("another tab")
    await expect(ann.page.locator("main")).to_have_css("pointer-events", "none")

    await second.play(LINE[1:2])
    await second.has(score=score(2), moves=2)
    await ann.button("Continue here").click()
    await ann.has(score=score(2), moves=2)
    await expect(second.banner()).to_contain_text("another tab")
    await expect(ann.page.locator("main")).to_have_css("pointer-events", "auto")
    await ann.play(LINE[2:3])
    await ann.has(score=score(3), moves=3)


async def test_a_server_killed_in_mid_race_carries_on(process: ServerProcess, tab: NewTab) -> None:
    ann, ben = await start_race(process, tab, "Ann", "Ben")
    for one in (ann, ben):
        one.may_lose_the_line = True
    await ann.play(LINE[:APART])
    await ann.has(score=score(APART), moves=APART)

    await process.kill()
    await expect(ann.banner()).to_contain_text("Connection lost")
    await ann.play(LINE[APART : APART + 2])
    await process.start()

    await ann.has(score=score(APART + 2), moves=APART + 2)
    await expect(ann.banner()).not_to_be_visible()
    await expect(ben.rival("Ann").locator(".points")).to_have_text(str(score(APART + 2)))
    await ben.play(LINE[:1])
    await expect(ann.rival("Ben").locator(".points")).to_have_text("10")
