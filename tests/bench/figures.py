"""Figures of the pure code and of a cold start, printed by `make bench`.

Each is the best of several repetitions: what the code costs, not what else the machine does. To
compare two versions, take both in one run.
"""

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from halfmoon.engine.board import Board
from halfmoon.engine.codes import Code, Variant
from halfmoon.engine.deals import Deal
from halfmoon.engine.spots import Move
from halfmoon.wire import codec
from halfmoon.wire import commands as c
from halfmoon_server.frames import message_frame
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms import views
from halfmoon_server.rooms.commands import Asked, Chance, Refusal
from halfmoon_server.rooms.decide import decide, open_room
from halfmoon_server.rooms.evolve import create, evolve
from halfmoon_server.rooms.state import Room

REPETITIONS = 7
LINES = 100
START = Board.start(Deal.of(Code.parse("HM1-N-AAAAAAB")))


def main() -> None:
    """Measure and print."""
    lines = random_lines()
    moves = sum(len(line) for line in lines)
    figures = {
        "engine, checked moves a second": moves / best(lambda: play_all(lines)),
        "codec, decide, evolve, views, encode: moves a second": moves
        / best(lambda: race_all(lines)),
        "deals a second": 500 / best(deal_500),
        "cold start of serve, ms to listening": 1000 * best(cold_start, time.perf_counter),
    }
    for name, value in figures.items():
        print(f"{value:>12,.0f}  {name}")


def best(run: Callable[[], None], clock: Callable[[], float] = time.process_time) -> float:
    """Seconds of the fastest of several runs, by default of the processor and not on the wall."""
    times: list[float] = []
    for _ in range(REPETITIONS):
        began = clock()
        run()
        times.append(clock() - began)
    return min(times)


def random_lines() -> list[list[Move]]:
    """Games played at random to their end, the same every time."""
    chance = random.Random(1)
    lines: list[list[Move]] = []
    for _ in range(LINES):
        board, line = START, list[Move]()
        while board.status == "racing":
            line.append(chance.choice(board.legal_moves()))
            board = board.play(line[-1])
        lines.append(line)
    return lines


def play_all(lines: list[list[Move]]) -> None:
    """Every line on a bare board."""
    for line in lines:
        board = START
        for move in line:
            board = board.play(move)


def race_all(lines: list[list[Move]]) -> None:
    """Every line as texts of a racer in a room of eight, answered and told to rivals."""
    for line in lines:
        room = racing_room()
        for turn, move in enumerate(line):
            text = codec.write(c.Move(room=room.room, turn=turn, spots=[*move], id=f"m{turn}"))
            room = act(room, text)


def act(room: Room, text: str) -> Room:
    """One command on its way from text to frames, without any I/O."""
    command = codec.read_command(text)
    assert isinstance(command, c.Move), "the lines hold moves"
    outcome = decide(room, Asked("p1", "p1", command), room.touched_at + 1000)
    assert not isinstance(outcome, Refusal), "the lines hold legal moves"
    after = room
    for event in outcome:
        after = evolve(after, event)
    e.write_entry(e.Entry(player="p1", id=command.id, answer="moved", events=outcome))
    message_frame(views.answer("moved", room, after, "p1", command.id, 0))
    message_frame(views.progress(after, ["p1"], 1))
    return after


def racing_room() -> Room:
    """A room of eight in which the race has just started."""
    chance = Chance(code=Code.from_number(Variant.SEALED, 1), race="r_1")
    opened = c.CreateRoom.model_validate({"options": {"code": START.deal.code}})
    room = create(open_room("ABCDE", opened, "p1", "p1", chance, 0))
    events: list[e.Event] = [
        e.MemberJoined(at=0, player=f"p{n}", name=f"p{n}", as_="player") for n in range(2, 9)
    ]
    events += [e.ReadySet(at=0, player=f"p{n}", ready=True) for n in range(1, 9)]
    events += [e.CountdownStarted(at=0, race="r_1", starts_at=0), e.RaceStarted(at=0, starts_at=0)]
    for event in events:
        room = evolve(room, event, lambda _: START.deal)
    return room


def deal_500() -> None:
    """Five hundred deals."""
    for number in range(500):
        Deal.of(Code.from_number(Variant.NORMAL, number))


def cold_start() -> None:
    """From the command to the line that says it listens."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("halfmoon")), "serve", "--port", "0"]
        with subprocess.Popen(
            [*command, "--data", folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as server:
            assert server.stdout is not None, "it was asked for"
            server.stdout.readline()
            server.terminate()


if __name__ == "__main__":
    main()
