/**
 * What will be raced: every option in words for everybody, and a form of them for the host.
 *
 *     const options = document.createElement("hm-options");
 *     options.data = { options: room.options, isHost: true, refusal: null };   // a refusal is told at the field
 *     options.addEventListener("hm-options", ({ detail }) => …);   // detail.options: only what changes
 */

import { el, send, setText } from "../dom.js";
import { newsWords } from "../news.js";
import { FIELDS, boundsOf, labelOf } from "../options.js";
import { t } from "../words.js";

/** @typedef {import("../options.js").Options} Options */
/** @typedef {import("../options.js").Field} Field */
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

export class HmOptions extends HTMLElement {
  #words = el("dl", { class: "option-words" });
  #form = el("form", { class: "option-form", novalidate: true });
  /** @type {Map<Field, Control>} */
  #controls = new Map();
  /** @type {Map<Field, HTMLElement>} */
  #said = new Map();
  /** @type {Options | null} */
  #options = null;
  /** Fields whose text stays as it was typed, and what is wrong with it, where that is known. @type {Map<Field, HTMLElement | null>} */
  #kept = new Map();
  /** What a refusal is about. @type {Field | null} */
  #sent = null;
  #off = new AbortController();

  constructor() {
    super();
    for (const field of FIELDS) this.#buildField(field);
  }

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#words, this.#form);
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#form.addEventListener("change", (event) => this.#changed(event), { signal });
    this.#form.addEventListener("submit", (event) => event.preventDefault(), { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  /** Options that are no choice here. */
  set without(/** @type {string[]} */ names) {
    for (const [field, control] of this.#controls) {
      const isOut = names.includes(field.name);
      control.hidden = isOut;
      control.previousElementSibling?.toggleAttribute("hidden", isOut);
    }
  }

  set data(/** @type {{options: Options, isHost: boolean, refusal: import("../state.js").News | null}} */ { options, isHost, refusal }) {
    if (options !== this.#options) this.#accept(options);
    this.#options = options;
    if (refusal && this.#sent) this.#complain(this.#sent, refusal.what === "bad_message" ? boundsOf(this.#sent) : newsWords(refusal));
    this.#words.hidden = isHost;
    this.#form.hidden = !isHost;
    for (const [field, said] of this.#said) setText(said, field.words(options));
    for (const [field, control] of this.#controls) if (!this.#kept.has(field)) fill(control, field.read(options));
  }

  /** @param {Field} field */
  #buildField(field) {
    const said = el("dd");
    this.#words.append(el("dt", {}, t(`option.${field.name}`)), said);
    this.#said.set(field, said);
    const control = makeControl(field);
    control.id = `option-${field.name}`;
    this.#form.append(el("label", { for: control.id }, labelOf(field)), control);
    this.#controls.set(field, control);
  }

  /** The options came anew: what was refused stays beside them, unless that very option is another now. @param {Options} options */
  #accept(options) {
    const old = this.#options;
    for (const [field, trouble] of this.#kept) {
      const isOther = old === null || field.read(old) !== field.read(options);
      if (trouble === null || isOther) this.#letGo(field);
    }
  }

  /** This field is as it should be. @param {Field} field */
  #letGo(field) {
    this.#kept.get(field)?.remove();
    this.#kept.delete(field);
    this.#controls.get(field)?.removeAttribute("aria-invalid");
    this.#controls.get(field)?.removeAttribute("aria-describedby");
  }

  /** Says at the field what it takes. @param {Field} field @param {string} words */
  #complain(field, words) {
    const control = this.#controls.get(field);
    if (!control || this.#kept.get(field)?.textContent === words) return;
    this.#letGo(field);
    const trouble = el("p", { id: `${control.id}-trouble`, class: "trouble", role: "alert" });
    this.#kept.set(field, trouble);
    control.after(trouble);
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", trouble.id);
    setText(trouble, words);
    trouble.scrollIntoView({ block: "nearest" });
  }

  /** @param {Event} event */
  #changed(event) {
    const found = [...this.#controls].find(([, control]) => control === event.target);
    if (!found) return;
    const [field, control] = found;
    const isTick = control instanceof HTMLInputElement && control.type === "checkbox";
    const change = field.write(isTick ? String(control.checked) : control.value);
    this.#letGo(field);
    this.#kept.set(field, null);
    this.#sent = change === null ? null : field;
    if (change === null) this.#complain(field, boundsOf(field));
    else send(this, "options", { options: change });
  }
}

/** @param {Field} field @returns {Control} */
function makeControl(field) {
  if (field.kind === "tick") return el("input", { type: "checkbox" });
  if (field.kind === "choice") {
    return el("select", {}, ...field.choices().map(([value, text]) => el("option", { value }, text)));
  }
  return el("input", { type: "text", inputmode: field.kind === "number" ? "decimal" : "text", autocomplete: "off", spellcheck: "false", placeholder: field.placeholder() });
}

/** Shows a value, but never under the fingers of who is typing. @param {Control} control @param {string} value */
function fill(control, value) {
  if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = value === "true";
  else if (control.value !== value && document.activeElement !== control) {
    if (control instanceof HTMLSelectElement) offer(control, value);
    control.value = value;
  }
}

/** A value that isn't among the choices, set by another program, is shown all the same. @param {HTMLSelectElement} control @param {string} value */
function offer(control, value) {
  if (![...control.options].some((option) => option.value === value)) control.append(el("option", { value }, value));
}

customElements.define("hm-options", HmOptions);
