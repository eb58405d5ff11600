import assert from "node:assert/strict";
import { test } from "node:test";

import { flushed, typed } from "../../client/halfmoon_web/js/typing.js";
import { SPOTS } from "../../client/halfmoon_web/js/cards.js";

/** The spots that these keys name, with a long pause at the end. */
function typing(keys) {
  let held = "";
  const spots = [];
  for (const key of keys) {
    const next = typed(held, key);
    if (next === null) continue;
    spots.push(...next.spots);
    held = next.held;
  }
  return [...spots, ...flushed(held)];
}

test("every spot can be typed, in any case", () => {
  for (const spot of SPOTS) {
    assert.deepEqual(typing(spot), [spot]);
    assert.deepEqual(typing(spot.toLowerCase()), [spot]);
  }
});

test("spots one after the other", () => {
  assert.deepEqual(typing("15"), ["1", "5"]);
  assert.deepEqual(typing("112"), ["11", "2"]);
  assert.deepEqual(typing("1R3"), ["1", "R3"]);
  assert.deepEqual(typing("r1r2"), ["R1", "R2"]);
  assert.deepEqual(typing("123"), ["12", "3"]);
});

test("a 1 waits, for it may become 10, 11 or 12", () => {
  assert.deepEqual(typed("", "1"), { held: "1", spots: [] });
  assert.deepEqual(typed("1", "0"), { held: "", spots: ["10"] });
  assert.deepEqual(flushed("1"), ["1"]);
  assert.deepEqual(flushed("R"), []);
});

test("an R without a number is nothing, and so are other keys", () => {
  assert.deepEqual(typing("R9"), ["9"]);
  assert.deepEqual(typing("RR2"), ["R2"]);
  assert.equal(typed("", "x"), null);
  assert.equal(typed("", "0"), null);
  assert.equal(typed("", "ArrowUp"), null);
});
