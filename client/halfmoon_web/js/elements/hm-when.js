/**
 * The time until something, in step with the server's clock.
 *
 *     const when = document.createElement("hm-when");
 *     when.serverNow = () => clock.serverNow();
 *     when.data = { tournament };     // what it counts down to follows from the state
 */

import { el, setText } from "../dom.js";
import { duration, t } from "../words.js";

/** @typedef {import("../tournament.js").Tournament} Tournament */

const TICK_MS = 250;

export class HmWhen extends HTMLElement {
  #name = el("small");
  #time = el("b");
  /** @type {Tournament | null} */
  #tournament = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** @type {() => number} */
  serverNow = () => 0;

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#name, this.#time);
    this.setAttribute("role", "timer");
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  set data(/** @type {{tournament: Tournament}} */ { tournament }) {
    this.#tournament = tournament;
    this.#tick();
  }

  #tick() {
    const found = this.#tournament && momentOf(this.#tournament, this.serverNow());
    this.hidden = !found;
    if (!found) return;
    setText(this.#name, t(`when.${found.what}`));
    // Rounded up, so that 0:00 is the moment itself.
    setText(this.#time, duration(found.at - this.serverNow() + 999));
  }
}

/** What is counted down to. @param {Tournament} tournament @param {number} now @returns {{what: "starts" | "ends" | "next", at: number} | null} */
function momentOf({ state, starts_at, ends_at, next_at }, now) {
  if (state === "racing" && starts_at !== undefined && now < starts_at) return { what: "starts", at: starts_at };
  if (state === "racing" && ends_at !== undefined) return { what: "ends", at: ends_at };
  return next_at === undefined || state === "over" ? null : { what: "next", at: next_at };
}

customElements.define("hm-when", HmWhen);
