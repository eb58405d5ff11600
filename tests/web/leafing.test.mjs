import assert from "node:assert/strict";
import { test } from "node:test";

import { Leafing } from "../../client/halfmoon_web/js/leafing.js";

/** Lines of 10 px each, one below the other as far as they are shown. */
function listOf(count) {
  const children = Array.from({ length: count }, () => ({ hidden: false }));
  for (const child of children) {
    child.getBoundingClientRect = () => ({ bottom: child.hidden ? 0 : 10 * (1 + children.filter((one) => !one.hidden).indexOf(child)) });
  }
  return { children };
}

const shown = ({ children }) => children.flatMap((child, i) => (child.hidden ? [] : [i + 1]));

test("a list that fits is whole, and stays so", () => {
  const list = listOf(3);
  const leafing = new Leafing(list);
  for (let i = 0; i < 3; i += 1) {
    assert.deepEqual(leafing.show(30), { from: 1, to: 3, count: 3 });
    assert.deepEqual(shown(list), [1, 2, 3]);
    leafing.turn();
  }
});

test("a longer one comes part by part, nothing left out and nothing cut, and begins again", () => {
  const list = listOf(7);
  const leafing = new Leafing(list);
  const parts = Array.from({ length: 4 }, () => {
    leafing.show(35);
    const part = shown(list);
    leafing.turn();
    return part;
  });
  assert.deepEqual(parts, [[1, 2, 3], [4, 5, 6], [7], [1, 2, 3]]);
});

test("a part stays while nobody turns, shrinks with its place, and is never empty", () => {
  const list = listOf(7);
  const leafing = new Leafing(list);
  leafing.show(30);
  leafing.turn();
  assert.deepEqual(leafing.show(30), { from: 4, to: 6, count: 7 });
  assert.deepEqual(leafing.show(20), { from: 4, to: 5, count: 7 });
  assert.deepEqual(leafing.show(0), { from: 4, to: 4, count: 7 });
  leafing.begin();
  assert.deepEqual(leafing.show(30), { from: 1, to: 3, count: 7 });
  leafing.turn();
  list.children.length = 2;
  assert.deepEqual(leafing.show(30), { from: 1, to: 2, count: 2 });
  list.children.length = 0;
  assert.deepEqual(leafing.show(30), { from: 1, to: 0, count: 0 });
});
