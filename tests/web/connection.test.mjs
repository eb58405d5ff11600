import assert from "node:assert/strict";
import { test } from "node:test";

import { Connection } from "../../client/halfmoon_web/js/connection.js";
import { SUBPROTOCOL } from "../../client/halfmoon_web/js/line.js";
import { room } from "./builders.mjs";
import { FakeWorld } from "./fakes.mjs";

function begin({ identity = { name: "Kata", token: "secret" } } = {}) {
  const world = new FakeWorld();
  const heard = [];
  const statuses = [];
  const listener = {
    heard: (message, command) => heard.push([message, command]),
    status: (status) => statuses.push(status),
    who: () => identity,
    disowned: () => { identity = { name: identity.name }; },
  };
  const connection = new Connection("ws://here/ws", world, listener);
  const at = {
    world, heard, statuses, connection,
    get socket() { return world.sockets.at(-1); },
    accept() { at.socket.readyState = 1; at.socket.onopen(); },
    say(message) { at.socket.onmessage({ data: JSON.stringify(message) }); },
    end(code, reason) { at.socket.readyState = 3; at.socket.onclose({ code, reason }); },
    sent: (...types) => at.socket.sent.filter((command) => types.includes(command.type)),
    idOf: (type) => at.sent(type).at(-1).id,
    /** Opens, is welcomed and, if in a room, answered. */
    arrive() {
      at.accept();
      at.say({ type: "welcome", re: at.idOf("hello"), player: "p_kata", name: "Kata", token: "secret", server: { version: "1" }, at: 0 });
      if (at.sent("join_room").length) at.say({ ...room(), re: at.idOf("join_room") });
    },
  };
  connection.open();
  return at;
}

const READY = { type: "set_ready", room: "H4K7P", ready: true };
const MOVE = { type: "move", room: "H4K7P", turn: 0, spots: ["1", "8"] };
const SEAT = { room: "H4K7P", as: "player" };

test("the subprotocol is asked for, hello goes first with the token", () => {
  const at = begin();
  assert.equal(at.socket.protocol, SUBPROTOCOL);
  at.accept();
  const [{ id, ...hello }] = at.socket.sent;
  assert.deepEqual(hello, { type: "hello", name: "Kata", token: "secret" });
});

test("in a room, hello and join_room go out together", () => {
  const at = begin();
  at.connection.sitIn(SEAT);
  at.accept();
  assert.deepEqual(at.socket.sent.map((command) => command.type), ["hello", "join_room"]);
});

test("a command given before the connection stands goes after the welcome", () => {
  const at = begin();
  at.connection.send({ type: "create_room", options: {} });
  at.accept();
  assert.equal(at.sent("create_room").length, 0);
  at.say({ type: "welcome", re: at.idOf("hello"), player: "p", name: "Kata", token: "t", server: { version: "1" }, at: 0 });
  assert.equal(at.sent("create_room").length, 1);
});

test("an answer is heard with its command, and the command isn't sent again", () => {
  const at = begin();
  at.connection.sitIn(SEAT);
  at.arrive();
  at.connection.send(READY);
  at.say({ type: "ok", room: "H4K7P", re: at.idOf("set_ready") });
  assert.equal(at.heard.at(-1)[1].type, "set_ready");
  at.end(1006);
  at.world.pass(10_000);
  at.arrive();
  assert.equal(at.sent("set_ready").length, 0);
});

test("unanswered commands go again after the room's answer, with the same ids, in order", () => {
  const at = begin();
  at.connection.sitIn(SEAT);
  at.arrive();
  at.connection.send(READY);
  at.connection.send(MOVE);
  const ids = at.sent("set_ready", "move").map((command) => command.id);
  at.end(1006);
  at.connection.send({ ...MOVE, turn: 1 });
  at.world.pass(10_000);
  at.accept();
  assert.equal(at.sent("move").length, 0, "not before the room is known");
  at.say({ type: "welcome", re: at.idOf("hello"), player: "p", name: "Kata", token: "t", server: { version: "1" }, at: 0 });
  assert.equal(at.sent("move").length, 0, "not before join_room is answered");
  at.say({ ...room(), re: at.idOf("join_room") });
  const again = at.sent("set_ready", "move");
  assert.deepEqual(again.slice(0, 2).map((command) => command.id), ids);
  assert.equal(again.length, 3);
  assert.equal(again[2].turn, 1);
});

test("ids are never used twice", () => {
  const at = begin();
  at.connection.sitIn(SEAT);
  at.arrive();
  at.connection.send(READY);
  at.connection.send(READY);
  at.end(1006);
  at.world.pass(10_000);
  at.arrive();
  const ids = at.world.sockets.flatMap((socket) => socket.sent).filter((command) => command.id);
  const fresh = new Set(ids.map((command) => `${command.type} ${command.id}`));
  assert.equal(new Set(ids.map((command) => command.id)).size, fresh.size);
});

test("every other end than replaced comes back by itself", () => {
  for (const code of [1000, 1001, 1006, 1008, 1012, 1013]) {
    const at = begin();
    at.arrive();
    at.end(code);
    assert.equal(at.connection.status, "lost");
    at.world.pass(500);
    assert.equal(at.world.sockets.length, 2, String(code));
    at.arrive();
    assert.equal(at.connection.status, "open");
  }
});

test("waits grow while nobody answers, up to ten seconds, and start small again after a welcome", () => {
  const at = begin();
  const waits = [];
  for (let i = 0; i < 7; i++) {
    at.end(1006);
    const count = at.world.sockets.length;
    const since = at.world.time;
    while (at.world.sockets.length === count) at.world.pass(50);
    waits.push(at.world.time - since);
  }
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  at.arrive();
  at.end(1006);
  at.world.pass(500);
  assert.equal(at.world.sockets.length, 9);
});

test("replaced stays so until the player takes the seat back", () => {
  const at = begin();
  at.arrive();
  at.end(4001);
  at.world.pass(60_000);
  assert.equal(at.world.sockets.length, 1);
  assert.equal(at.connection.status, "replaced");
  at.connection.open();
  at.arrive();
  assert.equal(at.connection.status, "open");
});

test("a seat that went to another device by its claim is told apart, and doesn't come back by itself either", () => {
  const at = begin();
  at.arrive();
  at.end(4001, "claimed");
  at.world.pass(60_000);
  assert.equal(at.world.sockets.length, 1);
  assert.equal(at.connection.status, "claimed");
});

test("a line that went dead is known within twelve seconds", () => {
  const at = begin();
  at.arrive();
  at.world.pass(4_000);
  at.say({ type: "clock", t: 0, at: 0 });
  const since = at.world.time;
  while (at.connection.status === "open") at.world.pass(100);
  assert.ok(at.world.time - since <= 12_000, `${at.world.time - since} ms`);
  assert.equal(at.socket.closed, true);
});

test("a quiet line that answers stays open for hours", () => {
  const at = begin();
  at.arrive();
  at.say({ type: "clock", t: 0, at: 0 });
  for (let i = 0; i < 10_000; i++) {
    const asked = at.sent("clock").length;
    at.world.pass(1_000);
    if (at.sent("clock").length > asked) at.say({ type: "clock", t: 0, at: 0 });
  }
  assert.equal(at.world.sockets.length, 1);
  assert.ok(at.sent("clock").length >= 1_600);
});

test("timers that slept for an hour don't take a living line for a dead one", () => {
  const at = begin();
  at.arrive();
  at.say({ type: "clock", t: 0, at: 0 });
  at.world.timers.forEach((timer) => { timer.at += 3_600_000; });
  at.world.pass(3_600_600);
  assert.equal(at.connection.status, "open");
});

test("an attempt that hangs is given up", () => {
  const at = begin();
  at.world.pass(8_000);
  assert.equal(at.socket.closed, true);
  assert.equal(at.connection.status, "lost");
});

test("waking up asks at once, and doesn't wait long", () => {
  const at = begin();
  at.arrive();
  at.say({ type: "clock", t: 0, at: 0 });
  const before = at.sent("clock").length;
  at.connection.check();
  assert.equal(at.sent("clock").length, before + 1);
  at.world.pass(1_600);
  assert.equal(at.connection.status, "lost");
  at.connection.check();
  assert.equal(at.world.sockets.length, 2);
});

test("rate_limited is waited out in silence, then the same goes again", () => {
  const at = begin();
  at.connection.sitIn(SEAT);
  at.arrive();
  at.connection.send(MOVE);
  const id = at.idOf("move");
  at.say({ type: "error", code: "rate_limited", message: "", re: id, retry_ms: 300 });
  assert.equal(at.sent("move").length, 1);
  at.world.pass(400);
  assert.deepEqual(at.sent("move").map((command) => command.id), [id, id]);
  assert.ok(!at.heard.some(([message]) => message.type === "error"));
});

test("a rate-limited return is no refused return", () => {
  const at = begin();
  at.connection.sitIn(SEAT);
  at.accept();
  at.say({ type: "welcome", re: at.idOf("hello"), player: "p", name: "Kata", token: "t", server: { version: "1" }, at: 0 });
  at.say({ type: "error", code: "rate_limited", message: "", re: at.idOf("join_room"), retry_ms: 100 });
  at.world.pass(200);
  assert.equal(at.sent("join_room").length, 2);
});

test("a token that isn't known is forgotten, and the name alone says hello", () => {
  const at = begin();
  at.accept();
  at.say({ type: "error", code: "unauthorized", message: "", re: at.idOf("hello") });
  assert.equal(at.world.sockets.length, 2);
  at.accept();
  assert.equal("token" in at.sent("hello")[0], false);
});

test("a name that is refused ends the attempt and is told", () => {
  const at = begin();
  at.connection.send({ type: "create_room", options: {} });
  at.accept();
  at.say({ type: "error", code: "bad_message", message: "", re: at.idOf("hello") });
  assert.equal(at.connection.status, "idle");
  assert.equal(at.heard.at(-1)[1].type, "hello");
  at.connection.open();
  at.arrive();
  assert.equal(at.sent("create_room").length, 0);
});

test("leaving a room drops what was still meant for it", () => {
  const at = begin();
  at.connection.sitIn(SEAT);
  at.arrive();
  at.connection.send(MOVE);
  at.connection.sitIn(null);
  at.end(1006);
  at.world.pass(1_000);
  at.arrive();
  assert.equal(at.sent("move", "join_room").length, 0);
});

test("asking for the room again keeps the role", () => {
  const at = begin();
  at.connection.sitIn({ room: "H4K7P", as: "spectator" });
  at.arrive();
  at.connection.ask();
  assert.deepEqual(at.sent("join_room").map((command) => command.as), ["spectator", "spectator"]);
});
