/** All that happened in a race, one after the other on one clock, and how everything stood at any moment.  Pure. */

import { SPOTS } from "./cards.js";
import { boardOf } from "./position.js";
import { statusOf } from "./standing.js";

/**
 * @typedef {import("./verify.js").Replay} Replay
 * @typedef {import("./room.js").Room} Room
 * @typedef {"lead" | "level" | "deadlocked" | "undo" | "won" | "retired"} Mark what somebody may want to jump to
 *
 * @typedef {object} Step one action
 * @property {number} at_ms
 * @property {number} seat the racer's place in the record
 * @property {number} number of this racer's action, from 1
 * @property {Mark[]} marks what it brought
 *
 * @typedef {object} Timeline
 * @property {Replay} replay
 * @property {Step[]} steps in order; those of one millisecond in the order of the racers
 * @property {number[][]} own for each racer the places of their actions in `steps`
 * @property {number} over_ms when the race was over
 * @property {number} length_ms with what a ghost did after that
 *
 * @typedef {{at_ms: number, step: number}} Moment a time, and how many actions were made by then
 */

/** @param {Replay} replay @returns {Timeline} */
export function timelineOf(replay) {
  const { record, runs } = replay;
  const steps = record.players
    .flatMap(({ actions }, seat) => actions.map(({ at_ms }, i) => ({ at_ms, seat, number: i + 1, marks: /** @type {Mark[]} */ ([]) })))
    .sort((a, b) => a.at_ms - b.at_ms || a.seat - b.seat || a.number - b.number);
  /** @type {number[][]} */
  const own = runs.map(() => []);
  steps.forEach(({ seat }, i) => own[seat].push(i));
  mark(replay, steps);
  const over_ms = record.over_at - record.starts_at;
  return { replay, steps, own, over_ms, length_ms: Math.max(over_ms, steps.at(-1)?.at_ms ?? 0) };
}

/** Who leads has won first, or has the best score, or had it first.  Contract §6. @param {Replay} replay @param {Step[]} steps */
function mark({ record, runs }, steps) {
  let leader = -1;
  let [best, isWon] = [0, false];
  for (const { seat, number, marks } of steps) {
    const [before, after] = [runs[seat][number - 1], runs[seat][number]];
    const [was, is] = [statusOf(before), statusOf(after)];
    if (record.players[seat].actions[number - 1].undo) marks.push("undo");
    if (is !== was && (is === "deadlocked" || is === "won" || is === "retired")) marks.push(is);
    if (!isWon && is !== "won" && seat !== leader && before.best < best && after.best === best) marks.push("level");
    const leads = !isWon && (is === "won" || after.best > best);
    if (!leads) continue;
    if (seat !== leader) marks.push("lead");
    [leader, best, isWon] = [seat, after.best, is === "won"];
  }
}

/** How many actions were made by then. @param {Step[]} steps @param {number} at_ms */
export function stepsUntil(steps, at_ms) {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle].at_ms <= at_ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {Timeline} timeline @param {number} at_ms @returns {Moment} within the race */
export function momentAt({ steps, length_ms }, at_ms) {
  const within = Math.min(Math.max(0, at_ms), length_ms);
  return { at_ms: within, step: stepsUntil(steps, within) };
}

/** How many actions a racer had made. @param {Timeline} timeline @param {number} seat @param {number} step */
export function ownUntil({ own }, seat, step) {
  const places = own[seat];
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle] < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * A racer's run at a moment; once the race is over, as it ended.
 * @param {Timeline} timeline @param {number} seat @param {Moment} moment
 */
export function runAt(timeline, seat, { at_ms, step }) {
  const runs = timeline.replay.runs[seat];
  const made = ownUntil(timeline, seat, step);
  const isOver = made === runs.length - 1 && at_ms >= timeline.over_ms;
  return isOver ? timeline.replay.ends[seat] : runs[made];
}

/**
 * The next step, or the one before, that brought this; only of one racer where one is given, but a change of the lead
 * concerns all.
 * @param {Timeline} timeline @param {number} step @param {1 | -1} by @param {Mark | null} what null for any action
 * @param {number | null} seat
 * @returns {Moment | null} right after that action; null where there is none
 */
export function jumpFrom({ steps }, step, by, what, seat) {
  const fits = (/** @type {Step} */ one) =>
    (seat === null || one.seat === seat || what === "lead") && (what === null || one.marks.includes(what));
  for (let i = by > 0 ? step : step - 2; i >= 0 && i < steps.length; i += by) {
    if (fits(steps[i])) return { at_ms: steps[i].at_ms, step: i + 1 };
  }
  return null;
}

/** Before the first action. @type {Moment} */
export const START = { at_ms: 0, step: 0 };

/** When all is done. @param {Timeline} timeline @returns {Moment} */
export const endOf = ({ steps, length_ms }) => ({ at_ms: length_ms, step: steps.length });

/** What the room of a race has that its record needn't. */
const ROOM = {
  n: 0, state: /** @type {const} */ ("over"), host: "", host_name: "", spectators: 0,
  you: { as: /** @type {const} */ ("spectator") },
};

/**
 * The room as somebody who may see everything would have seen it then: what the elements of a race draw.
 * @param {Timeline} timeline @param {Moment} moment @returns {Room}
 */
export function roomAt(timeline, moment) {
  const { record, deal } = timeline.replay;
  const runs = record.players.map((_, seat) => runAt(timeline, seat, moment));
  const { race, room, code, seal, starts_at } = record;
  return {
    ...ROOM, race, room, code, seal, starts_at, options: /** @type {Room["options"]} */ (/** @type {unknown} */ (record.options)),
    players: record.players.map((line, seat) => lineOf(line, runs[seat])),
    boards: Object.fromEntries(record.players.map(({ player }, seat) => [player, boardOf(deal, runs[seat].position)])),
    lately: Object.fromEntries(record.players.map(({ player }, seat) => [player, latelyOf(timeline, seat, moment)])),
  };
}

/** @param {import("./record.js").RecordedPlayer} line @param {import("./standing.js").Run} run @returns {import("./room.js").Player} */
const lineOf = ({ player, name, ghost }, run) => ({
  player, name, ...(ghost && { ghost }), ready: true, online: true, status: statusOf(run), score: run.position.score, moves: run.position.moves,
  best: run.best, best_at_ms: run.best_at_ms,
});

/** Where the racer's last action was. @param {Timeline} timeline @param {number} seat @param {Moment} moment */
function latelyOf(timeline, seat, { step }) {
  const made = ownUntil(timeline, seat, step);
  return { turn: timeline.replay.runs[seat][made].position.turn, spots: made === 0 ? [] : touched(timeline.replay, seat, made) };
}

/** The spots that an action changed. @param {Replay} replay @param {number} seat @param {number} number from 1 */
export function touched({ record, runs }, seat, number) {
  const { move } = record.players[seat].actions[number - 1];
  if (move) return move;
  const [before, after] = [runs[seat][number - 1].position, runs[seat][number].position];
  return before.counts.flatMap((count, i) => (count === after.counts[i] ? [] : [SPOTS[i]]));
}
