/** What a player has set in this browser. */

/**
 * @typedef {object} Settings
 * @property {"auto" | "night" | "day"} theme
 * @property {string} language "auto" or a language's code
 * @property {boolean} move_errors
 * @property {boolean} placement_help
 * @property {boolean} four_colours
 * @property {boolean} left_handed
 * @property {boolean} sound
 * @property {boolean} haptics
 * @property {boolean} reactions whether other people's are shown
 */

/** @type {Settings} */
export const DEFAULTS = {
  theme: "auto", language: "auto", move_errors: false, placement_help: false, four_colours: false, left_handed: false,
  sound: false, haptics: true, reactions: true,
};

/** Those that are on or off, in the order in which they are shown. @type {(keyof Settings & string)[]} */
export const TICKS = ["move_errors", "placement_help", "four_colours", "left_handed", "sound", "haptics", "reactions"];

const KEY = "halfmoon.settings";
/** How often it was said where move errors are set. */
const HINTED = "halfmoon.hinted";
const ENOUGH = 2;

/** @param {Storage | null} storage @returns {Settings} */
export function load(storage) {
  try {
    return { ...DEFAULTS, ...JSON.parse(storage?.getItem(KEY) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}

/** @param {Storage | null} storage @param {Settings} settings */
export function save(storage, settings) {
  try {
    storage?.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** Whether it is still to be said where move errors are set: the first times. @param {Storage | null} storage */
export function takeHint(storage) {
  try {
    const count = Number(storage?.getItem(HINTED) ?? 0);
    if (storage === null || count >= ENOUGH) return false;
    storage.setItem(HINTED, String(count + 1));
    return true;
  } catch {
    return false;
  }
}
