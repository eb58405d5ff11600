/** A replay being played: where it is, how fast it goes.  Pure; time comes in from outside. */

import { START, endOf, jumpFrom, momentAt } from "./timeline.js";

/**
 * @typedef {import("./timeline.js").Timeline} Timeline
 * @typedef {import("./timeline.js").Moment} Moment
 *
 * @typedef {object} Playback
 * @property {Moment} moment
 * @property {boolean} isPlaying
 * @property {number} speed how many ms of the race pass in one
 */

/** The speeds there are. */
export const SPEEDS = [1, 2, 4, 8, 16, 32];

/** @type {Playback} */
export const WAITING = { moment: START, isPlaying: false, speed: 4 };

/** After so much time of the reader's; it rests at the end. @param {Playback} playback @param {Timeline} timeline @param {number} gone_ms @returns {Playback} */
export function advanced(playback, timeline, gone_ms) {
  if (!playback.isPlaying) return playback;
  const moment = momentAt(timeline, playback.moment.at_ms + Math.max(0, gone_ms) * playback.speed);
  return { ...playback, moment, isPlaying: moment.at_ms < timeline.length_ms };
}

/** Plays on or rests; at the end it begins again. @param {Playback} playback @param {Timeline} timeline @returns {Playback} */
export function toggled(playback, timeline) {
  if (playback.isPlaying) return { ...playback, isPlaying: false };
  const isAtEnd = playback.moment.at_ms >= timeline.length_ms;
  return { ...playback, isPlaying: timeline.length_ms > 0, ...(isAtEnd && { moment: START }) };
}

/** @param {Playback} playback @param {Moment} moment @returns {Playback} */
export const movedTo = (playback, moment) => ({ ...playback, moment });

/**
 * One action on or back, and at rest.  Back before the first action of one racer is the start.
 * @param {Playback} playback @param {Timeline} timeline @param {1 | -1} by @param {number | null} seat
 * @returns {Playback}
 */
export function stepped(playback, timeline, by, seat) {
  const next = jumpFrom(timeline, playback.moment.step, by, null, seat);
  return { ...playback, isPlaying: false, moment: next ?? (by > 0 ? endOf(timeline) : START) };
}

/** The next speed up or down. @param {Playback} playback @param {1 | -1} by @returns {Playback} */
export function faster(playback, by) {
  const at = SPEEDS.indexOf(playback.speed) + by;
  return { ...playback, speed: SPEEDS[Math.min(Math.max(0, at), SPEEDS.length - 1)] };
}

/**
 * The moment and the racer that a link names, `#t=83000&p=p_1`.
 * @param {string} hash @returns {{at_ms: number | null, player: string | null}}
 */
export function momentInHash(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const at = values.get("t") ?? "";
  return { at_ms: /^\d{1,15}$/.test(at) ? Number(at) : null, player: values.get("p") };
}

/** @param {number} at_ms @param {string | null} player null for all */
export function hashOf(at_ms, player) {
  const values = new URLSearchParams({ t: String(Math.round(at_ms)) });
  if (player !== null) values.set("p", player);
  return `#${values}`;
}
