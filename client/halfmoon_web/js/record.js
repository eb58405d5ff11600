/** Race records: reading one, and the first thing in it that isn't as it has to be.  Pure; Contract §4. */

import { canonicalCode } from "./codes.js";
import { parseStrictly } from "./strictly.js";

/**
 * @typedef {{at_ms: number, move?: string[], undo?: true, retire?: true}} Action
 * @typedef {{player: string, name: string, actions: Action[], ghost?: import("./messages.js").GhostOf}} RecordedPlayer
 * @typedef {{code?: string, time_limit_ms: number | null, undo: boolean, ends: "all" | "first_win"}} RaceOptions
 *
 * @typedef {object} RaceRecord
 * @property {string} race
 * @property {string} room
 * @property {string} code canonical
 * @property {string} seal
 * @property {RaceOptions} options and whatever else the room had
 * @property {number} starts_at
 * @property {number} over_at
 * @property {RecordedPlayer[]} players
 * @property {import("./messages.js").StandingLine[]} standings
 * @property {import("./messages.js").Draw} [draw] where server and racers drew the deal together
 *
 * @typedef {object} Fault the first thing that doesn't hold
 * @property {string} what `fault.…` says it in words
 * @property {string} place where, as `halfmoon verify` names it
 * @property {Record<string, string | number>} values for the words
 */

/** What a race has where its record doesn't say. */
const USUAL = { time_limit_ms: 900_000, undo: true, ends: "all" };
const FINAL = ["won", "retired", "timed_out", "deadlocked"];
/** The fields of a line of the standings, and what stands there. @type {[string, (value: unknown, place: string) => unknown][]} */
const STANDING = [
  ["rank", wholeIn], ["player", textIn], ["name", textIn], ["status", finalIn],
  ...["score", "best", "moves", "actions", "time_ms"].map((name) => /** @type {[string, typeof wholeIn]} */ ([name, wholeIn])),
];

/** @param {string} what @param {string} place @param {Record<string, string | number>} [values] @returns {Fault} */
export const faultOf = (what, place, values = {}) => ({ what, place, values });

/** Where in the record something is no such thing. */
class Misshapen extends Error {}

/**
 * @param {string} text JSON
 * @returns {{record: RaceRecord, fault: null} | {record: null, fault: Fault}}
 */
export function readRecord(text) {
  /** @type {unknown} */
  let value;
  try {
    value = parseStrictly(text);
  } catch {
    return { record: null, fault: faultOf("json", "the file") };
  }
  const other = otherKind(value);
  if (other !== null) return { record: null, fault: faultOf(other, "the file") };
  try {
    return { record: recordIn(value), fault: null };
  } catch (error) {
    if (!(error instanceof Misshapen)) throw error;
    return { record: null, fault: faultOf("shape", error.message, { place: error.message }) };
  }
}

/** Which other file of this program it is, if it is one. @param {unknown} value @returns {"result_file" | "export" | null} */
function otherKind(value) {
  const { format, race, tournament, rows } = Object(value);
  if (String(format).startsWith("halfmoon-result/")) return "result_file";
  return race === undefined && (tournament !== undefined || rows !== undefined) ? "export" : null;
}

/** @param {unknown} value @returns {RaceRecord} */
function recordIn(value) {
  const all = objectIn(value, "the file");
  const [race, room] = [textIn(all.race, "race"), textIn(all.room, "room")];
  const code = codeIn(all.code, "code");
  const seal = textIn(all.seal, "seal");
  const options = optionsIn(all.options);
  const [starts_at, over_at] = [momentIn(all.starts_at, "starts_at"), momentIn(all.over_at, "over_at")];
  const players = listIn(all.players, "players").map((line, i) => playerIn(line, `players.${i}`));
  const standings = listIn(all.standings, "standings").map((line, i) => standingIn(line, `standings.${i}`));
  const draw = all.draw === undefined || all.draw === null ? {} : { draw: drawIn(all.draw) };
  return { race, room, code, seal, options, starts_at, over_at, players, standings, ...draw };
}

/** @param {unknown} value @param {string} place @returns {Record<string, unknown>} */
function objectIn(value, place) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Misshapen(place);
  return /** @type {Record<string, unknown>} */ (value);
}

/** @param {unknown} value @param {string} place @returns {unknown[]} */
function listIn(value, place) {
  if (!Array.isArray(value)) throw new Misshapen(place);
  return value;
}

/** @param {unknown} value @param {string} place @returns {string} */
function textIn(value, place) {
  if (typeof value !== "string") throw new Misshapen(place);
  return value;
}

/** @param {unknown} value @param {string} place @returns {number} */
function wholeIn(value, place) {
  if (!Number.isInteger(value)) throw new Misshapen(place);
  return /** @type {number} */ (value);
}

/** @param {unknown} value @param {string} place @returns {number} */
function momentIn(value, place) {
  const number = wholeIn(value, place);
  if (number < 0 || number > Number.MAX_SAFE_INTEGER) throw new Misshapen(place);
  return number;
}

/** @param {unknown} value @param {string} place @returns {string} */
function codeIn(value, place) {
  const code = canonicalCode(textIn(value, place));
  if (code === null) throw new Misshapen(place);
  return code;
}

/** @param {unknown} value @returns {RaceOptions} */
function optionsIn(value) {
  const { code: typed, ...options } = objectIn(value, "options");
  const code = typed === undefined || typed === null ? {} : { code: codeIn(typed, "options.code") };
  const { time_limit_ms, undo, ends } = { ...USUAL, ...options };
  const isLimit = time_limit_ms === null || (Number.isInteger(time_limit_ms) && time_limit_ms >= 1_000 && time_limit_ms <= 86_400_000);
  if (!isLimit) throw new Misshapen("options.time_limit_ms");
  if (typeof undo !== "boolean") throw new Misshapen("options.undo");
  if (ends !== "all" && ends !== "first_win") throw new Misshapen("options.ends");
  return { ...options, time_limit_ms, undo, ends, ...code };
}

/** @param {unknown} value @param {string} place @returns {RecordedPlayer} */
function playerIn(value, place) {
  const line = objectIn(value, place);
  const [player, name] = [textIn(line.player, `${place}.player`), textIn(line.name, `${place}.name`)];
  const actions = listIn(line.actions, `${place}.actions`).map((action, i) => actionIn(action, `${place}.actions.${i}`));
  return { player, name, actions, ...ghostIn(line.ghost, `${place}.ghost`) };
}

/** @param {unknown} value @param {string} place @returns {{ghost?: import("./messages.js").GhostOf}} */
function ghostIn(value, place) {
  if (value === undefined || value === null) return {};
  const { race, player } = objectIn(value, place);
  const known = race === undefined || race === null ? {} : { race: textIn(race, `${place}.race`) };
  return { ghost: { ...known, player: textIn(player, `${place}.player`) } };
}

/** @param {unknown} value @param {string} place @returns {Action} */
function actionIn(value, place) {
  const action = objectIn(value, place);
  const kind = ["move", "undo", "retire"].find((name) => name in action);
  if (kind === undefined || Object.keys(action).some((name) => name !== "at_ms" && name !== kind)) throw new Misshapen(place);
  const at_ms = momentIn(action.at_ms, place);
  if (kind !== "move") {
    if (action[kind] !== true) throw new Misshapen(place);
    return { at_ms, [kind]: true };
  }
  const move = listIn(action.move, place).map((spot) => textIn(spot, place));
  if (move.length > 3) throw new Misshapen(place);
  return { at_ms, move };
}

/** @param {unknown} value @param {string} place @returns {import("./messages.js").StandingLine} */
function standingIn(value, place) {
  const line = objectIn(value, place);
  for (const [name, readIn] of STANDING) readIn(line[name], `${place}.${name}`);
  const { ghost, ...rest } = line;
  return /** @type {import("./messages.js").StandingLine} */ (/** @type {unknown} */ ({ ...rest, ...ghostIn(ghost, `${place}.ghost`) }));
}

/** @param {unknown} value @param {string} place @returns {string} */
function finalIn(value, place) {
  const status = textIn(value, place);
  if (!FINAL.includes(status)) throw new Misshapen(place);
  return status;
}

/** @param {unknown} value @returns {import("./messages.js").Draw} */
function drawIn(value) {
  const draw = objectIn(value, "draw");
  const [commit, secret] = [hexIn(draw.commit, 64, "draw.commit"), hexIn(draw.secret, 64, "draw.secret")];
  const said = Object.entries(objectIn(draw.nonces, "draw.nonces"));
  const nonces = Object.fromEntries(said.map(([player, nonce]) => [player, hexIn(nonce, 32, `draw.nonces.${player}`)]));
  const more = Object.keys(draw).find((name) => !["commit", "secret", "nonces"].includes(name));
  if (more !== undefined) throw new Misshapen(`draw.${more}`);
  return { commit, secret, nonces };
}

/** @param {unknown} value @param {number} digits @param {string} place @returns {string} */
function hexIn(value, digits, place) {
  const text = textIn(value, place);
  if (text.length !== digits || !/^[0-9a-f]*$/.test(text)) throw new Misshapen(place);
  return text;
}
