/**
 * One question before something is done: what happens by it, and why it is done where everybody shall read that.
 *
 *     const confirm = document.createElement("hm-confirm");
 *     document.body.append(confirm);
 *     confirm.ask({ title: "End round 2 now?", words: ["17 still race."], cancel: "Let it run", ways: [{ words: "End it", act: (reason) => … }], wantsReason: true });
 */

import { el, setText } from "../dom.js";
import { t } from "../words.js";

/** @typedef {{words: string, act: (reason: string) => void}} Way */
/** @typedef {{title: string, words: string[], cancel?: string, ways: Way[], isDanger?: boolean, wantsReason?: boolean}} Question of several ways the last is the main one */

export class HmConfirm extends HTMLElement {
  #title = el("h2");
  #words = el("div", { class: "confirm-words" });
  #reason = el("input", { id: "confirm-reason", maxlength: "200", autocomplete: "off" });
  #why = el("div", {}, el("label", { for: "confirm-reason" }, t("confirm.reason")), this.#reason);
  #trouble = el("p", { class: "trouble", role: "alert" });
  #cancel = el("button", { type: "button", class: "quiet" });
  #buttons = el("div", { class: "pairwise" });
  #form = el("form", { class: "correction-form", novalidate: true }, this.#title, this.#words, this.#why, this.#trouble, this.#buttons);
  #dialog = el("dialog", { class: "panel" }, this.#form);
  /** @type {Question | null} */
  #question = null;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#dialog);
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#cancel.addEventListener("click", () => this.#dialog.close(), { signal });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const main = this.#question?.ways.at(-1);
      if (main) this.#go(main);
    }, { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  /** @param {Question} question */
  ask(question) {
    const { title, words, cancel, ways, isDanger = true, wantsReason = false } = question;
    this.#question = question;
    setText(this.#title, title);
    this.#words.replaceChildren(...words.map((line) => el("p", {}, line)));
    this.#why.hidden = !wantsReason;
    this.#reason.value = "";
    setText(this.#trouble, "");
    setText(this.#cancel, cancel ?? t("confirm.cancel"));
    const main = isDanger ? "danger" : "main";
    this.#buttons.replaceChildren(this.#cancel, ...ways.map((way, i) => this.#button(way, i === ways.length - 1 ? main : "")));
    this.#dialog.showModal();
    (wantsReason ? this.#reason : this.#cancel).focus();
  }

  /** @param {Way} way @param {string} kind */
  #button(way, kind) {
    const button = el("button", { type: "button", class: kind }, way.words);
    // The second click of a double one was meant for what opened the question.
    button.addEventListener("click", (event) => event.detail < 2 && this.#go(way));
    return button;
  }

  /** @param {Way} way */
  #go(way) {
    const reason = this.#reason.value.trim();
    if (this.#question?.wantsReason && reason === "") return setText(this.#trouble, t("confirm.no_reason"));
    this.#dialog.close();
    way.act(reason);
  }
}

customElements.define("hm-confirm", HmConfirm);
