/** Which round it is, in words.  An annulled round keeps its number and uses up none of those planned. */

import { countedRounds, isAnnulled } from "./tournament.js";
import { t } from "./words.js";

/** The round that was drawn last, and where it stands among all. @param {import("./tournament.js").Tournament} tournament */
export function roundWords(tournament) {
  const { round, rounds, annulled } = tournament;
  if (rounds === undefined || isAnnulled(tournament, round)) return t("twall.round", { round });
  if (annulled.length === 0) return t("twall.round_of", { round, rounds });
  return t("twall.round_counting", { round, counted: countedRounds(tournament), rounds });
}
