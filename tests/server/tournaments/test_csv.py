"""The table for a spreadsheet: as people read it, and as their spreadsheet does."""

from __future__ import annotations

import csv
import io

from halfmoon.wire.tournaments import Correction, RoundPoints, Standings, TableRow
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import views
from halfmoon_server.tournaments.csv import clock_text, csv_of
from halfmoon_testing.tournaments import Play


def row(entrant: str, points: float) -> TableRow:
    return TableRow(
        rank=1, entrant=entrant, name="?", points=points, wins=1, best=40, time_ms=62_045,
        rounds=[RoundPoints(round=1, points=points)], active=True,
    )  # fmt: skip


def named(*names: str) -> Play:
    play = Play("series")
    claims = [f"claim {number}" for number, _ in enumerate(names)]
    play.ask(q.AddEntrants(names, q.Chance(play.chance().code, [], [], claims)))
    return play


def read(text: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))]


def test_where_a_comma_stands_before_decimals_the_table_has_semicolons() -> None:
    t, table = named("1.5; x").t, Standings(rule="", rows=[row("e1", 83.3)])
    text = csv_of(t, table, has_semicolons=True)
    assert text.splitlines()[1] == '1;e1;"1.5; x";;83,30;1;40;62045;1:02.045;83,30;;;'
    assert csv_of(t, table).splitlines()[1].count(",") == 12


def test_points_have_one_number_of_decimals_and_times_are_readable() -> None:
    t = named("Ann", "Ben").t
    lines = read(csv_of(t, Standings(rule="", rows=[row("e1", 100), row("e2", 96.3)])))
    assert [line["points"] for line in lines] == ["100.00", "96.30"]
    assert [line["round 1"] for line in lines] == ["100.00", "96.30"]
    assert (lines[0]["time_ms"], lines[0]["time"]) == ("62045", "1:02.045")
    assert clock_text(3_723_004) == "1:02:03.004"


def test_of_two_with_the_same_name_the_later_has_a_number() -> None:
    t = named("Anna", "Ben", "Anna", "Anna ②").t
    lines = read(csv_of(t, views.standings(t)))
    assert [line["name"] for line in lines] == ["Anna", "Ben", "Anna ②", "Anna ② ③"]


def test_a_corrected_result_is_marked_with_its_reason() -> None:
    play = Play("series")
    a, b = play.add(2)
    play.play()
    to = Correction(status="retired", best=100, time_ms=9000, reason="a card was misread")
    play.ask(q.Correct(1, a, to, play.chance()))
    lines = read(csv_of(play.t, views.standings(play.t)))
    marks = {line["entrant"]: line["corrected"] for line in lines}
    assert marks == {a: "round 1: a card was misread", b: ""}


def test_byes_and_absences_are_marked_with_their_rounds() -> None:
    t = named("Ann", "Ben", "Eve").t
    bye = row("e1", 1).model_copy(update={"rounds": [RoundPoints(round=1, points=1, bye=True)]})
    away = RoundPoints(round=1, points=0, absent=True)
    absent = row("e2", 0).model_copy(update={"rounds": [away]})
    lines = read(csv_of(t, Standings(rule="", rows=[bye, absent, row("e3", 0)])))
    assert [line["byes"] for line in lines] == ["round 1", "", ""]
    assert [line["absent"] for line in lines] == ["", "round 1", ""]
