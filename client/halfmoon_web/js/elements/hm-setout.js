/**
 * Ways into a race from a page beside the rooms; asks for a name where none is known yet.
 *
 *     const setOut = document.createElement("hm-setout");
 *     setOut.ways = [{ words: "Race it", wish: { starts: true, daily: true } }, …];   // the first one is the main way
 *     // hm-wish {name, wish}
 */

import "../resultwords.js";
import { el, send, setText } from "../dom.js";
import { IdentityStore, storageOf } from "../identity.js";
import { t } from "../words.js";

/** @typedef {{words: string, wish: import("../wishes.js").Wish}} Way */

export class HmSetout extends HTMLElement {
  #name = el("input", { id: "name", maxlength: "24", autocomplete: "nickname", spellcheck: "false", required: true });
  #trouble = el("p", { class: "trouble", role: "alert" });
  #ways = el("div", { class: "set-out" });

  connectedCallback() {
    if (this.childElementCount > 0) return;
    const name = new IdentityStore(storageOf("localStorage"), storageOf("sessionStorage")).ownName;
    this.#name.value = name;
    const label = el("label", { for: "name" }, t("home.name"));
    label.hidden = this.#name.hidden = name !== "";
    this.#name.addEventListener("keydown", ({ key, isComposing }) => {
      if (key === "Enter" && !isComposing) this.#ways.querySelector("button")?.click();
    });
    this.append(label, this.#name, this.#trouble, this.#ways);
  }

  set ways(/** @type {Way[]} */ ways) {
    this.#ways.replaceChildren(...ways.map(({ words, wish }, i) => {
      const button = el("button", { type: "button", class: i === 0 ? "main" : "" }, words);
      button.addEventListener("click", () => this.#go(wish));
      return button;
    }));
  }

  /** @param {import("../wishes.js").Wish} wish */
  #go(wish) {
    const name = this.#name.value.trim();
    setText(this.#trouble, name === "" ? t("error.no_name") : "");
    if (name === "") this.#name.focus();
    else send(this, "wish", { name, wish });
  }
}

customElements.define("hm-setout", HmSetout);
