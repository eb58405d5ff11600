/** What a room's link tells before one comes in, in words and ways: pure, (glance, who looks) to invitation. */

import { duration, t } from "./words.js";

/**
 * The room from outside, as `/api/rooms/ROOM` has it.
 * @typedef {object} Glance
 * @property {string} room
 * @property {import("./room.js").Room["state"]} state
 * @property {string} host_name
 * @property {number} players
 * @property {number} max_players
 * @property {number} spectators
 * @property {import("./messages.js").RoomOptions["spectators"]} watching
 * @property {number} [ends_at]
 * @property {{tournament: string, round: number}} [heat]
 * @property {string} [bar]
 * @property {"player" | "spectator"} [you]
 */

/**
 * What stands above the ways in.
 * @typedef {object} Invitation
 * @property {string} room
 * @property {string} title "" where there is none
 * @property {string} line
 * @property {boolean} isDead nothing is to be had here
 * @property {{words: string, as: "player" | "spectator"} | null} back for who is in there already
 * @property {boolean} joins whether one can come in as a player
 * @property {boolean} watches and to watch
 */

const NOTHING = { title: "", isDead: true, back: null, joins: false, watches: false };

/** There is no such room any more, or never was. @param {string} room @returns {Invitation} */
export const missing = (room) => ({ ...NOTHING, room, line: t("invite.missing", { room }) });

/** How many are there, and what goes on. @param {Glance} glance @param {number} now by the server's clock */
function standing({ state, players, max_players, ends_at }, now) {
  const runs = state === "racing" && ends_at !== undefined;
  const words = runs ? t("invite.racing_left", { time: duration(ends_at - now) }) : t(`invite.${state}`);
  return max_players === 1 ? words : `${t("invite.players", { count: players })} · ${words}`;
}

/** To somebody who follows the link. @param {Glance} glance @param {number} now @returns {Invitation} */
export function invitation(glance, now) {
  const { room, host_name, heat, bar, state, watching } = glance;
  const title = heat ? t("invite.heat") : t("invite.title", { name: host_name });
  if (glance.you) return { ...NOTHING, room, title, line: standing(glance, now), isDead: false, back: wayBack(glance) };
  if (bar !== undefined) return { ...NOTHING, room, title, line: t(`error.bar.${bar}`) };
  const isFull = glance.players >= glance.max_players;
  const watches = watching !== "none";
  const joins = !heat && !isFull;
  const runs = state === "racing" || state === "countdown";
  const more = heat ? t("invite.heat_words") : runs ? t("invite.next_race") : "";
  const line = isFull && !heat ? t(watches ? "invite.full" : "error.room_full") : [standing(glance, now), more].filter((words) => words !== "").join(". ");
  return { room, title, line, isDead: false, back: null, joins, watches };
}

/** To somebody at home who sits in a room; null where there is nothing to go back to. @param {Glance} glance @param {number} now @returns {Invitation | null} */
export function wayHome(glance, now) {
  // Of a race alone nothing is left but its result, which is among one's own races.
  const isLeftover = glance.state === "over" && glance.max_players === 1;
  if (!glance.you || isLeftover) return null;
  const isRacing = glance.state === "racing" || glance.state === "countdown";
  const title = isRacing && glance.you === "player" ? t("invite.own_race") : t("invite.own_room", { room: glance.room });
  return { ...NOTHING, room: glance.room, title, line: standing(glance, now), isDead: false, back: wayBack(glance) };
}

/** @param {Glance} glance */
function wayBack({ state, you = "player" }) {
  const races = you === "player" && (state === "racing" || state === "countdown");
  return { words: t(races ? "invite.to_race" : "invite.to_room"), as: you };
}
