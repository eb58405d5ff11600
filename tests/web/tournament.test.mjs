import assert from "node:assert/strict";
import { test } from "node:test";

import "../../client/halfmoon_web/js/tournamentwords.js";
import { roundWords } from "../../client/halfmoon_web/js/roundwords.js";
import {
  OUTSIDE, absentFrom, attendance, canEnter, hasBegun, hear, isOut, isSparse, nameOf, nextFor, nextForAll, roundsOf, stillRacing, tableKey,
} from "../../client/halfmoon_web/js/tournament.js";
import { entrant, heat, result, tournament } from "./tournaments.mjs";

const ENTER = { type: "enter", tournament: "T4KQ9" };
const after = (...messages) => messages.reduce((visit, one) => (Array.isArray(one) ? hear(visit, ...one) : hear(visit, one)), OUTSIDE);

test("who enters is told who they are, how things stand, and where they race", () => {
  const visit = after([{ type: "entered", tournament: "T4KQ9", entrant: "e2", re: "1" }, ENTER], tournament(), { type: "round", tournament: "T4KQ9", round: 1, room: "H4K7P", starts_at: 5 });
  assert.equal(visit.entrant, "e2");
  assert.equal(visit.tournament.name, "Club evening");
  assert.deepEqual(visit.call, { round: 1, room: "H4K7P", starts_at: 5 });
});

test("a refusal stands until one is let in, and only refusals of entering count", () => {
  const error = { type: "error", code: "unauthorized", message: "no such claim" };
  assert.equal(after([error, ENTER]).refusal, "unauthorized");
  assert.equal(after([error, { type: "move" }]).refusal, null);
  assert.equal(after([{ ...error, code: "bad_message" }, { type: "hello", name: "" }]).refusal, "name");
  assert.equal(after([error, ENTER], [{ type: "entered", tournament: "T4KQ9", entrant: "e1" }, ENTER]).refusal, null);
});

test("before the first round and between rounds one hears what is waited for", () => {
  assert.equal(nextFor(tournament(), "e1"), "entry");
  const pause = tournament({ state: "break", round: 1 });
  assert.equal(nextFor(pause, "e1"), "break");
  assert.equal(nextFor({ ...pause, round: 2 }, "e1"), "last");
  assert.equal(nextFor({ ...pause, round: 3, annulled: [{ round: 1, reason: "power cut" }] }, "e1"), "last");
  assert.equal(nextFor({ ...pause, next_at: 9 }, "e1"), "next");
  assert.equal(nextForAll({ ...pause, automatic: { break_ms: 60_000, paused: true } }), "paused");
  assert.equal(nextFor({ ...pause, state: "over" }, "e1"), "over");
});

test("an annulled round keeps its number, and isn't counted among those planned", () => {
  const annulled = [{ round: 2, reason: "power cut" }];
  assert.equal(roundWords(tournament({ round: 3, rounds: 4 })), "Round 3 of 4");
  assert.equal(roundWords(tournament({ round: 5, rounds: 4, annulled })), "Round 5 (4 of 4 that count)");
  assert.equal(roundWords(tournament({ round: 2, rounds: undefined })), "Round 2");
});

test("who has a name that somebody before has is told apart by a number", () => {
  const two = tournament({ entrants: [entrant(1, { name: "Ana" }), entrant(2, { name: "Ben" }), entrant(3, { name: "Ana", number: 2 }), entrant(4, { name: "\u0410na", number: 3 })] });
  assert.deepEqual(["e1", "e2", "e3", "e4", "e9"].map((one) => nameOf(two, one)), ["Ana", "Ben", "Ana ②", "\u0410na ③", "?"]);
});

test("who took an entry over in mid-round has no seat in it, and isn't sent to one", () => {
  const running = tournament({ state: "racing", round: 1, heats: [heat(1, 1, [1, 2], { room: "H4K7P", state: "racing" })] });
  const call = { round: 1, room: "H4K7P", starts_at: 5 };
  assert.equal(nextFor(running, "e1", call), "race");
  assert.equal(nextFor(running, "e1", null), "elsewhere");
  assert.equal(nextFor(running, "e1", { ...call, room: "OTHER" }), "elsewhere");
  assert.equal(nextFor({ ...running, state: "over" }, "e1", null), "over");
});

test("who takes an entry while the round runs that was drawn without them plays from the next one on", () => {
  const running = tournament({ state: "racing", round: 1, heats: [heat(1, 1, [1, 2], { state: "racing", absent: ["e1"] })] });
  assert.equal(nextFor(running, "e1", null), "late");
  assert.equal(roundsOf(running, "e1")[0].isAbsent, true);
});

test("while a round runs, each hears their own", () => {
  const running = tournament({
    format: "swiss", state: "racing", round: 2, byes: [{ round: 2, entrant: "e5" }],
    entrants: [1, 2, 3, 4, 5, 6].map((number) => entrant(number)).concat([entrant(7, { active: false }), entrant(8, { taken: false })]),
    heats: [heat(2, 1, [1, 2], { state: "racing" }), heat(2, 2, [3, 4], { results: [result(3, 1), result(4, 2)] }), heat(2, 3, [6, 8], { state: "racing" })],
  });
  const told = Object.fromEntries(["e1", "e3", "e4", "e5", "e7", "e8", "e9"].map((one) => [one, nextFor(running, one)]));
  assert.deepEqual(told, { e1: "race", e3: "done", e4: "done", e5: "bye", e7: "withdrawn", e8: "absent", e9: "late" });
});

test("in a knockout the loser is out, an exact equal isn't, and an annulled heat puts nobody out", () => {
  const lost = heat(1, 1, [1, 2], { results: [result(1, 1), result(2, 2)] });
  const knockout = (...heats) => tournament({ format: "knockout", state: "break", round: 1, heats });
  assert.deepEqual(["e1", "e2"].map((one) => isOut(knockout(lost), one)), [false, true]);
  assert.equal(nextFor(knockout(lost), "e2"), "out");
  const equal = heat(1, 1, [1, 2], { results: [result(1, 1), result(2, 1)] });
  assert.equal(isOut(knockout(equal), "e2"), false);
  const again = heat(1, 2, [1, 2], { results: [result(2, 1), result(1, 2)] });
  assert.deepEqual(["e1", "e2"].map((one) => isOut(knockout(equal, again), one)), [true, false]);
  assert.equal(isOut(knockout({ ...lost, annulled: true }), "e2"), false);
  assert.equal(isOut(knockout(heat(1, 1, [1, 2], { results: [result(1, 1)] })), "e2"), true);
  assert.equal(isOut({ ...knockout(lost), format: "swiss" }, "e2"), false);
});

test("one's own rounds are there with byes, absences, corrections and annulled rounds", () => {
  const corrected = result(1, 1, { raw: { status: "retired", best: 0, time_ms: 0 }, reason: "misread" });
  const rounds = roundsOf(tournament({
    round: 4, byes: [{ round: 2, entrant: "e1" }], annulled: [{ round: 3, reason: "fire alarm" }],
    heats: [heat(1, 1, [1, 2], { results: [corrected, result(2, 2)] }), heat(2, 1, [2, 3]), heat(3, 1, [1, 3], { results: [result(3, 1)], absent: ["e1"], annulled: true }), heat(4, 1, [1, 2], { state: "racing" })],
  }), "e1");
  assert.deepEqual(rounds.map(({ round, heat: one, result: line, annulled, isAbsent }) => [round, one?.heat, line?.reason, annulled, isAbsent]), [
    [4, 1, undefined, false, false], [3, 1, undefined, true, true], [2, undefined, undefined, false, false], [1, 1, "misread", false, false],
  ]);
});

test("who is absent, who is here and who is ready", () => {
  assert.deepEqual(absentFrom(heat(1, 1, [1, 2, 3], { state: "racing", absent: ["e1", "e3"] })), ["e1", "e3"]);
  assert.deepEqual(absentFrom(heat(1, 1, [1, 2])), []);
  const some = tournament({ entrants: [entrant(1), entrant(2, { online: false }), entrant(3, { taken: false, online: false }), entrant(4, { active: false })] });
  assert.deepEqual(attendance(some), { online: 1, taken: 2, all: 3 });
});

test("a round for few is doubted, whatever is on the list, and none where most are here", () => {
  const here = (...online) => isSparse(tournament({ entrants: online.map((is, i) => entrant(i + 1, { online: is, taken: is })) }));
  assert.deepEqual([here(false, false), here(true, false, false), here(true, false), here(true, true), here()], [true, true, false, false, true]);
});

test("who comes can come in, but not once a bracket is drawn, every place of a list is taken, or all is over", () => {
  const drawn = { state: "break", round: 1 };
  assert.equal(canEnter(tournament()), true);
  assert.equal(canEnter(tournament(drawn)), true);
  assert.equal(canEnter(tournament({ ...drawn, format: "knockout" })), false);
  assert.equal(canEnter(tournament({ ...drawn, format: "knockout", annulled: [{ round: 1, reason: "x" }] })), true);
  assert.equal(canEnter(tournament({ entry: "list" })), false);
  assert.equal(canEnter(tournament({ entry: "list", entrants: [entrant(1), entrant(2, { taken: false })] })), true);
  assert.equal(canEnter(tournament({ state: "over" })), false);
});

test("a round that has begun can be ended, and it is told how many still race", () => {
  const running = tournament({
    state: "racing", round: 1, entrants: [entrant(1), entrant(2), entrant(3), entrant(4, { taken: false })],
    heats: [heat(1, 1, [1, 2], { state: "racing" }), heat(1, 2, [3, 4], { state: "racing" }), heat(1, 3, [5], { state: "over", results: [] })],
  });
  const players = ["racing", "retired"].map((status) => ({ status }));
  assert.equal(hasBegun(running), true);
  assert.equal(nextForAll(running), "running");
  assert.equal(stillRacing(running, {}), 3);
  assert.equal(stillRacing(running, { ROOM11: { players } }), 2);
  assert.equal(hasBegun(tournament({ state: "racing", round: 1, heats: [heat(1, 1, [1, 2], { state: "countdown" })] })), false);
  assert.equal(hasBegun(tournament()), false);
});

test("after a round in which nobody was there, all hear why the next one waits", () => {
  const waits = tournament({ state: "break", round: 1, automatic: { break_ms: 60_000, paused: false, waiting: true } });
  assert.equal(nextForAll(waits), "deserted");
  assert.equal(nextFor(waits, "e1"), "deserted");
});

test("the table is asked for when a round is over, somebody comes or goes, or something is corrected, and at no other time", () => {
  const before = tournament({ state: "racing", round: 2, heats: [heat(1, 1, [1, 2], { results: [result(1, 1)] }), heat(2, 1, [1, 2], { state: "racing" })] });
  const same = { ...before, announcement: { text: "Tea", at: 1 }, entrants: before.entrants.map((line) => ({ ...line, online: false })) };
  assert.equal(tableKey(same), tableKey(before));
  const corrected = { ...before, heats: [heat(1, 1, [1, 2], { results: [result(1, 1, { raw: { status: "won", best: 1, time_ms: 1 } })] })] };
  for (const other of [{ ...before, state: "break" }, { ...before, annulled: [{ round: 1, reason: "x" }] }, corrected, { ...before, entrants: before.entrants.slice(1) }]) {
    assert.notEqual(tableKey(other), tableKey(before));
  }
});
