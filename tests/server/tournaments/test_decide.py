"""What is asked of a tournament, and what comes of it or why nothing does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from halfmoon.wire.tournaments import Correction, EntryKind, Format
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments import heats, views, words
from halfmoon_server.tournaments.evolve import create, evolve
from halfmoon_server.tournaments.reasons import reasons
from halfmoon_server.tournaments.state import Entrant
from halfmoon_testing.tournaments import Play

TO = Correction(status="retired", best=100, time_ms=9000, reason="the jury saw it")


def stage(play: Play) -> str:
    return play.t.stage


# Entries


def test_of_two_whose_names_look_alike_the_later_has_a_number_wherever_a_name_is_told() -> None:
    play = Play(entry="open")
    for player in ("p_1", "p_2", "p_3"):
        play.ask(q.Enter(player, "Anna", None, play.chance()))
    assert [one.get("number") for one in play.state()["entrants"]] == [None, 2, 3]
    assert [line.text for line in words.log_lines(play.events)][1:] == [
        "Anna came in.", "Anna ② came in.", "Anna ③ came in.",
    ]  # fmt: skip
    play.draw()
    _, seated = heats.room_of(play.t, play.t.rounds[0], play.t.rounds[0].heats[0], (), 0)
    assert [seat.number for seat in seated.seats] == [None, 2, 3]


def test_a_mistyped_name_is_mended_or_taken_off_the_list_before_the_first_round() -> None:
    play = Play()
    a, b, c = play.add(3, absent=2)
    name_b = play.t.entrants[b].name
    play.ask(q.Rename(a, name_b.upper()))
    assert (play.t.entrants[a].name, play.t.entrants[a].number) == (name_b.upper(), 2)
    assert play.ask(q.Rename(a, name_b.upper())) == ()
    absent = next(one for one in (a, b, c) if play.t.entrants[one].player is None)
    here = next(one for one in (a, b, c) if play.t.entrants[one].player is not None)
    assert play.refused(q.Remove(here)) == "wrong_state"
    assert play.refused(q.Remove("e9")) == play.refused(q.Rename("e9", "X")) == "unknown_entrant"
    play.ask(q.Remove(absent))
    assert absent not in play.t.entrants
    assert absent not in play.t.seeds
    [d] = play.add(1)
    assert d == "e4", "an id is not used again"
    last = [*words.log_lines(play.events)][-3:]
    assert (last[0].what, last[0].name is not None) == ("entrant_removed", True)
    play.draw()
    assert play.refused(q.Rename(a, "Late")) == play.refused(q.Remove(a)) == "wrong_state"


def test_who_has_not_come_is_left_out_and_is_in_again_by_coming() -> None:
    play = Play("swiss")
    a, b, c, d = play.add(4, absent=1)
    [late] = [one for one in (a, b, c, d) if play.t.entrants[one].player is None]
    claim = play.t.entrants[late].claim
    *_, drawn = play.ask(q.DrawRound(play.chance(), without_absent=True))
    assert isinstance(drawn, e.RoundDrawn)
    assert late not in {*drawn.byes, *(one for heat in drawn.heats for one in heat.entrants)}
    line = next(one for one in play.state()["entrants"] if one["entrant"] == late)
    assert (line["active"], line["awaited"]) == (False, True)
    came = play.ask(q.Enter("p_late", "Late", claim, play.chance()))
    assert [type(one) for one in came] == [e.EntryTaken, e.Readmitted]
    assert play.t.entrants[late].is_active


def test_the_code_of_somebody_withdrawn_is_not_taken() -> None:
    play = Play()
    a, *_ = play.add(3, absent=3)
    claim = play.t.entrants[a].claim
    play.ask(q.Withdraw(a))
    assert play.refused(q.Enter("p_9", "X", claim, play.chance())) == "not_allowed"
    play.ask(q.Readmit(a))
    play.ask(q.Enter("p_9", "X", claim, play.chance()))
    assert e.read_entry(
        '{"events":[{"at":1,"by":"organiser","type":"withdrawn","entrant":"e1"}]}'
    ).events == (e.Withdrawn(at=1, by="organiser", entrant="e1"),)


def test_a_claim_is_taken_once_in_any_case_with_dashes_anywhere() -> None:
    play = Play()
    [a] = play.add(1, absent=1)
    claim = play.t.entrants[a].claim
    bent = "-".join(claim.replace(" ", "").lower())
    assert [type(one) for one in play.ask(q.Enter("p_1", "Ann", bent, play.chance()))] == [
        e.EntryTaken
    ]
    assert play.ask(q.Enter("p_1", "Ann", claim, play.chance())) == ()
    assert play.ask(q.Enter("p_1", "Ann", None, play.chance())) == ()
    assert play.refused(q.Enter("p_2", "Ben", claim, play.chance())) == "not_allowed"
    assert play.refused(q.Enter("p_2", "Ben", "nonsense", play.chance())) == "unauthorized"
    assert play.refused(q.Enter("p_2", "Ben", None, play.chance())) == "not_allowed"


def test_nobody_has_two_entries() -> None:
    play = Play(entry="open")
    [a] = play.add(1, absent=1)
    play.ask(q.Enter("p_1", "Ann", None, play.chance()))
    claim = play.t.entrants[a].claim
    assert play.refused(q.Enter("p_1", "Ann", claim, play.chance())) == "not_allowed"
    assert len(play.t.entrants) == 2


@pytest.mark.parametrize("entry", ["list", "open"])
def test_a_renewed_claim_moves_the_entry_and_its_seat_to_another_player(entry: EntryKind) -> None:
    play = Play(entry=entry)
    a, b = play.add(2)
    [heat] = play.draw().heats
    assert play.t.holders(heat) == {}
    play.ask(q.RenewClaim(a, play.chance()))
    play.ask(q.Enter("p_new", "Ann", play.t.entrants[a].claim, play.chance()))
    assert play.t.holders(heat) == {f"p_{a}": "p_new", f"p_{b}": f"p_{b}"}
    assert play.refused(q.Enter(f"p_{a}", "Ann", None, play.chance())) == "not_allowed"
    assert play.refused(q.Enter("p_eve", "?", play.t.entrants[a].claim, play.chance())) == (
        "not_allowed"
    ), "it is used up"
    seats = {a: "p_new"}
    play.ask(q.FinishHeat(1, 1, play.now, play.results(heat), play.chance(), seats))
    assert play.t.rounds[0].heats[0].seats == {a: "p_new", b: f"p_{b}"}
    assert play.draw().heats[0].seats[a] == "p_new"
    assert len(play.rows()) == 2


def test_who_uses_the_new_claim_of_their_own_entry_has_used_it_up() -> None:
    play = Play()
    a, _ = play.add(2)
    play.ask(q.RenewClaim(a, play.chance()))
    play.take(a)
    again = play.t.entrants[a].claim
    assert play.ask(q.Enter(f"p_{a}", "?", again, play.chance())) == ()
    assert play.refused(q.Enter("p_eve", "?", again, play.chance())) == "not_allowed"


def test_who_comes_late_plays_from_the_next_round_on() -> None:
    play = Play(entry="open")
    play.add(2)
    play.draw()
    play.ask(q.Enter("p_late", "Late", None, play.chance()))
    assert len(play.t.rounds[0].heats[0].entrants) == 2
    play.race()
    assert len(play.draw().heats[0].entrants) == 3


def test_whose_entry_nobody_took_by_the_draw_is_absent_whenever_they_come() -> None:
    play = Play()
    a, b = play.add(2, absent=1)
    heat = play.draw().heats[0]
    play.take(b)
    assert [*heat.seats] == [a]
    assert views.state(play.t, (), 0).heats[0].absent == [b]
    play.race()
    assert [*play.draw().heats[0].seats] == [a, b]
    assert [line.absent for line in views.state(play.t, (), 0).heats] == [[b], None]


# Rounds


def test_a_round_is_drawn_when_none_runs_and_two_are_there() -> None:
    play = Play(rounds=2)
    [a] = play.add(1)
    assert play.refused(q.DrawRound(play.chance())) == "wrong_state"
    play.add(1)
    play.draw()
    assert play.refused(q.DrawRound(play.chance())) == "wrong_state"
    play.race()
    play.ask(q.Withdraw(a))
    assert play.refused(q.DrawRound(play.chance())) == "wrong_state"
    play.ask(q.Readmit(a))
    play.play()
    assert stage(play) == "over"
    assert play.refused(q.DrawRound(play.chance())) == "wrong_state"


def test_a_heat_size_spreads_a_series_over_even_heats() -> None:
    play = Play(heat_size=8)
    play.add(28)
    one = play.draw()
    assert [len(heat.entrants) for heat in one.heats] == [7, 7, 7, 7]
    assert len({heat.code for heat in one.heats}) == 1
    assert len({heat.room for heat in one.heats}) == 4


def test_an_annulled_round_does_not_use_one_up_and_its_number_is_not_used_again() -> None:
    play = Play("swiss", rounds=2)
    play.add(4)
    play.play(2)
    assert stage(play) == "over"
    assert play.refused(q.Annul(3, "?")) == "unknown_round"
    play.ask(q.Annul(2, "the lights went out"))
    assert play.refused(q.Annul(2, "again")) == "wrong_state"
    assert stage(play) == "break"
    assert play.draw().round == 3
    play.race()
    assert stage(play) == "over"
    assert {one["round"] for row in play.rows() for one in row["rounds"]} == {1, 3}


def test_meetings_and_byes_of_an_annulled_round_count_for_nothing() -> None:
    play = Play("swiss", rounds=2)
    play.add(3)
    play.play()
    bye = play.t.rounds[0].byes
    play.ask(q.Annul(1, "power cut"))
    assert play.draw().byes == bye


def test_a_round_is_ended_early_with_a_reason_in_its_countdown_too() -> None:
    play = Play(rounds=3)
    play.add(2)
    assert play.refused(q.EndRound(1, "the bell")) == "unknown_round"
    play.draw()
    [ended] = play.ask(q.EndRound(1, "the bell"))
    assert isinstance(ended, e.RoundEnded)
    assert play.t.rounds[0].is_cut(play.t.rounds[0].heats[0])
    assert play.state()["ended_early"] == [{"round": 1, "reason": "the bell", "at": ended.at}]
    [*_, line] = words.log_lines(play.events)
    assert (line.what, line.round, line.reason) == ("round_ended", 1, "the bell")
    play.race()
    assert not play.t.rounds[0].is_cut(play.t.rounds[0].heats[0])
    assert play.refused(q.EndRound(1, "again")) == "wrong_state"


def deserted(play: Play, *, actions: int = 0) -> None:
    """A round in which somebody did so much, and the others nothing."""
    one = play.draw()
    for heat in one.heats:
        lines = [
            e.RacedLine(
                entrant=entrant, status="timed_out", best=0, moves=0, actions=number and actions,
                time_ms=0,
            )
            for number, entrant in enumerate(heat.seats)
        ]  # fmt: skip
        play.finish(one.round, heat, lines)


@pytest.mark.parametrize("absent", [0, 3])
def test_rounds_follow_no_further_by_themselves_where_nobody_was_there(absent: int) -> None:
    play = Play(rounds=5)
    play.add(3, absent=absent)
    play.ask(q.SetAutomatic(60_000, paused=False))
    deserted(play)
    assert play.t.next_at is None
    assert play.state()["automatic"] == {"break_ms": 60_000, "paused": False, "waiting": True}
    [again] = play.ask(q.SetAutomatic(60_000, paused=False))
    assert play.t.next_at == again.at + 60_000
    assert play.ask(q.SetAutomatic(60_000, paused=False)) == ()
    deserted(play)
    assert play.t.is_waiting


def test_rounds_follow_by_themselves_as_long_as_one_did_something() -> None:
    play = Play(rounds=5)
    play.add(3)
    play.ask(q.SetAutomatic(60_000, paused=False))
    deserted(play, actions=1)
    assert play.t.next_at is not None


def test_a_running_round_is_not_annulled_nor_the_tournament_ended() -> None:
    play = Play()
    play.add(2)
    play.draw()
    assert play.refused(q.Annul(1, "?")) == "wrong_state"
    assert play.refused(q.End()) == "wrong_state"
    assert play.refused(q.Correct(1, "e1", TO, play.chance())) == "wrong_state"
    play.race()
    play.ask(q.End())
    assert stage(play) == "over"
    assert play.refused(q.End()) == "wrong_state"
    assert play.refused(q.AddEntrants(["Late"], play.chance())) == "wrong_state"


def test_a_heat_is_over_once() -> None:
    play = Play()
    play.add(2)
    heat = play.draw().heats[0]
    lines = play.results(heat)
    play.finish(1, heat, lines)
    again = q.FinishHeat(1, 1, play.now, lines[:1], play.chance())
    assert play.ask(again) == ()


# The director


def test_a_correction_keeps_what_was_raced_beside_it() -> None:
    play = Play()
    play.add(2, absent=1)
    play.play()
    before = play.state()["heats"][0]["results"][0]
    play.ask(q.Correct(1, "e1", TO, play.chance()))
    play.ask(q.Correct(1, "e1", TO.model_copy(update={"best": 90}), play.chance()))
    after = play.state()["heats"][0]["results"][0]
    assert after["raw"] == {key: before[key] for key in ("status", "best", "time_ms")}
    assert (after["best"], after["reason"]) == (90, "the jury saw it")
    assert play.refused(q.Correct(1, "e2", TO, play.chance())) == "unknown_result"
    assert play.refused(q.Correct(1, "e9", TO, play.chance())) == "unknown_result"
    assert play.refused(q.Correct(2, "e1", TO, play.chance())) == "unknown_round"


def test_rounds_follow_by_themselves_unless_they_are_paused() -> None:
    play = Play(rounds=3)
    play.add(2)
    play.ask(q.SetAutomatic(30_000, paused=False))
    assert play.t.next_at is None
    play.play()
    assert play.t.current is not None
    assert play.t.next_at == play.t.current.over_at + 30_000
    play.ask(q.SetAutomatic(30_000, paused=True))
    assert play.t.next_at is None
    play.ask(q.SetAutomatic(30_000, paused=False))
    assert play.t.next_at == play.now + 30_000


@pytest.mark.parametrize("request_", [q.Withdraw("e9"), q.Readmit("e9")])
def test_nobody_is_not_an_entrant(request_: q.Request) -> None:
    assert Play().refused(request_) == "unknown_entrant"


def test_seeds_name_everybody_once() -> None:
    play = Play()
    a, b = play.add(2)
    assert play.refused(q.Seed([a])) == "bad_request"
    assert play.refused(q.Seed([a, a])) == "bad_request"
    play.ask(q.Seed([b, a]))
    assert [row["entrant"] for row in play.rows()] == [b, a]


# What is told


@pytest.mark.parametrize("kind", ["series", "swiss", "knockout"])
def test_no_claim_and_no_deal_is_told(kind: Format) -> None:
    play = Play(kind, seed=4)
    play.add(7, absent=1)
    play.draw()
    told = [
        json.dumps(play.state()),
        json.dumps(play.rows()),
        *(line.model_dump_json() for line in words.log_lines(play.events)),
        *(views.entrant_page(play.t, one).model_dump_json() for one in play.t.entrants),
    ]
    code = str(play.t.rounds[0].heats[0].code)
    for text in told:
        assert code not in text
        assert "claim N" not in text


@pytest.mark.parametrize("kind", ["series", "swiss", "knockout"])
def test_every_heat_can_be_explained(kind: Format) -> None:
    play = Play(kind, rounds=3, seed=4)
    play.add(9, absent=1)
    while not play.t.is_over:
        play.play()
    for one in play.t.rounds:
        for heat in one.heats:
            said = words.explanation(play.t, reasons(play.events, one.round, heat.heat))
            assert said.endswith(".")
            if kind == "swiss":
                assert all(play.t.entrants[name].name in said for name in heat.entrants)


def test_a_heat_keeps_its_reasons_whatever_is_corrected_and_annulled_afterwards() -> None:
    play = Play("swiss", rounds=4, seed=4)
    play.add(7)
    play.play(2)
    before = [reasons(play.events, 2, heat.heat) for heat in play.t.rounds[1].heats]
    whys = [[one.why for one in because] for because in before]
    assert whys == [["not_met", "least_differences", "bye"]] * 3
    assert {entrant.points for because in before for entrant in because[0].entrants or ()} > {0.0}
    for heat in play.t.rounds[0].heats:
        for entrant in heat.entrants:
            play.ask(q.Correct(1, entrant, TO, play.chance()))
    play.ask(q.Annul(1, "the deal was known"))
    assert [reasons(play.events, 2, heat.heat) for heat in play.t.rounds[1].heats] == before


def test_events_are_read_back_as_they_were_written_and_lead_to_the_same_tournament() -> None:
    play = Play("swiss", seed=9)
    play.add(5)
    play.play(3)
    play.ask(q.Correct(2, play.t.rounds[1].heats[0].entrants[0], TO, play.chance()))
    play.ask(q.Annul(1, "?x"))
    play.ask(q.Announce("Tea is ready"))
    lines = [e.write_entry(e.Entry(events=(event,))) for event in play.events]
    read = [event for line in lines for event in e.read_entry(line).events]
    assert read == play.events
    made = read[0]
    assert isinstance(made, e.TournamentMade)
    t = create(made)
    for event in read[1:]:
        t = evolve(t, event)
    assert t == play.t


def test_numbers_stand_in_the_log_and_a_log_without_them_still_has_them() -> None:
    play = Play(entry="open")
    play.ask(q.AddEntrants(["Ann", "Ben", "\u0410nn"], q.Chance(play.chance().code, [], [], "abc")))
    play.ask(q.Enter("p_x", "Ann", None, play.chance()))
    numbers = [one.number for one in play.t.entrants.values()]
    assert numbers == [None, None, 2, 3]
    logged = [json.loads(e.write_entry(e.Entry(events=(event,)))) for event in play.events[1:]]
    new = [*logged[0]["events"][0]["entrants"], logged[1]["events"][0]]
    assert [one["number"] for one in new] == [1, 1, 2, 3]
    new[2]["number"] = 7  # as another table of look-alikes may have had it
    assert [one.number for one in replayed(play, logged)] == [None, None, 7, 3]
    for one in new:
        del one["number"]
    assert [one.number for one in replayed(play, logged)] == numbers


def replayed(play: Play, logged: list[dict[str, Any]]) -> list[Entrant]:
    made = play.events[0]
    assert isinstance(made, e.TournamentMade)
    t = create(made)
    for entry in logged:
        for event in e.read_entry(json.dumps(entry)).events:
            t = evolve(t, event)
    return [*t.entrants.values()]
