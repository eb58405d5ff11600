"""Watching from a program: boards kept current by the news of them, against what the server shows."""

from halfmoon.wire import messages as m
from halfmoon_client import watching
from halfmoon_server.hosting.gallery import Gallery
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_testing.watchers import raced


def test_the_news_of_whole_races_lead_to_the_boards_that_are_shown() -> None:
    """Every race of these, open and fair: after each event one's boards are the server's."""
    compared = 0
    for seed in range(12):
        gallery, seen = Gallery(), None
        for before, event, after in raced(seed).changes:
            gallery.follow(before, event, after)
            if isinstance(event, e.RematchOpened):
                seen = None
            for scene, first in gallery.take_due(None):
                shown = gallery.shown
                assert shown is not None
                if scene.is_first:
                    seen = views.snapshot(after, after.host, 0, shown=shown)
                    seen = watching.after(seen, views.boards(after, shown))
                for w, sight in enumerate(scene.sights, start=first):
                    assert seen is not None
                    seen = watching.after(seen, views.news(after, sight, w))
                assert seen is not None
                assert seen.boards == views.watched_boards(shown.watch)
                compared += 1
    assert compared > 100


def test_news_after_a_gap_or_of_a_seat_that_was_never_shown_is_of_no_use() -> None:
    room = shown_room()
    unmasked = m.SeatUnmasked(room=room.room, w=7, player="p_1", cards={})
    assert watching.after(room, unmasked.model_copy(update={"w": 9})) is None
    assert watching.after(room, unmasked.model_copy(update={"player": "p_9"})) is None
    assert watching.after(room.model_copy(update={"boards": None}), unmasked) is None


def test_news_that_a_snapshot_holds_already_changes_nothing() -> None:
    room = shown_room()
    old = m.SeatUnmasked(room=room.room, w=6, player="p_1", cards={})
    assert watching.after(room, old) is room


def shown_room() -> m.RoomSnapshot:
    """A room with one board, shown up to news 6."""
    for before, event, after in raced(0).changes:
        gallery = Gallery()
        gallery.follow(before, event, after)
        for _ in gallery.take_due(None):
            shown = gallery.shown
            assert shown is not None
            boards = views.watched_boards(shown.watch)
            room = views.snapshot(after, after.host, 0)
            board = next(iter(boards.values()))
            return room.model_copy(update={"w": 6, "boards": {"p_1": board}})
    raise AssertionError("a race begins")
