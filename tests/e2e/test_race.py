"""Races from the lobby to the standings, over real sockets, move by move against the oracle."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from halfmoon.cli import main
from halfmoon_testing import oracle
from halfmoon_testing.driver import Driver, Message, drivers, line_up, start_race
from halfmoon_testing.oracle import OracleBoard
from halfmoon_testing.proxy import Way, proxy_to
from halfmoon_testing.server import InProcess, ServerProcess, get_json
from halfmoon_testing.solver import DEADLOCK_CODE, WINNABLE_CODE, deadlock_line, winning_line

LINE = winning_line()


def view_of(board: OracleBoard, status: str, *, can_undo: bool) -> Message:
    """The board as the contract says that its player sees it."""
    return {
        "turn": board.turn,
        "piles": [{"top": pile[-1] if pile else None, "count": len(pile)} for pile in board.piles],
        "reserve": board.reserve,
        "score": board.score,
        "moves": board.moves,
        "status": status,
        "can_undo": can_undo,
    }


async def play(player: Driver, board: OracleBoard, moves: Sequence[Sequence[str]]) -> Message:
    """Make these moves and hold every answer against the oracle; the last answer."""
    answer: Message = {}
    for spots in moves:
        turn = board.turn
        answer = await player.move(turn, spots)
        removed = board.play(spots)
        exposed = board.exposed()
        assert answer["turn"] == turn + 1
        assert answer["removed"] == [card for _, card in removed]
        assert answer["revealed"] == {spot: exposed.get(spot) for spot in spots}
        assert (answer["score"], answer["moves"]) == (board.score, board.moves)
        assert answer["status"] == board.status()
    return answer


async def undo(player: Driver, board: OracleBoard) -> Message:
    """Take one move back and hold the answer against the oracle."""
    answer = await player.done("undo", turn=board.turn)
    restored = board.undo()
    assert answer["restored"] == dict(restored)
    assert (answer["turn"], answer["score"]) == (board.turn, board.score)
    assert (answer["moves"], answer["status"]) == (board.moves, board.status())
    return answer


async def verified(server: InProcess | ServerProcess, race: str, folder: Path) -> Any:
    """The record of a race, after `halfmoon verify` and the oracle have both agreed to it."""
    record = await get_json(server, f"/api/races/{race}")
    file = folder / f"{race}.json"
    file.write_text(json.dumps(record))
    assert main(["verify", str(file)]) == 0
    assert oracle.record_holds(record)
    return record


async def test_two_players_race_to_520_points(process: ServerProcess, tmp_path: Path) -> None:
    ann, bob = await line_up(process.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob):
        boards = await start_race([ann, bob])
        mine, his = OracleBoard.of_code(WINNABLE_CODE), OracleBoard.of_code(WINNABLE_CODE)
        assert boards == [view_of(mine, "racing", can_undo=False)] * 2
        await play(bob, his, LINE[:5])
        last = await play(ann, mine, LINE)
        assert (mine.score, mine.moves) == (520, 48)
        seen = await bob.until("progress", players=[line_of(ann, mine, last["at_ms"])])
        assert seen["players"][0]["status"] == "won"
        await bob.done("retire")
        over = await ann.until("over")
        first, second = over["standings"]
        assert (first["rank"], first["player"], first["status"]) == (1, ann.player, "won")
        assert (first["score"], first["best"], first["moves"]) == (520, 520, 48)
        assert (second["rank"], second["player"], second["status"]) == (2, bob.player, "retired")
        assert second["best"] == his.score
        assert over["code"] == WINNABLE_CODE
        record = await verified(process, over["race"], tmp_path)
        assert record["standings"] == over["standings"]
        assert [action.get("move") for action in record["players"][0]["actions"]] == LINE
        snapshot = await bob.done("join_room")
        assert snapshot["standings"] == over["standings"]
        assert snapshot["state"] == "over"


def line_of(player: Driver, board: OracleBoard, at_ms: int) -> Message:
    """What a `progress` says of this player."""
    return {
        "player": player.player,
        "score": board.score,
        "moves": board.moves,
        "status": board.status(),
        "best": board.best,
        "at_ms": at_ms,
    }


async def test_rivals_hear_of_every_change_at_once_while_the_room_is_quiet(
    server: InProcess,
) -> None:
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob):
        await start_race([ann, bob])
        board = OracleBoard.of_code(WINNABLE_CODE)
        await play(ann, board, LINE[:1])
        heard = await bob.until("progress")
        moved = ann.of("moved")[0]
        assert heard["players"] == [line_of(ann, board, moved["at_ms"])]
        assert set(heard) == {"type", "room", "n", "players"}
        assert not [message for message in bob.heard if message["type"] in ("moved", "undone")]
        # Her answer came before the broadcast that it caused.
        assert ann.heard.index(moved) < ann.heard.index(await ann.until("progress"))


async def test_a_deadlock_is_announced_by_the_move_that_causes_it_and_lifted_by_an_undo(
    server: InProcess,
) -> None:
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=DEADLOCK_CODE, countdown_ms=0)
    async with drivers(ann, bob):
        await start_race([ann, bob])
        board, line = OracleBoard.of_code(DEADLOCK_CODE), deadlock_line()
        stuck_by = await play(ann, board, line)
        assert board.status() == "deadlocked"
        heard = await bob.until("progress", players=[line_of(ann, board, stuck_by["at_ms"])])
        assert heard["players"][0]["status"] == "deadlocked"
        stuck = await ann.done("join_room")
        assert stuck["you"]["board"] == view_of(board, "deadlocked", can_undo=True)
        answer = await undo(ann, board)
        assert answer["status"] == "racing"
        await bob.until("progress", players=[line_of(ann, board, answer["at_ms"])])
        for _ in range(3):  # X31: deadlock, undo, move, deadlock
            await play(ann, board, line[-1:])
            await undo(ann, board)
        while board.can_undo():
            await undo(ann, board)
        assert (await ann.refused("undo", turn=board.turn))["code"] == "nothing_to_undo"
        assert board.score == 0
        assert board.best > 0


async def test_undo_takes_back_exactly_the_last_hundred_moves_at_most(server: InProcess) -> None:
    """X31: a line of 48 moves can't be longer, so undos and moves take turns to be more."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob):
        await start_race([ann, bob])
        board = OracleBoard.of_code(WINNABLE_CODE)
        for _ in range(3):
            await play(ann, board, LINE[:47])
            while board.can_undo():
                await undo(ann, board)
        assert (await ann.refused("undo", turn=board.turn))["code"] == "nothing_to_undo"
        assert (board.turn, board.score, board.moves) == (282, 0, 0)
        await play(ann, board, LINE)
        won = await ann.refused("undo", turn=board.turn)  # a win stands
        assert won["code"] == "wrong_state"
        await bob.done("retire")
        first = (await ann.until("over"))["standings"][0]
        assert (first["status"], first["actions"], first["best"]) == ("won", board.turn, 520)


async def test_without_undo_a_deadlock_ends_a_players_race(
    server: InProcess, tmp_path: Path
) -> None:
    ann, bob = await line_up(
        server.ws, ["Ann", "Bob"], code=DEADLOCK_CODE, countdown_ms=0, undo=False
    )
    async with drivers(ann, bob):
        boards = await start_race([ann, bob])
        assert boards[0]["can_undo"] is False
        board, line = OracleBoard.of_code(DEADLOCK_CODE), deadlock_line()
        await play(ann, board, line[:-1])
        assert (await ann.refused("undo", turn=board.turn))["code"] == "not_allowed"
        await play(ann, board, line[-1:])
        assert (await ann.refused("move", turn=board.turn, spots=["1", "2"]))[
            "code"
        ] == "wrong_state"
        await play(bob, OracleBoard.of_code(DEADLOCK_CODE), line)
        over = await bob.until("over")
        assert [line["status"] for line in over["standings"]] == ["deadlocked", "deadlocked"]
        await verified(server, over["race"], tmp_path)


async def test_a_sealed_race_tells_its_code_when_it_is_over_and_not_before(
    server: InProcess, tmp_path: Path
) -> None:
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], countdown_ms=0)
    async with drivers(ann, bob):
        seal = (await ann.done("join_room"))["seal"]
        boards = await start_race([ann, bob])
        assert boards[0] == boards[1]
        started = ann.of("started")[0]
        assert started["seal"] == seal
        assert "code" not in started
        # Whoever knows no code still plays: any two exposed cards that add up to eleven.
        tops = {str(pile): place["top"] for pile, place in enumerate(boards[0]["piles"], 1)}
        tops |= {f"R{place}": card for place, card in enumerate(boards[0]["reserve"], 1)}
        blind = OracleBoard([[card] for card in list(tops.values())[:12]], list(tops.values())[12:])
        moves = sorted(sorted(move) for move in blind.legal_moves())
        for move in moves[:1]:
            await ann.move(0, move)
        for player in (ann, bob):
            assert not any("HM1-" in text for text in player.texts)
            await player.done("retire")
        over = await bob.until("over")
        assert over["code"].startswith("HM1-S-")
        assert len(over["code"]) == len("HM1-S-") + 28
        assert over["seal"] == seal == oracle.seal_of(over["code"])
        dealt = OracleBoard.of_code(over["code"])
        assert boards[0] == view_of(dealt, dealt.status(), can_undo=False)
        record = await verified(server, over["race"], tmp_path)
        assert "code" not in record["options"]
        assert record["seal"] == seal


async def test_time_runs_out_for_who_is_not_done(server: InProcess, tmp_path: Path) -> None:
    """B41, B10: the last move counts below the limit, and no move after it."""
    ann, bob = await line_up(
        server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0, time_limit_ms=1000
    )
    async with drivers(ann, bob):
        await start_race([ann, bob])
        started = ann.of("started")[0]
        assert started["ends_at"] == started["starts_at"] + 1000
        board = OracleBoard.of_code(WINNABLE_CODE)
        answer: Message = {"type": "moved"}
        while answer["type"] == "moved":  # to and fro until the bell
            if board.turn % 2:
                board.undo()
                answer = await ann.ask("undo", turn=board.turn - 1)
            else:
                board.play(LINE[0])
                answer = await ann.ask("move", turn=board.turn - 1, spots=LINE[0])
            answer["type"] = {"undone": "moved"}.get(answer["type"], answer["type"])
        assert answer["code"] == "wrong_state"
        over = await bob.until("over")
        assert {line["status"] for line in over["standings"]} == {"timed_out"}
        record = await verified(server, over["race"], tmp_path)
        assert record["over_at"] == record["starts_at"] + 1000
        assert all(action["at_ms"] < 1000 for action in record["players"][0]["actions"])
        heard = ann.heard.index(await ann.until("over"))
        await ann.quiet()
        assert not ann.of("progress", since=heard)


async def test_with_first_win_the_first_win_ends_the_race(
    server: InProcess, tmp_path: Path
) -> None:
    ann, bob, cid = await line_up(
        server.ws, ["Ann", "Bob", "Cid"], code=WINNABLE_CODE, countdown_ms=0, ends="first_win"
    )
    async with drivers(ann, bob, cid):
        await start_race([ann, bob, cid])
        await play(bob, OracleBoard.of_code(WINNABLE_CODE), LINE[:3])
        await play(ann, OracleBoard.of_code(WINNABLE_CODE), LINE)
        over = await cid.until("over")
        assert [line["status"] for line in over["standings"]] == ["won", "timed_out", "timed_out"]
        assert [line["player"] for line in over["standings"][:2]] == [ann.player, bob.player]
        late = await bob.refused("move", turn=3, spots=LINE[3])
        assert late["code"] == "wrong_state"
        await verified(server, over["race"], tmp_path)


async def test_exact_equals_share_a_rank_and_the_next_is_left_out(
    server: InProcess, tmp_path: Path
) -> None:
    """B51: whoever did nothing is equal to whoever else did nothing, everywhere that it shows."""
    names = ["Ann", "Bob", "Cid", "Dan"]
    players = await line_up(server.ws, names, code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(*players):
        await start_race(players)
        await play(players[2], OracleBoard.of_code(WINNABLE_CODE), LINE[:2])
        for player in players:
            await player.done("retire")
        over = await players[0].until("over")
        assert [line["rank"] for line in over["standings"]] == [1, 2, 2, 2]
        assert over["standings"][0]["player"] == players[2].player
        for player in players:
            assert (await player.done("join_room"))["standings"] == over["standings"]
        assert (await verified(server, over["race"], tmp_path))["standings"] == over["standings"]


async def test_a_move_counts_when_it_reaches_the_server(server: InProcess) -> None:
    """B14: a slow line costs its player what it takes; no time is ever the client's."""
    async with proxy_to(server.http) as slow:
        slow.up = Way(delay_ms=300)
        ann = await Driver.enter(server.ws, "Ann")
        bob = await Driver.enter(slow.url.replace("http", "ws") + "/ws", "Bob")
        async with drivers(ann, bob):
            await ann.create(code=WINNABLE_CODE, countdown_ms=0)
            await bob.join(ann.room)
            for player in (ann, bob):
                await player.done("set_ready", ready=True)
            await start_race([ann, bob])
            starts_at = ann.of("started")[0]["starts_at"]
            said_at = time.time() * 1000
            moved = await bob.move(0, LINE[0])
            assert moved["at_ms"] >= said_at - starts_at + 290
            claimed = await bob.refused("move", turn=1, spots=LINE[1], at_ms=1)
            assert claimed["code"] == "bad_message"
            told = await ann.until("progress", since=0)
            assert told["players"][0]["at_ms"] == moved["at_ms"]


async def test_a_race_of_one_is_a_race(server: InProcess, tmp_path: Path) -> None:
    """X22: a room of one starts."""
    (ann,) = await line_up(
        server.ws, ["Ann"], code=WINNABLE_CODE, countdown_ms=0, max_players=1, time_limit_ms=None
    )
    async with drivers(ann):
        await start_race([ann])
        assert "ends_at" not in ann.of("started")[0]
        await play(ann, OracleBoard.of_code(WINNABLE_CODE), LINE)
        over = await ann.until("over")
        assert over["standings"][0]["rank"] == 1
        record = await verified(server, over["race"], tmp_path)
        assert record["over_at"] == record["starts_at"] + over["standings"][0]["time_ms"]


async def test_the_race_starts_when_the_countdown_says_and_takes_no_move_before(
    server: InProcess,
) -> None:
    """B10, X25: one instant for all, and nothing counts before it."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=1500)
    async with drivers(ann, bob):
        await ann.done("start")
        countdown = await bob.until("countdown")
        early = await ann.refused("move", turn=0, spots=LINE[0])
        assert early["code"] == "wrong_state"
        snapshot = await bob.done("join_room")
        assert snapshot["state"] == "countdown"
        assert snapshot["starts_at"] == countdown["starts_at"]
        assert "board" not in snapshot["you"]
        started = await bob.until("started")
        assert started["starts_at"] == countdown["starts_at"]
        before_at = time.time() * 1000
        at = (await bob.done("clock", t=1))["at"]
        assert before_at - 100 < at < time.time() * 1000 + 100  # Unix time, as everybody's
        answer = await ann.move(0, LINE[0])
        assert answer["at_ms"] >= 0


@pytest.mark.parametrize("how", ["leave_room", "retire"])
async def test_who_leaves_a_race_keeps_seat_and_result(server: InProcess, how: str) -> None:
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob):
        await start_race([ann, bob])
        board = OracleBoard.of_code(WINNABLE_CODE)
        await play(bob, board, LINE[:4])
        await bob.done(how)
        await ann.until("progress", since=0)
        snapshot = await ann.done("join_room")
        (line,) = [line for line in snapshot["players"] if line["player"] == bob.player]
        assert line["status"] == "retired"
        assert (line["score"], line["moves"]) == (board.score, 4)
        assert line["online"] is (how == "retire")
        await ann.done("retire")
        over = await ann.until("over")
        assert over["standings"][0]["player"] == bob.player
        assert over["standings"][0]["moves"] == 4
