/** How a race went: each racer's score over time, from its record.  Pure. */

/** @typedef {{at_ms: number, score: number}} Point the score from then on */
/** @typedef {{player: string, name: string, points: Point[], until_ms: number}} Course `until_ms`: when this racer was done */
/** @typedef {{at_ms: number, move?: string[], undo?: true, retire?: true}} RecordedAction */

/** @param {RecordedAction[]} actions @returns {Point[]} */
export function pointsOf(actions) {
  /** @type {number[]} */
  const gains = [];
  let score = 0;
  return actions.flatMap(({ at_ms, move, undo }) => {
    if (move) {
      gains.push(move.length === 3 ? 15 : 10);
      score += gains[gains.length - 1];
    } else if (undo) score -= gains.pop() ?? 0;
    else return [];
    return [{ at_ms, score }];
  });
}

const WON_SCORE = 520;

/**
 * @typedef {{starts_at: number, over_at: number, players: {player: string, name: string, actions: RecordedAction[]}[]}} Recorded
 * @param {Recorded} record @returns {Course[]}
 */
export const courses = ({ starts_at, over_at, players }) =>
  players.map(({ player, name, actions }) => {
    const points = pointsOf(actions);
    const last = actions.at(-1);
    const isDone = last?.retire || points.at(-1)?.score === WON_SCORE;
    const until_ms = last && isDone ? last.at_ms : Math.max(over_at - starts_at, last?.at_ms ?? 0);
    return { player, name, points, until_ms };
  });

/** The score at a moment. @param {Point[]} points @param {number} at_ms */
export const scoreAt = (points, at_ms) => points.filter((point) => point.at_ms <= at_ms).at(-1)?.score ?? 0;

/** How long the race was. @param {Course[]} all */
export const lengthOf = (all) => Math.max(1_000, ...all.map((course) => course.until_ms));

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const TICKS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND), ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6].map((count) => count * HOUR),
];

/** Round times within a race, from 0, at most so many. @param {number} length_ms @param {number} most */
export function ticksOf(length_ms, most) {
  const step = TICKS.find((one) => length_ms / one < most) ?? Math.ceil(length_ms / (most - 1) / HOUR) * HOUR;
  return Array.from({ length: Math.floor(length_ms / step) + 1 }, (_, i) => i * step);
}
