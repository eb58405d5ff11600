"""The transport against a server that keeps to a script: what is said, when, and what ends it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from halfmoon.wire.codec import write
from halfmoon.wire.messages import (
    ClockAnswer,
    Ok,
    PlayerLine,
    RoomSnapshot,
    ServerInfo,
    Welcome,
    You,
)
from halfmoon.wire.options import RoomOptions
from halfmoon_client import NoConnection, Replaced, ServerFault, connect
from halfmoon_client.connect import World, backoff_ms, socket_url

ROOM = "K7M2P"
SCRIPT = Callable[["Peer"], Awaitable[None]]


def room_text(re: str | None) -> str:
    return write(
        RoomSnapshot(
            room=ROOM,
            n=0,
            state="lobby",
            host="p_1",
            host_name="Ann",
            options=RoomOptions(),
            seal="0" * 64,
            players=[
                PlayerLine(
                    player="p_1",
                    name="Ann",
                    ready=False,
                    online=True,
                    status="waiting",
                    score=0,
                    moves=0,
                )
            ],
            spectators=0,
            you=You(as_="player"),
            re=re,
        )
    )


class Peer:
    """The server's end of one connection."""

    def __init__(self, socket: ServerConnection, number: int) -> None:
        self.socket = socket
        self.number = number
        """Which connection this is, from 0."""

    async def hears(self, kind: str) -> dict[str, Any]:
        """The next command, which is of this kind."""
        command = await self.hears_something()
        assert command["type"] == kind
        return command

    async def hears_something(self) -> dict[str, Any]:
        """The next command; questions for the time are answered by the way."""
        while (command := json.loads(await self.socket.recv()))["type"] == "clock":
            await self.says(write(ClockAnswer(t=command["t"], at=5, re=command["id"])))
        return dict(command)

    async def says(self, text: str) -> None:
        await self.socket.send(text)

    async def says_error(self, command: dict[str, Any], code: str, **fields: Any) -> None:
        answer = {"type": "error", "code": code, "message": "no", "re": command["id"], **fields}
        await self.says(json.dumps(answer))

    async def welcomes(self) -> dict[str, Any]:
        hello = await self.hears("hello")
        welcome = Welcome(
            player="p_1", name="Ann", token="secret", server=ServerInfo(version="1"), at=5,
            re=hello["id"],
        )  # fmt: skip
        await self.says(write(welcome))
        return hello

    async def seats(self) -> None:
        """Answers whoever makes a room or comes back to one."""
        command = await self.hears_something()
        assert command["type"] in ("create_room", "join_room")
        await self.says(room_text(command["id"]))


@asynccontextmanager
async def scripted(script: SCRIPT, speaks: str | None = "halfmoon.v1") -> AsyncIterator[Server]:
    """A server that does this on every connection; what fails in it fails the test."""
    failures: list[BaseException] = []
    count = 0

    async def on_connection(socket: ServerConnection) -> None:
        nonlocal count
        peer, count = Peer(socket, count), count + 1
        try:
            await script(peer)
            await socket.wait_closed()
        except AssertionError as failure:
            failures.append(failure)

    spoken = None if speaks is None else [Subprotocol(speaks)]
    async with serve(
        on_connection, "127.0.0.1", 0, subprotocols=spoken, compression=None
    ) as server:
        yield server
    assert not failures


def url_of(server: Server) -> str:
    host, port = next(iter(server.sockets)).getsockname()[:2]
    return f"http://{host}:{port}"


class Times:
    """Waits that are over at once, until there were enough of them."""

    def __init__(self, most: int = 1000, chance: float = 1.0) -> None:
        self.waited: list[float] = []
        self.enough = asyncio.Event()
        self._most = most
        self.world = World(sleep=self._sleep, chance=lambda: chance)

    async def _sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        if len(self.waited) == self._most:
            self.enough.set()
            await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("given", "socket"),
    [
        ("http://127.0.0.1:8080", "ws://127.0.0.1:8080/ws"),
        ("http://127.0.0.1:8080/", "ws://127.0.0.1:8080/ws"),
        ("127.0.0.1:8080", "ws://127.0.0.1:8080/ws"),
        ("laptop.local:8080", "ws://laptop.local:8080/ws"),
        ("https://race.example", "wss://race.example/ws"),
        ("ws://race.example/ws", "ws://race.example/ws"),
        ("wss://race.example", "wss://race.example/ws"),
        ("http://race.example/r/K7M2P", "ws://race.example/ws"),
        ("http://[::1]:8080/r/K7M2P/", "ws://[::1]:8080/ws"),
        ("https://example.org/games/halfmoon/", "wss://example.org/games/halfmoon/ws"),
    ],
)
def test_every_address_of_a_server_leads_to_its_socket(given: str, socket: str) -> None:
    assert socket_url(given) == socket


@pytest.mark.parametrize("given", ["ftp://race.example", "", "http://", "http:///ws"])
async def test_an_address_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="no address of a server"):
        async with connect(given, name="Ann"):
            pass


@pytest.mark.parametrize("who", [{}, {"name": " "}, {"name": "x" * 25}, {"name": "?!"}])
async def test_a_player_has_a_name_or_a_token(who: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="name"):
        async with connect("127.0.0.1:1", **who):
            pass


def test_waits_double_up_to_ten_seconds_and_are_spread_over_all_of_it() -> None:
    assert [backoff_ms(n, lambda: 1.0) for n in range(7)] == [
        500, 1000, 2000, 4000, 8000, 10_000, 10_000,
    ]  # fmt: skip
    assert backoff_ms(10**6, lambda: 0.5) == 5000
    assert backoff_ms(3, lambda: 0.0) == 0


async def test_where_no_server_is_the_client_says_so_at_once() -> None:
    async def nobody(_: Peer) -> None: ...

    async with scripted(nobody) as server:
        url = url_of(server)
    with pytest.raises(NoConnection, match=r"no connection to ws://127\.0\.0\.1:\d+/ws: "):
        async with connect(url, name="Ann"):
            pass


async def test_a_server_that_hangs_up_before_the_welcome_is_no_server() -> None:
    async def hang_up(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.socket.close(1012)

    async with scripted(hang_up) as server:
        with pytest.raises(NoConnection, match="1012"):
            async with connect(url_of(server), name="Ann"):
                pass


@pytest.mark.parametrize("speaks", ["chat.v2", None])
async def test_a_server_of_something_else_is_no_server(speaks: str | None) -> None:
    async def quiet(_: Peer) -> None: ...

    async with scripted(quiet, speaks) as server:
        with pytest.raises(NoConnection):
            async with connect(url_of(server), name="Ann"):
                pass


async def test_a_lost_server_is_tried_again_and_again_with_longer_waits() -> None:
    times = Times(most=8)

    async def welcome(peer: Peer) -> None:
        await peer.welcomes()

    async with (
        scripted(welcome) as server,
        connect(url_of(server), name="Ann", world=times.world) as ann,
    ):
        server.close()
        await times.enough.wait()
        assert not ann.is_connected
    assert times.waited == [0.5, 1, 2, 4, 8, 10, 10, 10]


async def test_a_welcome_makes_the_waits_short_again() -> None:
    times = Times(most=5)

    async def hang_up(peer: Peer) -> None:
        await peer.welcomes()
        await peer.socket.close(1013)

    async with scripted(hang_up) as server, connect(url_of(server), name="Ann", world=times.world):
        await times.enough.wait()
    assert times.waited == [0.5] * 5


@pytest.mark.parametrize("code", [1000, 1001, 1008, 1011, 1012, 1013])
async def test_after_a_drop_the_unanswered_command_goes_again_with_its_id(code: int) -> None:
    ids: list[str] = []

    async def script(peer: Peer) -> None:
        hello = await peer.welcomes()
        await peer.seats()
        ready = await peer.hears("set_ready")
        ids.append(ready["id"])
        if peer.number < 2:
            await peer.socket.close(code)
            return
        assert hello == {"type": "hello", "token": "secret", "id": hello["id"]}
        await peer.says(write(Ok(room=ROOM, re=ready["id"])))

    async with (
        scripted(script) as server,
        connect(url_of(server), name="Ann", world=Times().world) as ann,
    ):
        room = await ann.create()
        await room.ready()
    assert len(ids) == 3
    assert len(set(ids)) == 1


async def test_a_client_that_is_replaced_stays_away() -> None:
    numbers: list[int] = []

    async def script(peer: Peer) -> None:
        numbers.append(peer.number)
        await peer.welcomes()
        await peer.seats()
        await peer.socket.close(4001)

    async with (
        scripted(script) as server,
        connect(url_of(server), name="Ann", world=Times().world) as ann,
    ):
        room = await ann.create()
        with pytest.raises(Replaced):
            await room.race()
    assert numbers == [0]


@pytest.mark.parametrize("code", [1002, 1003, 1007, 1009])
async def test_a_client_that_is_told_it_is_wrong_stays_away(code: int) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcomes()
        await peer.seats()
        await peer.socket.close(code)

    async with (
        scripted(script) as server,
        connect(url_of(server), name="Ann", world=Times().world) as ann,
    ):
        room = await ann.create()
        with pytest.raises(ServerFault, match=str(code)):
            await room.race()


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"type":"ok"}', '{"type":"countdown","room":"K7M2P","n":-1}']
)
async def test_a_message_that_is_none_ends_the_client(text: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcomes()
        await peer.seats()
        await peer.says(text)

    async with (
        scripted(script) as server,
        connect(url_of(server), name="Ann", world=Times().world) as ann,
    ):
        room = await ann.create()
        with pytest.raises(ServerFault, match="a message that is none"):
            await room.race()


async def test_an_answer_of_another_kind_is_a_fault() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcomes()
        create = await peer.hears("create_room")
        await peer.says(write(Ok(room=ROOM, re=create["id"])))

    async with scripted(script) as server, connect(url_of(server), name="Ann") as ann:
        with pytest.raises(ServerFault, match="create_room was answered ok"):
            await ann.create()


async def test_messages_and_fields_of_a_newer_server_are_ignored() -> None:
    async def script(peer: Peer) -> None:
        await peer.says('{"type":"news","of":"tomorrow"}')
        await peer.welcomes()
        create = await peer.hears("create_room")
        await peer.says(json.dumps({**json.loads(room_text(create["id"])), "weather": "fine"}))

    async with scripted(script) as server, connect(url_of(server), name="Ann") as ann:
        assert (await ann.create()).id == ROOM


async def test_what_is_limited_waits_as_long_as_it_is_told() -> None:
    times = Times()
    ids: list[str] = []

    async def script(peer: Peer) -> None:
        hello = await peer.hears("hello")
        await peer.says_error(hello, "rate_limited", retry_ms=700)
        await peer.welcomes()
        for _ in range(2):
            create = await peer.hears("create_room")
            ids.append(create["id"])
            await peer.says_error(create, "rate_limited", retry_ms=1250)
        await peer.seats()

    async with (
        scripted(script) as server,
        connect(url_of(server), name="Ann", world=times.world) as ann,
    ):
        await ann.create()
    assert times.waited == [0.7, 1.25, 1.25]
    assert ids[0] == ids[1]


async def test_the_end_of_the_with_says_goodbye() -> None:
    codes: list[int | None] = []

    async def script(peer: Peer) -> None:
        await peer.welcomes()
        with suppress(ConnectionClosed):
            await peer.hears_something()
        codes.append(peer.socket.close_code)

    async with scripted(script) as server, connect(url_of(server), name="Ann"):
        with pytest.raises(ZeroDivisionError):
            async with connect(url_of(server), name="Ann"):
                _ = 1 / 0
    assert codes == [1000, 1000]


async def test_a_program_that_is_cancelled_leaves_no_task_behind() -> None:
    is_welcomed = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.hears("hello")
        is_welcomed.set()

    async with scripted(script) as server:
        before = asyncio.all_tasks()

        async def program() -> None:
            async with connect(url_of(server), name="Ann"):
                raise AssertionError("nobody was welcomed")

        task = asyncio.create_task(program())
        await is_welcomed.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not [x for x in asyncio.all_tasks() - before if x.get_name() == "halfmoon_client"]
