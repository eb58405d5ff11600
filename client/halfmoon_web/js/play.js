/**
 * The hand on the board: what is selected, which action is on its way to the server, and which wait behind it.
 * Pure.  One action is under way at a time; what was tapped meanwhile waits, and is dropped visibly where the
 * cards turned out to be others.
 */

import { exposedOn, countOn, SPOTS } from "./cards.js";
import { tap } from "./selection.js";

/** @typedef {import("./messages.js").Board} Board */

/**
 * @typedef {object} Action
 * @property {"move" | "undo"} type
 * @property {string[]} spots none for an undo
 * @property {string[]} cards what lay on them when they were tapped
 */

/**
 * @typedef {object} Hand
 * @property {string[]} selected
 * @property {Action[]} actions in order; the first is under way if `sent`
 * @property {boolean} sent
 */

/**
 * A spot as it is shown.
 * @typedef {object} Shown
 * @property {string | null} card null where nothing can be tapped
 * @property {number} count how many cards lie there
 */

/** @type {Hand} */
export const EMPTY_HAND = { selected: [], actions: [], sent: false };

/** The most actions that wait; more presses than that are passed over. */
const MOST_WAITING = 100;

/** @param {Hand} hand */
const takenSpots = (hand) => new Set(hand.actions.flatMap((action) => action.spots));

/**
 * The board as the player sees it: cards on their way out have left already.
 * @param {Hand} hand @param {Board} board
 * @returns {Record<string, Shown>}
 */
export function shown(hand, board) {
  const taken = takenSpots(hand);
  return Object.fromEntries(SPOTS.map((spot) => {
    const gone = taken.has(spot);
    return [spot, {
      card: gone ? null : exposedOn(board, spot),
      count: countOn(board, spot) - Number(gone),
    }];
  }));
}

/**
 * @param {Hand} hand @param {Board} board @param {string} spot
 * @returns {{hand: Hand, reason: string | null}}
 */
export function tapped(hand, board, spot) {
  const taken = takenSpots(hand);
  const cardAt = (/** @type {string} */ at) => (taken.has(at) ? null : exposedOn(board, at));
  const { selected, remove, reason } = tap(hand.selected, spot, cardAt);
  if (remove === null) return { hand: { ...hand, selected }, reason };
  const cards = remove.map((at) => cardAt(at) ?? "");
  return { hand: waiting({ ...hand, selected }, { type: "move", spots: remove, cards }), reason };
}

/**
 * Undo takes back the last move that still waits; else it goes to the server like a move, never past the start.
 * @param {Hand} hand @param {Board} board
 * @returns {Hand}
 */
export function undoPressed(hand, board) {
  const cleared = { ...hand, selected: [] };
  const last = hand.actions.at(-1);
  const unsent = hand.actions.length - Number(hand.sent);
  if (last?.type === "move" && unsent > 0) return { ...cleared, actions: hand.actions.slice(0, -1) };
  if (movesAhead(hand, board) <= 0) return cleared;
  return waiting(cleared, { type: "undo", spots: [], cards: [] });
}

/** How many moves could be undone once everything under way is done. @param {Hand} hand @param {Board} board */
const movesAhead = (hand, board) =>
  hand.actions.reduce((sum, action) => sum + (action.type === "move" ? 1 : -1), board.can_undo ? board.moves : 0);

/** @param {Hand} hand @param {Action} action @returns {Hand} */
const waiting = (hand, action) =>
  hand.actions.length < MOST_WAITING ? { ...hand, actions: [...hand.actions, action] } : hand;

/**
 * The next action to send, if there is one and nothing is under way.
 * @param {Hand} hand
 * @returns {{hand: Hand, action: Action | null}}
 */
export function nextAction(hand) {
  if (hand.sent || hand.actions.length === 0) return { hand, action: null };
  return { hand: { ...hand, sent: true }, action: hand.actions[0] };
}

/**
 * The action under way was carried out: what waits goes on, unless its cards are others now.
 * @param {Hand} hand @param {Board} board the board after it
 * @returns {Hand}
 */
export function carriedOut(hand, board) {
  const actions = hand.actions.slice(1).filter((action) => isStillThere(action, board));
  return { actions, sent: false, selected: hand.selected.filter((spot) => exposedOn(board, spot) !== null) };
}

/** @param {Action} action @param {Board} board */
const isStillThere = (action, board) =>
  action.spots.every((spot, i) => exposedOn(board, spot) === action.cards[i]);

/**
 * The action under way was refused, or the board came anew: nothing of the hand counts any more.
 * @param {Hand} hand
 * @returns {Hand}
 */
export const letGo = (hand) => (hand === EMPTY_HAND ? hand : EMPTY_HAND);
