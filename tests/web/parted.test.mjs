import assert from "node:assert/strict";
import { test } from "node:test";

import { SPOTS } from "../../client/halfmoon_web/js/cards.js";
import { dealOf } from "../../client/halfmoon_web/js/deal.js";
import { differences } from "../../client/halfmoon_web/js/parted.js";
import { attempt, beginning, beneath, exposedAt, takenBack } from "../../client/halfmoon_web/js/position.js";
import { movedTo, started } from "../../client/halfmoon_web/js/standing.js";

const DEAL = dealOf("HM1-N-AAAAAAB");

/** Pairs of the first position that share no spot. */
const PAIRS = (() => {
  const used = new Set();
  return SPOTS.flatMap((one, i) => SPOTS.slice(i + 1).map((other) => [one, other])).filter((pair) => {
    const isFree = pair.every((spot) => !used.has(spot)) && attempt(DEAL, beginning(DEAL), pair).position !== null;
    if (isFree) pair.forEach((spot) => used.add(spot));
    return isFree;
  });
})();
const [A, B, C] = PAIRS;
const UNDO = "undo";
const RETIRE = "retire";

/** Two runs of the deal by these deeds. */
function both(one, other, deal = DEAL) {
  const replay = { deal, record: { players: [] }, runs: [] };
  for (const deeds of [one, other]) {
    const runs = [started(deal)];
    const actions = deeds.map((deed, i) => {
      const { position } = runs[i];
      const at_ms = (i + 1) * 1_000;
      if (deed === RETIRE) runs.push({ ...runs[i], left: "retired", at_ms });
      else runs.push(movedTo(runs[i], deed === UNDO ? takenBack(position) : attempt(deal, position, deed).position, at_ms));
      return { at_ms, ...(deed === UNDO ? { undo: true } : deed === RETIRE ? { retire: true } : { move: deed }) };
    });
    replay.record.players.push({ actions });
    replay.runs.push(runs);
  }
  return differences({ replay, seat: 0 }, { replay, seat: 1 });
}

/** The numbers of the two actions of each difference. */
const numbers = (one, other) => both(one, other).map(({ choices }) => choices.map((choice) => choice.number));

test("there are enough pairs to tell a story with", () => assert.ok(PAIRS.length >= 3));

test("the same run has no difference, nor one that goes on where the other stops", () => {
  assert.deepEqual(numbers([A, B], [A, B]), []);
  assert.deepEqual(numbers([A, B, C], [A, B]), []);
  assert.deepEqual(numbers([], [A]), []);
});

test("the cards of a move in another order are the same move", () => {
  assert.deepEqual(numbers([A, B], [[...A].reverse(), B]), []);
});

test("they part at the first position from which they did another thing", () => {
  assert.deepEqual(numbers([A, B], [A, C]), [[2, 2]]);
});

test("by another way to the same position they meet again, and may part anew", () => {
  assert.deepEqual(numbers([A, B, C], [B, A, C]), [[1, 1]]);
  assert.deepEqual(numbers([A, B, C], [B, A, RETIRE]), [[1, 1], [3, 3]]);
});

test("who takes a move back stands where the other still stands", () => {
  const [first, ...more] = both([A, UNDO, B], [B]);
  assert.deepEqual(first.choices.map((choice) => [choice.what, choice.number, choice.isUndone]), [["move", 1, true], ["move", 1, false]]);
  assert.deepEqual(more, []);
});

test("the second time at a position is held against the other's second time", () => {
  assert.deepEqual(numbers([A, UNDO, B], [A, UNDO, C]), [[3, 3]]);
});

test("an undo against a move, and to retire against either, are differences", () => {
  assert.deepEqual(both([A, UNDO], [A, B])[0].choices.map((choice) => choice.what), ["undo", "move"]);
  assert.deepEqual(both([A, RETIRE], [A, B])[0].choices.map((choice) => choice.what), ["retire", "move"]);
});

test("it says what went, what lay beneath, and what each had seen under the exposed cards", () => {
  const start = beginning(DEAL);
  const [{ position, choices: [one, other] }] = both([A, UNDO, B], [A, UNDO, C]);
  assert.deepEqual(position.counts, start.counts);
  assert.deepEqual(one.cards, B.map((spot) => exposedAt(DEAL, start, spot)));
  assert.deepEqual(one.beneath, B.map((spot) => beneath(DEAL, start, spot)));
  const under = A.flatMap((spot) => beneath(DEAL, start, spot) ?? []);
  assert.deepEqual(one.known.map((lying) => lying.card).sort(), under.sort());
  assert.deepEqual(other.known, one.known);
  assert.deepEqual(both([A], [B])[0].choices.map((choice) => choice.known), [[], []]);
});

test("a pile that was played to its end is known to its end", () => {
  const deal = SPOTS.map((spot, i) => (i < 12 ? ["KS", "KH"] : ["KD"]));
  deal[0] = ["6S", "5S"];
  deal[1] = ["5D", "6D"];
  const pile = ["1", "2"];
  const [first, ...more] = both([pile, pile, UNDO, UNDO, RETIRE], [pile, UNDO, RETIRE], deal);
  assert.deepEqual(first.choices.map(({ what }) => what), ["move", "undo"]);
  assert.deepEqual(more, []);
  const [{ choices: [one, other] }] = both([pile, pile, UNDO, UNDO, RETIRE], [pile, UNDO, pile], deal).slice(-1);
  assert.deepEqual([one.what, other.what], ["retire", "move"]);
  assert.deepEqual(one.known, [{ spot: "1", card: "6S" }, { spot: "2", card: "5D" }]);
  assert.deepEqual(other.known, one.known);
});

test("an undo names the cards that it put back", () => {
  const [difference] = both([A, UNDO], [A, B]);
  const [undone, made] = difference.choices;
  assert.equal(undone.what, "undo");
  assert.deepEqual([...undone.spots].sort(), [...A].sort());
  assert.deepEqual(undone.cards, undone.spots.map((spot) => exposedAt(DEAL, beginning(DEAL), spot)));
  assert.deepEqual(made.spots, B);
});

test("a run as long as a day has its differences, and each is looked up when it is asked for", () => {
  const DAY = 130_000;  // more than a call takes arguments
  const turns = (move) => Array.from({ length: DAY }, (_, i) => (i % 2 === 0 ? move : UNDO));
  const found = both(turns(A), turns(B));
  assert.equal(found.length, DAY / 2);
  const [one, other] = found.at(-1).choices;
  assert.deepEqual([one.number, other.number], [DAY - 1, DAY - 1]);
  assert.deepEqual([one.spots, other.spots, one.isUndone], [A, B, true]);
  assert.ok(one.known.length > 0, "it was seen the first time");
});
