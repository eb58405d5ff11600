import assert from "node:assert/strict";
import { test } from "node:test";

import { Follower } from "../../client/halfmoon_web/js/follower.js";
import { NO_HEATS, follow, hearHeat } from "../../client/halfmoon_web/js/heats.js";
import { IdentityStore } from "../../client/halfmoon_web/js/identity.js";
import { line, room } from "./builders.mjs";
import { FakeWorld } from "./fakes.mjs";
import { heat, tournament } from "./tournaments.mjs";

const snapshot = (id, n = 5) => ({ ...room({ room: id, n, state: "racing", race: "r1", players: [line("p_orsi", { status: "racing" })] }) });
const progress = (id, n, score) => ({ type: "progress", room: id, n, players: [{ player: "p_orsi", score, moves: 1, status: "racing", best: score, at_ms: 100 }] });
const after = (...messages) => messages.reduce(hearHeat, NO_HEATS);
const scoreIn = (heats, id) => heats.rooms[id].players[0].score;

test("each heat follows its own news", () => {
  const heats = after(snapshot("AAAAA"), snapshot("BBBBB", 9), progress("AAAAA", 6, 10), progress("BBBBB", 10, 20));
  assert.deepEqual([scoreIn(heats, "AAAAA"), scoreIn(heats, "BBBBB")], [10, 20]);
});

test("what was missed is asked for again, once, and what nobody looks at is let go", () => {
  const heats = after(snapshot("AAAAA"), snapshot("BBBBB"), progress("AAAAA", 8, 10));
  assert.equal(scoreIn(heats, "AAAAA"), 0);
  const first = follow(heats, ["AAAAA", "CCCCC"], new Set());
  assert.deepEqual(first.ask, ["AAAAA", "CCCCC"]);
  assert.deepEqual(Object.keys(first.heats.rooms), ["AAAAA"]);
  assert.deepEqual(follow(first.heats, ["AAAAA", "CCCCC"], new Set(first.ask)).ask, []);
  assert.deepEqual(follow(hearHeat(first.heats, snapshot("AAAAA", 8)), ["AAAAA"], new Set()).ask, []);
});

function begin() {
  const world = new FakeWorld();
  const follower = new Follower("ws://here/ws", world, new IdentityStore(null), "T4KQ9", () => {});
  const at = {
    world, follower,
    get socket() { return world.sockets.at(-1); },
    say(message) { at.socket.onmessage({ data: JSON.stringify(message) }); },
    sent: (type) => at.socket.sent.filter((command) => command.type === type),
    answer(type, message) { at.say({ ...message, re: at.sent(type).at(-1).id }); },
    arrive() {
      at.socket.readyState = 1;
      at.socket.onopen();
      at.answer("hello", { type: "welcome", player: "p_wall", name: "Wall", token: "t", server: { version: "1" }, at: 0 });
    },
  };
  follower.open("Wall");
  return at;
}

const RUNNING = tournament({ state: "racing", round: 1, heats: [heat(1, 1, [1, 2], { room: "AAAAA", state: "racing" }), heat(1, 2, [3, 4], { room: "BBBBB", state: "racing" })] });

test("who follows a tournament looks into its running heats, and again after the line was lost", () => {
  const at = begin();
  at.arrive();
  at.answer("follow", RUNNING);
  assert.deepEqual(at.sent("join_room").map(({ room: id, as }) => [id, as]), [["AAAAA", "spectator"], ["BBBBB", "spectator"]]);
  for (const { room: id, id: re } of at.sent("join_room")) at.say({ ...snapshot(id), re });
  assert.deepEqual(Object.keys(at.follower.view.rooms), ["AAAAA", "BBBBB"]);
  at.socket.readyState = 3;
  at.socket.onclose({ code: 1006 });
  assert.equal(at.follower.view.status, "lost");
  at.world.pass(2_000);
  at.arrive();
  at.answer("follow", RUNNING);
  assert.deepEqual(at.sent("join_room").map(({ room: id }) => id), ["AAAAA", "BBBBB"]);
});

test("a heat that lets nobody look isn't asked again, and a tournament that nobody may watch isn't at all", () => {
  const at = begin();
  at.arrive();
  at.answer("follow", RUNNING);
  const [first] = at.sent("join_room");
  at.say({ type: "error", code: "not_allowed", message: "no", re: first.id });
  at.say(RUNNING);
  assert.equal(at.sent("join_room").length, 2);
  const other = begin();
  other.arrive();
  other.answer("follow", { ...RUNNING, race: { ...RUNNING.race, spectators: "none" } });
  assert.equal(other.sent("join_room").length, 0);
});

test("of many heats those are looked into that still run", () => {
  const at = begin();
  at.arrive();
  const heats = Array.from({ length: 30 }, (_, i) => heat(1, i + 1, [1, 2], { room: `ROOM${i}`, state: i < 20 ? "over" : "racing" }));
  at.answer("follow", { ...RUNNING, heats });
  assert.deepEqual(at.sent("join_room").map(({ room: id }) => id), heats.slice(20).map(({ room: id }) => id));
});

test("a heat whose room isn't there yet is asked for again, and not without end", () => {
  const at = begin();
  at.arrive();
  at.answer("follow", { ...RUNNING, heats: RUNNING.heats.slice(0, 1) });
  const missing = () => at.answer("join_room", { type: "error", code: "unknown_room", message: "no", room: "AAAAA" });
  missing();
  at.say({ ...RUNNING, heats: RUNNING.heats.slice(0, 1) });
  assert.equal(at.sent("join_room").length, 1);
  at.world.pass(1_500);
  assert.equal(at.sent("join_room").length, 2);
  at.answer("join_room", snapshot("AAAAA"));
  assert.deepEqual(Object.keys(at.follower.view.rooms), ["AAAAA"]);
  const other = begin();
  other.arrive();
  other.answer("follow", { ...RUNNING, heats: RUNNING.heats.slice(0, 1) });
  for (let i = 0; i < 20; i++) {
    other.answer("join_room", { type: "error", code: "unknown_room", message: "no", room: "AAAAA" });
    other.world.pass(1_500);
  }
  assert.equal(other.sent("join_room").length, 9);
});

test("a tournament that isn't there is asked for again", () => {
  const at = begin();
  at.arrive();
  at.answer("follow", { type: "error", code: "unknown_tournament", message: "no" });
  assert.equal(at.follower.view.refusal, "unknown_tournament");
  at.follower.wake();
  at.answer("follow", tournament());
  assert.equal(at.follower.view.refusal, null);
  assert.equal(at.follower.view.tournament.tournament, "T4KQ9");
});

test("all heats of a large round are looked into, some at a time, as the server bears it", () => {
  const at = begin();
  at.arrive();
  const heats = Array.from({ length: 50 }, (_, i) => heat(1, i + 1, [1, 2], { room: `ROOM${i}`, state: "racing" }));
  at.answer("follow", { ...RUNNING, heats });
  let told = 0;
  const counts = Array.from({ length: 6 }, () => {
    for (const { room: id, id: re } of at.sent("join_room").slice(told)) at.say({ ...snapshot(id), re });
    told = at.sent("join_room").length;
    at.world.pass(1_200);
    return told;
  });
  assert.deepEqual(counts, [10, 20, 30, 40, 50, 50]);
  assert.deepEqual(Object.keys(at.follower.view.rooms).sort(), heats.map(({ room: id }) => id).sort());
});
