/** One's own shares in the deals that server and racers draw together. */

/** By the commitment of the server that they answered. @type {Map<string, string>} */
const shares = new Map();

/**
 * A fresh share, 16 random bytes in hex, in the deal that the server has bound itself to.
 * @param {string} commit
 */
export function share(commit) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const nonce = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  shares.set(commit, nonce);
  return nonce;
}

/** The share that was said from this page, where one was. @param {string} commit */
export const ownShare = (commit) => shares.get(commit);
