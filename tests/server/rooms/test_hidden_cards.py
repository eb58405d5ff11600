"""Hidden cards stay hidden (Contract §7): every frame that a room sends, searched.

*Labels*: each of the 104 places of a deal has a text of its own, so that a card is known wherever it
turns up. *Non-interference*: two deals that differ only in what was never exposed make the same
frames, to the byte.
"""

import asyncio
import itertools
import os
import random
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfmoon.engine.codes import Code
from halfmoon.engine.deals import Deal
from halfmoon.engine.run import Run
from halfmoon.wire import messages as m
from halfmoon_server.rooms import views
from halfmoon_server.rooms.state import Room
from halfmoon_testing.builders import (
    ANN,
    BEN,
    PEOPLE,
    WINNABLE,
    exposed_positions,
    join,
    label,
    labelled_deal,
    move,
    ready,
    start,
)
from halfmoon_testing.fakes import FakeLink, payload
from halfmoon_testing.rooms import (
    Act,
    HostedRoom,
    command_of,
    deal_of,
    histories,
    hosted,
    numbered_chances,
    other_deal,
    solvable_chances,
    speaker,
    wait_of,
)
from halfmoon_testing.solver import winning_line

EXAMPLES = 2000 if os.environ.get("HALFMOON_LONG") else 40
PAIRS = 5000 if os.environ.get("HALFMOON_LONG") else 60
LABEL = re.compile(rb"<[0-9a-f]{8}\.\d+>")


class Leak(AssertionError):
    """A card left the server for somebody who has not had it exposed."""


class Search:
    """Looks through every frame for cards that its reader may not know.

    A racer may know what they have had exposed; who watches also what `open` or `fair` lets be seen.
    """

    def __init__(self) -> None:
        self.exposed: dict[str, set[bytes]] = defaultdict(set)
        """For each player, the labels that lay open on boards of theirs."""
        self.found = 0
        """Labels that were rightly there."""
        self._read: dict[FakeLink, int] = defaultdict(int)

    def after(self, room: Room, links: dict[str, FakeLink]) -> None:
        """Look through what was sent since the last time."""
        if room.race is not None:
            for seat in room.race.seats.values():
                places = exposed_positions(seat.run.board.counts)
                self.exposed[seat.player] |= {label(room.code, n).encode() for n in places}
        for player, link in links.items():
            known = self.exposed[player] | self._watched(room, player)
            for frame in link.frames[self._read[link] :]:
                self._look(player, frame, known)
            self._read[link] = len(link.frames)

    def _watched(self, room: Room, player: str) -> set[bytes]:
        """What this player may see of the boards of others (Contract §7)."""
        race, mode = room.race, room.options.spectators
        if race is None or mode not in ("open", "fair"):
            return set()
        unfinished = [
            seat.player
            for seat in race.seats.values()
            if room.state == "racing" and not room.is_done(seat)
        ]
        if player in unfinished:
            return set()
        seen = set[bytes]().union(*(self.exposed[racer] for racer in race.seats))
        if mode == "fair":
            for racer in unfinished:
                seen &= self.exposed[racer]
        return seen

    def _look(self, player: str, frame: bytes, known: set[bytes]) -> None:
        labels = set(LABEL.findall(frame))
        if strange := labels - known:
            raise Leak(f"{player} was sent {strange} in {payload(frame)[:300]!r}")
        self.found += len(labels)


async def searched(history: Iterable[Act], options: dict[str, Any]) -> Search:
    """Play the history on labelled deals and look through all that everybody is sent."""
    search = Search()
    async with hosted(deal=labelled_deal, draw=numbered_chances(), **options) as room:
        for act in history:
            await take(room, act)
            search.after(room.room, room.links)
            if room.has_ended:
                break
    return search


async def take(room: HostedRoom, act: Act) -> None:
    if act.kind == "wait":
        await room.pass_ms(wait_of(act))
    elif act.kind == "drop":
        await room.drop(act.who)
        room.reconnect(act.who)
    elif act.kind == "reopen":
        await room.crash()
        await room.restart()
    else:
        room.say(speaker(act, room.room), command_of(act, room.room))
        await room.settled()


# --- Labels -----------------------------------------------------------------------------------

ways_to_watch = st.fixed_dictionaries(
    {"undo": st.booleans(), "spectators": st.sampled_from(["open", "fair", "scores"])}
)


@settings(max_examples=EXAMPLES)
@given(histories(PEOPLE), ways_to_watch)
def test_nobody_is_ever_sent_a_card_that_was_not_exposed_on_a_board_of_theirs(
    history: list[Act], options: dict[str, Any]
) -> None:
    asyncio.run(searched(history, options))


def racing(count: int, chance: random.Random) -> list[Act]:
    """So much of what happens in a race, without an end to it."""
    acts: list[Act] = []
    for _ in range(count):
        kind = chance.choices(
            ["move", "undo", "stray", "stale", "behind", "drop", "join", "reopen", "wait"],
            [60, 12, 5, 4, 3, 2, 8, 1, 3],
        )[0]
        number = 2 if kind == "wait" else chance.randrange(1000)
        acts.append(Act(kind, chance.choice(PEOPLE[:4]), number))
    return acts


def long_play(seed: int) -> list[Act]:
    """Three races of three among themselves, with all that goes wrong in a room in between."""
    chance = random.Random(seed)
    racers = PEOPLE[:3]
    acts = [Act("watch", PEOPLE[3], 0), *(Act("join", who, 0) for who in racers)]
    for _ in range(3):
        acts += [Act("ready", who, 0) for who in racers]
        acts += [Act("start", ANN, 0), Act("wait", ANN, 5)]
        acts += racing(120, chance)
        acts += [Act("join", who, 0) for who in PEOPLE]
        acts += [Act("retire", who, 0) for who in racers]
        acts += [Act("rematch", who, 0) for who in racers]
    return acts


@pytest.mark.parametrize("seed", range(8))
def test_long_races_with_undo_drops_errors_and_rematches_give_nothing_away(seed: int) -> None:
    search = asyncio.run(searched(long_play(seed), {"spectators": "open"}))
    assert search.found > 500, "the search has something to find"
    assert not search.exposed[PEOPLE[3]], "who only watches has had nothing exposed"


# --- What the search must catch ---------------------------------------------------------------


def card_beneath(run: Run, *, undo: bool) -> m.BoardView:
    """A board view that is broken: it shows for pile 7 the card under the top."""
    view = _sound_board_view(run, undo=undo)
    count = run.board.counts[6]
    piles = [*view.piles]
    piles[6] = m.PileView(top=run.board.deal.piles[6][count - 2], count=count)
    return view.model_copy(update={"piles": piles})


_sound_board_view = views.board_view


def test_the_search_catches_a_view_that_sends_the_card_beneath(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(views, "board_view", card_beneath)
    with pytest.raises(Leak):
        asyncio.run(searched(long_play(1), {}))


def test_the_search_catches_a_move_that_reveals_one_card_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sound = views._moved

    def peeking(before: Room, after: Room, player: str, re: str | None) -> m.Moved:
        moved = sound(before, after, player, re)
        beneath = after.race.seats[player].run.board.deal.piles[0][0] if after.race else None
        return moved.model_copy(update={"revealed": {**moved.revealed, "1": beneath}})

    monkeypatch.setattr(views, "_moved", peeking)
    with pytest.raises(Leak):
        asyncio.run(searched(long_play(1), {}))


def test_the_search_catches_a_rivals_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann is sent Ben's board, on which cards lie open that she has never had."""

    async def play() -> None:
        search = Search()
        async with hosted(deal=labelled_deal) as room:
            await room.race(BEN)
            search.after(room.room, room.links)
            for _ in range(6):
                await take(room, Act("move", BEN, 0))
                search.after(room.room, room.links)
            monkeypatch.setattr(Room, "seat", lambda self, player: self.race.seats[BEN])
            await room.drop(ANN)
            room.reconnect(ANN)
            await room.does(ANN, join())
            search.after(room.room, room.links)

    with pytest.raises(Leak, match=f"{ANN} was sent"):
        asyncio.run(play())


# --- Non-interference -------------------------------------------------------------------------


async def frames_of(history: Iterable[Act], deal: Deal, **options: Any) -> list[bytes]:
    """All that everybody is sent, in order, where every race is on this deal."""
    links: list[FakeLink] = []
    async with hosted(deal=lambda _: deal, **options) as room:
        for act in history:
            await take(room, act)
            links += [link for link in room.links.values() if link not in links]
            if room.has_ended:
                break
    return [frame for link in links for frame in link.frames]


async def exposed_along(history: Iterable[Act], deal: Deal, **options: Any) -> set[int]:
    """Which places of the deal anybody has seen by the end."""
    seen: set[int] = set()
    async with hosted(deal=lambda _: deal, **options) as room:
        for act in history:
            await take(room, act)
            if room.room.race is not None:
                for seat in room.room.race.seats.values():
                    seen |= exposed_positions(seat.run.board.counts)
            if room.has_ended:
                break
    return seen


@settings(max_examples=PAIRS)
@given(histories(PEOPLE[:4]), st.integers(0, 10**6), st.booleans())
def test_deals_that_differ_only_in_what_was_never_exposed_make_the_same_frames(
    history: list[Act], seed: int, undo: bool
) -> None:
    """Ids and codes are the same by construction, so that nothing has to be masked."""
    chance = random.Random(seed)
    deal = deal_of(Code.from_number(WINNABLE.variant, seed))

    async def compare() -> None:
        exposed = await exposed_along(history, deal, undo=undo)
        other = other_deal(deal, exposed, chance)
        assert await frames_of(history, deal, undo=undo) == await frames_of(
            history, other, undo=undo
        )

    asyncio.run(compare())


def test_the_comparison_catches_a_view_that_sends_the_card_beneath(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    history = [Act("ready", ANN, 0), Act("start", ANN, 0), Act("wait", ANN, 5)]
    deal = deal_of(WINNABLE)
    exposed = asyncio.run(exposed_along(history, deal))
    other = other_deal(deal, exposed, random.Random(1))
    assert asyncio.run(frames_of(history, deal)) == asyncio.run(frames_of(history, other))
    monkeypatch.setattr(views, "board_view", card_beneath)
    assert asyncio.run(frames_of(history, deal)) != asyncio.run(frames_of(history, other))


# --- The code ---------------------------------------------------------------------------------


async def test_a_sealed_code_is_in_no_frame_before_the_race_is_over() -> None:
    """B44: neither in answers to undo, nor in errors, nor in what a host is shown."""
    async with hosted(draw=solvable_chances()) as room:
        await room.race(BEN)
        code = room.room.code
        texts = [str(code), code.letters, str(code.number)]
        frames: list[bytes] = []
        for act in racing(120, random.Random(3)):
            await take(room, act)
            frames += itertools.chain(*(link.frames for link in room.links.values()))
        assert room.room.state == "racing"
        assert not [frame for frame in frames for text in texts if text.encode() in frame]
        for who in (ANN, BEN):
            await take(room, Act("join", who, 0))
            await take(room, Act("retire", who, 0))
        assert room.link(ANN).all()[-1]["code"] == str(code)


async def test_an_error_shows_no_more_than_the_players_own_board() -> None:
    async with hosted(code=WINNABLE) as room:
        await room.does(ANN, ready(), start())
        await room.pass_ms(3000)
        line = winning_line()
        await room.does(ANN, move(0, *line[0]))
        illegal = await room.ask(ANN, move(1, "1", "1"))
        assert illegal.keys() == {"type", "code", "message", "room", "reason"}
        stale = await room.ask(ANN, move(0, *line[0]))
        assert stale.keys() == {"type", "code", "message", "room", "board"}
        snapshot = await room.does(ANN, join())
        assert stale["board"] == snapshot["you"]["board"]
