/**
 * Who this browser is: the token and the name, kept where other tabs of it find them.  The only place that does.
 * A tab in which somebody else plays keeps its own instead, as long as the tab lives.
 */

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
  /** @type {Identity & {isGuest?: true}} `isGuest`: nobody chose the name, the page did */
  #identity;
  /** @type {{room: string, as: "player" | "spectator"} | null} */
  #seat;

  /** @param {Storage | null} storage the browser's @param {Storage | null} [own] the tab's */
  constructor(storage, own = null) {
    this.own = own;
    this.storage = read(own, KEY) === null ? storage : own;
    this.#identity = read(this.storage, KEY) ?? {};
    this.#seat = read(this.storage, SEAT_KEY);
  }

  /** Somebody else plays in this tab: whoever the browser knows stays as it is. */
  startAnew() {
    this.storage = this.own;
    this.#identity = {};
    this.#seat = null;
    write(this.storage, KEY, {});
    write(this.storage, SEAT_KEY, null);
  }

  /** As it is said to the server. @returns {Identity} */
  get identity() {
    const { isGuest, ...told } = this.#identity;
    return told;
  }

  /** The name that one has chosen, "" where that is still to be done. */
  get ownName() {
    return this.#identity.isGuest ? "" : (this.#identity.name ?? "");
  }

  /** Whether the server has known this player before. */
  get isKnown() {
    return this.#identity.token !== undefined;
  }

  /** Another tab may have become known meanwhile: then this one is no other. @param {Identity & {isGuest?: true}} change */
  keep(change) {
    const token = this.#identity.token ?? this.#tokenThere();
    this.#identity = { ...this.#identity, ...(token !== undefined && { token }), ...change };
    write(this.storage, KEY, this.#identity);
  }

  /**
   * The server has made somebody up, or knows who this is.  False where another tab was faster: then this one is who that one is,
   * and has to say so.
   * @param {string} name @param {string} token
   */
  becomes(name, token) {
    const there = this.#tokenThere();
    const isSecond = this.#identity.token === undefined && there !== undefined && there !== token;
    this.keep(isSecond ? {} : { name, token });
    return !isSecond;
  }

  /** The server doesn't know the token: only the name stays. */
  disown() {
    const { token, ...rest } = this.#identity;
    this.#identity = rest;
    if (this.#tokenThere() === token) write(this.storage, KEY, rest);
  }

  /** @returns {string | undefined} */
  #tokenThere() {
    return read(this.storage, KEY)?.token;
  }

  /** The room that a reload comes back to. */
  get seat() {
    return this.#seat;
  }

  /** Whether this is the room that one was in. @param {string} room */
  comesBackTo(room) {
    return this.#seat?.room === room && this.#identity.token !== undefined;
  }

  /** @param {{room: string, as: "player" | "spectator", screen?: true} | null} seat */
  sit(seat) {
    this.#seat = seat;
    write(this.storage, SEAT_KEY, seat);
  }
}

/** This browser's storage, or this tab's; null where it may not be used. @param {"localStorage" | "sessionStorage"} kind */
export function storageOf(kind) {
  try {
    return window[kind];
  } catch {
    return null;
  }
}
