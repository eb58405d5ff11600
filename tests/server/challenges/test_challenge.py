"""Challenges: made out of a finished race of one's own, kept, counted, and found again."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from halfmoon.engine.codes import Code
from halfmoon.engine.ghosts import GhostOf
from halfmoon.engine.record import RaceRecord
from halfmoon.wire.options import RoomOptions
from halfmoon_server.challenges.challenge import Challenge, Wanted, deal_key, make
from halfmoon_server.challenges.keeper import Keeper
from halfmoon_server.eventlog.base import Identity
from halfmoon_server.eventlog.memory import MemoryLog
from halfmoon_server.rooms.commands import Refusal
from halfmoon_testing.builders import BEGAN_AT, WINNABLE, create_room
from halfmoon_testing.fakes import FakeClock
from halfmoon_testing.records import SEALED_CODES, simulated_race

ONE, TWO = Identity("p_1", "Ann"), Identity("p_2", "Ben")
OUTSIDER = Identity("p_9", "Eve")


def record(code: str = SEALED_CODES[0], *, typed: bool = False, public: bool = False) -> RaceRecord:
    """A race of two, with the ghost of a third."""
    race = simulated_race(1, code=code, players=2, ghosts=1)
    if typed:
        race["options"]["code"] = code
    read = RaceRecord.read(json.dumps(race))
    options = RoomOptions.model_validate({**dict(read.options), "public": public})
    return read.model_copy(update={"options": options})


def wanted(*ghosts: str, sealed: bool = False, of: RaceRecord | None = None) -> Wanted:
    return Wanted(of or record(), ghosts or ("p_1",), sealed)


def made(maker: Identity, what: Wanted) -> Challenge | Refusal:
    return make("X" * 12, 1, maker, what, BEGAN_AT)


def test_a_challenge_has_deal_and_rules_of_the_race_and_the_runs_as_they_were() -> None:
    race = record()
    challenge = made(ONE, wanted("p_2", "p_1", "p_2", of=race))
    assert isinstance(challenge, Challenge)
    assert (challenge.code, challenge.race, challenge.name) == (race.code, race.race, "Ann")
    assert challenge.options.model_dump() == {
        "time_limit_ms": 900_000,
        "undo": True,
        "ends": "all",
    }
    assert [ghost.of for ghost in challenge.ghosts] == [
        GhostOf(race=race.race, player="p_2"),
        GhostOf(race=race.race, player="p_1"),
    ]
    assert [line.player for line in challenge.standings] == ["p_2", "p_1"]
    assert [*challenge.ghosts[1].actions] == race.players[0].actions
    assert challenge.raced == {"p_1", "p_2"}
    assert Challenge.model_validate_json(challenge.model_dump_json()) == challenge


def test_a_ghosts_ghost_is_whose_run_it_was_and_has_a_seat_of_its_own() -> None:
    """Somebody who raced against their own ghost may challenge with both."""
    race = record()
    players = [
        line.model_copy(update={"ghost": line.ghost and GhostOf(race="r_0", player="p_1")})
        for line in race.players
    ]
    challenge = made(ONE, wanted("p_1", "g_1", of=race.model_copy(update={"players": players})))
    assert isinstance(challenge, Challenge)
    assert [ghost.player for ghost in challenge.ghosts] == ["g_1", "g_1.2"]
    assert challenge.ghosts[1].of == GhostOf(race="r_0", player="p_1")


@pytest.mark.parametrize(
    ("maker", "what", "code"),
    [
        (OUTSIDER, wanted(), "not_allowed"),
        (Identity("g_1", "Ghost"), wanted(), "not_allowed"),
        (ONE, wanted("p_1", "p_9"), "not_allowed"),
        (ONE, wanted(sealed=True, of=record(str(WINNABLE))), "wrong_state"),
        (ONE, wanted(sealed=True, of=record(typed=True)), "wrong_state"),
        (ONE, wanted(sealed=True, of=record(public=True)), "wrong_state"),
        (ONE, replace(wanted(sealed=True), contest="tournament/T/1"), "wrong_state"),
    ],
)
def test_what_is_no_challenge_is_refused(maker: Identity, what: Wanted, code: str) -> None:
    refusal = made(maker, what)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code


def keeper(log: MemoryLog | None = None) -> Keeper:
    return Keeper(log or MemoryLog(), FakeClock(), lambda: Code.parse(SEALED_CODES[1]))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8, 9])
async def test_ones_challenges_are_counted_and_listed_the_newest_first(count: int) -> None:
    log = MemoryLog()
    ids = []
    for _ in range(count):
        challenge = await keeper(log).make(ONE, wanted())
        assert isinstance(challenge, Challenge)
        ids.append(challenge.challenge)
    await keeper(log).make(TWO, wanted())
    ours = keeper(log)
    assert await ours.count_of(ONE.player) == count
    assert len({*ids}) == count
    assert [one.challenge for one in await ours.made_by(ONE.player, None, 100)] == ids[::-1]
    assert [one.number for one in await ours.made_by(ONE.player, 4, 2)] == [
        number for number in (3, 2) if number <= count
    ]
    assert await log.live_logs("challenge/") == []


async def test_one_deal_is_in_sealed_envelopes_or_in_open_challenges() -> None:
    log = MemoryLog()
    ours, other = keeper(log), record(SEALED_CODES[1])
    for first, second in (
        (wanted(), wanted(sealed=True)),
        (wanted(sealed=True, of=other), wanted(of=other)),
    ):
        made = await ours.make(ONE, first)
        assert isinstance(made, Challenge)
        again = await ours.make(TWO, first)
        assert isinstance(again, Challenge)
        assert (made.is_first, again.is_first) == (True, False)
        assert await log.find(deal_key(made.code)) == made.contest
        assert isinstance(await ours.make(TWO, second), Refusal)


async def test_who_was_there_may_look_into_an_envelope_and_nobody_else() -> None:
    ours = keeper()
    sealed = replace(wanted(sealed=True), witnesses=frozenset({"p_1", "p_7"}))
    made = await ours.make(ONE, sealed)
    assert isinstance(made, Challenge)
    assert made.watched == {"p_7"}
    who = ("p_1", "p_2", "p_7", "p_9", None)
    opened = [await ours.envelopes.is_open(made.code, one) for one in who]
    assert opened == [True, True, True, False, False]
    assert opened == [await ours.is_open(made.contest, one) for one in who]
    assert await ours.envelopes.is_open(Code.parse(SEALED_CODES[1]), None)


async def test_a_room_is_opened_on_the_terms_of_the_challenge_that_there_is() -> None:
    ours = keeper()
    open_ = await ours.make(ONE, wanted())
    shut = await ours.make(ONE, wanted(sealed=True, of=record(SEALED_CODES[1])))
    assert isinstance(open_, Challenge)
    assert isinstance(shut, Challenge)

    async def terms(challenge: str, **options: Any) -> Any:
        command = create_room(**options).model_copy(update={"challenge": challenge})
        found = await ours.terms_for(command)
        return found.code.value if isinstance(found, Refusal) else found

    assert await terms(open_.challenge) == open_.terms
    assert await terms(shut.challenge) == shut.terms
    assert shut.terms.alone
    assert await terms("NOSUCHTHING2") == "unknown_challenge"
    assert await terms(open_.challenge, undo=True) == "not_allowed"
    assert await terms(open_.challenge, max_players=3) == open_.terms
    assert await terms(shut.challenge, max_players=3) == "not_allowed"
    assert await ours.terms_for(create_room(undo=False)) is None
