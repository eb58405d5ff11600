/** The keyboard of a replay. */

import "./recordwords.js";
import { SPEEDS } from "./playback.js";
import { t } from "./words.js";

/**
 * @typedef {import("./timeline.js").Mark} Mark
 * @typedef {{what: "play" | "copy" | "keys"} | {what: "step" | "speed" | "end" | "other", by: 1 | -1}
 *   | {what: "jump", mark: Mark, by: 1 | -1} | {what: "follow", seat: number | null}} Act
 */

/** Which key jumps to what; with Shift to the one before. @type {Record<string, Mark>} */
const MARKS = { l: "lead", d: "deadlocked", u: "undo" };

/** @type {Record<string, Act>} */
const ACTS = {
  " ": { what: "play" }, k: { what: "play" }, "?": { what: "keys" }, c: { what: "copy" },
  ArrowLeft: { what: "step", by: -1 }, ArrowRight: { what: "step", by: 1 },
  ArrowUp: { what: "other", by: -1 }, ArrowDown: { what: "other", by: 1 },
  Home: { what: "end", by: -1 }, End: { what: "end", by: 1 },
  "+": { what: "speed", by: 1 }, "-": { what: "speed", by: -1 },
  0: { what: "follow", seat: null }, Escape: { what: "follow", seat: null },
};

/** What a key asks for, or null. @param {KeyboardEvent} event @returns {Act | null} */
export function actOfKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTakenElsewhere(event)) return null;
  const mark = MARKS[event.key.toLowerCase()];
  if (mark) return { what: "jump", mark, by: event.shiftKey ? -1 : 1 };
  if (/^[1-9]$/.test(event.key)) return { what: "follow", seat: Number(event.key) - 1 };
  return ACTS[event.key] ?? null;
}

/** Keys that a control under the focus takes for itself. @param {KeyboardEvent} event */
function isTakenElsewhere({ target, key }) {
  if (document.querySelector("dialog[open]") !== null) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest("button, a, summary, label")) return key === " ";
  if (target.closest("input[type=range]")) return /^(Arrow|Home|End)/.test(key);
  return target.closest("input, select, textarea") !== null;
}

/** The list of them, for who asks. @returns {import("./elements/hm-keys.js").Lines} */
export const replayKeys = () => [
  [[t("keys.space"), "K"], t("replay.keys_play")],
  [["←", "→"], t("replay.keys_step")],
  [["Home", "End"], t("replay.keys_ends")],
  [["+", "−"], t("replay.keys_speed", { least: SPEEDS[0], most: SPEEDS[SPEEDS.length - 1] })],
  [["L"], t("replay.keys_lead")],
  [["D"], t("replay.keys_deadlocked")],
  [["U"], t("replay.keys_undo")],
  [["Shift"], t("replay.keys_shift")],
  [["1", "…", "9"], t("replay.keys_follow")],
  [["↑", "↓"], t("replay.keys_other")],
  [["0"], t("replay.keys_all")],
  [["C"], t("replay.keys_copy")],
  [["?"], t("keys.help")],
];
