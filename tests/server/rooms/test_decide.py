"""What a room makes of each command, in each state, by each role: events, or the right refusal."""

import random

import pytest

from halfmoon.engine.codes import Code
from halfmoon.wire import commands as c
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.commands import Asked, Refusal, Returned, TimePassed
from halfmoon_server.rooms.decide import decide
from halfmoon_testing.builders import (
    ANN,
    BEN,
    CLEO,
    DAN,
    EVE,
    STICKY,
    WINNABLE,
    create_room,
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
from halfmoon_testing.layouts import deal_of, deck_showing
from halfmoon_testing.rooms import Table, countdown, finished, race, table
from halfmoon_testing.solver import deadlock_line, winning_line

WIN = winning_line()

# --- The order of errors (Contract §5) --------------------------------------------------------

BANNED, OUTSIDER, WAITING = "p_ban", "p_out", "p_wait"
ROLES = {
    "outsider": OUTSIDER,
    "banned": BANNED,
    "spectator": CLEO,
    "waiting": WAITING,
    "player": BEN,
    "host": ANN,
}
COMMANDS: dict[str, c.AnyRoomCommand] = {
    "join": join(),
    "leave": leave(),
    "ready": ready(),
    "start": start(),
    "options": set_options(undo=False),
    "kick": kick(BEN),
    "kick oneself": kick(ANN),
    "kick nobody": kick("p_nobody"),
    "rematch": rematch(),
    "move": move(0, *WIN[0]),
    "stale": move(7, "1", "2"),
    "undo": undo(0),
    "retire": retire(),
    "react": react("gg"),
}
ERRORS = {"-": "not_allowed", "w": "wrong_state", "t": "stale_turn", "u": "nothing_to_undo"}
WHO_MAY_WHAT = """
                        outsider banned spectator waiting player host
    join         lobby         ok  -   ok  ok  ok  ok
                 countdown     ok  -   ok  ok  ok  ok
                 racing        ok  -   ok  ok  ok  ok
                 over          ok  -   ok  ok  ok  ok
    leave        lobby         -   -   ok  ok  ok  ok
                 countdown     -   -   ok  ok  ok  ok
                 racing        -   -   ok  ok  ok  ok
                 over          -   -   ok  ok  ok  ok
    ready        lobby         -   -   -   ok  ok  ok
                 countdown     -   -   -   w   w   w
                 racing        -   -   -   w   w   w
                 over          -   -   -   w   w   w
    start        lobby         -   -   -   -   -   ok
                 countdown     -   -   -   -   -   w
                 racing        -   -   -   -   -   w
                 over          -   -   -   -   -   w
    options      lobby         -   -   -   -   -   ok
                 countdown     -   -   -   -   -   w
                 racing        -   -   -   -   -   w
                 over          -   -   -   -   -   w
    kick         lobby         -   -   -   -   -   ok
                 countdown     -   -   -   -   -   ok
                 racing        -   -   -   -   -   w
                 over          -   -   -   -   -   ok
    kick_oneself lobby         -   -   -   -   -   -
                 countdown     -   -   -   -   -   -
                 racing        -   -   -   -   -   -
                 over          -   -   -   -   -   -
    kick_nobody  lobby         -   -   -   -   -   -
                 countdown     -   -   -   -   -   -
                 racing        -   -   -   -   -   -
                 over          -   -   -   -   -   -
    rematch      lobby         -   -   -   -   -   w
                 countdown     -   -   -   -   -   w
                 racing        -   -   -   -   -   w
                 over          -   -   -   -   -   ok
    move         lobby         -   -   -   w   w   w
                 countdown     -   -   -   w   w   w
                 racing        -   -   -   w   ok  ok
                 over          -   -   -   w   w   w
    stale        lobby         -   -   -   w   w   w
                 countdown     -   -   -   w   w   w
                 racing        -   -   -   w   t   t
                 over          -   -   -   w   w   w
    undo         lobby         -   -   -   w   w   w
                 countdown     -   -   -   w   w   w
                 racing        -   -   -   w   u   u
                 over          -   -   -   w   w   w
    retire       lobby         -   -   -   w   w   w
                 countdown     -   -   -   w   w   w
                 racing        -   -   -   w   ok  ok
                 over          -   -   -   w   w   w
    react        lobby         -   -   ok  ok  ok  ok
                 countdown     -   -   ok  ok  ok  ok
                 racing        -   -   ok  ok  ok  ok
                 over          -   -   ok  ok  ok  ok
"""


def cases() -> list[tuple[str, str, str, str]]:
    """The table as (command, state, role, what is expected)."""
    _, *lines = WHO_MAY_WHAT.strip().splitlines()
    found, command = [], ""
    for line in lines:
        words = line.split()
        if len(words) == len(ROLES) + 2:
            command = words.pop(0).replace("_", " ")
        state, *expected = words
        found += [(command, state, role, mark) for role, mark in zip(ROLES, expected, strict=True)]
    return found


def room_in(state: str) -> Table:
    """A room in this state, with somebody in each role."""
    at = table(BEN, WAITING, BANNED, watching=[CLEO], code=WINNABLE)
    at.does(ANN, kick(BANNED), ready())
    at.does(BEN, ready())
    if state != "lobby":
        at.does(ANN, start())
    if state in ("racing", "over"):
        at.pass_ms(at.room.options.countdown_ms)
    if state == "over":
        at.does(ANN, retire())
        at.does(BEN, retire())
    assert at.room.state == state
    return at


@pytest.mark.parametrize(("command", "state", "role", "expected"), cases())
def test_each_command_is_carried_out_or_refused_by_state_and_role(
    command: str, state: str, role: str, expected: str
) -> None:
    at = room_in(state)
    if expected == "ok":
        at.does(ROLES[role], COMMANDS[command])
    else:
        assert at.refuses(ROLES[role], COMMANDS[command]) == ERRORS[expected]


def test_a_full_room_is_said_before_a_ban() -> None:
    at = table(BEN, CLEO, max_players=3)
    at.does(ANN, kick(CLEO))
    assert at.refuses(CLEO, join()) == "not_allowed"
    at.does(DAN, join())
    assert at.refuses(CLEO, join()) == "room_full"


def test_undo_where_it_is_off_is_not_allowed_whatever_the_state() -> None:
    for at in (table(undo=False), countdown(undo=False), race(undo=False), finished(undo=False)):
        assert at.refuses(ANN, undo(3)) == "not_allowed"


def test_a_stale_turn_is_said_before_anything_about_the_move() -> None:
    at = race(code=WINNABLE)
    outcome = at.ask(ANN, move(1, "nowhere"))
    assert isinstance(outcome, Refusal)
    assert (outcome.code, outcome.reason) == ("stale_turn", None)
    assert outcome.board is not None
    assert outcome.board.turn == 0
    assert at.refuses(ANN, undo(1)) == "stale_turn"


@pytest.mark.parametrize(
    ("spots", "reason"),
    [
        (["13", "13", "1", "2"], "unknown_spot"),
        (["1", "1", "2", "3"], "same_spot"),
        ([], "wrong_count"),
        (["1"], "wrong_count"),
        (["1", "2", "3", "4"], "wrong_count"),
        (["1", "3"], "need_jack_queen_king"),
        (["1", "2"], "not_eleven"),
    ],
)
def test_an_illegal_move_is_refused_with_the_first_reason(spots: list[str], reason: str) -> None:
    shown = deal_of(deck_showing({"1": "5S", "2": "2C", "3": "KH"}))
    at = race(deal=lambda _: shown)
    outcome = at.ask(ANN, move(0, *spots))
    assert isinstance(outcome, Refusal)
    assert (outcome.code, outcome.reason) == ("illegal_move", reason)


def test_an_empty_place_of_the_reserve_is_no_card() -> None:
    shown = deal_of(deck_showing({"R1": "5S", "R2": "6D"}))
    at = race(deal=lambda _: shown)
    at.does(ANN, move(0, "R1", "R2"))
    outcome = at.ask(ANN, move(1, "R1", "R2"))
    assert isinstance(outcome, Refusal)
    assert outcome.reason == "empty_spot"


# --- Coming, going, and who is host -----------------------------------------------------------


def test_the_creator_is_host_and_player() -> None:
    at = table()
    assert at.room.host == ANN
    assert [(m.player, m.as_, m.ready) for m in at.room.members.values()] == [
        (ANN, "player", False)
    ]


def test_players_are_counted_and_spectators_are_not() -> None:
    at = table(BEN, max_players=2)
    assert at.refuses(CLEO, join()) == "room_full"
    at.does(CLEO, join("spectator"))
    assert at.refuses(CLEO, join()) == "room_full"
    at.does(BEN, join("spectator"))
    at.does(CLEO, join())
    assert [m.player for m in at.room.players()] == [ANN, CLEO]


def test_so_many_may_watch_and_no_more() -> None:
    at = table(BEN, watching=[CLEO])
    for player in (BEN, DAN):
        for most, codes in ((1, ["room_full"]), (2, [])):
            asked = Asked(player, player, join("spectator"), most_spectators=most)
            outcome = decide(at.room, asked, at.now)
            assert [outcome.code for _ in codes if isinstance(outcome, Refusal)] == codes


def test_a_room_without_spectators_refuses_them_also_as_a_change_of_role() -> None:
    at = table(BEN, spectators="none")
    assert at.refuses(CLEO, join("spectator")) == "not_allowed"
    assert at.refuses(BEN, join("spectator")) == "not_allowed"


def test_a_change_of_role_takes_the_ready_mark_and_keeps_the_place_in_the_line() -> None:
    at = table(BEN, CLEO)
    at.does(BEN, ready(), join("spectator"))
    assert at.room.members[BEN].as_ == "spectator"
    at.does(BEN, join())
    assert not at.room.members[BEN].ready
    assert [*at.room.members] == [ANN, BEN, CLEO]


@pytest.mark.parametrize("state", ["countdown", "racing", "over"])
def test_outside_the_lobby_the_other_role_is_ignored(state: str) -> None:
    at = room_in(state)
    for who in (BEN, CLEO):
        role = at.room.members[who].as_
        assert at.does(who, join("spectator" if role == "player" else "player")) == ()
        assert at.room.members[who].as_ == role


def test_joining_again_changes_nothing_while_one_is_there() -> None:
    at = table(BEN)
    assert at.does(BEN, join()) == ()


def test_who_comes_back_is_online_again() -> None:
    at = table(BEN)
    at.drop(BEN)
    assert at.room.members[BEN].offline_at == at.now
    assert at.does(BEN, join()) == (e.WentOnline(at=at.now, player=BEN),)


def test_who_was_told_an_old_answer_anew_is_online_again_and_asked_for_nothing() -> None:
    at = table(BEN)
    at.drop(BEN)
    assert at.request(Returned(BEN)) == (e.WentOnline(at=at.now, player=BEN),)
    assert at.request(Returned(BEN)) == ()
    assert at.request(Returned(DAN)) == ()


def test_any_command_that_is_carried_out_brings_its_player_online() -> None:
    at = race(BEN, code=WINNABLE)
    at.drop(BEN)
    assert at.refuses(BEN, move(5, "1", "2")) == "stale_turn"
    assert not at.room.members[BEN].is_online
    at.does(BEN, move(0, *WIN[0]))
    assert at.room.members[BEN].is_online


def test_who_is_dropped_twice_or_was_never_there_is_dropped_once() -> None:
    at = table(BEN)
    at.drop(BEN)
    before = at.room
    at.drop(BEN, DAN)
    assert at.room == before


def test_a_timer_that_finds_nothing_due_changes_nothing() -> None:
    at = table()
    assert at.request(TimePassed()) == ()


def test_a_leaving_host_hands_over_to_whoever_has_been_there_longest() -> None:
    at = table(BEN, CLEO, watching=[DAN])
    at.does(ANN, leave())
    assert at.room.host == BEN
    at.drop(CLEO)
    at.does(BEN, leave())
    assert at.room.host == DAN, "Cleo is offline, and a spectator can be host"
    assert at.room.host_name == "Dan"


def test_the_office_goes_to_somebody_offline_where_nobody_else_is_there() -> None:
    at = table(BEN)
    at.drop(BEN)
    at.does(ANN, leave())
    assert at.room.host == BEN


def test_who_comes_into_an_empty_room_is_its_host() -> None:
    at = table()
    at.does(ANN, leave())
    assert not at.room.members
    at.does(BEN, join())
    assert (at.room.host, at.room.host_name) == (BEN, "Ben")


def test_a_host_who_left_alone_comes_back_as_host_under_the_new_name() -> None:
    at = table()
    at.does(ANN, leave())
    at.ask(ANN, join(), name="Anna")
    assert (at.room.host, at.room.host_name) == (ANN, "Anna")


def test_who_is_put_out_stays_out() -> None:
    at = table(BEN)
    assert at.does(ANN, kick(BEN)) == (e.MemberLeft(at=at.now, player=BEN, why="kicked"),)
    for as_ in ("player", "spectator"):
        assert at.refuses(BEN, c.JoinRoom(room=at.room.room, as_=as_)) == "not_allowed"


def test_two_of_one_name_are_two_players() -> None:
    """B71: identity is the player, never the name."""
    at = table()
    for who in (BEN, CLEO):
        at.ask(who, join(), name="Ana")
    at.does(BEN, ready(), leave())
    assert [*at.room.members] == [ANN, CLEO]
    assert not at.room.members[CLEO].ready
    at.ask(BEN, join(), name="Anabel")
    assert [m.name for m in at.room.members.values()] == ["Ann", "Ana", "Anabel"]


# --- Before the race --------------------------------------------------------------------------


def test_somebody_has_to_be_ready_and_online() -> None:
    at = table(BEN)
    assert at.refuses(ANN, start()) == "wrong_state"
    at.does(BEN, ready())
    at.drop(BEN)
    assert at.refuses(ANN, start()) == "wrong_state"
    at.does(BEN, join())
    at.does(ANN, start())


def test_a_host_who_watches_starts_the_race_of_others() -> None:
    at = table(BEN)
    at.does(ANN, join("spectator"))
    at.does(BEN, ready())
    at.does(ANN, start())
    at.pass_ms(3000)
    assert at.room.race is not None
    assert [*at.room.race.seats] == [BEN]


def test_a_ready_mark_set_twice_is_set_once() -> None:
    at = table()
    assert at.does(ANN, ready()) != ()
    assert at.does(ANN, ready()) == ()
    assert at.does(ANN, ready(ready=False)) != ()


def test_only_who_was_ready_races() -> None:
    at = table(BEN, CLEO)
    at.does(ANN, ready())
    at.does(BEN, ready())
    at.does(ANN, start())
    at.does(DAN, join())
    at.pass_ms(3000)
    assert at.room.race is not None
    assert [*at.room.race.seats] == [ANN, BEN]
    assert at.room.status(CLEO) == at.room.status(DAN) == "waiting"


def test_the_last_unready_player_going_leaves_the_others_ready() -> None:
    """B05: the host starts, so nothing hangs on the one who wasn't ready."""
    for goes in (leave(), join("spectator")):
        at = table(BEN, CLEO)
        at.does(ANN, ready())
        at.does(BEN, ready())
        at.does(CLEO, goes)
        at.does(ANN, start())


@pytest.mark.parametrize("how", ["drop", "leave", "kick"])
def test_the_countdown_is_called_off_when_no_ready_player_is_online(how: str) -> None:
    """B05: ready marks stay, so that one press starts it again."""
    at = table(BEN, CLEO)
    for who in (BEN, CLEO):
        at.does(who, ready())
    at.does(ANN, start())
    for number, who in enumerate((BEN, CLEO)):
        if how == "drop":
            at.drop(who)
        else:
            at.does(*((who, leave()) if how == "leave" else (ANN, kick(who))))
        assert at.room.state == ("countdown", "lobby")[number]
    assert at.events[-1] == e.CountdownCalledOff(at=at.now)
    if how == "drop":
        assert at.room.members[BEN].ready
    at.pass_ms(10_000)
    assert at.room.state == "lobby"


def test_somebody_unready_going_leaves_the_countdown_alone() -> None:
    at = table(BEN, CLEO)
    at.does(BEN, ready())
    at.does(ANN, start())
    at.does(CLEO, leave())
    at.drop(ANN)
    assert at.room.state == "countdown"


# --- Signs ------------------------------------------------------------------------------------


def test_a_sign_is_shown_to_the_room_by_whoever_is_there() -> None:
    at = race(BEN, watching=[CLEO])
    for who in (ANN, BEN, CLEO):
        assert at.does(who, react("wow")) == (e.Reacted(at=at.now, player=who, reaction="wow"),)


def test_the_next_sign_of_the_same_person_takes_a_while() -> None:
    at = table(BEN)
    at.does(ANN, react())
    at.pass_ms(1499)
    outcome = at.ask(ANN, react("gg"))
    assert isinstance(outcome, Refusal)
    assert (outcome.code, outcome.retry_ms) == ("rate_limited", 1)
    at.does(BEN, react("gg"))
    at.pass_ms(1)
    at.does(ANN, react("gg"))
    assert at.refuses(ANN, react("gg")) == "rate_limited"


def test_going_out_and_in_makes_no_sign_come_sooner() -> None:
    at = table(BEN)
    at.does(BEN, react())
    at.drop(BEN)
    at.does(BEN, join())
    assert at.refuses(BEN, react()) == "rate_limited"
    at.does(BEN, leave())
    at.does(BEN, join())
    assert at.refuses(BEN, react()) == "rate_limited"


def test_the_host_can_switch_signs_off_also_for_themselves() -> None:
    at = table(BEN)
    at.does(BEN, react())
    at.does(ANN, set_options(reactions=False))
    for who in (ANN, BEN):
        assert at.refuses(who, react()) == "not_allowed"
    at.does(ANN, set_options(reactions=True))
    at.does(ANN, react())


# --- Options ----------------------------------------------------------------------------------


def test_options_begin_with_the_contracts_defaults() -> None:
    options = table().room.options
    assert options.model_dump() == {
        "time_limit_ms": 900_000,
        "undo": True,
        "ends": "all",
        "max_players": 16,
        "public": False,
        "spectators": "open",
        "spectator_delay_ms": 0,
        "reactions": True,
        "countdown_ms": 3000,
    }


def test_only_what_is_named_changes() -> None:
    at = table(time_limit_ms=60_000, undo=False)
    at.does(ANN, set_options(ends="first_win"))
    options = at.room.options
    assert (options.time_limit_ms, options.undo, options.ends) == (60_000, False, "first_win")
    at.does(ANN, set_options(time_limit_ms=None))
    assert at.room.options.time_limit_ms is None


def test_a_public_room_is_fair_until_somebody_names_how_it_is_watched() -> None:
    at = table(public=True)
    watched = [at.room.options.spectators]
    for options in (
        set_options(public=False),
        set_options(public=True),
        set_options(spectators="open"),
        set_options(public=False),
        set_options(public=True),
    ):
        at.does(ANN, options)
        watched.append(at.room.options.spectators)
    assert watched == ["fair", "open", "fair", "open", "open", "open"]


def test_what_was_named_at_the_start_stays_named_over_rematches() -> None:
    at = finished(watching=[], public=True)
    at.does(ANN, rematch(), set_options(public=False))
    assert at.room.options.spectators == "open"
    named = finished()
    named.does(ANN, rematch(), set_options(spectators="scores"), set_options(public=True))
    assert named.room.options.spectators == "scores"


def test_a_typed_code_is_open_and_null_goes_back_to_a_fresh_sealed_deal() -> None:
    at = table(code=None)
    deals = [at.room]
    for code in (WINNABLE, None):
        at.does(ANN, set_options(code=code))
        deals.append(at.room)
    assert [room.options.code for room in deals] == [None, WINNABLE, None]
    assert deals[1].code == WINNABLE
    assert len({room.code for room in deals}) == 3, "the second sealed deal is a fresh one"
    assert [room.seal for room in deals] == [room.code.seal for room in deals]


def test_options_leave_the_deal_and_the_ready_marks_alone() -> None:
    at = table(BEN)
    at.does(BEN, ready())
    code = at.room.code
    at.does(ANN, set_options(undo=False))
    assert at.room.code == code
    assert at.room.members[BEN].ready


def test_fewer_places_than_players_are_refused() -> None:
    at = table(BEN, CLEO, watching=[DAN])
    assert at.refuses(ANN, set_options(max_players=2)) == "wrong_state"
    at.does(ANN, set_options(max_players=3))


def test_other_options_may_change_while_returning_racers_fill_the_room_beyond_its_places() -> None:
    at = race(BEN, max_players=2)
    at.does(BEN, leave())
    at.does(CLEO, join())
    at.does(BEN, join())
    at.does(ANN, retire(), rematch())
    assert len([*at.room.players()]) == 3
    at.does(ANN, set_options(undo=False))
    assert at.refuses(ANN, set_options(max_players=2)) == "wrong_state"
    assert at.refuses(DAN, join()) == "room_full"


# --- In the race ------------------------------------------------------------------------------


def test_a_move_says_when_it_was_made_from_the_start_of_the_race() -> None:
    at = race(code=WINNABLE)
    at.pass_ms(1234)
    (made,) = at.does(ANN, move(0, *WIN[0]))
    assert isinstance(made, e.MoveMade)
    assert (made.player, [*made.spots], made.at_ms) == (ANN, WIN[0], 1234)


def test_twelve_clicks_on_one_pair_remove_it_once() -> None:
    """B32: the second click goes out before the first answer."""
    at = race(code=WINNABLE)
    clicks = [at.ask(ANN, move(0, *WIN[0])) for _ in range(12)]
    refused = [outcome.code for outcome in clicks if isinstance(outcome, Refusal)]
    assert refused == ["stale_turn"] * 11
    assert at.board(ANN).moves == 1


def test_undo_pressed_too_often_stops_at_the_first_deal() -> None:
    """B32: presses count as pressed but never past the limit."""
    at = race(code=WINNABLE)
    at.play(ANN, WIN[:3])
    for turn in range(3, 6):
        at.does(ANN, undo(turn))
    assert at.refuses(ANN, undo(6)) == "nothing_to_undo"
    assert (at.board(ANN).moves, at.board(ANN).score, at.board(ANN).turn) == (0, 0, 6)


def test_who_retired_acts_no_more() -> None:
    at = race(BEN)
    at.does(BEN, retire())
    for command in (move(0, *WIN[0]), undo(0), retire()):
        assert at.refuses(BEN, command) == "wrong_state"


def test_a_race_that_is_over_takes_no_more_from_a_page_left_open() -> None:
    """B36: also while the next race runs, in which that player has yet to make a move."""
    at = race(BEN, code=WINNABLE)
    at.play(ANN, WIN[:4])
    at.does(BEN, retire())
    at.does(ANN, retire())
    for command in (move(4, *WIN[4]), undo(4), retire()):
        assert at.refuses(ANN, command) == "wrong_state"
    at.does(ANN, rematch(), ready(), start())
    at.pass_ms(3000)
    for command in (move(4, *WIN[4]), undo(4)):
        assert at.refuses(ANN, command) == "stale_turn"
    assert at.board(ANN).turn == 0


def test_leaving_in_a_race_retires_first_and_keeps_the_seat() -> None:
    at = race(BEN, CLEO, code=WINNABLE)
    at.play(BEN, WIN[:2])
    at.pass_ms(500)
    events = at.does(BEN, leave())
    assert [type(event) for event in events] == [e.Retired, e.MemberLeft]
    assert at.room.status(BEN) == "retired"
    assert at.run(BEN).at_ms == 2500
    at.does(BEN, join("spectator"))
    assert at.room.members[BEN].as_ == "player", "one player has one role in a room"
    assert at.refuses(BEN, move(2, *WIN[2])) == "wrong_state"


def test_who_is_done_leaves_without_retiring_again() -> None:
    at = race(BEN, code=WINNABLE)
    at.play(BEN, WIN)
    assert [type(event) for event in at.does(BEN, leave())] == [e.MemberLeft]
    assert at.room.status(BEN) == "won"


def test_a_racer_comes_back_to_a_room_that_is_full_by_now() -> None:
    at = race(BEN, max_players=2)
    at.does(BEN, leave())
    at.does(CLEO, join())
    at.does(BEN, join())
    assert len(at.room.members) == 3


def test_a_racer_whom_the_host_put_out_does_not_come_back() -> None:
    at = finished(BEN)
    at.does(ANN, kick(BEN))
    assert at.refuses(BEN, join()) == "not_allowed"


def test_the_last_racer_leaving_ends_the_race() -> None:
    at = race(BEN)
    at.does(BEN, leave())
    at.pass_ms(700)
    at.does(ANN, leave())
    assert at.room.state == "over"
    assert at.room.race is not None
    assert at.room.race.over_at == at.now


# --- After the race ---------------------------------------------------------------------------


def test_a_rematch_has_the_same_people_nobody_ready_and_a_new_sealed_deal() -> None:
    at = finished(BEN, code=WINNABLE)
    at.does(ANN, rematch())
    assert at.room.state == "lobby"
    assert [(m.player, m.ready) for m in at.room.members.values()] == [(ANN, False), (BEN, False)]
    assert at.room.options.code is None
    assert at.room.code != WINNABLE


def test_a_rematch_on_a_code_is_open() -> None:
    at = finished()
    at.does(ANN, rematch(STICKY))
    assert (at.room.options.code, at.room.code) == (STICKY, STICKY)


def test_who_left_during_the_race_is_listed_until_the_rematch() -> None:
    at = race(BEN, CLEO)
    at.does(CLEO, leave())
    for who in (ANN, BEN):
        at.does(who, retire())
    assert at.seat(CLEO).run.status == "retired"
    at.does(ANN, rematch())
    assert at.room.seat(CLEO) is None


def test_a_rematch_waits_for_whoever_still_races() -> None:
    """B08: refused, and what the last racer does still counts."""
    at = race(BEN, CLEO, DAN, EVE, code=WINNABLE)
    for who in (ANN, BEN, CLEO, DAN):
        at.does(who, retire())
    assert at.refuses(ANN, rematch()) == "wrong_state"
    at.play(EVE, WIN[:1])
    at.does(EVE, retire())
    assert at.room.race is not None
    assert at.room.race.standings[0].player == EVE


def test_twenty_five_rematches_give_twenty_five_races_of_all_four() -> None:
    """B02: two pressing rematch at once give one next race, and a drop in between loses nobody."""
    at = finished(BEN, CLEO, DAN)
    seen = {at.room.seal}
    chance = random.Random(2)
    for _ in range(25):
        at.does(ANN, rematch())
        assert at.refuses(ANN, rematch()) == "wrong_state"
        back = chance.choice([BEN, CLEO, DAN])
        at.drop(back)
        at.does(back, join())
        for who in (ANN, BEN, CLEO, DAN):
            at.does(who, ready())
        at.does(ANN, start())
        at.pass_ms(3000)
        assert at.room.race is not None
        assert [*at.room.race.seats] == [ANN, BEN, CLEO, DAN]
        assert at.room.seal not in seen
        seen.add(at.room.seal)
        for who in (ANN, BEN, CLEO, DAN):
            at.does(who, retire())
    races = [event.race for event in at.events if isinstance(event, e.CountdownStarted)]
    assert len(set(races)) == 26


def test_the_host_who_went_comes_back_without_the_office_and_somebody_always_has_it() -> None:
    """B87: the office passes on by a fixed rule, and who has it can start, kick and go on."""
    for state in ("lobby", "countdown", "racing", "over"):
        at = room_in(state)
        at.does(ANN, leave())
        assert at.room.host == BEN
        at.does(ANN, join())
        assert at.room.host == BEN
        if at.room.state != "racing":
            assert at.refuses(ANN, kick(BEN)) == "not_allowed"
            at.does(BEN, kick(WAITING))


def test_a_stuck_racer_where_undo_is_off_acts_no_more() -> None:
    at = race(BEN, code=STICKY, undo=False)
    at.play(ANN, deadlock_line())
    assert at.room.status(ANN) == "deadlocked"
    assert at.refuses(ANN, retire()) == "wrong_state"
    assert at.refuses(ANN, move(at.board(ANN).turn, "1", "2")) == "wrong_state"


def test_a_stuck_racer_where_undo_is_on_takes_back_or_retires() -> None:
    at = race(BEN, code=STICKY)
    at.play(ANN, deadlock_line())
    at.does(ANN, undo(at.board(ANN).turn))
    assert at.room.status(ANN) == "racing"
    at.does(ANN, retire())


def test_a_room_that_has_vanished_knows_nobody_and_takes_nothing() -> None:
    at = table(BEN)
    at.drop(ANN, BEN)
    at.pass_ms(600_000)
    for who in (ANN, CLEO):
        for command in (join(), ready(), leave()):
            assert at.refuses(who, command) == "unknown_room"


def test_a_room_opens_with_the_code_that_was_typed_or_a_sealed_one() -> None:
    typed = table(code=WINNABLE)
    assert typed.room.code == WINNABLE
    sealed = table()
    assert sealed.room.code == Code.parse("HM1-S-" + "A" * 27 + "B")
    asked = Asked(ANN, "Ann", join())
    assert asked.chance is None, "only some commands need chance"
    assert create_room(code=None).options.named() == {"code": None}
