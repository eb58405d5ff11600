/** What a tournament is and which round it is, in words.  An annulled round keeps its number and uses up none of those planned. */

import { absentFrom, countedRounds, isAnnulled, nameOf } from "./tournament.js";
import { duration, t } from "./words.js";

/** The form, how many rounds, and how long one takes at most. @param {import("./tournament.js").Tournament} tournament */
export function planWords({ format, rounds, race }) {
  const parts = [t(`plan.format_${format}`), rounds === undefined ? "" : t("plan.rounds_words", { count: rounds })];
  if (typeof race.time_limit_ms === "number") parts.push(t("plan.time_words", { time: duration(race.time_limit_ms) }));
  return parts.filter(Boolean).join(" · ");
}

/** The round that was drawn last, and where it stands among all. @param {import("./tournament.js").Tournament} tournament */
export function roundWords(tournament) {
  const { round, rounds, annulled } = tournament;
  if (rounds === undefined || isAnnulled(tournament, round)) return t("twall.round", { round });
  if (annulled.length === 0) return t("twall.round_of", { round, rounds });
  return t("twall.round_counting", { round, counted: countedRounds(tournament), rounds });
}

/**
 * That a heat of two is won since the other hasn't come, or null where it isn't.
 * @param {import("./tournament.js").Tournament} tournament @param {import("./tournament.js").HeatLine} heat
 */
export function walkover(tournament, heat) {
  const [absent, ...others] = absentFrom(heat);
  if (tournament.format === "series" || heat.entrants.length !== 2 || absent === undefined) return null;
  if (others.length > 0) return t("round.nobody");
  const winner = heat.entrants.find((entrant) => entrant !== absent) ?? "";
  return t("round.walkover", { name: nameOf(tournament, absent), winner: nameOf(tournament, winner) });
}
