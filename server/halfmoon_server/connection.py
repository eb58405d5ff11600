"""One WebSocket: hello, the receive loop, pings, close codes (Contract §5)."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from aiohttp import WSMsgType, web

from halfmoon.engine.codes import Code
from halfmoon.wire import codec
from halfmoon.wire import commands as c
from halfmoon.wire import messages as m
from halfmoon.wire.errors import CloseCode, ErrorCode
from halfmoon_server.eventlog.base import Identity, LogUnavailable
from halfmoon_server.frames import message_frame
from halfmoon_server.hosting.clock import Clock
from halfmoon_server.hosting.directory import Directory, NoPlace, Stopping, draw
from halfmoon_server.hosting.room_host import Link, Request, RoomHost
from halfmoon_server.hosting.tournament_host import TournamentHost
from halfmoon_server.hosting.tournaments import Tournaments
from halfmoon_server.limits import AddressBuckets, Bucket, Strikes
from halfmoon_server.metrics import Metrics
from halfmoon_server.outbox import Bounds, Outbox
from halfmoon_server.players import Players, Replaceable, WrongToken
from halfmoon_server.rooms import views
from halfmoon_server.rooms.commands import Asked, Refusal
from halfmoon_server.rooms.decide import barred
from halfmoon_server.settings import Settings
from halfmoon_server.tournaments.commands import Refusal as NotEntered

log = structlog.get_logger()

PROTOCOL = "halfmoon.v1"
LIMITED_WITHIN_MS = 5000
LINGER_MS = 5000
"""So long may a peer that doesn't read keep its socket after it was told why it is closed."""
CUT_AFTER_S = 1.0
"""So long has a player's oldest connection for its last frames, where too many are leaving."""
PING_FRAME = bytes((0x89, 0))
"""An empty ping (RFC 6455 §5.5.2)."""
NOTHING_WRONG = (CloseCode.NORMAL, CloseCode.SERVICE_RESTART, CloseCode.REPLACED)
"""Closes that no operator needs to hear of."""
NEEDS_CHANCE = (c.Start, c.SetOptions, c.Rematch)


class Socket(web.WebSocketResponse):
    """aiohttp's WebSocket, which says when a close begins, whoever begins it."""

    on_close: Callable[[int], None] | None = None
    """Called with the close code."""

    async def close(
        self, *, code: int = CloseCode.NORMAL, message: bytes = b"", drain: bool = True
    ) -> bool:
        """Close; broken frames make aiohttp itself do it."""
        if self.on_close is not None and not self.closed:
            self.on_close(code)
        return await super().close(code=code, message=message, drain=drain)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """All that a connection speaks to."""

    settings: Settings
    directory: Directory
    tournaments: Tournaments
    players: Players
    clock: Clock
    metrics: Metrics
    wrong_rooms: AddressBuckets
    wrong_tokens: AddressBuckets
    new_connections: AddressBuckets
    new_rooms: AddressBuckets
    version: str


class Connection:
    """One client, from the upgrade to the close."""

    def __init__(
        self,
        socket: Socket,
        transport: asyncio.Transport,
        address: str,
        around: Neighbours,
    ) -> None:
        self._socket = socket
        self._transport = transport
        self._address = address
        self._around = around
        self._loop = asyncio.get_running_loop()
        limits = around.settings.limits
        bounds = Bounds(limits.waiting_messages, limits.waiting_bytes, limits.slow_for_ms)
        self._outbox = Outbox(transport, self._too_slow, bounds)
        self._identity: Identity | None = None
        self._hosts: dict[str, RoomHost] = {}
        self._tournaments: set[TournamentHost] = set()
        self._bucket = Bucket(limits.commands, self._now_ms())
        self._limited = Strikes(limits.limited_commands, LIMITED_WITHIN_MS)
        self._pings = Bucket(limits.pings, self._now_ms())
        self._bad_in_a_row = 0
        self._timer: asyncio.TimerHandle | None = None
        self._closing: asyncio.Task[None] | None = None
        self._is_gone = False
        socket.on_close = self._close_begins

    async def run(self) -> None:
        """Serve the client until the connection is over."""
        hello_within = self._around.settings.hello_within_ms / 1000
        self._timer = self._loop.call_later(
            hello_within, self.close, CloseCode.POLICY_VIOLATION, "no hello in time"
        )
        try:
            await self._receive()
        finally:
            self._let_go()
            if self._closing is not None:
                await self._closing

    def close(self, code: int, reason: str) -> None:
        """Say why and close; what waits is sent first."""
        if self._closing is None:
            self._stop_sending()
            self._closing = self._loop.create_task(self._close(code, reason))

    async def closed(self) -> None:
        """Return once a close that was begun is done."""
        if self._closing is not None:
            await self._closing

    # As rooms see it

    @property
    def is_open(self) -> bool:
        """See `Link.is_open`."""
        return not self._is_gone

    def send(self, frame: bytes) -> None:
        """See `Link.send`."""
        self._outbox.send(frame)

    def offer(self, frame: bytes, room: str, resync: Callable[[], None]) -> None:
        """See `Link.offer`."""
        self._outbox.offer(frame, room, resync)

    def fail(self) -> None:
        """See `Link.fail`."""
        self.close(CloseCode.TRY_AGAIN_LATER, "the server can't write its log")

    def entered(self, host: RoomHost) -> None:
        """See `Link.entered`."""
        self._hosts[host.room.room] = host

    def gone(self, host: RoomHost) -> None:
        """See `Link.gone`."""
        self._hosts.pop(host.room.room, None)

    def displaced(self) -> None:
        """See `Link.displaced`."""
        self.close(CloseCode.REPLACED, "claimed")

    def replaced_by(self, newer: Replaceable) -> None:
        """See `Replaceable.replaced_by`."""
        if isinstance(newer, Connection) and self._identity is not None:
            for host in [*self._hosts.values()]:
                host.hand_over(self._identity.player, newer)
            for tournament in self._tournaments:
                tournament.bulletin.hand_over(self, newer)
            newer._tournaments |= self._tournaments  # noqa: SLF001 - one connection's to another
            self._tournaments.clear()
        self._hosts.clear()
        self.close(CloseCode.REPLACED, "replaced")

    def cut(self) -> None:
        """See `Replaceable.cut`. What was said before, a close frame last, has a moment to go out."""
        self._stop_sending()
        self._loop.call_later(CUT_AFTER_S, self._transport.abort)

    # Receiving

    async def _receive(self) -> None:
        while True:
            message = await self._socket.receive()
            if message.type is WSMsgType.TEXT:
                await self._text(message.data)
            elif message.type is WSMsgType.BINARY:
                self.close(CloseCode.UNSUPPORTED_DATA, "text frames only")
            elif message.type is WSMsgType.PING:
                await self._ping(message.data)
            elif message.type is WSMsgType.PONG:
                self._ponged()
            else:
                return
            if self._closing is not None:
                return

    async def _text(self, text: str) -> None:
        try:
            command = codec.read_command(text)
        except codec.BadMessage as error:
            self._bad_message(error)
            return
        self._bad_in_a_row = 0
        if (wait_ms := self._bucket.take(self._now_ms())) > 0:
            self._rate_limited(command.id, wait_ms)
            return
        try:
            await self._carry_out(command)
        except LogUnavailable:
            # Here nothing was changed yet; a room whose log fails lets all its connections go.
            self._unavailable(command)
        except Stopping:
            self.close(CloseCode.SERVICE_RESTART, "the server is restarting")

    async def _carry_out(self, command: c.Command) -> None:
        identity = self._identity
        if identity is None:
            if isinstance(command, c.Hello):
                await self._hello(command)
            else:
                self._refuse(ErrorCode.WRONG_STATE, "say hello first", command.id)
        elif isinstance(command, c.Hello):
            self._refuse(ErrorCode.WRONG_STATE, "you have said hello", command.id)
        elif isinstance(command, c.Clock):
            now = self._around.clock.now()
            self._say(m.ClockAnswer(t=command.t, at=now, re=command.id))
        elif isinstance(command, c.CreateRoom):
            await self._create_room(identity, command)
        elif isinstance(command, c.Enter | c.Follow):
            await self._tournament_command(identity, command)
        else:
            await self._room_command(identity, command)

    async def _hello(self, command: c.Hello) -> None:
        players = self._around.players
        if command.token is None:
            assert command.name is not None, "a hello has a name or a token"
            identity, token = await players.register(command.name)
        else:
            token = command.token
            try:
                identity = await players.recognise(token, command.name)
            except WrongToken:
                self._wrong_token(command.id)
                return
        self._welcome(identity, token, command.id)

    def _welcome(self, identity: Identity, token: str, re: str | None) -> None:
        if self._closing is not None:
            return
        self._identity = identity
        self._say(
            m.Welcome(
                player=identity.player,
                name=identity.name,
                token=token,
                server=m.ServerInfo(version=self._around.version),
                at=self._around.clock.now(),
                re=re,
            )
        )
        self._around.players.connected(identity.player, self)
        self._ping_later()

    async def _create_room(self, identity: Identity, command: c.CreateRoom) -> None:
        bucket = self._around.new_rooms.of(self._address, self._now_ms())
        wrong = self._around.wrong_rooms.of(self._address, self._now_ms())
        wait_ms = bucket.wait_ms(self._now_ms())
        if command.challenge is not None:
            wait_ms = max(wait_ms, wrong.wait_ms(self._now_ms()))
        if wait_ms > 0:
            self._say_limited(command.id, wait_ms)
            return
        try:
            opened = await self._around.directory.open(identity.player, identity.name, command)
        except NoPlace as error:
            self._refuse(error.code, str(error), command.id)
            return
        if isinstance(opened, Refusal):
            if opened.code is ErrorCode.UNKNOWN_CHALLENGE:
                wrong.take(self._now_ms())
            self._refuse(opened.code, opened.message, command.id)
            return
        if opened.is_new:
            bucket.take(self._now_ms())
        if opened.frame is not None:
            self.send(opened.frame)
            if opened.host is not None:
                opened.host.attach(identity.player, self)
        elif opened.host is not None:
            opened.host.come_back(identity.player, identity.name, command.id, self)

    async def _tournament_command(self, identity: Identity, command: c.Enter | c.Follow) -> None:
        host = self._around.tournaments.find(command.tournament)
        if host is None:
            bucket = self._around.wrong_rooms.of(self._address, self._now_ms())
            if (wait_ms := bucket.take(self._now_ms())) > 0:
                self._say_limited(command.id, wait_ms)
                return
            no_such = "there is no such tournament"
            self._refuse(ErrorCode.UNKNOWN_TOURNAMENT, no_such, command.id)
            return
        self._tournaments.add(host)
        if isinstance(command, c.Follow):
            host.follow(identity.player, self, command.id)
        else:
            await self._enter(identity, command, host)

    async def _enter(self, identity: Identity, command: c.Enter, host: TournamentHost) -> None:
        answer = host.answers.find(identity.player, command.id)
        if answer is None:
            outcome = await self._around.tournaments.enter(host, identity, command)
            if isinstance(outcome, NotEntered):
                self._not_entered(outcome, command.id)
                return
            answer = outcome
            self._around.metrics.carried_out(command.type)
        if self.is_open:
            host.welcome(identity.player, self, answer)

    def _not_entered(self, why: NotEntered, re: str | None) -> None:
        """Say why; many wrong claims are no longer looked at."""
        if why.code == ErrorCode.UNAUTHORIZED:
            bucket = self._around.wrong_tokens.of(self._address, self._now_ms())
            if (wait_ms := bucket.take(self._now_ms())) > 0:
                self._say_limited(re, wait_ms)
                return
        self._refuse(ErrorCode(why.code), why.message, re)

    async def _room_command(self, identity: Identity, command: c.AnyRoomCommand) -> None:
        host = self._hosts.get(command.room)
        if host is None:
            host = await self._found(identity, command)
        if host is None or await self._is_shut(identity, command, host):
            return
        chance = draw() if isinstance(command, NEEDS_CHANCE) else None
        most_spectators = self._around.settings.limits.spectators
        asked = Asked(identity.player, identity.name, command, chance, most_spectators)
        host.submit(Request(asked, command.id, self))

    async def _found(self, identity: Identity, command: c.AnyRoomCommand) -> RoomHost | None:
        """The room, unless this address has asked for too many that aren't there.

        Once it has, right guesses are refused like wrong ones; who has a seat never is.
        """
        host = await self._around.directory.find(command.room)
        if host is not None and identity.player in host.room.members:
            return host
        bucket = self._around.wrong_rooms.of(self._address, self._now_ms())
        if (wait_ms := bucket.wait_ms(self._now_ms())) > 0:
            self._say_limited(command.id, wait_ms)
            return None
        if host is None:
            bucket.take(self._now_ms())
            self._around.metrics.refused(ErrorCode.UNKNOWN_ROOM)
            self._say(views.unknown_room(command.room, command.id))
        return host

    async def _is_shut(self, identity: Identity, command: c.AnyRoomCommand, host: RoomHost) -> bool:
        """Whether the room would tell somebody of a deal that is shut to them; then this is refused."""
        directory = self._around.directory
        why: Refusal | None = None
        if isinstance(command, c.JoinRoom):
            if await directory.is_shut_to(host.room, identity.player):
                why = barred("deal_shut")
        elif (
            identity.player == host.room.host
            and (code := _typed(command)) is not None
            and await directory.is_shut_to_some(host.room, code)
        ):
            told = "code: this deal is shut to some here until they have played it"
            why = Refusal(ErrorCode.NOT_ALLOWED, told)
        if why is not None:
            self._around.metrics.refused(ErrorCode.NOT_ALLOWED)
            self._say(views.refusal(why, command.room, command.id))
        return why is not None

    # Refusing

    def _bad_message(self, error: codec.BadMessage) -> None:
        self._refuse(ErrorCode.BAD_MESSAGE, str(error), error.re)
        self._bad_in_a_row += 1
        if self._bad_in_a_row >= self._around.settings.limits.bad_messages:
            self.close(CloseCode.POLICY_VIOLATION, "too many bad messages")

    def _wrong_token(self, re: str | None) -> None:
        bucket = self._around.wrong_tokens.of(self._address, self._now_ms())
        if (wait_ms := bucket.take(self._now_ms())) > 0:
            self._say_limited(re, wait_ms)
        else:
            self._refuse(ErrorCode.UNAUTHORIZED, "no player has this token", re)

    def _unavailable(self, command: c.Command) -> None:
        room = command.room if isinstance(command, c.RoomCommand) else None
        self._around.metrics.refused(ErrorCode.UNAVAILABLE)
        self._say(views.unavailable(room, command.id))

    def _rate_limited(self, re: str | None, wait_ms: int) -> None:
        self._say_limited(re, wait_ms)
        if self._limited.strike(self._now_ms()):
            self.close(CloseCode.POLICY_VIOLATION, "too many commands")

    def _say_limited(self, re: str | None, wait_ms: int) -> None:
        code = ErrorCode.RATE_LIMITED
        self._around.metrics.refused(code)
        self._say(m.Error(code=code, message="too many, too fast", retry_ms=wait_ms, re=re))

    def _refuse(self, code: ErrorCode, message: str, re: str | None) -> None:
        self._around.metrics.refused(code)
        self._say(m.Error(code=code, message=message, re=re))

    def _say(self, message: m.AnyMessage) -> None:
        self.send(message_frame(message))

    # Pings, and the end

    async def _ping(self, data: bytes) -> None:
        if self._pings.take(self._now_ms()) > 0:
            self.close(CloseCode.POLICY_VIOLATION, "too many pings")
            return
        self._outbox.flush()
        with contextlib.suppress(
            ConnectionError
        ):  # who asked is gone, and the next receive says so
            await self._socket.pong(data)

    def _ping_later(self) -> None:
        self._set_timer(self._around.settings.ping_every_ms, self._ping_now)

    def _ping_now(self) -> None:
        self._outbox.send(PING_FRAME)
        self._set_timer(self._around.settings.pong_within_ms, self._vanished)

    def _ponged(self) -> None:
        if self._pings.take(self._now_ms()) > 0:
            self.close(CloseCode.POLICY_VIOLATION, "too many pongs")
        elif self._identity is not None:
            self._ping_later()

    def _vanished(self) -> None:
        """Nothing came back: the peer is gone, and there is nobody to say goodbye to."""
        self.cut()

    def _set_timer(self, after_ms: int, then: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(after_ms / 1000, then)

    def _too_slow(self) -> None:
        self.close(CloseCode.TRY_AGAIN_LATER, "too slow to read")

    def _now_ms(self) -> float:
        return self._loop.time() * 1000

    async def _close(self, code: int, reason: str) -> None:
        try:
            # Nobody waits for a peer that reads nothing: not its seat, which is empty from now on.
            await self._socket.close(code=code, message=reason.encode(), drain=False)
        except (ConnectionError, RuntimeError):
            return
        if self._transport.get_write_buffer_size():
            self._loop.call_later(LINGER_MS / 1000, self._transport.abort)

    def _close_begins(self, code: int) -> None:
        if code not in NOTHING_WRONG:
            player = None if self._identity is None else self._identity.player
            log.info("connection.closed", code=int(code), address=self._address, player=player)
        self._stop_sending()

    def _stop_sending(self) -> None:
        """Hand over what waits; nothing comes after a close frame (RFC 6455 §5.5.1)."""
        self._is_gone = True
        self._outbox.close()

    def _let_go(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._stop_sending()
        if self._identity is None:
            return
        self._around.players.disconnected(self._identity.player, self)
        for tournament in self._tournaments:
            tournament.bulletin.remove(self)
        for host in [*self._hosts.values()]:
            host.drop(self._identity.player, self)
        self._hosts.clear()


def _typed(command: c.AnyRoomCommand) -> Code | None:
    """The code that the command would tell everybody in the room."""
    if isinstance(command, c.SetOptions):
        return command.options.code
    return command.code if isinstance(command, c.Rematch) else None


def link_of(players: Players) -> Callable[[str], Link | None]:
    """What finds a player's connection, for those who tell people without being asked."""

    def found(player: str) -> Link | None:
        connection = players.connection_of(player)
        return connection if isinstance(connection, Connection) else None

    return found
