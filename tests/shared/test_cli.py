"""The command `halfmoon`: what it prints, how it ends, and that it never ends in a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint

import pytest

from halfmoon import cli
from halfmoon.engine.codes import Code, Variant
from halfmoon_testing import oracle

CODE = "HM1-N-AAAAAAB"
HALFMOON = [sys.executable, "-m", "halfmoon"]

Captured = pytest.CaptureFixture[str]


def failure(captured: Captured) -> str:
    """The one line that a failing command leaves."""
    out, err = captured.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1
    return err


def run(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The command as a program of its own."""
    return subprocess.run(
        [*HALFMOON, *arguments], capture_output=True, text=True, timeout=30, check=False, env=env
    )


# The command line


def test_help_lists_the_verbs(capsys: Captured) -> None:
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    for verb in ("deal", "code", "verify"):
        assert f"\n    {verb} " in out


@pytest.mark.parametrize("verb", ["deal", "code", "verify"])
def test_every_verb_has_help_with_an_example(verb: str, capsys: Captured) -> None:
    assert cli.main([verb, "--help"]) == 0
    assert f"example:\n  halfmoon {verb}" in capsys.readouterr().out


def test_version(capsys: Captured) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("halfmoon ")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ([], "a verb is missing; see halfmoon --help"),
        (["--"], "see halfmoon --help"),
        (["dael"], "there is no verb 'dael'; see halfmoon --help"),
        (["dael\nnow"], r"there is no verb 'dael\nnow'"),
        ([""], "there is no verb ''"),
        (["--jsn"], "--jsn"),
        (["deal"], "required: CODE; see halfmoon deal --help"),
        (["deal", CODE, "--js"], "unrecognized arguments: --js; see halfmoon --help"),
        (["deal", CODE, CODE], f"unrecognized arguments: {CODE}"),
        (["deal", CODE, "--json=1"], "--json"),
        (["code", "--sealed", "\x1b[2J"], r"\x1b[2J"),
        (["verify"], "required: FILE"),
        (["--version=3"], "--version"),
    ],
)
def test_a_command_line_that_cannot_be_read_is_2_and_one_line(
    arguments: list[str], fault: str, capsys: Captured
) -> None:
    assert cli.main(arguments) == 2
    assert fault in failure(capsys)


def test_it_runs_as_a_module_and_says_nothing_else() -> None:
    done = run("deal", CODE, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["code"] == CODE


# deal


def test_deal_as_json_is_the_deal_of_the_contract(capsys: Captured) -> None:
    assert cli.main(["deal", CODE, "--json"]) == 0
    deck = oracle.deck(CODE)
    assert json.loads(capsys.readouterr().out) == {
        "code": CODE,
        "piles": [deck[8 * pile : 8 * pile + 8] for pile in range(12)],
        "reserve": deck[96:],
    }


@pytest.mark.parametrize(
    "text", ["hm1naaaaaab", f"  {CODE}\t", f"-{CODE}", "--HM1--N--AAAAAAB-", "-hm1-n-aaaaaab"]
)
def test_deal_reads_a_code_leniently(text: str, capsys: Captured) -> None:
    assert cli.main(["deal", text, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["code"] == CODE


@pytest.mark.parametrize(
    "text", ["", "-", "HM2-N-AAAAAAB", "HM1-N-AAAAAA", "HM1-N-AAA AAAB", "HM1–N–AAAAAAB", "\udc80"]
)
def test_a_code_that_cannot_be_read_is_1_and_names_an_example(text: str, capsys: Captured) -> None:
    assert cli.main(["deal", text]) == 1
    assert "a code looks like HM1-N-AAAAAAB" in failure(capsys)


def test_a_terminal_without_suits_gets_letters() -> None:
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    assert "[4C]" in run("deal", CODE, env=latin).stdout
    posix = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    posix.pop("PYTHONIOENCODING", None)
    assert "[4C]" in run("deal", CODE, env=posix).stdout


# code


@pytest.mark.parametrize(("options", "letters"), [([], 7), (["--sealed"], 28)])
def test_code_prints_a_fresh_code(options: list[str], letters: int, capsys: Captured) -> None:
    assert cli.main(["code", *options]) == 0
    assert cli.main(["code", *options]) == 0
    first, second = capsys.readouterr().out.split()
    assert first != second
    for text in (first, second):
        assert str(Code.parse(text)) == text
        assert len(Code.parse(text).letters) == letters


def test_a_fresh_code_is_any_code_of_its_variant() -> None:
    assert str(cli.fresh_code(Variant.NORMAL, lambda n: n - 1)) == "HM1-N-ZZZZZZZ"
    assert str(cli.fresh_code(Variant.SEALED, lambda _: 1)) == "HM1-S-" + "A" * 27 + "B"


# The verbs of others


@contextmanager
def verbs_of_others(monkeypatch: pytest.MonkeyPatch, **places: str) -> Iterator[None]:
    entries = [EntryPoint(name, place, "halfmoon.verbs") for name, place in places.items()]
    with monkeypatch.context() as patch:
        patch.setattr(cli, "entry_points", lambda group: entries if group else [])
        yield


def add_wave(verbs: cli.Verbs[cli.Parser]) -> None:
    """A verb as another package would bring it."""
    parser = verbs.add_parser("wave", help="wave a hand")
    parser.add_argument("--twice", action="store_true")
    parser.set_defaults(run=lambda options: 1 if options.twice else 0)


def add_fail(verbs: cli.Verbs[cli.Parser]) -> None:
    """A verb that can't do it."""

    def fail(_: object) -> int:
        raise cli.Failed("no hand is free: put something down")

    verbs.add_parser("fail").set_defaults(run=fail)


def test_a_verb_of_another_package_is_listed_and_run(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    with verbs_of_others(monkeypatch, wave=f"{__name__}:add_wave", deal="nowhere:at_all"):
        assert cli.main(["wave"]) == 0
        assert cli.main(["wave", "--twice"]) == 1
        assert cli.main(["--help"]) == 0
        assert "wave a hand" in capsys.readouterr().out
        assert cli.main(["wave", "--thrice"]) == 2
        assert "--thrice" in failure(capsys)


def test_what_fails_in_it_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    with verbs_of_others(monkeypatch, fail=f"{__name__}:add_fail"):
        assert cli.main(["fail"]) == 1
        assert failure(capsys) == "halfmoon: no hand is free: put something down\n"


@pytest.mark.parametrize("place", ["halfmoon_nowhere:add", "halfmoon.cli:add_nothing"])
def test_a_verb_that_cannot_be_loaded_is_not_listed_but_says_why(
    place: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    with verbs_of_others(monkeypatch, gone=place):
        assert cli.main(["--help"]) == 0
        assert "gone" not in capsys.readouterr().out
        assert cli.main(["gone"]) == 1
        assert "gone can't be loaded (" in failure(capsys)
        assert cli.main(["code"]) == 0
