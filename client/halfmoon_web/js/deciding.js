/** What the organiser is asked before something is done: what happens by it, and whether it can be taken back. */

import { attendance, isOut, isSparse, nameOf, stillRacing } from "./tournament.js";
import { t } from "./words.js";

/** @typedef {import("./tournament.js").Tournament} Tournament */
/** @typedef {import("./elements/hm-confirm.js").Question} Question */
/** @typedef {(name: string, detail?: object) => void} Send */

/** So many names are told at most. */
const MOST_NAMES = 12;

/** Those who would be drawn though nobody has taken their entry. @param {Tournament} tournament */
export const awaited = (tournament) =>
  tournament.entrants.filter(({ entrant, active, taken }) => active && !taken && !isOut(tournament, entrant)).map(({ entrant }) => entrant);

/** Before a round is drawn; null where everybody has come and most are here. @param {Tournament} tournament @param {Send} send @returns {Question | null} */
export function beforeStart(tournament, send) {
  const absent = awaited(tournament);
  if (absent.length === 0 && !isSparse(tournament)) return null;
  const { online, taken, all } = attendance(tournament);
  const names = absent.slice(0, MOST_NAMES).map((entrant) => nameOf(tournament, entrant)).join(", ");
  const more = absent.length - MOST_NAMES;
  const told = absent.length === 0 ? [] : [t("start.absent", { count: absent.length, names: more > 0 ? `${names} +${more}` : names }), t(`start.absent_${tournament.format}`)];
  const few = !isSparse(tournament) ? [] : [online === 0 ? t("conduct.draw_nobody") : t("conduct.draw_few", { count: online, all })];
  const canLeaveOut = absent.length > 0 && taken > 1;
  const start = (/** @type {boolean} */ withoutAbsent) => () => send("draw", { withoutAbsent });
  return {
    title: t("start.title", { round: tournament.round + 1 }), isDanger: false,
    words: [...few, ...told, ...(canLeaveOut ? [t(tournament.format === "knockout" ? "start.left_out_knockout" : "start.left_out")] : [])],
    ways: [{ words: t(absent.length > 0 ? "start.all" : "start.go"), act: start(false) }, ...(canLeaveOut ? [{ words: t("start.without"), act: start(true) }] : [])],
  };
}

/** @param {Tournament} tournament @param {Record<string, import("./room.js").Room>} rooms @param {Send} send @returns {Question} */
export const beforeRoundEnds = (tournament, rooms, send) => ({
  title: t("confirm.end_round", { round: tournament.round }), words: [t("confirm.end_round_words", { count: stillRacing(tournament, rooms) })],
  cancel: t("confirm.end_round_no"), wantsReason: true,
  ways: [{ words: t("confirm.end_round_yes"), act: (reason) => send("end-round", { round: tournament.round, reason }) }],
});

/** @param {number} round @param {Send} send @returns {Question} */
export const beforeAnnulling = (round, send) => ({
  title: t("confirm.annul", { round }), words: [t("confirm.annul_words")], cancel: t("confirm.annul_no"), wantsReason: true,
  ways: [{ words: t("confirm.annul_yes"), act: (reason) => send("annul", { round, reason }) }],
});

/** @param {Send} send @returns {Question} */
export const beforeTheEnd = (send) => ({
  title: t("confirm.end"), words: [t("confirm.end_words")], cancel: t("confirm.end_no"),
  ways: [{ words: t("confirm.end_yes"), act: () => send("end") }],
});

/** @param {Tournament} tournament @param {string} entrant @param {Send} send @returns {Question} */
export const beforeWithdrawing = (tournament, entrant, send) => ({
  title: t("withdraw.title", { name: nameOf(tournament, entrant) }), words: [t("withdraw.words")],
  ways: [{ words: t("people.withdraw"), act: () => send("withdraw", { entrant }) }],
});

/** @param {Tournament} tournament @param {string} entrant @param {Send} send @returns {Question} */
export const beforeRemoving = (tournament, entrant, send) => ({
  title: t("remove.title", { name: nameOf(tournament, entrant) }), words: [t("remove.words")],
  ways: [{ words: t("people.remove"), act: () => send("remove", { entrant }) }],
});
