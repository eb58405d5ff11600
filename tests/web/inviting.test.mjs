import assert from "node:assert/strict";
import { test } from "node:test";

import "../../client/halfmoon_web/js/pagewords.js";
import { Doorstep } from "../../client/halfmoon_web/js/doorstep.js";
import { IdentityStore } from "../../client/halfmoon_web/js/identity.js";
import { invitation, wayHome } from "../../client/halfmoon_web/js/inviting.js";
import { useLanguage } from "../../client/halfmoon_web/js/words.js";
import { FakeWorld } from "./fakes.mjs";

useLanguage("en", []);

const glance = (more = {}) => ({
  room: "H4K7P", state: "lobby", host_name: "Orsi", players: 3, max_players: 16, spectators: 0, watching: "open", ...more,
});
const ways = ({ joins, watches, back }) => [joins && "join", watches && "watch", back && "back"].filter(Boolean).join(" ");

test("a link says who invites, who is there and what goes on, before one has a name", () => {
  const { title, line, isDead } = invitation(glance(), 0);
  assert.equal(title, "Orsi invites you to a race");
  assert.equal(line, "3 players here · in the lobby");
  assert.equal(isDead, false);
  assert.match(invitation(glance({ state: "racing", ends_at: 131_000 }), 1_000).line, /running, 2:10 left\. Come in and watch/);
});

test("only the ways that lead in are offered", () => {
  assert.equal(ways(invitation(glance(), 0)), "join watch");
  assert.equal(ways(invitation(glance({ watching: "none" }), 0)), "join");
  assert.equal(ways(invitation(glance({ players: 16 }), 0)), "watch");
  assert.equal(ways(invitation(glance({ heat: { tournament: "T", round: 1 } }), 0)), "watch");
  assert.equal(ways(invitation(glance({ you: "player" }), 0)), "back");
  const full = invitation(glance({ players: 16, watching: "none" }), 0);
  // A place may come free while one waits.
  assert.deepEqual([ways(full), full.line, full.isDead], ["", "This room is full.", false]);
});

test("what keeps one out is said by its own name", () => {
  const told = ["alone", "put_out", "no_spectators", "deal_shut"].map((bar) => invitation(glance({ bar }), 0));
  assert.equal(new Set(told.map(({ line }) => line)).size, 4);
  assert.ok(told.every((one) => one.isDead && ways(one) === ""));
  assert.match(told[1].line, /host has removed you/);
});

test("home leads back into the race that runs, and into the room", () => {
  const race = wayHome(glance({ state: "racing", ends_at: 130_000, you: "player" }), 0);
  assert.deepEqual([race.title, race.back.words], ["Your race is running", "Return to your race"]);
  assert.match(race.line, /2:10 left/);
  const watched = wayHome(glance({ state: "racing", you: "spectator" }), 0);
  assert.deepEqual(watched.back, { words: "Return to your room", as: "spectator" });
  assert.equal(wayHome(glance(), 0), null, "who was put out isn't led back");
  assert.equal(wayHome(glance({ state: "over", max_players: 1, you: "player" }), 0), null);
});

/** Somebody before the door, and what the server answers there. */
function standing(isOwn, answer) {
  const world = new FakeWorld();
  const at = { world, asked: [], changes: 0, answer };
  const ask = async (path) => {
    at.asked.push(path);
    return { at: 5_000_000 + world.time, body: null, ...at.answer };
  };
  at.doorstep = new Doorstep("H4K7P", isOwn, ask, world, () => { at.changes += 1; });
  at.settle = () => new Promise((done) => setImmediate(done));
  return at;
}

test("the door is looked at again while somebody stands there, and not after", async () => {
  const at = standing(false, { status: 200, body: glance() });
  at.doorstep.stand(true);
  assert.equal(at.doorstep.invitation, null, "nothing is known yet");
  await at.settle();
  assert.equal(at.doorstep.invitation.line, "3 players here · in the lobby");
  at.answer = { status: 200, body: glance({ state: "racing", ends_at: 5_130_000 }) };
  at.world.pass(10_000);
  await at.settle();
  assert.match(at.doorstep.invitation.line, /2:00 left/);
  at.world.pass(1_000);
  assert.match(at.doorstep.invitation.line, /1:59 left/);
  at.doorstep.stand(false);
  at.world.pass(60_000);
  assert.deepEqual(at.asked, ["/api/rooms/H4K7P", "/api/rooms/H4K7P"]);
});

test("a dead link says so at once and is asked for once; no answer says nothing", async () => {
  const dead = standing(false, { status: 404 });
  dead.doorstep.stand(true);
  await dead.settle();
  assert.match(dead.doorstep.invitation.line, /no room H4K7P any more/);
  dead.world.pass(60_000);
  assert.equal(dead.asked.length, 1);
  const own = standing(true, { status: 404 });
  own.doorstep.stand(true);
  await own.settle();
  assert.equal(own.doorstep.invitation, null);
  assert.ok(own.doorstep.isMissing);
  for (const status of [0, 429, 503]) {
    const silent = standing(false, { status });
    silent.doorstep.stand(true);
    await silent.settle();
    assert.equal(silent.doorstep.invitation, null);
  }
});

test("a name that the page made up is nobody's own, and is never told apart to the server", () => {
  const kept = new Map();
  const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
  new IdentityStore(storage).keep({ name: "Guest", isGuest: true });
  const guest = new IdentityStore(storage);
  assert.deepEqual(guest.identity, { name: "Guest" });
  assert.equal(guest.ownName, "");
  guest.keep({ name: "Kata", isGuest: undefined });
  assert.equal(new IdentityStore(storage).ownName, "Kata");
});
