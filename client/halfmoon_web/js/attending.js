/** Who of a tournament's people is here: pure, for lists that are looked through. */

/** @typedef {import("./messages.js").EntrantLine} EntrantLine */
/** @typedef {"online" | "away" | "absent" | "gone"} Presence here, come but away, not come yet, withdrawn */
/** @typedef {"all" | Presence} Filter */

/** @type {Filter[]} */
export const STATES = ["all", "online", "away", "absent", "gone"];

/** @param {EntrantLine} line @returns {Presence} */
export const presenceOf = ({ active, online, taken }) => (!active ? "gone" : online ? "online" : taken ? "away" : "absent");

/**
 * Those of this kind in whose name all the typed words occur, whatever their case and accents.
 * @template {EntrantLine} L
 * @param {L[]} entrants @param {Filter} filter @param {string} typed
 */
export function found(entrants, filter, typed) {
  const words = plain(typed).split(" ").filter(Boolean);
  return entrants.filter((line) => (filter === "all" || presenceOf(line) === filter) && words.every((word) => plain(line.name).includes(word)));
}

/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
