/**
 * A new tournament: begun from a preset, with everything within reach.
 *
 *     const plan = document.createElement("hm-plan");
 *     plan.busy = false;
 *     // hm-make {plan}
 */

import { el, send, setText } from "../dom.js";
import { LONGEST_NAME, PRESETS, faultIn, longest } from "../presets.js";
import { duration, t } from "../words.js";
import { HmOptions } from "./hm-options.js";

/** @typedef {import("../presets.js").Plan} Plan */
/** @typedef {keyof typeof PRESETS} PresetName */

/** What the options of a race are where a preset says nothing. @type {import("../options.js").Options} */
const RACE = {
  time_limit_ms: 900_000, undo: true, ends: "all", max_players: 1_000, public: false, spectators: "fair", spectator_delay_ms: 0,
  countdown_ms: 10_000, reactions: true,
};
/** The tournament decides these itself, or asks for them above. */
const NOT_ITS_OWN = ["code", "max_players", "public", "time_limit_ms"];
const MINUTE = 60_000;

export class HmPlan extends HTMLElement {
  #presets = el("div", { class: "presets", role: "group", "aria-label": t("plan.presets") });
  #name = el("input", { id: "plan-name", maxlength: String(LONGEST_NAME), autocomplete: "off" });
  #format = select("plan-format", ["series", "swiss", "knockout"], (value) => t(`plan.format_${value}`));
  #formatWords = el("p", { class: "muted wide" });
  #rounds = el("input", { id: "plan-rounds", inputmode: "numeric", autocomplete: "off" });
  #roundsLabel = el("label", { for: "plan-rounds" }, t("plan.rounds"));
  #limit = el("input", { id: "plan-limit", inputmode: "decimal", autocomplete: "off" });
  #entry = select("plan-entry", ["list", "open"], (value) => t(`plan.entry_${value}`));
  #heat = el("input", { id: "plan-heat", inputmode: "numeric", autocomplete: "off", placeholder: t("plan.heat_all") });
  #heatLabel = el("label", { for: "plan-heat" }, t("plan.heat_size"));
  #break = el("input", { id: "plan-break", inputmode: "numeric", autocomplete: "off", placeholder: t("plan.break_none") });
  #options = new HmOptions();
  #race = RACE;
  #duration = el("p", { class: "muted" });
  #trouble = el("p", { class: "trouble", role: "alert" });
  #make = el("button", { type: "submit", class: "main" }, t("plan.make"));
  #form = el("form", { class: "plan-form", novalidate: true },
    el("label", { for: "plan-name" }, t("plan.name")), this.#name,
    el("label", { for: "plan-format" }, t("plan.format")), this.#format, this.#formatWords,
    this.#roundsLabel, this.#rounds,
    el("label", { for: "plan-limit" }, t("plan.limit")), this.#limit,
    el("label", { for: "plan-entry" }, t("plan.entry")), this.#entry,
    this.#heatLabel, this.#heat,
    el("label", { for: "plan-break" }, t("plan.break")), this.#break);
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#presets.addEventListener("click", (event) => {
      const name = event.target instanceof HTMLElement ? event.target.closest("button")?.dataset.preset : undefined;
      if (name) this.#begin(/** @type {PresetName} */ (name));
    }, { signal });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    }, { signal });
    this.#make.addEventListener("click", () => this.#send(), { signal });
    this.addEventListener("input", () => this.#weigh(), { signal });
    this.addEventListener("hm-options", (event) => {
      event.stopPropagation();
      if (event instanceof CustomEvent) this.#changeRace(event.detail.options);
    }, { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set busy(/** @type {boolean} */ busy) {
    this.#make.disabled = busy;
  }

  #build() {
    this.#options.without = NOT_ITS_OWN;
    this.#make.type = "button";
    for (const name of Object.keys(PRESETS)) {
      this.#presets.append(el("button", { type: "button", "data-preset": name, "aria-pressed": "false" }, t(`preset.${name}`), el("small", {}, t(`preset.${name}_words`))));
    }
    this.append(this.#presets, this.#form, el("details", { class: "race-options" }, el("summary", {}, t("plan.race")), this.#options),
      this.#duration, this.#trouble, this.#make);
    this.#begin("lesson");
  }

  /** @param {PresetName} name */
  #begin(name) {
    const preset = PRESETS[name];
    for (const button of this.#presets.children) button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.preset === name));
    if (this.#name.value === "" || Object.keys(PRESETS).some((other) => this.#name.value === t(`preset.${other}_name`))) this.#name.value = t(`preset.${name}_name`);
    this.#format.value = preset.format;
    this.#rounds.value = String(preset.rounds);
    this.#entry.value = preset.entry;
    this.#heat.value = preset.heat_size === null ? "" : String(preset.heat_size);
    this.#break.value = preset.break_ms === null ? "" : String(preset.break_ms / 1_000);
    this.#limit.value = String(Number(preset.race.time_limit_ms) / MINUTE);
    this.#changeRace(preset.race);
  }

  /** @param {import("../options.js").OptionsChange} change */
  #changeRace(change) {
    this.#race = /** @type {typeof RACE} */ ({ ...this.#race, ...change });
    this.#options.data = { options: this.#race, isHost: true, refusal: null };
    this.#weigh();
  }

  /** @returns {Plan} */
  get plan() {
    const { code, max_players, public: listed, ...race } = this.#race;
    const breakText = this.#break.value.trim();
    const time_limit_ms = Math.round(numberIn(this.#limit.value) * MINUTE);
    return {
      name: this.#name.value, format: /** @type {Plan["format"]} */ (this.#format.value), rounds: numberIn(this.#rounds.value),
      entry: /** @type {Plan["entry"]} */ (this.#entry.value), heat_size: this.#heat.value.trim() === "" ? null : numberIn(this.#heat.value),
      break_ms: breakText === "" ? null : numberIn(breakText) * 1_000, race: { ...race, time_limit_ms },
    };
  }

  #weigh() {
    const { plan } = this;
    this.#rounds.hidden = this.#roundsLabel.hidden = plan.format === "knockout";
    this.#heat.hidden = this.#heatLabel.hidden = plan.format !== "series";
    setText(this.#formatWords, t(`plan.words_${plan.format}`));
    setText(this.#trouble, "");
    const longest_ms = faultIn(plan) === null ? longest(plan) : null;
    const key = plan.break_ms === null ? "plan.longest_by_hand" : "plan.longest";
    setText(this.#duration, longest_ms === null ? "" : t(key, { time: duration(longest_ms) }));
  }

  #send() {
    const { plan } = this;
    const fault = faultIn(plan);
    if (fault === null) return send(this, "make", { plan });
    setText(this.#trouble, t(`plan.fault_${fault}`));
    this.#trouble.scrollIntoView({ block: "nearest" });
  }
}

/** NaN where it is none. @param {string} text */
const numberIn = (text) => (text.trim() === "" ? NaN : Number(text.trim().replace(",", ".")));

/** @param {string} id @param {string[]} values @param {(value: string) => string} words */
const select = (id, values, words) => el("select", { id }, ...values.map((value) => el("option", { value }, words(value))));

customElements.define("hm-plan", HmPlan);
