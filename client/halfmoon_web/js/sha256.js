/** SHA-256 (FIPS 180-4) of a text of bytes, for pages that came over plain http, where browsers keep theirs back. */

const [K, START] = constants();

/** The first 32 bits of the fractions of cube and square roots of the first primes. */
function constants() {
  const fraction = (/** @type {number} */ value) => ((value - Math.floor(value)) * 2 ** 32) | 0;
  const [k, start] = [new Int32Array(64), new Int32Array(8)];
  for (let n = 2, found = 0; found < 64; n++) {
    if (!isPrime(n)) continue;
    k[found] = fraction(Math.cbrt(n));
    if (found < 8) start[found] = fraction(Math.sqrt(n));
    found++;
  }
  return [k, start];
}

/** @param {number} n */
function isPrime(n) {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return true;
}

/** @param {number} word @param {number} bits */
const turn = (word, bits) => (word >>> bits) | (word << (32 - bits));

/** The text, a one bit, zeros, and the length in bits: whole blocks of 16 words. @param {string} text */
function padded(text) {
  const words = new Int32Array(((text.length + 8) >> 6) * 16 + 16);
  for (let i = 0; i < text.length; i++) words[i >> 2] |= text.charCodeAt(i) << (24 - 8 * (i % 4));
  words[text.length >> 2] |= 0x80 << (24 - 8 * (text.length % 4));
  words[words.length - 1] = text.length * 8;
  return words;
}

/** @param {Int32Array} block 16 words @returns {Int32Array} 64 of them */
function schedule(block) {
  const w = new Int32Array(64);
  w.set(block);
  for (let i = 16; i < 64; i++) {
    const low = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const high = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = w[i - 16] + low + w[i - 7] + high;
  }
  return w;
}

/** @param {Int32Array} hash @param {Int32Array} block @returns {Int32Array} */
function mixed(hash, block) {
  const w = schedule(block);
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  return Int32Array.from([a, b, c, d, e, f, g, h], (value, i) => value + hash[i]);
}

/** @param {string} text of characters below 256, a byte each @returns {string} 64 hex digits */
export function sha256(text) {
  const words = padded(text);
  /** @type {Int32Array} */
  let hash = START;
  for (let i = 0; i < words.length; i += 16) hash = mixed(hash, words.subarray(i, i + 16));
  return [...hash].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
