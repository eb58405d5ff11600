/**
 * A connection that comes back by itself, over one line after the other.
 *
 * On each new line `hello`, where one is in a room `join_room`, and what one visits besides go out together; once the
 * room is answered, every command still unanswered goes again with the same id, in order.
 */

import { backoff } from "./backoff.js";
import { Line } from "./line.js";
import { Pending } from "./pending.js";

/**
 * @typedef {import("./messages.js").Message} Message
 * @typedef {import("./messages.js").Command} Command
 * @typedef {Extract<Message, {type: "error"}>} Refusal
 * @typedef {import("./line.js").World} World
 * @typedef {{room: string, as: "player" | "spectator", screen?: true}} Seat
 * @typedef {"idle" | "connecting" | "open" | "lost" | "replaced" | "claimed"} Status claimed: replaced by somebody else, who has the seats for good
 */

const REPLACED = 4001;
/** The reason beside it, where the entry has gone to another device by its claim. */
const CLAIMED = "claimed";
const LOST = 1006;

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
  /** @type {Line | null} */
  #line = null;
  /** @type {Seat | null} */
  #seat = null;
  /** @type {Status} */
  #status = "idle";
  #attempt = 0;
  #welcomed = false;
  #resumed = false;
  /** When to try again. @type {any} */
  #timer = null;
  /** @type {Command | undefined} */
  #hello;
  /** @type {Command | undefined} */
  #join;
  /** @type {() => Command | null} */
  #visits = () => null;
  /** @type {Command | undefined} */
  #visit;

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
    if (this.#line === null) this.#connect();
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

  /** What is said on each new line besides, from now on, and at once where there is one. @param {() => Command | null} visits */
  visit(visits) {
    this.#visits = visits;
    if (this.#welcomed) this.#sendVisit();
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
    if (this.#status === "open") this.#line?.check();
    else if (this.#status === "lost" && (this.#line?.isStuck ?? true)) this.reopen();
  }

  #connect() {
    this.#world.never(this.#timer);
    this.#line = new Line(this.#url, this.#world, {
      opened: () => this.#opened(),
      heard: (text) => this.#heard(text),
      closed: (code, reason) => this.#closed(code, reason),
    });
    if (this.#status !== "lost") this.#become("connecting");
  }

  #opened() {
    this.#hello = this.#pending.named({ type: "hello", ...this.#listener.who() });
    this.#put(this.#hello);
    this.#sendJoin();
    this.#sendVisit();
  }

  #sendVisit() {
    const command = this.#visits();
    this.#visit = command ? this.#pending.named(command) : undefined;
    if (this.#visit) this.#put(this.#visit);
  }

  #sendJoin() {
    this.#join = this.#seat ? this.#pending.named({ type: "join_room", ...this.#seat }) : undefined;
    if (this.#join) this.#put(this.#join);
  }

  /** @param {string} text */
  #heard(text) {
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
    return this.#pending.get(re) ?? [this.#hello, this.#join, this.#visit].find((command) => command?.id === re);
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
    this.#line?.live();
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
    const line = this.#line;
    if (command?.type === "hello") this.#closed(LOST);
    else if (command?.type === "react") this.#pending.answered(command.id ?? "");
    else if (command && command.type !== "clock") {
      const again = () => line === this.#line && this.#commandOf(command.id) && this.#put(command);
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

  /** @param {number} code @param {string} [reason] */
  #closed(code, reason) {
    this.#drop();
    if (code === REPLACED) {
      this.#attempt = 0;
      this.#become(reason === CLAIMED ? "claimed" : "replaced");
      return;
    }
    this.#become("lost");
    const wait_ms = backoff(this.#attempt++, this.#world.random);
    this.#timer = this.#world.later(() => this.#connect(), wait_ms);
  }

  #drop() {
    this.#line?.drop();
    this.#line = null;
    this.#welcomed = this.#resumed = false;
    this.#world.never(this.#timer);
  }

  /** @param {Command} command */
  #put(command) {
    this.#line?.put(command);
  }

  /** @param {Status} status */
  #become(status) {
    if (status === this.#status) return;
    this.#status = status;
    this.#listener.status(status);
  }
}
