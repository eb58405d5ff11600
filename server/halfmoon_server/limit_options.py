"""The limits on the command line: an option for each, its default in its help."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from halfmoon_server.limits import Rate
from halfmoon_server.settings import Limits

MOST = 10**9


@dataclass(frozen=True, slots=True)
class LimitOption:
    """How one field of `Limits` is set."""

    option: str
    field: str
    what: str
    seconds: int = 1
    """What a rate is given for: a second, or a minute."""


OPTIONS: Mapping[str, tuple[LimitOption, ...]] = {
    "limits of one address": (
        LimitOption("connections", "connections_per_address", "connections"),
        LimitOption("new-connections", "new_connections", "new connections"),
        LimitOption("new-rooms", "new_rooms", "new rooms", 60),
        LimitOption("wrong-rooms", "wrong_rooms", "unknown rooms and challenges asked for", 60),
        LimitOption("wrong-tokens", "wrong_tokens", "wrong tokens", 60),
    ),
    "limits of one player": (
        LimitOption(
            "player-connections", "connections_per_player", "connections, replaced ones counted"
        ),
        LimitOption("player-rooms", "rooms_per_player", "rooms that they host"),
    ),
    "limits of one connection": (
        LimitOption("message-bytes", "message_bytes", "bytes of a message"),
        LimitOption("commands", "commands", "commands"),
        LimitOption("limited", "limited_commands", "commands past that in 5 s before it is closed"),
        LimitOption("bad-messages", "bad_messages", "messages in a row that make no sense"),
        LimitOption("pings", "pings", "pings and pongs"),
        LimitOption("waiting", "waiting_messages", "messages that wait for a slow reader"),
        LimitOption("waiting-bytes", "waiting_bytes", "bytes that wait for a slow reader"),
        LimitOption("slow-ms", "slow_for_ms", "ms for which a reader may take nothing"),
    ),
    "limits of the server": (
        LimitOption("rooms", "rooms", "rooms"),
        LimitOption("spectators", "spectators", "spectators of a room"),
    ),
}


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add all `--limit-…` options."""
    defaults = Limits()
    for title, options in OPTIONS.items():
        group = parser.add_argument_group(title)
        for one in options:
            default = getattr(defaults, one.field)
            group.add_argument(
                f"--limit-{one.option}",
                dest=one.field,
                default=default,
                **_reading(one, default),
            )


def _reading(one: LimitOption, default: "Rate | int") -> dict[str, Any]:
    if isinstance(default, int):
        return {"type": count, "metavar": "N", "help": f"{one.what} (%(default)s)"}
    unit = "minute" if one.seconds == 60 else "second"
    shown = f"{default.burst}/{round(default.per_second * one.seconds)}"
    return {
        "type": _rate_for(one.seconds, unit),
        "metavar": f"N/{unit.upper()}",
        "help": f"{one.what}: so many at once, so many a {unit} ({shown})",
    }


def limits_of(options: argparse.Namespace) -> Limits:
    """The limits that the command line names."""
    return Limits(
        **{one.field: getattr(options, one.field) for group in OPTIONS.values() for one in group}
    )


def count(text: str) -> int:
    """A number from 1 up."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 up")
    return int(text)


def _rate_for(seconds: int, unit: str) -> Callable[[str], Rate]:
    def rate(text: str) -> Rate:
        burst, slash, regular = text.partition("/")
        if not slash:
            raise argparse.ArgumentTypeError(f"{text!r} isn't of the form 60/6: at once / a {unit}")
        return Rate(burst=count(burst), per_second=count(regular) / seconds)

    return rate
