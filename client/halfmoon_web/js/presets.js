/** What a new tournament begins from, and what is asked of the server for it.  Pure.  Contract §8. */

/** @typedef {import("./messages.js").OptionsChange} OptionsChange */
/**
 * A tournament as the form holds it.
 * @typedef {object} Plan
 * @property {string} name
 * @property {"series" | "swiss" | "knockout"} format
 * @property {number} rounds
 * @property {"open" | "list"} entry
 * @property {number | null} heat_size null: all race in one heat
 * @property {number | null} break_ms the next round follows by itself so long after; null: when asked for
 * @property {OptionsChange} race
 */

const MINUTE = 60_000;

/** @type {Record<"lesson" | "club" | "lan", Omit<Plan, "name">>} */
export const PRESETS = {
  lesson: {
    format: "series", rounds: 4, entry: "list", heat_size: null, break_ms: 60_000,
    race: { time_limit_ms: 6 * MINUTE, undo: true, ends: "all", countdown_ms: 10_000, spectators: "scores" },
  },
  club: {
    format: "swiss", rounds: 5, entry: "list", heat_size: null, break_ms: null,
    race: { time_limit_ms: 15 * MINUTE, undo: true, ends: "all", countdown_ms: 15_000, spectators: "fair" },
  },
  lan: {
    format: "series", rounds: 6, entry: "open", heat_size: null, break_ms: 120_000,
    race: { time_limit_ms: 10 * MINUTE, undo: true, ends: "all", countdown_ms: 15_000, spectators: "fair" },
  },
};

export const LEAST_HEAT = 2;
export const MOST_HEAT = 1_000;
export const MOST_ROUNDS = 100;
export const LONGEST_NAME = 60;

/** @typedef {"name" | "name_long" | "rounds" | "heat_size" | "time_limit_ms" | "break_ms"} PlanFault */

/** The first thing that is wrong with a plan, or null. @param {Plan} plan @returns {PlanFault | null} */
export function faultIn({ name, format, rounds, heat_size, break_ms, race }) {
  if (!/[\p{L}\p{N}]/u.test(name)) return "name";
  if ([...name.trim()].length > LONGEST_NAME) return "name_long";
  if (format !== "knockout" && !isWhole(rounds, 1, MOST_ROUNDS)) return "rounds";
  if (format === "series" && heat_size !== null && !isWhole(heat_size, LEAST_HEAT, MOST_HEAT)) return "heat_size";
  if (!isWhole(race.time_limit_ms ?? NaN, 1_000, 24 * 60 * MINUTE)) return "time_limit_ms";
  if (break_ms !== null && !isWhole(break_ms, 0, 3_600_000)) return "break_ms";
  return null;
}

/** @param {number} value @param {number} least @param {number} most */
const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

/** What `POST /api/tournaments` is sent: only what the form of tournament knows. @param {Plan} plan */
export const requestOf = ({ name, format, rounds, entry, heat_size, race }) => ({
  name: name.trim(), format, entry, race,
  ...(format !== "knockout" && { rounds }),
  ...(format === "series" && heat_size !== null && { heat_size }),
});

/** What is asked for besides: that rounds follow by themselves once the first was started by hand; null for nothing. @param {Plan} plan */
export const automaticOf = ({ break_ms }) => (break_ms === null ? null : { break_ms, paused: false });

/** How long it takes at most, in ms, with the breaks that come by themselves; null where nobody can say. @param {Plan} plan */
export function longest({ format, rounds, break_ms, race }) {
  if (format === "knockout" || typeof race.time_limit_ms !== "number") return null;
  return rounds * (race.time_limit_ms + (race.countdown_ms ?? 3_000)) + (rounds - 1) * (break_ms ?? 0);
}
