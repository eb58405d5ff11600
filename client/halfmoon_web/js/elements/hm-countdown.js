/**
 * The seconds to the start, in step with the server's clock.
 *
 *     const countdown = document.createElement("hm-countdown");
 *     countdown.serverNow = () => clock.serverNow();
 *     countdown.startsAt = room.starts_at;    // undefined hides it
 *     countdown.addEventListener("hm-count", …);   // at every second
 */

import { el, send, setText } from "../dom.js";
import { t } from "../words.js";

export class HmCountdown extends HTMLElement {
  #digit = el("span", { class: "digit" });
  #words = el("p", { class: "muted" });
  /** @type {number | undefined} */
  #startsAt;
  /** @type {() => number} */
  serverNow = () => 0;
  #frame = 0;
  #counted = 0;

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#digit, this.#words);
    this.setAttribute("role", "timer");
    this.#show();
  }

  disconnectedCallback() {
    cancelAnimationFrame(this.#frame);
  }

  set startsAt(/** @type {number | undefined} */ startsAt) {
    if (startsAt === this.#startsAt) return;
    this.#startsAt = startsAt;
    this.#show();
  }

  #show() {
    cancelAnimationFrame(this.#frame);
    const startsAt = this.#startsAt;
    this.hidden = startsAt === undefined;
    if (startsAt === undefined || !this.isConnected) return;
    const seconds = Math.ceil((startsAt - this.serverNow()) / 1_000);
    if (seconds !== this.#counted && seconds > 0) send(this, "count");
    this.#counted = seconds;
    setText(this.#digit, seconds > 0 ? String(seconds) : t("countdown.go"));
    setText(this.#words, t("countdown.words"));
    this.#frame = requestAnimationFrame(() => this.#show());
  }
}

customElements.define("hm-countdown", HmCountdown);
