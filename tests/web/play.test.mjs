import assert from "node:assert/strict";
import { test } from "node:test";

import { EMPTY_HAND, carriedOut, letGo, nextAction, shown, tapped, undoPressed } from "../../client/halfmoon_web/js/play.js";
import { moved } from "../../client/halfmoon_web/js/board.js";
import { board, moved as answer } from "./builders.mjs";

const tapAll = (hand, at, ...spots) => spots.reduce((sofar, spot) => tapped(sofar, at, spot).hand, hand);

test("a finished pair becomes a move, and its cards have left already", () => {
  const hand = tapAll(EMPTY_HAND, board(), "1", "8");
  assert.deepEqual(hand.actions, [{ type: "move", spots: ["1", "8"], cards: ["5S", "6D"] }]);
  assert.deepEqual(shown(hand, board())["1"], { card: null, count: 7 });
  assert.deepEqual(shown(hand, board())["2"], { card: "2C", count: 8 });
});

test("what doesn't fit says why and sends nothing", () => {
  const { hand, reason } = tapped(tapAll(EMPTY_HAND, board(), "1"), board(), "2");
  assert.equal(reason, "not_eleven");
  assert.deepEqual(hand.actions, []);
});

test("a tap on a card that is leaving does nothing: a double click is one removal", () => {
  const hand = tapAll(EMPTY_HAND, board(), "1", "8", "1", "8", "8", "1");
  assert.equal(hand.actions.length, 1);
  assert.deepEqual(hand.selected, []);
});

test("one action is under way at a time", () => {
  const hand = tapAll(EMPTY_HAND, board(), "1", "8", "R1", "R7");
  const first = nextAction(hand);
  assert.deepEqual(first.action.spots, ["1", "8"]);
  assert.equal(nextAction(first.hand).action, null);
  const next = nextAction(carriedOut(first.hand, moved(board(), answer())));
  assert.deepEqual(next.action.spots, ["R1", "R7"]);
});

test("what waits is dropped where its cards turned out to be others", () => {
  const sent = nextAction(tapAll(EMPTY_HAND, board(), "1", "8", "R1", "R7")).hand;
  const other = board({ reserve: board().reserve.map((card, i) => (i === 6 ? null : card)) });
  assert.deepEqual(carriedOut(sent, other).actions, []);
});

test("a refusal lets everything go: the cards are back", () => {
  const sent = nextAction(tapAll(EMPTY_HAND, board(), "1", "8", "2")).hand;
  assert.deepEqual(letGo(sent), EMPTY_HAND);
  assert.equal(shown(letGo(sent), board())["1"].card, "5S");
});

test("undo takes back a move that still waits, without asking the server", () => {
  const sent = nextAction(tapAll(EMPTY_HAND, board(), "1", "8", "R1", "R7")).hand;
  const hand = undoPressed(sent, board());
  assert.equal(hand.actions.length, 1);
  assert.equal(hand.sent, true);
});

test("undo behind a move under way waits for it", () => {
  const sent = nextAction(tapAll(EMPTY_HAND, board(), "1", "8")).hand;
  const hand = undoPressed(sent, board());
  assert.deepEqual(hand.actions.map((action) => action.type), ["move", "undo"]);
});

test("undo presses count as pressed, but never past the start", () => {
  const two = board({ moves: 2, can_undo: true });
  let hand = EMPTY_HAND;
  for (let i = 0; i < 12; i++) hand = undoPressed(hand, two);
  assert.equal(hand.actions.length, 2);
  assert.deepEqual(undoPressed(EMPTY_HAND, board()).actions, []);
});

test("undo clears the selection", () => {
  const hand = tapAll(EMPTY_HAND, board({ moves: 1, can_undo: true }), "1");
  assert.deepEqual(undoPressed(hand, board({ moves: 1, can_undo: true })).selected, []);
});

test("a selection stays while another move is carried out", () => {
  const sent = nextAction(tapAll(EMPTY_HAND, board(), "1", "8", "3")).hand;
  assert.deepEqual(carriedOut(sent, moved(board(), answer())).selected, ["3"]);
});
