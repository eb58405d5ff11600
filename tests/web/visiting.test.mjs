import assert from "node:assert/strict";
import { test } from "node:test";

import { claimIn, claimPath } from "../../client/halfmoon_web/js/claims.js";
import { Entries } from "../../client/halfmoon_web/js/entries.js";
import { IdentityStore } from "../../client/halfmoon_web/js/identity.js";
import { Session } from "../../client/halfmoon_web/js/session.js";
import { Visiting } from "../../client/halfmoon_web/js/visiting.js";
import { room } from "./builders.mjs";
import { FakeWorld } from "./fakes.mjs";
import { tournament } from "./tournaments.mjs";

const T = "T4KQ9";
const DATE = "Mon, 30 Nov 2026 19:00:00 GMT";
const CALL = { type: "round", tournament: T, round: 1, room: "H4K7P", starts_at: 5 };

function memory(entries = {}) {
  const kept = new Map(Object.entries(entries));
  return { kept, getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
}

/** A page on a tournament; `fetch` finds nothing but what the test says. */
function begin({ claim = "", storage = memory(), door = tournament() } = {}) {
  const asked = [];
  globalThis.fetch = async (path) => {
    asked.push(path);
    return { ok: true, status: 200, headers: new Headers({ Date: DATE }), json: async () => (path.endsWith("standings") ? { rule: "", rows: [] } : door) };
  };
  const world = new FakeWorld();
  const identity = new IdentityStore(storage, memory());
  const visiting = new Visiting(T, claim, identity, { Screen: Object, anybody: "Entrant" }, world);
  const session = new Session("ws://here/ws", world, identity, {
    changed: () => visiting.looked(), refused: () => {}, heard: (message, command) => visiting.heard(message, command),
  });
  const at = {
    world, identity, visiting, session, storage, asked,
    get socket() { return world.sockets.at(-1); },
    say(message) { at.socket.onmessage({ data: JSON.stringify(message) }); },
    sent: (type) => at.socket?.sent.filter((command) => command.type === type) ?? [],
    answer(type, message) { at.say({ ...message, re: at.sent(type).at(-1).id }); },
    welcome(name = "Kata") {
      at.socket.readyState = 1;
      at.socket.onopen();
      at.answer("hello", { type: "welcome", player: "p_kata", name, token: "secret", server: { version: "1" }, at: 0 });
    },
  };
  visiting.begin(session, () => {});
  return at;
}

/** In as e1. */
function inside(more) {
  const at = begin(more);
  if (!at.socket) at.visiting.enter("Kata", "");
  at.welcome();
  at.answer("enter", { type: "entered", tournament: T, entrant: "e1" });
  at.say(tournament());
  return at;
}

test("from the door one sees the tournament without coming in", async () => {
  const at = begin();
  await new Promise(setImmediate);
  assert.equal(at.world.sockets.length, 0);
  assert.equal(at.visiting.data.tournament.name, "Club evening");
  assert.equal(at.visiting.data.entrant, null);
  assert.equal(at.session.clock.serverNow(), Date.parse(DATE));
});

test("who was in comes back by a reload, without a claim", () => {
  const storage = memory();
  inside({ claim: "8JWM", storage });
  const again = begin({ storage });
  again.welcome();
  const [{ id, ...enter }] = again.sent("enter");
  assert.deepEqual(enter, { type: "enter", tournament: T });
});

test("a claim brings one in at once, under the name of the list, and isn't said again", () => {
  const at = begin({ claim: "8JWM" });
  at.welcome("Entrant");
  assert.equal(at.sent("hello")[0].name, "Entrant");
  assert.equal(at.sent("enter")[0].claim, "8JWM");
  at.answer("enter", { type: "entered", tournament: T, entrant: "e1" });
  at.say(tournament());
  assert.equal(at.identity.identity.name, "Anna");
  at.socket.readyState = 3;
  at.socket.onclose({ code: 1006 });
  at.world.pass(2_000);
  at.welcome("Anna");
  assert.equal(at.sent("enter").length, 1);
  assert.equal(at.sent("enter")[0].claim, undefined);
});

test("a wrong claim is told, and not sent again on the next line", () => {
  const at = begin({ claim: "NOPE" });
  at.welcome();
  at.answer("enter", { type: "error", code: "unauthorized", message: "no such claim" });
  assert.equal(at.visiting.data.refusal, "unauthorized");
  assert.equal(at.session.view.state.news, null);
  at.socket.readyState = 3;
  at.socket.onclose({ code: 1006 });
  at.world.pass(2_000);
  at.welcome();
  assert.equal(at.sent("enter").length, 0);
});

test("the heat is gone into by itself when it is drawn, and only once", () => {
  const at = inside();
  at.say(CALL);
  assert.deepEqual(at.sent("join_room").map(({ room: id, as }) => [id, as]), [["H4K7P", "player"]]);
  at.answer("join_room", room({ heat: { tournament: T, round: 1 }, host: "", state: "countdown", starts_at: 5 }));
  at.say(CALL);
  assert.equal(at.sent("join_room").length, 1);
});

test("in the heat a lost line brings back both the seat and the tournament", () => {
  const at = inside();
  at.say(CALL);
  at.answer("join_room", room({ heat: { tournament: T, round: 1 }, host: "", state: "countdown", starts_at: 5 }));
  at.socket.readyState = 3;
  at.socket.onclose({ code: 1006 });
  at.world.pass(2_000);
  at.welcome();
  assert.deepEqual(at.socket.sent.map((command) => command.type).filter((type) => type !== "clock"), ["hello", "join_room", "enter"]);
});

test("the result of a heat makes way after a while, and stays for who looks closer", () => {
  const over = room({ heat: { tournament: T, round: 1 }, host: "", state: "over", standings: [] });
  for (const looksCloser of [false, true]) {
    const at = inside();
    let leaves = 0;
    at.session.commands.leave = () => (leaves += 1);
    at.say(CALL);
    at.answer("join_room", over);
    if (looksCloser) at.visiting.stay();
    at.world.pass(25_000);
    assert.equal(leaves, looksCloser ? 0 : 1);
  }
});

test("somebody else in the same tab comes by their own claim, and the first is left as they were", () => {
  const storage = memory();
  inside({ claim: "8JWM", storage });
  const at = begin({ claim: "OTHER", storage });
  at.welcome();
  at.answer("enter", { type: "error", code: "not_allowed", message: "you have another entry here" });
  at.visiting.someoneElse();
  at.welcome("Entrant");
  assert.equal(at.sent("hello").at(-1).token, undefined);
  assert.equal(at.sent("enter").at(-1).claim, "OTHER");
  assert.equal(new Entries(storage).entrantIn(T), "e1");
});

test("what the organiser announces is said to who races, until it was read there or on the tournament's page", () => {
  const at = inside();
  at.visiting.looked();
  at.say(CALL);
  at.answer("join_room", room({ heat: { tournament: T, round: 1 }, host: "", state: "countdown", starts_at: 5 }));
  assert.equal(at.visiting.line, "");
  at.say(tournament({ announcement: { text: "Tea is ready", at: 7 } }));
  assert.equal(at.visiting.line, "Tea is ready");
  at.visiting.lineTold();
  assert.equal(at.visiting.line, "");
  at.say(tournament({ announcement: { text: "Tea is cold", at: 8 } }));
  assert.equal(at.visiting.line, "Tea is cold");
  at.session.commands.leave();
  at.answer("leave_room", { type: "left", room: "H4K7P" });
  assert.equal(at.visiting.line, "");
});

test("what is announced doesn't stand over a race for ever", () => {
  const at = inside();
  at.say(CALL);
  at.answer("join_room", room({ heat: { tournament: T, round: 1 }, host: "", state: "countdown", starts_at: 5 }));
  const lines = [["Tea is ready", 7], ["Tea is cold", 8], ["Tea is cold", 8], ["Tea is cold", 8]].map(([text, announced]) => {
    at.say(tournament({ announcement: { text, at: announced } }));
    at.world.pass(6_000);
    return at.visiting.line;
  });
  assert.deepEqual(lines, ["Tea is ready", "Tea is cold", "Tea is cold", ""]);
});

test("a claim is read from the fragment and nowhere else", () => {
  assert.equal(claimIn("#claim=8JWM-QY3C"), "8JWM-QY3C");
  assert.equal(claimIn(new URL(`http://x${claimPath(T, "8JWM-QY3C")}`).hash), "8JWM-QY3C");
  assert.equal(claimPath(T, "8JWM"), "/t/T4KQ9#claim=8JWM");
  for (const hash of ["", "#", "#8JWM", "#claim=", `#claim=${"x".repeat(65)}`, "#claim=a%00b"]) assert.equal(claimIn(hash), "", hash);
});

