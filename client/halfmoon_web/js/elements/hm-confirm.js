/**
 * Asks before something is done that everybody feels: what happens then, whether it can be taken back, and the reason where one is given.
 *
 *     const confirm = document.createElement("hm-confirm");
 *     document.body.append(confirm);
 *     confirm.ask({ about: "end_round", values: { round: 2, count: 17 }, isReasoned: true, act: (reason) => {} });
 */

import { el, setText } from "../dom.js";
import { t } from "../words.js";

/** @typedef {{about: "end_round" | "annul" | "end", values: Record<string, string | number>, isReasoned: boolean, act: (reason: string) => void}} Asked */

export class HmConfirm extends HTMLElement {
  #title = el("h2");
  #words = el("p");
  #reason = el("input", { id: "confirm-reason", maxlength: "200", autocomplete: "off" });
  #reasonLabel = el("label", { for: "confirm-reason" }, t("confirm.reason"));
  #trouble = el("p", { class: "trouble", role: "alert" });
  #cancel = el("button", { type: "button", class: "quiet" });
  #yes = el("button", { type: "submit", class: "danger" });
  #form = el("form", { class: "correction-form", novalidate: true }, this.#title, this.#words, this.#reasonLabel, this.#reason, this.#trouble,
    el("div", { class: "pairwise" }, this.#cancel, this.#yes));
  #dialog = el("dialog", { class: "panel" }, this.#form);
  /** @type {Asked | null} */
  #asked = null;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#dialog);
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#cancel.addEventListener("click", () => this.#dialog.close(), { signal });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#do();
    }, { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  /** @param {Asked} asked */
  ask(asked) {
    this.#asked = asked;
    const { about, values, isReasoned } = asked;
    setText(this.#title, t(`confirm.${about}`, values));
    setText(this.#words, t(`confirm.${about}_words`, values));
    setText(this.#cancel, t(`confirm.${about}_no`));
    setText(this.#yes, t(`confirm.${about}_yes`));
    this.#reason.hidden = this.#reasonLabel.hidden = !isReasoned;
    this.#reason.value = "";
    setText(this.#trouble, "");
    this.#dialog.showModal();
    // A second press in the same place, or Enter, ends nothing.
    (isReasoned ? this.#reason : this.#cancel).focus();
  }

  #do() {
    if (this.#asked === null) return;
    const { isReasoned, act } = this.#asked;
    const reason = this.#reason.value.trim();
    if (isReasoned && reason === "") return setText(this.#trouble, t("confirm.no_reason"));
    this.#asked = null;
    this.#dialog.close();
    act(reason);
  }
}

customElements.define("hm-confirm", HmConfirm);
