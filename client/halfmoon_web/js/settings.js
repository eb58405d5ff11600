/** What a player has set in this browser: theme, language, move errors, placement help. */

/**
 * @typedef {object} Settings
 * @property {"auto" | "night" | "day"} theme
 * @property {string} language "auto" or a language's code
 * @property {boolean} move_errors
 * @property {boolean} placement_help
 */

/** @type {Settings} */
export const DEFAULTS = { theme: "auto", language: "auto", move_errors: false, placement_help: false };

const KEY = "halfmoon.settings";

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
