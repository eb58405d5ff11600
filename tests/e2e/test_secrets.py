"""What must not be seen: cards before their time, codes of sealed races, tokens (Contract §7)."""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from halfmoon.engine.spots import INDEX
from halfmoon_server.rooms import views
from halfmoon_testing import oracle
from halfmoon_testing.driver import CARD, Driver, Message, drivers, line_up, start_race
from halfmoon_testing.oracle import OracleBoard
from halfmoon_testing.server import InProcess, ServerProcess, get_text
from halfmoon_testing.wsraw import PING, Raw, frame, text

LONG = bool(os.environ.get("HALFMOON_LONG"))


def moves_on(view: Message) -> list[list[str]]:
    """All moves on a board as its player sees it."""
    cards = {str(place): pile["top"] for place, pile in enumerate(view["piles"], 1)}
    cards |= {f"R{place}": card for place, card in enumerate(view["reserve"], 1)}
    there = [spot for spot, card in cards.items() if card is not None]
    return [
        list(spots)
        for count in (2, 3)
        for spots in combinations(there, count)
        if oracle.reason_of_cards([cards[spot] for spot in spots]) is None
    ]


async def wander(player: Driver, chance: random.Random, steps: int) -> None:
    """Play at random with all that could make a card slip out: undo, errors, coming back."""
    view = (await player.done("join_room"))["you"]["board"]
    for _ in range(steps):
        moves = moves_on(view)
        turn = view["turn"]
        dice = chance.random()
        if dice < 0.15 and view["can_undo"]:
            await player.done("undo", turn=turn)
        elif dice < 0.25:
            await player.refused("move", turn=turn + 1, spots=["1", "2"])
            await player.refused("move", turn=turn, spots=["1"])
            await player.refused("undo", turn=turn + 7)
        elif moves:
            await player.move(turn, chance.choice(moves))
        elif view["can_undo"]:
            await player.done("undo", turn=turn)
        view = (await player.done("join_room"))["you"]["board"]


def same(seen: Message, board: OracleBoard) -> None:
    exposed = board.exposed()
    assert [pile["top"] for pile in seen["piles"]] == [
        exposed.get(str(place)) for place in range(1, 13)
    ]
    assert seen["reserve"] == [exposed.get(f"R{place}") for place in range(1, 9)]


def justify(player: Driver, code: str) -> int:
    """Go through everything that a racer received: each card was exposed there and then; how many."""
    board = OracleBoard.of_code(code)
    cards = 0
    for message, raw in zip(player.heard, player.texts, strict=True):
        kind = message["type"]
        cards += len(CARD.findall(raw))
        if kind == "moved":
            spots = list(message["revealed"])
            assert message["removed"] == [card for _, card in board.play(spots)]
            exposed = board.exposed()
            assert message["revealed"] == {spot: exposed.get(spot) for spot in spots}
        elif kind == "undone":
            assert message["restored"] == dict(board.undo())
        elif kind == "board" or (kind == "error" and "board" in message):
            same(message["board"], board)
        elif kind == "room" and "board" in message["you"]:
            same(message["you"]["board"], board)
        else:
            assert not CARD.findall(raw), raw
    return cards


def traces(code: str) -> Iterator[str]:
    """All in which a sealed code could give itself away."""
    letters = code.rpartition("-")[2]
    yield code
    yield letters
    yield letters.lower()
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A")
    yield str(number)
    yield f"{number:x}"
    for block in range(2):
        digest = hashlib.sha256(code.encode() + b"\x00" + block.to_bytes(4, "big")).digest()
        yield digest.hex()
        for start in range(0, 32, 4):
            yield digest[start : start + 4].hex()
            yield str(int.from_bytes(digest[start : start + 4], "big"))


async def everything_on(server: InProcess | ServerProcess, race: str, room: str) -> str:
    """Every page that could be looked at during a race."""
    paths = (
        "/",
        f"/r/{room}",
        "/metrics",
        "/healthz",
        "/api/rooms",
        f"/api/rooms/{room}",
        f"/api/races/{race}",
        f"/api/races/{room}",
        "/api/schema",
    )
    return "\n".join([await get_text(server, path) for path in paths])


async def test_every_card_that_a_racer_received_was_exposed_there_and_then(
    server: InProcess,
) -> None:
    """P07c, B42, B44, B45: black box, on sealed deals, with all that a client can do."""
    for seed in range(40 if LONG else 3):
        chance = random.Random(seed)
        names = ["Ann", "Bob", "Cid"]
        shut = {"public": True, "spectators": "scores"}
        players = await line_up(server.ws, names, countdown_ms=0, **shut)
        eve = await Driver.enter(server.ws, "Eve")
        async with drivers(*players, eve):
            await eve.join(players[0].room, "spectator")
            await start_race(players)
            await asyncio.gather(
                *(wander(player, random.Random(chance.random()), 25) for player in players)
            )
            race = players[0].of("started")[0]["race"]
            pages = await everything_on(server, race, players[0].room)
            before = {player.player: len(player.texts) for player in (*players, eve)}
            for player in players:
                await player.done("retire")
            code = (await eve.until("over"))["code"]
            for player in players:
                await player.until("over")
                assert justify(player, code) > 40
            assert not eve.cards()
            said = [pages]
            for player in (*players, eve):
                said += player.texts[: before[player.player]]
            for trace in traces(code):
                assert not any(trace in one for one in said), trace


async def test_the_search_finds_a_card_that_leaks(
    server: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control of the test above: a view that shows the card below."""
    told = views.answer

    def leaky(kind: Any, before: Any, after: Any, player: str, *rest: Any) -> Any:
        said: Any = told(kind, before, after, player, *rest)
        if kind != "moved":
            return said
        board = after.race.seats[player].run.board
        below = {
            spot: board.deal.ladders[INDEX[spot]][max(0, board.counts[INDEX[spot]] - 1)]
            for spot in said.revealed
        }
        return said.model_copy(update={"revealed": below})

    monkeypatch.setattr(views, "answer", leaky)
    (ann,) = await line_up(server.ws, ["Ann"], countdown_ms=0)
    async with drivers(ann):
        await start_race([ann])
        await wander(ann, random.Random(1), 8)
        await ann.done("retire")
        code = (await ann.until("over"))["code"]
        with pytest.raises(AssertionError):
            justify(ann, code)


async def test_no_token_code_or_card_is_in_logs_metrics_pages_or_files(
    process: ServerProcess,
) -> None:
    """P23: with everything that goes wrong on the way, so that there is something in the log."""
    players = await line_up(process.ws, ["Mark Twain", "Bob"], countdown_ms=0, public=True)
    ann, bob = players
    async with drivers(ann, bob):
        view = (await start_race(players))[0]
        await ann.move(0, moves_on(view)[0])
        await ann.refused("move", turn=0, spots=["1", "2"])
        race = ann.of("started")[0]["race"]
        async with await Raw.upgraded(process.port) as raw:
            await raw.ask({"type": "hello", "name": "Planted Name", "id": "planted-id"})
            raw.send(text({"type": "hello", "token": "planted-token"}))
            raw.send(*(text(f'{{"planted-text":{place}}}') for place in range(12)))
            assert await raw.close_code() == 1008
        async with await Raw.upgraded(process.port) as raw:
            raw.send(text({"type": "hello", "token": ann.token[:-1]}), frame(b"planted\xff"))
            assert await raw.close_code() == 1007
        async with await Raw.upgraded(process.port) as raw:
            raw.send(frame(b"planted", PING) * 3000)
            assert await raw.close_code() == 1008
        async with await Raw.open(process.port) as raw:
            await raw.upgrade({"Origin": "https://planted.example", "Cookie": "planted=1"})
        async with await Raw.open(process.port) as raw:
            raw.send(b"planted nonsense\r\n\r\n")
            await raw.end()
        pages = await everything_on(process, race, ann.room)
        await ann.done("retire")
        await bob.done("retire")
        code = (await ann.until("over"))["code"]
        record = await get_text(process, f"/api/races/{race}")
        log = process.log()
        for token in (ann.token, bob.token, ann.token[:12], "planted"):
            for where in (log, pages, record, process.printed):
                assert token not in where
        others = [message for message in bob.texts if '"welcome"' not in message]
        assert not any(ann.token in message for message in [*bob.texts, *others])
        for trace in traces(code):
            assert trace not in log
            assert trace not in pages
        assert not CARD.findall(log + await get_text(process, "/metrics"))
        assert "Twain" not in log
        with open(f"/proc/{process.pid}/cmdline", "rb") as command:  # noqa: ASYNC230, PTH123 - not on a disk
            said = command.read()
        assert b"serve" in said
        assert ann.token.encode() not in said
        for file in files_in(process.folder):
            assert ann.token.encode() not in file.read_bytes()
    events = [line["event"] for line in process.log_lines()]
    assert events.count("connection.closed") == 3
    assert events.count("handshake.refused") == 1
    for line in process.log_lines():
        assert {"event", "level", "timestamp"} <= set(line)


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()]


async def test_nothing_tells_a_deal_before_the_start(server: InProcess) -> None:
    """B49: as host, as player, as spectator, in lobby and countdown, in frames and pages."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], countdown_ms=4000, public=True)
    eve = await Driver.enter(server.ws, "Eve")
    async with drivers(ann, bob, eve):
        await eve.join(ann.room, "spectator")
        await ann.done("set_options", options={"max_players": 4})
        await ann.done("start")
        room = await bob.done("join_room")
        assert room["state"] == "countdown"
        pages = await everything_on(server, room.get("race", "x"), ann.room)
        said = [*ann.texts, *bob.texts, *eve.texts]
        assert not CARD.findall("".join(said))
        await bob.until("board")
        await ann.done("retire")
        await bob.done("retire")
        code = (await ann.until("over"))["code"]
        for trace in traces(code):
            assert not any(trace in one for one in (*said, pages))


async def test_who_comes_back_learns_no_more_than_who_stayed(server: InProcess) -> None:
    """B42, B50: by a second connection, by leaving, by being done early."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], countdown_ms=0, spectators="scores")
    async with drivers(bob):
        view = (await start_race([ann, bob]))[0]
        await bob.move(0, moves_on(view)[0])
        second = await Driver.enter(server.ws, token=ann.token, ids="s")
        async with drivers(second):
            assert (await second.join(ann.room))["you"]["board"] == view
            await second.done("retire")
            mark = len(second.heard)
            await bob.done("undo", turn=1)
            await second.until("progress", since=mark)
            seen = await second.join(ann.room)
            assert seen["you"]["board"] == {**view, "status": "retired", "can_undo": False}
            assert "boards" not in seen
            assert "code" not in seen
            await second.done("leave_room")
            again = await second.join(ann.room, "spectator")
            assert again["you"]["as"] == "player"  # a racer never watches their own race
            assert "boards" not in again
            assert "code" not in again
            assert not [m for m in second.heard if m["type"].startswith(("seat_", "boards"))]


async def test_a_token_is_not_made_of_what_others_know(server: InProcess) -> None:
    tokens, players = set(), set()
    for place in range(30):
        driver = await Driver.enter(server.ws, f"P{place}")
        tokens.add(driver.token)
        players.add(driver.player)
        assert len(driver.token) >= 22  # 128 bits in base64
        assert hashlib.sha256(driver.token.encode()).hexdigest()[:8] not in driver.player
        assert driver.player.removeprefix("p_") not in driver.token
        await driver.close()
    assert len(tokens) == len(players) == 30
