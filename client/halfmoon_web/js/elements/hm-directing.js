/**
 * What the organiser sets while a tournament runs: rounds that follow by themselves, a line for everybody.
 *
 *     const directing = document.createElement("hm-directing");
 *     directing.data = { tournament, isBusy: false };
 *     // hm-automatic {break_ms, paused} · hm-announce {text}
 */

import { el, send, setText } from "../dom.js";
import { t } from "../words.js";

const MOST_BREAK_S = 3_600;

export class HmDirecting extends HTMLElement {
  #automatic = el("input", { id: "break-seconds", inputmode: "numeric", autocomplete: "off", placeholder: t("plan.break_none") });
  #automaticTrouble = el("p", { class: "trouble", role: "alert" });
  #automaticForm = el("form", { class: "line-form" }, this.#automatic, el("button", { type: "submit" }, t("directing.set")));
  #line = el("input", { id: "announcement-line", maxlength: "200", autocomplete: "off" });
  #lineForm = el("form", { class: "line-form" }, this.#line, el("button", { type: "submit" }, t("directing.announce")));
  #now = el("p", { class: "announcement" });
  #silence = el("button", { type: "button", class: "quiet small" }, t("directing.silence"));
  /** @type {import("../tournament.js").Tournament | null} */
  #tournament = null;
  #break = "";
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) {
      this.append(
        el("label", { for: "break-seconds" }, t("plan.break")), this.#automaticForm, this.#automaticTrouble,
        el("label", { for: "announcement-line" }, t("directing.line")), this.#lineForm, this.#now, this.#silence);
    }
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#automaticForm.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#setBreak();
    }, { signal });
    this.#lineForm.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.#line.value.trim();
      if (text === "") return this.#line.focus();
      send(this, "announce", { text });
      this.#line.value = "";
    }, { signal });
    this.#silence.addEventListener("click", () => send(this, "announce", { text: null }), { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {{tournament: import("../tournament.js").Tournament, isBusy: boolean}} */ { tournament, isBusy }) {
    this.#tournament = tournament;
    const { automatic: { break_ms }, announcement, state } = tournament;
    const seconds = break_ms === null ? "" : String(break_ms / 1_000);
    // What is being typed stays until it is set.
    if (seconds !== this.#break || (this.#automatic.value === "" && document.activeElement !== this.#automatic)) this.#automatic.value = seconds;
    this.#break = seconds;
    for (const button of this.querySelectorAll("button[type=submit]")) button.toggleAttribute("disabled", isBusy);
    this.#automaticForm.hidden = state === "over";
    setText(this.#now, announcement?.text ?? "");
    this.#silence.hidden = announcement === undefined;
  }

  #setBreak() {
    const text = this.#automatic.value.trim();
    const seconds = text === "" ? null : Number(text.replace(",", "."));
    const isGood = seconds === null || (seconds >= 0 && seconds <= MOST_BREAK_S);
    setText(this.#automaticTrouble, isGood ? "" : t("plan.fault_break_ms"));
    if (isGood) send(this, "automatic", { break_ms: seconds === null ? null : Math.round(seconds * 1_000), paused: this.#tournament?.automatic.paused ?? false });
  }
}

customElements.define("hm-directing", HmDirecting);
