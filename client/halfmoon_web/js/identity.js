/** Who this browser is: the token and the name, kept where other tabs of it find them.  The only place that does. */

/**
 * @typedef {object} Identity
 * @property {string} [name]
 * @property {string} [token] the player's secret; it goes into `hello` and nowhere else
 */

const KEY = "halfmoon.identity";
const SEAT_KEY = "halfmoon.seat";

/** @param {Storage | null} storage @param {string} key @returns {any} */
function read(storage, key) {
  try {
    return JSON.parse(storage?.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {Storage | null} storage @param {string} key @param {unknown} value */
function write(storage, key, value) {
  try {
    if (value === null) storage?.removeItem(key);
    else storage?.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays; only a reload forgets.
  }
}

export class IdentityStore {
  /** @type {Identity} */
  #identity;
  /** @type {{room: string, as: "player" | "spectator"} | null} */
  #seat;

  /** @param {Storage | null} storage */
  constructor(storage) {
    this.storage = storage;
    this.#identity = read(storage, KEY) ?? {};
    this.#seat = read(storage, SEAT_KEY);
  }

  /** @returns {Identity} */
  get identity() {
    return this.#identity;
  }

  /** @param {Identity} change */
  keep(change) {
    this.#identity = { ...this.#identity, ...change };
    write(this.storage, KEY, this.#identity);
  }

  /** The server doesn't know the token: only the name stays. */
  disown() {
    const { token, ...rest } = this.#identity;
    this.#identity = rest;
    write(this.storage, KEY, rest);
  }

  /** The room that a reload comes back to. */
  get seat() {
    return this.#seat;
  }

  /** @param {{room: string, as: "player" | "spectator"} | null} seat */
  sit(seat) {
    this.#seat = seat;
    write(this.storage, SEAT_KEY, seat);
  }
}

/** This browser's storage, or null where it may not be used. */
export function browserStorage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
