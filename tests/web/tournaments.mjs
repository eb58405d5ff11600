/** What the tests of the tournament pages say things with. */

import { OPTIONS, SEAL } from "./builders.mjs";

export const entrant = (number, more = {}) => ({
  entrant: `e${number}`, name: ["Anna", "Ben", "Cleo", "Dora", "Emil"][number - 1] ?? `N${number}`, active: true, seed: number, taken: true, online: true, ...more,
});

export const result = (number, rank, more = {}) => ({
  entrant: `e${number}`, rank, status: "retired", best: 100 - 10 * rank, moves: 3, actions: 3, time_ms: 1_000 * rank, race: "r_1", ...more,
});

export const heat = (round, number, entrants, more = {}) => ({
  round, heat: number, room: `ROOM${round}${number}`, entrants: entrants.map((one) => `e${one}`), state: "over", seal: SEAL, starts_at: 1_000, ...more,
});

/** Four who have come to a tournament of three rounds that hasn't begun. */
export const tournament = (more = {}) => ({
  type: "tournament", tournament: "T4KQ9", name: "Club evening", format: "series", state: "entry", round: 0, rounds: 3,
  entrants: [1, 2, 3, 4].map((number) => entrant(number)), heats: [], byes: [], entry: "open", race: OPTIONS, annulled: [],
  automatic: { break_ms: null, paused: false }, ...more,
});
