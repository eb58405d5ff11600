/**
 * What somebody wants to race, chosen on a page beside the rooms: it waits in this tab until the rooms' page is there.
 * It stands in no address, so that no link can begin a race that can be begun only once.
 */

const KEY = "halfmoon.wish";

/**
 * @typedef {object} Wish
 * @property {boolean} starts at once and alone, without waiting in the lobby
 * @property {import("./messages.js").OptionsChange} [options]
 * @property {string} [challenge]
 * @property {true} [daily]
 */

/** @param {Storage | null} own the tab's @param {Wish} wish */
export function keepWish(own, wish) {
  own?.setItem(KEY, JSON.stringify(wish));
}

/** Whether one waits. @param {Storage | null} own */
export const hasWish = (own) => (own?.getItem(KEY) ?? null) !== null;

/** Takes it, once. @param {Storage | null} own @returns {Wish | null} */
export function takeWish(own) {
  try {
    return JSON.parse(own?.getItem(KEY) ?? "null");
  } catch {
    return null;
  } finally {
    own?.removeItem(KEY);
  }
}
