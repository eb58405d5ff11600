/**
 * Calling something out: one button, and six behind it.
 *
 *     const reactions = document.createElement("hm-reactions");
 *     // hm-react {reaction}
 */

import { el, send, setText } from "../dom.js";
import { Layer } from "../layers.js";
import { REACTIONS, reactionSign } from "../reactions.js";
import { t } from "../words.js";

/** So long one reaction has to do. */
const REST_MS = 1_500;

export class HmReactions extends HTMLElement {
  #button = el("button", { type: "button", class: "round", "aria-expanded": "false" }, reactionSign("thinking"));
  #choices = REACTIONS.map((reaction) =>
    el("button", { type: "button", class: "quiet", "data-reaction": reaction }, reactionSign(reaction), el("span")));
  #panel = el("div", { class: "panel", role: "group", hidden: true }, ...this.#choices);
  #restsUntil = 0;
  #layer = new Layer(() => this.#open(false));
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#button, this.#panel);
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#button.addEventListener("click", () => this.#open(Boolean(this.#panel.hidden)), { signal });
    this.#panel.addEventListener("click", (event) => this.#chosen(event), { signal });
    this.addEventListener("keydown", (event) => event.key === "Escape" && this.#open(false), { signal });
    document.addEventListener("click", (event) => {
      if (event.target instanceof Node && !this.contains(event.target)) this.#open(false);
    }, { signal });
    this.#name();
  }

  disconnectedCallback() {
    this.#layer.isOpen = false;
    this.#off.abort();
  }

  #name() {
    this.#button.setAttribute("aria-label", t("reaction.open"));
    this.#panel.setAttribute("aria-label", t("reaction.open"));
    for (const choice of this.#choices) {
      setText(/** @type {Element} */ (choice.lastElementChild), t(`reaction.${choice.dataset.reaction}`));
    }
  }

  /** @param {Event} event */
  #chosen(event) {
    const choice = event.target instanceof Element ? event.target.closest("[data-reaction]") : null;
    if (!choice) return;
    this.#open(false);
    if (performance.now() < this.#restsUntil) return;
    this.#restsUntil = performance.now() + REST_MS;
    send(this, "react", { reaction: choice.getAttribute("data-reaction") });
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    if (this.#panel.hidden === !isOpen) return;
    this.#panel.hidden = !isOpen;
    this.#layer.isOpen = isOpen;
    this.#button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.#choices[0].focus();
    else if (this.contains(document.activeElement)) this.#button.focus();
  }
}

customElements.define("hm-reactions", HmReactions);
