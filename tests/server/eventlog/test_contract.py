"""What every event log promises, of each that there is, the tests' own fake among them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from halfmoon_server.eventlog.base import Batch, EventLog, Identity, Key, LogConflict
from halfmoon_server.eventlog.memory import MemoryLog
from halfmoon_server.eventlog.sqlite import SqliteLog
from halfmoon_testing.fakes import FakeLog

ONE, TWO = "AAAAA", "BBBBB"
ANY_HASH = bytes(range(32))


@pytest.fixture(params=["memory", "fake", "sqlite"])
async def log(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[EventLog]:
    made: dict[str, Callable[[], EventLog]] = {
        "memory": MemoryLog,
        "fake": FakeLog,
        "sqlite": lambda: SqliteLog(tmp_path),
    }
    log = made[request.param]()
    yield log
    await log.close()


async def test_what_was_appended_is_read_in_order(log: EventLog) -> None:
    await log.append(Batch(ONE, 0, ["a", "b"]))
    await log.append(Batch(TWO, 0, ["x"]))
    await log.append(Batch(ONE, 2, ["c"]))
    assert await log.read(ONE) == ["a", "b", "c"]
    assert await log.read(TWO) == ["x"]


async def test_a_room_that_never_was_has_no_entries(log: EventLog) -> None:
    assert await log.read(ONE) == []


async def test_entries_come_back_to_the_letter(log: EventLog) -> None:
    entries = ["", '{"name":"Zoë 🂡"}', "line\nline", "\u2028", "x" * 100_000]
    await log.append(Batch(ONE, 0, entries))
    assert await log.read(ONE) == entries


@pytest.mark.parametrize("expected_seq", [0, 1, 3, 7])
async def test_who_expects_another_length_writes_nothing(log: EventLog, expected_seq: int) -> None:
    await log.append(Batch(ONE, 0, ["a", "b"]))
    with pytest.raises(LogConflict):
        await log.append(Batch(ONE, expected_seq, ["c"], keys=[Key("race", "r")], is_last=True))
    assert await log.read(ONE) == ["a", "b"]
    assert await log.find(Key("race", "r")) is None
    assert await log.live_rooms() == [ONE]


async def test_a_room_is_opened_once(log: EventLog) -> None:
    await log.append(Batch(ONE, 0, ["a"]))
    await log.append(Batch(ONE, 1, ["b"], is_last=True))
    with pytest.raises(LogConflict):
        await log.append(Batch(ONE, 0, ["a"]))


async def test_a_conflict_is_its_own_and_nobody_elses(log: EventLog) -> None:
    outcomes = await asyncio.gather(
        log.append(Batch(ONE, 0, ["a"])),
        log.append(Batch(ONE, 0, ["b"])),
        log.append(Batch(TWO, 0, ["x"])),
        log.append(Batch(ONE, 1, ["c"])),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [
        type(None),
        LogConflict,
        type(None),
        type(None),
    ]
    assert await log.read(ONE) == ["a", "c"]
    assert await log.read(TWO) == ["x"]


async def test_what_is_asked_together_is_done_in_the_order_in_which_it_was_asked(
    log: EventLog,
) -> None:
    done: list[int] = []

    async def then_note(what: Awaitable[object], number: int) -> None:
        await what
        done.append(number)

    await asyncio.gather(
        *(then_note(log.append(Batch(ONE, n, [str(n)])), n) for n in range(50)),
        then_note(log.read(ONE), 50),
    )
    assert done == [*range(51)]
    assert await log.read(ONE) == [str(n) for n in range(50)]


async def test_a_read_sees_what_was_asked_to_be_written_before_it(log: EventLog) -> None:
    _, read = await asyncio.gather(log.append(Batch(ONE, 0, ["a"])), log.read(ONE))
    assert read == ["a"]


async def test_a_key_finds_its_room(log: EventLog) -> None:
    await log.append(Batch(ONE, 0, ["a"], keys=[Key("race", "r_1"), Key("create", "p 7")]))
    await log.append(Batch(TWO, 0, ["b"], keys=[Key("race", "r_2")]))
    assert await log.find(Key("race", "r_1")) == ONE
    assert await log.find(Key("create", "p 7")) == ONE
    assert await log.find(Key("race", "r_2")) == TWO
    assert await log.find(Key("race", "p 7")) is None, "a key of another kind is another key"
    assert await log.find(Key("race", "r_3")) is None


async def test_what_is_no_room_has_a_log_of_its_own_kind(log: EventLog) -> None:
    for name in ("kind/b", ONE, "kind/a", "other/a"):
        await log.append(Batch(name, 0, ["begins"]))
    assert await log.live_rooms() == [ONE]
    assert await log.live_logs("kind/") == ["kind/b", "kind/a"]
    await log.append(Batch("kind/b", 1, ["ends"], is_last=True))
    assert await log.live_logs("kind/") == ["kind/a"]
    assert await log.read("kind/b") == ["begins", "ends"]


async def test_live_rooms_are_those_without_a_last_entry_oldest_first(log: EventLog) -> None:
    for room in ("ZZZZZ", ONE, "MMMMM", TWO):
        await log.append(Batch(room, 0, ["a"]))
    await log.append(Batch("ZZZZZ", 1, ["b"]))
    await log.append(Batch(ONE, 1, ["b"], is_last=True))
    assert await log.live_rooms() == ["ZZZZZ", "MMMMM", TWO]
    assert await log.read(ONE) == ["a", "b"], "its log stays"


async def test_a_room_may_begin_and_end_in_one_batch(log: EventLog) -> None:
    await log.append(Batch(ONE, 0, ["a", "b"], is_last=True))
    assert await log.live_rooms() == []
    assert await log.read(ONE) == ["a", "b"]


async def test_an_identity_is_known_by_the_hash_of_its_token(log: EventLog) -> None:
    assert await log.identity(ANY_HASH) is None
    await log.save_identity(ANY_HASH, Identity("p_1", "Ann"))
    assert await log.identity(ANY_HASH) == Identity("p_1", "Ann")
    assert await log.identity(bytes(32)) is None


async def test_an_identity_can_be_renamed(log: EventLog) -> None:
    await log.save_identity(ANY_HASH, Identity("p_1", "Ann"))
    await log.save_identity(ANY_HASH, Identity("p_1", "Anna"))
    assert await log.identity(ANY_HASH) == Identity("p_1", "Anna")


async def test_a_log_that_works_is_healthy(log: EventLog) -> None:
    assert log.is_healthy
    await log.append(Batch(ONE, 0, ["a"]))
    assert log.is_healthy


async def test_a_log_may_be_closed_twice(log: EventLog) -> None:
    await log.close()
