/**
 * Ending a round before its time: how many still race, and why it is done, for everybody to read.
 *
 *     const end = document.createElement("hm-earlyend");
 *     document.body.append(end);
 *     end.ask({ round: 2, racing: 17 });
 *     // hm-end-round {round, reason}
 */

import { el, send, setText } from "../dom.js";
import { t } from "../words.js";

export class HmEarlyend extends HTMLElement {
  #title = el("h2");
  #words = el("p");
  #reason = el("input", { id: "early-end-reason", maxlength: "200", autocomplete: "off" });
  #trouble = el("p", { class: "trouble", role: "alert" });
  #cancel = el("button", { type: "button", class: "quiet" }, t("early.cancel"));
  #form = el("form", { class: "correction-form", novalidate: true }, this.#title, this.#words,
    el("label", { for: "early-end-reason" }, t("conduct.annul_reason")), this.#reason, this.#trouble,
    el("div", { class: "pairwise" }, this.#cancel, el("button", { type: "submit", class: "danger" }, t("early.end"))));
  #dialog = el("dialog", { class: "panel" }, this.#form);
  #round = 0;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#dialog);
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#cancel.addEventListener("click", () => this.#dialog.close(), { signal });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const reason = this.#reason.value.trim();
      if (reason === "") return setText(this.#trouble, t("early.fault_reason"));
      this.#dialog.close();
      send(this, "end-round", { round: this.#round, reason });
    }, { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  /** @param {{round: number, racing: number}} asked */
  ask({ round, racing }) {
    this.#round = round;
    setText(this.#title, t("early.title", { round }));
    setText(this.#words, t("early.words", { count: racing }));
    this.#reason.value = "";
    setText(this.#trouble, "");
    this.#dialog.showModal();
    this.#reason.focus();
  }
}

customElements.define("hm-earlyend", HmEarlyend);
