import assert from "node:assert/strict";
import { test } from "node:test";

import { courses, lengthOf, pointsOf, scoreAt, ticksOf } from "../../client/halfmoon_web/js/course.js";

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

test("a course goes on to the end of the race, or of one's own", () => {
  const won = { at_ms: 7_000, move: ["1", "2", "3"] };
  const players = [
    { player: "a", name: "A", actions: ACTIONS }, { player: "b", name: "B", actions: ACTIONS.slice(0, 2) }, { player: "c", name: "C", actions: [] },
    { player: "d", name: "D", actions: [...Array(51).fill({ at_ms: 6_000, move: ["1", "2"] }), { at_ms: 6_500, move: ["1", "2"] }] },
    { player: "g", name: "G", actions: [...ACTIONS.slice(0, 2), { ...won, at_ms: 12_000 }] },
  ];
  const all = courses({ starts_at: 50_000, over_at: 59_000, players });
  assert.deepEqual(all.map((course) => course.until_ms), [5_000, 9_000, 9_000, 6_500, 12_000]);
  assert.equal(lengthOf(all.slice(0, 4)), 9_000);
  assert.equal(lengthOf([]), 1_000);
});

test("times on the axis are round, begin at 0 and are no more than asked for", () => {
  assert.deepEqual(ticksOf(9_000, 5), [0, 2_000, 4_000, 6_000, 8_000]);
  assert.deepEqual(ticksOf(10_000, 6), [0, 2_000, 4_000, 6_000, 8_000, 10_000]);
  assert.deepEqual(ticksOf(900_000, 4), [0, 300_000, 600_000, 900_000]);
  for (const length_ms of [1_000, 1_234, 59_999, 60_000, 754_321, 3_600_000, 86_400_000, 10 ** 9]) {
    for (const most of [3, 6, 10]) {
      const ticks = ticksOf(length_ms, most);
      assert.ok(ticks[0] === 0 && ticks.length <= most && ticks.at(-1) <= length_ms, `${length_ms} ${most} ${ticks}`);
    }
  }
});
