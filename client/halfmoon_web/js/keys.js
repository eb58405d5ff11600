/** The keyboard of the race: undo, spots by typing, and the list of all keys. */

import { WAIT_MS, flushed, typed } from "./typing.js";

/**
 * @typedef {object} Hands
 * @property {() => boolean} isRacing
 * @property {() => void} undo
 * @property {(spot: string) => void} tap
 * @property {() => void} help
 */

/** @param {Hands} hands */
export function listenToKeys(hands) {
  let held = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const take = (/** @type {{held: string, spots: string[]}} */ next) => {
    clearTimeout(timer);
    held = next.held;
    next.spots.forEach(hands.tap);
    if (held !== "") timer = setTimeout(() => take({ held: "", spots: flushed(held) }), WAIT_MS);
  };

  document.addEventListener("keydown", (event) => {
    if (isTakenElsewhere(event)) return;
    if (event.key === "?") hands.help();
    else if (!hands.isRacing()) return;
    else if (isUndo(event)) hands.undo();
    else if (held !== "" && event.key === "Enter") take({ held: "", spots: flushed(held) });
    else {
      const next = event.ctrlKey || event.metaKey ? null : typed(held, event.key);
      if (next === null) return;
      take(next);
    }
    event.preventDefault();
  });
}

/** @param {KeyboardEvent} event */
const isUndo = (event) => event.key.toLowerCase() === (event.ctrlKey || event.metaKey ? "z" : "u");

/** @param {KeyboardEvent} event */
export const isTakenElsewhere = (event) =>
  event.altKey || event.defaultPrevented || document.querySelector("dialog[open]") !== null
  || (event.target instanceof Element && event.target.closest("input, select, textarea") !== null);
