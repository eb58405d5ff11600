"""What time alone brings about: starts, ends, the host's office, and rooms that nobody is in."""

import pytest

from halfmoon.engine.standings import Standing
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.deadlines import due, next_due_at
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
from halfmoon_testing.layouts import deal_of, deck_showing, layout_leaving
from halfmoon_testing.rooms import Table, countdown, finished, race, table
from halfmoon_testing.solver import deadlock_line, winning_line

WIN = winning_line()
STUCK = deadlock_line()
MINUTE_MS = 60_000


def over_ms(at: Table) -> int:
    """How long the race ran, which is over."""
    assert at.room.state == "over"
    assert at.room.race is not None
    assert at.room.race.over_at is not None
    return at.room.race.over_at - at.room.race.starts_at


def lines(at: Table) -> list[Standing]:
    assert at.room.race is not None
    return [*at.room.race.standings]


def table_of(at: Table) -> list[tuple[int, str, str]]:
    """The standings as (rank, player, status)."""
    return [(line.rank, line.player, line.status) for line in lines(at)]


# --- The start --------------------------------------------------------------------------------


def test_the_race_starts_when_the_countdown_is_over_and_no_ms_before() -> None:
    at = countdown(countdown_ms=3000)
    starts_at = at.now + 3000
    assert next_due_at(at.room) == starts_at
    at.pass_ms(2999)
    assert at.room.race is None
    at.pass_ms(1)
    assert at.room.race is not None
    assert (at.room.race.starts_at, at.room.race.ends_at) == (starts_at, starts_at + 900_000)


def test_without_a_countdown_the_race_starts_at_once() -> None:
    at = table(countdown_ms=0)
    at.does(ANN, ready(), start())
    assert at.room.state == "racing"


def test_a_timer_that_comes_late_starts_the_race_when_it_was_due() -> None:
    at = countdown(countdown_ms=1000)
    at.now += 1500
    at.does(ANN, retire())
    assert at.room.race is not None
    assert at.room.race.starts_at == at.now - 500
    assert over_ms(at) == 500


def test_a_restart_in_the_countdown_starts_the_race_on_time() -> None:
    at = countdown(BEN, countdown_ms=10_000)
    starts_at = at.now + 10_000
    at.reopen(after_ms=4000)
    assert at.room.state == "countdown"
    at.does(BEN, join())
    at.pass_ms(6000)
    assert at.room.race is not None
    assert at.room.race.starts_at == starts_at
    assert [*at.room.race.seats] == [ANN, BEN]


@pytest.mark.parametrize("slept_ms", [10_000, 25_000])
def test_a_restart_past_the_start_starts_the_race_at_once_so_that_nobody_loses_time(
    slept_ms: int,
) -> None:
    at = countdown(countdown_ms=10_000)
    at.reopen(after_ms=slept_ms)
    assert at.room.race is not None
    assert at.room.race.starts_at == at.now


def test_a_restart_in_the_race_leaves_its_clock_running() -> None:
    at = race(BEN, code=WINNABLE, time_limit_ms=60_000)
    at.play(ANN, WIN[:1])
    at.reopen(after_ms=20_000)
    at.does(ANN, move(1, *WIN[1]))
    assert at.run(ANN).at_ms == 21_000
    at.reopen(after_ms=3_600_000)
    assert over_ms(at) == 60_000


# --- The end ----------------------------------------------------------------------------------


def test_the_race_is_over_when_all_are_done() -> None:
    at = race(BEN, CLEO, code=WINNABLE)
    at.play(ANN, WIN)
    at.does(BEN, retire())
    at.pass_ms(250)
    at.does(CLEO, retire())
    assert over_ms(at) == 48_250
    assert table_of(at) == [(1, ANN, "won"), (2, BEN, "retired"), (2, CLEO, "retired")]


def test_the_race_is_over_at_its_limit_and_not_a_ms_later() -> None:
    at = race(BEN, code=WINNABLE, time_limit_ms=5000)
    at.does(BEN, retire())
    at.pass_ms(4999)
    at.does(ANN, move(0, *WIN[0]))
    assert at.run(ANN).at_ms == 4999
    at.pass_ms(1)
    assert over_ms(at) == 5000
    assert at.refuses(ANN, move(1, *WIN[1])) == "wrong_state"
    assert table_of(at) == [(1, ANN, "timed_out"), (2, BEN, "retired")]


def test_a_move_that_comes_at_the_limit_is_too_late_though_the_timer_is_later_still() -> None:
    at = race(code=WINNABLE, time_limit_ms=5000)
    at.now += 5000
    assert at.refuses(ANN, move(0, *WIN[0])) == "wrong_state"
    assert over_ms(at) == 5000


def test_a_last_move_in_the_last_ms_wins_and_ends_the_race_in_that_ms() -> None:
    """B41: one end, the last move stands in it, nothing comes after."""
    at = race(code=WINNABLE, time_limit_ms=60_000)
    at.play(ANN, WIN[:-1])
    at.pass_ms(59_999 - 47_000)
    at.does(ANN, move(47, *WIN[-1]))
    assert over_ms(at) == 59_999
    (line,) = lines(at)
    assert (line.status, line.moves, line.score, line.time_ms) == ("won", 48, 520, 59_999)
    at.pass_ms(10_000)
    assert at.events[-1] == e.RaceOver(at=at.now - 10_000, over_at=at.now - 10_000)


def test_stuck_at_the_forty_seventh_move_is_no_win() -> None:
    """B41: 520 is the score of 48 moves and of nothing else."""
    stuck = layout_leaving({"1": "5S 6D", "R1": "JS", "R2": "QS", "R3": "KS"})
    at = race(deal=lambda _: deal_of(stuck.cards), undo=False)
    for spots in stuck.line:
        at.does(ANN, move(at.board(ANN).turn, *spots))
    at.does(ANN, move(at.board(ANN).turn, "R1", "R2", "R3"))
    assert over_ms(at) == 0
    (line,) = lines(at)
    assert (line.status, line.moves, line.score) == ("deadlocked", 47, 510)


def test_the_first_win_ends_the_race_for_all_where_that_was_agreed() -> None:
    at = race(BEN, CLEO, code=WINNABLE, ends="first_win")
    at.play(BEN, WIN[:20])
    at.does(CLEO, retire())
    at.play(ANN, WIN)
    assert over_ms(at) == 68_000
    assert table_of(at) == [(1, ANN, "won"), (2, BEN, "timed_out"), (3, CLEO, "retired")]
    assert at.refuses(BEN, move(20, *WIN[20])) == "wrong_state"


def test_a_second_win_in_the_same_ms_comes_too_late_where_the_first_ends_the_race() -> None:
    at = race(BEN, code=WINNABLE, ends="first_win")
    for who in (ANN, BEN):
        at.play(who, WIN[:-1])
    at.does(ANN, move(47, *WIN[-1]))
    assert at.refuses(BEN, move(47, *WIN[-1])) == "wrong_state"
    assert [line.status for line in lines(at)] == ["won", "timed_out"]


def test_equals_share_a_rank_and_the_next_one_is_skipped() -> None:
    """B51: two win in the same ms, and two are stuck with the same score at the same time."""
    at = race(BEN, CLEO, DAN, EVE, code=WINNABLE)
    for turn, spots in enumerate(WIN):
        at.pass_ms(1000)
        for who in (CLEO, ANN):
            at.does(who, move(turn, *spots))
    for who in (BEN, DAN, EVE):
        at.does(who, retire())
    assert [(line.rank, line.player) for line in lines(at)] == [
        (1, ANN),
        (1, CLEO),
        (3, BEN),
        (3, DAN),
        (3, EVE),
    ]
    assert at.run(EVE).best_at_ms == 0


def test_a_deadlock_is_the_end_where_undo_is_off() -> None:
    at = race(BEN, code=STICKY, undo=False)
    at.play(ANN, STUCK)
    assert at.room.state == "racing"
    at.play(BEN, STUCK)
    assert over_ms(at) == 1000 * 2 * len(STUCK)
    assert [line.status for line in lines(at)] == ["deadlocked", "deadlocked"]


def test_a_deadlock_is_no_end_where_undo_is_on() -> None:
    at = race(code=STICKY)
    at.play(ANN, STUCK)
    assert at.room.state == "racing"
    at.does(ANN, undo(len(STUCK)))
    at.play(ANN, STUCK[-1:])
    at.does(ANN, retire())
    (line,) = lines(at)
    assert (line.status, line.actions) == ("retired", len(STUCK) + 2)


STUCK_FROM_THE_START = deck_showing(
    dict(
        zip(
            [*(str(pile) for pile in range(1, 13)), *(f"R{place}" for place in range(1, 9))],
            [rank + suit for rank in "A2" for suit in "SHDC" for _ in range(2)]
            + [rank + suit for rank in "J" for suit in "SHDC"],
            strict=True,
        )
    )
)
"""Aces, twos and jacks: nothing to remove."""


def test_a_deal_that_is_stuck_from_the_start_is_over_at_once_where_undo_is_off() -> None:
    at = race(BEN, deal=lambda _: deal_of(STUCK_FROM_THE_START), undo=False)
    assert over_ms(at) == 0
    assert table_of(at) == [(1, ANN, "deadlocked"), (1, BEN, "deadlocked")]


def test_a_deal_that_is_stuck_from_the_start_can_be_retired_from_where_undo_is_on() -> None:
    at = race(deal=lambda _: deal_of(STUCK_FROM_THE_START))
    assert at.room.status(ANN) == "deadlocked"
    assert at.refuses(ANN, undo(0)) == "nothing_to_undo"
    at.pass_ms(40)
    at.does(ANN, retire())
    assert over_ms(at) == 40


# --- A race that nobody attends ---------------------------------------------------------------


def test_a_race_without_a_limit_is_over_when_nobody_has_been_online_for_ten_minutes() -> None:
    at = race(BEN, time_limit_ms=None)
    at.drop(ANN)
    at.pass_ms(60 * MINUTE_MS)
    assert at.room.state == "racing", "Ben is there"
    at.drop(BEN)
    at.pass_ms(10 * MINUTE_MS - 1)
    assert at.room.state == "racing"
    at.pass_ms(1)
    assert over_ms(at) == 70 * MINUTE_MS
    assert table_of(at) == [(1, ANN, "timed_out"), (1, BEN, "timed_out")]


def test_a_look_in_gives_an_abandoned_race_another_ten_minutes() -> None:
    at = race(watching=[CLEO], time_limit_ms=None)
    at.drop(ANN, CLEO)
    at.pass_ms(10 * MINUTE_MS - 1)
    at.does(ANN, join())
    at.drop(ANN)
    at.pass_ms(10 * MINUTE_MS - 1)
    assert at.room.state == "racing"


def test_a_race_with_a_limit_runs_on_without_anybody() -> None:
    at = race(time_limit_ms=60 * MINUTE_MS)
    at.drop(ANN)
    at.pass_ms(60 * MINUTE_MS - 1)
    assert at.room.state == "racing"
    at.pass_ms(1)
    assert over_ms(at) == 60 * MINUTE_MS
    assert not at.room.is_closed, "the result can still be looked at"
    at.pass_ms(10 * MINUTE_MS)
    assert at.room.is_closed


def test_those_offline_keep_their_seats_in_the_next_race() -> None:
    at = countdown(BEN)
    at.drop(ANN)
    at.pass_ms(3000)
    assert at.room.race is not None
    assert [*at.room.race.seats] == [ANN, BEN]


# --- The host's office ------------------------------------------------------------------------


def test_a_host_offline_for_a_minute_hands_over() -> None:
    """B87: to whoever online has been there longest; coming back doesn't take the office back."""
    at = table(BEN, CLEO, DAN)
    at.drop(ANN, BEN)
    at.pass_ms(MINUTE_MS - 1)
    assert at.room.host == ANN
    at.pass_ms(1)
    assert at.room.host == CLEO
    at.does(ANN, join())
    assert at.room.host == CLEO


def test_a_host_back_in_time_stays_host() -> None:
    at = table(BEN)
    at.drop(ANN)
    at.pass_ms(5000)
    at.does(ANN, join())
    at.pass_ms(10 * MINUTE_MS)
    assert at.room.host == ANN


def test_no_office_passes_on_while_a_race_runs_but_after_it() -> None:
    at = race(BEN)
    at.drop(ANN)
    at.pass_ms(5 * MINUTE_MS)
    assert at.room.host == ANN
    at.pass_ms(10 * MINUTE_MS)
    assert at.room.state == "over"
    at.pass_ms(MINUTE_MS - 1)
    assert at.room.host == ANN  # a minute counts only while no race runs
    at.pass_ms(1)
    assert at.room.host == BEN
    at.does(BEN, rematch())


def test_the_office_passes_on_in_a_countdown_and_after_a_race() -> None:
    for at in (countdown(BEN, countdown_ms=60_000), finished(BEN)):
        at.pass_ms(0)
        at.drop(ANN)
        at.pass_ms(MINUTE_MS - 1)
        assert at.room.host == ANN
        if at.room.state == "over":
            at.pass_ms(1)
            assert at.room.host == BEN


def test_an_office_that_nobody_is_there_to_take_waits_for_the_first_who_comes() -> None:
    at = table(BEN)
    at.drop(ANN, BEN)
    at.pass_ms(5 * MINUTE_MS)
    assert at.room.host == ANN
    assert next_due_at(at.room) == at.now + 5 * MINUTE_MS, "when the room vanishes"
    at.does(BEN, join())
    assert at.room.host == BEN


# --- A room without anybody -------------------------------------------------------------------


@pytest.mark.parametrize("how", ["drop", "leave"])
def test_a_room_without_anybody_vanishes_after_ten_minutes(how: str) -> None:
    """B76: and then nothing is due in it any more."""
    at = table(BEN)
    for who in (ANN, BEN):
        if how == "drop":
            at.drop(who)
        else:
            at.does(who, leave())
    at.pass_ms(10 * MINUTE_MS - 1)
    assert not at.room.is_closed
    at.pass_ms(1)
    assert at.room.is_closed
    assert next_due_at(at.room) is None
    assert due(at.room, at.now + 10**12) is None


def test_a_room_that_nobody_ever_came_to_again_vanishes_after_a_restart() -> None:
    at = table()
    at.reopen(after_ms=99 * MINUTE_MS)
    assert not at.room.is_closed
    at.pass_ms(10 * MINUTE_MS)
    assert at.room.is_closed


def test_a_room_that_was_empty_before_the_restart_does_not_wait_again() -> None:
    at = table()
    at.drop(ANN)
    at.reopen(after_ms=10 * MINUTE_MS)
    assert at.room.is_closed


def test_a_quiet_room_with_somebody_in_it_has_nothing_due() -> None:
    assert next_due_at(table(BEN).room) is None


def test_an_offline_spectator_is_let_go_after_a_minute_and_a_player_is_not() -> None:
    at = table(BEN, watching=[CLEO, DAN])
    at.drop(BEN, CLEO)
    assert next_due_at(at.room) == at.now + MINUTE_MS
    at.pass_ms(MINUTE_MS)
    assert [*at.room.members] == [ANN, BEN, DAN]
    at.does(CLEO, join("spectator"))


def test_a_host_who_watches_is_not_let_go_but_relieved_first() -> None:
    at = table(BEN)
    at.does(ANN, join("spectator"))
    at.drop(ANN)
    at.pass_ms(MINUTE_MS)
    assert at.room.host == BEN
    assert ANN not in at.room.members, "a spectator like others by now"
