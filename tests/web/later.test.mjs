import assert from "node:assert/strict";
import { test } from "node:test";

import { Later } from "../../client/halfmoon_web/js/later.js";

function begin() {
  const asked = [];
  const at = { asked, come: 0, failed: 0 };
  at.later = new Later(() => new Promise((done, failed) => asked.push({ done, failed })), {
    come: () => at.come++, failed: () => at.failed++,
  });
  return at;
}

test("a part is asked for once, and told of when it is there", async () => {
  const at = begin();
  const first = at.later.bring();
  await at.later.bring();
  assert.deepEqual([at.asked.length, at.come, at.later.part], [1, 0, null]);
  at.asked[0].done("part");
  await first;
  await at.later.bring();
  assert.deepEqual([at.asked.length, at.come, at.later.part], [1, 1, "part"]);
});

test("a part that couldn't come is told of, and asked for again when it is wanted again", async () => {
  const at = begin();
  const first = at.later.bring();
  at.asked[0].failed(new Error("gone"));
  await first;
  assert.deepEqual([at.come, at.failed, at.later.part], [0, 1, null]);
  const second = at.later.bring();
  at.asked[1].done("part");
  await second;
  assert.deepEqual([at.come, at.failed, at.later.part], [1, 1, "part"]);
});
