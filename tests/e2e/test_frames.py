"""Frames that no library would send: size, fragments, control frames, closes (RFC 6455)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from halfmoon_testing.driver import Driver, drivers
from halfmoon_testing.server import InProcess
from halfmoon_testing.wsraw import (
    BINARY,
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    Frame,
    Raw,
    frame,
    text,
)

MOST = 16 * 1024
HELLO = json.dumps({"type": "hello", "name": "Ann"})


def padded(size: int) -> bytes:
    """A hello of exactly this many bytes: blanks between its tokens."""
    return HELLO[:-1].encode() + b" " * (size - len(HELLO)) + b"}"


@pytest_asyncio.fixture
async def raw(server: InProcess) -> AsyncIterator[Raw]:
    async with await Raw.upgraded(server.port) as connection:
        yield connection


# Size


async def test_16384_bytes_are_answered(raw: Raw) -> None:
    """X07."""
    raw.send(frame(padded(MOST)))
    assert (await raw.message())["type"] == "welcome"


async def test_16385_bytes_are_too_many(raw: Raw) -> None:
    raw.send(frame(padded(MOST + 1)))
    assert await raw.close_code() == 1009


@pytest.mark.parametrize("extra", [0, 1])
async def test_the_bound_holds_for_fragments(raw: Raw, extra: int) -> None:
    data = padded(MOST + extra)
    parts = [data[start : start + 1000] for start in range(0, len(data), 1000)]
    for place, part in enumerate(parts):
        opcode = CONTINUATION if place else TEXT
        raw.send(frame(part, opcode, fin=place == len(parts) - 1))
        await asyncio.sleep(0)
    if extra:
        assert await raw.close_code() == 1009
    else:
        assert (await raw.message())["type"] == "welcome"


@pytest.mark.parametrize("extra", [0, 1])
async def test_the_bound_holds_for_single_bytes(raw: Raw, extra: int) -> None:
    heard = asyncio.create_task(raw.read())
    for byte in frame(padded(MOST + extra)):
        if heard.done():  # as soon as the size is known
            break
        raw.send(bytes([byte]))
        await asyncio.sleep(0)
    if extra:
        assert (await heard).code == 1009
    else:
        assert (await heard).json()["type"] == "welcome"


async def test_the_bound_is_of_bytes_and_not_of_characters(raw: Raw) -> None:
    name = "é" * (MOST // 2)
    raw.send(frame(f'{{"type":"hello","name":"{name}"}}'.encode()))
    assert await raw.close_code() == 1009


@pytest.mark.parametrize("declared", [MOST + 1, 65_535, 2**62, 2**63 - 1, 2**63 + 5])
async def test_a_size_that_is_only_declared_is_too_big_at_once(raw: Raw, declared: int) -> None:
    """X05: nothing is waited for."""
    raw.send(frame(b"0123456789", declared=declared))
    assert await raw.close_code() in (1009, 1002)


async def test_fragments_that_never_end_are_too_big(raw: Raw) -> None:
    raw.send(frame(b"x" * 1000, TEXT, fin=False))
    for _ in range(20):
        raw.send(frame(b"x" * 1000, CONTINUATION, fin=False))
    assert await raw.close_code() == 1009


async def test_a_hello_in_one_byte_fragments_is_a_hello(raw: Raw) -> None:
    data = HELLO.encode()
    for place, byte in enumerate(data):
        opcode = CONTINUATION if place else TEXT
        raw.send(frame(bytes([byte]), opcode, fin=place == len(data) - 1))
        if place == 5:
            raw.send(frame(b"in between", PING))
    assert (await raw.until(PONG)).payload == b"in between"
    assert (await raw.message())["type"] == "welcome"


# Kinds


async def test_a_binary_frame_is_1003(raw: Raw) -> None:
    """X09: also with a perfect hello in it, and after one."""
    raw.send(frame(HELLO.encode(), BINARY))
    assert await raw.close_code() == 1003


async def test_a_binary_frame_is_1003_after_hello_too(raw: Raw) -> None:
    raw.send(text(HELLO), frame(b"", BINARY))
    assert (await raw.message())["type"] == "welcome"
    assert await raw.close_code() == 1003


@pytest.mark.parametrize(
    "payload",
    [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc0\xaf", b'{"type":"\xff"}', b"\xf4\x90\x80\x80"],
    ids=lambda payload: payload.hex(),
)
async def test_broken_utf8_is_1007(raw: Raw, payload: bytes) -> None:
    raw.send(frame(payload))
    assert await raw.close_code() == 1007


async def test_utf8_may_be_split_anywhere(raw: Raw) -> None:
    data = '{"type":"hello","name":"Zoë"}'.encode()
    cut = data.index(b"\xab")
    raw.send(frame(data[:cut], fin=False), frame(data[cut:], CONTINUATION))
    assert (await raw.message())["name"] == "Zoë"


@pytest.mark.parametrize("opcode", [3, 4, 7, 0xB, 0xF])
async def test_reserved_opcodes_are_refused(raw: Raw, opcode: int) -> None:
    raw.send(frame(b"hello", opcode))
    assert await raw.close_code() == 1002


@pytest.mark.parametrize("rsv", [1, 2, 4, 7])
async def test_reserved_bits_are_refused(raw: Raw, rsv: int) -> None:
    """X10."""
    raw.send(frame(HELLO.encode(), rsv=rsv))
    assert await raw.close_code() == 1002


async def test_a_continuation_of_nothing_is_refused(raw: Raw) -> None:
    raw.send(frame(b"hello", CONTINUATION))
    assert await raw.close_code() == 1002


async def test_a_message_within_a_message_is_refused(raw: Raw) -> None:
    raw.send(frame(b"{", fin=False), text(HELLO))
    assert await raw.close_code() == 1002


@pytest.mark.parametrize("opcode", [PING, PONG, CLOSE])
async def test_control_frames_are_whole_and_small(raw: Raw, opcode: int) -> None:
    raw.send(frame(b"\x03\xe8" + b"x" * 124, opcode))
    assert await raw.close_code() == 1002


# Control


async def test_a_ping_is_answered_with_its_payload(raw: Raw) -> None:
    for payload in (b"", b"x", b"y" * 125):
        raw.send(frame(payload, PING))
        assert await raw.read() == Frame(PONG, payload)


async def test_a_ping_is_answered_in_its_place(raw: Raw) -> None:
    raw.send(text("{"), frame(b"x", PING), text("{"))
    assert [(await raw.read()).opcode for _ in range(3)] == [TEXT, PONG, TEXT]


async def test_a_close_is_answered_and_the_connection_ends(raw: Raw) -> None:
    raw.send(frame(b"\x03\xe8bye", CLOSE))
    assert (await raw.until(CLOSE)).code == 1000
    assert await raw.end() == b""


async def test_a_close_without_a_code_is_answered(raw: Raw) -> None:
    raw.send(frame(b"", CLOSE))
    await raw.until(CLOSE)
    assert await raw.end() == b""


@pytest.mark.parametrize("masked", [True, False])
async def test_a_frame_without_a_mask_is_refused_and_not_answered(raw: Raw, masked: bool) -> None:
    """X03: after the answers that are owed."""
    raw.send(text("{"), frame(HELLO.encode(), masked=masked), text("{"))
    assert (await raw.message())["code"] == "bad_message"
    if masked:
        assert (await raw.message())["type"] == "welcome"
    else:
        assert await raw.close_code() == 1002
        assert await raw.end() == b""


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (b"\x03", 1002),
        *((code.to_bytes(2, "big"), 1002) for code in (0, 999, 1004, 1005, 1006, 1015, 2999, 5000)),
        (b"\x03\xe8\xff", 1007),
    ],
    ids=str,
)
async def test_a_wrong_close_ends_the_connection_once(
    server: InProcess, payload: bytes, code: int
) -> None:
    """X04: the seat goes offline once, and what comes back says what was wrong."""
    ann = await Driver.enter(server.ws, "Ann")
    async with drivers(ann), await Raw.upgraded(server.port) as raw:
        await ann.create()
        player = (await raw.ask({"type": "hello", "name": "Bob"}))["player"]
        await raw.ask({"type": "join_room", "room": ann.room})
        raw.send(frame(payload, CLOSE))
        assert (await raw.until(CLOSE)).code == code
        assert await raw.end() == b""
        await ann.until("player_changed", player=player, online=False)
        await ann.quiet()
        assert len([m for m in ann.of("player_changed") if m["player"] == player]) == 1


async def test_a_half_closed_connection_is_closed(server: InProcess) -> None:
    """X40: who says nothing more is gone; the close is answered."""
    ann = await Driver.enter(server.ws, "Ann")
    async with drivers(ann), await Raw.upgraded(server.port) as raw:
        await ann.create()
        player = (await raw.ask({"type": "hello", "name": "Bob"}))["player"]
        await raw.ask({"type": "join_room", "room": ann.room})
        raw.writer.write_eof()
        await raw.end()
        await ann.until("player_changed", player=player, online=False)


async def test_answers_that_are_owed_come_before_the_close(raw: Raw) -> None:
    """What was asked before the fault is answered before the connection is closed for it."""
    raw.send(text("{"), text("["), frame(b"", BINARY))
    assert [(await raw.read()).opcode for _ in range(3)] == [TEXT, TEXT, CLOSE]


async def test_answers_that_are_owed_come_before_a_close_for_a_broken_frame(raw: Raw) -> None:
    raw.send(text("{"), text("["), frame(b"\xff"))
    assert [(await raw.read()).opcode for _ in range(3)] == [TEXT, TEXT, CLOSE]


async def test_nothing_is_sent_after_the_close(server: InProcess) -> None:
    """A room goes on talking while a connection is being closed for a broken frame."""
    ann = await Driver.enter(server.ws, "Ann")
    async with drivers(ann), await Raw.upgraded(server.port) as raw:
        await ann.create()
        await raw.ask({"type": "hello", "name": "Bob"})
        await raw.ask({"type": "join_room", "room": ann.room})
        raw.send(frame(b"\xff"))
        for ready in (True, False, True):
            await ann.done("set_ready", ready=ready)
        await raw.until(CLOSE)
        for ready in (False, True, False):
            await ann.done("set_ready", ready=ready)
        raw.send(frame(b"\x03\xef", CLOSE))
        assert await raw.end() == b""
