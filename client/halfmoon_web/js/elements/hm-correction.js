/**
 * The director's correction of one result, with its reason; what was raced stays beside it.
 *
 *     const correction = document.createElement("hm-correction");
 *     document.body.append(correction);
 *     correction.ask({ round: 2, entrant: "e7", name: "Anna", result });
 *     // hm-corrected {round, entrant, to: {status, best, time_ms, reason}}
 */

import { el, send, setText } from "../dom.js";
import { readTime } from "../racetimes.js";
import { exactTime, t } from "../words.js";

/** @typedef {{round: number, entrant: string, name: string, result: import("../messages.js").HeatResult}} Asked */

const STATUSES = ["won", "deadlocked", "retired", "timed_out"];
const MOST_POINTS = 520;
/** A pair is worth two of these, a triple three. */
const LEAST_POINTS = 5;

export class HmCorrection extends HTMLElement {
  #title = el("h2");
  #status = el("select", { id: "corrected-status" }, ...STATUSES.map((status) => el("option", { value: status }, t(`status.${status}`))));
  #best = el("input", { id: "corrected-best", inputmode: "numeric", autocomplete: "off" });
  #time = el("input", { id: "corrected-time", inputmode: "decimal", autocomplete: "off" });
  #reason = el("input", { id: "corrected-reason", maxlength: "200", autocomplete: "off" });
  #trouble = el("p", { class: "trouble", role: "alert" });
  #cancel = el("button", { type: "button", class: "quiet" }, t("correction.cancel"));
  #form = el("form", { class: "correction-form", novalidate: true }, this.#title,
    el("label", { for: "corrected-status" }, t("column.status")), this.#status,
    el("label", { for: "corrected-best" }, t("column.best")), this.#best,
    el("label", { for: "corrected-time" }, t("correction.time")), this.#time,
    el("label", { for: "corrected-reason" }, t("correction.reason")), this.#reason,
    this.#trouble,
    el("div", { class: "pairwise" }, this.#cancel, el("button", { type: "submit", class: "main" }, t("correction.save"))));
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
      this.#save();
    }, { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  /** @param {Asked} asked */
  ask(asked) {
    this.#asked = asked;
    const { status, best, time_ms } = asked.result;
    setText(this.#title, t("correction.title", { name: asked.name, round: asked.round }));
    this.#status.value = status;
    this.#best.value = String(best);
    this.#time.value = exactTime(time_ms);
    this.#reason.value = "";
    setText(this.#trouble, "");
    this.#dialog.showModal();
  }

  #save() {
    if (this.#asked === null) return;
    const { round, entrant } = this.#asked;
    const [best, time_ms, reason] = [Number(this.#best.value.trim() || NaN), readTime(this.#time.value), this.#reason.value.trim()];
    const isBest = best % LEAST_POINTS === 0 && best >= 0 && best <= MOST_POINTS;
    const fault = !isBest ? "best" : time_ms === null ? "time" : reason === "" ? "reason" : null;
    if (fault !== null) return setText(this.#trouble, t(`correction.fault_${fault}`));
    send(this, "corrected", { round, entrant, to: { status: this.#status.value, best, time_ms, reason } });
    this.#dialog.close();
  }
}

customElements.define("hm-correction", HmCorrection);
