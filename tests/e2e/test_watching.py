"""Watching over real sockets: live, fair, late, and for racers who are done (Contract §7)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from typing import Any

import pytest

from halfmoon_testing.driver import Driver, Message, drivers, line_up, start_race
from halfmoon_testing.oracle import OracleBoard, reason_of_cards
from halfmoon_testing.server import InProcess, get_json
from halfmoon_testing.watchers import FACE_DOWN, Watcher, top_of

SPOTS = [*map(str, range(1, 13)), *(f"R{place}" for place in range(1, 9))]
NEWS = ("boards", "seat_moved", "seat_undone", "seat_unmasked")


def told(driver: Driver) -> Watcher:
    """What somebody knows of boards by all that they were told."""
    watcher: Watcher | None = None
    for message in driver.heard:
        if message["type"] == "boards" or (message["type"] == "room" and "boards" in message):
            watcher = Watcher.told(message)
        elif message["type"] in NEWS:
            assert watcher is not None, "nothing about a seat comes before its board"
            watcher.hear(message)
    assert watcher is not None, "they were shown no boards"
    return watcher


def moves_on(board: Message) -> Iterable[list[str]]:
    """The pairs that lie open on a board."""
    cards = {spot: card for spot in SPOTS if (card := top_of(board, spot)) is not None}
    for one, first in cards.items():
        for other, second in cards.items():
            if SPOTS.index(one) < SPOTS.index(other) and reason_of_cards([first, second]) is None:
                yield [one, other]


async def play(player: Driver, chance: random.Random, steps: int) -> Message:
    """So many moves and undos; the board after them."""
    view: Message = (await player.done("join_room"))["you"]["board"]
    for _ in range(steps):
        moves = [*moves_on(view)]
        if moves and (chance.random() < 0.8 or not view["can_undo"]):
            await player.move(view["turn"], chance.choice(moves))
        elif view["can_undo"]:
            await player.done("undo", turn=view["turn"])
        view = (await player.done("join_room"))["you"]["board"]
    return view


def is_same(seen: Message, own: Message) -> bool:
    """Whether a watched board is the racer's own."""
    return all(seen[name] == own[name] for name in ("turn", "piles", "reserve", "score", "moves"))


async def test_with_open_every_move_is_seen_as_it_is_made(server: InProcess) -> None:
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], countdown_ms=0, spectators="open")
    eve = await Driver.enter(server.ws, "Eve")
    async with drivers(ann, bob, eve):
        await eve.join(ann.room, "spectator")
        await start_race([ann, bob])
        own = await play(ann, random.Random(1), 12)
        while told(eve).boards[ann.player]["turn"] < own["turn"]:
            await eve.until("progress", since=len(eve.heard))
        assert is_same(told(eve).boards[ann.player], own)
        late = await Driver.enter(server.ws, "Lea")
        async with drivers(late):
            assert (await late.join(ann.room))["boards"] == told(eve).boards


async def test_a_racer_hears_of_no_board_until_done_and_of_all_from_then_on(
    server: InProcess,
) -> None:
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], countdown_ms=0, spectators="open")
    async with drivers(ann, bob):
        await start_race([ann, bob])
        await play(bob, random.Random(2), 6)
        assert not [message for message in ann.heard if message["type"] in NEWS]
        assert not [room for room in ann.of("room") if "boards" in room or "w" in room]
        await ann.done("retire")
        await ann.until("boards")
        own = await play(bob, random.Random(3), 4)
        await bob.done("retire")
        await ann.until("over")
        assert is_same(told(ann).boards[bob.player], own)


@pytest.mark.parametrize("seed", range(3))
async def test_with_fair_nobody_can_help_and_at_the_end_all_is_seen(
    server: InProcess, seed: int
) -> None:
    """Every face-up card was known to all who raced, as far as a black box can tell."""
    chance = random.Random(seed)
    racers = await line_up(server.ws, ["Ann", "Bob", "Cid"], countdown_ms=0, spectators="fair")
    eve = await Driver.enter(server.ws, "Eve")
    async with drivers(*racers, eve):
        await eve.join(racers[0].room, "spectator")
        boards = await start_race(racers)
        own = await asyncio.gather(
            *(play(racer, random.Random(chance.random()), 10) for racer in racers)
        )
        room = await eve.join(racers[0].room, "spectator")
        known = [cards_seen(racer) for racer in racers]
        for player, board in room["boards"].items():
            shown = {top_of(board, spot) for spot in SPOTS} - {None, FACE_DOWN}
            assert all(shown <= cards for cards in known), player
            assert ("status" in board) is not (FACE_DOWN in map(str, tops(board)))
        assert boards[0]["turn"] == 0
        for racer in racers:
            await racer.done("retire")
        over = await eve.until("over")
        for racer, view in zip(racers, own, strict=True):
            assert is_same(told(eve).boards[racer.player], view)
        await replayed(server, over, told(eve))


def tops(board: Message) -> list[str | None]:
    return [top_of(board, spot) for spot in SPOTS]


def cards_seen(racer: Driver) -> set[str]:
    """Every card that ever lay open on this racer's own board."""
    seen: set[str] = set()
    for message in racer.heard:
        view = message.get("board") or message.get("you", {}).get("board")
        if view is not None:
            seen |= {card for card in tops(view) if card is not None}
        seen |= {card for card in message.get("revealed", {}).values() if card is not None}
    return seen


async def replayed(server: InProcess, over: Message, watcher: Watcher) -> None:
    """What was seen at the end is what the record leads to."""
    record: Any = await get_json(server, f"/api/races/{over['race']}")
    for line in record["players"]:
        board = OracleBoard.of_code(over["code"])
        for action in line["actions"]:
            if "move" in action:
                board.play(action["move"])
            elif "undo" in action:
                board.undo()
        exposed = board.exposed()
        seen = watcher.boards[line["player"]]
        assert {spot: card for spot in SPOTS if (card := top_of(seen, spot))} == exposed


async def test_a_newer_connection_of_a_watcher_is_shown_all_before_any_news(
    server: InProcess,
) -> None:
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], countdown_ms=0, spectators="open")
    eve = await Driver.enter(server.ws, "Eve")
    async with drivers(ann, bob, eve):
        await eve.join(ann.room, "spectator")
        await start_race([ann, bob])
        await play(ann, random.Random(1), 3)
        newer = await Driver.enter(server.ws, token=eve.token, ids="n")
        async with drivers(newer):
            await newer.until("boards")
            own = await play(ann, random.Random(2), 3)
            while told(newer).boards[ann.player]["turn"] < own["turn"]:
                await newer.until("seat_moved", since=len(newer.heard))
            assert is_same(told(newer).boards[ann.player], own)


async def test_late_boards_come_late_and_the_rest_at_the_end(server: InProcess) -> None:
    options = {"spectators": "open", "spectator_delay_ms": 3_600_000, "countdown_ms": 0}
    (ann,) = await line_up(server.ws, ["Ann"], **options)
    eve = await Driver.enter(server.ws, "Eve")
    async with drivers(ann, eve):
        await eve.join(ann.room, "spectator")
        await start_race([ann])
        own = await play(ann, random.Random(1), 5)
        assert "boards" not in await eve.join(ann.room, "spectator")
        assert not [message for message in eve.heard if message["type"] in NEWS]
        await ann.done("retire")
        await eve.until("over")
        assert is_same(told(eve).boards[ann.player], own)


async def test_a_sign_is_shown_to_everybody_and_not_too_often(server: InProcess) -> None:
    ann, bob = await line_up(server.ws, ["Ann", "Bob"])
    async with drivers(ann, bob):
        assert (await ann.done("react", reaction="nice"))["type"] == "ok"
        shown = await bob.until("reaction")
        assert (shown["player"], shown["reaction"]) == (ann.player, "nice")
        command = ann.command("react", reaction="wow")
        await ann.say(command)
        refused = await ann.answer_to(command["id"])
        assert refused["code"] == "rate_limited"
        assert 0 < refused["retry_ms"] <= 1500
        assert (await ann.refused("react", reaction="boo"))["code"] == "bad_message"
        await ann.done("set_options", options={"reactions": False})
        assert (await bob.refused("react", reaction="gg"))["code"] == "not_allowed"
