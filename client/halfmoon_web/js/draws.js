/** The deal that server and racers drew together: the sum done again.  docs/protocol.md, "The deal that nobody chose". */

import { sha256 } from "./sha256.js";
import { ownShare } from "./shares.js";

/** @typedef {import("./messages.js").Draw} Draw */

const BLOCK_BYTES = 64;
const LETTERS = 28;
const CODES = 26n ** BigInt(LETTERS);
const LIMIT = 2n ** 256n - (2n ** 256n % CODES);

/** Bytes as a text of characters below 256. @param {string} hex */
const bytesOf = (hex) => hex.replace(/../g, (two) => String.fromCharCode(parseInt(two, 16)));

/** HMAC-SHA-256 in hex (RFC 2104). @param {string} key of at most 64 bytes @param {string} message both as bytes */
function hmac(key, message) {
  const padded = key.padEnd(BLOCK_BYTES, "\0");
  const mixed = (/** @type {number} */ pad) => padded.replace(/[^]/g, (c) => String.fromCharCode(c.charCodeAt(0) ^ pad));
  return sha256(mixed(0x5c) + bytesOf(sha256(mixed(0x36) + message)));
}

/** The code of a number below 26²⁸. @param {bigint} number */
function codeOf(number) {
  let letters = "";
  for (let i = 0; i < LETTERS; i++, number /= 26n) letters = String.fromCharCode(65 + Number(number % 26n)) + letters;
  return `HM1-S-${letters}`;
}

/** The code that follows. @param {Draw} draw @param {string} room @param {string} race */
export function drawnCode({ secret, nonces }, room, race) {
  const said = `${room}\0${race}\0${bytesOf(Object.values(nonces).sort().join(""))}`;
  for (let i = 0; ; i++) {
    const counter = bytesOf(i.toString(16).padStart(8, "0"));
    const number = BigInt(`0x${hmac(bytesOf(secret), said + counter)}`);
    if (number < LIMIT) return codeOf(number % CODES);
  }
}

/** Whether this is the secret that was promised. @param {Draw} draw */
export const keepsPromise = ({ commit, secret }) => sha256(bytesOf(secret)) === commit;

/**
 * What doing the sum again shows: that it fits, that it doesn't, or that one's own share was left out.
 * @param {Draw} draw @param {{room: string, race: string, code: string, commit?: string}} of
 *   `commit`: as it was shown before the race, where that was seen
 * @returns {"fits" | "broken" | "left_out"}
 */
export function checked(draw, { room, race, code, commit = draw.commit }) {
  const isBound = draw.commit === commit && keepsPromise(draw);
  if (!isBound || drawnCode(draw, room, race) !== code) return "broken";
  const own = ownShare(commit);
  return own === undefined || Object.values(draw.nonces).includes(own) ? "fits" : "left_out";
}
