"""Challenges and the day's deal as tests ask for them and race them."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

from aiohttp import ClientSession

from halfmoon_testing.driver import Driver, Message
from halfmoon_testing.server import Address

AT_ONCE = {"countdown_ms": 0}


async def asked(
    at: Address, path: str, who: Driver | None = None, status: int = 200, **headers: str
) -> Any:
    """What a path answers this player, or anybody."""
    if who is not None:
        headers["Authorization"] = f"Bearer {who.token}"
    async with ClientSession() as session, session.get(at.http + path, headers=headers) as answer:
        text = await answer.text()
        assert answer.status == status, (path, answer.status, text)
        return json.loads(text) if text.startswith("{") else text


async def challenged(at: Address, who: Driver | None, status: int = 201, **body: Any) -> Any:
    """What `POST /api/challenges` answers."""
    headers = {} if who is None else {"Authorization": f"Bearer {who.token}"}
    text = json.dumps(body).encode()
    async with (
        ClientSession() as session,
        session.post(at.http + "/api/challenges", data=BytesIO(text), headers=headers) as answer,
    ):
        assert answer.status == status, (answer.status, await answer.text())
        return await answer.json()


async def open_room(who: Driver, **what: Any) -> Message:
    """A room of the player for a challenge or the day's deal."""
    snapshot = await who.done("create_room", options=AT_ONCE, **what)
    who.room = snapshot["room"]
    return snapshot


async def run(who: Driver, moves: int = 1) -> Message:
    """The player races in their room, makes so many moves, and retires: what they are told at the end."""
    since = len(who.heard)
    await who.done("set_ready", ready=True)
    await who.done("start")
    board = (await who.until("board", since=since))["board"]
    for turn in range(moves):
        board = await move(who, turn, board)
    await who.done("retire")
    return await who.until("over", since=since)


async def move(who: Driver, turn: int, board: Message) -> Message:
    """Any move that goes: two spots or three, tried one after the other by what lies there."""
    tops = {str(n): pile["top"] for n, pile in enumerate(board["piles"], start=1)}
    tops |= {f"R{n}": card for n, card in enumerate(board["reserve"], start=1)}
    spots = fitting({spot: card for spot, card in tops.items() if card})
    moved = await who.move(turn, spots)
    for spot, card in moved["revealed"].items():
        if spot.startswith("R"):
            board["reserve"][int(spot[1:]) - 1] = card
        else:
            board["piles"][int(spot) - 1]["top"] = card
    return board


def fitting(tops: dict[str, str]) -> list[str]:
    """Spots whose cards may go together."""
    number = {spot: "A23456789T".find(card[0]) + 1 for spot, card in tops.items()}
    for one in tops:
        for other in tops:
            if one != other and number[one] and number[one] + number[other] == 11:
                return [one, other]
    courts = [next((s for s, card in tops.items() if card[0] == rank), "") for rank in "JQK"]
    assert all(courts), "this deal has no move"
    return courts


async def original(who: Driver, **options: Any) -> Message:
    """A race of the player alone, on a sealed deal: how it ended."""
    await who.create(**AT_ONCE, **options)
    return await run(who, moves=2)
