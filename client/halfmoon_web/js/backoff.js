/** How long to wait before the next attempt to connect: full jitter, so that a class coming back doesn't come at once. */

export const FIRST_MS = 500;
export const LONGEST_MS = 10_000;

/**
 * @param {number} attempt 0 for the first
 * @param {() => number} random 0 to 1
 * @returns {number} milliseconds
 */
export function backoff(attempt, random) {
  return Math.round(random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10)));
}
