import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { UNREACHED, ask, askRecord, knowsPlayer, tell } from "../../client/halfmoon_web/js/asking.js";

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

test("what is asked comes with the status, and with the server's time", async () => {
  const headers = { Date: "Mon, 30 Nov 2026 20:00:00 GMT", "Content-Type": "application/json; charset=utf-8" };
  globalThis.fetch = async () => new Response('{"a":1}', { status: 200, headers });
  assert.deepEqual(await ask("/api/daily"), { status: 200, body: { a: 1 }, at: Date.UTC(2026, 10, 30, 20) });
});

test("no answer, and one that is no JSON, are told and not thrown", async () => {
  globalThis.fetch = async () => Promise.reject(new TypeError("no line"));
  assert.equal((await ask("/api/daily")).status, UNREACHED);
  globalThis.fetch = async () => new Response("<html>", { status: 502, headers: { "Content-Type": "text/html" } });
  const { status, body } = await ask("/api/daily");
  assert.deepEqual([status, body], [502, null]);
});

test("what is to be made is asked for once, as oneself", async () => {
  answers(401, 201);
  assert.equal((await tell("/api/challenges", { race: "r_1" })).status, 401);
  assert.deepEqual(asked, [["/api/challenges", "Bearer secret"]]);
});

test("nobody is known where no token is kept", () => {
  assert.ok(knowsPlayer());
  knows(undefined);
  assert.equal(knowsPlayer(), false);
});
