import assert from "node:assert/strict";
import { test } from "node:test";

import { paced } from "../../client/halfmoon_web/js/pacing.js";
import { FakeWorld } from "./fakes.mjs";

test("many changes are drawn as one, and drawing that takes long is done seldom", () => {
  const world = new FakeWorld();
  const drawnAt = [];
  const draw = paced(() => {
    drawnAt.push(world.time);
    world.time += 100;
  }, { now: world.now, later: world.later, frame: (run) => world.later(run, 16) });
  draw();
  draw();
  assert.deepEqual(drawnAt, []);
  world.pass(16);
  assert.deepEqual(drawnAt, [16]);
  draw();
  draw();
  world.pass(480);
  assert.deepEqual(drawnAt, [16]);
  world.pass(100);
  assert.equal(drawnAt.length, 2);
  world.pass(10_000);
  assert.equal(drawnAt.length, 2);
});
