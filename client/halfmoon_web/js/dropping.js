/** A card dropped onto another, as taps: pure. */

import { isCourt } from "./cards.js";

/**
 * @param {string[]} selected spots selected so far
 * @param {string} from @param {string} to
 * @param {(spot: string) => string | null} cardAt
 * @returns {string[]} the spots to tap, in order
 */
export function dropTaps(selected, from, to, cardAt) {
  const moved = [from, to].filter((spot) => !selected.includes(spot));
  const isFree = moved.length === 2;
  const allCourts = [from, to, ...selected].every((spot) => isCourt(cardAt(spot) ?? "?"));
  // What was selected has nothing to do with two cards that are brought together, unless all three are courts.
  return isFree && !allCourts ? [...selected, ...moved] : moved;
}
