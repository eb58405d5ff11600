/** What is asked over HTTP as the player whom this browser knows: some records are open only to who has played. */

import { IdentityStore, storageOf } from "./identity.js";

/** The server doesn't know the token, such as one of a data folder that is gone, or was told too many of that kind. */
const UNKNOWN = new Set([401, 429]);

/**
 * The record of a race as the server has it; rejects with the status where it gives none.
 * @param {string} race @returns {Promise<string>} JSON
 */
export async function askRecord(race) {
  const path = `/api/races/${encodeURIComponent(race)}`;
  const { token } = new IdentityStore(storageOf("localStorage"), storageOf("sessionStorage")).identity;
  let answer = await fetch(path, token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } });
  if (UNKNOWN.has(answer.status)) answer = await fetch(path);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}
