/** How a race went: each racer's score over time, from its record.  Pure. */

/** @typedef {{at_ms: number, score: number}} Point the score from then on */
/** @typedef {{player: string, name: string, points: Point[]}} Course */
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

/** @param {{players: {player: string, name: string, actions: RecordedAction[]}[]}} record @returns {Course[]} */
export const courses = (record) =>
  record.players.map(({ player, name, actions }) => ({ player, name, points: pointsOf(actions) }));

/** The score at a moment. @param {Point[]} points @param {number} at_ms */
export const scoreAt = (points, at_ms) => points.filter((point) => point.at_ms <= at_ms).at(-1)?.score ?? 0;

/** When the last of them all happened. @param {Course[]} all */
export const lengthOf = (all) => Math.max(1_000, ...all.map(({ points }) => points.at(-1)?.at_ms ?? 0));
