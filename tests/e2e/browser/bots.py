"""Racers that play by a plan, and what each knows of the own board: what watchers are shown has to agree with it."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from e2e.browser.tab import Tab
from halfmoon_testing.driver import Driver, Message

Shown = dict[str, Any]
"""A board as the page shows it: name, score, what lags, and what lies on every spot."""

BACK = "back"

SHOWN = """(expected) => new Promise((found) => {
    const told = (one) => [one.querySelector("bdi"), one.querySelector(".points"), one.querySelector(".lag")]
        .map((part) => part.textContent);
    const cards = (one) => Object.fromEntries([...one.querySelectorAll("[data-spot]")]
        .map((spot) => [spot.dataset.spot, spot.querySelector("hm-card").face]));
    const look = () => [...document.querySelectorAll("hm-watched")].map((one) => {
        const [name, score, lag] = told(one);
        return { name, score, lag, cards: cards(one) };
    });
    const same = (one, other) => one.name === other.name && one.score === other.score && one.lag === other.lag
        && Object.entries(other.cards).every(([spot, face]) => one.cards[spot] === face);
    const until = performance.now() + 10000;
    const wait = () => {
        const now = look();
        const agrees = now.length === expected.length && now.every((one, i) => same(one, expected[i]));
        if (agrees || performance.now() > until) found(now); else requestAnimationFrame(wait);
    };
    wait();
})"""
"""All boards of the page as soon as they are as expected, else as they are after a while."""


@dataclass
class Bot:
    """A racer, and the board after each of the own actions."""

    racer: Driver
    name: str
    boards: list[Message] = field(default_factory=list[Message])

    async def move(self, spots: Sequence[str]) -> None:
        said = await self.racer.move(self.board["turn"], spots)
        self._take(said, said["revealed"], -1)

    async def undo(self) -> None:
        said = await self.racer.done("undo", turn=self.board["turn"])
        self._take(said, said["restored"], +1)

    @property
    def board(self) -> Message:
        return self.boards[-1]

    def shown(self, turn: int, hidden: Sequence[str] = ()) -> Shown:
        """What a page shows of it that is so many actions far, live numbers beside it."""
        lag = self.board["turn"] - turn
        words = "" if lag == 0 else f"{lag} behind"
        tops = tops_of(self.boards[turn])
        cards = {spot: BACK if spot in hidden else card for spot, card in tops.items()}
        return {"name": self.name, "score": str(self.board["score"]), "lag": words, "cards": cards}

    def _take(self, said: Message, cards: dict[str, str | None], more: int) -> None:
        after = copy.deepcopy(self.board)
        for spot, card in cards.items():
            if spot.startswith("R"):
                after["reserve"][int(spot[1:]) - 1] = card
            else:
                pile = after["piles"][int(spot) - 1]
                pile["top"], pile["count"] = card, pile["count"] + more
        self.boards.append(after | {name: said[name] for name in ("turn", "score", "moves")})


def tops_of(board: Message) -> dict[str, str | None]:
    """What lies on every spot."""
    piles = {str(number): pile["top"] for number, pile in enumerate(board["piles"], start=1)}
    return piles | {f"R{number}": card for number, card in enumerate(board["reserve"], start=1)}


async def boards_on(at: Tab, expected: Sequence[Shown]) -> list[Shown]:
    """What the page shows, as soon as that is what is expected."""
    shown: list[Shown] = await at.page.evaluate(SHOWN, [*expected])
    return shown
