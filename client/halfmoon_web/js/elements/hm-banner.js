/**
 * What has to be said over everything: a lost connection, a seat continued elsewhere, a piece of news.
 *
 *     const banner = document.createElement("hm-banner");
 *     banner.data = { text: "Connection lost", kind: "bad", action: "take-back" };   // an empty text hides it
 *     // hm-take-back · hm-to-visit · hm-told
 */

import { el, send, setText } from "../dom.js";
import { t } from "../words.js";

/** @typedef {{text: string, kind: "bad" | "news", action: "take-back" | "to-visit" | "told" | null}} BannerData */

const WORDS = { "take-back": "banner.take_back", "to-visit": "over.to_tournament", told: "banner.close" };

export class HmBanner extends HTMLElement {
  #text = el("span");
  #button = el("button", { type: "button" });
  /** @type {BannerData["action"]} */
  #action = null;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#text, this.#button);
    this.setAttribute("role", "status");
    this.#off = new AbortController();
    this.#button.addEventListener("click", () => this.#action && send(this, this.#action), { signal: this.#off.signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {BannerData} */ { text, kind, action }) {
    this.#action = action;
    setText(this.#text, text);
    this.dataset.kind = kind;
    this.classList.toggle("shown", text !== "");
    this.#button.hidden = action === null;
    setText(this.#button, action === null ? "" : t(WORDS[action]));
  }
}

customElements.define("hm-banner", HmBanner);
