"""A tournament's heat as a room: no host, seats that stay, and a deal that waits (Contract §8)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from halfmoon.wire import commands as c
from halfmoon.wire import messages as m
from halfmoon.wire.errors import ErrorCode
from halfmoon.wire.options import RoomOptions
from halfmoon_server.hosting.gallery import Gallery
from halfmoon_server.records import record_of
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.commands import (
    Asked,
    Dropped,
    EndRace,
    GiveUp,
    HandOver,
    OpenRace,
    Refusal,
    Reopen,
    RoomRequest,
)
from halfmoon_server.rooms.deadlines import due, next_due_at
from halfmoon_server.rooms.decide import decide
from halfmoon_server.rooms.evolve import create, evolve
from halfmoon_server.rooms.state import Room
from halfmoon_testing.builders import (
    ANN,
    BEGAN_AT,
    BEN,
    CLEO,
    DAN,
    EVE,
    PEOPLE,
    ROOM,
    WINNABLE,
    join,
    kick,
    leave,
    name_of,
    ready,
    rematch,
    retire,
    set_options,
    start,
)

STARTS_AT = BEGAN_AT + 3000


class Heat:
    """A heat's room, and what was told."""

    def __init__(
        self, *players: str, is_shut: bool = True, online: bool = True, **watching: Any
    ) -> None:
        options = RoomOptions(time_limit_ms=10_000, **{"spectators": "scores", **watching})
        created = e.RoomCreated(
            at=BEGAN_AT, room=ROOM, player="", name="", options=options, spectators_named=True,
            code=WINNABLE, contest="tournament/T4KQ9/2",
        )  # fmt: skip
        seats = tuple(e.HeatSeat(player=p, name=name_of(p), online=online) for p in players)
        self.now = BEGAN_AT
        self.told: list[m.AnyMessage] = []
        self.room: Room = create(created)
        self.events: list[e.Event] = [created]
        self.gallery = Gallery()
        self.take(
            e.HeatSeated(at=BEGAN_AT, race="r_1", starts_at=STARTS_AT, seats=seats, is_shut=is_shut)
        )

    def take(self, *events: e.Event) -> None:
        for event in events:
            before, self.room = self.room, evolve(self.room, event)
            self.events.append(event)
            self.gallery.follow(before, event, self.room)
            self.told += [one.message for one in views.told(before, event, self.room, 0)]

    def ask(self, request: RoomRequest) -> tuple[e.Event, ...]:
        outcome = decide(self.room, request, self.now)
        assert not isinstance(outcome, Refusal), outcome
        self.take(*outcome)
        return outcome

    def says(self, player: str, command: c.AnyRoomCommand) -> tuple[e.Event, ...]:
        return self.ask(Asked(player, name_of(player), command))

    def refused(self, player: str, command: c.AnyRoomCommand) -> ErrorCode:
        outcome = decide(self.room, Asked(player, name_of(player), command), self.now)
        assert isinstance(outcome, Refusal), outcome
        return outcome.code

    def wait(self, until: int) -> None:
        """Let everything happen that is due by then."""
        self.now = until
        while (event := due(self.room, self.now)) is not None:
            self.take(event)

    def last(self, kind: type[Any]) -> Any:
        return [one for one in self.told if isinstance(one, kind)][-1]


def racing(*players: str, **more: Any) -> Heat:
    heat = Heat(*players, **more)
    heat.wait(STARTS_AT)
    return heat


def test_all_are_seated_and_ready_and_the_race_starts_by_itself() -> None:
    heat = racing(ANN, BEN)
    assert heat.last(m.Countdown).starts_at == STARTS_AT
    assert heat.last(m.Started).players == [ANN, BEN]
    assert heat.last(m.Started).starts_at == STARTS_AT


def test_it_starts_though_nobody_is_there() -> None:
    heat = Heat(ANN, BEN)
    heat.ask(Dropped(ANN))
    heat.ask(Dropped(BEN))
    heat.wait(STARTS_AT)
    assert heat.room.state == "racing"
    heat.wait(STARTS_AT + 10_000)
    assert {line.status for line in heat.last(m.Over).standings} == {"timed_out"}


def test_a_heat_in_which_all_are_absent_is_over_at_once() -> None:
    heat = racing()
    assert heat.room.state == "over"
    assert heat.last(m.Over).standings == []


def test_it_has_no_host_and_names_its_tournament() -> None:
    snapshot = views.snapshot(Heat(ANN, BEN).room, ANN, 1)
    assert (snapshot.host, snapshot.host_name) == ("", "")
    assert snapshot.heat == m.HeatOf(tournament="T4KQ9", round=2)


@pytest.mark.parametrize("command", [start(), set_options(undo=False), kick(BEN), rematch()])
def test_nobody_is_its_host(command: c.AnyRoomCommand) -> None:
    assert Heat(ANN, BEN).refused(ANN, command) == ErrorCode.NOT_ALLOWED


def test_the_seats_stay_as_they_are() -> None:
    assert Heat(ANN, BEN).refused(ANN, ready(ready=False)) == ErrorCode.WRONG_STATE


def test_who_leaves_is_away_and_comes_back_to_the_seat() -> None:
    heat = racing(ANN, BEN)
    assert [type(one) for one in heat.says(ANN, leave())] == [e.WentOffline]
    assert heat.says(ANN, leave()) == ()
    assert heat.room.seat(ANN) is not None
    heat.says(ANN, join())
    assert heat.room.members[ANN].is_online
    heat.says(ANN, retire())


def test_who_has_no_seat_watches_whatever_they_ask_for() -> None:
    heat = racing(ANN, BEN)
    heat.says(CLEO, join())
    assert heat.room.members[CLEO].as_ == "spectator"
    assert heat.room.host == ""
    heat.says(CLEO, leave())
    assert CLEO not in heat.room.members


def over(*, is_shut: bool) -> Heat:
    heat = racing(ANN, BEN, is_shut=is_shut)
    heat.says(ANN, retire())
    heat.says(BEN, retire())
    heat.wait(heat.now)
    return heat


def test_the_deal_of_one_heat_of_several_waits_until_it_is_opened() -> None:
    heat = over(is_shut=True)
    assert heat.last(m.Over).code is None
    assert views.snapshot(heat.room, ANN, 1).code is None
    heat.ask(OpenRace())
    assert heat.last(m.Opened) == m.Opened(room=ROOM, n=1, race="r_1", code=WINNABLE)
    assert views.snapshot(heat.room, ANN, 1).code == WINNABLE
    assert heat.ask(OpenRace()) == ()


def test_a_heat_that_races_alone_keeps_nothing_back() -> None:
    heat = over(is_shut=False)
    assert heat.last(m.Over).code == WINNABLE
    heat.ask(OpenRace())
    assert heat.last(m.Opened).code == WINNABLE


def test_a_director_s_end_lets_all_who_still_race_be_done_with_what_they_have() -> None:
    heat = racing(ANN, BEN, CLEO)
    heat.says(ANN, retire())
    heat.now += 2000
    assert {one.player for one in heat.ask(EndRace()) if isinstance(one, e.Retired)} == {BEN, CLEO}
    heat.wait(heat.now)
    assert {line.status for line in heat.last(m.Over).standings} == {"retired"}
    assert heat.room.race is not None
    assert heat.room.race.over_at == heat.now
    assert heat.ask(EndRace()) == ()


def test_a_director_s_end_in_the_countdown_begins_the_race_and_ends_it() -> None:
    heat = Heat(ANN, BEN)
    heat.now += 500
    assert [type(one) for one in heat.ask(EndRace())] == [e.RaceStarted, e.Retired, e.Retired]
    heat.wait(heat.now)
    standings = heat.last(m.Over).standings
    assert [(line.rank, line.status, line.time_ms) for line in standings] == [(1, "retired", 0)] * 2
    record = record_of([e.Entry(events=(event,)) for event in heat.events], "r_1")
    assert record is not None
    record.verify()


def test_nobody_waits_for_who_was_withdrawn() -> None:
    heat = racing(ANN, BEN, CLEO)
    heat.ask(GiveUp(frozenset((ANN, BEN))))
    heat.says(ANN, first_move(heat, ANN))
    heat.wait(STARTS_AT + 1000)
    assert heat.room.state == "racing", "they may race on as long as somebody else does"
    heat.says(CLEO, retire())
    heat.wait(STARTS_AT + 1000)
    statuses = [(line.player, line.status) for line in heat.last(m.Over).standings]
    assert statuses == [(ANN, "retired"), (BEN, "retired"), (CLEO, "retired")]
    assert heat.ask(GiveUp(frozenset())) == ()


def test_who_is_readmitted_is_waited_for_again() -> None:
    heat = Heat(ANN, BEN)
    heat.ask(GiveUp(frozenset((ANN, BEN))))
    heat.ask(GiveUp(frozenset((ANN,))))
    heat.wait(STARTS_AT + 1000)
    assert not [one for one in heat.told if isinstance(one, m.Over)]
    heat.ask(GiveUp(frozenset((ANN, BEN))))
    heat.wait(STARTS_AT + 1000)
    assert heat.last(m.Over).standings


def test_a_race_that_runs_is_not_opened() -> None:
    assert racing(ANN, BEN).ask(OpenRace()) == ()


def test_a_restart_in_the_countdown_starts_it_at_its_time_or_at_once() -> None:
    heat = Heat(ANN, BEN)
    heat.now = BEGAN_AT + 1000
    assert [type(one) for one in heat.ask(Reopen())] == [e.RoomReopened]
    heat.now = STARTS_AT + 500
    heat.ask(Reopen())
    assert heat.last(m.Started).starts_at == STARTS_AT + 500


def test_it_vanishes_as_other_rooms_do_and_not_before() -> None:
    heat = over(is_shut=True)
    heat.ask(Dropped(ANN))
    heat.ask(Dropped(BEN))
    assert next_due_at(heat.room) == heat.now + 600_000


def first_move(heat: Heat, player: str) -> c.Move:
    """The first legal move on this player's board."""
    seat = heat.room.seat(player)
    assert seat is not None
    board = seat.run.board
    return c.Move(room=ROOM, turn=board.turn, spots=[*next(iter(board.legal_moves()))])


def test_a_seat_that_is_handed_over_is_played_on_as_it_stands() -> None:
    heat = racing(ANN, BEN)
    heat.says(ANN, first_move(heat, ANN))
    heat.ask(HandOver({ANN: CLEO, BEN: BEN}))
    assert heat.last(m.PlayerChanged).player == CLEO
    assert heat.refused(ANN, first_move(heat, CLEO)) == ErrorCode.NOT_ALLOWED
    heat.says(CLEO, join())
    snapshot = views.snapshot(heat.room, CLEO, 1)
    assert snapshot.you.board is not None
    assert (snapshot.you.as_, snapshot.you.board.turn) == ("player", 1)
    assert [line.name for line in snapshot.players] == ["Ann", "Ben"], "a seat keeps its name"
    heat.says(CLEO, first_move(heat, CLEO))
    assert heat.ask(HandOver({ANN: CLEO, BEN: BEN})) == ()
    heat.says(ANN, join())
    assert heat.room.members[ANN].as_ == "spectator"
    heat.wait(STARTS_AT + 10_000)
    assert [line.player for line in heat.last(m.Over).standings] == [CLEO, BEN]
    assert heat.ask(HandOver({ANN: ANN, BEN: BEN})) == (), "what was raced stays"


def test_who_watches_and_gets_a_seat_watches_no_more() -> None:
    heat = racing(ANN, BEN)
    heat.says(CLEO, join())
    heat.ask(HandOver({ANN: CLEO, BEN: BEN}))
    assert [*heat.room.members] == [CLEO, BEN]
    assert heat.room.members[CLEO].is_online
    assert views.snapshot(heat.room, BEN, 1).spectators == 0


@pytest.mark.parametrize("delay_ms", [0, 2000])
def test_who_watches_sees_a_board_that_was_handed_over_go_on(delay_ms: int) -> None:
    heat = racing(ANN, BEN, spectators="open", spectator_delay_ms=delay_ms)
    heat.says(ANN, first_move(heat, ANN))
    heat.ask(HandOver({ANN: CLEO, BEN: BEN}))
    heat.now += 1
    heat.says(CLEO, first_move(heat, CLEO))
    news = [
        (sight.after.player, sight.after.board.turn)
        for scene, _ in heat.gallery.take_due(None)
        for sight in scene.sights
    ]
    assert news == [(CLEO, 1), (CLEO, 2)]
    assert heat.gallery.shown is not None
    boards = views.watched_boards(heat.gallery.shown.watch)
    assert {player: board.turn for player, board in boards.items()} == {CLEO: 2, BEN: 0}


@pytest.mark.parametrize("lot", [random.Random(seed) for seed in range(40)])
def test_each_seat_is_one_player_s_whoever_claims_what_in_whatever_order(
    lot: random.Random,
) -> None:
    """Every player holds one seat at most, and acts on that alone; its run goes on as it stands."""
    seats = [ANN, BEN, CLEO]
    holders = {seat: seat for seat in seats}
    heat = Heat(*seats)
    done = dict.fromkeys(seats, 0)
    heat.wait(STARTS_AT if lot.random() < 0.7 else BEGAN_AT)
    for _ in range(25):
        for seat in seats:  # several entries may change hands before the room is asked
            free = [who for who in PEOPLE if who not in holders.values()]
            if lot.random() < 0.3:
                holders[seat] = lot.choice(free)
        if lot.random() < 0.2:
            holders = dict(zip(seats, lot.sample([*holders.values()], 3), strict=True))
        heat.ask(HandOver(holders))
        heat.wait(heat.now + 100)
        if lot.random() < 0.1:
            heat.wait(max(heat.now, STARTS_AT))
        drawn_for = {who: seat for seat, who in holders.items()}
        for who in (ANN, BEN, CLEO, DAN, EVE):
            if heat.room.state != "racing":
                break
            if who in drawn_for:
                heat.says(who, first_move(heat, who))
                done[drawn_for[who]] += 1
            else:
                with pytest.raises(AssertionError):
                    heat.says(who, retire())
        players = [one.player for one in heat.room.players()]
        assert sorted(players) == sorted(holders.values())
        assert heat.room.handed.items() >= {(s, w) for s, w in holders.items() if s != w}
        if heat.room.race is not None:
            boards = {who: seat.run.board.turn for who, seat in heat.room.race.seats.items()}
            assert boards == {who: done[seat] for who, seat in drawn_for.items()}
    heat.wait(STARTS_AT + 10_000)
    record = record_of([e.Entry(events=(event,)) for event in heat.events], "r_1")
    assert record is not None
    record.verify()
    assert {len(one.actions) for one in record.players} == {*done.values()}
    assert {one.player for one in record.players} == {*holders.values()}
