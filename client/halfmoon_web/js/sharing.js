/** A result as a text to send to friends: who came where, and the deal to try it oneself; no card, no move. */

import { linkToContest, linkToDeal } from "./links.js";
import { duration, t } from "./words.js";

/** More lines than that nobody reads. */
const MOST = 8;

/**
 * @param {Pick<import("./room.js").Room, "standings" | "code" | "contest"> & {options?: {max_players: number}}} room
 * @param {string | null} [origin] of links that others can open
 * @returns {string}
 */
export function resultText({ standings = [], code = "", contest, options }, origin = null) {
  const kind = standings.length === 1 ? ["share.alone_won", "share.alone"] : ["share.won", "share.line"];
  const lines = standings.slice(0, MOST).map(({ rank, name, best, status, time_ms }) =>
    t(status === "won" ? kind[0] : kind[1], { rank, name, score: best, time: duration(time_ms) }));
  const place = linkToContest(contest) ?? linkToDeal("", code);
  // Who has one try only doesn't want to know the deal beforehand.
  const isSecret = contest !== undefined && options?.max_players === 1;
  return [
    "Half Moon Race", ...lines, ...(isSecret ? [] : [t("share.code", { code })]),
    ...(origin === null ? [] : [t("share.link", { address: origin + place })]),
  ].join("\n");
}
