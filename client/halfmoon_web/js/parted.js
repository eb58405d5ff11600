/**
 * Where two runs of one deal parted: the positions in which both were, and did another thing.  Pure.
 *
 * A position is what lies on the table, in whichever order the rest has gone.  Who undoes is there again: so the first
 * time of the one is held against the first of the other, the second against the second.  What is held against each
 * other is what a player decided: a move (its cards, in any order), an undo, or to retire.  That time ran out was nobody's
 * decision.
 */

import { SPOTS } from "./cards.js";
import { beneath, exposedAt, indexOf } from "./position.js";

/**
 * @typedef {import("./verify.js").Replay} Replay
 * @typedef {import("./standing.js").Run} Run
 * @typedef {import("./position.js").Position} Position
 *
 * @typedef {{replay: Replay, seat: number}} Racer one run
 * @typedef {{spot: string, card: string}} Lying a card and where
 *
 * @typedef {object} Choice what one of them did
 * @property {"move" | "undo" | "retire"} what
 * @property {number} number of the action, from 1
 * @property {number} at_ms
 * @property {string[]} spots of a move, or to which an undo took cards back
 * @property {string[]} cards on them
 * @property {(string | null)[]} beneath what lay under each card of a move
 * @property {Lying[]} known cards under the exposed ones that this player had seen before
 * @property {boolean} isUndone whether the move was taken back later
 *
 * @typedef {object} Difference
 * @property {Position} position the same for both
 * @property {[Choice, Choice]} choices of the one, of the other; made when it is asked for
 */

/** @param {Racer} one @param {Racer} other of the same deal @returns {Difference[]} as the race went */
export function differences(one, other) {
  const [mine, theirs] = [visitsOf(one), visitsOf(other)];
  const found = [...mine].flatMap(([key, visits]) => {
    const others = theirs.get(key) ?? [];
    return visits.slice(0, others.length).flatMap((number, i) =>
      (decisionOf(one, number) === decisionOf(other, others[i]) ? [] : [[number, others[i]]]));
  });
  found.sort((a, b) => a[0] + a[1] - b[0] - b[1] || a[0] - b[0]);
  return found.map(([a, b]) => ({
    position: runsOf(one)[a - 1].position,
    // Looked up when it is shown: in a long race there are thousands, and each takes a look at the whole run.
    get choices() { return /** @type {[Choice, Choice]} */ ([choiceOf(one, a), choiceOf(other, b)]); },
  }));
}

/** @param {Racer} racer */
const runsOf = ({ replay, seat }) => replay.runs[seat];

/** @param {Racer} racer */
const actionsOf = ({ replay, seat }) => replay.record.players[seat].actions;

/** For each position the numbers of the actions that were made there. @param {Racer} racer @returns {Map<string, number[]>} */
function visitsOf(racer) {
  /** @type {Map<string, number[]>} */
  const visits = new Map();
  actionsOf(racer).forEach((_, i) => {
    const key = runsOf(racer)[i].position.counts.join();
    const there = visits.get(key);
    if (there) there.push(i + 1);
    else visits.set(key, [i + 1]);
  });
  return visits;
}

/** What makes two decisions the same. @param {Racer} racer @param {number} number */
function decisionOf(racer, number) {
  const { move, undo } = actionsOf(racer)[number - 1];
  return move ? [...move].sort().join() : undo ? "undo" : "retire";
}

/** @param {Racer} racer @param {number} number @returns {Choice} */
function choiceOf(racer, number) {
  const { at_ms, move = [], undo } = actionsOf(racer)[number - 1];
  const { deal } = racer.replay;
  const { position } = runsOf(racer)[number - 1];
  const spots = undo ? restored(racer, number) : move;
  const shown = undo ? runsOf(racer)[number].position : position;
  return {
    what: move.length > 0 ? "move" : undo ? "undo" : "retire", number, at_ms, spots,
    cards: spots.map((spot) => exposedAt(deal, shown, spot) ?? ""),
    beneath: move.map((spot) => beneath(deal, position, spot)),
    known: knownTo(racer, number), isUndone: move.length > 0 && isTakenBack(racer, number),
  };
}

/** Where an undo put cards back. @param {Racer} racer @param {number} number */
function restored(racer, number) {
  const [before, after] = [number - 1, number].map((i) => runsOf(racer)[i].position.counts);
  return SPOTS.filter((spot) => after[indexOf(spot)] > before[indexOf(spot)]);
}

/** Cards that lie covered, but were exposed on this board before. @param {Racer} racer @param {number} number @returns {Lying[]} */
function knownTo(racer, number) {
  const { deal } = racer.replay;
  const runs = runsOf(racer).slice(0, number);
  const now = runs[number - 1].position.counts;
  return SPOTS.flatMap((spot) => {
    const i = indexOf(spot);
    const fewest = runs.reduce((least, run) => Math.min(least, run.position.counts[i]), now[i]);
    return Array.from({ length: Math.max(0, now[i] - Math.max(1, fewest)) }, (_, depth) => ({ spot, card: deal[i][now[i] - 2 - depth] }));
  });
}

/** Whether an undo later took this move back. @param {Racer} racer @param {number} number */
function isTakenBack(racer, number) {
  const before = runsOf(racer)[number - 1].position.moves;
  return runsOf(racer).slice(number + 1).some((run) => run.position.moves <= before);
}
