/** What the tests of the web client say things with. */

import { NOTHING, hear } from "../../client/halfmoon_web/js/state.js";

export const OPTIONS = {
  time_limit_ms: 900_000, undo: true, ends: "all", max_players: 16, public: false,
  spectators: "open", spectator_delay_ms: 0, countdown_ms: 3_000, reactions: true,
};

export const SEAL = "9f3a".repeat(16);

export const line = (player, more = {}) => ({
  player, name: player.slice(2), ready: false, online: true, status: "waiting", score: 0, moves: 0, ...more,
});

export const room = (more = {}) => ({
  type: "room", room: "H4K7P", n: 10, state: "lobby", host: "p_orsi", host_name: "orsi", options: OPTIONS, seal: SEAL,
  players: [line("p_orsi"), line("p_kata")], spectators: 0, you: { as: "player" }, ...more,
});

export const welcome = (player = "p_kata") =>
  ({ type: "welcome", player, name: player.slice(2), token: "secret", server: { version: "1" }, at: 1 });

/** Pile 1 shows 5S, pile 8 6D, pile 3 KH, pile 5 QH, and so on; R1 AH, R2 JC, R4 is empty. */
export const board = (more = {}) => ({
  turn: 0,
  piles: ["5S", "2C", "KH", "4C", "QH", "AH", "8D", "6D", "2D", "JC", "TH", "3H"].map((top) => ({ top, count: 8 })),
  reserve: ["AH", "JC", "5C", null, "3S", "JH", "TD", "2C"],
  score: 0, moves: 0, status: "racing", can_undo: false, ...more,
});

export const moved = (more = {}) => ({
  type: "moved", room: "H4K7P", turn: 1, removed: ["5S", "6D"], revealed: { 1: "9C", 8: "JC" },
  score: 10, moves: 1, status: "racing", at_ms: 4_000, ...more,
});

export const undone = (more = {}) => ({
  type: "undone", room: "H4K7P", turn: 2, restored: { 1: "5S", 8: "6D" },
  score: 0, moves: 0, status: "racing", at_ms: 5_000, ...more,
});

/** The state after these messages; each may be a pair of message and the command it answers. */
export const after = (...messages) => from(NOTHING, ...messages);

export const from = (state, ...messages) =>
  messages.reduce((sofar, one) => (Array.isArray(one) ? hear(sofar, ...one) : hear(sofar, one)), state);

/** Numbers broadcasts on from the room's `n`. */
export const told = (n, message) => ({ room: "H4K7P", n, ...message });

export const started = (n = 11, more = {}) =>
  told(n, { type: "started", race: "r1", starts_at: 1_000, ends_at: 901_000, seal: SEAL, players: ["p_orsi", "p_kata"], ...more });
