"""Cut lines, second connections, and commands sent twice: same board, same seat, once each."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path

import pytest

from halfmoon_server.eventlog.base import Batch
from halfmoon_server.eventlog.memory import MemoryLog
from halfmoon_server.settings import Settings
from halfmoon_testing.driver import Driver, Message, drivers, line_up, start_race
from halfmoon_testing.oracle import OracleBoard
from halfmoon_testing.server import (
    UNHURRIED,
    InProcess,
    ServerProcess,
    get_json,
    in_process,
    server_process,
)
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.wsraw import Raw, text

LINE = winning_line()
LONG = bool(os.environ.get("HALFMOON_LONG"))


def script(moves: int) -> list[tuple[str, list[str]]]:
    """A race to and fro: every third step takes one back, so that undo has a depth to keep."""
    steps: list[tuple[str, list[str]]] = []
    depth = 0
    while len(steps) < moves:
        if len(steps) % 3 == 2:
            depth -= 1
            steps.append(("undo", []))
        else:
            steps.append(("move", LINE[depth]))
            depth += 1
    return steps


def apply(board: OracleBoard, step: tuple[str, list[str]]) -> Message:
    """The step on the oracle's board; the command's own fields."""
    turn = board.turn
    if step[0] == "undo":
        board.undo()
        return {"turn": turn}
    board.play(step[1])
    return {"turn": turn, "spots": step[1]}


def same(board: OracleBoard, seen: Message) -> None:
    """The board that the server shows is the oracle's, as deep as it goes."""
    assert [pile["count"] for pile in seen["piles"]] == board.counts()
    assert [pile["top"] for pile in seen["piles"]] == [p[-1] if p else None for p in board.piles]
    assert seen["reserve"] == board.reserve
    assert (seen["turn"], seen["score"], seen["moves"]) == (board.turn, board.score, board.moves)
    assert seen["can_undo"] == board.can_undo()


async def back(url: str, gone: Driver, ids: str) -> tuple[Driver, Message]:
    """The player on a new connection, with hello and join_room in one write; the room."""
    driver = await Driver.open(url, ids=ids)
    driver.room, driver.token, driver.player = gone.room, gone.token, gone.player
    hello = driver.command("hello", token=gone.token)
    join = driver.command("join_room")
    await driver.say(hello, join)
    welcome = await driver.answer_to(hello["id"])
    assert welcome["player"] == gone.player
    return driver, await driver.answer_to(join["id"])


async def test_a_cut_after_any_step_loses_nothing(server: InProcess) -> None:
    """B18, B19, B20: before every step the line breaks, by turns with and without a goodbye."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    await start_race([ann, bob])
    board = OracleBoard.of_code(WINNABLE_CODE)
    for number, step in enumerate(script(24)):
        await (ann.cut if number % 2 else ann.close)()
        await bob.until("player_changed", player=ann.player, online=False)
        ann, room = await back(server.ws, ann, f"{number}.")
        same(board, room["you"]["board"])
        assert room["you"]["as"] == "player"
        (line,) = [line for line in room["players"] if line["player"] == ann.player]
        assert (line["score"], line["online"]) == (board.score, True)
        await bob.until("player_changed", player=ann.player, online=True)
        await ann.done(step[0], **apply(board, step))
    while board.can_undo():
        await ann.done("undo", **apply(board, ("undo", [])))
    assert (await ann.refused("undo", turn=board.turn))["code"] == "nothing_to_undo"
    async with drivers(ann, bob):
        # B31: however often somebody came back, they are there once.
        snapshot = await bob.done("join_room")
        assert [line["player"] for line in snapshot["players"]] == [ann.player, bob.player]


async def test_a_command_whose_answer_was_lost_is_sent_again_and_done_once(
    server: InProcess,
) -> None:
    """B34, P04: cut straight after sending, come back, send the same again."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    await start_race([ann, bob])
    board = OracleBoard.of_code(WINNABLE_CODE)
    chance = random.Random(34)
    for number, step in enumerate(script(120 if LONG else 30)):
        command = ann.command(step[0], **apply(board, step))
        await ann.say(command)
        if chance.random() < 0.5:
            await asyncio.sleep(0)
        await ann.cut()
        ann, _ = await back(server.ws, ann, f"{number}.")
        await ann.say(command)
        answer = await ann.answer_to(command["id"])
        assert answer["turn"] == board.turn
        assert answer["score"] == board.score
        same(board, (await ann.done("join_room"))["you"]["board"])
    async with drivers(ann, bob):
        await ann.done("retire")
        await bob.done("retire")
        race = (await bob.until("over"))["race"]
        record = await get_json(server, f"/api/races/{race}")
        (line,) = [line for line in record["players"] if line["player"] == ann.player]
        assert len(line["actions"]) == board.turn + 1


async def test_the_same_move_50_times_in_one_segment_is_one_move(server: InProcess) -> None:
    """X26, B32: one id, one effect, and fifty equal answers."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob), await Raw.upgraded(server.port) as raw:
        await start_race([ann, bob])
        await raw.ask({"type": "hello", "token": ann.token})
        move = {"type": "move", "room": ann.room, "turn": 0, "spots": LINE[0]}
        raw.send(text({**move, "id": "once"}) * 50)
        answers = [await raw.message() for _ in range(51)]
        assert answers[0]["type"] == "moved"
        others = [answer for answer in answers if answer != answers[0]]
        assert len(others) == 1  # the broadcast, after the answer to what caused it
        assert others[0]["type"] in ("progress", "player_changed")
        following = {**move, "turn": 1, "spots": LINE[1]}
        raw.send(b"".join(text({**following, "id": f"d{place}"}) for place in range(50)))
        heard: list[Message] = []
        while len(heard) < 50:
            if "re" in (message := await raw.message()):
                heard.append(message)
        assert [message["re"] for message in heard] == [f"d{place}" for place in range(50)]
        assert heard[0]["type"] == "moved"
        assert {message["code"] for message in heard[1:]} == {"stale_turn"}
        assert all(message["board"]["turn"] == 2 for message in heard[1:])
        for undo in (text({"type": "undo", "id": "u", "room": ann.room, "turn": 2}) * 12,):
            raw.send(undo)
        undone: list[Message] = []
        while len(undone) < 12:
            if "re" in (message := await raw.message()):
                undone.append(message)
        assert all(message == undone[0] for message in undone)
        assert undone[0]["turn"] == 3


async def test_every_command_but_the_three_is_remembered_by_its_id(server: InProcess) -> None:
    ann, bob = [await Driver.enter(server.ws, name) for name in ("Ann", "Bob")]
    async with drivers(ann, bob):
        room = await ann.create(code=WINNABLE_CODE, countdown_ms=0, time_limit_ms=None)
        await bob.join(ann.room)
        said: list[tuple[Message, Message]] = []

        async def once(kind: str, **fields: object) -> None:
            command = ann.command(kind, **fields)
            await ann.say(command)
            answer = await ann.answer_to(command["id"])
            assert answer["type"] != "error", answer
            said.append((command, answer))

        await once("set_ready", ready=True)
        await once("set_ready", ready=False)
        await once("set_ready", ready=True)
        await once("set_options", options={"max_players": 7})
        await once("start")
        await ann.until("board")
        await once("move", turn=0, spots=LINE[0])
        await once("undo", turn=1)
        await once("retire")
        await ann.until("over")
        await once("rematch")
        await once("kick", player=bob.player)
        await once("leave_room")
        await ann.quiet()
        for command, answer in said:
            mark = len(ann.heard)
            await ann.say(command)
            assert await ann.answer_to(command["id"], since=mark) == answer
        await bob.until("player_left", why="kicked")
        after = await ann.done("join_room")
        assert after["options"]["max_players"] == 7
        assert after["state"] == "lobby"
        assert after["room"] == room["room"]
        # And what is said again says whatever it likes: the first answer counts.
        mark = len(ann.heard)
        await ann.say({**said[5][0], "spots": ["X"], "turn": 9})
        assert await ann.answer_to(said[5][0]["id"], since=mark) == said[5][1]


async def test_join_room_and_errors_are_judged_afresh(server: InProcess) -> None:
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob):
        command = ann.command("move", turn=0, spots=LINE[0])
        join = ann.command("join_room")
        for expected in ("lobby", "racing"):
            mark = len(ann.heard)
            await ann.say(join)
            assert (await ann.answer_to(join["id"], since=mark))["state"] == expected
            if expected == "lobby":
                await ann.say(command)
                assert (await ann.answer_to(command["id"], since=mark))["code"] == "wrong_state"
                await start_race([ann, bob])
        mark = len(ann.heard)
        await ann.say(command)
        assert (await ann.answer_to(command["id"], since=mark))["type"] == "moved"
        clock = ann.command("clock", t=1)
        await ann.say(clock)
        first = await ann.answer_to(clock["id"])
        mark = len(ann.heard)
        await ann.say({**clock, "t": 2})
        again = await ann.answer_to(clock["id"], since=mark)
        assert (again["t"], again["at"] >= first["at"]) == (2, True)


async def test_an_id_is_the_players_own(server: InProcess) -> None:
    """The same id of another player, or in another room, is another command."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob):
        await start_race([ann, bob])
        move = {"type": "move", "room": ann.room, "turn": 0, "spots": LINE[0], "id": "same"}
        for player in (ann, bob):
            await player.say(move)
            assert (await player.answer_to("same"))["type"] == "moved"
        mark = len(ann.heard)
        await ann.say({"type": "create_room", "id": "same", "options": {}})
        other = (await ann.answer_to("same", since=mark))["room"]
        assert other != ann.room
        mark = len(ann.heard)
        await ann.say({"type": "set_ready", "id": "same", "room": other, "ready": True})
        assert (await ann.answer_to("same", since=mark))["type"] == "ok"


async def test_the_last_256_ids_of_a_player_are_remembered(server: InProcess) -> None:
    (ann,) = await line_up(server.ws, ["Ann"])
    async with drivers(ann):
        answers: list[tuple[Message, Message]] = []
        for place in range(256):
            command = ann.command("set_ready", ready=bool(place % 2))
            await ann.say(command)
            answers.append((command, await ann.answer_to(command["id"])))
        await ann.quiet()
        mark = len(ann.heard)
        for command, answer in answers:
            await ann.say(command)
            assert await ann.answer_to(command["id"], since=mark) == answer
        await ann.quiet()
        assert not ann.of("player_changed", since=mark)


async def test_a_room_is_created_once_by_its_id(process: ServerProcess) -> None:
    """Through a cut line and through a killed server; then friends come, and the host hears it."""
    ann = await Driver.enter(process.ws, "Ann")
    create = ann.command("create_room", options={"public": True, "max_players": 3})
    await ann.say(create, create)
    first = await ann.answer_to(create["id"])
    await ann.quiet()
    assert ann.of("room") == [first, first]
    await ann.cut()
    for number in range(3):
        if number == 1:
            await process.restart()
        again = await Driver.enter(process.ws, token=ann.token, ids=f"{number}.")
        await again.say(create)
        assert await again.answer_to(create["id"]) == first
        bob = await Driver.enter(process.ws, "Bob")
        room = await bob.join(first["room"])
        assert (room["host"], len(room["players"])) == (ann.player, 2)
        assert room["players"][0]["online"] is True
        await again.until("player_joined", player=bob.player)
        await bob.done("leave_room")
        await again.until("player_left", player=bob.player)
        await bob.close()
        await again.close()
    rooms = (await get_json(process, "/api/rooms"))["rooms"]
    assert [room["room"] for room in rooms] == [first["room"]]


async def test_fifty_times_the_same_create_room_in_one_segment_is_one_room(
    server: InProcess,
) -> None:
    async with await Raw.upgraded(server.port) as raw:
        await raw.ask({"type": "hello", "name": "Ann"})
        raw.send(text({"type": "create_room", "id": "c", "options": {"public": True}}) * 50)
        answers = [await raw.message() for _ in range(50)]
        assert all(answer == answers[0] for answer in answers)
        assert len((await get_json(server, "/api/rooms"))["rooms"]) == 1


# Second connections


async def test_the_newer_connection_has_all_seats_and_the_older_is_closed_with_4001(
    server: InProcess,
) -> None:
    """B22: never two seats, never a dead tab without a word."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    await start_race([ann, bob])
    await ann.move(0, LINE[0])
    mark = len(bob.heard)
    newer = await Driver.open(server.ws)
    assert (await newer.hello(token=ann.token))["player"] == ann.player
    assert await ann.closed() == (4001, "replaced")
    newer.room = ann.room
    answer = await newer.move(1, LINE[1])  # the seat is here already, without join_room
    assert answer["turn"] == 2
    await newer.until("progress")
    await bob.move(0, LINE[0])
    await newer.until("progress", players=[bob_line(bob)])
    async with drivers(newer, bob):
        assert not [
            message for message in bob.of("player_changed", since=mark) if not message["online"]
        ]
        snapshot = await bob.done("join_room")
        assert len(snapshot["players"]) == 2


def bob_line(player: Driver) -> Message:
    moved = player.of("moved")[-1]
    line = {key: moved[key] for key in ("score", "moves", "status", "at_ms")}
    return {"player": player.player, "best": moved["score"], **line}


async def test_one_player_connecting_many_times_at_once_ends_with_one_connection(
    server: InProcess,
) -> None:
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    more = [await Driver.open(server.ws, ids=f"{place}.") for place in range(8)]
    await asyncio.gather(*(driver.say(driver.command("hello", token=ann.token)) for driver in more))
    done, left = await asyncio.wait(
        [asyncio.create_task(driver.closed()) for driver in (ann, *more)],
        return_when=asyncio.ALL_COMPLETED,
        timeout=2,
    )
    assert {task.result() for task in done} == {(4001, "replaced")}
    (kept,) = [driver for driver in more if not driver.is_closed]
    assert len(left) == 1
    for task in left:
        task.cancel()
    async with drivers(kept, bob):
        kept.room = ann.room
        snapshot = await kept.done("join_room")
        assert [line["online"] for line in snapshot["players"]] == [True, True]


class SlowLog(MemoryLog):
    """A log that takes its time to write, so that things happen meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.waiting = asyncio.Event()

    async def append(self, batch: Batch) -> None:
        self.waiting.set()
        await self.is_open.wait()
        await super().append(batch)


async def test_a_command_under_way_on_the_older_connection_does_not_take_the_seat_back(
    folder: Path,
) -> None:
    """The log is slow, the older connection waits for its answer, and the newer one comes."""
    log = SlowLog()
    async with in_process(Settings(limits=UNHURRIED), event_log=log) as server:
        ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
        await start_race([ann, bob])
        log.is_open.clear()
        log.waiting.clear()
        move = ann.command("move", turn=0, spots=LINE[0])
        await ann.say(move)
        await log.waiting.wait()
        newer = await Driver.open(server.ws, ids="n")
        await newer.hello(token=ann.token)
        assert (await ann.closed())[0] == 4001
        log.is_open.set()
        async with drivers(newer, bob):
            await newer.until("progress")
            newer.room = ann.room
            snapshot = await bob.done("join_room")
            assert [line["online"] for line in snapshot["players"]] == [True, True]
            await bob.move(0, LINE[0])
            await newer.until("progress", players=[bob_line(bob)])
            await newer.say(move)
            assert (await newer.answer_to(move["id"]))["turn"] == 1


@pytest.mark.parametrize("come", ["first", "again"])
async def test_who_is_cut_while_coming_in_is_no_ghost(folder: Path, come: str) -> None:
    """X40: the join is under way, the line breaks, and nobody is online who isn't there."""
    log = SlowLog()
    async with in_process(Settings(limits=UNHURRIED), event_log=log) as server:
        ann, bob = [await Driver.enter(server.ws, name) for name in ("Ann", "Bob")]
        await ann.create()
        if come == "again":
            await bob.join(ann.room)
            await bob.cut()
            await ann.until("player_changed", player=bob.player, online=False)
            bob = await Driver.enter(server.ws, token=bob.token, ids="b")
        bob.room = ann.room
        log.is_open.clear()
        log.waiting.clear()
        await bob.say(bob.command("join_room"))
        await log.waiting.wait()
        await bob.cut()
        await until_gone(server, connections=1)
        log.is_open.set()
        async with drivers(ann):
            if come == "first":
                await ann.until("player_joined", player=bob.player)
            await ann.until("player_changed", player=bob.player, online=False)
            snapshot = await ann.done("join_room")
            assert [line["online"] for line in snapshot["players"]] == [True, False]


async def until_gone(server: InProcess, connections: int) -> None:
    """Wait until the server has noticed that only so many are left."""
    async with asyncio.timeout(30):
        while len(server.server.connections) > connections:  # noqa: ASYNC110 - nothing to wait for
            await asyncio.sleep(0.005)


async def test_joining_and_watching_at_once_is_one_seat_in_one_role(server: InProcess) -> None:
    """B24: join and join, join and watch, watch and join, in one segment."""
    ann = await Driver.enter(server.ws, "Ann")
    async with drivers(ann):
        await ann.create()
        for first, second in (
            ("player", "player"),
            ("player", "spectator"),
            ("spectator", "player"),
        ):
            async with await Raw.upgraded(server.port) as raw:
                player = (await raw.ask({"type": "hello", "name": "Bob"}))["player"]
                join = {"type": "join_room", "room": ann.room}
                raw.send(text({**join, "as": first}), text({**join, "as": second}))
                rooms: list[Message] = []
                while len(rooms) < 2:
                    if (message := await raw.message())["type"] == "room":
                        rooms.append(message)
                assert rooms[0]["you"]["as"] == first
                assert rooms[1]["you"]["as"] == second
                snapshot = await ann.done("join_room")
                lines = [line["player"] for line in snapshot["players"]]
                assert lines.count(player) == (second == "player")
                assert snapshot["spectators"] == (second == "spectator")
                raw.send(text({"type": "leave_room", "room": ann.room}))
                await ann.until("player_left", player=player)


# Restarts


async def test_ids_are_remembered_through_restarts(folder: Path) -> None:
    async with server_process(folder) as server:
        ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
        await start_race([ann, bob])
        said: list[tuple[Message, Message]] = []
        board = OracleBoard.of_code(WINNABLE_CODE)
        for step in script(8):
            command = ann.command(step[0], **apply(board, step))
            await ann.say(command)
            said.append((command, await ann.answer_to(command["id"])))
        wrong = ann.command("move", turn=0, spots=["1", "1"])
        await ann.say(wrong)
        assert (await ann.answer_to(wrong["id"]))["code"] == "stale_turn"
        await server.restart()
        ann, room = await back(server.ws, ann, "r")
        same(board, room["you"]["board"])
        for command, answer in said:
            mark = len(ann.heard)
            await ann.say(command)
            assert await ann.answer_to(command["id"], since=mark) == answer
        await ann.say({**wrong, "turn": board.turn})
        again = await ann.answer_to(wrong["id"])
        assert again["code"] == "illegal_move"  # an error is judged afresh
        same(board, (await ann.done("join_room"))["you"]["board"])
        async with drivers(ann, bob):
            pass


async def test_numbers_go_on_after_a_restart_so_that_nobody_mistakes_them(folder: Path) -> None:
    async with server_process(folder) as server:
        ann, bob = await line_up(server.ws, ["Ann", "Bob"])
        last = (await ann.done("join_room"))["n"]
        await server.restart()
        ann, room = await back(server.ws, ann, "r")
        assert room["n"] >= last
        bob, _ = await back(server.ws, bob, "r")
        await ann.until("player_changed", player=bob.player, online=True)
        async with drivers(ann, bob):
            pass
