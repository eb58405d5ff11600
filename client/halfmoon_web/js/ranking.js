/** The live order of a race, and the sign by which each racer is known. */

import { GHOSTS } from "./drawing.js";

/**
 * @typedef {import("./room.js").Room} Room
 * @typedef {import("./room.js").Player} Player
 */

/** How many shapes and colours there are; racers beyond are told apart by the number as well. */
export const SIGNS = 8;

/**
 * A racer's sign: the place in the room's list, the same in every browser.
 * @param {Room} room @param {string} player
 * @returns {number} from 0, or -1 for somebody who isn't listed
 */
export function signOf(room, player) {
  const sign = room.players.findIndex((line) => line.player === player);
  return room.players[sign]?.ghost ? sign + GHOSTS : sign;
}

/**
 * Those who race, best first: winners, then the highest score had, then who reached it first.  Contract §6.
 * @param {Room} room
 * @returns {Player[]}
 */
export function liveOrder(room) {
  return room.players.filter((line) => line.status !== "waiting").sort(compare);
}

/** 0 for those who are equal so far. @param {Player} one @param {Player} other */
export function compare(one, other) {
  const won = Number(other.status === "won") - Number(one.status === "won");
  if (won !== 0) return won;
  const best = bestOf(other) - bestOf(one);
  if (best !== 0) return best;
  return (one.best_at_ms ?? 0) - (other.best_at_ms ?? 0);
}

/** @param {Player} line */
export const bestOf = (line) => Math.max(line.best ?? 0, line.score);
