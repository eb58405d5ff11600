"""A snapshot that is put together of what all share is the one that the views make, to the byte."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from halfmoon.wire import messages as m
from halfmoon_server.frames import message_frame
from halfmoon_server.hosting.gallery import Gallery
from halfmoon_server.hosting.snapshots import Snapshots
from halfmoon_server.rooms import views
from halfmoon_testing import builders as b
from halfmoon_testing.rooms import (
    Act,
    Table,
    countdown,
    histories,
    race,
    request_of,
    table,
    wait_of,
)
from halfmoon_testing.solver import winning_line


def different(at: Table, snapshots: Snapshots, gallery: Gallery, from_change: int) -> Iterator[str]:
    """Who is told another room than the views make, after each of the changes since."""
    for number, (before, event, after) in enumerate(at.changes[from_change:]):
        gallery.follow(before, event, after)
        for _ in gallery.take_due(event.at):
            continue
        for player in after.members:
            for re in (None, "7", '"é'):
                sound = message_frame(views.snapshot(after, player, number, re, gallery.shown))
                if snapshots.frame(after, player, number, re, gallery.shown) != sound:
                    yield player


@settings(max_examples=500 if os.environ.get("HALFMOON_LONG") else 20)
@given(histories(most=60))
def test_whoever_asks_at_whatever_time_is_told_the_room_as_it_is(history: list[Act]) -> None:
    at = table(b.BEN, watching=[b.EVE], spectators="open")
    snapshots, gallery = Snapshots(), Gallery()
    assert not [*different(at, snapshots, gallery, 0)]
    for act in history:
        begun = len(at.changes)
        if act.kind == "wait":
            at.pass_ms(wait_of(act))
        else:
            at.request(request_of(act, at.room, at.draw))
        assert not [*different(at, snapshots, gallery, begun)]


def test_boards_that_are_shown_later_are_in_the_next_snapshot() -> None:
    """With a delay what is shown changes while nothing happens in the room."""
    at = race(b.BEN, watching=[b.EVE], code=b.WINNABLE, spectators="open", spectator_delay_ms=5000)
    at.play(b.ANN, winning_line()[:3])
    gallery, snapshots = Gallery(), Snapshots()
    for change in at.changes:
        gallery.follow(*change)
    frames = [snapshots.frame(at.room, b.EVE, 9, None, gallery.shown)]
    for _ in gallery.take_due(None):
        frames.append(snapshots.frame(at.room, b.EVE, 9, None, gallery.shown))
        assert frames[-1] == message_frame(views.snapshot(at.room, b.EVE, 9, shown=gallery.shown))
    assert len({*frames}) == 5, "nothing, the start, and three moves"


def test_what_all_share_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    at = countdown(b.BEN, watching=[b.EVE])
    snapshots, sound = Snapshots(), views.snapshot
    made: list[m.RoomSnapshot] = []

    def counted(*args: Any, **more: Any) -> m.RoomSnapshot:
        made.append(sound(*args, **more))
        return made[-1]

    monkeypatch.setattr(views, "snapshot", counted)
    for _ in range(5):
        for player in at.room.members:
            snapshots.frame(at.room, player, 3, "x", None)
    assert len(made) == 1
    snapshots.frame(at.room, b.BEN, 4, "x", None)
    assert len(made) == 2
