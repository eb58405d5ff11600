/** Whether a race record holds: seal, every move, every score, the ranking; what `halfmoon verify` checks.  Pure; Contract §4. */

import { dealOf } from "./deal.js";
import { drawnCode, keepsPromise } from "./draws.js";
import { attempt, takenBack } from "./position.js";
import { faultOf, readRecord } from "./record.js";
import { sha256 } from "./sha256.js";
import { isDone, movedTo, standingsOf, started, statusOf } from "./standing.js";

/**
 * @typedef {import("./record.js").RaceRecord} RaceRecord
 * @typedef {import("./record.js").Fault} Fault
 * @typedef {import("./standing.js").Run} Run
 *
 * @typedef {object} Replay a record that holds, played again
 * @property {RaceRecord} record
 * @property {import("./deal.js").Deal} deal
 * @property {Run[][]} runs for each of `record.players` the run before the first action and after every action
 * @property {Run[]} ends how each run ended: as the last of `runs`, or timed out
 */

/** What stops a check; caught where it began. */
class Broken extends Error {
  /** @param {Fault} fault */
  constructor(fault) {
    super(fault.what);
    this.fault = fault;
  }
}

/** @param {string} what @param {string} place @param {Record<string, string | number>} [values] @returns {never} */
function refuse(what, place, values) {
  throw new Broken(faultOf(what, place, values));
}

/**
 * A record that was read and holds, or the first fault.
 * @param {string} text @returns {{replay: Replay, fault: null} | {replay: null, fault: Fault}}
 */
export function verify(text) {
  const { record, fault } = readRecord(text);
  if (record === null) return { replay: null, fault };
  try {
    return { replay: checked(record), fault: null };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { replay: null, fault: error.fault };
  }
}

/** @param {RaceRecord} record @returns {Replay} */
function checked(record) {
  if (record.seal !== sha256(record.code)) refuse("seal", "seal");
  const { code } = record.options;
  if (code !== undefined && code !== record.code) refuse("options_code", "options");
  checkDraw(record);
  checkPlayers(record);
  const deal = dealOf(record.code);
  const runs = record.players.map((line) => runsOf(record, deal, line));
  const ended_ms = record.over_at - record.starts_at;
  const ends = runs.map((all) => endOf(all[all.length - 1], record.options.undo, ended_ms));
  checkEnd(record, ends);
  checkStandings(record, standingsOf(record.players.map(({ player, name, ghost }, i) => ({ player, name, ghost, run: ends[i] }))));
  return { record, deal, runs, ends };
}

/** @param {Run} run @param {boolean} undo @param {number} ended_ms @returns {Run} */
const endOf = (run, undo, ended_ms) =>
  isDone(run, undo) ? run : { ...run, left: "timed_out", at_ms: Math.max(ended_ms, run.at_ms) };

/** @param {RaceRecord} record */
function checkDraw({ draw, room, race, code }) {
  if (draw === undefined) return;
  if (!keepsPromise(draw)) refuse("secret", "draw");
  const isPlain = [room, race].every((id) => !/[^\x00-\x7f]/.test(id));
  if (!isPlain || drawnCode(draw, room, race) !== code) refuse("drawn", "draw");
}

/** @param {RaceRecord} record */
function checkPlayers({ players, standings }) {
  if (players.every((line) => line.ghost)) refuse("nobody", "players");
  for (const [place, lines] of /** @type {const} */ ([["players", players], ["standings", standings]])) {
    const seen = new Set();
    for (const { player, name } of lines) {
      if (seen.has(player)) refuse("twice", place, { name });
      seen.add(player);
    }
  }
  const ranked = new Set(standings.map((line) => line.player));
  const raced = new Set(players.map((line) => line.player));
  for (const { player, name } of players) if (!ranked.has(player)) refuse("no_line", "standings", { name });
  for (const { player, name } of standings) if (!raced.has(player)) refuse("no_run", "standings", { name });
}

/**
 * @param {RaceRecord} record @param {import("./deal.js").Deal} deal @param {import("./record.js").RecordedPlayer} line
 * @returns {Run[]}
 */
function runsOf({ options }, deal, { player, name, actions }) {
  const runs = [started(deal)];
  actions.forEach((action, i) => {
    const { at_ms, move, undo } = action;
    const run = runs[i];
    /** @param {string} what @param {Record<string, string | number>} [more] */
    const refused = (what, more) => refuse(what, `${player}, action ${i + 1}`, { name, number: i + 1, ...more });
    if (isDone(run, options.undo)) refused("done");
    if (at_ms < run.at_ms) refused("back");
    if (options.time_limit_ms !== null && at_ms >= options.time_limit_ms) refused("late");
    if (move) {
      const { position, reason } = attempt(deal, run.position, move);
      runs.push(movedTo(run, position ?? refused("illegal", { reason }), at_ms));
    } else if (undo) {
      if (!options.undo) refused("undo_off");
      runs.push(movedTo(run, takenBack(run.position) ?? refused("no_undo"), at_ms));
    } else runs.push({ ...run, left: "retired", at_ms });
  });
  return runs;
}

/** Whether the race ended when its options say; a ghost neither ends a race nor is waited for. @param {RaceRecord} record @param {Run[]} ends */
function checkEnd({ players, options, starts_at, over_at }, ends) {
  const ended_ms = over_at - starts_at;
  const limit_ms = options.time_limit_ms;
  if (ended_ms < 0) refuse("ended_before", "over_at");
  const living = ends.filter((_, i) => !players[i].ghost);
  ends.forEach((run, i) => {
    if (!players[i].ghost && run.at_ms > ended_ms) refuse("after_end", players[i].player, { name: players[i].name });
  });
  if (limit_ms !== null && ended_ms > limit_ms) refuse("past_limit", "over_at");
  const wins = living.filter((run) => statusOf(run) === "won").map((run) => run.at_ms);
  const isEnd = (/** @type {number} */ expected_ms) => ended_ms === expected_ms || refuse("end", "over_at", { expected_ms, ended_ms });
  if (options.ends === "first_win" && wins.length > 0) isEnd(least(wins));
  else if (living.every((run) => statusOf(run) !== "timed_out")) isEnd(-least(living.map((run) => -run.at_ms)));
  else if (limit_ms !== null) isEnd(limit_ms);
}

/** @param {number[]} numbers */
const least = (numbers) => numbers.reduce((one, other) => Math.min(one, other), Infinity);

/** @param {RaceRecord} record @param {import("./messages.js").StandingLine[]} expected */
function checkStandings({ standings }, expected) {
  const told = new Map(standings.map((line) => [line.player, line]));
  for (const line of expected) {
    const given = told.get(line.player);
    const { ghost, ...columns } = line;
    for (const [column, found] of Object.entries(columns)) {
      const value = given?.[/** @type {keyof typeof columns} */ (column)];
      if (value !== found) refuse("standing", "standings", { name: line.name, column, told: String(value), found });
    }
    const isSame = given?.ghost?.race === ghost?.race && given?.ghost?.player === ghost?.player;
    if (!isSame) refuse("ghost", "standings", { name: line.name });
  }
  if (standings.some((line, i) => i > 0 && line.rank < standings[i - 1].rank)) refuse("order", "standings");
}
