"""The ways to play: alone, by keyboard, by finger, by dragging, two at one device, in one's language."""

from __future__ import annotations

from playwright.async_api import expect

from e2e.browser.conftest import NewTab
from e2e.browser.played import Played, board, room
from e2e.browser.tab import FACE_UP, Tab
from halfmoon_testing.server import InProcess
from halfmoon_testing.solver import WINNABLE_CODE, winning_line

LINE = winning_line()
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


async def alone(server: InProcess, tab: NewTab, **options: object) -> Tab:
    """A race of one on the deal whose winning line is known."""
    one = await tab(server, **options)
    room_id = await one.create("Ann")
    await one.set_option("code", WINNABLE_CODE)
    await one.set_option("countdown_ms", "0")
    await expect(one.page.locator(".terms .copied-text")).to_have_text(WINNABLE_CODE)
    await one.ready()
    await one.start()
    await one.is_racing()
    assert room_id
    return one


async def test_alone_is_one_click_and_again_is_one_more(server: InProcess, tab: NewTab) -> None:
    one = await tab(server)
    await one.open()
    await one.button("Play alone").click()  # nobody has to have a name for that
    await one.is_racing()
    before = await one.faces()
    await one.retire()
    await one.result()
    await expect(one.page.locator("hm-results .col-rank").first).to_be_hidden()
    await expect(one.page.locator("hm-seal")).to_have_attribute("data-result", "fits")
    await one.button("Another deal").click()
    await one.is_racing()
    assert await one.faces() != before


# A slow machine can take longer between two keys than the page waits for the second.
AT_ONCE = """keys => {
    for (const key of keys) {
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }
}"""


async def test_the_whole_way_by_keyboard(server: InProcess, tab: NewTab) -> None:
    """Report B93."""
    one = await tab(server)
    keys = one.page.keyboard
    await one.open()
    await one.page.locator("#name").focus()
    await keys.type("Ann")
    await keys.press("Enter")
    await expect(one.page.locator(".room-id")).to_be_focused()
    await one.page.locator("#option-code").focus()
    await keys.type(WINNABLE_CODE)
    await keys.press("Tab")
    await one.page.locator("#option-countdown_ms").focus()
    await keys.press("Control+a")
    await keys.type("0")
    await keys.press("Tab")
    await one.button("Ready", exact=True).focus()
    await keys.press("Enter")
    await expect(one.button("Start the race")).to_be_enabled()
    await keys.press("Tab")
    await expect(one.button("Start the race")).to_be_focused()
    await keys.press("Space")
    await one.is_racing()

    await keys.press("?")
    await expect(one.page.locator("dialog")).to_contain_text("from card to card")
    await keys.press("Escape")
    await expect(one.page.locator("dialog")).not_to_be_visible()
    await one.button("Retire").press("Enter")
    await expect(one.button("Play on")).to_be_focused()
    await keys.press("Escape")
    await expect(one.button("Retire")).to_be_focused()
    for move in LINE:
        for spot in move:
            await one.page.evaluate(FACE_UP, spot)
            if spot in ("10", "11", "12"):
                await one.page.evaluate(AT_ONCE, spot)
                continue
            await keys.type(spot)
            if spot == "1":  # which could become 10, 11 or 12
                await keys.press("Enter")
    assert [line[2:] for line in await one.result()] == [("won", "520")]


async def test_arrows_and_enter_take_a_pair_and_undo_brings_it_back(
    server: InProcess, tab: NewTab
) -> None:
    one = await alone(server, tab)
    keys = one.page.keyboard
    await one.spot("1").focus()
    await keys.press("ArrowUp")
    await expect(one.spot("2")).to_be_focused()
    await keys.press("ArrowDown")
    for spot in LINE[0]:
        await one.spot(spot).focus()
        await keys.press("Enter")
    await one.has(score=10, moves=1)
    await expect(one.page.locator("[aria-live]")).to_contain_text("removed. 10 points")
    await keys.press("Control+z")
    await one.has(score=0, moves=0)
    await expect(one.page.locator("[aria-live]")).to_contain_text("Taken back")


async def test_nothing_waits_for_what_moves(server: InProcess, tab: NewTab) -> None:
    """With everything in motion, and sound on, the page is as quick and ends up the same."""
    one = await tab(server, reduced_motion="no-preference")
    await one.open()
    await one.page.locator("hm-settings > button").click()
    await one.page.locator("#set-sound").check()
    await one.page.keyboard.press("Escape")
    await one.say_name("Ann")
    await one.button("Race friends").click()
    await one.set_option("code", WINNABLE_CODE)
    await one.set_option("countdown_ms", "1")
    await expect(one.page.locator(".terms .copied-text")).to_have_text(WINNABLE_CODE)
    await one.ready()
    await one.start()
    await one.is_racing()
    points = 0
    for number, move in enumerate(LINE[:8], start=1):
        await one.tap(*move)
        points += 10 if len(move) == 2 else 15
        await one.has(score=points, moves=number)
    await one.undo()
    await one.tap(LINE[8][0])
    await one.retire()
    await one.result()
    await expect(one.page.locator(".ghost")).to_have_count(0)
    await one.button("Another deal").click()
    await expect(one.page.locator(".room-id")).to_be_visible()


async def test_by_finger_on_a_phone(server: InProcess, tab: NewTab) -> None:
    one = await alone(server, tab, **PHONE)
    for spot in LINE[0]:
        await one.spot(spot).tap()
    await one.has(score=10, moves=1)
    for _ in range(3):
        await one.button("Undo").tap(force=True)
    await one.has(score=0, moves=0)
    assert await one.page.evaluate("visualViewport.scale") == 1


async def test_a_card_is_dragged_onto_another(server: InProcess, tab: NewTab) -> None:
    one = await alone(server, tab)
    mouse = one.page.mouse
    for moves, move in enumerate(LINE[:2], start=1):
        assert len(move) == 2
        (x1, y1), (x2, y2) = [await one.page.evaluate(FACE_UP, spot) for spot in move]
        await mouse.move(x1, y1)
        await mouse.down()
        await mouse.move(x2, y2, steps=6)
        await expect(one.page.locator(".ghost.dragged")).to_have_count(1)
        await mouse.up()
        await one.has(score=10 * moves, moves=moves)
    await expect(one.page.locator(".ghost")).to_have_count(0)
    await expect(one.page.locator(".spot.selected")).to_have_count(0)


async def test_somebody_else_at_this_device_has_a_seat_of_their_own(
    server: InProcess, tab: NewTab
) -> None:
    """Report B22, the other way: two people, one browser."""
    ann = await tab(server)
    room_id = await ann.create("Ann")
    ben = await tab(server, beside=ann)
    await ben.open()
    await expect(ben.page.locator("#name")).to_have_value("Ann")
    await ben.button("Someone else at this device").first.click()
    await expect(ben.page.locator("#name")).to_have_value("")
    await ben.say_name("Ben")
    await ben.page.locator("#room").fill(f" {room_id[:2]} {room_id[2:].lower()} ")
    await ben.button("Join").click()
    await expect(ben.page.locator(".person")).to_have_count(2)
    await expect(ann.page.locator(".person")).to_have_count(2)
    await ben.page.reload()
    await expect(ben.page.locator(".person.me")).to_contain_text("Ben")
    await expect(ann.banner()).not_to_be_visible()


async def test_a_room_id_with_look_alikes_says_what_is_wrong(
    server: InProcess, tab: NewTab
) -> None:
    """Report B69."""
    one = await tab(server, alone=True)
    await one.open()
    await one.say_name("Ann")
    await one.page.locator("#room").fill("h0k1p")
    await one.button("Join").click()
    await one.reads("Room names have no 0, 1.")
    await one.page.locator("#room").fill("h4k")
    await one.button("Join").click()
    await one.reads("five letters and digits")


async def test_settings_hold_at_once_and_after_a_reload(server: InProcess, tab: NewTab) -> None:
    one = await alone(server, tab)
    page = one.page
    spoken = page.get_by_role("log")
    await expect(spoken).not_to_be_empty()
    await expect(page.get_by_role("button", name="React")).to_have_count(0)  # to whom?
    await page.locator("hm-settings > button").click()
    panel = page.locator("hm-settings")
    await expect(panel.get_by_role("button", name="Keys")).to_be_visible()
    await expect(panel.get_by_role("button", name="Someone else")).to_have_count(0)
    await page.go_back()  # closes what is open, and leads nowhere else
    await expect(panel.get_by_role("button", name="Keys")).not_to_be_visible()
    await one.button("Retire").click()
    await expect(one.button("Play on")).to_be_visible()
    await page.go_back()
    await expect(one.button("Play on")).not_to_be_visible()
    assert "/r/" in page.url
    await page.locator("hm-settings > button").click()
    for name in ("move_errors", "placement_help", "four_colours", "left_handed"):
        await page.locator(f"#set-{name}").check()
    await page.locator("#set-theme").select_option("day")
    await page.locator("#set-language").select_option("de")
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await expect(spoken).to_be_empty()
    await page.keyboard.press("Escape")
    await page.reload()
    await one.is_racing()
    await expect(page.locator("html")).to_have_attribute("data-theme", "day")
    await expect(page.locator("html")).to_have_class("four-colours left-handed")
    side = await page.locator(".side").bounding_box()
    assert side is not None
    assert side["x"] == 0

    await one.tap(LINE[0][0])
    dimmed = await page.locator(".spot.dimmed").count()
    assert 0 < dimmed < 20
    await one.tap(await page.locator(".spot.dimmed").first.get_attribute("data-spot") or "")
    await one.reads("Die Summe muss 11 sein")


async def test_after_the_race_the_course_is_read_off_and_the_result_shared(
    server: InProcess, tab: NewTab
) -> None:
    one = await alone(server, tab)
    context = one.page.context
    await context.grant_permissions(["clipboard-read", "clipboard-write"])
    await one.play(LINE[:3])
    await one.has(score=35, moves=3)
    await one.undo()
    await one.has(score=20, moves=2)
    await one.retire()
    slider = one.page.get_by_role("slider")
    await expect(one.page.locator(".legend b")).to_have_text("20")
    await slider.focus()
    await one.page.keyboard.press("Home")
    await expect(one.page.locator(".legend b")).to_have_text("0")
    await expect(slider).to_have_attribute("aria-valuetext", "0:00, Ann 0")
    await one.page.locator("hm-chart > svg").hover(position={"x": 5, "y": 50})
    await expect(one.page.locator(".legend b")).to_have_text("0")

    await one.button("Share the result").click()
    await expect(one.button("Copied")).to_be_visible()
    text = await one.page.evaluate("navigator.clipboard.readText()")
    assert text == f"Half Moon Race\nAnn: 35 points\nThe deal: {WINNABLE_CODE}"


async def test_who_is_done_keeps_the_focus(server: InProcess, tab: NewTab) -> None:
    """Pressing what then goes away leads to a place from where the keyboard goes on."""
    one = await tab(server)
    played = await Played.on(one, room(["Ann", "Ben"], "racing"))
    await one.is_racing()
    await one.spot("5").focus()
    played.say(
        room(["Ann", "Ben"], "racing", n=2, you={"as": "player", "board": board(status="retired")})
    )
    await one.reads("You retired")
    await expect(one.page.locator("hm-race h1")).to_be_focused()
    await one.page.keyboard.press("Tab")
    assert await one.page.evaluate("document.activeElement !== document.body")


async def test_a_broken_seal_is_said_plainly(server: InProcess, tab: NewTab) -> None:
    one = await tab(server)
    one.expects_missing = True
    await Played.on(one, room(["Ann"], "over"))
    await expect(one.page.locator("hm-seal")).to_have_attribute("data-result", "broken")
    await one.reads("does not fit this code")


async def test_the_lobby_shows_the_way_in_as_a_qr_code(server: InProcess, tab: NewTab) -> None:
    one = await tab(server)
    await one.create("Ann")
    code = one.page.get_by_role("img", name="QR code")
    await expect(code).to_be_visible()
    assert await code.evaluate("image => image.complete && image.naturalWidth > 0")


async def test_a_reaction_reaches_the_others_unless_the_host_switched_them_off(
    server: InProcess, tab: NewTab
) -> None:
    ann, ben = await tab(server), await tab(server)
    await ben.join(await ann.create("Ann"), "Ben")
    await ann.set_option("countdown_ms", "0")
    for one in (ann, ben):
        await one.ready()
    await ann.start()
    await ben.is_racing()
    await ben.button("React").click()
    await ben.button("Wow").click()
    await expect(ann.rival("Ben").locator("hm-reaction")).to_have_text("Wow")
    await expect(ben.rival("you").locator("hm-reaction")).to_have_text("Wow")
    for one in (ann, ben):
        await one.retire()
    await ann.result()
    await ann.button("React").click()
    await ann.button("Good game").click()
    await expect(ben.page.locator("hm-standings hm-reaction svg")).to_be_visible()

    await ann.button("Rematch").click()
    await ann.page.locator("#option-reactions").uncheck()
    await ben.button("To the lobby").click()
    for one in (ann, ben):
        await one.ready()
    await ann.start()
    for one in (ann, ben):
        await one.is_racing()
        await expect(one.button("React")).not_to_be_visible()


async def test_reactions_are_called_shown_and_muted(server: InProcess, tab: NewTab) -> None:
    one = await tab(server)
    one.expects_missing = True
    played = await Played.on(one, room(["Ann", "Ben"], "racing"))
    await one.is_racing()
    await one.button("React").click()
    await one.button("Nice").click()
    assert [c["reaction"] for c in played.heard if c["type"] == "react"] == ["nice"]
    called = {"type": "reaction", "room": "H4K7P", "player": "p_1", "reaction": "ouch"}
    played.say({**called, "n": 2})
    await expect(one.rival("Ben").locator("hm-reaction")).to_have_text("Ouch")
    played.say({**called, "n": 3, "reaction": "something new"})
    await one.page.locator("hm-settings > button").click()
    await one.page.locator("#set-reactions").uncheck()
    await expect(one.rival("Ben").locator("hm-reaction")).not_to_be_visible()
