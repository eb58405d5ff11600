/** What this browser knows: pure, (state, message) to state. */

import { COUNTED } from "./room.js";
import * as rooms from "./room.js";
import { moved, undone } from "./board.js";
import { watched } from "./watching.js";

/**
 * @typedef {import("./messages.js").Message} Message
 * @typedef {import("./messages.js").Command} Command
 * @typedef {import("./room.js").Room} Room
 */

/**
 * Something to tell the player once.
 * @typedef {object} News
 * @property {string} what an error code, or "kicked", "called_off"
 * @property {string} [command] the type of the command that was refused
 * @property {string} [reason] why a move was illegal
 * @property {string} [bar] what keeps one out of a room
 * @property {string} [name] whom it is about
 */

/**
 * @typedef {object} State
 * @property {{player: string, name: string} | null} me
 * @property {Room | null} room
 * @property {boolean} gap something was missed: the room has to be asked for again
 * @property {News | null} news
 * @property {Room | null} reading the room at the end of its race, whose results are still read while others are in the lobby already
 */

/** @type {State} */
export const NOTHING = { me: null, room: null, gap: false, news: null, reading: null };

/** Refusals that speak for themselves: the board shows what is so. */
const UNSPOKEN = new Set(["stale_turn", "nothing_to_undo", "rate_limited", "unauthorized"]);

/**
 * @param {State} state
 * @param {Message} message
 * @param {Command} [command] the one that the message answers
 * @returns {State}
 */
export function hear(state, message, command) {
  const next = heard(state, message, command);
  return next.room === state.room ? next : withHostTold(state.room, stillReading(state, next));
}

/**
 * A rematch takes nobody off the results but the host who called it; the start of the next race does.
 * @param {State} before @param {State} state @returns {State}
 */
function stillReading(before, state) {
  const { room, me } = state;
  const old = before.room;
  if (room?.state !== "lobby") return state.reading === null ? state : { ...state, reading: null };
  if (old?.room !== room.room || old.state !== "over" || room.host === me?.player) return state;
  return { ...state, reading: old };
}

/** Whoever is in the room hears who its host is from now on. @param {Room | null} before @param {State} state @returns {State} */
function withHostTold(before, state) {
  const { room, me } = state;
  if (!room || before?.room !== room.room || before.host === room.host || room.host === "") return state;
  return withNews(state, { what: room.host === me?.player ? "host_you" : "host_now", name: room.host_name });
}

/** The results have been read. @param {State} state @returns {State} */
export const haveRead = (state) => ({ ...state, reading: null });

/** @param {State} state @param {Message} message @param {Command} [command] @returns {State} */
function heard(state, message, command) {
  switch (message.type) {
    case "welcome":
      return { ...state, me: { player: message.player, name: message.name } };
    case "room":
      return { ...state, room: rooms.entered(message, state.room), gap: false };
    case "left":
      return isOurs(state, message.room) ? { ...state, room: null, gap: false } : state;
    case "error":
      return refused(state, message, command);
    case "board":
      return withBoard(state, message.room, () => message.board);
    case "moved":
      return acted(state, message, (board) => moved(board, message));
    case "undone":
      return acted(state, message, (board) => undone(board, message));
    case "boards":
    case "seat_moved":
    case "seat_undone":
    case "seat_unmasked":
      return watching(state, message);
    default:
      return "n" in message && COUNTED.has(message.type) ? broadcast(state, message) : state;
  }
}

/** @param {State} state @param {import("./messages.js").News} message @returns {State} */
function watching(state, message) {
  if (!state.room || !isOurs(state, message.room) || state.gap) return state;
  const room = watched(state.room, message);
  return room === null ? { ...state, gap: true } : { ...state, room };
}

/** @param {State} state @returns {State} the same with the news told */
export const told = (state) => ({ ...state, news: null });

/** @param {State} state @param {string} room */
const isOurs = (state, room) => state.room?.room === room;

/** @param {State} state @param {News} news @returns {State} */
const withNews = (state, news) => ({ ...state, news });

/**
 * A broadcast counts up by one; one that leaves a number out shows that something was missed.
 * @param {State} state @param {Extract<Message, {n: number}>} message @returns {State}
 */
function broadcast(state, message) {
  const room = state.room;
  if (!room || room.room !== message.room || message.type === "room") return state;
  if (isOurEnd(state, message)) {
    const gone = { ...state, room: null, gap: false };
    return message.why === "kicked" ? withNews(gone, { what: "kicked" }) : gone;
  }
  if (state.gap || message.n <= room.n) return state;
  if (message.n > room.n + 1) return { ...state, gap: true };
  const next = rooms.changed({ ...room, n: message.n }, message, state.me?.player);
  if (next === null) return { ...state, gap: true };
  const after = { ...state, room: next };
  const calledOff = message.type === "countdown" && message.starts_at === null;
  return calledOff ? withNews(after, { what: "called_off" }) : after;
}

/**
 * The room's last message to whom it is about; it may come after a gap.
 * @param {State} state @param {Message} message
 * @returns {message is Extract<Message, {type: "player_left"}>}
 */
const isOurEnd = (state, message) =>
  message.type === "player_left" && message.player === state.me?.player;

/**
 * @param {State} state
 * @param {Extract<Message, {type: "error"}>} message
 * @param {Command} [command]
 * @returns {State}
 */
function refused(state, message, command) {
  const { code, reason, bar, board } = message;
  const room = command && "room" in command ? command.room : message.room;
  const isOut = command?.type === "join_room" && !(isOurs(state, command.room) && command.as !== state.room?.you.as);
  // Who may not change between racing and watching stays as they are; a seat that isn't given back is gone.
  const shut = isOut || code === "unknown_room";
  let next = state;
  if (shut && room !== undefined && isOurs(state, room)) next = { ...next, room: null, gap: false };
  if (board && room !== undefined) next = withBoard(next, room, () => board);
  if (UNSPOKEN.has(code) || isBegunAnyway(state, command)) return next;
  return withNews(next, {
    what: code,
    ...(command && { command: command.type }),
    ...(reason && { reason }),
    ...(bar && { bar }),
  });
}

/** Whether what was asked for has come about by another tab, or by a second press. @param {State} state @param {Command} [command] */
const isBegunAnyway = ({ room }, command) =>
  (command?.type === "start" || command?.type === "set_ready") && room !== null && (room.state === "countdown" || room.state === "racing");

/**
 * An answer to a move or an undo.  One that was given before is passed over; one too far on shows a gap.
 * @param {State} state
 * @param {Extract<Message, {type: "moved" | "undone"}>} message
 * @param {(board: import("./messages.js").Board) => import("./messages.js").Board} act
 * @returns {State}
 */
function acted(state, message, act) {
  const board = state.room?.you.board;
  if (!board || !isOurs(state, message.room) || message.turn <= board.turn) return state;
  if (message.turn > board.turn + 1) return { ...state, gap: true };
  const me = state.me?.player;
  const { score, moves, status } = message;
  const next = withBoard(state, message.room, act);
  const room = next.room && rooms.withPlayer(next.room, me, { score, moves, status });
  return { ...next, room };
}

/**
 * @param {State} state @param {string} room
 * @param {(board: any) => import("./messages.js").Board} make from the board so far
 * @returns {State}
 */
function withBoard(state, room, make) {
  if (!state.room || state.room.room !== room) return state;
  const you = { ...state.room.you, board: make(state.room.you.board) };
  return { ...state, room: { ...state.room, you } };
}
