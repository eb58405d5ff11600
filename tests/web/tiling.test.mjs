import assert from "node:assert/strict";
import { test } from "node:test";

import { GAP, tiling } from "../../client/halfmoon_web/js/tiling.js";

const fits = ({ columns, width, height }, count, wide, high) => {
  const rows = Math.ceil(count / columns);
  return columns * width + (columns - 1) * GAP <= wide && rows * height + (rows - 1) * GAP <= high;
};

test("boards fill a desktop without scrolling, and can be read there", () => {
  for (const count of [1, 2, 3, 4, 6, 9, 12, 16]) {
    const tile = tiling(count, 976, 680);
    assert.ok(fits(tile, count, 976, 680), `${count}`);
    assert.ok(tile.card >= 17, `${count}: ${tile.card}`);
  }
});

test("two go side by side where it is wide, and one below the other where it is tall", () => {
  assert.equal(tiling(2, 976, 600).columns, 2);
  assert.equal(tiling(2, 400, 900).columns, 1);
  assert.equal(tiling(4, 976, 680).columns, 2);
  assert.equal(tiling(9, 976, 680).columns, 3);
});

test("a phone shows two side by side and scrolls rather than making cards too small to read", () => {
  for (const count of [4, 9, 16]) {
    const tile = tiling(count, 344, 470);
    assert.ok(tile.card >= 17, `${count}: ${tile.card}`);
    assert.ok(tile.columns * tile.width + (tile.columns - 1) * GAP <= 344);
  }
  assert.equal(tiling(9, 344, 470).columns, 2);
});

test("a place too narrow for anything still has one column", () => {
  assert.equal(tiling(3, 100, 100).columns, 1);
  assert.equal(tiling(0, 300, 300).columns, 1);
});

test("where nobody can scroll all boards are in view, however small", () => {
  for (const [width, height] of [[340, 300], [400, 260], [344, 470]]) {
    for (const count of [2, 4, 6, 9]) assert.ok(fits(tiling(count, width, height, 0), count, width, height), `${count} ${width}`);
  }
});

test("four boards are in view on a phone on its side", () => {
  const tile = tiling(4, 624, 280);
  assert.deepEqual([tile.columns, fits(tile, 4, 624, 280)], [4, true]);
});
