/** Who follows a tournament without playing in it, and its heats live: the wall and the organiser's page.  It knows no page. */

import { Clock } from "./clock.js";
import { Connection } from "./connection.js";
import { NO_HEATS, follow, hearHeat } from "./heats.js";
import { OUTSIDE, hear, latestHeats } from "./tournament.js";

/** @typedef {import("./messages.js").Message} Message */
/** @typedef {import("./messages.js").Command} Command */

/** More heats than these are told by their state alone. */
const MOST_HEATS = 64;
/** So many rooms are asked for in a row, and so long nothing after them: the server wants no more than 10 commands a second. */
const IN_A_ROW = 10;
const REST_MS = 1_200;
/** Why a room can't be looked into just now: the server is being started, or has much to do. @type {ReadonlySet<string>} */
const AGAIN = new Set(["unknown_room", "rate_limited", "unavailable"]);
const AGAIN_MS = 1_500;
/** Wrong rooms are counted against an address: one that never comes isn't asked for without end. */
const MOST_TRIES = 8;

export class Follower {
  #connection;
  #world;
  #identity;
  #changed;
  #tournament;
  #visit = OUTSIDE;
  #heats = NO_HEATS;
  /** @type {Set<string>} */
  #asked = new Set();
  #isResting = false;
  /** Rooms that nobody may look into. @type {Set<string>} */
  #shut = new Set();
  /** How often a room wasn't there. @type {Map<string, number>} */
  #tries = new Map();
  /** @type {import("./connection.js").Status} */
  #status = "idle";

  /**
   * @param {string} url
   * @param {import("./line.js").World} world
   * @param {import("./identity.js").IdentityStore} identity
   * @param {string} tournament
   * @param {() => void} changed
   */
  constructor(url, world, identity, tournament, changed) {
    this.#world = world;
    this.#identity = identity;
    this.#tournament = tournament;
    this.#changed = changed;
    this.clock = new Clock(world.now);
    this.#connection = new Connection(url, world, {
      heard: (message, command) => this.#heard(message, command),
      status: (status) => this.#becomes(status),
      who: () => identity.identity,
      disowned: () => identity.disown(),
    });
  }

  get view() {
    return { tournament: this.#visit.tournament, refusal: this.#visit.refusal, rooms: this.#heats.rooms, status: this.#status };
  }

  /** @param {string} name how one is called where one looks on */
  open(name) {
    this.#identity.keep({ name });
    this.#connection.visit(() => ({ type: "follow", tournament: this.#tournament }));
    this.#connection.open();
  }

  /** The page woke up, or what was refused may be there by now. */
  wake() {
    this.#connection.check();
    if (this.#status === "replaced") this.#connection.open();
    else if (this.#visit.refusal !== null && this.#status === "open") this.#connection.visit(() => ({ type: "follow", tournament: this.#tournament }));
  }

  close() {
    this.#connection.close();
  }

  /** @param {import("./connection.js").Status} status */
  #becomes(status) {
    this.#status = status;
    if (status !== "open") {
      // A new line knows no room: all of them are asked for again.
      this.#asked.clear();
      this.#heats = { ...this.#heats, gaps: Object.keys(this.#heats.rooms) };
    }
    this.#changed();
  }

  /** @param {Message} message @param {Command | undefined} command */
  #heard(message, command) {
    if (message.type === "clock") return this.clock.sample(message.t, message.at);
    if (message.type === "welcome") {
      this.clock.welcome(message.at);
      this.#identity.keep({ name: message.name, token: message.token });
    }
    if (command?.type === "join_room") this.#joined(command.room, message);
    this.#visit = hear(this.#visit, message, command);
    if (message.type === "tournament") this.#visit = { ...this.#visit, refusal: null };
    this.#heats = hearHeat(this.#heats, message);
    this.#lookIn();
    this.#changed();
  }

  /** A room that isn't there yet is asked for again in a moment; one that is shut never. @param {string} room @param {Message} message */
  #joined(room, message) {
    const tries = (this.#tries.get(room) ?? 0) + 1;
    if (message.type === "error" && AGAIN.has(message.code) && tries <= MOST_TRIES) {
      this.#tries.set(room, tries);
      this.#world.later(() => {
        this.#asked.delete(room);
        this.#lookIn();
      }, AGAIN_MS);
      return;
    }
    this.#asked.delete(room);
    if (message.type === "error") this.#shut.add(room);
  }

  /** Comes into the heats that run, and into no other. */
  #lookIn() {
    const { tournament } = this.#visit;
    if (tournament === null || this.#status !== "open") return;
    const wanted = tournament.race.spectators === "none" ? [] : latestHeats(tournament).filter((heat) => heat.state !== "over").map((heat) => heat.room)
      .filter((room) => !this.#shut.has(room)).slice(0, MOST_HEATS);
    const { heats, ask } = follow(this.#heats, wanted, this.#asked);
    this.#heats = heats;
    if (this.#isResting || ask.length === 0) return;
    for (const room of ask.slice(0, IN_A_ROW)) {
      this.#asked.add(room);
      this.#connection.send({ type: "join_room", room, as: "spectator", screen: true });
    }
    this.#isResting = ask.length >= IN_A_ROW;
    if (this.#isResting) this.#world.later(() => this.#rested(), REST_MS);
  }

  #rested() {
    this.#isResting = false;
    this.#lookIn();
  }
}
