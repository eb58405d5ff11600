import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { tap } from "../../client/halfmoon_web/js/selection.js";

const vectors = JSON.parse(readFileSync(new URL("../vectors/selection.json", import.meta.url), "utf8"));

for (const { name, cards, taps, expect } of vectors) {
  test(name, () => {
    let selected = [];
    taps.forEach((spot, i) => {
      const tapped = tap(selected, spot, (at) => cards[at] ?? null);
      assert.deepEqual(tapped, expect[i], `tap ${i + 1}, on ${spot}`);
      selected = tapped.selected;
    });
  });
}

test("a tap changes nothing of what it was given", () => {
  const selected = Object.freeze(["1"]);
  tap(selected, "2", (at) => ({ 1: "JS", 2: "QS" })[at] ?? null);
  assert.deepEqual(selected, ["1"]);
});
