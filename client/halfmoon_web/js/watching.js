/** The boards of others, as those who watch may see them: pure, (room, message) to room, and what is news. */

import { withCards } from "./board.js";
import { SPOTS, countOn, exposedOn } from "./cards.js";
import { bestOf, liveOrder } from "./ranking.js";

/**
 * @typedef {import("./room.js").Room} Room
 * @typedef {import("./room.js").Player} Player
 * @typedef {import("./messages.js").News} BoardNews
 * @typedef {NonNullable<Room["boards"]>[string]} WatchedBoard
 * @typedef {{turn: number, spots: string[]}} Lately where the last action on a board was
 */

/** A card that may not be seen. */
const HIDDEN = "??";

/** So many boards are shown at once; above that the first ones, and a list. */
export const MOST_BOARDS = 16;

/**
 * The room after news of its boards.  What it holds already is passed over.
 * @param {Room} room @param {BoardNews} message
 * @returns {Room | null} null where something was missed: the room has to be asked for again
 */
export function watched(room, message) {
  if (message.type === "boards") return { ...room, w: message.w, boards: message.boards };
  const { boards, w = 0 } = room;
  if (!boards || message.w <= w) return room;
  const board = boards[message.player];
  if (!board || message.w > w + 1) return null;
  return {
    ...room, w: message.w,
    boards: { ...boards, [message.player]: after(board, message) },
    lately: { ...room.lately, ...latelyOf(message) },
  };
}

/**
 * @param {WatchedBoard} board @param {Exclude<BoardNews, {type: "boards"}>} message
 * @returns {WatchedBoard}
 */
function after(board, message) {
  const { status: old, ...rest } = board;
  const { status } = message;
  const known = status !== undefined && { status };
  if (message.type === "seat_unmasked") return { ...withCards(rest, message.cards, 0), ...known };
  const { turn, score, moves } = message;
  const laid = message.type === "seat_moved" ? withCards(rest, message.revealed, -1) : withCards(rest, message.restored, +1);
  return { ...laid, turn, score, moves, ...known };
}

/** @param {Exclude<BoardNews, {type: "boards"}>} message @returns {Record<string, Lately>} */
function latelyOf(message) {
  if (message.type === "seat_unmasked") return {};
  const cards = message.type === "seat_moved" ? message.revealed : message.restored;
  return { [message.player]: { turn: message.turn, spots: Object.keys(cards) } };
}

/** Whether there are boards of others to see: who races gets none until done. @param {Room} room */
export const watchesBoards = (room) => room.state === "racing" && room.boards !== undefined;

/**
 * Every spot as it is shown; a card that may not be seen lies face down.
 * @param {WatchedBoard} board
 * @returns {Record<string, import("./play.js").Shown>}
 */
export const shownOn = (board) =>
  Object.fromEntries(SPOTS.map((spot) => {
    const card = exposedOn(board, spot);
    return [spot, { card: card === HIDDEN ? null : card, count: countOn(board, spot) }];
  }));

/**
 * Those whose boards are shown: all, each in the same place for the whole race; of very many the best.
 * @param {Room} room @param {number} [most] @returns {Player[]}
 */
export function seatsShown(room, most = MOST_BOARDS) {
  const racers = liveOrder(room).filter((line) => room.boards?.[line.player]);
  const all = room.players.filter((line) => racers.includes(line));
  return all.length <= most ? all : racers.slice(0, most);
}

/**
 * By how many actions a board is behind the live numbers, where the room holds boards back; 0 for one that isn't.
 * @param {Room} room @param {Player} line
 */
export function lagOf(room, line) {
  const { spectators, spectator_delay_ms: delay_ms } = room.options;
  const board = room.boards?.[line.player];
  const isHeldBack = room.state === "racing" && (spectators === "fair" || delay_ms > 0);
  return isHeldBack && board ? Math.max(0, (line.actions ?? line.moves) - board.turn) : 0;
}

/** @typedef {{what: "lead" | "level" | "deadlocked" | "won" | "retired", player: string, name: string}} RaceNews */

/** @type {Set<string>} */
const ENDS = new Set(["deadlocked", "won", "retired"]);

/**
 * What a spectator wants to be told: a racer's end or deadlock, who leads now, and who has as much as the leader.
 * @param {Room | null} before @param {Room} room
 * @returns {RaceNews[]}
 */
export function raceNews(before, room) {
  if (before?.race !== room.race || before?.state !== "racing") return [];
  const changed = room.players.flatMap(({ player, name, status }) => {
    const was = before.players.find((line) => line.player === player)?.status;
    return was !== status && ENDS.has(status) ? [{ what: /** @type {RaceNews["what"]} */ (status), player, name }] : [];
  });
  const [was, leader] = [leaderOf(before), leaderOf(room)];
  const isNew = leader && leader.player !== was?.player;
  const level = levelWith(room, leader).filter(({ player }) => player !== was?.player && !levelWith(before, was).some((line) => line.player === player));
  return [
    ...changed, ...(isNew ? [{ what: /** @type {const} */ ("lead"), player: leader.player, name: leader.name }] : []),
    ...level.map(({ player, name }) => ({ what: /** @type {const} */ ("level"), player, name })),
  ];
}

/** Who has the leader's best score as well, and had it later. @param {Room} room @param {Player} [leader] */
const levelWith = (room, leader) =>
  (!leader || leader.status === "won" ? [] : liveOrder(room).filter((line) => line !== leader && bestOf(line) === bestOf(leader)));

/** Nobody leads before the first points. @param {Room} room */
function leaderOf(room) {
  const first = liveOrder(room)[0];
  return first && bestOf(first) > 0 ? first : undefined;
}
