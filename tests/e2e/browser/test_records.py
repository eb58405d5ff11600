"""Races that are over, at a browser: played again, dropped onto the page, compared, and offered to all."""

from __future__ import annotations

import asyncio
import json
import random
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.async_api import Locator, expect

from e2e.browser.conftest import NewTab
from e2e.browser.tab import Tab
from e2e.browser.test_screens import fingers_fit, is_clean
from e2e.browser.test_watch import watch
from halfmoon_testing.driver import Driver, drivers, line_up, start_race
from halfmoon_testing.oracle import OracleBoard
from halfmoon_testing.records import Record, simulated_race
from halfmoon_testing.server import Address, InProcess
from halfmoon_testing.solver import WINNABLE_CODE, winning_line

LINE = winning_line()
PHONE = {"width": 360, "height": 640}

OWN_CLOCK = """() => {
    const waiting = [];
    let now = 0;
    document.querySelector("hm-replay").clock = { now: () => now, next: (run) => waiting.push(run) };
    window.pass = (ms) => {
        for (now += ms; waiting.length > 0 && ms > 0; ms = 0) waiting.splice(0).forEach((run) => run());
        return waiting.length > 0;
    };
}"""
"""Gives the replay a clock that runs when `pass(ms)` says so; it tells whether it plays on."""


async def act(racer: Driver, board: OracleBoard, spots: Sequence[str] | None) -> None:
    """Make this move, or undo, on both."""
    if spots is None:
        await racer.done("undo", turn=board.turn)
        board.undo()
    else:
        await racer.done("move", turn=board.turn, spots=list(spots))
        board.play(spots)


async def race_on(racer: Driver, seed: int, actions: int) -> None:
    """Move at random, back out of deadlocks, and retire after so many actions."""
    chance = random.Random(seed)
    board = OracleBoard.of_code(WINNABLE_CODE)
    for _ in range(actions):
        moves = sorted(map(sorted, board.legal_moves()))
        await act(racer, board, chance.choice(moves) if moves else None)
    await racer.done("retire")


async def win(racer: Driver) -> None:
    """Clear the table."""
    board = OracleBoard.of_code(WINNABLE_CODE)
    for spots in LINE:
        await act(racer, board, spots)


async def raced(server: Address, names: Sequence[str], *runs: Any, public: bool = True) -> Record:
    """The record of a race in which everybody does as told, all at once."""
    racers = await line_up(server.ws, names, code=WINNABLE_CODE, countdown_ms=0, public=public)
    async with drivers(*racers):
        await start_race(racers)
        await asyncio.gather(*(run(racer) for run, racer in zip(runs, racers, strict=True)))
        over = await racers[0].until("over")
    return await asyncio.to_thread(record_of, server, over["race"])


def record_of(server: Address, race: str) -> Record:
    with urllib.request.urlopen(f"{server.http}/api/races/{race}") as answer:
        record: Record = json.load(answer)
    return record


async def told(board: Locator) -> tuple[str, ...]:
    """Rank, name, score and state in the caption of a board."""
    read = "all => all.map((one) => one.textContent.trim())"
    parts = await board.locator(".place, bdi, .points, .state").evaluate_all(read)
    return tuple(parts)


LYING = """(table) => Object.fromEntries([...table.querySelectorAll(".spot")].flatMap((spot) => {
    const { face } = spot.querySelector("hm-card");
    return face === null ? [] : [[spot.dataset.spot, face]];
}))"""
"""The cards that lie open on a small board, by their spots."""


def last_board(record: Record, player: str) -> OracleBoard:
    """The board that all of a racer's actions lead to."""
    board = OracleBoard.of_code(record["code"])
    for action in next(line for line in record["players"] if line["player"] == player)["actions"]:
        if "move" in action:
            board.play(action["move"])
        elif "undo" in action:
            board.undo()
    return board


async def open_race(at: Tab, record: Record, more: str = "") -> None:
    await at.open(f"/race/{record['race']}{more}")
    await expect(at.page.locator("hm-replaybar")).to_be_visible()


async def test_a_race_of_four_is_replayed_to_its_standings(server: InProcess, tab: NewTab) -> None:
    record = await raced(
        server,
        ["Ann", "Ben", "Cleo", "Dan"],
        win,
        lambda racer: race_on(racer, 1, 35),
        lambda racer: race_on(racer, 2, 20),
        lambda racer: race_on(racer, 3, 5),
    )
    eve = await tab(server)
    await open_race(eve, record)
    page = eve.page
    await expect(page.locator("hm-watched")).to_have_count(4)
    assert all([(await told(one))[2] == "0" for one in await page.locator("hm-watched").all()])

    await page.evaluate(OWN_CLOCK)
    await page.locator(".speed").select_option("32")
    await page.keyboard.press("Space")
    length_ms = record["over_at"] - record["starts_at"]
    assert await page.evaluate("pass(1)")
    await expect(page.get_by_role("button", name="Pause")).to_be_visible()
    assert not await page.evaluate(f"pass({length_ms / 32})")
    await eve.reads("The race is over")

    for line in record["standings"]:
        board = page.locator("hm-watched").filter(has=page.locator("bdi", has_text=line["name"]))
        rank, name, score, state = await told(board)
        assert (int(rank), name, int(score)) == (line["rank"], line["name"], line["score"])
        assert state.startswith(line["status"])
        last = last_board(record, line["player"])
        assert (int(score), state.split(" · ")[-1]) == (last.score, f"{last.moves} moves")
        assert await board.locator(".little-table").evaluate(LYING) == last.exposed()
    rows = page.locator("hm-results tbody tr")
    assert [int(rank) for rank in await rows.locator(".col-rank").all_inner_texts()] == [1, 2, 3, 4]
    await is_clean(eve, "record")

    # By steps and jumps; the address keeps up, and leads another there.
    await page.keyboard.press("Home")
    await page.keyboard.press("Shift+ArrowRight")
    await page.keyboard.press("3")
    await expect(page.locator("hm-followed bdi")).to_have_text("Cleo")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".replay-news")).to_contain_text("Cleo:")
    await page.keyboard.press("0")
    await page.get_by_role("button", name="Next undo").click()
    await expect(page.locator(".replay-news")).to_contain_text("Taken back")
    await page.keyboard.press("2")
    ben = next(line["player"] for line in record["players"] if line["name"] == "Ben")
    await page.wait_for_url(f"**/race/{record['race']}#t=*&p={ben}")
    moment = page.url
    clock = await page.locator(".replay-clock").inner_text()
    phone = await tab(server, viewport=PHONE)
    await phone.page.goto(moment)
    await expect(phone.page.locator("hm-followed bdi")).to_have_text("Ben")
    await expect(phone.page.locator(".replay-clock")).to_have_text(clock)
    await is_clean(phone, "record on a phone")
    await fingers_fit(phone)
    await page.keyboard.press("?")
    await expect(page.locator("dialog[open]")).to_contain_text("the next deadlock")


async def drop(at: Tab, text: str) -> None:
    """Let a file fall on the middle of the page."""
    await at.page.evaluate(
        """(text) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "race.json", { type: "application/json" }));
            const how = { dataTransfer, bubbles: true, cancelable: true };
            document.querySelector("main").dispatchEvent(new DragEvent("drop", how));
        }""",
        text,
    )


async def test_a_record_is_dropped_and_a_changed_one_is_refused(
    server: InProcess, tab: NewTab, tmp_path: Path
) -> None:
    record = simulated_race(8, code=WINNABLE_CODE, players=2, ghosts=1)
    eve = await tab(server)
    page = eve.page
    await eve.open("/")
    await page.get_by_role("link", name="Look at a record").click()
    await expect(page.locator(".entrance")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    await page.reload()
    await expect(page.locator(".entrance")).to_be_visible()
    await is_clean(eve, "the place for records")

    changed = json.loads(json.dumps(record))
    changed["standings"][1]["score"] += 10
    (tmp_path / "changed.json").write_text(json.dumps(changed))
    await page.locator("input[type=file]").set_input_files(tmp_path / "changed.json")
    told, true = changed["standings"][1]["score"], record["standings"][1]["score"]
    name = record["standings"][1]["name"]
    await eve.reads(
        f"Standings, {name}, Score: {told} is written there, but by the actions it is {true}."
    )
    await drop(eve, "no record at all")
    await eve.reads("The file can't be read as a record.")

    await drop(eve, json.dumps(record))
    await expect(page.locator("hm-results tbody tr")).to_have_count(3)
    await expect(page.locator("hm-results tr").filter(has_text="recorded run")).to_have_count(1)
    # What is kept is what was dropped.
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download the record").click()
    kept = await (await download.value).path()
    assert json.loads(kept.read_text()) == record

    # Another one of the same deal is compared with it; one that doesn't hold changes nothing.
    other = simulated_race(9, code=WINNABLE_CODE, players=1)
    await drop(eve, json.dumps({**other, "seal": "0" * 64}))
    await eve.reads("The seal isn't that of the code.")
    await drop(eve, json.dumps({**other, "race": "r_2"}))
    await expect(page.locator("#parted-other option:checked")).to_contain_text("P_1 (")
    # All that with files alone.
    others = [url for url in asked if "/static/" not in url and not url.endswith("/replay")]
    assert [url for url in others if not url.startswith("blob:")] == []


async def test_where_two_runs_parted_is_told_and_shown(server: InProcess, tab: NewTab) -> None:
    board = OracleBoard.of_code(WINNABLE_CODE)
    board.play(LINE[0])
    moves = sorted(map(sorted, board.legal_moves()))
    other = next(move for move in moves if move != sorted(LINE[1]))

    async def ann(racer: Driver) -> None:
        own = OracleBoard.of_code(WINNABLE_CODE)
        for spots in (LINE[0], LINE[1], None, other):
            await act(racer, own, spots)
        await racer.done("retire")

    async def ben(racer: Driver) -> None:
        own = OracleBoard.of_code(WINNABLE_CODE)
        for spots in (LINE[0], other):
            await act(racer, own, spots)
        await racer.done("retire")

    record = await raced(server, ["Ann", "Ben"], ann, ben)
    eve = await tab(server)
    await open_race(eve, record)
    parted = eve.page.locator("hm-parted")
    await expect(parted.locator(".parted-count")).to_have_text(
        "Difference 1 of 1. Both had the same cards before them, 1 move made, 10 points."
    )
    sides = parted.locator(".parted-side")
    for name, spots in (("Ann", LINE[1]), ("Ben", other)):
        side = sides.filter(has=eve.page.locator("bdi", has_text=name))
        words = side.locator("> p").first
        for spot in spots:
            spot_words = f"reserve {spot}" if spot.startswith("R") else f"pile {spot}"
            await expect(words).to_contain_text(spot_words)
        chosen = side.locator(".spot.selected")
        read = "all => all.map((one) => one.dataset.spot)"
        assert sorted(await chosen.evaluate_all(read)) == sorted(spots)
    await expect(parted).to_contain_text("Later Ann took that back.")
    await expect(parted).to_contain_text("What lay beneath:")
    await parted.get_by_role("button", name="See it in the replay: Ben").click()
    await expect(eve.page.locator("hm-followed bdi")).to_have_text("Ben")
    await expect(eve.page.locator("hm-followed .points")).to_have_text("10")

    # Another race of the same deal comes by its id.
    await open_race(eve, record, f"?with={record['race']}")
    await expect(parted.locator("#parted-one option")).to_have_count(4)
    await expect(parted.locator("#parted-other option:checked")).to_contain_text(" (")


async def test_everybody_is_offered_the_replay_and_still_after_the_rematch(
    server: InProcess, tab: NewTab
) -> None:
    racers = await line_up(server.ws, ["Ann", "Ben"], code=WINNABLE_CODE, countdown_ms=0)
    ann, ben = racers
    async with drivers(*racers):
        eve = await tab(server)
        await watch(eve, ann.room)
        wall = await tab(server, viewport={"width": 1280, "height": 720})
        await wall.open(f"/r/{ann.room}/wall")
        await start_race(racers)
        for racer in (ann, ben):
            await racer.done("retire")
        race = (await ann.until("over"))["race"]
        link = eve.page.get_by_role("link", name="Watch the replay")
        await expect(link).to_have_attribute("href", f"/race/{race}")
        await expect(wall.page.locator(".wall-address").first).to_contain_text(f"/race/{race}")
        await expect(wall.page.locator(".qr")).to_have_attribute("src", f"/qr/race/{race}")
        await expect(wall.page.locator(".qr")).to_be_visible()
        await ann.done("rematch")
        await eve.button("To the lobby").click()
        again = eve.page.get_by_role("link", name="Replay of the last race")
        await expect(again).to_have_attribute("href", f"/race/{race}")
        await fingers_fit(eve)
