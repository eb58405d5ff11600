"""Where log lines go: to stderr, and never in the way of what they tell of."""

import contextlib
import sys


class Stderr:
    """A logger for structlog that writes lines to stderr, as it is at that moment.

    A line that can't be written is dropped: a full disk or a closed pipe behind stderr must not
    keep a room from telling its people what happened.
    """

    def msg(self, message: str) -> None:
        """Write a line."""
        with contextlib.suppress(OSError, ValueError):
            print(message, file=sys.stderr, flush=True)  # noqa: T201 - it is what this is for

    debug = info = warning = error = exception = critical = msg


def stderr(*_: object) -> Stderr:
    """A logger, as structlog asks its factory for one."""
    return Stderr()
