import assert from "node:assert/strict";
import { test } from "node:test";

import "../../client/halfmoon_web/js/pagewords.js";
import { moments } from "../../client/halfmoon_web/js/moments.js";
import { momentWords } from "../../client/halfmoon_web/js/speech.js";
import { useLanguage } from "../../client/halfmoon_web/js/words.js";
import { after, board, from, line, room, started, told, welcome } from "./builders.mjs";

const racing = after(welcome(), room(), started());
const onBoard = from(racing, { type: "board", room: "H4K7P", board: board() });
const progress = (n, ...players) => told(n, { type: "progress", players });
const stands = (player, score, status = "racing") => ({ player, score, moves: score / 10, status, best: score, at_ms: score });
const between = (before, next) => moments(before.room, next.room, "p_kata");

test("nothing new, nothing said", () => {
  assert.deepEqual(moments(null, racing.room, "p_kata"), []);
  assert.deepEqual(between(racing, racing), []);
});

test("the start", () => {
  assert.deepEqual(between(after(welcome(), room()), racing), [{ what: "started" }]);
});

test("one's own deadlock", () => {
  const stuck = from(onBoard, { type: "moved", room: "H4K7P", turn: 1, removed: [], revealed: {}, score: 0, moves: 0, status: "deadlocked", at_ms: 1 });
  assert.deepEqual(between(onBoard, stuck), [{ what: "deadlocked" }]);
});

test("overtaking is told, and what becomes of rivals", () => {
  const ahead = from(onBoard, progress(12, stands("p_kata", 10)));
  assert.deepEqual(between(onBoard, ahead), [{ what: "rank", rank: 1, count: 2 }]);
  const stuck = from(ahead, progress(13, stands("p_orsi", 0, "deadlocked")));
  assert.deepEqual(between(ahead, stuck), [{ what: "rival_deadlocked", name: "orsi" }]);
});

test("a reaction is news once", () => {
  const called = from(racing, told(12, { type: "reaction", player: "p_orsi", reaction: "wow" }));
  assert.deepEqual(called.room.reaction, { player: "p_orsi", reaction: "wow", n: 12 });
  assert.deepEqual(between(racing, called), [{ what: "reaction" }]);
  const on = from(called, progress(13, stands("p_orsi", 0)));
  assert.equal(on.gap, false);
  assert.equal(on.room.reaction, undefined);
});

test("the end keeps the seal as it was promised", () => {
  const standings = [{ rank: 1, player: "p_kata", name: "kata", status: "retired", score: 0, best: 0, moves: 0, actions: 0, time_ms: 0 }];
  const over = from(racing, told(12, { type: "over", race: "r1", code: "HM1-S-X", seal: "another", standings }));
  assert.deepEqual(between(racing, over), [{ what: "over" }]);
  assert.equal(over.room.pledged, racing.room.seal);
  const again = from(over, room({ n: 20, state: "over", race: "r1", seal: "another", players: [line("p_kata")] }));
  assert.equal(again.room.pledged, racing.room.seal);
});

test("moments in words", () => {
  useLanguage("en", []);
  assert.equal(momentWords({ what: "rank", rank: 2, count: 4 }), "You are in place 2 of 4.");
  assert.equal(momentWords({ what: "rival_won", name: "Orsi" }), "Orsi has won.");
  assert.equal(momentWords({ what: "deadlocked" }), "");
});
