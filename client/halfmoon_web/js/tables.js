/** Results of many races in one table: their ranks, what makes them comparable, and where a line leads.  Pure. */

import { linkToRace } from "./links.js";
import { hashOf } from "./playback.js";
import { duration, t } from "./words.js";

/**
 * A line of a table.
 * @typedef {object} Line
 * @property {number} rank
 * @property {string} player
 * @property {string} name
 * @property {string} status
 * @property {number} best
 * @property {number} time_ms
 * @property {number} moves
 * @property {number} actions
 * @property {string} [race] absent while it is still in a private room, to which no record shall lead
 * @property {number} [starts_at]
 * @property {{race: string, player: string}} [ghost]
 *
 * @typedef {{undo: boolean, time_limit_ms: number | null, ends: "all" | "first_win"}} Rules
 */

/**
 * Lines that come best first, with their ranks; exact equals share one (Contract §6).
 * @template {{best: number, time_ms: number, actions: number}} L
 * @param {L[]} lines @returns {(L & {rank: number})[]}
 */
export function ranked(lines) {
  /** @type {(L & {rank: number})[]} */
  const table = [];
  for (const line of lines) {
    const last = table.at(-1);
    const isEqual = last !== undefined && last.best === line.best && last.time_ms === line.time_ms && last.actions === line.actions;
    table.push({ ...line, rank: isEqual ? last.rank : table.length + 1 });
  }
  return table;
}

/**
 * One's own lines among those shown: each at its rank, but those that come later than all of them first.
 * @template {{rank: number}} L @param {L[]} own @param {L[]} others by rank @param {boolean} isAll whether none come after them @returns {L[]}
 */
export function withOwn(own, others, isAll) {
  const last = isAll ? Infinity : (others.at(-1)?.rank ?? 0);
  const [near, far] = [own.filter(({ rank }) => rank <= last), own.filter(({ rank }) => rank > last)];
  return [...far, ...[...near, ...others].sort((one, other) => one.rank - other.rank)];
}

/** The replay of this run. @param {{race: string, player: string, ghost?: {player: string}}} line */
export const linkToRun = ({ race, player, ghost }) => linkToRace("", race) + hashOf(0, ghost?.player ?? player);

/** Where two runs of one deal are compared. @param {Line & {race: string}} one @param {Line & {race: string}} other */
export function linkToBoth(one, other) {
  const [first, second] = [one, other].map(({ player, ghost }) => ghost?.player ?? player);
  const query = new URLSearchParams({ ...(other.race !== one.race && { with: other.race }), one: first, other: second });
  return `${linkToRace("", one.race)}?${query}`;
}

/** What races of a class have in common, in words. @param {Rules} rules */
export const rulesWords = ({ undo, time_limit_ms, ends }) =>
  t("lines.rules", {
    undo: t(undo ? "lines.undo" : "lines.no_undo"),
    limit: time_limit_ms === null ? t("lines.no_limit") : t("lines.limit", { time: duration(time_limit_ms) }),
    ends: t(ends === "all" ? "lines.ends_all" : "lines.ends_first_win"),
  });

/** What asks for this class and no other. @param {Rules} rules */
export const rulesQuery = ({ undo, time_limit_ms, ends }) =>
  String(new URLSearchParams({ undo: String(undo), time_limit_ms: time_limit_ms === null ? "none" : String(time_limit_ms), ends }));

/** The part of an address's query that names a class. @param {string} search */
export function rulesInSearch(search) {
  const asked = new URLSearchParams(search);
  const known = ["undo", "time_limit_ms", "ends"].flatMap((name) => (asked.has(name) ? [[name, asked.get(name) ?? ""]] : []));
  return String(new URLSearchParams(known));
}
