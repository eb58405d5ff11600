/** Links by which a person takes their entry: the claim stands in the fragment, which no server is ever sent. */

import { tournamentPath } from "./links.js";

/** @param {string} tournament @param {string} claim */
export const claimPath = (tournament, claim) => `${tournamentPath(tournament)}#claim=${encodeURIComponent(claim)}`;

/** The claim in a link's fragment, or "". @param {string} hash */
export function claimIn(hash) {
  const found = new URLSearchParams(hash.replace(/^#/, "")).get("claim") ?? "";
  return /^[\x21-\x7e]{1,64}$/.test(found) ? found : "";
}
