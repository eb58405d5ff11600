/** What a moment of a replay brings, in words. */

import "./recordwords.js";
import { deedWords } from "./deeds.js";
import { duration, t } from "./words.js";

/** @typedef {import("./timeline.js").Timeline} Timeline */

/** What is told while it plays, the weightiest first. */
const TOLD = /** @type {const} */ (["won", "lead", "level", "deadlocked", "retired"]);

/**
 * At rest what the last action was; while it plays only what would be called out.
 * @param {Timeline} timeline @param {import("./timeline.js").Moment} moment @param {boolean} isPlaying
 * @returns {{seat: number | null, words: string} | null} null where there is nothing to say
 */
export function newsOf({ steps, replay, over_ms }, { at_ms, step }, isPlaying) {
  const last = steps[step - 1];
  if (step === steps.length && at_ms >= over_ms) return { seat: null, words: t("wall.over") };
  if (!last) return { seat: null, words: t("replay.start") };
  const { name } = replay.record.players[last.seat];
  const mark = TOLD.find((one) => last.marks.includes(one));
  if (isPlaying && mark === undefined) return null;
  const words = [`${duration(last.at_ms)} ·`, !isPlaying && deedWords(replay, last.seat, last.number), mark && t(`watch.${mark}`, { name })];
  return { seat: last.seat, words: words.filter(Boolean).join(" ") };
}
