/** An entrant's visit to a tournament, beside the session that plays: entering, being called to heats, and coming back. */

import { Entries } from "./entries.js";
import { reasonsFor } from "./explaining.js";
import { tournamentPath } from "./links.js";
import { TableKeeper } from "./tablekeeper.js";
import { OUTSIDE, hear, lineOf } from "./tournament.js";

/** @typedef {import("./messages.js").Message} Message */
/** @typedef {import("./messages.js").Command} Command */
/** @typedef {import("./session.js").Session} Session */

/** So long the result of a heat stands, unless somebody looks closer. */
const BACK_MS = 20_000;
/** So long what was announced stands over a race. */
const LINE_MS = 15_000;
/** So often a page that isn't in asks how things stand. */
const LOOK_MS = 5_000;

export class Visiting {
  #tournament;
  #identity;
  #anybody;
  #world;
  /** @type {Session} */
  #session = /** @type {any} */ (null);
  #changed = () => {};
  #visit = OUTSIDE;
  #claim;
  #isNamed = true;
  #isBusy = false;
  /** @type {Map<string, import("./explaining.js").Reason[] | null>} */
  #why = new Map();
  #keeper = new TableKeeper(() => this.#changed());
  /** When the line was announced that was read last. @type {number | undefined} */
  #readAt;
  /** When the line was announced that stands over the race. @type {number | undefined} */
  #standsAt;
  /** The heat whose result is shown for a while. */
  #shown = "";
  /** @type {any} */
  #back = null;
  /** @type {any} */
  #look = null;

  /**
   * @param {string} tournament @param {string} claim from the link, or ""
   * @param {import("./identity.js").IdentityStore} identity
   * @param {{Screen: new () => import("./screens.js").VisitScreen, anybody: string}} look what shows it, and a name for who has none yet
   * @param {Pick<import("./line.js").World, "later" | "never">} world
   */
  constructor(tournament, claim, identity, { Screen, anybody }, world) {
    this.#tournament = tournament;
    this.#claim = claim;
    this.#identity = identity;
    this.#anybody = anybody;
    this.#world = world;
    this.Screen = Screen;
    this.path = tournamentPath(tournament);
  }

  /** All that the entrant's page shows. */
  get data() {
    const { tournament, entrant, refusal, call } = this.#visit;
    return {
      tournament, entrant, refusal, call, standings: this.#keeper.standings, why: this.#why, isBusy: this.#isBusy,
      name: this.#identity.identity.name ?? "", claim: this.#claim,
      wasIn: this.#entries.entrantIn(this.#tournament) !== null,
    };
  }

  /** Comes back as who one is, comes in by the claim of the link, or looks in from the door. @param {Session} session @param {() => void} changed */
  begin(session, changed) {
    this.#session = session;
    this.#changed = changed;
    const isIn = this.#identity.isKnown && this.#entries.entrantIn(this.#tournament) !== null;
    if (this.#claim !== "" || isIn) this.enter("", this.#claim);
    else this.#lookIn();
  }

  /** @param {string} name "" for the name that one has @param {string} claim "" where none is needed */
  enter(name, claim) {
    const known = this.#identity.identity.name;
    this.#isNamed = known !== undefined || name !== "";
    this.#claim = claim;
    this.#isBusy = true;
    this.#visit = { ...this.#visit, refusal: null };
    this.#session.visit(name || (known ?? this.#anybody), () => ({ type: "enter", tournament: this.#tournament, ...(this.#claim !== "" && { claim: this.#claim }) }));
    this.#changed();
  }

  /** Somebody else plays in this tab, and their claim is asked for anew. */
  someoneElse() {
    this.#session.someoneElse();
    this.#visit = { ...OUTSIDE, tournament: this.#visit.tournament };
    if (this.#claim !== "") this.enter("", this.#claim);
    else this.#lookIn();
  }

  /** @param {Message} message @param {Command | undefined} command */
  heard(message, command) {
    const before = this.#visit;
    this.#visit = hear(before, message, command);
    if (command?.type === "enter" || (command?.type === "hello" && message.type === "error")) this.#answered(message);
    if (message.type === "tournament") {
      this.#told();
      this.#letLineGo();
    }
    if (message.type === "round" && this.#session.view.state.room?.room !== message.room) this.goIn();
  }

  /** Into the heat that one is called to. */
  goIn() {
    const { call } = this.#visit;
    if (call !== null) this.#session.join(this.#identity.identity.name ?? this.#anybody, call.room, "player");
  }

  /** What the organiser has announced while one races. */
  get line() {
    const { announcement } = this.#visit.tournament ?? {};
    return announcement && announcement.at !== this.#readAt ? announcement.text : "";
  }

  /** It was read, in the race or on the tournament's own page. */
  lineTold() {
    this.#readAt = this.#visit.tournament?.announcement?.at;
  }

  /** Over a race it stands for a while; on the tournament's page it is still to be read. */
  #letLineGo() {
    const at = this.#visit.tournament?.announcement?.at;
    if (this.line === "" || at === this.#standsAt) return;
    this.#standsAt = at;
    this.#world.later(() => {
      if (this.#visit.tournament?.announcement?.at !== at) return;
      this.lineTold();
      this.#changed();
    }, LINE_MS);
  }

  /** After everything that was drawn: a result that has stood for long enough makes way. */
  looked() {
    const { room } = this.#session.view.state;
    if (room === null) this.lineTold();
    const shown = room?.heat && room.state === "over" ? room.room : "";
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#world.never(this.#back);
    if (shown !== "") this.#back = this.#world.later(() => this.#session.commands.leave(), BACK_MS);
  }

  /** Somebody looks closer at what is shown: it stays. */
  stay() {
    this.#world.never(this.#back);
  }

  /** @param {{round: number, heat: number}} where */
  async explain({ round, heat }) {
    this.#why.set(`${round}.${heat}`, await reasonsFor(this.#tournament, round, heat));
    this.#changed();
  }

  get #entries() {
    return new Entries(this.#identity.storage);
  }

  /** @param {Message} message */
  #answered(message) {
    this.#isBusy = false;
    if (message.type === "entered") {
      this.#claim = "";
      this.#world.never(this.#look);
      this.#entries.keep(this.#tournament, message.entrant);
    } else if (message.type === "error") {
      this.#session.endVisit();
      this.#session.newsTold();
      this.#lookIn();
    }
  }

  #told() {
    const { tournament, entrant } = this.#visit;
    if (tournament === null) return;
    this.#keeper.follow(tournament);
    const line = lineOf(tournament, entrant);
    // Whose claim it was is known only now.
    if (line && !this.#isNamed) {
      this.#isNamed = true;
      this.#identity.keep({ name: line.name });
    }
  }

  /** Who isn't connected knows the server's time by its answers. @param {Response} answer */
  #setClock(answer) {
    const at = Date.parse(answer.headers.get("Date") ?? "");
    if (Number.isFinite(at)) this.#session.clock.welcome(at);
  }

  /** From the door everybody may see who is in. */
  async #lookIn() {
    this.#world.never(this.#look);
    if (this.#visit.entrant !== null) return;
    try {
      const answer = await fetch(`/api/tournaments/${encodeURIComponent(this.#tournament)}`, { cache: "no-store" });
      this.#setClock(answer);
      if (answer.status === 404) this.#visit = { ...this.#visit, refusal: "unknown_tournament" };
      else if (answer.ok) this.#visit = { ...this.#visit, tournament: await answer.json() };
    } catch {
      // The server is asked again in a moment.
    }
    if (this.#visit.entrant !== null) return;
    if (this.#visit.tournament) this.#keeper.follow(this.#visit.tournament);
    this.#look = this.#world.later(() => this.#lookIn(), LOOK_MS);
    this.#changed();
  }
}
