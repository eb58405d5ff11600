import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { askRecord } from "../../client/halfmoon_web/js/asking.js";

/** A browser that knows a player by this token, or none. */
function knows(token) {
  const kept = new Map(token === undefined ? [] : [["halfmoon.identity", JSON.stringify({ name: "Ann", token })]]);
  const storage = { getItem: (key) => kept.get(key) ?? null };
  globalThis.window = { localStorage: storage, sessionStorage: { getItem: () => null } };
}

let asked = [];

/** A server that answers one after the other. */
function answers(...statuses) {
  asked = [];
  globalThis.fetch = async (path, { headers = {} } = {}) => {
    asked.push([path, headers.Authorization]);
    return new Response("{}", { status: statuses[asked.length - 1] });
  };
}

beforeEach(() => knows("secret"));

test("a record is asked for as the player whom the browser knows", async () => {
  answers(200);
  assert.equal(await askRecord("r/1"), "{}");
  assert.deepEqual(asked, [["/api/races/r%2F1", "Bearer secret"]]);
});

test("nobody in particular asks without a token", async () => {
  knows(undefined);
  answers(200);
  await askRecord("r_1");
  assert.deepEqual(asked, [["/api/races/r_1", undefined]]);
});

test("where the server doesn't know the token, it is asked without one", async () => {
  for (const status of [401, 429]) {
    answers(status, 200);
    assert.equal(await askRecord("r_1"), "{}");
    assert.deepEqual(asked.map(([, token]) => token), ["Bearer secret", undefined]);
  }
});

test("no record is told by its status", async () => {
  answers(404);
  await assert.rejects(askRecord("r_1"), { message: "404" });
  assert.equal(asked.length, 1);
});
