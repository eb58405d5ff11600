import assert from "node:assert/strict";
import { test } from "node:test";

import { GHOSTS, signPath } from "../../client/halfmoon_web/js/drawing.js";
import { SIGNS, liveOrder, signOf } from "../../client/halfmoon_web/js/ranking.js";
import { line, room } from "./builders.mjs";

const order = (...lines) => liveOrder(room({ players: lines })).map((one) => one.player);

test("winners first, then the highest score had, then who had it first", () => {
  assert.deepEqual(order(
    line("p_a", { status: "racing", score: 100, best: 100, best_at_ms: 9 }),
    line("p_b", { status: "racing", score: 80, best: 120, best_at_ms: 9 }),
    line("p_c", { status: "retired", score: 100, best: 100, best_at_ms: 5 }),
    line("p_d", { status: "won", score: 520, best: 520, best_at_ms: 50 }),
    line("p_e", { status: "won", score: 520, best: 520, best_at_ms: 40 }),
  ), ["p_e", "p_d", "p_b", "p_c", "p_a"]);
});

test("who waits for the next race isn't ranked", () => {
  assert.deepEqual(order(line("p_a"), line("p_b", { status: "racing" })), ["p_b"]);
});

test("a sign is the place in the room's list", () => {
  assert.equal(signOf(room(), "p_kata"), 1);
  assert.equal(signOf(room(), "p_nobody"), -1);
});

test("a recorded run has a shape of its own, in the colour of its place", () => {
  const raced = room({ players: [line("p_a"), line("g_a", { ghost: { race: "r_1", player: "p_a" } })] });
  assert.equal(signOf(raced, "p_a"), 0);
  assert.equal(signPath(signOf(raced, "g_a")), signPath(GHOSTS));
  assert.notEqual(signPath(signOf(raced, "g_a")), signPath(1));
  assert.equal(signOf(raced, "g_a") % SIGNS, 1);
  assert.equal(signOf(raced, "p_x"), -1);
});
