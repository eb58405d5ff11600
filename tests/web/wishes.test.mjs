import assert from "node:assert/strict";
import { test } from "node:test";

import { hasWish, keepWish, takeWish } from "../../client/halfmoon_web/js/wishes.js";
import { dayFrom } from "../../client/halfmoon_web/js/dates.js";

function memory() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
}

test("a wish is taken once", () => {
  const own = memory();
  keepWish(own, { starts: true, daily: true });
  assert.ok(hasWish(own));
  assert.deepEqual(takeWish(own), { starts: true, daily: true });
  assert.equal(hasWish(own), false);
  assert.equal(takeWish(own), null);
});

test("where nothing can be kept, or something else was, there is no wish", () => {
  assert.equal(takeWish(null), null);
  const own = memory();
  own.setItem("halfmoon.wish", "{");
  assert.equal(takeWish(own), null);
  assert.equal(hasWish(own), false);
});

test("days are counted by the calendar", () => {
  assert.equal(dayFrom("2026-03-01", -1), "2026-02-28");
  assert.equal(dayFrom("2026-12-31", 1), "2027-01-01");
});
