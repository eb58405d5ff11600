"""Clients on a real server, over a line that is cut now and then."""

import asyncio
import time
from typing import Any

import pytest

from halfmoon.engine.codes import Code
from halfmoon.wire.errors import ErrorCode, Reason
from halfmoon.wire.messages import RoomSnapshot
from halfmoon.wire.options import RoomOptions
from halfmoon_client import (
    Client,
    CommandRefused,
    LeftRoom,
    NoConnection,
    Options,
    RaceGone,
    Replaced,
    Room,
    connect,
)
from halfmoon_testing.proxy import proxy_to
from halfmoon_testing.solver import WINNABLE_CODE, winning_line


async def racing(client: Client, **options: Any) -> Room:
    """A room of one's own in which the race is about to start."""
    room = await client.create(countdown_ms=0, **options)
    await room.ready()
    await room.start()
    return room


async def joined(client: Client, host: Room) -> Room:
    """The host's room, where one is ready and the host has seen it."""
    room = await client.join(host.id)
    await room.ready()
    await host.until(lambda view: is_ready(view, client.player) or None)
    return room


def is_ready(view: RoomSnapshot, player: str) -> bool:
    return any(line.player == player and line.ready for line in view.players)


def in_state(state: str) -> Any:
    return lambda view: view if view.state == state else None


async def test_a_program_wins_a_race(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        race = await (await racing(ann, code=WINNABLE_CODE)).race()
        for spots in winning_line():
            await race.move(spots)
        [line] = await race.finish()
    assert (line.name, line.status, line.score, line.moves) == ("Ann", "won", 520, 48)


async def test_two_race_on_one_deal_and_see_each_other_come_on(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann, connect(server_url, name="Bob") as bob:
        host = await ann.create(countdown_ms=0)
        await host.ready()
        room = await joined(bob, host)
        await host.start()
        races = await asyncio.gather(host.race(), room.race())
        assert races[0].board == races[1].board
        moved = await races[0].move(races[0].legal_moves()[0])
        assert races[0].board.score == moved.score
        seen = await room.until(lambda view: [x.score for x in view.players if x.score] or None)
        assert seen == [moved.score]
        undone = await races[0].undo()
        assert (undone.score, undone.turn) == (0, 2)
        assert races[0].board.piles == races[1].board.piles
        await races[1].retire()
        assert not races[1].is_over
        first, second = await asyncio.gather(races[0].finish(), races[1].standings())
        assert first == second
        assert [line.name for line in first] == ["Ann", "Bob"]
        assert races[0].legal_moves() == []


async def test_a_race_goes_on_over_a_line_that_is_cut_at_every_move(server_url: str) -> None:
    async with proxy_to(server_url) as proxy, connect(proxy.url, name="Ann") as ann:
        race = await (await racing(ann, code=WINNABLE_CODE)).race()
        for made, spots in enumerate(winning_line()[:12]):
            move = asyncio.create_task(race.move(spots))
            for _ in range(made % 6):  # cut before it is sent, on its way, or after
                await asyncio.sleep(0)
            proxy.cut()
            assert (await move).turn == made + 1
        [line] = await race.finish()
        assert line.actions == line.moves == 12


async def test_a_race_that_ended_unheard_is_gone(server_url: str) -> None:
    async with (
        proxy_to(server_url) as proxy,
        connect(server_url, name="Ann") as ann,
        connect(proxy.url, name="Bob") as bob,
    ):
        host = await ann.create(countdown_ms=0, time_limit_ms=1000)
        await host.ready()
        room = await joined(bob, host)
        await host.start()
        race = await room.race()
        proxy.is_open = False
        proxy.cut()
        await host.until(in_state("over"))
        await host.rematch()
        proxy.is_open = True
        with pytest.raises(RaceGone, match=race.id):
            await race.finish()
        assert room.view.state == "lobby"


async def test_a_rematch_is_another_race(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        room = await racing(ann)
        first = await room.race()
        await first.finish()
        await room.rematch("HM1-N-AAAAAAB")
        assert (await room.until(in_state("lobby"))).code == Code.parse("HM1-N-AAAAAAB")
        await room.ready()
        await room.start()
        second = await room.race()
        assert second.id != first.id
        assert [line.rank for line in await second.finish()] == [1]
        assert (await first.standings())[0].player == ann.player


async def test_the_same_player_elsewhere_takes_the_seats(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        room = await racing(ann)
        race = await room.race()
        moved = await race.move(race.legal_moves()[0])
        async with connect(server_url, token=ann.token) as again:
            assert (again.player, again.name) == (ann.player, "Ann")
            with pytest.raises(Replaced):
                await race.standings()
            with pytest.raises(Replaced):
                await room.leave()
            assert not ann.is_connected
            taken = await (await again.join(room.id.lower())).race()
            assert (taken.id, taken.board.turn) == (race.id, moved.turn)


async def test_who_is_put_out_waits_no_longer(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann, connect(server_url, name="Bob") as bob:
        host = await ann.create()
        room = await joined(bob, host)
        waiting = asyncio.create_task(room.race())
        await host.kick(bob.player)
        with pytest.raises(LeftRoom) as left:
            await waiting
        assert (left.value.room, left.value.why) == (room.id, "kicked")
        with pytest.raises(LeftRoom):
            _ = room.view
        with pytest.raises(CommandRefused) as refused:
            await bob.join(room.id)
        assert refused.value.code is ErrorCode.NOT_ALLOWED


async def test_who_leaves_has_left(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        room = await ann.create()
        await room.leave()
        with pytest.raises(LeftRoom):
            await room.race()


async def test_a_countdown_is_called_off_when_nobody_ready_is_there(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        host = await ann.create(countdown_ms=60_000)
        async with connect(server_url, name="Bob") as bob:
            await joined(bob, host)
            await host.start()
            view = await host.until(in_state("countdown"))
            assert 50_000 < ann.clock.ms_until(view.starts_at or 0) <= 60_000
        assert (await host.until(in_state("lobby"))).starts_at is None


async def test_what_is_refused_says_why(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        with pytest.raises(CommandRefused, match="unknown_room"):
            await ann.join("22222")
        room = await racing(ann)
        race = await room.race()
        with pytest.raises(CommandRefused) as refused:
            await race.move(["1", "1"])
        assert (refused.value.code, refused.value.reason) == (
            ErrorCode.ILLEGAL_MOVE,
            Reason.SAME_SPOT,
        )
        with pytest.raises(CommandRefused, match="nothing_to_undo"):
            await race.undo()
        assert race.board.turn == 0


async def test_a_wrong_token_is_nobody(server_url: str) -> None:
    with pytest.raises(CommandRefused) as refused:
        async with connect(server_url, token="wrong"):
            pass
    assert refused.value.code is ErrorCode.UNAUTHORIZED


async def test_options_are_changed_by_name(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        room = await ann.create(undo=False, time_limit_ms=None, code="hm1-n-aaaaaab", public=True)
        assert room.view.options.code == Code.parse("HM1-N-AAAAAAB")
        assert room.view.options.spectators == "fair"
        await room.set_options(code=None, ends="first_win")
        options = await room.until(lambda view: view.options if not view.options.code else None)
        assert options == RoomOptions(
            undo=False, time_limit_ms=None, ends="first_win", public=True, spectators="fair"
        )
        wrong: Any = {"countdown": 5}
        with pytest.raises(ValueError, match="countdown"):
            await room.set_options(**wrong)
        with pytest.raises(ValueError, match="letters"):
            await room.rematch("HM1-N-AAA")


def test_every_option_of_a_room_can_be_named() -> None:
    assert set(Options.__annotations__) == set(RoomOptions.model_fields)


async def test_who_gives_up_waiting_takes_nothing_back(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        room = await ann.create(countdown_ms=0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await room.race()
        await room.ready()
        await room.start()
        race = await room.race()
        move = asyncio.create_task(race.move(race.legal_moves()[0]))
        await asyncio.sleep(0)
        move.cancel()
        assert await room.until(lambda view: (view.you.board and view.you.board.turn) or None) == 1
        assert race.board.turn == 1
        await race.undo()
        assert race.board.turn == 2


async def test_many_commands_at_once_are_slowed_down_and_all_answered(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        room = await ann.create()
        await asyncio.gather(*(room.ready(ready=n % 2 == 0) for n in range(35)))
        await room.until(lambda view: is_ready(view, ann.player) or None)


async def test_the_clock_is_the_servers(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        assert abs(ann.clock.now_at() - time.time() * 1000) < 10_000


async def test_spectators_watch(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann, connect(server_url, name="Bob") as bob:
        host = await racing(ann)
        room = await bob.join(host.id, as_="spectator")
        assert (room.view.you.as_, room.view.spectators) == ("spectator", 1)
        await (await host.race()).finish()
        assert (await room.until(lambda view: view.standings))[0].name == "Ann"


async def test_the_days_deal_and_challenges_are_raced(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        room = await ann.race_daily(countdown_ms=0)
        assert (await ann.race_daily()).id == room.id
        assert room.view.options.max_players == 1
        await room.ready()
        await room.start()
        await (await room.race()).retire()
        await room.until(lambda view: view.standings)
        assert room.view.code is not None
        with pytest.raises(CommandRefused, match="started"):
            await ann.race_daily()
        with pytest.raises(CommandRefused) as refusal:
            await ann.race_challenge("NOSUCHTHING2")
        assert refusal.value.code == "unknown_challenge"


async def test_a_closed_client_says_so(server_url: str) -> None:
    async with connect(server_url, name="Ann") as ann:
        room = await ann.create()
        waiting = asyncio.create_task(room.race())
        await asyncio.sleep(0)
    with pytest.raises(NoConnection, match="closed"):
        await waiting
    for late in (room.ready(), room.race()):
        with pytest.raises(NoConnection, match="closed"):
            await late
