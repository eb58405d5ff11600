/** What a card's two letters say: rank, suit, value. */

/** @param {string} card such as "5S" */
export const rankOf = (card) => card[0];

/** @param {string} card */
export const suitOf = (card) => card[1];

/** @param {string} card */
export const isRed = (card) => card[1] === "H" || card[1] === "D";

/** @param {string} card */
export const isCourt = (card) => "JQK".includes(card[0]);

/**
 * Ace 1 to ten 10; a court card has no value, 0.
 * @param {string} card
 */
export const valueOf = (card) => "A23456789T".indexOf(card[0]) + 1;

/** @param {string} one @param {string} other */
export const makeEleven = (one, other) =>
  !isCourt(one) && !isCourt(other) && valueOf(one) + valueOf(other) === 11;

/**
 * May `card` still go together with what is selected?  For the placement help.
 * @param {string} card
 * @param {string[]} selected the cards selected so far
 */
export function fits(card, selected) {
  if (selected.length === 0) return true;
  if (!isCourt(selected[0])) return selected.length === 1 && makeEleven(card, selected[0]);
  return isCourt(card) && selected.every((other) => rankOf(other) !== rankOf(card));
}

/** @typedef {import("./messages.js").Board} Board */

/** The names of all spots, piles first. */
export const SPOTS = [
  ...Array.from({ length: 12 }, (_, i) => String(i + 1)),
  ...Array.from({ length: 8 }, (_, i) => `R${i + 1}`),
];

/**
 * The card exposed on a spot, or null.
 * @param {Pick<Board, "piles" | "reserve">} board
 * @param {string} spot
 */
export function exposedOn(board, spot) {
  return spot.startsWith("R")
    ? (board.reserve[Number(spot.slice(1)) - 1] ?? null)
    : (board.piles[Number(spot) - 1]?.top ?? null);
}

/**
 * How many cards lie on a spot.
 * @param {Pick<Board, "piles" | "reserve">} board
 * @param {string} spot
 */
export function countOn(board, spot) {
  return spot.startsWith("R")
    ? Number(exposedOn(board, spot) !== null)
    : (board.piles[Number(spot) - 1]?.count ?? 0);
}
