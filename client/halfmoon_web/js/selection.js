/** Tapping: what is selected after a tap, and which cards then go.  Pure; tests/vectors/selection.json is its table. */

import { isCourt, makeEleven, rankOf } from "./cards.js";

/**
 * @typedef {object} Tapped
 * @property {string[]} selected spots, in the order of tapping
 * @property {string[] | null} remove the spots of a finished pair or triple
 * @property {"not_eleven" | "need_jack_queen_king" | null} reason why the tap didn't fit
 */

/**
 * @param {string[]} selected spots selected so far
 * @param {string} spot the one that is tapped
 * @param {(spot: string) => string | null} cardAt the card exposed there, null where nothing is
 * @returns {Tapped}
 */
export function tap(selected, spot, cardAt) {
  const card = cardAt(spot);
  if (card === null) return { selected, remove: null, reason: null };
  if (selected.includes(spot)) {
    return { selected: selected.filter((other) => other !== spot), remove: null, reason: null };
  }
  if (selected.length === 0) return { selected: [spot], remove: null, reason: null };
  const held = selected.map((other) => cardAt(other) ?? "");
  if (isCourt(card) && isCourt(held[0])) return tapSecondCourt(selected, held, spot, card);
  if (makeEleven(held[0], card)) return { selected: [], remove: [...selected, spot], reason: null };
  const courtAmongThem = isCourt(card) || isCourt(held[0]);
  return { selected: [], remove: null, reason: courtAmongThem ? "need_jack_queen_king" : "not_eleven" };
}

/**
 * A court card on top of one or two court cards: it takes the place of one of its rank, else it joins them.
 * @param {string[]} selected @param {string[]} held @param {string} spot @param {string} card
 * @returns {Tapped}
 */
function tapSecondCourt(selected, held, spot, card) {
  const same = held.findIndex((other) => rankOf(other) === rankOf(card));
  if (same >= 0) {
    const swapped = selected.map((other, i) => (i === same ? spot : other));
    return { selected: swapped, remove: null, reason: "need_jack_queen_king" };
  }
  const joined = [...selected, spot];
  return joined.length === 3
    ? { selected: [], remove: joined, reason: null }
    : { selected: joined, remove: null, reason: null };
}
