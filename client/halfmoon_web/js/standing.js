/** One player's race to its end, and the ranking of all.  Pure; Contract §6. */

import { beginning } from "./position.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("./messages.js").StandingLine} StandingLine
 *
 * @typedef {object} Run what a player has made of the deal so far; frozen
 * @property {Position} position
 * @property {number} best the highest score so far
 * @property {number} best_at_ms when it was first reached
 * @property {number} at_ms the last change
 * @property {"retired" | "timed_out" | null} left how it ended where the board doesn't say
 */

/** @param {import("./deal.js").Deal} deal @returns {Run} */
export const started = (deal) => ({ position: beginning(deal), best: 0, best_at_ms: 0, at_ms: 0, left: null });

/** @param {Run} run @param {Position} position @param {number} at_ms @returns {Run} */
export function movedTo(run, position, at_ms) {
  const isBetter = position.score > run.best;
  return {
    position, at_ms, left: null,
    best: isBetter ? position.score : run.best, best_at_ms: isBetter ? at_ms : run.best_at_ms,
  };
}

/** @param {Run} run */
export const statusOf = (run) => run.left ?? run.position.status;

/** A deadlock is the end only where undo is off. @param {Run} run @param {boolean} undo */
export function isDone(run, undo) {
  const status = statusOf(run);
  return status !== "racing" && (status !== "deadlocked" || !undo);
}

/** @typedef {{player: string, name: string, run: Run, ghost?: import("./messages.js").GhostOf}} Finish */

/** The ranked lines, best first; exact equals share a rank. @param {Finish[]} finishes @returns {StandingLine[]} */
export function standingsOf(finishes) {
  const ordered = finishes.map((finish) => ({ finish, key: keyOf(finish.run) })).sort((a, b) => compare(a.key, b.key));
  /** @type {StandingLine[]} */
  const lines = [];
  ordered.forEach(({ finish, key }, i) => {
    const isEqual = i > 0 && compare(ordered[i - 1].key, key) === 0;
    lines.push(lineOf(isEqual ? lines[i - 1].rank : i + 1, finish));
  });
  return lines;
}

/** Winners by time; then the best score, who had it first, and who needed fewer actions. @param {Run} run */
function keyOf(run) {
  const isWon = statusOf(run) === "won";
  return [isWon ? 0 : 1, isWon ? run.best_at_ms : 0, -run.best, run.best_at_ms, run.position.turn];
}

/** @param {number[]} one @param {number[]} other */
const compare = (one, other) => one.map((value, i) => value - other[i]).find((difference) => difference !== 0) ?? 0;

/** @param {number} rank @param {Finish} finish @returns {StandingLine} */
const lineOf = (rank, { player, name, run, ghost }) => ({
  rank, player, name, status: /** @type {StandingLine["status"]} */ (statusOf(run)),
  score: run.position.score, best: run.best, moves: run.position.moves, actions: run.position.turn, time_ms: run.best_at_ms,
  ...(ghost && { ghost }),
});
