/**
 * One WebSocket that comes back by itself.
 *
 * On each new socket `hello` and, where one is in a room, `join_room` go out together; once that is answered,
 * every command still unanswered goes again with the same id, in order.
 */

import { backoff } from "./backoff.js";
import { Pending } from "./pending.js";
import { Pulse, SILENCE_AFTER_WAKING_MS } from "./pulse.js";

/**
 * @typedef {import("./messages.js").Message} Message
 * @typedef {import("./messages.js").Command} Command
 * @typedef {Extract<Message, {type: "error"}>} Refusal
 * @typedef {{room: string, as: "player" | "spectator"}} Seat
 * @typedef {"idle" | "connecting" | "open" | "lost" | "replaced"} Status
 */

export const SUBPROTOCOL = "halfmoon.v1";
const REPLACED = 4001;
const CONNECT_MS = 8_000;
const WATCH_MS = 500;
const STUCK_MS = 1_000;

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
 * @typedef {object} Listener
 * @property {(message: Message, command: Command | undefined) => void} heard
 * @property {(status: Status) => void} status
 * @property {() => {name?: string, token?: string}} who what to say hello with
 * @property {() => void} disowned the token isn't known to the server
 */

export class Connection {
  #url;
  #world;
  #listener;
  #pending;
  #pulse = new Pulse();
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Seat | null} */
  #seat = null;
  /** @type {Status} */
  #status = "idle";
  #attempt = 0;
  #welcomed = false;
  #resumed = false;
  #startedAt = 0;
  /** @type {any} */
  #timer = null;
  /** @type {Command | undefined} */
  #hello;
  /** @type {Command | undefined} */
  #join;

  /** @param {string} url @param {World} world @param {Listener} listener */
  constructor(url, world, listener) {
    this.#url = url;
    this.#world = world;
    this.#listener = listener;
    this.#pending = new Pending(world.idPrefix);
  }

  get status() {
    return this.#status;
  }

  /** Connects, unless it is connected or about to be. */
  open() {
    if (this.#socket === null) this.#connect();
  }

  /** Says hello anew, for another name. */
  reopen() {
    this.#drop();
    this.#connect();
  }

  /** Ends it for good: nothing is remembered. */
  close() {
    this.#drop();
    this.#pending.clear();
    this.#seat = null;
    this.#attempt = 0;
    this.#become("idle");
  }

  /** The room to come back to, or null. @param {Seat | null} seat */
  sitIn(seat) {
    if (this.#seat && this.#seat.room !== seat?.room) this.#pending.dropRoom(this.#seat.room);
    this.#seat = seat;
  }

  /** Sends a command, now or as soon as there is a connection. @param {Command} command */
  send(command) {
    const named = this.#pending.add(command);
    if (this.#resumed) this.#put(named);
  }

  /** Asks for the whole room again. */
  ask() {
    if (this.#resumed) this.#sendJoin();
  }

  /** The page woke up or the network changed: find out at once whether the line still lives. */
  check() {
    if (this.#status === "open") this.#sendClock(SILENCE_AFTER_WAKING_MS);
    else if (this.#status === "lost" && this.#isStuck()) this.reopen();
  }

  /** Whether the attempt under way, if there is one, has gone on for so long that another does better. */
  #isStuck() {
    return this.#socket === null || this.#world.now() - this.#startedAt > STUCK_MS;
  }

  #connect() {
    this.#world.never(this.#timer);
    const socket = this.#world.socket(this.#url, SUBPROTOCOL);
    this.#socket = socket;
    this.#pulse = new Pulse();
    this.#startedAt = this.#world.now();
    socket.onopen = () => this.#opened();
    socket.onmessage = (event) => this.#heard(event.data);
    socket.onclose = (event) => this.#closed(event.code);
    if (this.#status !== "lost") this.#become("connecting");
    this.#watch();
  }

  #opened() {
    this.#hello = this.#pending.named({ type: "hello", ...this.#listener.who() });
    this.#put(this.#hello);
    this.#sendJoin();
  }

  #sendJoin() {
    this.#join = this.#seat ? this.#pending.named({ type: "join_room", ...this.#seat }) : undefined;
    if (this.#join) this.#put(this.#join);
  }

  /** @param {string} text */
  #heard(text) {
    this.#pulse.heard();
    /** @type {Message} */
    const message = JSON.parse(text);
    const command = this.#commandOf("re" in message ? message.re : undefined);
    if (message.type === "error" && message.code === "rate_limited") return this.#slowDown(message, command);
    if (message.type === "error" && command?.type === "hello") return this.#turnedAway(message, command);
    if (command?.id !== undefined) this.#pending.answered(command.id);
    if (message.type === "welcome") this.#welcome();
    this.#listener.heard(message, command);
    if (this.#isResumeAnswer(message, command)) this.#resume();
  }

  /** @param {string | undefined} re @returns {Command | undefined} the command that is answered */
  #commandOf(re) {
    if (re === undefined) return undefined;
    return this.#pending.get(re) ?? [this.#hello, this.#join].find((command) => command?.id === re);
  }

  /** @param {Message} message @param {Command | undefined} command */
  #isResumeAnswer(message, command) {
    if (!this.#welcomed || this.#resumed) return false;
    return this.#join ? command === this.#join : message.type === "welcome";
  }

  #welcome() {
    this.#welcomed = true;
    this.#attempt = 0;
    this.#become("open");
    this.#sendClock();
  }

  /** What went unanswered goes again, in order. */
  #resume() {
    this.#resumed = true;
    for (const command of this.#pending.all()) this.#put(command);
  }

  /**
   * Sends the same again a little later, without a word to anybody; a reaction would come too late.
   * @param {Refusal} message @param {Command | undefined} command
   */
  #slowDown(message, command) {
    const socket = this.#socket;
    if (command?.type === "hello") this.#lose();
    else if (command?.type === "react") this.#pending.answered(command.id ?? "");
    else if (command && command.type !== "clock") {
      const again = () => socket === this.#socket && this.#commandOf(command.id) && this.#put(command);
      this.#world.later(again, (message.retry_ms ?? 1_000) + 50);
    }
  }

  /**
   * A refused hello: a token that isn't known is forgotten and the name alone tried; a name that is refused
   * ends the attempt.
   * @param {Refusal} message @param {Command} command
   */
  #turnedAway(message, command) {
    if (message.code === "unauthorized") {
      this.#listener.disowned();
      this.reopen();
      return;
    }
    this.#drop();
    this.#pending.clear();
    this.#become("idle");
    this.#listener.heard(message, command);
  }

  /** @param {number} code */
  #closed(code) {
    this.#drop();
    if (code === REPLACED) {
      this.#attempt = 0;
      this.#become("replaced");
      return;
    }
    this.#become("lost");
    const wait_ms = backoff(this.#attempt++, this.#world.random);
    this.#timer = this.#world.later(() => this.#connect(), wait_ms);
  }

  #lose() {
    this.#closed(1006);
  }

  /** Lets go of the socket without waiting for its goodbye, which on a dead line takes long. */
  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = this.#resumed = false;
    this.#world.never(this.#timer);
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #watch() {
    this.#timer = this.#world.later(() => this.#look(), WATCH_MS);
  }

  #look() {
    const now = this.#world.now();
    const isLost = this.#welcomed ? this.#pulse.isLost(now) : now - this.#startedAt >= CONNECT_MS;
    if (isLost) return this.#lose();
    if (this.#welcomed && this.#pulse.isDue(now)) this.#sendClock();
    this.#watch();
  }

  /** A browser can't ping: `clock` does. @param {number} [patience_ms] */
  #sendClock(patience_ms) {
    const now = this.#world.now();
    this.#pulse.asked(now, patience_ms);
    this.#put({ type: "clock", t: Math.floor(now) });
  }

  /** @param {Command} command */
  #put(command) {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(command));
  }

  /** @param {Status} status */
  #become(status) {
    if (status === this.#status) return;
    this.#status = status;
    this.#listener.status(status);
  }
}
