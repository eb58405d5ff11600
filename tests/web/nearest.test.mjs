import assert from "node:assert/strict";
import { test } from "node:test";

import { arc } from "../../client/halfmoon_web/js/arc.js";
import { nearest } from "../../client/halfmoon_web/js/nearest.js";

const { spots } = arc(1010, 740);
const walk = (from, ...keys) => keys.reduce((at, key) => nearest(spots, at, `Arrow${key}`) ?? at, from);

test("arrows move along the arc", () => {
  assert.equal(walk("4", "Right", "Right", "Right", "Right", "Right", "Right"), "10");
  assert.equal(walk("4", "Down", "Down", "Down"), "1");
  assert.equal(walk("10", "Down", "Down"), "12");
});

test("arrows go into the reserve and around it", () => {
  assert.equal(walk("7", "Down").startsWith("R"), true);
  assert.equal(walk("R1", "Right", "Right", "Right"), "R4");
  assert.equal(walk("R2", "Down"), "R6");
});

test("every spot can be reached from every other by arrows", () => {
  const reached = new Set(["1"]);
  const queue = ["1"];
  while (queue.length) {
    const from = queue.pop();
    for (const key of ["Left", "Right", "Up", "Down"]) {
      const to = nearest(spots, from, `Arrow${key}`);
      if (to && !reached.has(to)) reached.add(to) && queue.push(to);
    }
  }
  assert.equal(reached.size, 20);
});

test("other keys and the edge lead nowhere", () => {
  assert.equal(nearest(spots, "1", "a"), null);
  assert.equal(nearest(spots, "2", "ArrowLeft"), null);
});
