"""Lines between clients and the server: bytes under way, in order, until somebody cuts them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from halfmoon_testing.world.weather import CutPlan, Ending, Weather

if TYPE_CHECKING:
    from halfmoon_testing.world.process import Process

WINDOW_BYTES = 1500
"""What a client that doesn't read is sent before the server's side fills up."""
HIGH_BYTES, LOW_BYTES = 64 * 1024, 16 * 1024
"""asyncio's own marks for telling a protocol to pause and to go on."""
CLOSE_FRAME = 0x88


class Messages:
    """The texts in a server's stream of bytes, each with how much of the stream it takes."""

    def __init__(self) -> None:
        self._rest = b""
        self._passed = 0
        self._is_upgraded = False
        self.is_closed = False
        """Whether a close frame has come."""

    def feed(self, data: bytes) -> list[tuple[int, str]]:
        """The messages that are complete now, with the place in the stream where each ends."""
        self._rest += data
        found: list[tuple[int, str]] = []
        while (message := self._next()) is not None:
            found.append(message)
        return found

    def _next(self) -> tuple[int, str] | None:
        if not self._is_upgraded:
            head, end, _ = self._rest.partition(b"\r\n\r\n")
            if not end:
                return None
            self._is_upgraded = True
            return self._take(len(head) + 4, head.split(b"\r\n")[0])
        rest = self._rest
        if len(rest) < 2:
            return None
        size, begin = rest[1], 2
        if size == 126:
            size, begin = int.from_bytes(rest[2:4], "big"), 4
        elif size == 127:
            size, begin = int.from_bytes(rest[2:10], "big"), 10
        if len(rest) < begin + size:
            return None
        self.is_closed = self.is_closed or rest[0] == CLOSE_FRAME
        text = rest[begin : begin + size] if rest[0] == 0x81 else bytes(rest[:1])
        return self._take(begin + size, text)

    def _take(self, size: int, text: bytes) -> tuple[int, str]:
        self._rest = self._rest[size:]
        self._passed += size
        return self._passed, text.decode("latin-1" if text[:1] >= b"\x80" else "utf-8")


class Line(asyncio.Transport):
    """One connection: a transport to the server, and to the client a place to say and to hear."""

    def __init__(
        self, process: Process, address: str, weather: Weather, on_text: Callable[[str], None]
    ) -> None:
        super().__init__({"peername": (address, 40_000)})
        self.process = process
        self.heard: deque[str] = deque()
        """What has come to the client and it hasn't looked at."""
        self.is_gone = False
        """Whether the client knows that the line has ended."""
        self.news = asyncio.Event()
        self.messages = Messages()
        self.buffered = bytearray()
        """What the server wrote and the network hasn't taken."""
        self._weather = weather
        self._plan: CutPlan | None = weather.cut()
        self._on_text = on_text
        self._loop = asyncio.get_running_loop()
        self._protocol: Any = None
        self._under_way: deque[tuple[int, str]] = deque()
        self._sent = self._arrived = self._unread = self._said = 0
        self._is_reading = self._is_server_reading = True
        self._is_cut = self._is_closing = self._is_lost = self._is_paused = False
        self._flow: dict[str, deque[Callable[[], None]]] = {"up": deque(), "down": deque()}
        self._due = {"up": 0.0, "down": 0.0}
        self._waiting: deque[bytes | None] = deque()

    # The client's end

    def open(self, protocol: Any) -> None:
        self._protocol = protocol
        self.process.call(protocol.connection_made, self)

    def say(self, data: bytes) -> None:
        """Send bytes to the server."""
        plan = self._plan
        if plan is not None and plan.is_up and self._said + len(data) >= plan.at:
            data = data[: max(0, plan.at - self._said)]
            self._loop.call_soon(self._cut, plan.end)
        self._said += len(data)
        for piece in self._weather.torn(data):
            self._later("up", self._to_server, piece)

    def leave(self, end: Ending = "rst") -> None:
        """The client is gone."""
        self._is_reading = False
        self.is_gone = True
        if end == "fin":
            self._later("up", self._to_server, None)
        elif end == "rst":
            self._later("up", self._lose, ConnectionResetError("reset by peer"))

    def stall(self, seconds: float) -> None:
        """The client reads nothing for a while."""
        self._is_reading = False
        self._loop.call_later(seconds, self._read_again)

    def _read_again(self) -> None:
        self._is_reading = not self.is_gone
        self._arrive(0)

    @property
    def is_stalled(self) -> bool:
        """Whether the client reads nothing just now."""
        return not self._is_reading and not self.is_gone

    @property
    def is_quiet(self) -> bool:
        """Whether everything that the server has said by now has been heard."""
        is_whole = self._is_reading and not (self.is_gone or self._is_lost or self._is_cut)
        return is_whole and not (self.buffered or self._under_way or self.heard)

    # The server's end: an asyncio transport

    def write(self, data: Any) -> None:
        """See `asyncio.WriteTransport.write`."""
        if not self._can_write():
            return
        self.process.edge("write")
        if not self._can_write():
            return
        self.buffered += data
        for end, text in self.messages.feed(bytes(data)):
            self._on_text(text)
            self._under_way.append((end, text))
        self._pump()
        if len(self.buffered) > HIGH_BYTES and not self._is_paused:
            self._is_paused = True
            self._protocol.pause_writing()

    def _can_write(self) -> bool:
        return self.process.is_alive and not (self._is_closing or self._is_lost)

    def writelines(self, list_of_data: Any) -> None:
        """See `asyncio.WriteTransport.writelines`."""
        self.write(b"".join(list_of_data))

    def get_write_buffer_size(self) -> int:
        return len(self.buffered)

    def is_closing(self) -> bool:
        return self._is_closing or self._is_lost

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        protocol: asyncio.BaseProtocol = self._protocol
        return protocol

    def is_reading(self) -> bool:
        return self._is_server_reading

    def pause_reading(self) -> None:
        self._is_server_reading = False

    def resume_reading(self) -> None:
        self._is_server_reading = True
        while self._waiting and self._is_server_reading:
            self._loop.call_soon(self._to_server, self._waiting.popleft())

    def close(self) -> None:
        """See `asyncio.BaseTransport.close`."""
        if not self._is_closing:
            self._is_closing = True
            self._pump()

    def abort(self) -> None:
        """See `asyncio.WriteTransport.abort`."""
        self._lose(None)

    # Between them

    def _later(self, way: str, act: Callable[..., None], *args: Any) -> None:
        """Let something happen at the other end, after all that went that way before."""
        self._due[way] = max(self._due[way], self._loop.time() + self._weather.latency())
        # Timers of one moment run in any order, so each takes what is first in line.
        self._flow[way].append(partial(act, *args))
        self._loop.call_at(self._due[way], self._flow_on, self._flow[way])

    def _flow_on(self, flow: deque[Callable[[], None]]) -> None:
        flow.popleft()()

    def _to_server(self, data: bytes | None) -> None:
        """Bytes arrive, or with None the client's FIN."""
        if self._is_cut or self._is_lost:
            return
        if not self._is_server_reading:
            self._waiting.append(data)
        elif data is None:
            self.process.call(self._protocol.eof_received)
            self.close()
        elif not self._is_closing:
            self.process.edge("read")
            self.process.call(self._protocol.data_received, data)

    def _pump(self) -> None:
        while self.buffered and self._sent - self._arrived < WINDOW_BYTES:
            size = min(len(self.buffered), WINDOW_BYTES - (self._sent - self._arrived))
            plan = self._plan
            if plan is not None and not plan.is_up and self._sent + size >= plan.at:
                size = max(0, plan.at - self._sent)
                self._plan = None
                self._later("down", self._cut, plan.end)
            del self.buffered[:size]
            self._sent += size
            self._later("down", self._arrive, size)
        if self._is_paused and len(self.buffered) <= LOW_BYTES and not self._is_lost:
            self._is_paused = False
            self.process.call(self._protocol.resume_writing)
        if self._is_closing and not self.buffered and not self._is_lost:
            self._lose(None)

    def _arrive(self, size: int) -> None:
        """So many bytes more lie before the client, who takes them where it reads."""
        self._unread += size
        if not self._is_reading or self._is_cut:
            return
        self._arrived += self._unread
        self._unread = 0
        while self._under_way and self._under_way[0][0] <= self._arrived:
            self.heard.append(self._under_way.popleft()[1])
            self.news.set()
        self._pump()

    def _lose(self, error: Exception | None) -> None:
        """The server's side of the line ends; what is on its way still comes."""
        if self._is_lost:
            return
        self._is_closing = self._is_lost = True
        self.buffered.clear()
        self._later("down", self._client_learns)
        if self.process.is_alive:
            self._loop.call_soon(self.process.call, self._protocol.connection_lost, error)

    def _cut(self, end: Ending) -> None:
        """The line itself ends, between the two."""
        if end == "hang":
            self._is_cut = True
            return
        error = ConnectionResetError("reset") if end == "rst" else None
        self._later("up", self._lose, error)
        self._later("down", self._client_learns)

    def end_with_process(self, *, told: bool) -> None:
        """The process is gone; its machine says so, or went with it."""
        self.buffered.clear()
        self._is_closing = self._is_lost = True
        if told:
            self._later("down", self._client_learns)

    def _client_learns(self) -> None:
        if not self._is_cut:
            self.is_gone = True
            self.news.set()
