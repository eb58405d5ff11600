/**
 * A text and a button that copies it.
 *
 *     const copy = document.createElement("hm-copy");
 *     copy.value = { text: "HM1-N-AAAAAAB", label: "Copy code" };
 */

import { copy } from "../copying.js";
import { el, setText } from "../dom.js";
import { t } from "../words.js";

const SAID_MS = 1_600;

export class HmCopy extends HTMLElement {
  #text = el("span", { class: "copied-text" });
  #button = el("button", { type: "button", class: "quiet" });
  #label = "";
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#text, this.#button);
    this.#off = new AbortController();
    this.#button.addEventListener("click", () => this.#copy(), { signal: this.#off.signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set value(/** @type {{text: string, label: string}} */ { text, label }) {
    this.#label = label;
    setText(this.#text, text);
    setText(this.#button, label);
  }

  async #copy() {
    const worked = await copy(this.#text.textContent ?? "");
    setText(this.#button, t(worked ? "copy.done" : "copy.failed"));
    setTimeout(() => setText(this.#button, this.#label), SAID_MS);
  }
}

customElements.define("hm-copy", HmCopy);
