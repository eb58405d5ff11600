/** Why a heat was drawn as it was: the server tells it, in English. */

import { t } from "./words.js";

/** @param {string} tournament @param {number} round @param {number} heat @returns {Promise<string>} */
export async function explanationOf(tournament, round, heat) {
  try {
    const answer = await fetch(`/api/tournaments/${encodeURIComponent(tournament)}/rounds/${round}/heats/${heat}/explanation`);
    if (answer.ok) return String((await answer.json()).text);
  } catch {
    // Said below.
  }
  return t("round.why_failed");
}
