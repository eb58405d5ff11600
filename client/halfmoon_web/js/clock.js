/** The server's time, told from `clock` answers; the browser's own wall clock is never asked. */

/** How many answers are remembered. */
const KEPT = 8;
/** A difference that mere rounding to whole milliseconds can make. */
const ROUNDING_MS = 2;

/**
 * @typedef {object} Sample
 * @property {number} low the least the offset can be: the answer was written just before it came
 * @property {number} high the most: it was written right after the question was sent
 */

export class Clock {
  /** @type {Sample[]} */
  #samples = [];
  /** What `welcome` said, late by one way: good enough until the first answer. */
  #roughOffset = 0;

  /** @param {() => number} now milliseconds of a clock that only runs forward, such as performance.now */
  constructor(now) {
    this.now = now;
  }

  /** Takes in the time that `welcome` says. @param {number} at */
  welcome(at) {
    this.#roughOffset = at - this.now();
  }

  /**
   * Takes in that a question asked at `t` was answered with the server's time `at`, and came just now.
   * @param {number} t @param {number} at
   */
  sample(t, at) {
    const sample = { low: at - this.now(), high: at - t };
    // A machine that slept may have stopped its clock: what can't agree with the newest answer is of before.
    this.#samples = this.#samples.filter((old) => agree(old, sample)).slice(1 - KEPT);
    this.#samples.push(sample);
  }

  /** Unix time in ms by the server's clock. */
  serverNow() {
    if (this.#samples.length === 0) return this.now() + this.#roughOffset;
    const best = this.#samples.reduce((a, b) => (width(b) < width(a) ? b : a));
    return this.now() + (best.low + best.high) / 2;
  }
}

/** @param {Sample} sample the round trip that it took */
const width = (sample) => sample.high - sample.low;

/** @param {Sample} one @param {Sample} other */
const agree = (one, other) =>
  one.low <= other.high + ROUNDING_MS && other.low <= one.high + ROUNDING_MS;
