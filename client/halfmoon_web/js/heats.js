/** Several heats watched at once: pure, (heats, message) to heats.  What was missed is asked for again. */

import { COUNTED, changed, entered } from "./room.js";

/**
 * @typedef {import("./messages.js").Message} Message
 * @typedef {import("./room.js").Room} Room
 */

/**
 * @typedef {object} Heats
 * @property {Record<string, Room>} rooms by id
 * @property {string[]} gaps rooms that have to be asked for again
 */

/** @type {Heats} */
export const NO_HEATS = { rooms: {}, gaps: [] };

/** @param {Heats} heats @param {Message} message @returns {Heats} */
export function hearHeat(heats, message) {
  if (message.type === "room") return withRoom(heats, entered(message, heats.rooms[message.room] ?? null));
  const room = "room" in message && message.room !== undefined ? heats.rooms[message.room] : undefined;
  if (!room || !("n" in message) || !COUNTED.has(message.type) || message.n <= room.n) return heats;
  const next = message.n === room.n + 1 ? changed({ ...room, n: message.n }, message, undefined) : null;
  if (next !== null) return withRoom(heats, next);
  return heats.gaps.includes(room.room) ? heats : { ...heats, gaps: [...heats.gaps, room.room] };
}

/** @param {Heats} heats @param {Room} room @returns {Heats} */
const withRoom = (heats, room) =>
  ({ rooms: { ...heats.rooms, [room.room]: room }, gaps: heats.gaps.filter((other) => other !== room.room) });

/**
 * Which rooms have to be asked for, and the heats without those that nobody looks at any more.
 * @param {Heats} heats @param {string[]} wanted the rooms that are looked at @param {ReadonlySet<string>} asked those on their way
 * @returns {{heats: Heats, ask: string[]}}
 */
export function follow(heats, wanted, asked) {
  const rooms = Object.fromEntries(Object.entries(heats.rooms).filter(([room]) => wanted.includes(room)));
  const gaps = heats.gaps.filter((room) => wanted.includes(room));
  return { heats: { rooms, gaps }, ask: wanted.filter((room) => !asked.has(room) && (!(room in rooms) || gaps.includes(room))) };
}
