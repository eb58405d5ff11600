"""What those who watch are shown of boards (Contract §5 *Boards*, §7 *fair*): never too much, never late."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from halfmoon.wire.options import Spectators
from halfmoon_server.hosting.gallery import Gallery
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views, watching
from halfmoon_testing.builders import (
    ANN,
    BEN,
    CLEO,
    DAN,
    EVE,
    STICKY,
    WINNABLE,
    join,
    leave,
    move,
    ready,
    rematch,
    retire,
    start,
    undo,
)
from halfmoon_testing.fakes import Said
from halfmoon_testing.layouts import deal_of, deck_showing
from halfmoon_testing.rooms import Table, countdown, finished, race
from halfmoon_testing.solver import DEADLOCK_CODE, deadlock_line, winning_line
from halfmoon_testing.watchers import (
    FACE_DOWN,
    Behind,
    Change,
    Fault,
    TooEarly,
    Watcher,
    audit,
    raced,
    said,
    shown_by,
    top_of,
)

RACES = 1000 if os.environ.get("HALFMOON_LONG") else 60
BATCH = 20
WIN = winning_line()


# --- Any race ---------------------------------------------------------------------------------


@pytest.mark.parametrize("first", range(0, RACES, BATCH))
def test_after_every_event_every_board_is_shown_as_far_as_may_be_and_no_further(first: int) -> None:
    counted: Counter[str] = Counter()
    for seed in range(first, first + BATCH):
        try:
            counted += audit(raced(seed).changes)
        except AssertionError as fault:
            fault.add_note(f"in the race of seed {seed}")
            raise
    for kind in ("seat_moved", "seat_undone", "seat_unmasked", "masked", "waiting", "late"):
        assert counted[kind] >= BATCH // 2, f"{kind}: these races show too little"


@pytest.mark.parametrize("seed", range(RACES // 5))
@pytest.mark.parametrize("delay_ms", [1, 2500, 60_000])
def test_with_a_delay_all_is_shown_as_it_was_that_long_ago(seed: int, delay_ms: int) -> None:
    gallery = Gallery()
    watch: watching.Watch | None = None
    past: list[tuple[int, watching.Watch]] = []
    for before, event, after in raced(seed, spectator_delay_ms=delay_ms).changes:
        watch, _ = watching.follow(watch, before, event, after)
        if isinstance(event, e.RaceStarted | e.RematchOpened):
            past.clear()
        if watch is not None:
            past.append((event.at, watch))
        gallery.follow(before, event, after)
        is_over = isinstance(event, e.RaceOver)
        shown_by_now = [*gallery.take_due(None if is_over else event.at)]
        assert all(scene.due_at <= event.at for scene, _ in shown_by_now) or is_over
        seen = [one for at, one in past if at <= event.at - delay_ms or after.state == "over"]
        shown = gallery.shown
        assert (shown is None) == (not seen)
        if shown is not None:
            assert views.watched_boards(shown.watch) == views.watched_boards(seen[-1])


@pytest.mark.parametrize("seed", range(RACES // 25))
@pytest.mark.parametrize("delay_ms", [0, 2500])
def test_after_a_restart_the_same_is_shown_as_without_one(seed: int, delay_ms: int) -> None:
    changes = raced(seed, spectator_delay_ms=delay_ms).changes
    live = Gallery()
    for number, (before, event, after) in enumerate(changes, start=1):
        live.follow(before, event, after)
        for _ in live.take_due(None if isinstance(event, e.RaceOver) else event.at):
            continue
        if number % 7 and not isinstance(event, e.RaceStarted | e.RaceOver | e.RematchOpened):
            continue
        again = Gallery()
        for change in changes[:number]:
            again.replay(*change)
        again.resume(after, event.at)
        assert in_words(again) == in_words(live)
        assert again.next_due_at == live.next_due_at


def in_words(gallery: Gallery) -> dict[str, Any] | None:
    """All that a gallery shows by now."""
    shown = gallery.shown
    return None if shown is None else views.watched_boards(shown.watch)


# --- What the audit must catch ----------------------------------------------------------------


@cache
def first_races() -> list[list[Change]]:
    """All that happens in a few rooms, kept as long as it is looked at."""
    return [raced(seed).changes for seed in range(BATCH)]


def faults() -> set[type[AssertionError]]:
    """What the audit says of the first races."""
    found: set[type[AssertionError]] = set()
    for changes in first_races():
        try:
            audit(changes)
        except AssertionError as fault:
            found.add(type(fault))
    return found


def test_the_audit_finds_nothing_wrong_with_what_is_right() -> None:
    assert not faults()


def test_the_audit_catches_actions_that_wait_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    action = watching.Action
    monkeypatch.setattr(
        watching,
        "Action",
        lambda board, spots, is_undo, _, *more: action(board, spots, is_undo, 0, *more),
    )
    assert faults() == {TooEarly}


def common_to_all(seats: dict[str, watching.WatchedSeat]) -> int:
    """Broken: who is done still holds back the others."""
    common = watching.ALL
    for seat in seats.values():
        common &= seat.seen
    return common


def common_to_any(seats: dict[str, watching.WatchedSeat]) -> int:
    """Broken: what one racer has exposed is known to all."""
    common = 0
    for seat in seats.values():
        common |= seat.seen
    return common


@pytest.mark.parametrize(
    ("common", "fault"),
    [(common_to_all, Behind), (lambda _: watching.ALL, TooEarly), (common_to_any, TooEarly)],
)
def test_the_audit_catches_who_counts_too_many_or_too_few(
    common: Callable[[Any], int], fault: type[Fault], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "_common", common)
    assert fault in faults()


def test_the_audit_catches_a_view_that_turns_cards_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_shown_card", lambda board, spot, hidden: board.exposed(spot))
    assert TooEarly in faults()


def test_the_audit_catches_cards_that_are_never_turned_up(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = watching._seat_sights

    def forgetful(seat: watching.WatchedSeat, common: int) -> Any:
        return (one for one in sound(seat, common) if isinstance(one, watching.SeatActed))

    monkeypatch.setattr(watching, "_seat_sights", forgetful)
    assert faults()


def test_the_audit_catches_a_number_that_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = views.news
    monkeypatch.setattr(views, "news", lambda room, sight, w: sound(room, sight, w + w // 5))
    assert faults()


# --- By hand ----------------------------------------------------------------------------------


class Screen:
    """What is told to those who watch a table, one message after the other."""

    def __init__(self, at: Table) -> None:
        self.at = at
        self.gallery = Gallery()
        self._followed = 0

    def news(self) -> list[Said]:
        """What was told since the last time, up to now."""
        told: list[Said] = []
        for before, event, after in self.at.changes[self._followed :]:
            told += shown_by(self.gallery, event.at - 1, before)
            self.gallery.follow(before, event, after)
            told += shown_by(self.gallery, None if after.state == "over" else event.at, after)
        self._followed = len(self.at.changes)
        return [*told, *shown_by(self.gallery, self.at.now, self.at.room)]

    def seen(self, player: str) -> Said:
        """A racer's board as it is shown by now."""
        self.news()
        shown = self.gallery.shown
        assert shown is not None, "there are boards to see"
        board: Said = views.watched_boards(shown.watch)[player].model_dump(mode="json")
        return board

    def snapshot(self, player: str) -> Said:
        """The room as this member is shown it."""
        self.news()
        return said(views.snapshot(self.at.room, player, 0, shown=self.gallery.shown))


LAID_OUT = deal_of(deck_showing({"1": "5S 2C AS", "2": "6D 9H TD", "3": "7H", "4": "4S"}))


def screened(*racers: str, spectators: Spectators = "fair", **options: Any) -> tuple[Table, Screen]:
    """A race that has just begun, watched by Eve, and what is told of it."""
    at = race(*racers, watching=[EVE], spectators=spectators, **options)
    screen = Screen(at)
    screen.news()
    return at, screen


def test_everybody_who_watches_begins_with_all_boards() -> None:
    at = race(BEN, watching=[EVE], deal=lambda _: LAID_OUT, spectators="fair")
    (boards,) = Screen(at).news()
    assert (boards["type"], boards["w"], boards["boards"].keys()) == ("boards", 0, {ANN, BEN})
    board = boards["boards"][ANN]
    assert board == boards["boards"][BEN]
    assert board.keys() == {"turn", "piles", "reserve", "score", "moves", "status"}
    assert board["piles"][:2] == [{"top": "5S", "count": 8}, {"top": "6D", "count": 8}]
    assert (board["turn"], board["status"]) == (0, "racing")


def test_what_another_has_not_exposed_is_face_down_and_what_follows_waits() -> None:
    """Ann takes two pairs and undoes the second, which is told once Ben has what he lacked."""
    at, screen = screened(BEN, deal=lambda _: LAID_OUT)
    ann, ben = {"room": "K7M2P", "player": ANN}, {"room": "K7M2P", "player": BEN}
    at.pass_ms(1000)
    at.does(ANN, move(0, "2", "1"))
    assert screen.news() == [
        {"type": "seat_moved", "w": 1, "turn": 1, "score": 10, "moves": 1, "at_ms": 1000}
        | {"removed": ["6D", "5S"], "revealed": {"2": FACE_DOWN, "1": FACE_DOWN}}
        | ann
    ]
    at.pass_ms(1000)
    at.does(ANN, move(1, "1", "2"))
    at.pass_ms(1000)
    at.does(ANN, undo(2))
    assert screen.news() == []
    at.does(BEN, move(0, "1", "2"))
    racing = {"status": "racing"}
    assert screen.news() == [
        {"type": "seat_unmasked", "w": 2, "cards": {"1": "2C", "2": "9H"}} | racing | ann,
        {"type": "seat_moved", "w": 3, "turn": 2, "score": 20, "moves": 2, "at_ms": 2000}
        | {"removed": ["2C", "9H"], "revealed": {"1": FACE_DOWN, "2": FACE_DOWN}}
        | ann,
        {"type": "seat_undone", "w": 4, "turn": 3, "score": 10, "moves": 1, "at_ms": 3000}
        | {"restored": {"1": "2C", "2": "9H"}}
        | racing
        | ann,
        {"type": "seat_moved", "w": 5, "turn": 1, "score": 10, "moves": 1, "at_ms": 3000}
        | {"removed": ["5S", "6D"], "revealed": {"1": "2C", "2": "9H"}}
        | racing
        | ben,
    ]


def test_in_an_open_room_all_is_shown_as_it_happens() -> None:
    at, screen = screened(BEN, deal=lambda _: LAID_OUT, spectators="open")
    at.does(ANN, move(0, "1", "2"), move(1, "1", "2"), undo(2))
    first, second, back = screen.news()
    assert first["revealed"] == {"1": "2C", "2": "9H"}
    assert second["revealed"] == {"1": "AS", "2": "TD"}
    assert back["restored"] == {"1": "2C", "2": "9H"}
    assert {one["status"] for one in (first, second, back)} == {"racing"}


def test_who_races_alone_holds_nothing_back() -> None:
    at, screen = screened(code=WINNABLE)
    at.play(ANN, WIN[:20])
    assert [one["turn"] for one in screen.news()] == [*range(1, 21)]
    assert FACE_DOWN not in str(screen.seen(ANN))


def test_a_board_is_behind_as_long_as_one_unfinished_racer_has_not_seen_as_much() -> None:
    at, screen = screened(BEN, CLEO, code=WINNABLE)
    at.play(ANN, WIN[:20])
    at.play(BEN, WIN[:20])
    assert screen.seen(ANN) == screen.seen(BEN)
    assert screen.seen(ANN)["turn"] < 20
    at.play(CLEO, WIN[:20])
    assert screen.seen(ANN)["turn"] == screen.seen(CLEO)["turn"] == 20


@pytest.mark.parametrize("ends", ["retires", "leaves"])
def test_who_is_done_releases_what_waited_for_them(ends: str) -> None:
    at, screen = screened(BEN, CLEO, code=WINNABLE)
    at.play(ANN, WIN[:20])
    at.play(CLEO, WIN[:20])
    assert screen.seen(ANN)["turn"] < 20
    at.does(BEN, retire() if ends == "retires" else leave())
    assert {one["type"] for one in screen.news()} == {"seat_moved", "seat_unmasked"}
    assert screen.seen(ANN)["turn"] == screen.seen(CLEO)["turn"] == 20
    assert FACE_DOWN not in str(screen.seen(ANN))


def test_the_board_of_one_who_retired_still_waits_for_the_others() -> None:
    at, screen = screened(BEN, code=WINNABLE)
    at.play(ANN, WIN[:20])
    at.does(ANN, retire())
    assert screen.seen(ANN)["turn"] < 20
    at.play(BEN, WIN[:20])
    assert screen.seen(ANN)["turn"] == 20


def test_a_connection_that_is_gone_releases_nothing() -> None:
    at, screen = screened(BEN, code=WINNABLE)
    at.play(ANN, WIN[:20])
    at.drop(BEN)
    at.pass_ms(60_000)
    assert screen.seen(ANN)["turn"] < 20


@pytest.mark.parametrize("may_undo", [True, False])
def test_a_deadlock_releases_what_waited_only_where_it_is_the_end(may_undo: bool) -> None:
    """Who may still undo isn't done, and must not be helped."""
    at, screen = screened(BEN, code=STICKY, undo=may_undo)
    at.play(BEN, deadlock_line())
    assert at.run(BEN).status == "deadlocked"
    at.play(ANN, winning_line(DEADLOCK_CODE)[:15])
    assert (screen.seen(ANN)["turn"] == 15) == (not may_undo)
    if may_undo:
        at.does(BEN, retire())
        assert screen.seen(ANN)["turn"] == 15


def test_a_board_says_that_it_is_deadlocked_and_leaves_it_out_while_a_card_lies_face_down() -> None:
    for spectators in ("open", "fair"):
        at, screen = screened(BEN, code=STICKY, spectators=spectators)
        at.play(BEN, deadlock_line())
        board = screen.seen(BEN)
        if spectators == "open":
            assert board["status"] == "deadlocked"
        else:
            assert FACE_DOWN in str(board)
            assert "status" not in board


@pytest.mark.parametrize("spectators", ["scores", "none"])
def test_without_boards_nobody_sees_any_not_even_when_it_is_over(spectators: Spectators) -> None:
    at = race(BEN, code=WINNABLE, spectators=spectators)
    at.does(DAN, join())
    screen = Screen(at)
    at.play(ANN, WIN[:3])
    at.does(ANN, retire())
    for _ in range(2):
        assert screen.news() == []
        for player in (ANN, BEN, DAN):
            assert not {"w", "boards"} & screen.snapshot(player).keys()
            assert not views.may_watch(at.room, player)
        at.ask(BEN, retire())
    assert at.room.state == "over"


def test_when_the_race_is_over_all_is_shown_to_all() -> None:
    at, screen = screened(BEN, code=WINNABLE, time_limit_ms=60_000)
    at.play(ANN, WIN[:20])
    assert screen.seen(ANN)["turn"] < 20
    at.pass_ms(40_000)
    assert at.room.state == "over"
    assert screen.seen(ANN)["turn"] == 20
    assert FACE_DOWN not in str(screen.seen(ANN))
    for player in (ANN, BEN, EVE):
        assert screen.snapshot(player)["boards"][ANN] == screen.seen(ANN)


def test_a_first_win_releases_all() -> None:
    at, screen = screened(BEN, code=WINNABLE, ends="first_win")
    at.play(ANN, WIN)
    assert screen.seen(ANN) | {"status": "won", "turn": 48, "score": 520} == screen.seen(ANN)


def test_a_rematch_leaves_no_boards_and_the_next_race_has_its_own() -> None:
    at, screen = screened(BEN, code=WINNABLE)
    at.play(ANN, WIN[:2])
    at.does(ANN, retire())
    at.does(BEN, retire())
    told = screen.news()
    at.does(ANN, rematch())
    assert screen.news() == []
    assert screen.gallery.shown is None
    assert screen.gallery.next_due_at is None
    assert not {"w", "boards"} & screen.snapshot(EVE).keys()
    at.does(ANN, ready(), start())
    at.pass_ms(1000)
    (boards,) = screen.news()
    assert (boards["type"], boards["boards"].keys()) == ("boards", {ANN})
    assert boards["w"] == told[-1]["w"], "numbers go on, so none is used twice"


def test_who_races_may_watch_once_done_and_everybody_else_at_any_time() -> None:
    at, screen = screened(BEN, CLEO, code=WINNABLE)
    at.does(DAN, join())
    at.play(ANN, WIN[:2])

    def watching_now() -> set[str]:
        able = {who for who in at.room.members if views.may_watch(at.room, who)}
        assert able == {who for who in at.room.members if "boards" in screen.snapshot(who)}
        return able

    assert watching_now() == {DAN, EVE}
    at.does(BEN, retire())
    assert watching_now() == {BEN, DAN, EVE}
    at.does(CLEO, leave())
    assert not views.may_watch(at.room, CLEO)
    at.does(CLEO, join("spectator"))
    assert watching_now() == {BEN, CLEO, DAN, EVE}
    at.does(ANN, retire())
    assert watching_now() == {ANN, BEN, CLEO, DAN, EVE}


def test_a_racer_who_comes_back_in_the_middle_still_may_not_watch() -> None:
    at, screen = screened(BEN)
    at.drop(BEN)
    at.does(BEN, join("spectator"))
    snapshot = screen.snapshot(BEN)
    assert not {"w", "boards"} & snapshot.keys()
    assert snapshot["you"]["as"] == "player"


def test_before_a_race_there_is_nothing_to_see() -> None:
    for at in (countdown(BEN), finished(BEN, spectators="scores")):
        screen = Screen(at)
        assert screen.news() == []
        assert "boards" not in screen.snapshot(ANN)


def test_with_a_delay_boards_and_news_come_later_in_order_and_at_the_end_at_once() -> None:
    at = race(BEN, watching=[EVE], code=WINNABLE, spectators="open", spectator_delay_ms=5000)
    screen = Screen(at)
    at.play(ANN, WIN[:3])
    assert screen.news() == []
    assert "boards" not in screen.snapshot(EVE), "not even that there are any"
    at.pass_ms(2000)
    (boards,) = screen.news()
    assert boards["boards"][ANN]["turn"] == 0
    assert screen.gallery.next_due_at == at.now + 1000
    at.pass_ms(1000)
    assert [one["turn"] for one in screen.news()] == [1]
    assert screen.snapshot(EVE)["boards"][ANN]["turn"] == screen.snapshot(EVE)["w"] == 1
    at.does(ANN, retire())
    assert screen.news() == []
    at.does(BEN, retire())
    assert [(one["turn"], one["w"]) for one in screen.news()] == [(2, 2), (3, 3)]
    assert screen.gallery.next_due_at is None


def test_a_watcher_keeps_a_board_by_news_alone() -> None:
    """Also of reserve places, which have no card beneath."""
    at = race(BEN, watching=[EVE], deal=lambda _: deal_of(deck_showing({"R1": "5S", "R2": "6D"})))
    screen = Screen(at)
    watcher = Watcher.told(screen.news()[0])
    at.does(ANN, move(0, "R1", "R2"))
    for message in screen.news():
        watcher.hear(message)
    assert top_of(watcher.boards[ANN], "R1") is None
    assert watcher.boards[ANN] == screen.seen(ANN)
    at.does(ANN, undo(1))
    for message in screen.news():
        watcher.hear(message)
    assert top_of(watcher.boards[ANN], "R1") == "5S"
    assert watcher.boards[ANN] == screen.seen(ANN)
