"""The verbs `check`, `reindex` and `backup`: what an operator does with a data folder."""

import argparse
from collections.abc import Callable
from pathlib import Path

from halfmoon.cli import DONE, FAILED, Failed, Parser, Verbs, complain
from halfmoon_server.cli import folder, home_folder, log_to_stderr
from halfmoon_server.eventlog.base import DataFolderError
from halfmoon_server.upkeep.backup import NotCopied, ask_for_copy, copy_unused
from halfmoon_server.upkeep.check import check, reindex

DEFAULT_PORT = 8080


def add_check(verbs: "Verbs[Parser]") -> None:
    """Add the verb `check` to the command line."""
    parser = verbs.add_parser(
        "check",
        help="look through a data folder: does it hold what was written to it",
        description="Play every log of a data folder again, follow its chain of hashes, and compare "
        "the indexes\nwith it. Exit status 0 if all holds; else 1, and each fault is a line.",
        epilog="example:\n  halfmoon check --data club\n  halfmoon check --data club-backup",
    )
    _add_data(parser)
    parser.set_defaults(run=_check)


def add_reindex(verbs: "Verbs[Parser]") -> None:
    """Add the verb `reindex` to the command line."""
    parser = verbs.add_parser(
        "reindex",
        help="make the indexes of a data folder anew, out of its logs",
        description="Make anew what finds rooms, races and results: all of it follows from the logs.",
        epilog="example:\n  halfmoon reindex --data club",
    )
    _add_data(parser)
    parser.set_defaults(run=_reindex)


def add_backup(verbs: "Verbs[Parser]") -> None:
    """Add the verb `backup` to the command line."""
    parser = verbs.add_parser(
        "backup",
        help="copy a data folder, also while its server runs",
        description="Copy a data folder to a place where there is nothing yet. The copy is whole, "
        "also while a server\nwrites to the folder, and is a data folder itself.",
        epilog="example:\n  halfmoon backup club-monday --data club\n"
        "  halfmoon check --data club-monday\n  halfmoon serve --data club-monday",
    )
    parser.add_argument(
        "file", type=folder, metavar="FILE", help="the copy: a folder that isn't there"
    )
    _add_data(parser)
    parser.set_defaults(run=_backup)


def _add_data(parser: Parser) -> None:
    parser.add_argument(
        "--data",
        type=folder,
        default=home_folder(DEFAULT_PORT),
        metavar="DIR",
        help="the data folder, as given to serve (that of a server on port 8080: %(default)s)",
    )


def _check(options: argparse.Namespace) -> int:
    return _told(
        check, options.data, "holds: every log plays again, and the indexes follow from it"
    )


def _reindex(options: argparse.Namespace) -> int:
    return _told(reindex, options.data, "is indexed anew")


def _backup(options: argparse.Namespace) -> int:
    log_to_stderr()
    source, place = options.data, options.file.absolute()
    try:
        if not ask_for_copy(source, place):
            copy_unused(source, place)
    except (NotCopied, DataFolderError) as error:
        raise Failed(str(error)) from None
    print(f"{source} is copied to {options.file}")
    return DONE


def _told(look: Callable[[Path], list[str]], place: Path, praise: str) -> int:
    """Say what a look at the folder found; the exit status."""
    log_to_stderr()
    try:
        faults = look(place)
    except DataFolderError as error:
        raise Failed(str(error)) from None
    for fault in faults:
        complain(fault)
    if faults:
        return FAILED
    print(f"{place} {praise}")
    return DONE
