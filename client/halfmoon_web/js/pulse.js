/**
 * When to ask whether the line still lives, and when it doesn't.  Pure but for what it remembers.
 *
 * Silence counts only after a question, so a page whose timers slept isn't taken for one that lost its line.
 * Asked every 5 s and patient for 5 s, a lost line is known within 10 s and a half.
 */

export const ASK_MS = 5_000;
export const SILENCE_MS = 5_000;
/** After waking up the player is looking: be quick, for connecting anew costs little. */
export const SILENCE_AFTER_WAKING_MS = 1_500;

export class Pulse {
  /** @type {number | null} when a question went out that no frame came after */
  #askedAt = null;
  #nextAt = 0;
  #patience_ms = SILENCE_MS;

  /** @param {number} now @param {number} [patience_ms] */
  asked(now, patience_ms = SILENCE_MS) {
    this.#askedAt ??= now;
    this.#patience_ms = patience_ms;
    this.#nextAt = now + ASK_MS;
  }

  /** A frame came, whatever it was. */
  heard() {
    this.#askedAt = null;
  }

  /** @param {number} now */
  isDue(now) {
    return this.#askedAt === null && now >= this.#nextAt;
  }

  /** @param {number} now */
  isLost(now) {
    return this.#askedAt !== null && now - this.#askedAt >= this.#patience_ms;
  }
}
