/** Running one tournament: what the organiser presses becomes calls, and what is so comes from following it. */

import { claimPath } from "./claims.js";
import { reasonsFor } from "./explaining.js";
import { Follower } from "./follower.js";
import { IdentityStore, storageOf } from "./identity.js";
import { isRefused, refusalWords } from "./organiserapi.js";
import { codesOf } from "./qrdrawing.js";
import { scoped } from "./scoped.js";
import { TableKeeper } from "./tablekeeper.js";
import { paced } from "./pacing.js";
import { lineOf, nameOf } from "./tournament.js";
import { WakeLock } from "./wakelock.js";
import { t } from "./words.js";
import { browserWorld, socketUrl } from "./world.js";
import { HmConduct } from "./elements/hm-conduct.js";

/** @typedef {import("./elements/hm-conduct.js").Claim} Claim */
/** @typedef {import("./logwords.js").LogLine} LogLine */

const NAME = "Organiser";
const AGAIN_MS = 15_000;
/** So long it stands there that something was done. */
const SAID_MS = 10_000;

/** How rounds follow from now on. @param {{break_ms: number | null, paused: boolean}} mode */
const modeOf = ({ break_ms, paused }) => (break_ms === null ? "automatic_off" : paused ? "automatic_paused" : "automatic_on");

export class Conducting {
  element = new HmConduct();
  #tournament;
  #api;
  #origin = "";
  #isLocal = false;
  #follower;
  #keeper = new TableKeeper(() => this.#draw());
  #wakeLock = new WakeLock();
  /** @type {Claim[]} */
  #claims = [];
  /** @type {LogLine[]} */
  #log = [];
  /** @type {Map<string, import("./explaining.js").Reason[] | null>} */
  #why = new Map();
  /** @type {Map<string, import("./qrdrawing.js").QrCode>} */
  #codes = new Map();
  /** What was done last, or why it wasn't. */
  #notice = { text: "", isBad: false };
  #busy = 0;
  /** The number of people that claims are known of, and of what was done. */
  #known = "";
  #isFetching = false;
  #off = new AbortController();
  #draw = paced(() => this.#drawNow());
  /** What was told last. @type {import("./tournament.js").Tournament | null} */
  #seen = null;
  /** @type {(claim: string) => string} */
  #linkOf = () => "";
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /** @param {string} tournament @param {import("./organiserapi.js").OrganiserApi} api @param {import("./address.js").Place} place where others find this server */
  constructor(tournament, api, place) {
    this.#tournament = tournament;
    this.#api = api;
    this.place(place);
    const identity = new IdentityStore(scoped(storageOf("sessionStorage"), "organiser."));
    this.#follower = new Follower(socketUrl(), browserWorld(), identity, tournament, () => this.#changed());
    this.element.serverNow = () => this.#follower.clock.serverNow();
  }

  begin() {
    this.#listen();
    this.#wakeLock.want(true);
    this.#timer = setInterval(() => this.#follower.wake(), AGAIN_MS);
    this.#follower.open(NAME);
    this.#draw();
  }

  end() {
    this.#off.abort();
    clearInterval(this.#timer);
    this.#wakeLock.want(false);
    this.#follower.close();
  }

  /** @param {import("./address.js").Place} place where others find this server */
  place({ origin, isLocal }) {
    this.#origin = origin;
    this.#isLocal = isLocal;
    this.#linkOf = (claim) => origin + claimPath(this.#tournament, claim);
    this.#draw();
  }

  #listen() {
    const { signal } = this.#off;
    /** @type {Record<string, (detail: any) => unknown>} */
    const events = {
      "hm-draw": ({ withoutAbsent }) => this.#post("draw", "/rounds", withoutAbsent ? { without_absent: true } : {}),
      "hm-add": ({ names }) => this.#post("add", "/entrants", { names }, { count: names.length }),
      "hm-withdraw": ({ entrant }) => this.#post("withdraw", `/entrants/${entrant}/withdraw`, {}, this.#named(entrant)),
      "hm-rename": ({ entrant, name }) => this.#post("rename", `/entrants/${entrant}/name`, { name }, { name }),
      "hm-remove": ({ entrant }) => this.#post("remove", `/entrants/${entrant}/remove`, {}, this.#named(entrant)),
      "hm-readmit": ({ entrant }) => this.#post("readmit", `/entrants/${entrant}/readmit`, {}, this.#named(entrant)),
      "hm-renew": ({ entrant }) => this.#renew(entrant),
      "hm-seed": ({ entrants }) => this.#post("seed", "/seeds", { entrants }),
      "hm-announce": ({ text }) => this.#post(text === null ? "silence" : "announce", "/announcement", { text }),
      "hm-automatic": (mode) => this.#post("automatic", "/automatic", mode, {}, modeOf(mode)),
      "hm-annul": ({ round, reason }) => this.#post("annul", `/rounds/${round}/annul`, { reason }, { round }),
      "hm-corrected": ({ round, entrant, to }) => this.#post("correct", `/rounds/${round}/results/${entrant}`, to, { round, ...this.#named(entrant) }),
      "hm-end-round": ({ round, reason }) => this.#post("end_round", `/rounds/${round}/end`, { reason }, { round }),
      "hm-end": () => this.#post("end", "/end", {}),
      "hm-why": (where) => this.#explain(where),
      "hm-sheet": () => this.#print(),
      "hm-code": ({ entrant }) => this.#showCode(entrant),
    };
    for (const [name, act] of Object.entries(events)) {
      this.element.addEventListener(name, (event) => act(event instanceof CustomEvent ? event.detail : undefined), { signal });
    }
    const wake = () => {
      if (document.visibilityState !== "visible") return;
      this.#wakeLock.wake();
      this.#follower.wake();
    };
    document.addEventListener("visibilitychange", wake, { signal });
    window.addEventListener("online", wake, { signal });
    window.addEventListener("pageshow", wake, { signal });
  }

  /** @param {string} entrant */
  #named(entrant) {
    const { tournament } = this.#follower.view;
    return { name: tournament ? nameOf(tournament, entrant) : "?" };
  }

  #changed() {
    const { tournament } = this.#follower.view;
    if (tournament) {
      this.#keeper.follow(tournament);
      // A new code that is out is taken without anything that shows but this: somebody took a place over.
      if (tournament !== this.#seen && this.#awaitsTakeover(tournament)) this.#known = "";
      this.#seen = tournament;
      this.#follow(JSON.stringify([tournament.entrants.map((line) => [line.name, line.taken, line.active]), tournament.state, tournament.round, tournament.announcement, tournament.automatic,
        tournament.heats.map((heat) => [heat.state, heat.results?.map((line) => line.reason)])]));
    }
    this.#draw();
  }

  /** Whether a code is out by which a place that is taken changes hands. @param {import("./tournament.js").Tournament} tournament */
  #awaitsTakeover(tournament) {
    return this.#claims.some((claim) => !claim.used && lineOf(tournament, claim.entrant)?.taken);
  }

  /** Claims and log come anew when something has happened that shows in them. @param {string} known */
  async #follow(known) {
    if (known === this.#known || this.#isFetching) return;
    this.#known = known;
    this.#isFetching = true;
    try {
      const [claims, { log }] = await Promise.all([this.#api.in("claims", this.#tournament, "/entrants"), this.#api.in("log", this.#tournament, "/log")]);
      this.#claims = claims;
      this.#log = log;
    } catch (thrown) {
      this.#refused(thrown);
    } finally {
      this.#isFetching = false;
    }
    // What has changed meanwhile is fetched by the next look.
    this.#changed();
  }

  /**
   * Has it done, and says that it was done, or why it wasn't.
   * @param {string} action @param {string} path @param {unknown} body @param {Record<string, string | number>} [values] for the words @param {string} [done] what is said, where that isn't the action
   */
  async #post(action, path, body, values = {}, done = action) {
    await this.#try(async () => {
      await this.#api.in(action, this.#tournament, path, body);
      this.#say(t(`did.${done}`, values));
      if (action === "add") this.element.namesTaken();
      this.#known = "";
      this.#changed();
    });
  }

  /** What was done stands for a while; what wasn't, until something else is. @param {string} text */
  #say(text) {
    const notice = { text, isBad: false };
    this.#notice = notice;
    setTimeout(() => {
      if (this.#notice !== notice) return;
      this.#notice = { text: "", isBad: false };
      this.#draw();
    }, SAID_MS);
  }

  /** @param {string} entrant */
  async #renew(entrant) {
    await this.#post("renew", `/entrants/${entrant}/claim`, {}, this.#named(entrant));
    this.#claims = await this.#api.in("claims", this.#tournament, "/entrants").catch(() => this.#claims);
    this.#codes = new Map([...this.#codes].filter(([other]) => other !== entrant));
    await this.#showCode(entrant);
  }

  /** @param {string} entrant */
  async #showCode(entrant) {
    await this.#try(() => this.#drawCodes(this.#claims.filter((one) => one.entrant === entrant)));
    this.element.showCode(entrant);
  }

  async #print() {
    await this.#try(async () => {
      await this.#drawCodes(this.#claims);
      this.#drawNow();
      this.element.printSheet();
    });
  }

  /** @param {Claim[]} claims */
  async #drawCodes(claims) {
    const missing = claims.filter((one) => !this.#codes.has(one.entrant));
    const codes = await codesOf(this.#api, missing.map((one) => claimPath(this.#tournament, one.claim)));
    this.#codes = new Map([...this.#codes, ...missing.map((one, i) => /** @type {const} */ ([one.entrant, codes[i]]))]);
    this.#draw();
  }

  /** @param {{round: number, heat: number}} where */
  async #explain({ round, heat }) {
    this.#why = new Map(this.#why).set(`${round}.${heat}`, await reasonsFor(this.#tournament, round, heat));
    this.#draw();
  }

  /** @param {() => Promise<void>} act */
  async #try(act) {
    this.#busy += 1;
    this.#draw();
    try {
      await act();
    } catch (thrown) {
      this.#refused(thrown);
    } finally {
      this.#busy -= 1;
      this.#draw();
    }
  }

  /** @param {unknown} thrown */
  #refused(thrown) {
    if (!isRefused(thrown)) throw thrown;
    this.#notice = { text: refusalWords(thrown, this.#follower.view.tournament), isBad: true };
  }

  #drawNow() {
    const { tournament, rooms, status, refusal } = this.#follower.view;
    this.element.data = {
      tournament, rooms, standings: this.#keeper.standings, claims: this.#claims, codes: this.#codes, log: this.#log, why: this.#why,
      notice: this.#notice, isBusy: this.#busy > 0, isUnknown: refusal !== null, isLost: status === "lost",
      linkOf: this.#linkOf, origin: this.#origin, isLocal: this.#isLocal,
    };
  }
}
