import assert from "node:assert/strict";
import { test } from "node:test";

import { courses, lengthOf, pointsOf, scoreAt } from "../../client/halfmoon_web/js/course.js";

const ACTIONS = [
  { at_ms: 1_000, move: ["1", "8"] }, { at_ms: 2_000, move: ["3", "5", "R6"] }, { at_ms: 3_000, undo: true },
  { at_ms: 4_000, move: ["2", "R1"] }, { at_ms: 5_000, retire: true },
];

test("a pair is 10, a triple 15, an undo takes its move's points back, retiring changes nothing", () => {
  assert.deepEqual(pointsOf(ACTIONS).map((point) => point.score), [10, 25, 10, 20]);
  assert.deepEqual(pointsOf([]), []);
});

test("the score at a moment", () => {
  const points = pointsOf(ACTIONS);
  assert.deepEqual([0, 999, 1_000, 2_500, 3_000, 99_000].map((ms) => scoreAt(points, ms)), [0, 0, 10, 25, 10, 20]);
});

test("a race is as long as its last action", () => {
  const all = courses({ players: [{ player: "a", name: "A", actions: ACTIONS }, { player: "b", name: "B", actions: [] }] });
  assert.equal(lengthOf(all), 4_000);
  assert.equal(lengthOf([]), 1_000);
});
