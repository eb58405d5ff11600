/** What has just happened, where it is worth a sound or a word: pure, from the room before to the room after. */

import { liveOrder } from "./ranking.js";

/**
 * @typedef {import("./room.js").Room} Room
 * @typedef {object} Moment
 * @property {"started" | "deadlocked" | "won" | "over" | "rank" | "rival_deadlocked" | "rival_won" | "reaction"} what
 * @property {string} [name] of a rival
 * @property {number} [rank]
 * @property {number} [count] how many race
 */

/**
 * @param {Room | null} before @param {Room | null} after @param {string | undefined} me
 * @returns {Moment[]}
 */
export function moments(before, after, me) {
  if (!before || !after || before.room !== after.room) return [];
  if (after.reaction && after.reaction.n !== before.reaction?.n) return [{ what: "reaction" }];
  if (before.state !== "racing" && after.state === "racing") return [{ what: "started" }];
  if (before.state === "racing" && after.state === "over") return [...own(before, after), { what: "over" }];
  if (before.state !== "racing" || after.state !== "racing") return [];
  return [...own(before, after), ...rivals(before, after, me), ...rank(before, after, me)];
}

/** One's own board comes to an end, or to none. @param {Room} before @param {Room} after @returns {Moment[]} */
function own(before, after) {
  const [was, is] = [before.you.board?.status, after.you.board?.status];
  return was !== undefined && was !== is && (is === "deadlocked" || is === "won") ? [{ what: is }] : [];
}

/** @param {Room} before @param {Room} after @param {string | undefined} me @returns {Moment[]} */
function rivals(before, after, me) {
  return after.players.flatMap(({ player, name, status }) => {
    const was = before.players.find((line) => line.player === player)?.status;
    const isNews = player !== me && was === "racing" && (status === "deadlocked" || status === "won");
    return isNews ? [{ what: /** @type {Moment["what"]} */ (`rival_${status}`), name }] : [];
  });
}

/** @param {Room} before @param {Room} after @param {string | undefined} me @returns {Moment[]} */
function rank(before, after, me) {
  const place = (/** @type {Room} */ room) => liveOrder(room).findIndex((line) => line.player === me) + 1;
  const [was, is] = [place(before), place(after)];
  return is > 0 && was !== is ? [{ what: "rank", rank: is, count: liveOrder(after).length }] : [];
}
