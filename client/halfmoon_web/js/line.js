/** One WebSocket and whether it still lives: opened, asked from time to time, and let go of without a goodbye. */

import { Pulse, SILENCE_AFTER_WAKING_MS } from "./pulse.js";

/** @typedef {import("./messages.js").Command} Command */

export const SUBPROTOCOL = "halfmoon.v1";
const CONNECT_MS = 8_000;
const WATCH_MS = 500;
const STUCK_MS = 1_000;
/** What a line is closed with that died without a word. */
const SILENT = 1006;

/**
 * What the world outside gives, so that tests can give another.
 * @typedef {object} World
 * @property {(url: string, protocol: string) => WebSocket} socket
 * @property {() => number} now milliseconds that only run forward
 * @property {() => number} random 0 to 1
 * @property {(run: () => void, ms: number) => any} later
 * @property {(timer: any) => void} never
 * @property {string} idPrefix
 */

/**
 * @typedef {object} Ends
 * @property {() => void} opened
 * @property {(text: string) => void} heard
 * @property {(code: number, reason?: string) => void} closed by the other side, or because nothing was heard for too long
 */

export class Line {
  #world;
  #ends;
  #socket;
  #pulse = new Pulse();
  #isLive = false;
  #startedAt;
  /** @type {any} */
  #timer;

  /** @param {string} url @param {World} world @param {Ends} ends */
  constructor(url, world, ends) {
    this.#world = world;
    this.#ends = ends;
    this.#socket = world.socket(url, SUBPROTOCOL);
    this.#startedAt = world.now();
    this.#socket.onopen = () => ends.opened();
    this.#socket.onmessage = (event) => {
      this.#pulse.heard();
      ends.heard(event.data);
    };
    this.#socket.onclose = (event) => this.#end(event.code, event.reason);
    this.#watch();
  }

  /** Whether it has been in the making for so long that another does better. */
  get isStuck() {
    return this.#world.now() - this.#startedAt > STUCK_MS;
  }

  /** The other side has answered: from now on its silence counts. */
  live() {
    this.#isLive = true;
    this.#ask();
  }

  /** The page woke up or the network changed: find out at once whether it still lives. */
  check() {
    this.#ask(SILENCE_AFTER_WAKING_MS);
  }

  /** @param {Command} command */
  put(command) {
    if (this.#socket.readyState === 1) this.#socket.send(JSON.stringify(command));
  }

  /** Lets go without waiting for a goodbye, which on a dead line takes long; nothing is heard of it any more. */
  drop() {
    this.#world.never(this.#timer);
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
  }

  /** @param {number} code @param {string} [reason] */
  #end(code, reason) {
    this.drop();
    this.#ends.closed(code, reason);
  }

  #watch() {
    this.#timer = this.#world.later(() => this.#look(), WATCH_MS);
  }

  #look() {
    const now = this.#world.now();
    const isLost = this.#isLive ? this.#pulse.isLost(now) : now - this.#startedAt >= CONNECT_MS;
    if (isLost) return this.#end(SILENT);
    if (this.#isLive && this.#pulse.isDue(now)) this.#ask();
    this.#watch();
  }

  /** A browser can't ping: `clock` does. @param {number} [patience_ms] */
  #ask(patience_ms) {
    const now = this.#world.now();
    this.#pulse.asked(now, patience_ms);
    this.put({ type: "clock", t: Math.floor(now) });
  }
}
