/** A result as a text to send to friends: who came where, and the deal to try it oneself; no card, no move. */

import { duration, t } from "./words.js";

/** More lines than that nobody reads. */
const MOST = 8;

/** @param {import("./room.js").Room} room @returns {string} */
export function resultText({ standings = [], code = "" }) {
  const kind = standings.length === 1 ? ["share.alone_won", "share.alone"] : ["share.won", "share.line"];
  const lines = standings.slice(0, MOST).map(({ rank, name, best, status, time_ms }) =>
    t(status === "won" ? kind[0] : kind[1], { rank, name, score: best, time: duration(time_ms) }));
  return ["Half Moon Race", ...lines, t("share.code", { code })].join("\n");
}
