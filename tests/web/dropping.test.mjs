import assert from "node:assert/strict";
import { test } from "node:test";

import { dropTaps } from "../../client/halfmoon_web/js/dropping.js";
import { tap } from "../../client/halfmoon_web/js/selection.js";

const CARDS = { 1: "5S", 2: "6D", 3: "KH", 4: "QH", 5: "JC", 6: "9C", 7: "KS" };
const cardAt = (spot) => CARDS[spot] ?? null;

/** What goes, and what is selected, after this drop. */
function after(selected, from, to) {
  let removed = null;
  for (const spot of dropTaps(selected, from, to, cardAt)) {
    const next = tap(selected, spot, cardAt);
    [selected, removed] = [next.selected, next.remove ?? removed];
  }
  return { selected, removed: removed && removed.toSorted() };
}

test("one card dropped onto its partner: both go, whatever was selected before", () => {
  assert.deepEqual(after([], "1", "2").removed, ["1", "2"]);
  assert.deepEqual(after(["6"], "1", "2").removed, ["1", "2"]);
  assert.deepEqual(after(["3"], "1", "2").removed, ["1", "2"]);
  assert.deepEqual(after(["1"], "1", "2").removed, ["1", "2"]);
  assert.deepEqual(after(["2"], "1", "2").removed, ["1", "2"]);
});

test("court cards gather", () => {
  assert.deepEqual(after([], "3", "4"), { selected: ["3", "4"], removed: null });
  assert.deepEqual(after(["3", "4"], "5", "4").removed, ["3", "4", "5"]);
  assert.deepEqual(after(["5"], "3", "4").removed, ["3", "4", "5"]);
});

test("what doesn't fit clears the selection, as tapping does", () => {
  assert.deepEqual(after([], "1", "6"), { selected: [], removed: null });
  assert.deepEqual(after([], "3", "7"), { selected: ["7"], removed: null });
});
