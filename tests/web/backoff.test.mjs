import assert from "node:assert/strict";
import { test } from "node:test";

import { LONGEST_MS, backoff } from "../../client/halfmoon_web/js/backoff.js";

test("the longest wait doubles and stops at ten seconds", () => {
  const longest = [0, 1, 2, 3, 4, 5, 6, 1_000].map((attempt) => backoff(attempt, () => 1));
  assert.deepEqual(longest, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
  assert.equal(LONGEST_MS, 10_000);
});

test("the jitter is full: anything from nothing to the longest", () => {
  assert.equal(backoff(5, () => 0), 0);
  assert.equal(backoff(5, () => 0.5), 5_000);
});
