"""What each viewer is shown of a room, word for word."""

from typing import Any

import pytest

from halfmoon.wire import codec
from halfmoon.wire import messages as m
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.evolve import evolve
from halfmoon_server.rooms.state import Room
from halfmoon_server.rooms.watching import Watch
from halfmoon_testing.builders import (
    ANN,
    BEN,
    CLEO,
    DAN,
    EVE,
    ROOM,
    STICKY,
    WINNABLE,
    join,
    kick,
    leave,
    move,
    react,
    ready,
    rematch,
    retire,
    set_options,
    start,
    undo,
)
from halfmoon_testing.oracle import OracleBoard
from halfmoon_testing.rooms import Table, countdown, finished, race, table
from halfmoon_testing.solver import DEADLOCK_CODE, WINNABLE_CODE, deadlock_line, winning_line

WIN = winning_line()


def seen(at: Table, player: str, n: int = 7) -> dict[str, Any]:
    """The snapshot as JSON, which any client can read."""
    snapshot = views.snapshot(at.room, player, n)
    assert codec.read_message(codec.write(snapshot)) == snapshot
    return snapshot.model_dump(mode="json", by_alias=True)


def heard(before: Room, at: Table, n: int = 7) -> list[dict[str, Any]]:
    """What everybody is told of what happened since `before`."""
    past = before.events
    room, said = before, []
    for event in at.events[past:]:
        after = evolve(room, event, at.deal_of)
        for told in views.told(room, event, after, n):
            assert told.to is None or isinstance(told.message, m.BoardDealt)
            said.append(told.message.model_dump(mode="json", by_alias=True))
            n += told.to is None
        room = after
    return said


# --- The snapshot -----------------------------------------------------------------------------


def test_a_sealed_lobby_shows_the_seal_and_no_code() -> None:
    at = table(BEN, watching=[CLEO])
    at.does(BEN, ready())
    at.drop(BEN)
    room = seen(at, CLEO)
    assert room == {
        "type": "room",
        "room": ROOM,
        "n": 7,
        "state": "lobby",
        "host": ANN,
        "host_name": "Ann",
        "options": {
            "time_limit_ms": 900_000,
            "undo": True,
            "ends": "all",
            "max_players": 16,
            "public": False,
            "spectators": "open",
            "spectator_delay_ms": 0,
            "reactions": True,
            "countdown_ms": 3000,
        },
        "seal": at.room.code.seal,
        "players": [
            {"player": ANN, "name": "Ann", "ready": False, "online": True}
            | {"status": "waiting", "score": 0, "moves": 0},
            {"player": BEN, "name": "Ben", "ready": True, "online": False}
            | {"status": "waiting", "score": 0, "moves": 0},
        ],
        "spectators": 1,
        "you": {"as": "spectator"},
    }


def test_an_open_room_shows_its_code_from_the_start() -> None:
    room = seen(table(code=WINNABLE), ANN)
    assert room["code"] == room["options"]["code"] == WINNABLE_CODE


def test_a_sealed_code_is_shown_when_the_race_is_over_and_never_before() -> None:
    lobby, counting, racing, over = table(), countdown(), race(), finished()
    for at in (lobby, counting, racing):
        assert "code" not in seen(at, ANN)
    room = seen(over, ANN)
    assert room["code"] == str(over.room.code)
    assert "code" not in room["options"]
    over.does(ANN, rematch())
    assert "code" not in seen(over, ANN)


def test_a_countdown_says_when_it_ends() -> None:
    at = countdown()
    room = seen(at, ANN)
    assert (room["state"], room["starts_at"]) == ("countdown", at.now + 3000)
    assert not {"race", "ends_at", "standings"} & room.keys()


def test_a_race_without_a_limit_has_no_end() -> None:
    at = race(time_limit_ms=None)
    room = seen(at, ANN)
    assert room["starts_at"] == at.now
    assert "ends_at" not in room
    assert room["options"]["time_limit_ms"] is None


def test_a_racer_sees_their_own_board_and_of_a_rival_the_numbers() -> None:
    at = race(BEN, watching=[CLEO], code=WINNABLE)
    at.play(BEN, WIN[:3])
    board = OracleBoard.of_code(WINNABLE_CODE)
    for spots in WIN[:3]:
        board.play(spots)
    mine = seen(at, BEN)["you"]["board"]
    assert [pile["count"] for pile in mine["piles"]] == board.counts()
    shown = board.exposed()
    assert [pile["top"] for pile in mine["piles"]] == [
        shown.get(str(pile)) for pile in range(1, 13)
    ]
    assert mine["reserve"] == [shown.get(f"R{place}") for place in range(1, 9)]
    assert (mine["turn"], mine["moves"], mine["score"]) == (3, 3, board.score)
    assert mine["can_undo"]
    theirs = seen(at, ANN)
    assert theirs["you"]["board"]["turn"] == 0
    assert not theirs["you"]["board"]["can_undo"]
    line = next(line for line in theirs["players"] if line["player"] == BEN)
    assert line.keys() == {"player", "name", "ready", "online", "status", "score", "moves", "best"}
    assert (line["score"], line["moves"], line["best"]) == (board.score, 3, board.best)


def test_those_who_watch_see_no_board_before_any_has_been_shown() -> None:
    at = race(watching=[CLEO])
    at.does(DAN, join())
    for who in (CLEO, DAN):
        room = seen(at, who)
        assert "boards" not in room
        assert "board" not in room["you"]


def test_who_left_the_race_stays_listed_and_offline() -> None:
    at = race(BEN, CLEO)
    at.does(BEN, leave())
    lines = seen(at, ANN)["players"]
    assert [(line["player"], line["online"], line["status"]) for line in lines] == [
        (ANN, True, "racing"),
        (CLEO, True, "racing"),
        (BEN, False, "retired"),
    ]


def test_after_the_race_the_board_stays_and_nothing_can_be_taken_back() -> None:
    at = race(BEN, code=WINNABLE)
    at.play(ANN, WIN[:2])
    for who in (ANN, BEN):
        at.does(who, retire())
    room = seen(at, ANN)
    assert (room["you"]["board"]["turn"], room["you"]["board"]["can_undo"]) == (2, False)
    assert [line["player"] for line in room["standings"]] == [ANN, BEN]


@pytest.mark.parametrize("allowed", [True, False])
def test_a_stuck_player_may_undo_where_it_is_allowed(allowed: bool) -> None:
    at = race(BEN, code=STICKY, undo=allowed)
    at.play(ANN, deadlock_line())
    board = seen(at, ANN)["you"]["board"]
    assert (board["status"], board["can_undo"]) == ("deadlocked", allowed)


def test_who_is_done_takes_nothing_back_though_the_race_goes_on() -> None:
    at = race(BEN, CLEO, code=WINNABLE)
    at.play(ANN, WIN)
    at.play(BEN, WIN[:1])
    at.does(BEN, retire())
    assert at.room.state == "racing"
    for who in (ANN, BEN):
        assert not seen(at, who)["you"]["board"]["can_undo"]


def test_a_stuck_board_at_the_end_can_not_be_taken_back() -> None:
    at = race(code=STICKY, time_limit_ms=60_000)
    at.play(ANN, deadlock_line())
    at.pass_ms(60_000)
    board = seen(at, ANN)["you"]["board"]
    assert (board["status"], board["can_undo"]) == ("timed_out", False)


# --- Answers ----------------------------------------------------------------------------------


def test_a_move_is_answered_with_what_went_and_what_came_in_the_order_of_its_spots() -> None:
    for spots in (WIN[0], WIN[0][::-1]):
        at = race(code=WINNABLE)
        board = OracleBoard.of_code(WINNABLE_CODE)
        was = board.exposed()
        board.play(spots)
        before = at.room
        at.pass_ms(900)
        at.does(ANN, move(0, *spots))
        answer = views.answer("moved", before, at.room, ANN, "m1", 0)
        assert answer.model_dump(mode="json") == {
            "type": "moved",
            "room": ROOM,
            "turn": 1,
            "removed": [was[spot] for spot in spots],
            "revealed": {spot: board.exposed().get(spot) for spot in spots},
            "score": board.score,
            "moves": 1,
            "status": "racing",
            "at_ms": 900,
            "re": "m1",
        }


def test_an_emptied_place_reveals_null() -> None:
    at = race(code=WINNABLE)
    spots = next(spots for spots in WIN if any(spot.startswith("R") for spot in spots))
    at.play(ANN, WIN[: WIN.index(spots)])
    before = at.room
    at.play(ANN, [spots])
    answer = views.answer("moved", before, at.room, ANN, None, 0)
    assert isinstance(answer, m.Moved)
    revealed = {spot: card for spot, card in answer.revealed.items() if spot.startswith("R")}
    assert set(revealed.values()) == {None}


def test_an_undo_is_answered_with_what_came_back() -> None:
    at = race(code=STICKY)
    was = OracleBoard.of_code(DEADLOCK_CODE).exposed()
    spots = deadlock_line()[0]
    at.play(ANN, [spots])
    before = at.room
    at.does(ANN, undo(1))
    answer = views.answer("undone", before, at.room, ANN, None, 0)
    assert answer.model_dump(mode="json") == {
        "type": "undone",
        "room": ROOM,
        "turn": 2,
        "restored": {spot: was[spot] for spot in spots},
        "score": 0,
        "moves": 0,
        "status": "racing",
        "at_ms": 1000,
    }


def test_the_other_answers_hold_the_room_and_the_id_alone() -> None:
    room = table().room
    assert views.answer("ok", room, room, ANN, "7", 3) == m.Ok(room=ROOM, re="7")
    assert views.answer("left", room, room, ANN, None, 3) == m.Left(room=ROOM)
    assert views.answer("room", room, room, ANN, "7", 3) == views.snapshot(room, ANN, 3, "7")


# --- Broadcasts -------------------------------------------------------------------------------


def test_coming_going_and_changing_are_told_to_everybody() -> None:
    at = table(BEN)
    before = at.room
    at.does(CLEO, join("spectator"))
    at.does(CLEO, join())
    at.does(CLEO, ready())
    at.drop(CLEO)
    at.does(ANN, kick(CLEO))
    cleo = {"room": ROOM, "player": CLEO}
    change = {"type": "player_changed", "name": "Cleo", "host": False} | cleo
    assert heard(before, at) == [
        {"type": "player_joined", "n": 8, "name": "Cleo", "as": "spectator"}
        | {"ready": False, "online": True}
        | cleo,
        {"n": 9, "as": "player", "ready": False, "online": True} | change,
        {"n": 10, "as": "player", "ready": True, "online": True} | change,
        {"n": 11, "as": "player", "ready": True, "online": False} | change,
        {"type": "player_left", "n": 12, "why": "kicked"} | cleo,
    ]


def test_a_sign_is_told_to_everybody() -> None:
    at = table(BEN)
    before = at.room
    at.does(BEN, react("thinking"))
    assert heard(before, at) == [
        {"type": "reaction", "room": ROOM, "n": 8, "player": BEN, "reaction": "thinking"}
    ]


def test_a_new_host_is_told_with_the_old_one_who_is_still_there() -> None:
    at = table(BEN)
    before = at.room
    at.drop(ANN)
    at.pass_ms(60_000)
    _, old, new = heard(before, at)
    assert (old["n"], old["player"], old["host"]) == (9, ANN, False)
    assert (new["n"], new["player"], new["host"]) == (10, BEN, True)


def test_a_new_host_is_told_alone_where_the_old_one_left() -> None:
    at = table(BEN)
    before = at.room
    at.does(ANN, leave())
    assert [(said["type"], said["player"]) for said in heard(before, at)] == [
        ("player_left", ANN),
        ("player_changed", BEN),
    ]


def test_a_host_who_comes_back_to_an_empty_room_is_told_once() -> None:
    at = table()
    at.does(ANN, leave())
    before = at.room
    at.does(ANN, join())
    assert [said["type"] for said in heard(before, at)] == ["player_joined", "player_changed"]


def test_after_a_rematch_the_race_before_it_can_be_found_again() -> None:
    at = finished(BEN)
    assert at.room.race is not None
    before = at.room.race.race
    assert "last_race" not in seen(at, ANN)
    at.does(ANN, rematch())
    assert seen(at, BEN)["last_race"] == before
    assert "race" not in seen(at, BEN)


def test_options_and_a_rematch_show_the_seal_and_the_code_only_where_it_was_typed() -> None:
    at = finished()
    before = at.room
    at.does(ANN, rematch(), set_options(code=STICKY), set_options(code=None))
    lobby, typed, sealed = heard(before, at)
    assert [lobby["type"], typed["type"], sealed["type"]] == ["lobby", "options", "options"]
    assert "code" not in lobby
    assert typed["code"] == typed["options"]["code"] == DEADLOCK_CODE
    assert typed["seal"] == STICKY.seal
    assert "code" not in sealed
    assert sealed["seal"] == at.room.code.seal


def test_a_countdown_is_told_and_why_it_was_called_off() -> None:
    at = table(BEN)
    at.does(BEN, ready())
    before = at.room
    at.does(ANN, start())
    starts_at = at.now + 3000
    at.drop(BEN)
    counting, _, off = heard(before, at)
    assert counting == {"type": "countdown", "room": ROOM, "n": 8, "starts_at": starts_at}
    assert off == {
        "type": "countdown",
        "room": ROOM,
        "n": 10,
        "starts_at": None,
        "why": "nobody_ready",
    }


def test_the_start_is_told_to_all_and_each_racer_is_dealt_their_board() -> None:
    at = countdown(BEN, watching=[CLEO])
    at.does(DAN, join())
    before = at.room
    at.pass_ms(3000)
    (event,) = at.events[before.events :]
    told = views.told(before, event, at.room, 7)
    started = told[0].message
    assert isinstance(started, m.Started)
    assert started.players == [ANN, BEN]
    assert (started.code, started.seal) == (None, at.room.code.seal)
    assert [one.to for one in told] == [None, ANN, BEN]
    boards = [one.message for one in told[1:]]
    assert (
        boards[0]
        == boards[1]
        == m.BoardDealt(room=ROOM, board=views.board_view(at.run(ANN), undo=True))
    )


def test_over_tells_the_code_and_the_standings() -> None:
    at = race(BEN)
    before = at.room
    at.does(ANN, retire())
    at.does(BEN, retire())
    (over,) = heard(before, at)
    assert (over["code"], over["seal"]) == (str(at.room.code), at.room.code.seal)
    assert [line["rank"] for line in over["standings"]] == [1, 1]


def test_progress_says_six_things_of_a_racer_and_no_more() -> None:
    at = race(BEN, code=WINNABLE)
    at.play(BEN, WIN[:2])
    at.pass_ms(500)
    at.does(BEN, undo(2))
    said = views.progress(at.room, [BEN], 12).model_dump(mode="json")
    assert said == {
        "type": "progress",
        "room": ROOM,
        "n": 12,
        "players": [
            {
                "player": BEN,
                "score": 10,
                "moves": 1,
                "status": "racing",
                "best": 20,
                "at_ms": 2500,
            }
        ],
    }


def test_only_those_who_watch_are_told_how_many_actions_a_board_has_seen() -> None:
    at = race(BEN, code=WINNABLE)
    at.does(EVE, join("spectator"))
    at.play(BEN, WIN[:2])
    at.does(BEN, undo(2))
    (line,) = views.progress(at.room, [BEN], 12, to_watchers=True).players
    assert (line.moves, line.actions) == (1, 3)
    shown = views.Shown(Watch(is_fair=True, seats={}, common=0), 0)
    for player, actions in ((ANN, None), (BEN, None), (EVE, 3)):
        lines = views.snapshot(at.room, player, 0, shown=shown).players
        (shown_line,) = [one for one in lines if one.player == BEN]
        assert shown_line.actions == actions, player


def test_what_nobody_needs_to_hear_is_not_told() -> None:
    at = table()
    for event in (e.RoomReopened(at=at.now), e.RoomClosed(at=at.now)):
        assert views.told(at.room, event, evolve(at.room, event), 7) == []


def test_walls_and_overlays_are_told_apart_from_people_who_watch() -> None:
    at = table(BEN, watching=[CLEO])
    before = at.room
    at.does(DAN, join("spectator", screen=True))
    at.does(EVE, join("spectator"))
    shown = seen(at, ANN)
    assert (shown["spectators"], shown["screens"]) == (2, 1)
    assert [line.get("screen") for line in heard(before, at)] == [True, None]
    before = at.room
    at.does(DAN, leave())
    assert [line.get("screen") for line in heard(before, at)] == [True]
    assert "screens" not in seen(at, ANN)


def test_who_races_is_no_screen_whatever_they_say() -> None:
    at = table(BEN)
    at.does(CLEO, join("player", screen=True))
    at.does(CLEO, join("spectator"))
    assert seen(at, ANN)["spectators"] == 1
