/** The seal of a game code, computed here, so that nobody has to believe the server.  Contract §2. */

import { sha256 } from "./sha256.js";

/** @param {string} code canonical @returns {Promise<string>} hex */
export async function sealOf(code) {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return sha256(code);
  const digest = await subtle.digest("SHA-256", new TextEncoder().encode(code));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
