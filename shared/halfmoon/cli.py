"""The command `halfmoon`: verbs deal, code and verify; other verbs come by entry point (Contract §3).

An entry point of the group `halfmoon.verbs` is a function that is given argparse's subparsers, adds
the parser of its verb and sets `run=` to a function from the arguments to the exit status.
"""

import argparse
import contextlib
import json
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import NoReturn

from halfmoon.drawing import SYMBOLS, draw, one_line
from halfmoon.engine.codes import LETTERS, PREFIX, Code, Variant
from halfmoon.engine.deals import Deal
from halfmoon.engine.errors import RecordFault, UnreadableCode
from halfmoon.engine.record import RaceRecord
from halfmoon.engine.standings import Standing
from halfmoon.files import Unreadable, read_file

DONE, FAILED, UNREADABLE = 0, 1, 2
"""The exit statuses of the contract."""

OWN_VERBS = ("deal", "code", "verify")

LARGEST_RECORD = 8 << 20
"""Bytes of a record that `verify` reads: a thousand players with 250 actions each, such as no honest race has."""

LARGEST_RESULT = 64 << 20
"""Bytes of a tournament's result file that `verify` reads: a thousand entrants, some rounds."""

# argparse has no public name for what a verb's parser is added to.
Verbs = argparse._SubParsersAction  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


class Failed(Exception):
    """What was asked for can't be done; the message is the line that says why, and what to do."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def __init__(self, *args: object, **options: object) -> None:
        options = {
            "allow_abbrev": False,
            "formatter_class": argparse.RawDescriptionHelpFormatter,
            **options,
        }
        super().__init__(*args, **options)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line and where to read on."""
        complain(f"{self.prog}: {message}; see {self.prog} --help")
        raise SystemExit(UNREADABLE)

    def miss_verb(self, _: argparse.Namespace) -> NoReturn:
        """Stand in for the verb that is to run."""
        self.error("a verb is missing")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; gives the exit status. Nothing is raised for bad input."""
    try:
        try:
            status = _run(list(sys.argv[1:] if arguments is None else arguments))
        except SystemExit as stop:  # from argparse: help was shown, or a complaint
            status = stop.code if isinstance(stop.code, int) else FAILED
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()  # who reads our output has had enough of it, as in `| head -1`
        return DONE
    except KeyboardInterrupt:
        complain("halfmoon: interrupted")
        return FAILED
    except (Failed, Unreadable) as fault:
        complain(f"halfmoon: {fault}")
        return FAILED
    except OSError as fault:
        _forget_stdout()
        complain(f"halfmoon: {fault.filename or 'the output'}: {fault.strerror or fault}")
        return FAILED
    return status


def _run(arguments: list[str]) -> int:
    if (reconfigure := getattr(sys.stdout, "reconfigure", None)) is not None:
        # A terminal that can't show a letter of somebody's name shows its number instead.
        reconfigure(errors="backslashreplace")
    parser = Parser(prog="halfmoon", description="Half Moon: a patience played as a race.")
    parser.add_argument("--version", action="version", version=f"halfmoon {_version()}")
    parser.set_defaults(run=parser.miss_verb)
    verbs = parser.add_subparsers(title="verbs", metavar="VERB")
    for add in (_add_deal, _add_code, _add_verify):
        add(verbs)
    if arguments and arguments[0] in OWN_VERBS:
        options = parser.parse_args(_with_code_kept(arguments))
    else:
        _add_verbs_of_others(verbs, arguments[0] if arguments else None)
        if arguments and not arguments[0].startswith("-") and arguments[0] not in verbs.choices:
            parser.error(f"there is no verb {arguments[0]!r}")
        options = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    return run(options)


def _with_code_kept(arguments: list[str]) -> list[str]:
    """The arguments of `deal` with a blank, which a code may have, before a code's leading dash.

    For argparse it would be an option; for Contract §2 dashes are nothing.
    """
    if arguments[0] != "deal":
        return arguments
    return [
        " " + text if text.startswith("-") and _is_like_code(text) else text for text in arguments
    ]


def _is_like_code(text: str) -> bool:
    return text.replace("-", "").upper().startswith(PREFIX)


def _version() -> str:
    try:
        return version("halfmoon-race")
    except PackageNotFoundError:
        return "(not installed)"


# The verbs of others


def _add_verbs_of_others(verbs: "Verbs[Parser]", wanted: str | None) -> None:
    """All of them, or the wanted one alone: each brings modules that take time to load."""
    found = {entry.name: entry for entry in entry_points(group="halfmoon.verbs")}
    if wanted in found:
        found = {wanted: found[wanted]}
    for name, entry in found.items():
        if name not in verbs.choices:
            _add_verb_of(entry, verbs)


def _add_verb_of(entry: EntryPoint, verbs: "Verbs[Parser]") -> None:
    try:
        add = entry.load()
    except (ImportError, AttributeError) as fault:
        # Not listed, for it doesn't work; but whoever asks for it is told why.
        verbs.add_parser(entry.name).set_defaults(run=_unable(entry.name, str(fault)))
    else:
        add(verbs)


def _unable(verb: str, fault: str) -> Callable[[argparse.Namespace], int]:
    def run(_: argparse.Namespace) -> int:
        raise Failed(f"{verb} can't be loaded ({fault}); install halfmoon-race anew")

    return run


# deal


def _add_deal(verbs: "Verbs[Parser]") -> None:
    parser = verbs.add_parser(
        "deal",
        help="show the whole deal of a game code",
        description="Show where all 104 cards lie in the deal of a game code.",
        epilog="example:\n  halfmoon deal HM1-N-AAAAAAB\n  halfmoon deal hm1naaaaaab --json",
    )
    parser.add_argument("code", metavar="CODE", help="a game code, in any case")
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.set_defaults(run=_deal)


def _deal(options: argparse.Namespace) -> int:
    try:
        deal = Deal.of(Code.parse(options.code))
    except UnreadableCode as fault:
        raise Failed(f"{fault}; a code looks like {Code.text_example}") from None
    _say(deal.model_dump_json() if options.json else draw(deal, symbols=_can_show(SYMBOLS)))
    return DONE


# code


def _add_code(verbs: "Verbs[Parser]") -> None:
    parser = verbs.add_parser(
        "code",
        help="make a fresh game code",
        description="Print a fresh game code.",
        epilog="example:\n  halfmoon code\n  halfmoon code --sealed",
    )
    parser.add_argument(
        "--sealed", action="store_true", help="one of 28 letters, too many to search through"
    )
    parser.set_defaults(run=_code)


def _code(options: argparse.Namespace) -> int:
    variant = Variant.SEALED if options.sealed else Variant.NORMAL
    _say(str(fresh_code(variant, secrets.randbelow)))
    return DONE


def fresh_code(variant: Variant, number_below: Callable[[int], int]) -> Code:
    """A code of this variant by a source of uniform numbers below a bound."""
    return Code.from_number(variant, number_below(26 ** LETTERS[variant]))


# verify


def _add_verify(verbs: "Verbs[Parser]") -> None:
    parser = verbs.add_parser(
        "verify",
        help="play a race record again and check all that it says",
        description="Play a race record again: check its seal, every move, every score and the "
        "ranking;\nof a tournament's result file also its signature, every race and the table.\nExit status 0 if all hold; else 1, and the first fault is named.",
        epilog="example:\n  halfmoon verify race.json",
    )
    parser.add_argument(
        "file", metavar="FILE", help="a record or a result file, as the server gives it"
    )
    parser.set_defaults(run=_verify)


def _verify(options: argparse.Namespace) -> int:
    text = read_file(Path(options.file), LARGEST_RESULT)
    if b"halfmoon-result" in text and (status := _verify_result(options.file, text)) is not None:
        return status
    if len(text) > LARGEST_RECORD:
        text = read_file(Path(options.file), LARGEST_RECORD)  # says what is wrong
    try:
        record = RaceRecord.read(text)
        record.verify()
    except RecordFault as fault:
        if _is_export(text):
            raise Failed(
                f"{options.file} is a tournament's table, which isn't signed; verify its result "
                "file, as the server gives it at /api/tournaments/T/result"
            ) from None
        raise Failed(f"{options.file} does not hold: {fault}") from None
    _say(one_line(verdict(record)))
    return DONE


def _is_export(text: bytes) -> bool:
    """Whether this is what the server tells about a tournament, and no record of a race."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(raw, dict) and "race" not in raw and bool({"tournament", "rows"} & set(raw))  # pyright: ignore[reportUnknownArgumentType]


def _verify_result(name: str, text: bytes) -> int | None:
    """The exit status for a tournament's result file; None where this is none."""
    from halfmoon.tournaments import result_file  # noqa: PLC0415 - other verbs do without

    if not result_file.is_result_file(text):
        return None
    try:
        file = result_file.verify(text)
    except RecordFault as fault:
        raise Failed(f"{name} does not hold: {fault}") from None
    t, races = file.tournament, len(file.races)
    first = " and ".join(row.name for row in file.standings.rows if row.rank == 1)
    _say(
        one_line(
            f"{t.name} ({t.format}) holds: signature, log, {races} races and the table of "
            f"{len(t.entrants)} entrants. First: {first}. "
            f"Signed by key {result_file.fingerprint(file.public_key)}."
        )
    )
    return DONE


def verdict(record: RaceRecord) -> str:
    """The line about a record of which everything holds."""
    count = len(record.players)
    players = "1 player" if count == 1 else f"{count} players"
    first = [line for line in record.standings if line.rank == 1]
    return (
        f"Race {record.race} on {record.code} holds: seal, moves, scores and ranking of {players}. "
        f"{_winners(first)}"
    )


def _winners(first: list[Standing]) -> str:
    names = " and ".join(line.name for line in first)
    line = first[0]
    if line.status == "won":
        return f"{names} won after {line.time_ms / 1000:.3f} s."
    return f"Nobody won; {names} came first with {line.best} points."


# Output


def _say(text: str) -> None:
    if sys.stdout is None:
        raise Failed("there is no standard output to write to")
    print(text)


def complain(text: str) -> None:
    """Write one line to stderr, whatever the text holds."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(one_line(text), file=sys.stderr, flush=True)


def _can_show(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _forget_stdout() -> None:
    """Let nothing more be written there, so that the end of the program doesn't fail again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
