/**
 * The time that is left, or else the time that has gone, for whoever only looks.
 *
 *     const wallclock = document.createElement("hm-wallclock");
 *     wallclock.serverNow = () => clock.serverNow();
 *     wallclock.data = { room };
 */

import { el, setText } from "../dom.js";
import { duration, t } from "../words.js";

/** @typedef {import("../room.js").Room} Room */

const TICK_MS = 250;

export class HmWallclock extends HTMLElement {
  #name = el("small");
  #time = el("b");
  /** @type {Room | null} */
  #room = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** @type {() => number} */
  serverNow = () => 0;

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#name, this.#time);
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  set data(/** @type {{room: Room}} */ { room }) {
    this.#room = room;
    this.hidden = room.state !== "racing";
    this.#tick();
  }

  #tick() {
    const { state, starts_at = 0, ends_at } = this.#room ?? {};
    if (state !== "racing") return;
    const now = this.serverNow();
    setText(this.#name, t(ends_at === undefined ? "bar.time" : "bar.left"));
    // Rounded up, so that 0:00 is the end.
    setText(this.#time, duration(ends_at === undefined ? now - starts_at : ends_at - now + 999));
  }
}

customElements.define("hm-wallclock", HmWallclock);
