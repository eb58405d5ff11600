import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { SPOTS } from "../../client/halfmoon_web/js/cards.js";
import { canonicalCode } from "../../client/halfmoon_web/js/codes.js";
import { dealOf, deckOf } from "../../client/halfmoon_web/js/deal.js";
import { attempt, beginning, beneath, boardOf, exposedAt, takenBack } from "../../client/halfmoon_web/js/position.js";
import { standingsOf } from "../../client/halfmoon_web/js/standing.js";
import { verify } from "../../client/halfmoon_web/js/verify.js";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const VECTORS = read("../vectors/replays.json");

test("the check values of the contract", () => {
  const values = {
    "HM1-N-AAAAAAA": "1a12e63e0abe0f30", "HM1-N-AAAAAAB": "1ddf5956ca1dcc3e", "HM1-N-AAAAAAZ": "deb79bd90385d005",
    "HM1-N-AAAAABA": "a339bfe1e6e73ef3", "HM1-N-ZZZZZZZ": "c17dd221d655e071",
  };
  for (const [code, value] of Object.entries(values)) {
    assert.equal(createHash("sha256").update(deckOf(code).join()).digest("hex").slice(0, 16), value, code);
  }
});

test("deals are those of the engine, sealed ones too", () => {
  for (const { code, cards } of read("../shared/golden_decks.json")) assert.equal(deckOf(code).join(" "), cards, code);
});

test("a deal lies bottom to top on twelve piles and eight places", () => {
  const [deal, deck] = [dealOf("HM1-N-AAAAAAB"), deckOf("HM1-N-AAAAAAB")];
  assert.deepEqual(deal.map((cards) => cards.length), [...Array(12).fill(8), ...Array(8).fill(1)]);
  assert.deepEqual(deal.flat(), deck);
});

test("a code is read leniently and nothing else is one", () => {
  for (const text of [" hm1naaaaaab\n", "HM1-N-AAAAAAB", "-h-M1-n-aaaa-aab"]) assert.equal(canonicalCode(text), "HM1-N-AAAAAAB");
  assert.equal(canonicalCode("hm1s" + "abcdefg".repeat(4)), "HM1-S-" + "ABCDEFG".repeat(4));
  for (const text of ["", "HM1-N-AAAAAA", "HM1-N-AAAAAAAB", "HM2-N-AAAAAAB", "HM1-N-AAA AAAB", "HM1-ſ-" + "A".repeat(28), "HM1-N-AAAAAA1", "HM1–N–AAAAAAB"]) {
    assert.equal(canonicalCode(text), null, text);
  }
});

for (const { record, boards } of VECTORS) {
  test(`the race on ${record.code} goes as in the engine`, () => {
    const { replay, fault } = verify(JSON.stringify(record));
    assert.equal(fault, null);
    boards.forEach((seen, seat) => seen.forEach(([score, moves, status, exposed], i) => {
      const { position } = replay.runs[seat][i];
      const cards = SPOTS.map((spot) => exposedAt(replay.deal, position, spot) ?? "--").join(" ");
      assert.deepEqual([position.score, position.moves, position.status, cards], [score, moves, status, exposed], `${seat}, ${i}`);
    }));
  });
}

const DEAL = dealOf("HM1-N-AAAAAAB");
/** The deal on which every spot shows what a test needs. */
const made = (tops) => SPOTS.map((spot, i) => (i < 12 ? ["KS", tops[spot] ?? "2S"] : [tops[spot] ?? "2S"]));

test("a refusal names the first reason that applies", () => {
  const deal = made({ 1: "5S", 2: "6D", 3: "JH", 4: "QH", 5: "KH", 6: "5C" });
  let position = beginning(deal);
  const reason = (...spots) => attempt(deal, position, spots).reason;
  assert.equal(reason("1", "13"), "unknown_spot");
  assert.equal(reason("__proto__", "1"), "unknown_spot");
  assert.equal(reason("1", "1", "2", "3"), "same_spot");
  assert.equal(reason("1"), "wrong_count");
  assert.equal(reason("1", "3"), "need_jack_queen_king");
  assert.equal(reason("3", "4"), "need_jack_queen_king");
  assert.equal(reason("1", "6"), "not_eleven");
  assert.equal(reason("1", "2", "6"), "not_eleven");
  assert.equal(reason("3", "5", "4"), null);
  for (const spots of [["1", "2"]]) position = attempt(deal, position, spots).position;
  assert.deepEqual(["1", "2"].map((spot) => exposedAt(deal, position, spot)), ["KS", "KS"]);
  assert.equal(beneath(deal, position, "1"), null);
  assert.equal(beneath(deal, position, "6"), "KS");
  const bare = { ...position, counts: position.counts.map((count, i) => (i === 0 ? 0 : count)) };
  assert.equal(attempt(deal, bare, ["1", "6"]).reason, "empty_spot");
});

test("an undo brings everything back but the count of actions", () => {
  const start = beginning(DEAL);
  const spots = SPOTS.flatMap((one, i) => SPOTS.slice(i + 1).map((other) => [one, other])).find((pair) => attempt(DEAL, start, pair).position);
  const { position } = attempt(DEAL, start, spots);
  assert.equal(position.score, 10);
  assert.deepEqual(takenBack(position), { ...start, turn: 2 });
  assert.equal(takenBack(start), null);
});

test("the cards alone say how a board stands", () => {
  assert.equal(beginning(made({})).status, "deadlocked");
  assert.equal(beginning(made({ R8: "9H" })).status, "racing");
  assert.equal(beginning(made({ 1: "JH", 2: "QS" })).status, "deadlocked");
  assert.equal(beginning(made({ 1: "JH", 2: "QS", R1: "KC" })).status, "racing");
});

test("a board is as watchers get it", () => {
  const board = boardOf(DEAL, beginning(DEAL));
  assert.deepEqual(board.piles[0], { top: DEAL[0][7], count: 8 });
  assert.deepEqual(board.reserve, DEAL.slice(12).flat());
  assert.deepEqual([board.turn, board.score, board.moves, board.status], [0, 0, 0, "racing"]);
});

test("standings: wins by time, then the best, who had it first, fewer actions; equals share a rank", () => {
  const run = (best, best_at_ms, turn, status = "racing") => ({
    position: { score: best, moves: 1, turn, status }, best, best_at_ms, at_ms: 0, left: status === "won" ? null : "retired",
  });
  const finishes = {
    late: run(520, 900, 48, "won"), slow: run(100, 30, 9), early: run(520, 800, 60, "won"), first: run(100, 20, 9), twin: run(100, 20, 9), calm: run(100, 20, 8),
  };
  const lines = standingsOf(Object.entries(finishes).map(([player, run]) => ({ player, name: player, run })));
  assert.deepEqual(lines.map((line) => [line.rank, line.player]),
    [[1, "early"], [2, "late"], [3, "calm"], [4, "first"], [4, "twin"], [6, "slow"]]);
});

test("an action comes before the time limit, not at it", () => {
  const { record } = VECTORS[0];
  const last_ms = Math.max(...record.players.map((line) => line.actions.at(-1)?.at_ms ?? 0));
  const limited = (time_limit_ms) =>
    verify(JSON.stringify({ ...record, options: { ...record.options, time_limit_ms }, over_at: record.starts_at + time_limit_ms })).fault;
  assert.equal(limited(last_ms).what, "late");
  assert.notEqual(limited(last_ms + 1)?.what, "late");
});

test("a ghost may act after the end of the race and isn't waited for", () => {
  const { record } = VECTORS.find(({ record: { players } }) => players.length > 1 && players[0].actions.length === 0);
  const ghost = { race: "r_0", player: "p_9" };
  const players = record.players.map((line, i) => (i === 0 ? line : { ...line, ghost }));
  const standings = record.standings.map((line) => (line.player === players[0].player ? line : { ...line, ghost }));
  const limit = { ...record, options: { ...record.options, time_limit_ms: null }, over_at: record.starts_at + 1 };
  assert.equal(verify(JSON.stringify(limit)).fault.what, "after_end");
  assert.equal(verify(JSON.stringify({ ...limit, players, standings })).fault, null);
  assert.equal(verify(JSON.stringify({ ...limit, players })).fault.what, "ghost");
  const alone = { ...limit, players: players.slice(1), standings: standings.filter((line) => line.ghost) };
  assert.equal(verify(JSON.stringify(alone)).fault.what, "nobody");
});
