"""What attacks cost the honest: figures of a running server, printed by `make bench`.

Each figure stands beside the same one without the attack, taken in the same run on the same server:
on a machine that does other things too, only their ratio says something. With HALFMOON_LONG=1 the
sizes are those of the promises (docs/reliability.md); else a tenth.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measuring import (
    LONG,
    WIDE,
    centile,
    hung_up,
    racing,
    resident_kib,
    show,
    show_lag,
)
from halfmoon_testing.driver import Driver
from halfmoon_testing.server import ServerProcess, get_text, server_process
from halfmoon_testing.solver import winning_line
from halfmoon_testing.wsraw import CLOSE, CONTINUATION, PING, TEXT, Raw, frame, text

SCALE = 10 if LONG else 1
FOR_S = 20.0 if LONG else 5.0
LINE = winning_line()
CLOCK = text({"type": "clock", "t": 0})

# Honest people


async def play(player: Driver, per_second: float, until: float) -> list[float]:
    """One move and its undo in turn; the ms from each command to its answer."""
    waits, turn = [], (await player.done("join_room"))["you"]["board"]["turn"]
    while time.monotonic() < until:
        began = time.monotonic()
        if turn % 2:
            await player.done("undo", turn=turn)
        else:
            await player.move(turn, LINE[0])
        turn += 1
        waits.append((time.monotonic() - began) * 1000)
        await asyncio.sleep(max(0.0, 1 / per_second - (time.monotonic() - began)))
    return waits


async def play_all(players: Sequence[Driver], per_second: float = 5) -> list[float]:
    until = time.monotonic() + FOR_S
    waits = await asyncio.gather(*(play(one, per_second, until) for one in players))
    return [one for each in waits for one in each]


async def compare(
    what: str,
    players: Sequence[Driver],
    attack: Callable[[], contextlib.AbstractAsyncContextManager[object]],
) -> None:
    """The honest people's waits without and under an attack, taken in turn twice."""
    calm: list[float] = []
    attacked: list[float] = []
    for _ in range(2):
        calm += await play_all(players)
        async with attack():
            attacked += await play_all(players)
    show(centile(calm, 0.99), "ms", f"{what}: p99 of an answer without it")
    show(centile(attacked, 0.99), "ms", f"{what}: p99 under it")
    show(centile(attacked, 0.99) / centile(calm, 0.99), "×", f"{what}: ratio (p99)")
    show(centile(attacked, 0.5) / centile(calm, 0.5), "×", f"{what}: ratio (median)")


@contextlib.asynccontextmanager
async def all_at_once(attackers: Sequence[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(attacker) for attacker in attackers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# P09: one slow consumer never delays others


async def slow_consumers(server: ServerProcess) -> None:
    players = await racing(server, 40)
    room = players[0].room

    async def read_nothing() -> None:
        """Join, ask for much, read nothing."""
        raw = await Raw.upgraded(server.port)
        raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
        raw.send(text({"type": "hello", "name": "Mute"}))
        with contextlib.suppress(ConnectionError):
            while True:
                raw.send(text({"type": "join_room", "room": room, "as": "spectator"}))
                await raw.writer.drain()
                await asyncio.sleep(0.1)  # within the rate, else it would be a flood

    count = 4 * SCALE

    def attack() -> contextlib.AbstractAsyncContextManager[object]:
        return all_at_once([read_nothing() for _ in range(count)])

    await compare("P09 slow consumers", players[:8], attack)
    before, began = too_slow(server), time.monotonic()
    async with attack():
        # Asked for as an operator would: the log is all there is to wait for.
        while too_slow(server) < before + count and time.monotonic() - began < 30:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    show(too_slow(server) - before, "", f"P09: of {count} slow consumers were cut with 1013, …")
    show((time.monotonic() - began) * 1000, "ms", "P09: … the last of them after")
    await hung_up(players)


def too_slow(server: ServerProcess) -> int:
    """How many connections were closed with 1013 so far."""
    return sum(line.get("code") == 1013 for line in server.log_lines())


# P10: bounded memory per connection


async def never_ends(raw: Raw) -> None:
    raw.send(frame(b"x" * 8000, TEXT, fin=False))
    raw.send(frame(b"x" * 8000, CONTINUATION, fin=False) * 30)


async def single_bytes(raw: Raw) -> None:
    raw.send(frame(b"x", TEXT, fin=False), *[frame(b"x", CONTINUATION, fin=False)] * 8000)


async def dribbles(raw: Raw) -> None:
    raw.send(frame(b"x" * 16_000)[:-1])


async def reads_nothing(raw: Raw) -> None:
    raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
    raw.send(text("{") * 9, CLOCK, text({"type": "x" * 16_000}))
    raw.send(frame(b"y" * 125, PING) * 50)


WAYS = (never_ends, single_bytes, dribbles, reads_nothing)


async def idle(server: ServerProcess, count: int) -> list[Raw]:
    """So many who have said hello and nothing more."""
    opened: list[Raw] = []
    for number in range(count):
        raw = await Raw.upgraded(server.port)
        await raw.ask({"type": "hello", "name": f"I{number}"})
        opened.append(raw)
    return opened


async def wave(server: ServerProcess, attackers: list[Raw]) -> int:
    """All of them attack, each in a way of its own, beside half handshakes; the memory then."""
    for place, raw in enumerate(attackers):
        with contextlib.suppress(ConnectionError):
            await WAYS[place % len(WAYS)](raw)
            await raw.writer.drain()
    half = [await Raw.open(server.port) for _ in range(len(attackers) // 10)]
    for raw in half:
        raw.send(b"GET /ws HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 7000)
    await asyncio.sleep(2)
    attacked = resident_kib(server)
    for raw in (*attackers, *half):
        raw.writer.transport.abort()
    return attacked


async def memory(server: ServerProcess) -> None:
    count = 200 * SCALE
    before = resident_kib(server)
    attackers = await idle(server, count)
    show((resident_kib(server) - before) / count, "KiB", f"P10: each of {count} idle connections")
    held = [await wave(server, attackers)]
    show((held[0] - before) / count, "KiB", "P10: each of them under attack")
    began = time.monotonic()
    while len(held) < 4 or (LONG and time.monotonic() - began < 600):
        held.append(await wave(server, await idle(server, count)))
    await asyncio.sleep(3)
    took = f"{len(held)} waves, {time.monotonic() - began:.0f} s"
    show(held[-1] / held[1], "×", f"P10: memory in the last wave by that in the second ({took})")
    show(resident_kib(server) / before, "×", "P10: memory after all have left")


# P11: overload degrades by refusal


async def flood(url: str, count: int, room: str) -> None:
    """A process of its own: so many spectators who ask for the whole room, over and over."""
    port = int(url.rsplit(":", 1)[1].split("/", maxsplit=1)[0])
    ask = text({"type": "join_room", "room": room, "as": "spectator"})

    async def shout(number: int) -> None:
        hello = {"type": "hello", "name": "Flood"}
        while True:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, AssertionError):
                async with await Raw.upgraded(port) as raw:
                    hello = {"type": "hello", "token": (await raw.ask(hello))["token"]}
                    if number == 0:
                        print("begun", flush=True)
                    while True:
                        raw.send(ask * 50)
                        await raw.writer.drain()
                        for _ in range(50):
                            if (await raw.read()).opcode == CLOSE:
                                raise ConnectionError
                        await asyncio.sleep(0.1)
            await asyncio.sleep(1)  # as any client does that was closed

    await asyncio.gather(*(shout(number) for number in range(count)))


async def floods(server: ServerProcess) -> None:
    players = await racing(server, 10 * SCALE)

    @contextlib.asynccontextmanager
    async def attack() -> AsyncIterator[None]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, __file__, "--flood", server.ws, str(20 * SCALE)),
            players[0].room,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None, "it was asked for"
        await process.stdout.readline()
        try:
            yield
        finally:
            process.kill()
            await process.wait()

    await compare("P11 flood", players, attack)
    await show_lag(server, "P11: p99 of the event loop's lag, over the whole run")
    text_of_metrics = await get_text(server, "/metrics")
    limited = re.search(r'refusals_total{code="rate_limited"} (\S+)', text_of_metrics)
    show(float(limited[1]) if limited else 0, "", "P11: commands that were rate_limited")
    await hung_up(players)


MANY = str(10**9)
NO_BOUNDS = f"--limit-waiting {MANY} --limit-waiting-bytes {MANY} --limit-slow-ms {MANY}"
RUNS: Sequence[tuple[Callable[[ServerProcess], Coroutine[Any, Any, None]], str]] = (
    (slow_consumers, ""),
    (slow_consumers, NO_BOUNDS),
    (memory, ""),
    (memory, f"--limit-message-bytes {MANY}"),
    (floods, ""),
    (floods, f"--limit-commands {MANY}/{MANY}"),
)
"""What is measured, and with which limit taken away as its negative control."""


async def main(chosen: Sequence[str]) -> None:
    """Measure and print; all of it, or what is named."""
    for measure, without in RUNS:
        if chosen and measure.__name__ not in chosen:
            continue
        if without:
            print(f"{'':>20}the control: {without}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            options = (*WIDE, *without.split())
            async with server_process(Path(folder) / "data", *options) as server:
                await measure(server)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--flood"]:
        asyncio.run(flood(sys.argv[2], int(sys.argv[3]), sys.argv[4]))
    else:
        asyncio.run(main(sys.argv[1:]))
