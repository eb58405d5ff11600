"""Every error code and every reason, in the contract's order; an error changes nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from itertools import combinations
from typing import Any

import pytest
import pytest_asyncio

from halfmoon_testing.driver import Driver, drivers, line_up, start_race
from halfmoon_testing.fakes import FakeLog
from halfmoon_testing.oracle import OracleBoard
from halfmoon_testing.server import InProcess, in_process
from halfmoon_testing.solver import WINNABLE_CODE, winning_line

LINE = winning_line()
NOWHERE = "22222"
"""A room that isn't there (or is, once in 28 million runs)."""


@pytest_asyncio.fixture
async def racers(server: InProcess) -> AsyncIterator[tuple[Driver, Driver]]:
    """Two players, the first of them the host, in a race that has just begun."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob):
        await start_race([ann, bob])
        yield ann, bob


async def board_of(player: Driver) -> Any:
    """The player's board as it is by now."""
    return (await player.done("join_room"))["you"]["board"]


async def all_refused(player: Driver, code: str, *commands: tuple[str, dict[str, Any]]) -> None:
    """Each of these commands is refused with this code."""
    for kind, fields in commands:
        assert (await player.refused(kind, **fields))["code"] == code, kind


# Reasons of illegal_move


def reasons() -> list[tuple[str, list[str]]]:
    """Spots on the first board of the deal, with the first reason that applies to them."""
    board = OracleBoard.of_code(WINNABLE_CODE)
    cards = board.exposed()
    number = [spot for spot, card in cards.items() if card[0] not in "JQK"]
    court = [spot for spot, card in cards.items() if card[0] in "JQK"]
    unequal = next([a, b] for a, b in combinations(number, 2) if board.reason([a, b]))
    eleven = next([a, b] for a, b in combinations(number, 2) if not board.reason([a, b]))
    return [
        ("unknown_spot", ["01", "8"]),
        ("unknown_spot", ["1 ", "8"]),
        ("unknown_spot", ["R0", "8"]),
        ("unknown_spot", ["R9", "1"]),
        ("unknown_spot", ["13", "1"]),
        ("unknown_spot", ["0", "1"]),
        ("unknown_spot", ["", "1"]),
        ("unknown_spot", ["r1", "1"]),
        ("unknown_spot", ["１", "8"]),
        ("unknown_spot", ["X", "X"]),
        ("unknown_spot", ["X"]),
        ("unknown_spot", ["1", "1", "1", "1", "X"]),
        ("same_spot", ["1", "1"]),
        ("same_spot", ["1", "1", "2", "3"]),
        ("same_spot", [str(1 + place % 12) for place in range(1200)]),
        ("wrong_count", []),
        ("wrong_count", ["1"]),
        ("wrong_count", ["1", "2", "3", "4"]),
        ("need_jack_queen_king", [court[0], number[0]]),
        ("need_jack_queen_king", [court[0], eleven[0], eleven[1]]),
        ("not_eleven", unequal),
        ("not_eleven", [*eleven, next(spot for spot in number if spot not in eleven)]),
    ]


@pytest.mark.parametrize(("reason", "spots"), reasons())
async def test_an_illegal_move_names_the_first_reason(
    server: InProcess, reason: str, spots: list[str]
) -> None:
    (ann,) = await line_up(server.ws, ["Ann"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann):
        await start_race([ann])
        before = await board_of(ann)
        error = await ann.refused("move", turn=0, spots=spots)
        assert (error["code"], error["reason"]) == ("illegal_move", reason)
        assert await board_of(ann) == before


async def test_an_empty_spot_is_named_before_the_cards(racers: tuple[Driver, Driver]) -> None:
    ann, _ = racers
    board = OracleBoard.of_code(WINNABLE_CODE)
    reserve: str | None = None
    for spots in LINE:
        await ann.move(board.turn, spots)
        board.play(spots)
        reserve = next((spot for spot in spots if spot.startswith("R")), None)
        if reserve is not None:
            break
    assert reserve is not None, "the line uses the reserve"
    error = await ann.refused("move", turn=board.turn, spots=[reserve, next(iter(board.exposed()))])
    assert (error["code"], error["reason"]) == ("illegal_move", "empty_spot")
    error = await ann.refused("move", turn=board.turn, spots=[reserve, reserve])
    assert error["reason"] == "same_spot"


# The order of the checks


async def test_the_shape_comes_before_hello(server: InProcess) -> None:
    driver = await Driver.open(server.ws)
    async with drivers(driver):
        assert (await driver.refused("move", turn=0))["code"] == "bad_message"
        command = driver.command("start", room=NOWHERE)
        await driver.say(command)
        assert (await driver.answer_to(command["id"]))["code"] == "wrong_state"


async def test_before_hello_everything_is_wrong_state_and_so_is_a_second_hello(
    server: InProcess,
) -> None:
    driver = await Driver.open(server.ws)
    async with drivers(driver):
        commands: list[tuple[str, dict[str, Any]]] = [
            ("clock", {"t": 0}),
            ("create_room", {}),
            ("join_room", {"room": NOWHERE}),
            ("leave_room", {"room": NOWHERE}),
            ("set_ready", {"room": NOWHERE, "ready": True}),
            ("start", {"room": NOWHERE}),
            ("set_options", {"room": NOWHERE, "options": {}}),
            ("kick", {"room": NOWHERE, "player": "p_1"}),
            ("rematch", {"room": NOWHERE}),
            ("move", {"room": NOWHERE, "turn": 0, "spots": ["1", "2"]}),
            ("undo", {"room": NOWHERE, "turn": 0}),
            ("retire", {"room": NOWHERE}),
        ]
        await all_refused(driver, "wrong_state", *commands)
        assert (await driver.hello("Ann"))["type"] == "welcome"
        assert (await driver.hello("Ann"))["code"] == "wrong_state"
        assert (await driver.hello(token=driver.token))["code"] == "wrong_state"
        await all_refused(driver, "unknown_room", *commands[2:])


async def test_unknown_room_comes_before_full_and_full_before_not_allowed(
    server: InProcess,
) -> None:
    ann = await Driver.enter(server.ws, "Ann")
    bob = await Driver.enter(server.ws, "Bob")
    async with drivers(ann, bob):
        await ann.create(max_players=2, spectators="none")
        await bob.join(ann.room)
        await ann.done("kick", player=bob.player)
        assert (await bob.refused("join_room"))["code"] == "not_allowed"
        assert (await bob.refused("join_room", as_="spectator"))["code"] == "not_allowed"
        await ann.done("set_options", options={"max_players": 1})
        assert (await bob.refused("join_room"))["code"] == "room_full"
        bob.room = NOWHERE
        assert (await bob.refused("join_room"))["code"] == "unknown_room"


async def test_not_being_in_the_room_comes_before_its_state(server: InProcess) -> None:
    ann, bob, cid = [await Driver.enter(server.ws, name) for name in ("Ann", "Bob", "Cid")]
    async with drivers(ann, bob, cid):
        await ann.create(undo=False)
        bob.room = ann.room
        await cid.join(ann.room, "spectator")
        commands: list[tuple[str, dict[str, Any]]] = [
            ("set_ready", {"ready": True}),
            ("start", {}),
            ("set_options", {"options": {}}),
            ("kick", {"player": ann.player}),
            ("rematch", {}),
            ("move", {"turn": 7, "spots": ["1"]}),
            ("undo", {"turn": 7}),
            ("retire", {}),
        ]
        await all_refused(cid, "not_allowed", *commands)
        await all_refused(bob, "not_allowed", *commands, ("leave_room", {}))
        # Whoever has the role meets the state: no race runs in a lobby.
        await all_refused(
            ann,
            "wrong_state",
            ("move", {"turn": 7, "spots": ["1"]}),
            ("retire", {}),
            ("rematch", {}),
        )
        # Undo where it is off, and these kicks, are not allowed whatever the state.
        assert (await ann.refused("undo", turn=0))["code"] == "not_allowed"
        assert (await ann.refused("kick", player=ann.player))["code"] == "not_allowed"
        assert (await ann.refused("kick", player=bob.player))["code"] == "not_allowed"


async def test_the_turn_comes_before_undo_and_move(racers: tuple[Driver, Driver]) -> None:
    ann, _ = racers
    stale = await ann.refused("move", turn=1, spots=["X"])
    assert stale["code"] == "stale_turn"
    assert stale["board"] == await board_of(ann)
    assert (await ann.refused("undo", turn=1))["code"] == "stale_turn"
    assert (await ann.refused("undo", turn=0))["code"] == "nothing_to_undo"
    await ann.move(0, LINE[0])
    stale = await ann.refused("move", turn=0, spots=LINE[0])
    assert stale["code"] == "stale_turn"
    assert stale["board"]["turn"] == 1


async def test_in_a_race_what_belongs_to_the_lobby_is_wrong_state(
    racers: tuple[Driver, Driver],
) -> None:
    ann, bob = racers
    commands: list[tuple[str, dict[str, Any]]] = [
        ("set_ready", {"ready": True}),
        ("start", {}),
        ("set_options", {"options": {"undo": False}}),
        ("kick", {"player": bob.player}),
        ("rematch", {}),
    ]
    await all_refused(ann, "wrong_state", *commands)
    # The state comes after the role.
    commands = [("start", {}), ("rematch", {}), ("kick", {"player": ann.player})]
    await all_refused(bob, "not_allowed", *commands)
    # And whatever the state, nobody puts out who isn't there, or themselves.
    assert (await ann.refused("kick", player="p_nobody"))["code"] == "not_allowed"
    assert (await ann.refused("kick", player=ann.player))["code"] == "not_allowed"


async def test_start_needs_somebody_ready(server: InProcess) -> None:
    ann = await Driver.enter(server.ws, "Ann")
    async with drivers(ann):
        await ann.create()
        assert (await ann.refused("start"))["code"] == "wrong_state"
        await ann.done("set_ready", ready=True)
        await ann.done("start")
        assert (await ann.refused("start"))["code"] == "wrong_state"


async def test_max_players_may_not_go_below_who_is_there(server: InProcess) -> None:
    ann, bob = await line_up(server.ws, ["Ann", "Bob"])
    async with drivers(ann, bob):
        error = await ann.refused("set_options", options={"max_players": 1})
        assert error["code"] == "wrong_state"
        await ann.done("set_options", options={"max_players": 2})


async def test_after_the_end_everything_for_the_race_is_refused(
    racers: tuple[Driver, Driver],
) -> None:
    """B36, X25: what is over stays as it is."""
    ann, bob = racers
    await ann.move(0, LINE[0])
    await ann.done("retire")
    await all_refused(
        ann, "wrong_state", ("move", {"turn": 1, "spots": LINE[1]}), ("undo", {"turn": 1})
    )
    assert (await ann.refused("retire"))["code"] == "wrong_state"
    await bob.done("retire")
    await ann.until("over")
    for player in (ann, bob):
        await all_refused(
            player,
            "wrong_state",
            ("move", {"turn": 1, "spots": LINE[1]}),
            ("undo", {"turn": 1}),
            ("retire", {}),
            ("set_ready", {"ready": True}),
        )
    await ann.done("kick", player=bob.player)  # not in a race: allowed
    await all_refused(bob, "not_allowed", ("move", {"turn": 1, "spots": LINE[1]}), ("retire", {}))


# Shape


@pytest.mark.parametrize(
    ("turn", "is_shape"),
    [
        ('"0"', False),
        ("0.0", False),
        ("1e0", False),
        ("true", False),
        ("-1", False),
        ("9223372036854775808", False),
        ("9007199254740992", False),
        ("9007199254740991", True),
        ("null", False),
        ("[0]", False),
        ("0", True),
        ("-0", None),
    ],
)
async def test_a_turn_is_an_integer_and_nothing_like_one(
    racers: tuple[Driver, Driver], turn: str, is_shape: bool | None
) -> None:
    """X16."""
    ann, _ = racers
    await ann.say(f'{{"type":"move","id":"t","room":"{ann.room}","turn":{turn},"spots":["1","1"]}}')
    answer = await ann.answer_to("t")
    assert answer["type"] == "error"
    if is_shape is not None:
        assert (answer["code"] != "bad_message") is is_shape, answer
    assert (await board_of(ann))["turn"] == 0


@pytest.mark.parametrize("spots", ['"18"', "[1,8]", "null", "{}", '[["1"],["8"]]', '["1",null]'])
async def test_spots_are_a_list_of_texts(racers: tuple[Driver, Driver], spots: str) -> None:
    """X16."""
    ann, _ = racers
    await ann.say(f'{{"type":"move","id":"t","room":"{ann.room}","turn":0,"spots":{spots}}}')
    assert (await ann.answer_to("t"))["code"] == "bad_message"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "]",
        '"',
        "\x00",
        "[" * 16_000,
        "7" * 5000,
        '{"type":"hello","name":NaN}',
        '\ufeff{"type":"hello","name":"Ann"}',
        "[]",
        "null",
        '"hello"',
        "{}",
        '{"type":null}',
        '{"type":"hello"}',
        '{"type":"hello","name":"Ann"}}',
        '{"type":"hello","name":"Ann","name":"Bob"}',
        '{"type":"hello","type":"hello","name":"Ann"}',
        '{"type":"hello","name":"\\ud800"}',
        '{"type":"hello","name":"Ann","token":null}',
        '{"type":"hello","name":"Ann","id":7}',
        '{"type":"hello","name":"Ann","id":null}',
        '{"type":"hello","name":"Ann","admin":true}',
        '{"type":"hello","name":"Ann","__proto__":{}}',
        '{"type":"Hello","name":"Ann"}',
        '{"type":"hello ","name":"Ann"}',
        '{"type":"clock","t":1,"t":2}',
        '{"type":"clock","t":Infinity}',
        '{"type":"clock","t":1e400}',
        '{"type":"clock","t":' + "7" * 5000 + "}",
        '{"type":"hello","name":"Ann","options":' + "[" * 8000 + "]" * 8000 + "}",
    ],
    ids=lambda text: text[:40].encode("unicode_escape").decode(),
)
async def test_a_text_that_is_no_command_is_a_bad_message(server: InProcess, text: str) -> None:
    """X15."""
    driver = await Driver.open(server.ws)
    async with drivers(driver):
        await driver.say(text)
        error = await driver.until("error")
        assert error["code"] == "bad_message"
        assert "re" not in error
        assert (await driver.hello("Ann"))["type"] == "welcome"


@pytest.mark.parametrize(
    "text",
    [
        '{"id":"x","type":"nothing"}',
        '{"id":"x"}',
        '{"type":"clock","id":"x","t":"1"}',
        '{"type":"clock","id":"x","t":1,"t":1}',
        '{"type":"clock","t":1.0,"id":"x"}',
        '{"type":"clock","id":"x","t":1,"more":' + "7" * 5000 + "}",
        '{"type":"clock","id":"x","t":1,"more":NaN}',
        '{"type":"clock","id":"x","t":1,"more":"\\udc00"}',
        '{"type":"hello","id":"x","name":"\\ud800"}',
    ],
    ids=lambda text: text[:40],
)
async def test_a_bad_message_is_answered_with_the_id_where_one_could_be_read(
    server: InProcess, text: str
) -> None:
    driver = await Driver.open(server.ws)
    async with drivers(driver):
        await driver.say(text)
        error = await driver.until("error")
        assert (error["code"], error.get("re")) == ("bad_message", "x")


async def test_unknown_fields_are_refused_in_every_command(racers: tuple[Driver, Driver]) -> None:
    """X18: and nothing is done."""
    ann, bob = racers
    commands: list[dict[str, Any]] = [
        ann.command("clock", t=1),
        ann.command("create_room", options={}),
        ann.command("join_room"),
        ann.command("leave_room"),
        ann.command("set_ready", ready=True),
        ann.command("start"),
        ann.command("set_options", options={}),
        ann.command("kick", player=bob.player),
        ann.command("rematch"),
        ann.command("move", turn=0, spots=LINE[0]),
        ann.command("undo", turn=0),
        ann.command("retire"),
    ]
    before = await board_of(ann)
    number = ann.heard[-1]["n"]
    for place, command in enumerate(commands):
        extra = ("admin", "__proto__", "constructor")[place % 3]
        await ann.say({**command, extra: True})
        error = await ann.answer_to(command["id"])
        assert error["code"] == "bad_message", command
        await ann.done("clock", t=place)  # a good shape between: the tenth in a row would close
    assert await board_of(ann) == before
    assert ann.heard[-1]["n"] == number
    bad = ann.command("set_options", options={"admin": True})
    await ann.say(bad)
    assert (await ann.answer_to(bad["id"]))["code"] == "bad_message"


@pytest.mark.parametrize(
    ("id_", "fits"),
    [("", True), ("x" * 64, True), ("x" * 65, False), ("é" * 64, True), ("🂡" * 64, True)],
    ids=["empty", "64", "65", "64 of two bytes", "64 of four bytes"],
)
async def test_an_id_has_at_most_64_characters(server: InProcess, id_: str, fits: bool) -> None:
    driver = await Driver.open(server.ws)
    async with drivers(driver):
        await driver.say({"type": "hello", "name": "Ann", "id": id_})
        answer = await driver.until("welcome" if fits else "error", since=0)
        assert answer.get("re") == (id_ if fits else None)


OPTIONS: list[tuple[str, list[str], list[str]]] = [
    (
        "time_limit_ms",
        ["1000", "86400000", "null"],
        ["0", "-1", "1", "999", "86400001", "9007199254740992", "9223372036854775808", "1.5", '""'],
    ),
    ("max_players", ["1", "1000"], ["0", "-1", "1001", "1000000000", "null", "1.0", "true"]),
    ("countdown_ms", ["0", "60000"], ["-1", "60001", "1000000000000", "null"]),
    ("spectator_delay_ms", ["0", "3600000"], ["-1", "3600001", "null"]),
    ("ends", ['"all"', '"first_win"'], ['"ALL"', '""', "null", "1"]),
    (
        "spectators",
        ['"open"', '"fair"', '"scores"', '"none"'],
        ['["boards"]', '"boards"', "null", '"Open"'],
    ),
    ("undo", ["true", "false"], ["null", "0", '"true"']),
    ("public", ["true", "false"], ["null", "1", '"yes"']),
    (
        "code",
        ['"HM1-N-AAAAAAB"', '" hm1naaaaaab "', "null", f'"HM1-S-{"A" * 28}"'],
        ['"HM1-N-AAAAAA"', '"HM1-N-AAAA AAB"', '"HM2-N-AAAAAAB"', '"HM1–N–AAAAAAB"', "7", '"ſ"'],
    ),
]


@pytest.mark.parametrize(("name", "good", "bad"), OPTIONS, ids=[option[0] for option in OPTIONS])
async def test_options_have_bounds(
    server: InProcess, name: str, good: list[str], bad: list[str]
) -> None:
    """X22: each at its limits, and just past them; the same in both commands."""
    ann = await Driver.enter(server.ws, "Ann")
    async with drivers(ann):
        room = (await ann.create())["room"]

        async def answers(value: str) -> list[Any]:
            heard = []
            for start in ('{"type":"create_room"', f'{{"type":"set_options","room":"{room}"'):
                id_ = f"{len(ann.heard)} {value[:40]}"
                await ann.say(f'{start},"id":{json.dumps(id_)},"options":{{"{name}":{value}}}}}')
                heard.append(await ann.answer_to(id_))
            return heard

        for value in good:
            created, set_ = await answers(value)
            assert (created["type"], set_["type"]) == ("room", "ok"), value
            told = (await ann.until("options"))["options"]
            assert told == created["options"]
        before = (await ann.done("join_room"))["options"]
        for value in bad:
            for answer in await answers(value):
                assert answer.get("code") == "bad_message", value
            await ann.quiet()
        assert (await ann.done("join_room"))["options"] == before


# Who


@pytest.mark.parametrize(
    "token", ["", "x" * 10_000, "no-such-token", "\u0000", "ü" * 40], ids=lambda text: text[:12]
)
async def test_a_token_of_nobody_is_refused(server: InProcess, token: str) -> None:
    """X14."""
    driver = await Driver.open(server.ws)
    async with drivers(driver):
        answer = await driver.hello(token=token)
        assert answer["code"] == (
            "bad_message" if len(token) not in range(1, 257) else "unauthorized"
        )
        assert (await driver.hello("Ann"))["type"] == "welcome"


async def test_a_token_with_one_letter_changed_is_nobodys(server: InProcess) -> None:
    """X14, B71: and a name says nothing about who one is."""
    ann = await Driver.enter(server.ws, "Ann")
    other = await Driver.open(server.ws)
    async with drivers(ann, other):
        for place in (0, len(ann.token) // 2, len(ann.token) - 2):
            letter = "A" if ann.token[place] != "A" else "B"
            wrong = ann.token[:place] + letter + ann.token[place + 1 :]
            assert (await other.hello("Ann", wrong))["code"] == "unauthorized"
        for near in (ann.token + " ", ann.token[:-1], ann.token.lower()):
            assert (await other.hello("Ann", near))["code"] == "unauthorized"
        assert (await other.hello("Ann"))["player"] != ann.player


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("x" * 25, None),
        ("x" * 24, "x" * 24),
        ("\U0001d160" * 24, None),  # each becomes three under NFC
        ("\u3164", None),
        ("A" + "\u0301" * 500, None),
        ("\u202ennA", None),
        ("\u0410nn", "\u0410nn"),
        ("<img src=x onerror=alert(1)>"[:24], "<img src=x onerror=alert"),
        ("</script>", "</script>"),
        ("{{7*7}}", "{{7*7}}"),
        ("=HYPERLINK(1)", "=HYPERLINK(1)"),
        ("\x1b[2J", None),
        ("\x00", None),
        ("A\x00", None),
        ("\u200b", None),
        ("\u2800", None),
        ("\u00a0", None),
        ("\u0301\u0302", None),
        ("", None),
        ("   ", None),
        ("---", None),
        ("A\u200dB", None),
        ("\ue000A", None),
        ("A\u2028B", None),
        ("  Ann \u00a0\u3000 Lee ", "Ann Lee"),
        ("e\u0301", "é"),
        ("A\tB", None),
        ("7", "7"),
        ("\U000e0041A", None),
        ("A\ufe0f", None),
    ],
    ids=lambda text: None if text is None else text[:12].encode("unicode_escape").decode(),
)
async def test_names(server: InProcess, name: str, shown: str | None) -> None:
    """X20, B65: refused by the rule or shown as the text that they are."""
    driver = await Driver.open(server.ws)
    async with drivers(driver):
        answer = await driver.hello(name)
        if shown is None:
            assert answer["code"] == "bad_message"
        else:
            assert answer["name"] == shown
            room = await driver.create()
            assert room["host_name"] == room["players"][0]["name"] == shown


async def test_a_log_that_fails_is_said_where_nothing_was_changed() -> None:
    """P03: the connection stays, and the same again is carried out once the log is back."""
    log = FakeLog()
    async with in_process(event_log=log) as server:
        ann, bob = [await Driver.enter(server.ws, name) for name in ("Ann", "Bob")]
        room = (await ann.create())["room"]
        new = await Driver.open(server.ws)
        log.is_broken = True
        await ann.say(ann.command("set_ready", ready=True))
        assert (await ann.closed())[0] == 1013, "whose room fails is let go"
        async with drivers(bob, new):
            assert (await bob.refused("join_room", room=room))["room"] == room
            for who, kind, fields in (
                (bob, "join_room", {"room": room}),
                (bob, "create_room", {"options": {}}),
                (new, "hello", {"name": "Cleo"}),
            ):
                assert (await who.refused(kind, **fields))["code"] == "unavailable", kind
            log.is_broken = False
            await new.hello("Cleo")
            assert (await bob.join(room))["room"] == room
