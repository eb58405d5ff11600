"""What an operator can watch: counters and histograms in Prometheus' form."""

import asyncio
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

LAG_EVERY_MS = 500
_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """The figures of one server."""

    def __init__(self, count_rooms: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        rooms = Gauge("halfmoon_rooms", "Rooms in memory", registry=self.registry)
        rooms.set_function(count_rooms)
        self.connections = Gauge(
            "halfmoon_connections", "Open WebSocket connections", registry=self.registry
        )
        self._commands = Counter(
            "halfmoon_commands", "Commands carried out", ["type"], registry=self.registry
        )
        self._moves = Counter("halfmoon_moves", "Moves carried out", registry=self.registry)
        self._refusals = Counter(
            "halfmoon_refusals", "Commands refused", ["code"], registry=self.registry
        )
        self.log_seconds = Histogram(
            "halfmoon_log_commit_seconds",
            "Time of a commit to the event log",
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._lag = Histogram(
            "halfmoon_loop_lag_seconds",
            "How late the event loop runs a timer",
            buckets=_BUCKETS,
            registry=self.registry,
        )

    def carried_out(self, command: str) -> None:
        """A command of this type was carried out."""
        self._commands.labels(command).inc()
        if command == "move":
            self._moves.inc()

    def refused(self, code: str) -> None:
        """A command was refused with this error code."""
        self._refusals.labels(code).inc()

    def text(self) -> bytes:
        """All figures in Prometheus' text form."""
        return generate_latest(self.registry)

    async def watch_lag(self) -> None:
        """Measure the event loop's lag until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_EVERY_MS / 1000
            await asyncio.sleep(LAG_EVERY_MS / 1000)
            self._lag.observe(max(0.0, loop.time() - due))
