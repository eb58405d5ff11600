/**
 * What each player sets for this browser, behind one button.
 *
 *     const settings = document.createElement("hm-settings");
 *     settings.settings = DEFAULTS;
 *     settings.addEventListener("hm-settings", ({ detail }) => …);   // detail: all of them
 *     // hm-keys · hm-someone-else
 */

import { el, send, setText, svg } from "../dom.js";
import { Layer } from "../layers.js";
import { DEFAULTS, TICKS } from "../settings.js";
import { languages, t } from "../words.js";

/** @typedef {import("../settings.js").Settings} Settings */

/** What the name alone doesn't say. @type {Set<string>} */
const EXPLAINED = new Set(["move_errors", "placement_help"]);

export class HmSettings extends HTMLElement {
  #button = el("button", { type: "button", class: "quiet round", "aria-expanded": "false", "aria-controls": "settings" }, sliders());
  #panel = el("div", { id: "settings", class: "panel", role: "group", hidden: true });
  #theme = el("select", { id: "set-theme" });
  #language = el("select", { id: "set-language" });
  #keys = el("button", { type: "button", class: "quiet keys-button" });
  #someoneElse = el("button", { type: "button", class: "quiet" });
  /** @type {Map<keyof Settings, HTMLInputElement>} */
  #ticks = new Map();
  /** @type {[HTMLElement, string][]} */
  #texts = [];
  #settings = DEFAULTS;
  #layer = new Layer(() => this.#open(false));
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#button.addEventListener("click", () => this.#open(Boolean(this.#panel.hidden)), { signal });
    this.addEventListener("keydown", (event) => event.key === "Escape" && this.#open(false), { signal });
    document.addEventListener("click", (event) => {
      if (event.target instanceof Node && !this.contains(event.target)) this.#open(false);
    }, { signal });
    this.#panel.addEventListener("change", () => send(this, "settings", this.#read()), { signal });
    this.#keys.addEventListener("click", () => this.#leaveFor("keys"), { signal });
    this.#someoneElse.addEventListener("click", () => this.#leaveFor("someone-else"), { signal });
  }

  disconnectedCallback() {
    this.#layer.isOpen = false;
    this.#off.abort();
  }

  set settings(/** @type {Settings} */ settings) {
    this.#settings = settings;
    this.#name();
    this.#theme.value = settings.theme;
    this.#language.value = settings.language;
    for (const [name, tick] of this.#ticks) tick.checked = Boolean(settings[name]);
  }

  /** @returns {Settings} */
  #read() {
    const ticks = [...this.#ticks].map(([name, tick]) => [name, tick.checked]);
    return {
      ...this.#settings, ...Object.fromEntries(ticks),
      theme: /** @type {Settings["theme"]} */ (this.#theme.value), language: this.#language.value,
    };
  }

  #build() {
    for (const theme of ["auto", "night", "day"]) {
      const option = el("option", { value: theme });
      this.#texts.push([option, `settings.theme_${theme}`]);
      this.#theme.append(option);
    }
    const auto = el("option", { value: "auto" });
    this.#language.append(auto, ...languages().map(([code, name]) => el("option", { value: code, lang: code }, name)));
    this.#texts.push([auto, "settings.language_auto"], [this.#keys, "settings.keys"], [this.#someoneElse, "home.someone_else"]);
    this.#panel.append(...this.#row(this.#theme, "settings.theme"), ...this.#row(this.#language, "settings.language"));
    for (const name of TICKS) {
      const tick = el("input", { id: `set-${name}`, type: "checkbox" });
      this.#ticks.set(name, tick);
      this.#panel.append(...this.#row(tick, `settings.${name}`));
      if (EXPLAINED.has(name)) this.#explain(tick, `settings.${name}_words`);
    }
    this.#panel.append(this.#keys, this.#someoneElse);
    this.append(this.#button, this.#panel);
  }

  /** @param {HTMLElement} control @param {string} key */
  #row(control, key) {
    const label = el("label", { for: control.id });
    this.#texts.push([label, key]);
    return [label, control];
  }

  /** @param {HTMLElement} control @param {string} key */
  #explain(control, key) {
    const words = el("small", { id: `${control.id}-words` });
    control.setAttribute("aria-describedby", words.id);
    this.#texts.push([words, key]);
    this.#panel.append(words);
  }

  #name() {
    if (this.childElementCount === 0) this.#build();
    for (const [element, key] of this.#texts) setText(element, t(key));
    this.#button.setAttribute("aria-label", t("settings.title"));
    this.#panel.setAttribute("aria-label", t("settings.title"));
  }

  /** @param {"keys" | "someone-else"} where */
  #leaveFor(where) {
    this.#open(false);
    send(this, where);
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    if (this.#panel.hidden === !isOpen) return;
    this.#panel.hidden = !isOpen;
    // One tap must not give up a seat in a race that runs.
    this.#someoneElse.hidden = document.body.dataset.screen === "race";
    this.#layer.isOpen = isOpen;
    this.#button.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen && this.contains(document.activeElement)) this.#button.focus();
  }
}

const sliders = () =>
  svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: "M3 7H12M18 7H21M3 17H6M12 17H21" }),
    svg("circle", { cx: 15, cy: 7, r: 2.6 }), svg("circle", { cx: 9, cy: 17, r: 2.6 }));

customElements.define("hm-settings", HmSettings);
