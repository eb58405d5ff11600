/** Why a heat was drawn as it was: the server gives the reasons, and here they become words. */

import { pointsText } from "./tabling.js";
import { nameOf } from "./tournament.js";
import { has, t } from "./words.js";

/** @typedef {import("./tournament.js").Tournament} Tournament */
/** @typedef {{entrant: string, points?: number, seed?: number}} ReasonEntrant */
/** @typedef {{why: string, entrants?: ReasonEntrant[], count?: number, heats?: number, heat_size?: number, difference?: number}} Reason */
/** The reasons that were asked for, by round and heat as in "2.1"; null where they couldn't be had. @typedef {ReadonlyMap<string, Reason[] | null>} Reasons */

/** @param {string} tournament @param {number} round @param {number} heat @returns {Promise<Reason[] | null>} */
export async function reasonsFor(tournament, round, heat) {
  try {
    const answer = await fetch(`/api/tournaments/${encodeURIComponent(tournament)}/rounds/${round}/heats/${heat}/explanation`);
    return answer.ok ? (await answer.json()).reasons : null;
  } catch {
    return null;
  }
}

/** @param {Tournament} tournament @param {Reason[] | null} reasons */
export const becauseWords = (tournament, reasons) =>
  (reasons === null ? t("round.why_failed") : reasons.map((reason) => wordsOf(tournament, reason)).filter(Boolean).join(" "));

/** A reason that a newer server gives is left out. @param {Tournament} tournament @param {Reason} reason */
function wordsOf(tournament, { why, entrants = [], count = 0, heats = 0, heat_size = 0, difference = 0 }) {
  const [one = "", other = ""] = entrants.map((entrant) => whoWords(tournament, entrant));
  const key = why === "bye" && count === 0 ? "because.first_bye" : `because.${why}`;
  return has(key) ? t(key, { one, other, count, heats, heat_size, points: pointsText("swiss", difference) }) : "";
}

/** @param {Tournament} tournament @param {ReasonEntrant} entrant */
function whoWords(tournament, { entrant, points, seed }) {
  const name = nameOf(tournament, entrant);
  if (points === undefined) return t("because.seed", { name, seed: seed ?? 0 });
  return t("because.points", { name, points: pointsText("swiss", points), count: points });
}
