"""The upgrade, byte by byte: who gets in, and that whoever doesn't is let go."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from pathlib import Path

import pytest

from halfmoon_server.settings import Limits, Settings
from halfmoon_testing.server import InProcess, in_process, server_process
from halfmoon_testing.wsraw import UPGRADE, Answer, Raw


def accept_of(key: str) -> str:
    """RFC 6455 §4.2.2."""
    digest = hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()
    return base64.b64encode(digest).decode()


async def refused(raw: Raw, answer: Answer) -> Answer:
    """The answer of a refused upgrade, after which the TCP connection has to end."""
    assert answer.status != 101, answer
    assert await raw.end() == b""
    return answer


@pytest.mark.parametrize("version", ["8", "7", "12", "14", "99", "013", "", "13, 8", None])
async def test_only_version_13_is_spoken(server: InProcess, version: str | None) -> None:
    """X01."""
    async with await Raw.open(server.port) as raw:
        answer = await refused(raw, await raw.upgrade({"Sec-WebSocket-Version": version}))
        assert answer.status == 426
        assert answer.headers["sec-websocket-version"] == "13"


@pytest.mark.parametrize(
    "offered", [None, "", "halfmoon.v2", "HALFMOON.V1", "halfmoon.v1x", "chat, other"]
)
async def test_the_subprotocol_has_to_be_offered(server: InProcess, offered: str | None) -> None:
    async with await Raw.open(server.port) as raw:
        answer = await refused(raw, await raw.upgrade({"Sec-WebSocket-Protocol": offered}))
        assert answer.status == 400


@pytest.mark.parametrize(
    "lines",
    [
        ["halfmoon.v1"],
        ["chat, halfmoon.v1"],
        ["halfmoon.v1,chat"],
        ["chat", "halfmoon.v1"],
        ["halfmoon.v1", "chat"],
    ],
    ids="+".join,
)
async def test_the_subprotocol_is_found_wherever_it_is_offered_and_is_confirmed(
    server: InProcess, lines: list[str]
) -> None:
    """RFC 6455 §11.3.4: the header may come more than once."""
    async with await Raw.open(server.port) as raw:
        extra = [f"Sec-WebSocket-Protocol: {line}" for line in lines]
        answer = await raw.upgrade({"Sec-WebSocket-Protocol": None}, extra=extra)
        assert answer.status == 101
        assert answer.headers["sec-websocket-protocol"] == "halfmoon.v1"
        assert answer.headers["sec-websocket-accept"] == accept_of(UPGRADE["Sec-WebSocket-Key"])


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://{host}.evil.example",
        "http://evil.example/{host}",
        "http://{host}/",
        "http://{host}@evil.example",
        "http://evil@{host}",
        "http://127.0.0.1:1",
        "http://127.0.0.1",
        "http://localhost:{port}",
        "http://127.0.0.1.:{port}",
        "http://[::1]:{port}",
        "http://0x7f.1:{port}",
        "ftp://{host}",
        "{host}",
        "",
        "http://",
        "http://{host} http://evil.example",
        "http://{host}?x",
        "http://{host}#x",
    ],
)
async def test_pages_of_another_origin_are_refused(server: InProcess, origin: str) -> None:
    """X02, B82."""
    async with await Raw.open(server.port) as raw:
        foreign = origin.format(host=raw.host, port=server.port)
        answer = await refused(raw, await raw.upgrade({"Origin": foreign}))
        assert answer.status == 403


async def test_two_origins_are_refused(server: InProcess) -> None:
    async with await Raw.open(server.port) as raw:
        own = f"Origin: http://{raw.host}"
        answer = await refused(raw, await raw.upgrade(extra=[own, "Origin: https://evil.example"]))
        assert answer.status == 403


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        (None, None),
        (None, "http://{host}"),
        (None, "HTTP://{host}"),
        ("halfmoon.local:8080", "http://halfmoon.local:8080"),
        ("HalfMoon.local:8080", "http://halfmoon.local:8080"),
        ("192.168.1.7:8080", "http://192.168.1.7:8080"),
        ("race.example", "https://race.example"),
        ("race.example", "http://race.example"),
        ("race.example:443", "https://race.example"),
        ("[::1]:8080", "http://[::1]:8080"),
    ],
)
async def test_our_own_pages_and_programs_get_in(
    server: InProcess, host: str | None, origin: str | None
) -> None:
    """B82: by address in the local network and by name, without editing a file."""
    async with await Raw.open(server.port) as raw:
        own = None if origin is None else origin.format(host=raw.host)
        answer = await raw.upgrade({"Host": host or raw.host, "Origin": own})
        assert answer.status == 101


async def test_an_origin_that_the_operator_named_gets_in(folder: Path) -> None:
    club = "https://club.example"
    async with server_process(folder, "--allow-origin", club) as server:
        for origin, status in ((club, 101), (club + "x", 403), (club + ":444", 403)):
            async with await Raw.open(server.port) as raw:
                assert (await raw.upgrade({"Origin": origin})).status == status
        assert "club" not in server.log()


@pytest.mark.parametrize(
    "changes",
    [
        {"Upgrade": None},
        {"Upgrade": "h2c"},
        {"Connection": None},
        {"Connection": "keep-alive"},
        {"Sec-WebSocket-Key": None},
        {"Sec-WebSocket-Key": ""},
        {"Sec-WebSocket-Key": "c2hvcnQ="},
        {"Sec-WebSocket-Key": "!!!!"},
        {"Sec-WebSocket-Key": "é" * 24},
    ],
    ids=str,
)
async def test_a_handshake_that_is_none_is_refused(
    server: InProcess, changes: dict[str, str | None]
) -> None:
    async with await Raw.open(server.port) as raw:
        answer = await refused(raw, await raw.upgrade(changes))
        assert answer.status in (400, 426)
        assert b"Traceback" not in answer.body


@pytest.mark.parametrize("method", ["POST", "HEAD", "PUT", "OPTIONS", "DELETE"])
async def test_only_get_opens_a_websocket(server: InProcess, method: str) -> None:
    async with await Raw.open(server.port) as raw:
        answer = await refused(raw, await raw.upgrade(method=method))
        assert answer.status == 405


async def test_http_1_0_opens_no_websocket(server: InProcess) -> None:
    async with await Raw.open(server.port) as raw:
        answer = await refused(raw, await raw.upgrade(version="1.0"))
        assert answer.status in (400, 426, 505)


@pytest.mark.parametrize("extra", [["Content-Length: 5"], ["Transfer-Encoding: chunked"]], ids=str)
async def test_an_upgrade_has_no_body(server: InProcess, extra: list[str]) -> None:
    async with await Raw.open(server.port) as raw:
        answer = await refused(raw, await raw.upgrade(extra=extra, body=b"hello"))
        assert answer.status == 400


@pytest.mark.parametrize(
    "offer",
    [
        "permessage-deflate",
        "permessage-deflate; client_max_window_bits=8; server_max_window_bits=99",
        "permessage-deflate; client_max_window_bits; client_max_window_bits",
        "," * 4000,
        "x-webkit-deflate-frame",
    ],
    ids=lambda text: text[:40],
)
async def test_no_extension_is_ever_agreed(server: InProcess, offer: str) -> None:
    """X10, B78: a frame with a reserved bit is then none."""
    async with await Raw.open(server.port) as raw:
        answer = await raw.upgrade({"Sec-WebSocket-Extensions": offer})
        if answer.status == 101:
            assert "sec-websocket-extensions" not in answer.headers
        else:
            assert answer.status == 400


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        ["{host}", "evil.example"],
        ["evil.example/x"],
        ["a b"],
        ["x;script-src *"],
        ["é"],
        [""],
        ["x" * 300],
        ["user@evil.example"],
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/", "/ws"])
async def test_one_plain_host_is_needed(server: InProcess, hosts: list[str], path: str) -> None:
    async with await Raw.open(server.port) as raw:
        extra = [f"Host: {host.format(host=raw.host)}" for host in hosts]
        answer = await raw.upgrade({"Host": None}, path=path, extra=extra)
        assert (await refused(raw, answer)).status == 400


async def test_a_refusal_ends_the_connection_so_that_nothing_rides_behind_it(
    server: InProcess,
) -> None:
    """A request that was pipelined behind a refused upgrade is not answered."""
    async with await Raw.open(server.port) as raw:
        raw.send(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
            b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        )
        assert (await raw.answer()).status == 426
        assert await raw.end() == b""


async def test_an_address_has_a_bound_of_connections(tmp_path: Path) -> None:
    """X34: what is over it is refused before it is upgraded, and room is free again later."""
    limits = Limits(connections_per_address=5)
    async with in_process(Settings(data=tmp_path, limits=limits)) as server:
        held = [await Raw.upgraded(server.port) for _ in range(5)]
        async with await Raw.open(server.port) as raw:
            answer = await refused(raw, await raw.upgrade())
            assert answer.status == 429
        await held.pop().__aexit__()
        async with asyncio.timeout(30):
            driver = None
            while driver is None:
                async with await Raw.open(server.port) as raw:
                    if (await raw.upgrade()).status == 101:
                        driver = raw
        for one in held:
            await one.__aexit__()
