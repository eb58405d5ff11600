/** The seal of a game code, computed here, so that nobody has to believe the server.  Contract §2. */

import { sha256 } from "./sha256.js";

/** @param {string} code canonical @returns {Promise<string>} hex */
export async function sealOf(code) {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return sha256(code);
  const digest = await subtle.digest("SHA-256", new TextEncoder().encode(code));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether nobody knew the code before the race. @param {string} code */
export const isSealed = (code) => code.startsWith("HM1-S-");

/** The ends of a seal, by which it is known again. @param {string} seal */
export const shortSeal = (seal) => `${seal.slice(0, 4)}…${seal.slice(-4)}`;
