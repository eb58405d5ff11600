/** A tournament as this browser knows it: pure, (visit, message) to visit, and what can be told from its state. */

import { numeral } from "./room.js";

/**
 * @typedef {import("./messages.js").Message} Message
 * @typedef {import("./messages.js").Command} Command
 * @typedef {import("./messages.js").EntrantLine} EntrantLine
 * @typedef {import("./messages.js").HeatLine} HeatLine
 * @typedef {import("./messages.js").HeatResult} HeatResult
 * @typedef {Omit<Extract<Message, {type: "tournament"}>, "type" | "re">} Tournament
 */

/**
 * Somebody's visit to a tournament.
 * @typedef {object} Visit
 * @property {Tournament | null} tournament
 * @property {string | null} entrant who one is there
 * @property {Call | null} call the last heat that one was called to
 * @property {string | null} refusal why one wasn't let in, as a code
 */

/** @typedef {{round: number, room: string, starts_at: number}} Call */

/** @type {Visit} */
export const OUTSIDE = { tournament: null, entrant: null, call: null, refusal: null };

/**
 * @param {Visit} visit
 * @param {Message} message
 * @param {Command} [command] the one that the message answers
 * @returns {Visit}
 */
export function hear(visit, message, command) {
  switch (message.type) {
    case "tournament": {
      const { type, re, ...tournament } = message;
      return { ...visit, tournament };
    }
    case "entered":
      return { ...visit, entrant: message.entrant, refusal: null };
    case "round":
      return { ...visit, call: { round: message.round, room: message.room, starts_at: message.starts_at } };
    case "error":
      return withRefusal(visit, message.code, command);
    default:
      return visit;
  }
}

/** Who may not come in; a refused `hello` means the name. @param {Visit} visit @param {string} code @param {Command} [command] @returns {Visit} */
function withRefusal(visit, code, command) {
  if (command?.type === "hello") return { ...visit, refusal: "name" };
  return command?.type === "enter" || command?.type === "follow" ? { ...visit, refusal: code } : visit;
}

/** Everybody by their id, for each list once: hundreds are looked up by the hundred. @type {WeakMap<EntrantLine[], Map<string, EntrantLine>>} */
const BY_ID = new WeakMap();

/** @param {Tournament} tournament @param {string | null} entrant @returns {EntrantLine | undefined} */
export function lineOf({ entrants }, entrant) {
  const known = BY_ID.get(entrants) ?? new Map(entrants.map((line) => [line.entrant, line]));
  BY_ID.set(entrants, known);
  return known.get(entrant ?? "");
}

/** Names as they are shown, for each list once. @type {WeakMap<EntrantLine[], Map<string, string>>} */
const SHOWN = new WeakMap();

/** The name, with its number where somebody before is called the same or looks so. @param {Tournament} tournament @param {string} entrant */
export function nameOf({ entrants }, entrant) {
  const known = SHOWN.get(entrants) ?? shownNames(entrants);
  SHOWN.set(entrants, known);
  return known.get(entrant) ?? "?";
}

/** @param {EntrantLine[]} entrants */
const shownNames = (entrants) => new Map(entrants.map(({ entrant, name, number }) => [entrant, number === undefined ? name : `${name} ${numeral(number)}`]));

/** The heats of the round that was drawn last. @param {Tournament} tournament */
export const latestHeats = ({ heats, round }) => heats.filter((heat) => heat.round === round);

/** The heat of a room. @param {Tournament} tournament @param {string} room */
export const heatIn = (tournament, room) => tournament.heats.find((heat) => heat.room === room);

/** Whether so few are here that a round would be spent on an empty room. @param {Tournament} tournament */
export function isSparse(tournament) {
  const { online, all } = attendance(tournament);
  return 2 * online < all || online === 0;
}

/** Whether somebody can come in who has no entry yet. @param {Tournament} tournament */
export function canEnter(tournament) {
  if (tournament.state === "over") return false;
  if (tournament.entry === "list") return tournament.entrants.some((line) => line.active && !line.taken);
  return tournament.format !== "knockout" || countedRounds(tournament) === 0;
}

/** Whether it matters in which order the entrants stand: not where all race in one heat. @param {Tournament} tournament */
export const hasSeeds = ({ format, heat_size }) => format !== "series" || typeof heat_size === "number";

/** Whether a round runs and has begun, so that it can be ended. @param {Tournament} tournament */
export const hasBegun = (tournament) => tournament.state === "racing" && latestHeats(tournament).some((heat) => heat.state === "racing");

/**
 * How many of the round that runs aren't done yet, as far as can be seen.
 * @param {Tournament} tournament @param {Record<string, import("./room.js").Room>} rooms
 */
export const stillRacing = (tournament, rooms) => latestHeats(tournament).filter((heat) => heat.state === "racing").reduce((sum, { room, entrants }) => {
  const racing = rooms[room]?.players.filter(({ status }) => status === "racing" || status === "deadlocked");
  return sum + (racing ? racing.length : entrants.filter((entrant) => lineOf(tournament, entrant)?.taken).length);
}, 0);

/**
 * What comes next for an entrant.
 * @typedef {"entry" | "race" | "elsewhere" | "done" | "bye" | "absent" | "late" | "running" | "break" | "paused" | "deserted" | "next" | "last" | "withdrawn" | "out" | "over"} Next
 */

/** @param {Tournament} tournament @param {string} entrant @param {Call | null} [call] the heat that one was called to; nothing is known of it where left out @returns {Next} */
export function nextFor(tournament, entrant, call) {
  const next = nextAnywhere(tournament, entrant);
  // Who took the entry over in mid-round has no seat in it: that one runs on where it was begun.
  const isHere = call === undefined || runningHeats(tournament, entrant).some((heat) => heat.room === call?.room);
  return next === "race" && !isHere ? "elsewhere" : next;
}

/** @param {Tournament} tournament @param {string} entrant */
const runningHeats = (tournament, entrant) => latestHeats(tournament).filter((heat) => heat.entrants.includes(entrant) && heat.state !== "over");

/** @param {Tournament} tournament @param {string} entrant @returns {Next} */
function nextAnywhere(tournament, entrant) {
  if (tournament.state === "over") return "over";
  if (lineOf(tournament, entrant)?.active === false) return "withdrawn";
  if (tournament.state === "racing") return duringTheRound(tournament, entrant);
  if (isOut(tournament, entrant)) return "out";
  return nextForAll(tournament);
}

/** What everybody waits for, whoever they are. @param {Tournament} tournament @returns {"entry" | "running" | "break" | "paused" | "deserted" | "next" | "over" | "last"} */
export function nextForAll(tournament) {
  if (tournament.state === "over") return "over";
  if (tournament.state === "racing") return "running";
  if (tournament.automatic.paused) return "paused";
  if (tournament.automatic.waiting) return "deserted";
  if (tournament.next_at !== undefined) return "next";
  if (tournament.state === "entry") return "entry";
  return countedRounds(tournament) + 1 === tournament.rounds ? "last" : "break";
}

/** How many rounds count so far: an annulled one uses up none. @param {Tournament} tournament */
export const countedRounds = ({ round, annulled }) => round - annulled.length;

/** @param {Tournament} tournament @param {string} entrant @returns {Next} */
function duringTheRound(tournament, entrant) {
  const own = latestHeats(tournament).filter((heat) => heat.entrants.includes(entrant));
  if (own.length > 0 && !lineOf(tournament, entrant)?.taken) return "absent";
  if (own.length > 0 && own.every((heat) => absentFrom(heat).includes(entrant))) return "late";
  if (own.some((heat) => heat.state !== "over")) return "race";
  if (own.length > 0) return isOut(tournament, entrant) ? "out" : "done";
  if (tournament.byes.some((bye) => bye.round === tournament.round && bye.entrant === entrant)) return "bye";
  return isOut(tournament, entrant) ? "out" : "late";
}

/** Whether a knockout goes on without them. @param {Tournament} tournament @param {string} entrant */
export function isOut({ format, heats }, entrant) {
  if (format !== "knockout") return false;
  const last = heats.filter((heat) => heat.entrants.includes(entrant) && !heat.annulled && heat.state === "over").at(-1);
  if (last === undefined) return false;
  const ranks = (last.results ?? []).map((result) => result.rank);
  if (ranks.length > 1 && ranks.every((rank) => rank === 1)) return false;
  return last.results?.find((result) => result.entrant === entrant)?.rank !== 1;
}

/**
 * A round as one entrant lived it.
 * @typedef {object} OwnRound
 * @property {number} round
 * @property {HeatLine} [heat] none for a bye
 * @property {HeatResult} [result]
 * @property {boolean} annulled
 * @property {boolean} isAbsent
 */

/** All rounds of an entrant, the newest first. @param {Tournament} tournament @param {string} entrant @returns {OwnRound[]} */
export function roundsOf(tournament, entrant) {
  /** @type {OwnRound[]} */
  const byes = tournament.byes.filter((bye) => bye.entrant === entrant)
    .map(({ round }) => ({ round, annulled: isAnnulled(tournament, round), isAbsent: false }));
  const raced = tournament.heats.filter((heat) => heat.entrants.includes(entrant)).map((heat) => {
    const result = heat.results?.find((line) => line.entrant === entrant);
    return { round: heat.round, heat, ...(result && { result }), annulled: heat.annulled === true, isAbsent: absentFrom(heat).includes(entrant) };
  });
  return [...byes, ...raced].sort((one, other) => other.round - one.round || (other.heat?.heat ?? 0) - (one.heat?.heat ?? 0));
}

/** @param {Tournament} tournament @param {number} round */
export const isAnnulled = ({ annulled }, round) => annulled.some((one) => one.round === round);

/** Those of a heat who have no seat in it. @param {HeatLine} heat @returns {string[]} */
export const absentFrom = ({ absent }) => absent ?? [];

/** The numbers of all rounds drawn, the newest first. @param {Tournament} tournament */
export const roundNumbers = ({ round }) => Array.from({ length: round }, (_, i) => round - i);

/** How far the field has come: names who are here, who was expected. @param {Tournament} tournament */
export function attendance({ entrants }) {
  const active = entrants.filter((line) => line.active);
  return { online: active.filter((line) => line.online).length, taken: active.filter((line) => line.taken).length, all: active.length };
}

/**
 * What the table depends on: while this text stays the same, so does the table.
 * @param {Tournament} tournament
 */
export function tableKey({ round, state, entrants, heats, annulled }) {
  const corrected = heats.flatMap((heat) => (heat.results ?? []).filter((line) => line.raw)
    .map((line) => [heat.round, heat.heat, line.entrant, line.status, line.best, line.time_ms]));
  return JSON.stringify([state === "racing" ? round - 1 : round, entrants.map((line) => [line.entrant, line.active]), annulled, corrected]);
}
