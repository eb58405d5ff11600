"""Every limit has an option, whose help shows its default."""

import argparse
from dataclasses import fields

import pytest

from halfmoon_server.limit_options import OPTIONS, add_limits, limits_of
from halfmoon_server.limits import Rate
from halfmoon_server.settings import Limits


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser()
    add_limits(made)
    return made


def test_every_limit_is_an_option_and_its_default_stands(parser: argparse.ArgumentParser) -> None:
    named = [one.field for group in OPTIONS.values() for one in group]
    assert sorted(named) == sorted(field.name for field in fields(Limits))
    assert limits_of(parser.parse_args([])) == Limits()


def test_options_set_their_limits(parser: argparse.ArgumentParser) -> None:
    line = "--limit-rooms 7 --limit-wrong-rooms 5/30 --limit-pings 5/30"
    limits = limits_of(parser.parse_args(line.split()))
    assert limits.rooms == 7
    assert limits.wrong_rooms == Rate(burst=5, per_second=0.5)
    assert limits.pings == Rate(burst=5, per_second=30)


def test_help_shows_every_default(parser: argparse.ArgumentParser) -> None:
    shown = " ".join(parser.format_help().split())
    for text in ("(1024)", "(60/6)", "(9/9)", "(20/10)", "(16384)", "(262144)", "(20000)"):
        assert text in shown
