"""What every event log promises, of each that there is, the tests' own fake among them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from halfmoon_server.eventlog.base import Batch, EventLog, Identity, Key, LogConflict
from halfmoon_server.eventlog.memory import MemoryLog
from halfmoon_server.eventlog.results import Place, Result, Rules, Totals
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


async def test_a_log_that_is_whole_breaks_off_nowhere(log: EventLog) -> None:
    await log.append(Batch(ONE, 0, ["a", "b"]))
    assert await log.break_off(ONE) == ["a", "b"]
    assert await log.read(ONE) == ["a", "b"]
    assert await log.break_off(TWO) == []


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


# --- Results ----------------------------------------------------------------------------------

USUAL = Rules(undo=True, time_limit_ms=900_000, ends="all")
STRICT = Rules(undo=False, time_limit_ms=None, ends="first_win")


def result(race: str, player: str, best: int, **changes: Any) -> Result:
    """A result on the deal X by the usual rules, but for what is said otherwise."""
    usual: dict[str, Any] = {
        "name": player, "room": ONE, "code": "X", "rules": USUAL, "contest": None,
        "starts_at": 1000, "over_at": 2000, "rank": 1, "racers": 2, "score": best,
        "status": "won" if best == 520 else "timed_out", "moves": 3, "actions": 5, "undos": 1,
        "time_ms": 700, "is_deadlocked": False,
    }  # fmt: skip
    return Result(race=race, player=player, best=best, **{**usual, **changes})


async def put(log: EventLog, *results: Result) -> None:
    await log.append(Batch(ONE, len(await log.read(ONE)), ["over"], results=results))


async def paged(log: EventLog, rules: Rules | None, limit: int, **shut: Any) -> list[Result]:
    """All results on the deal X, asked for page by page."""
    all_of_them: list[Result] = []
    after: Place | None = None
    while page := await log.results_of_code("X", rules, after, limit, **shut):
        assert len(page) <= limit
        all_of_them += page
        after = page[-1].place
    return all_of_them


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
async def test_results_of_a_deal_come_best_first_page_by_page(log: EventLog, limit: int) -> None:
    """As in the standings: winners by their time, then by best, time and actions (Contract §6)."""
    ranked = [
        result("r_2", "p_1", 520, time_ms=900),
        result("r_1", "p_1", 520, time_ms=901),
        result("r_3", "p_2", 300, time_ms=10, actions=5),
        result("r_3", "p_3", 300, time_ms=10, actions=6),
        result("r_1", "p_2", 300, time_ms=11, actions=1),
        result("r_4", "p_1", 0, time_ms=0),
        result("r_4", "p_2", 0, time_ms=0),
    ]
    await put(log, *ranked[::-1], result("r_5", "p_1", 520, code="Y"))
    assert await paged(log, None, limit) == ranked
    assert await paged(log, USUAL, limit) == ranked
    assert await paged(log, STRICT, limit) == []


async def test_a_deal_has_classes_by_its_rules(log: EventLog) -> None:
    strict = [result("r_1", f"p_{n}", n, rules=STRICT) for n in range(3)]
    untimed = result("r_3", "p_1", 1, rules=Rules(undo=True, time_limit_ms=None, ends="all"))
    await put(log, *strict, result("r_2", "p_1", 5), untimed)
    classes = await log.rules_of_code("X")
    assert [(one.rules, one.results) for one in classes] == [
        (STRICT, 3),
        (USUAL, 1),
        (untimed.rules, 1),
    ]
    assert await paged(log, STRICT, 2) == strict[::-1]
    assert await paged(log, untimed.rules, 2) == [untimed]
    assert await log.rules_of_code("Y") == []


async def test_ones_own_results_come_with_their_rank_among_all(log: EventLog) -> None:
    """By the same order as pages: equals share a rank, and what is shut counts for nobody."""
    mine = [result(f"r_{n}", "p_1", best) for n, best in ((1, 9), (2, 5), (3, 5))]
    others = [result(f"r_{n}", f"p_{n}", best) for n, best in ((4, 7), (5, 5), (6, 1))]
    await put(log, *mine, *others, result("r_7", "p_7", 99, contest="daily/1"))

    async def ranks(player: str, limit: int = 9, *shut: str) -> list[tuple[int, str]]:
        own = await log.own_results("X", USUAL, player, limit, shut)
        return [(rank, one.race) for rank, one in own]

    assert await ranks("p_1", 9, "daily/1") == [(1, "r_1"), (3, "r_2"), (3, "r_3")]
    assert await ranks("p_1", 2) == [(2, "r_1"), (4, "r_2")]
    assert await ranks("p_6", 9, "daily/1") == [(6, "r_6")]
    assert await ranks("p_9") == []
    assert await log.own_results("X", STRICT, "p_1", 9) == []


async def test_shut_contests_are_left_out_of_results_and_counts(log: EventLog) -> None:
    free = result("r_1", "p_1", 5)
    open_ = result("r_2", "p_1", 4, contest="daily/1")
    shut = result("r_3", "p_1", 9, contest="daily/2")
    await put(log, free, open_, shut)
    assert await log.contests_of_code("X") == ["daily/1", "daily/2"]
    assert await log.contests_of_code("Y") == []
    assert await log.has_raced("X", "p_1")
    assert not await log.has_raced("Y", "p_1")
    assert not await log.has_raced("X", "p_9")
    assert await paged(log, None, 1, shut=["daily/2"]) == [free, open_]
    assert [one.results for one in await log.rules_of_code("X", ["daily/2"])] == [2]
    assert await log.results_of_contest("daily/2") == [shut]


async def test_a_contest_has_its_results_best_first(log: EventLog) -> None:
    first = result("r_1", "p_1", 5, contest="daily/1", code="Y")
    await put(log, result("r_1", "p_2", 4, contest="daily/1"), first, result("r_2", "p_1", 9))
    assert [one.best for one in await log.results_of_contest("daily/1")] == [5, 4]
    assert await log.results_of_contest("daily/7") == []


async def test_a_players_races_come_newest_first_page_by_page(log: EventLog) -> None:
    mine = [result(f"r_{n}", "p_1", n, over_at=5000 - n // 2) for n in range(7)]
    await put(log, *mine[::-1], result("r_1", "p_2", 1))
    found: list[Result] = []
    while page := await log.results_of_player("p_1", found[-1].latest if found else None, 2):
        found += page
    assert found == mine
    assert await log.results_of_player("p_9", None, 5) == []


async def test_totals_are_over_all_races_of_a_player(log: EventLog) -> None:
    await put(
        log,
        result("r_1", "p_1", 520, undos=0),
        result("r_2", "p_1", 100, undos=0, moves=0, rank=2),
        result("r_3", "p_1", 200, is_deadlocked=True, racers=1),
        result("r_3", "p_2", 300),
    )
    assert await log.totals_of("p_1") == Totals(
        races=3, wins=1, firsts=1, best=520, deadlocks=1, clean=1
    )
    assert await log.totals_of("p_9") == Totals()


async def test_who_expects_another_length_writes_no_results(log: EventLog) -> None:
    with pytest.raises(LogConflict):
        await log.append(Batch(ONE, 3, ["over"], results=[result("r_1", "p_1", 5)]))
    assert await log.totals_of("p_1") == Totals()


# --- Rooms that are let go ---------------------------------------------------------------------


def at(ms: int) -> str:
    """An entry of this time."""
    return f'{{"events":[{{"at":{ms},"type":"room_reopened"}}]}}'


async def test_a_room_of_a_contest_is_kept_for_its_claim_and_its_result(log: EventLog) -> None:
    first = '{"events":[{"at":1,"type":"room_created","contest":"kind/1"}]}'
    await log.append(Batch(ONE, 0, [first, at(2)], [Key("claim", "p_1 kind/1")], is_last=True))
    await log.append(Batch(TWO, 0, [at(1), at(2)], is_last=True))
    assert await log.forget_rooms(1000, 9) == [TWO]
    assert await log.find(Key("claim", "p_1 kind/1")) == ONE


async def test_a_room_in_which_a_try_at_an_envelope_was_used_is_kept_with_it(log: EventLog) -> None:
    """As long as the deal lies in a sealed one: an open challenge takes nobody's try away."""
    for name, sealed in ((ONE, "true"), (TWO, "false")):
        keys, raced = [Key("seen", f"p_1 HM1-{name}")], result(f"r_{name}", "p_1", 5, room=name)
        await log.append(Batch(name, 0, [at(1)], keys, True, [raced]))
        made = f'{{"challenge":"c","sealed":{sealed}}}'
        deal = [Key("deal", f"HM1-{name}")]
        await log.append(Batch(f"challenge/{name}", 0, [made], deal, is_last=True))
    await log.append(Batch("CCCCC", 0, [at(1)], [Key("seen", "p_1 HM1-CCCCC")], is_last=True))
    assert await log.forget_rooms(1000, 9) == [TWO, "CCCCC"]
    assert await log.find(Key("seen", f"p_1 HM1-{ONE}")) == ONE
    assert [one.race for one in await log.results_of_player("p_1", None, 9)] == [f"r_{ONE}"]


async def test_rooms_that_have_gone_for_long_are_forgotten_whole(log: EventLog) -> None:
    gone = result("r_1", "p_1", 5)
    await log.append(Batch(ONE, 0, [at(1), at(9)], [Key("race", "r_1")], True, [gone]))
    await log.append(Batch(TWO, 0, [at(2)], [Key("race", "r_2")]))
    await log.append(Batch("kind/1", 0, [at(3)], is_last=True))
    await log.append(Batch("CCCCC", 0, [at(9)], is_last=True))
    await log.append(Batch("DDDDD", 0, [at(50)], is_last=True))
    assert await log.forget_rooms(9, 10) == [], "the first that went has gone at 9"
    assert await log.forget_rooms(10, 1) == [ONE]
    assert await log.forget_rooms(10, 9) == ["CCCCC"]
    assert await log.forget_rooms(50, 9) == []
    assert await log.read(ONE) == []
    assert await log.find(Key("race", "r_1")) is None
    assert await log.totals_of("p_1") == Totals()
    assert await log.read(TWO) == [at(2)]
    assert await log.find(Key("race", "r_2")) == TWO
    assert await log.live_rooms() == [TWO]
    assert await log.read("kind/1") == [at(3)]
    await log.append(Batch(TWO, 1, [at(60)], is_last=True))
    await log.append(Batch(ONE, 0, [at(70)]))
    assert sorted(await log.forget_rooms(1000, 9)) == [TWO, "DDDDD"]
    assert await log.read(ONE) == [at(70)], "its id may be another room's now"
