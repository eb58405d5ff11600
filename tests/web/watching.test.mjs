import assert from "node:assert/strict";
import { test } from "node:test";

import { watched, lagOf, raceNews, seatsShown, shownOn, watchesBoards } from "../../client/halfmoon_web/js/watching.js";
import { OPTIONS, after, board, from, line, room, started, told, welcome } from "./builders.mjs";

const seen = (more = {}) => {
  const { can_undo, ...rest } = board(more);
  return rest;
};

const boards = (w = 0, more = {}) => ({ type: "boards", room: "H4K7P", w, boards: { p_orsi: seen(), p_kata: seen() }, ...more });

const seatMoved = (w, more = {}) => ({
  type: "seat_moved", room: "H4K7P", w, player: "p_orsi", turn: 1, removed: ["5S", "6D"], revealed: { 1: "??", 8: "JC" },
  score: 10, moves: 1, at_ms: 4_000, ...more,
});

const seatUndone = (w, more = {}) => ({
  type: "seat_undone", room: "H4K7P", w, player: "p_orsi", turn: 2, restored: { 1: "5S", 8: "6D" },
  score: 0, moves: 0, status: "racing", at_ms: 5_000, ...more,
});

const unmasked = (w, more = {}) => ({ type: "seat_unmasked", room: "H4K7P", w, player: "p_orsi", cards: { 1: "9C" }, ...more });

/** A spectator in a race, after these messages. */
const watching = (...messages) => after(welcome("p_eve"), room({ you: { as: "spectator" } }), started(), boards(), ...messages);

test("who watches has the boards from their message on, and follows every action", () => {
  assert.equal(watchesBoards(after(welcome("p_eve"), room(), started()).room), false);
  const { room: now, gap } = watching(seatMoved(1));
  assert.equal(gap, false);
  assert.equal(watchesBoards(now), true);
  assert.deepEqual(now.boards.p_orsi.piles[7], { top: "JC", count: 7 });
  assert.deepEqual([now.boards.p_orsi.turn, now.boards.p_orsi.score, now.boards.p_orsi.moves], [1, 10, 1]);
  assert.deepEqual(now.boards.p_kata, seen());
  assert.deepEqual(now.lately, { p_orsi: { turn: 1, spots: ["1", "8"] } });
});

test("the status is left out while a card lies face down, and comes back with it", () => {
  assert.equal(watching(seatMoved(1)).room.boards.p_orsi.status, undefined);
  const { boards: now, lately } = watching(seatMoved(1), unmasked(2, { status: "deadlocked" })).room;
  assert.equal(now.p_orsi.status, "deadlocked");
  assert.deepEqual(now.p_orsi.piles[0], { top: "9C", count: 7 });
  assert.equal(lately.p_orsi.turn, 1);
});

test("an undo lays the cards back", () => {
  const now = watching(seatMoved(1), seatUndone(2)).room.boards.p_orsi;
  assert.deepEqual(now, seen({ turn: 2 }));
});

test("a number left out asks for the room again, and one heard before is passed over", () => {
  assert.equal(watching(seatMoved(2)).gap, true);
  assert.equal(watching(seatMoved(1, { player: "p_nobody" })).gap, true);
  const once = watching(seatMoved(1));
  assert.deepEqual(watching(seatMoved(1), seatMoved(1)).room, once.room);
  const again = watching(seatMoved(2), room({ state: "racing", race: "r1", w: 2, boards: { p_orsi: seen({ turn: 1 }) } }));
  assert.equal(again.gap, false);
  assert.equal(again.room.w, 2);
});

test("news of boards that one doesn't have means nothing", () => {
  const racing = after(welcome(), room(), started());
  assert.equal(watched(racing.room, seatMoved(1)), racing.room);
});

test("boards of another room are passed over, and the next race begins without any", () => {
  assert.equal(after(welcome(), room(), boards(0, { room: "OTHER" })).room.boards, undefined);
  const next = watching(seatMoved(1), started(12, { race: "r2" })).room;
  assert.deepEqual([next.boards, next.w, next.lately], [undefined, undefined, undefined]);
});

test("a hidden card lies face down, and an emptied pile is empty", () => {
  const shown = shownOn(watching(seatMoved(1)).room.boards.p_orsi);
  assert.deepEqual(shown["1"], { card: null, count: 7 });
  assert.deepEqual(shown["8"], { card: "JC", count: 7 });
  assert.deepEqual(shown.R4, { card: null, count: 0 });
});

test("a board that is held back says by how many actions, undos among them", () => {
  const { room: now } = watching(seatMoved(1));
  const live = { ...now, options: { ...OPTIONS, spectators: "fair" } };
  const orsi = line("p_orsi", { moves: 5, actions: 5, status: "racing" });
  assert.equal(lagOf(live, orsi), 4);
  assert.equal(lagOf(live, { ...orsi, moves: 1, actions: 3 }), 2, "one move more, and taken back");
  assert.equal(lagOf(live, { ...orsi, moves: 1, actions: 1 }), 0);
  assert.equal(lagOf(live, { ...orsi, moves: 0, actions: 0 }), 0, "the numbers come a moment later than the board");
  assert.equal(lagOf(now, orsi), 0, "with all cards open a number is late by a moment at most");
  assert.equal(lagOf({ ...now, options: { ...OPTIONS, spectator_delay_ms: 1 } }, orsi), 4);
  assert.equal(lagOf({ ...live, state: "over" }, orsi), 0);
});

test("boards keep their places; of more than sixteen the best are shown", () => {
  const many = (count) => {
    const players = Array.from({ length: count }, (_, i) => line(`p_${i}`, { status: "racing", score: i, best: i }));
    return { ...room(), state: "racing", players, boards: Object.fromEntries(players.map(({ player }) => [player, seen()])) };
  };
  assert.deepEqual(seatsShown(many(3)).map(({ player }) => player), ["p_0", "p_1", "p_2"]);
  const best = seatsShown(many(40));
  assert.equal(best.length, 16);
  assert.equal(best[0].player, "p_39");
});

test("news are a new leader, a deadlock and an end; the first points make a leader too", () => {
  const at = (...lines) => ({ ...room(), state: "racing", race: "r1", players: lines });
  const racer = (player, score, status = "racing") => line(player, { score, best: score, status });
  const start = at(racer("p_orsi", 0), racer("p_kata", 0));
  const first = at(racer("p_orsi", 0), racer("p_kata", 10));
  const passed = at(racer("p_orsi", 25, "deadlocked"), racer("p_kata", 10));
  assert.deepEqual(raceNews(null, start), []);
  assert.deepEqual(raceNews(start, start), []);
  assert.deepEqual(raceNews(start, first), [{ what: "lead", player: "p_kata", name: "kata" }]);
  assert.deepEqual(raceNews(first, passed).map(({ what, player }) => [what, player]), [["deadlocked", "p_orsi"], ["lead", "p_orsi"]]);
  assert.deepEqual(raceNews({ ...first, race: "r0" }, passed), []);
});

test("who has as much as the leader is told, once, and isn't the leader", () => {
  const at = (before, ...players) => from({ room: before, me: null, gap: false, news: null }, told(before.n + 1, { type: "progress", players })).room;
  const does = (player, score, at_ms, best = score) => ({ player, score, moves: 1, status: "racing", best, at_ms });
  const start = after(welcome(), room(), started()).room;
  const first = at(start, does("p_kata", 20, 900));
  const level = at(first, does("p_orsi", 20, 1_500));
  assert.deepEqual(raceNews(first, level), [{ what: "level", player: "p_orsi", name: "orsi" }]);
  const undone = at(level, does("p_orsi", 10, 1_700, 20));
  assert.deepEqual(raceNews(level, undone), []);
  const passed = at(undone, does("p_kata", 30, 1_900));
  assert.deepEqual(raceNews(undone, passed), []);
  assert.deepEqual(raceNews(passed, at(passed, does("p_orsi", 40, 2_000))).map(({ what }) => what), ["lead"]);
  const both = at(start, does("p_kata", 20, 900), does("p_orsi", 20, 950));
  assert.deepEqual(raceNews(start, both).map(({ what, player }) => [what, player]), [["lead", "p_kata"], ["level", "p_orsi"]]);
});

test("what comes late of a race that is over is shown as well", () => {
  const over = told(12, { type: "over", race: "r1", code: "HM1-N-AAAAAAB", seal: "", standings: [] });
  const now = watching(over, seatMoved(1, { revealed: { 1: "9C", 8: "JC" }, status: "racing" })).room;
  assert.equal(now.state, "over");
  assert.equal(now.boards.p_orsi.piles[0].top, "9C");
});
