/** What is heard and felt of what happens, as far as the player has it on. */

import { playSound } from "./sound.js";

/** How long a phone vibrates and rests, ms. @type {Record<string, number[]>} */
const PULSES = {
  tap: [8],
  pair: [14],
  triple: [14, 30, 14],
  refused: [20, 40, 20],
  started: [60],
  deadlocked: [40, 60, 40],
  won: [30, 50, 30, 50, 80],
};

/** @param {string} what @param {import("./settings.js").Settings} settings */
export function feel(what, settings) {
  if (settings.sound) playSound(what);
  if (settings.haptics && PULSES[what]) vibrate(PULSES[what]);
}

/** Before anybody pressed anything a browser refuses, and says so loudly. @param {number[]} pulses */
function vibrate(pulses) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pulses);
}
