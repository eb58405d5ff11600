/**
 * The list of all keys, over the page.
 *
 *     const keys = document.createElement("hm-keys");
 *     keys.show();                                  // those of a race
 *     keys.show([[["Space"], "play, or rest"], …]);
 */

import { el } from "../dom.js";
import { Layer } from "../layers.js";
import { t } from "../words.js";

/** @typedef {[string[], string][]} Lines the keys of each line, and what they do */

/** Those of a race. @type {() => Lines} */
const lines = () => [
  [["←", "↑", "→", "↓"], t("keys.arrows")],
  [[t("keys.enter"), t("keys.space")], t("keys.select")],
  [["1", "…", "12"], t("keys.spots")],
  [["R1", "…", "R8"], t("keys.reserve")],
  [["U", "Ctrl+Z"], t("keys.undo")],
  [["←", "→"], t("keys.watch_step")],
  [["1", "…", "9"], t("keys.watch_pick")],
  [["?"], t("keys.help")],
  [["Esc"], t("keys.escape")],
];

export class HmKeys extends HTMLElement {
  #dialog = el("dialog", { class: "panel", "aria-labelledby": "keys-title" });

  #layer = new Layer(() => this.#dialog.close());

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.append(this.#dialog);
    this.#dialog.addEventListener("close", () => (this.#layer.isOpen = false));
  }

  disconnectedCallback() {
    this.#dialog.close();
  }

  /** @param {Lines} [shown] */
  show(shown) {
    if (this.#dialog.open) return;
    const close = el("button", { type: "submit", class: "main" }, t("keys.close"));
    this.#dialog.replaceChildren(
      el("h1", { id: "keys-title" }, t("keys.title")),
      el("dl", { class: "key-list" }, ...(shown ?? lines()).flatMap(([keys, words]) => [
        el("dt", {}, ...keys.map((key) => (key === "…" ? key : el("kbd", {}, key)))), el("dd", {}, words),
      ])),
      ...(shown ? [] : [el("p", { class: "muted" }, t("keys.drag"))]),
      el("form", { method: "dialog" }, close),
    );
    this.#dialog.showModal();
    this.#layer.isOpen = true;
  }
}

customElements.define("hm-keys", HmKeys);
