"""An event loop whose time passes only when nobody has anything left to do."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

T = TypeVar("T")

MOST_TURNS = 20_000
"""So often the loop goes round within one moment; more is somebody who never waits."""


class Stuck(AssertionError):
    """Everybody waits, and nothing is due that could wake anybody; or somebody never waits."""


class _Idle(selectors.SelectSelector):
    """Instead of waiting for sockets, of which there are none, lets the time pass."""

    def __init__(self, pass_s: Callable[[float], None]) -> None:
        super().__init__()
        self._pass_s = pass_s

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Stuck("everybody waits, and no timer is set")
        self._pass_s(timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """Callbacks and timers as ever, in the order in which they were asked for; no second is lost."""

    def __init__(self) -> None:
        self._passed_s = 0.0
        self._turns = 0
        super().__init__(_Idle(self._pass_s))

    def time(self) -> float:
        """Seconds since the world began."""
        return self._passed_s

    def _pass_s(self, seconds: float) -> None:
        if seconds > 0:
            self._passed_s += seconds
            self._turns = 0
        self._turns += 1
        if self._turns > MOST_TURNS:
            ready = [*getattr(self, "_ready", ())][:5]
            raise Stuck(f"no time passes any more: {ready}")


def run(
    main: Callable[[], Coroutine[Any, Any, T]],
    faults: list[str] | None = None,
    factory: Callable[..., asyncio.Task[Any]] | None = None,
) -> T:
    """What `main` returns on a loop of its own; what goes wrong unseen is added to `faults`."""
    loop = VirtualLoop()

    def unseen(_: asyncio.AbstractEventLoop, what: Mapping[str, Any]) -> None:
        if faults is not None:
            faults.append(f"{what.get('message')}: {what.get('exception')!r}")

    loop.set_exception_handler(unseen)
    loop.set_task_factory(factory)
    try:
        return loop.run_until_complete(main())
    finally:
        _end_all(loop)
        loop.close()


def _end_all(loop: asyncio.AbstractEventLoop) -> None:
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    loop.run_until_complete(loop.shutdown_asyncgens())
