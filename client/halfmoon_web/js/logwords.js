/** A tournament's log in one's own language: what was done, and by whom. */

import { has, t } from "./words.js";
import { nameOf } from "./tournament.js";

/** @typedef {import("./tournament.js").Tournament} Tournament */
/**
 * A line of the log.
 * @typedef {object} LogLine
 * @property {number} seq
 * @property {number} at
 * @property {string} by
 * @property {string} [device] which of the organisers' it was
 * @property {string} what
 * @property {string} text the same in English
 * @property {string} [entrant]
 * @property {string} [name] what they were called then
 * @property {number} [round]
 * @property {number} [heat]
 * @property {string} [reason]
 * @property {string[]} [names]
 * @property {number} [break_ms]
 * @property {boolean} [paused]
 * @property {string} [announcement]
 */

/** Who did it. @param {LogLine} line */
export const byWords = ({ by, device }) => device ?? t(`deed.by_${by}`);

/** What was done; as the server says it where it is of a kind not known here. @param {LogLine} line @param {Tournament} tournament */
export function logWords(line, tournament) {
  const key = keyOf(line);
  if (!has(key)) return line.text;
  const { entrant, name, round = 0, heat = 0, reason = "", names = [], break_ms = 0, announcement = "" } = line;
  return t(key, {
    name: entrant === undefined ? tournament.name : (name ?? nameOf(tournament, entrant)), names: names.join(", "), round, heat, reason,
    seconds: break_ms / 1_000, line: announcement,
  });
}

/** @param {LogLine} line */
function keyOf({ what, names, break_ms, paused, announcement }) {
  if (what === "announced" && announcement === undefined) return "deed.silenced";
  if (what === "round_drawn" && names !== undefined) return "deed.round_drawn_bye";
  if (what !== "automatic_set" || (break_ms !== undefined && !paused)) return `deed.${what}`;
  return break_ms === undefined ? "deed.automatic_off" : "deed.automatic_paused";
}
