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
  #trouble = el("p", { id: "option-trouble", class: "trouble", role: "alert" });
  /** @type {Map<Field, Control>} */
  #controls = new Map();
  /** @type {Map<Field, HTMLElement>} */
  #said = new Map();
  /** @type {Options | null} */
  #options = null;
  /** The field whose text stays as it was typed, until the options come anew. @type {Field | null} */
  #kept = null;
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

  set data(/** @type {{options: Options, isHost: boolean, refusal: import("../state.js").News | null}} */ { options, isHost, refusal }) {
    if (options !== this.#options) this.#content();
    this.#options = options;
    if (refusal && this.#kept) this.#complain(this.#kept, refusal.what === "bad_message" ? boundsOf(this.#kept) : newsWords(refusal));
    this.#words.hidden = isHost;
    this.#form.hidden = !isHost;
    for (const [field, said] of this.#said) setText(said, field.words(options));
    for (const [field, control] of this.#controls) if (field !== this.#kept) fill(control, field.read(options));
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

  /** All is as it should be. */
  #content() {
    this.#kept = null;
    this.#trouble.remove();
    for (const control of this.#controls.values()) {
      control.removeAttribute("aria-invalid");
      control.removeAttribute("aria-describedby");
    }
  }

  /** Says at the field what it takes. @param {Field} field @param {string} words */
  #complain(field, words) {
    const control = this.#controls.get(field);
    if (!control || (this.#trouble.isConnected && this.#trouble.textContent === words)) return;
    control.after(this.#trouble);
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", this.#trouble.id);
    setText(this.#trouble, words);
    this.#trouble.scrollIntoView({ block: "nearest" });
  }

  /** @param {Event} event */
  #changed(event) {
    const found = [...this.#controls].find(([, control]) => control === event.target);
    if (!found) return;
    const [field, control] = found;
    const isTick = control instanceof HTMLInputElement && control.type === "checkbox";
    const change = field.write(isTick ? String(control.checked) : control.value);
    this.#content();
    this.#kept = field;
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
