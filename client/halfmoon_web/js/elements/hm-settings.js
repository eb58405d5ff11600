/**
 * What each player sets for this browser, behind one button.
 *
 *     const settings = document.createElement("hm-settings");
 *     settings.settings = { theme: "auto", language: "auto", move_errors: false, placement_help: false };
 *     settings.addEventListener("hm-settings", ({ detail }) => …);   // detail: only what changes
 */

import { el, send, setText, svg } from "../dom.js";
import { languages, t } from "../words.js";

/** @typedef {import("../settings.js").Settings} Settings */

export class HmSettings extends HTMLElement {
  #button = el("button", { type: "button", class: "quiet round", "aria-expanded": "false", "aria-controls": "settings" }, sliders());
  #panel = el("div", { id: "settings", class: "panel", hidden: true });
  #theme = el("select", { id: "set-theme" });
  #language = el("select", { id: "set-language" });
  #errors = el("input", { id: "set-errors", type: "checkbox" });
  #help = el("input", { id: "set-help", type: "checkbox" });
  /** @type {[HTMLElement, string][]} */
  #texts = [];
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
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set settings(/** @type {Settings} */ settings) {
    this.#name();
    this.#theme.value = settings.theme;
    this.#language.value = settings.language;
    this.#errors.checked = settings.move_errors;
    this.#help.checked = settings.placement_help;
  }

  /** @returns {Settings} */
  #read() {
    return {
      theme: /** @type {Settings["theme"]} */ (this.#theme.value),
      language: this.#language.value,
      move_errors: this.#errors.checked,
      placement_help: this.#help.checked,
    };
  }

  #build() {
    const row = (/** @type {HTMLElement} */ control, /** @type {string} */ key) => {
      const label = el("label", { for: control.id });
      this.#texts.push([label, key]);
      return [label, control];
    };
    for (const theme of ["auto", "night", "day"]) {
      const option = el("option", { value: theme });
      this.#texts.push([option, `settings.theme_${theme}`]);
      this.#theme.append(option);
    }
    const auto = el("option", { value: "auto" });
    this.#texts.push([auto, "settings.language_auto"]);
    this.#language.append(auto, ...languages().map(([code, name]) => el("option", { value: code }, name)));
    this.#panel.append(
      ...row(this.#theme, "settings.theme"), ...row(this.#language, "settings.language"),
      ...row(this.#errors, "settings.move_errors"), ...row(this.#help, "settings.placement_help"),
    );
    this.append(this.#button, this.#panel);
  }

  #name() {
    if (this.childElementCount === 0) this.#build();
    for (const [element, key] of this.#texts) setText(element, t(key));
    this.#button.setAttribute("aria-label", t("settings.title"));
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    if (this.#panel.hidden === !isOpen) return;
    this.#panel.hidden = !isOpen;
    this.#button.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen && this.contains(document.activeElement)) this.#button.focus();
  }
}

const sliders = () =>
  svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: "M3 7H12M18 7H21M3 17H6M12 17H21" }),
    svg("circle", { cx: 15, cy: 7, r: 2.6 }), svg("circle", { cx: 9, cy: 17, r: 2.6 }));

customElements.define("hm-settings", HmSettings);
