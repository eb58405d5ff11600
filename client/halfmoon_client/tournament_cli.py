"""The verb `tournament`: what an organiser does, for scripts, over the server's HTTP API."""

import argparse
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

from halfmoon.cli import Failed, Parser, Verbs
from halfmoon.wire.names import shown
from halfmoon.wire.tournaments import DEVICE_HEADER

VARIABLE = "HALFMOON_ORGANISER_KEY"
WITHIN_S = 60
EXAMPLE = """example:
  export HALFMOON_ORGANISER_KEY=…                      the end of the link that `serve` prints
  halfmoon tournament create "Club evening" --format swiss --rounds 5
  halfmoon tournament entrants T4KQ9 < names.txt       one name a line; prints name and claim
  halfmoon tournament round T4KQ9 --at-least 20         draws nothing before 20 have come in
  halfmoon tournament end-round T4KQ9 "the bell rings"  who still races is done with what they have
  halfmoon tournament standings T4KQ9 --csv > table.csv
  halfmoon tournament export T4KQ9 --result > result.json && halfmoon verify result.json
"""

Options = argparse.Namespace


def add_tournament(verbs: "Verbs[Parser]") -> None:
    """Add the verb `tournament` to the command line."""
    parser = verbs.add_parser(
        "tournament",
        help="run a tournament on a server",
        description=f"Run a tournament on a server. The organiser key is taken from {VARIABLE}.",
        epilog=EXAMPLE,
    )
    parser.set_defaults(run=parser.miss_verb)
    parser.add_argument(
        "--server", default="http://127.0.0.1:8080", metavar="URL", help="where (%(default)s)"
    )
    parser.add_argument(
        "--device", default="script", metavar="NAME", help="who the log says it was (%(default)s)"
    )
    actions = parser.add_subparsers(title="what to do", metavar="WHAT")
    _add_create(actions)
    _of_one(actions, "entrants", _entrants, "put names on the list, one a line of stdin")
    draw = _of_one(actions, "round", _round, "draw the next round; warns where somebody is missing")
    draw.add_argument(
        "--at-least", type=int, default=0, metavar="N", help="draw nothing before N have come in"
    )
    draw.add_argument(
        "--without-absent", action="store_true", help="withdraw first who hasn't come in"
    )
    end = _of_one(actions, "end-round", _end_round, "end the round that runs before its time")
    end.add_argument("reason", metavar="REASON", help="for everybody to read")
    standings = _of_one(actions, "standings", _standings, "print the table")
    standings.add_argument("--csv", action="store_true", help="for a spreadsheet")
    export = _of_one(actions, "export", _export, "print state, table and log as JSON")
    export.add_argument("--result", action="store_true", help="the signed file with all races")


def _add_create(actions: "Verbs[Parser]") -> None:
    parser = actions.add_parser("create", help="make a tournament; prints its id")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--format", choices=["series", "swiss", "knockout"], default="series")
    parser.add_argument("--rounds", type=int, metavar="N")
    parser.add_argument("--heat-size", type=int, metavar="N", help="the most of one heat")
    parser.add_argument("--entry", choices=["open", "list"], default="list")
    parser.add_argument("--minutes", type=float, default=10, help="of a race (%(default)s)")
    parser.add_argument("--countdown-s", type=float, default=10, help="before it (%(default)s)")
    parser.set_defaults(run=_create)


def _of_one(
    actions: "Verbs[Parser]", name: str, run: Callable[[Options], int], what: str
) -> Parser:
    parser = actions.add_parser(name, help=what, description=what)
    parser.add_argument("tournament", metavar="TOURNAMENT", help="its id, as `create` prints it")
    parser.set_defaults(run=run)
    return parser


def _create(options: Options) -> int:
    body: dict[str, Any] = {
        "name": options.name,
        "format": options.format,
        "entry": options.entry,
        "race": {
            "time_limit_ms": round(options.minutes * 60_000),
            "countdown_ms": round(options.countdown_s * 1000),
        },
    }
    if options.rounds is not None:
        body["rounds"] = options.rounds
    if options.heat_size is not None:
        body["heat_size"] = options.heat_size
    _say(json.loads(_call(options, "/api/tournaments", body))["tournament"])
    return 0


def _entrants(options: Options) -> int:
    names = [line.strip() for line in sys.stdin if line.strip()]
    if not names:
        raise Failed("no names: give one a line on standard input")
    for one in json.loads(_call(options, _path(options, "/entrants"), {"names": names})):
        _say(f"{_shown(one)}\t{one['claim']}")
    return 0


def _round(options: Options) -> int:
    came, all_ = _attendance(json.loads(_call(options, _path(options, ""))))
    if came < options.at_least:
        raise Failed(f"{came} of {all_} have come in: no round was drawn")
    how: dict[str, Any] = {"without_absent": True} if options.without_absent else {}
    if came < all_:
        who = "is withdrawn until they come" if how else "is absent in this round"
        sys.stderr.write(f"{came} of {all_} have come in; who hasn't {who}\n")
    drawn = json.loads(_call(options, _path(options, "/rounds"), how))
    state = json.loads(_call(options, _path(options, "")))
    names = _names(state)
    _say(f"Round {drawn['round']}")
    for heat in drawn["heats"]:
        racing = " – ".join(names[entrant] for entrant in heat["entrants"])
        _say(f"{heat['heat']}\t{heat['room']}\t{racing}")
    for entrant in drawn["byes"]:
        _say(f"bye\t\t{names[entrant]}")
    return 0


def _names(state: Any) -> dict[str, str]:
    return {one["entrant"]: _shown(one) for one in state["entrants"]}


def _shown(one: Any) -> str:
    return shown(one["name"], one.get("number"))


def _attendance(state: Any) -> tuple[int, int]:
    """How many who will be drawn have taken their entry, and how many there are."""
    active = [one for one in state["entrants"] if one["active"]]
    return sum(one["taken"] for one in active), len(active)


def _end_round(options: Options) -> int:
    number = json.loads(_call(options, _path(options, "")))["round"]
    _call(options, _path(options, f"/rounds/{number}/end"), {"reason": options.reason})
    return 0


def _standings(options: Options) -> int:
    if options.csv:
        return _write(_call(options, _path(options, "/standings.csv")))
    table = json.loads(_call(options, _path(options, "/standings")))
    names = _names(json.loads(_call(options, _path(options, ""))))
    for row in table["rows"]:
        _say(f"{row['rank']}\t{names[row['entrant']]}\t{row['points']:g}")
    _say(table["rule"])
    return 0


def _export(options: Options) -> int:
    return _write(_call(options, _path(options, "/result" if options.result else "/export")))


# The server


def _path(options: Options, rest: str) -> str:
    return f"/api/tournaments/{urllib.parse.quote(options.tournament, safe='')}{rest}"


def _call(options: Options, path: str, body: Any = None) -> bytes:
    """What the server answers; raises `Failed` with what it says is wrong."""
    url = options.server.rstrip("/") + path
    if not url.startswith(("http://", "https://")):
        raise Failed(f"{options.server} is no address of a server, such as http://127.0.0.1:8080")
    headers = {
        "Content-Type": "application/json",
        DEVICE_HEADER: urllib.parse.quote(options.device, safe=""),
    }
    if key := os.environ.get(VARIABLE):
        headers["Authorization"] = f"Bearer {key}"
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(url, data=data, headers=headers)  # noqa: S310 - checked above
    try:
        with urllib.request.urlopen(asked, timeout=WITHIN_S) as answer:  # noqa: S310
            content: bytes = answer.read()
    except urllib.error.HTTPError as error:
        raise Failed(_fault_in(error)) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", error)
        raise Failed(f"{options.server} can't be asked: {why}") from None
    return content


def _fault_in(error: urllib.error.HTTPError) -> str:
    try:
        said = str(json.loads(error.read())["message"])
    except (ValueError, KeyError, TypeError, OSError):
        said = f"the server answers {error.code}"
    return f"{said}; is {VARIABLE} set?" if error.code == 401 else said


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


def _write(content: bytes) -> int:
    """Pass the file on as it is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    return 0
