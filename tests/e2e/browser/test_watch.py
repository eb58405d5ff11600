"""Who watches at a browser: on a phone, on the wall of a hall, and in a stream."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from playwright.async_api import Locator, expect

from e2e.browser.bots import Bot, boards_on, tops_of
from e2e.browser.conftest import NewTab
from e2e.browser.tab import Tab
from e2e.browser.test_screens import fingers_fit, is_clean
from halfmoon_testing.driver import Driver, drivers, line_up, start_race
from halfmoon_testing.server import InProcess, ServerProcess
from halfmoon_testing.solver import WINNABLE_CODE, winning_line

LINE = winning_line()
PHONE = {"width": 360, "height": 640}
HALL = {"width": 1280, "height": 720}

WAITS = next(i for i in range(1, 20) if {*LINE[i]} & {pile for move in LINE[:i] for pile in move})
"""The first move that takes a card which an earlier one turned up."""


async def watch(at: Tab, room: str) -> None:
    """Follow the link for spectators, which takes no name and no press."""
    await at.open(f"/r/{room}?watch")
    await expect(at.page.locator(".room-id")).to_have_text(room)


async def play(racer: Driver, begin: int, end: int) -> None:
    """Make these moves of the winning line."""
    for turn in range(begin, end):
        await racer.done("move", turn=turn, spots=list(LINE[turn]))


def seat(at: Tab, name: str) -> Locator:
    """The small board of this racer."""
    return at.page.locator("hm-watched").filter(has=at.page.locator("bdi", has_text=name))


def face_down(board: Locator) -> Locator:
    return board.locator('hm-card[data-kind="back"]')


async def test_all_boards_are_followed_on_a_phone_and_on_the_wall(
    server: InProcess, tab: NewTab
) -> None:
    racers = await line_up(
        server.ws, ["Ann", "Ben", "Cleo"], code=WINNABLE_CODE, spectators="fair", countdown_ms=0
    )
    ann, ben, cleo = racers
    async with drivers(*racers):
        phone = await tab(server, viewport=PHONE)
        await watch(phone, ann.room)
        wall = await tab(server, viewport=HALL)
        await wall.open(f"/r/{ann.room}/wall")
        await expect(wall.page.locator(".rival")).to_have_count(3)
        await expect(wall.page.locator(".wall-join .qr")).to_be_visible()

        await start_race(racers)
        for one in (phone, wall):
            await expect(one.page.locator("hm-watched")).to_have_count(3)
            await expect(face_down(one.page.locator("hm-gallery"))).to_have_count(0)

        await play(ann, 0, WAITS + 1)
        for one in (phone, wall):
            board = seat(one, "Ann")
            await expect(board.locator(".lag")).to_have_text("1 behind")
            await expect(face_down(board)).not_to_have_count(0)
            await expect(one.page.locator("hm-newsline")).to_contain_text("Ann takes the lead")
        await phone.reads("A board waits")
        for one, where in ((phone, "watch"), (wall, "wall")):
            await is_clean(one, where)
        await fingers_fit(phone)

        for other in (ben, cleo):
            await play(other, 0, WAITS)
        for one in (phone, wall):
            await expect(seat(one, "Ann").locator(".lag")).to_have_text("")
            await expect(face_down(seat(one, "Ben"))).to_have_count(0)

        for racer in racers:
            await racer.done("retire")
        await expect(wall.page.locator('hm-wall[data-state="over"]')).to_be_visible()
        await expect(face_down(wall.page.locator("hm-gallery"))).to_have_count(0)
        assert [row[1] for row in await phone.result()] == ["Ann", "Ben", "Cleo"]
        await expect(phone.page.locator("hm-watched")).to_have_count(3)
        await expect(face_down(phone.page.locator("hm-gallery"))).to_have_count(0)


NAMES = ("Ann", "Ben", "Cleo", "Dan")
PROJECTOR = {"width": 1280, "height": 800}


async def four_bots(server: InProcess, tab: NewTab, **options: Any) -> tuple[list[Bot], list[Tab]]:
    """Four racers who have begun, and who watches them on a phone and on the wall of a hall."""
    racers = await line_up(server.ws, NAMES, code=WINNABLE_CODE, countdown_ms=0, **options)
    phone, wall = await tab(server, viewport=PHONE), await tab(server, viewport=PROJECTOR)
    await watch(phone, racers[0].room)
    await wall.open(f"/r/{racers[0].room}/wall")
    await expect(wall.page.locator(".rival")).to_have_count(len(NAMES))
    boards = await start_race(racers)
    bots = [Bot(*one) for one in zip(racers, NAMES, [[board] for board in boards], strict=True)]
    return bots, [phone, wall]


async def act(bots: Sequence[Bot], turn: int) -> None:
    """Each at a pace of their own; the third takes every fourth move back, the fourth only begins."""

    async def one(bot: Bot, pace: int) -> None:
        if pace == 2 and turn % 4 == 3:
            await bot.undo()
        elif pace < 3 or turn == 0:
            for _ in range(1 if pace else 2):
                await bot.move(LINE[bot.board["moves"]])

    await asyncio.gather(*(one(bot, pace) for pace, bot in enumerate(bots)))


async def end(bots: Sequence[Bot], phone: Tab, wall: Tab) -> None:
    """All give up; table and replay are there for everybody who watched."""
    for bot in bots:
        await bot.racer.done("retire")
    over = await bots[0].racer.until("over")
    path = f"/race/{over['race']}"
    await expect(phone.page.locator(f'a[href$="{path}"]')).to_be_visible()
    await expect(wall.page.locator(".wall-join .wall-address").first).to_contain_text(path)
    table = [(str(line["rank"]), line["name"]) for line in over["standings"]]
    assert [row[:2] for row in await phone.result()] == table
    assert await wall.page.locator(".rival bdi").all_inner_texts() == [name for _, name in table]


async def test_four_bots_are_shown_as_they_stand_all_along(server: InProcess, tab: NewTab) -> None:
    bots, watchers = await four_bots(server, tab)
    async with drivers(*(bot.racer for bot in bots)):
        for turn in range(9):
            await act(bots, turn)
            expected = [bot.shown(bot.board["turn"]) for bot in bots]
            for at in watchers:
                assert await boards_on(at, expected) == expected
        await end(bots, *watchers)


async def test_a_board_that_may_not_be_seen_yet_says_by_how_many_actions(
    server: InProcess, tab: NewTab
) -> None:
    """What may be seen is told by the server to a program that watches too."""
    bots, watchers = await four_bots(server, tab, spectators="fair")
    program = await Driver.enter(server.ws, "Eve")
    async with drivers(program, *(bot.racer for bot in bots)):
        lags: set[int] = set()
        for turn in range(7):
            await act(bots, turn)
            said = await program.join(bots[0].racer.room, "spectator")
            seen = [said["boards"][bot.racer.player] for bot in bots]
            lags |= {bot.board["turn"] - one["turn"] for bot, one in zip(bots, seen, strict=True)}
            expected = [
                bot.shown(one["turn"], [spot for spot, top in tops_of(one).items() if top == "??"])
                for bot, one in zip(bots, seen, strict=True)
            ]
            for at in watchers:
                assert await boards_on(at, expected) == expected
        assert len(lags) > 3, "boards were live, and far behind"
        await end(bots, *watchers)


async def test_one_racer_is_followed_large_by_keys_and_by_pressing(
    server: InProcess, tab: NewTab
) -> None:
    racers = await line_up(server.ws, ["Ann", "Ben"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(*racers):
        eve = await tab(server)
        await watch(eve, racers[0].room)
        await start_race(racers)
        followed = eve.page.locator("hm-followed")
        await expect(eve.page.locator("hm-watched")).to_have_count(2)
        await eve.reads("live")

        await seat(eve, "Ben").click()
        await expect(followed.locator("bdi")).to_have_text("Ben")
        await is_clean(eve, "followed")
        await play(racers[1], 0, 1)
        first = followed.locator(f'[data-spot="{LINE[0][0]}"]')
        await expect(first).to_contain_text("7")
        await eve.page.keyboard.press("ArrowRight")
        await expect(followed.locator("bdi")).to_have_text("Ann")
        await expect(first).to_contain_text("8")
        await eve.page.keyboard.press("2")
        await expect(followed.locator("bdi")).to_have_text("Ben")
        await eve.page.keyboard.press("Escape")
        await expect(followed).not_to_be_visible()
        await seat(eve, "Ann").click()
        await expect(followed).to_be_visible()
        await eve.page.go_back()
        await expect(followed).not_to_be_visible()
        await expect(eve.page.locator("hm-watched")).to_have_count(2)


async def test_who_is_done_watches_the_others(server: InProcess, tab: NewTab) -> None:
    ben = await Driver.enter(server.ws, "Ben")
    async with drivers(ben):
        ann = await tab(server)
        room = await ann.create("Ann")
        await ann.set_option("code", WINNABLE_CODE)
        await ann.set_option("countdown_ms", "0")
        await ben.join(room)
        await ben.done("set_ready", ready=True)
        await ann.ready()
        await ann.start()
        await ann.is_racing()
        await expect(ann.page.locator("hm-watched")).to_have_count(0)

        await ann.retire()
        await ann.reads("You retired")
        await expect(ann.page.locator("hm-watched")).to_have_count(2)
        await play(ben, 0, 3)
        await expect(seat(ann, "Ben").locator(".state")).to_have_text("3 moves")


async def test_wall_and_overlay_are_somebody_of_their_own(server: InProcess, tab: NewTab) -> None:
    """The host opens both beside the own seat, which stays where it is; they are no people who watch."""
    host = await tab(server)
    room = await host.create("Ann")
    wall = await tab(server, beside=host)
    await wall.open(f"/r/{room}/wall")
    await expect(wall.page.locator(".rival bdi")).to_have_text("Ann")
    overlay = await tab(server, beside=host)
    await overlay.open(f"/r/{room}/overlay")
    await expect(overlay.page.locator("hm-overlay")).to_be_visible()
    await host.ready()

    await wall.page.reload()
    await expect(wall.page.locator(".rival bdi")).to_have_text("Ann")
    await expect(host.page.get_by_text("watching").filter(visible=True)).to_have_count(0)
    background = "() => getComputedStyle(document.body).backgroundImage"
    assert await overlay.page.evaluate(background) == "none"
    await host.start()
    await host.reads("A screen shows all cards")


async def test_wall_and_overlay_offer_the_replay_also_after_the_rematch(
    server: InProcess, tab: NewTab
) -> None:
    (ann,) = await line_up(server.ws, ["Ann"], countdown_ms=0)
    async with drivers(ann):
        wall, overlay = await tab(server, viewport=HALL), await tab(server)
        for at, view in ((wall, "wall"), (overlay, "overlay")):
            await at.open(f"/r/{ann.room}/{view}")
            await at.reads(ann.room)
        await expect(wall.page.locator(".wall-last")).to_be_hidden()
        await start_race([ann])
        await ann.done("retire")
        path = f"/race/{(await ann.until('over'))['race']}"
        await expect(wall.page.locator(".wall-join > .qr")).to_have_attribute("src", f"/qr{path}")
        await overlay.reads(f"Replay: {overlay.page.url.split('/')[2]}{path}")
        await ann.done("rematch")
        await wall.reads("Join the race")
        await expect(wall.page.locator(".wall-join > .qr")).to_have_attribute(
            "src", f"/qr/r/{ann.room}"
        )
        await expect(wall.page.locator(".wall-last .wall-address")).to_contain_text(path)
        await expect(wall.page.locator(".last-qr")).to_be_visible()
        await overlay.reads(path)


async def test_the_wall_comes_back_after_the_server_was_down(
    process: ServerProcess, tab: NewTab
) -> None:
    wall = await tab(process, viewport=HALL)
    wall.may_lose_the_line = True
    ann = await Driver.enter(process.ws, "Ann")
    async with drivers(ann):
        await ann.create()
        await wall.open(f"/r/{ann.room}/wall")
        await expect(wall.page.locator(".rival bdi")).to_have_text("Ann")

    await process.kill()
    await expect(wall.page.locator(".wall-trouble")).to_contain_text("Connection lost")
    await process.start()
    await expect(wall.page.locator(".wall-trouble")).to_be_empty()
    ben = await Driver.enter(process.ws, "Ben")
    async with drivers(ben):
        await ben.join(ann.room)
        await expect(wall.page.locator(".rival bdi")).to_have_text(["Ann", "Ben"])


async def test_a_wall_without_a_room_says_so_and_waits(server: InProcess, tab: NewTab) -> None:
    wall = await tab(server, viewport=HALL)
    await wall.open("/r/ZZZZZ/wall")
    await wall.reads("There is no such room just now")


async def test_who_only_watches_needs_no_name_and_is_told_where_nobody_may(
    server: InProcess, tab: NewTab
) -> None:
    ann = await Driver.enter(server.ws, "Ann")
    async with drivers(ann):
        shut = (await ann.create(spectators="none"))["room"]
        wall = await tab(server, viewport=HALL)
        await wall.open(f"/r/{shut}/wall")
        await wall.reads("This room shows nothing to watchers")
        eve = await tab(server)
        await eve.open(f"/r/{shut}?watch")
        await eve.reads("This room takes no spectators")
        await ann.done("set_options", options={"spectators": "fair"})
        await eve.page.reload()
        await eve.reads("The host starts the race")

        await ann.done("set_options", options={"spectators": "open", "countdown_ms": 0})
        await ann.done("set_ready", ready=True)
        await ann.done("start")
        name = eve.page.locator("hm-followed hm-caption bdi")
        await expect(name).to_have_text("Ann")
        for width, height in ((360, 640), (640, 360), (1280, 800)):
            await eve.page.set_viewport_size({"width": width, "height": height})
            box = await name.bounding_box()
            assert box is not None
            assert box["width"] > 20, (width, height)
