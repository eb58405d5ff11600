/** A board with all that lies on it, for races that are over: moves, undo, how it stands.  Pure; Contract §5 and §6. */

import { SPOTS, isCourt, makeEleven, rankOf } from "./cards.js";

/**
 * @typedef {import("./deal.js").Deal} Deal
 * @typedef {import("./messages.js").Board["status"]} Status
 *
 * @typedef {object} Position frozen: an action makes another
 * @property {number[]} counts how many cards lie on each of `SPOTS`
 * @property {{spots: string[], before: Position} | null} last the last move that stands
 * @property {number} moves that stand
 * @property {number} score
 * @property {number} turn actions made
 * @property {"racing" | "deadlocked" | "won"} status by the cards
 */

const WON_MOVES = 48;
const COURTS = ["J", "Q", "K"];
const INDEX = new Map(SPOTS.map((spot, i) => [spot, i]));

/** @param {string} spot @returns {number} its place in `SPOTS`, -1 for none */
export const indexOf = (spot) => INDEX.get(spot) ?? -1;

/** The board before the first move. @param {Deal} deal @returns {Position} */
export function beginning(deal) {
  const counts = deal.map((cards) => cards.length);
  return { counts, last: null, moves: 0, score: 0, turn: 0, status: statusOf(deal, counts, 0) };
}

/** The card exposed on a spot, or null. @param {Deal} deal @param {Position} position @param {string} spot */
export const exposedAt = (deal, { counts }, spot) => deal[indexOf(spot)][counts[indexOf(spot)] - 1] ?? null;

/** The card right under the exposed one, or null. @param {Deal} deal @param {Position} position @param {string} spot */
export const beneath = (deal, { counts }, spot) => deal[indexOf(spot)][counts[indexOf(spot)] - 2] ?? null;

/**
 * @param {Deal} deal @param {Position} position @param {string[]} spots
 * @returns {{position: Position, reason: null} | {position: null, reason: string}} the first reason that applies
 */
export function attempt(deal, position, spots) {
  const reason = reasonAgainst(deal, position, spots);
  if (reason !== null) return { position: null, reason };
  const counts = position.counts.slice();
  for (const spot of spots) counts[indexOf(spot)] -= 1;
  const moves = position.moves + 1;
  return {
    position: {
      counts, last: { spots, before: position }, moves, score: position.score + (spots.length === 2 ? 10 : 15),
      turn: position.turn + 1, status: statusOf(deal, counts, moves),
    },
    reason: null,
  };
}

/** The last move taken back. @param {Position} position @returns {Position | null} null where none stands */
export const takenBack = (position) =>
  position.last && { ...position.last.before, turn: position.turn + 1 };

/** @param {Deal} deal @param {Position} position @param {string[]} spots @returns {string | null} */
function reasonAgainst(deal, position, spots) {
  if (spots.some((spot) => !INDEX.has(spot))) return "unknown_spot";
  if (new Set(spots).size !== spots.length) return "same_spot";
  if (spots.length < 2 || spots.length > 3) return "wrong_count";
  const cards = spots.flatMap((spot) => exposedAt(deal, position, spot) ?? []);
  return cards.length < spots.length ? "empty_spot" : reasonOfCards(cards);
}

/** @param {string[]} cards two or three */
function reasonOfCards(cards) {
  const courts = new Set(cards.filter(isCourt).map(rankOf));
  if (courts.size > 0) return cards.length === 3 && courts.size === 3 ? null : "need_jack_queen_king";
  return cards.length === 2 && makeEleven(cards[0], cards[1]) ? null : "not_eleven";
}

/** @param {Deal} deal @param {number[]} counts @param {number} moves @returns {Position["status"]} */
function statusOf(deal, counts, moves) {
  if (moves === WON_MOVES) return "won";
  const exposed = counts.flatMap((count, i) => deal[i][count - 1] ?? []);
  const ranks = new Set(exposed.map(rankOf));
  const isPair = exposed.some((card) => !isCourt(card) && ranks.has("A23456789T"[10 - "A23456789T".indexOf(rankOf(card)) - 1]));
  return isPair || COURTS.every((rank) => ranks.has(rank)) ? "racing" : "deadlocked";
}

/**
 * The board as those who watch would be sent it.
 * @param {Deal} deal @param {Position} position @returns {import("./watching.js").WatchedBoard}
 */
export function boardOf(deal, position) {
  const { counts, turn, score, moves, status } = position;
  const tops = counts.map((count, i) => deal[i][count - 1] ?? null);
  return {
    turn, score, moves, status,
    piles: counts.slice(0, 12).map((count, i) => ({ top: tops[i], count })),
    reserve: tops.slice(12),
  };
}
