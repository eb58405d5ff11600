/**
 * Who is in a tournament: here, expected, withdrawn; and names to be put on the list.
 *
 *     const entrants = document.createElement("hm-entrants");
 *     entrants.data = { tournament, claims, codes: new Map(), linkOf: (claim) => "https://…", isBusy: false };
 *     // hm-add {names} · hm-rename {entrant, name} · hm-ask-remove {entrant} · hm-ask-withdraw {entrant} · hm-readmit {entrant} · hm-renew {entrant} · hm-code {entrant} · hm-sheet
 */

import { STATES, found, presenceOf } from "../attending.js";
import { el, keyed, send, setText } from "../dom.js";
import { readNames } from "../namelist.js";
import { drawn } from "../qrdrawing.js";
import { nameOf } from "../tournament.js";
import { t } from "../words.js";
import { HmCopy } from "./hm-copy.js";

/** @typedef {import("../tournament.js").Tournament} Tournament */
/** @typedef {import("../messages.js").EntrantLine} EntrantLine */
/** @typedef {import("./hm-conduct.js").Claim} Claim */
/** @typedef {{tournament: Tournament, claims: Claim[], codes: ReadonlyMap<string, import("../qrdrawing.js").QrCode>, linkOf: (claim: string) => string, isBusy: boolean}} EntrantsData */

/** So many rows are drawn at first, and so many more each time. */
const FIRST = 30;
const MORE = 300;
/** From so many people on one looks for a name by typing it. */
const MANY = 12;

export class HmEntrants extends HTMLElement {
  #names = el("textarea", { id: "new-names", rows: "4", spellcheck: "false", placeholder: t("people.example") });
  #said = el("p", { class: "muted", role: "status" });
  #once = el("input", { type: "checkbox", id: "names-once" });
  #onceLine = el("label", { class: "check", for: "names-once" }, this.#once, t("people.once"));
  #add = el("button", { type: "submit" });
  #form = el("form", { class: "names-form" }, el("label", { for: "new-names" }, t("people.paste")), this.#names, this.#said, this.#onceLine, this.#add);
  #sheet = el("button", { type: "button" }, t("people.sheet"));
  #filters = el("div", { class: "filters", role: "group", "aria-label": t("people.filters") },
    ...STATES.map((state) => el("button", { type: "button", class: "small", "data-filter": state })));
  #search = el("input", { type: "search", autocomplete: "off", placeholder: t("people.search"), "aria-label": t("people.search") });
  #list = el("ul", { class: "entrants" });
  #more = el("button", { type: "button", class: "quiet" });
  #most = FIRST;
  /** @type {import("../attending.js").Filter} */
  #filter = "all";
  /** Whose row is open. */
  #opened = "";
  /** @type {EntrantsData | null} */
  #data = null;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#sheet, this.#filters, this.#search, this.#list, this.#more, this.#form);
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#names.addEventListener("input", () => this.#weigh(), { signal });
    this.#once.addEventListener("change", () => this.#weigh(), { signal });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    }, { signal });
    this.#filters.addEventListener("click", (event) => {
      const filter = event.target instanceof HTMLElement ? event.target.dataset.filter : undefined;
      if (filter) this.#look(/** @type {import("../attending.js").Filter} */ (filter), this.#most);
    }, { signal });
    this.#search.addEventListener("input", () => this.#look(this.#filter, FIRST), { signal });
    this.#more.addEventListener("click", () => this.#look(this.#filter, this.#most + MORE), { signal });
    this.#sheet.addEventListener("click", () => send(this, "sheet"), { signal });
    this.#weigh();
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {EntrantsData} */ data) {
    this.#data = data;
    this.#sheet.hidden = data.tournament.state === "over" || data.claims.every((one) => one.used);
    this.#form.hidden = data.tournament.state === "over";
    this.#showList(data.tournament.entrants);
    this.#weigh();
  }

  /** What was pasted is on the list; what couldn't be used stays to be looked at. */
  namesTaken() {
    this.#names.value = readNames(this.#names.value).faults.map(({ text }) => text).join("\n");
    this.#once.checked = false;
    this.#weigh();
  }

  /** Opens somebody's row, where their code is. @param {string} entrant */
  open(entrant) {
    this.#opened = entrant;
    this.#look(this.#filter, this.#most);
  }

  /** @param {import("../attending.js").Filter} filter @param {number} most */
  #look(filter, most) {
    this.#filter = filter;
    this.#most = most;
    if (this.#data) this.#showList(this.#data.tournament.entrants);
  }

  /** Those who are looked for, and whoever's row is open. @param {EntrantLine[]} entrants */
  #showList(entrants) {
    this.#filters.hidden = entrants.length === 0;
    this.#search.hidden = entrants.length <= MANY;
    for (const button of /** @type {Iterable<HTMLElement>} */ (this.#filters.children)) {
      const filter = /** @type {import("../attending.js").Filter} */ (button.dataset.filter);
      const count = found(entrants, filter, "").length;
      button.hidden = count === 0 && filter !== this.#filter;
      setText(button, t(`people.filter_${filter}`, { count }));
      button.setAttribute("aria-pressed", String(filter === this.#filter));
    }
    const lines = found(entrants, this.#filter, this.#search.hidden ? "" : this.#search.value);
    const shown = lines.slice(0, this.#most);
    const opened = entrants.find((line) => line.entrant === this.#opened);
    if (opened && !shown.includes(opened)) shown.unshift(opened);
    keyed(this.#list, shown, (line) => line.entrant, (line) => this.#make(line), (element, line) => this.#update(element, line));
    this.#more.hidden = lines.length <= this.#most;
    setText(this.#more, t("people.more", { count: lines.length - this.#most }));
  }

  #known() {
    return this.#data?.tournament.entrants.map((line) => line.name) ?? [];
  }

  #weigh() {
    const { faults, doubled } = readNames(this.#names.value, this.#known());
    this.#onceLine.hidden = doubled.length === 0;
    const names = this.#wanted();
    setText(this.#add, names.length > 0 ? t("people.add", { count: names.length }) : t("people.add_none"));
    this.#add.disabled = names.length === 0 || (this.#data?.isBusy ?? false);
    this.#add.classList.toggle("main", names.length > 0);
    const words = [...faults.map(({ text, fault }) => t(`people.fault_${fault}`, { name: text })), ...(doubled.length > 0 ? [t("people.doubled", { names: doubled.join(", ") })] : [])];
    setText(this.#said, words.join(" "));
  }

  /** The names that would be put on the list. */
  #wanted() {
    const { names, once } = readNames(this.#names.value, this.#known());
    return this.#once.checked ? once : names;
  }

  #send() {
    const names = this.#wanted();
    if (names.length > 0) send(this, "add", { names });
    else this.#names.focus();
  }

  /** @param {EntrantLine} line */
  #make({ entrant }) {
    const { signal } = this.#off;
    const opener = el("button", { type: "button", class: "entrant-name", "aria-expanded": "false" }, el("span", { class: "dot", "aria-hidden": "true" }), el("bdi"), el("small"));
    opener.addEventListener("click", () => this.open(this.#opened === entrant ? "" : entrant), { signal });
    return el("li", {}, opener, el("div", { class: "entrant-body", hidden: true }));
  }

  /** @param {HTMLElement} element @param {EntrantLine} line */
  #update(element, line) {
    const [opener, body] = /** @type {HTMLElement[]} */ ([...element.children]);
    const [, name, small] = opener.children;
    setText(name, this.#data ? nameOf(this.#data.tournament, line.entrant) : line.name);
    setText(small, line.active ? t(`people.${presenceOf(line)}`) : t(line.awaited ? "people.awaited" : "table.withdrawn"));
    element.dataset.state = presenceOf(line);
    const isOpen = this.#opened === line.entrant;
    opener.setAttribute("aria-expanded", String(isOpen));
    body.hidden = !isOpen;
    if (isOpen) this.#fill(body, line);
    else {
      body.replaceChildren();
      delete body.dataset.shape;
    }
  }

  /** @param {HTMLElement} body @param {EntrantLine} line */
  #fill(body, line) {
    const data = /** @type {EntrantsData} */ (this.#data);
    const { claims, codes, tournament } = data;
    const claim = claims.find((one) => one.entrant === line.entrant);
    const code = codes.get(line.entrant);
    const shape = [line.name, line.active, line.taken, tournament.round, data.linkOf(""), claim?.claim, claim?.used, code?.path.length, tournament.state === "over"].join();
    if (body.dataset.shape === shape) return;
    body.dataset.shape = shape;
    body.replaceChildren(...this.#claimParts(line, claim, code, data), this.#buttons(line, tournament));
  }

  /** @param {EntrantLine} line @param {Claim | undefined} claim @param {import("../qrdrawing.js").QrCode | undefined} code @param {EntrantsData} data */
  #claimParts(line, claim, code, { linkOf, tournament }) {
    if (claim === undefined || tournament.state === "over" || !(line.active || line.awaited)) return [];
    if (claim.used) return [el("p", { class: "muted" }, t("people.taken")), this.#button("people.renew", "renew", line)];
    const copy = new HmCopy();
    copy.value = { text: linkOf(claim.claim), label: t("lobby.copy_link") };
    const drawing = code ? drawn(code, t("people.code_of", { name: nameOf(tournament, line.entrant) })) : this.#button("people.show_code", "code", line);
    return [el("p", { class: "muted" }, t(line.taken ? "people.claim_again" : line.awaited ? "people.claim_awaited" : "people.claim_words")), el("code", {}, claim.claim), copy, drawing];
  }

  /** @param {EntrantLine} line @param {Tournament} tournament */
  #buttons(line, { state, round }) {
    const buttons = el("div", { class: "pairwise" });
    if (state === "over") return buttons;
    if (line.active) buttons.append(this.#button("people.withdraw", "ask-withdraw", line));
    else buttons.append(this.#button("people.readmit", "readmit", line));
    if (round > 0) return buttons;
    if (!line.taken) buttons.append(this.#button("people.remove", "ask-remove", line));
    return el("div", { class: "entrant-edits" }, this.#renameForm(line), buttons);
  }

  /** @param {EntrantLine} line */
  #renameForm({ entrant, name }) {
    const input = el("input", { value: name, maxlength: "48", autocomplete: "off", "aria-label": t("people.rename_of", { name }) });
    const trouble = el("p", { class: "trouble", role: "alert" });
    const form = el("form", { class: "line-form" }, input, el("button", { type: "submit" }, t("people.rename")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { names, faults } = readNames(input.value);
      const [fault] = faults;
      setText(trouble, fault ? t(`people.fault_${fault.fault}`, { name: fault.text }) : "");
      if (names.length === 1) send(this, "rename", { entrant, name: names[0] });
    });
    return el("div", {}, form, trouble);
  }

  /** @param {string} key @param {string} event @param {EntrantLine} line */
  #button(key, event, line) {
    const button = el("button", { type: "button" }, t(key));
    button.addEventListener("click", () => send(this, event, { entrant: line.entrant }));
    return button;
  }
}

customElements.define("hm-entrants", HmEntrants);
