/**
 * Who is in a tournament: here, expected, withdrawn; and names to be put on the list.
 *
 *     const entrants = document.createElement("hm-entrants");
 *     entrants.data = { tournament, claims, codes: new Map(), linkOf: (claim) => "https://…", isBusy: false };
 *     // hm-add {names} · hm-withdraw {entrant} · hm-readmit {entrant} · hm-renew {entrant} · hm-code {entrant} · hm-sheet · hm-seed {entrants}
 */

import { askOnce } from "../askonce.js";
import { el, keyed, send, setText } from "../dom.js";
import { readNames } from "../namelist.js";
import { drawn } from "../qrdrawing.js";
import { t } from "../words.js";
import { HmCopy } from "./hm-copy.js";

/** @typedef {import("../tournament.js").Tournament} Tournament */
/** @typedef {import("../messages.js").EntrantLine} EntrantLine */
/** @typedef {import("./hm-conduct.js").Claim} Claim */
/** @typedef {{tournament: Tournament, claims: Claim[], codes: ReadonlyMap<string, import("../qrdrawing.js").QrCode>, linkOf: (claim: string) => string, isBusy: boolean}} EntrantsData */

export class HmEntrants extends HTMLElement {
  #names = el("textarea", { id: "new-names", rows: "4", spellcheck: "false", placeholder: t("people.example") });
  #said = el("p", { class: "muted", role: "status" });
  #add = el("button", { type: "submit" });
  #form = el("form", { class: "names-form" }, el("label", { for: "new-names" }, t("people.paste")), this.#names, this.#said, this.#add);
  #sheet = el("button", { type: "button" }, t("people.sheet"));
  #list = el("ul", { class: "entrants" });
  /** Whose row is open. */
  #opened = "";
  /** @type {EntrantsData | null} */
  #data = null;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#list, this.#form, this.#sheet);
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#names.addEventListener("input", () => this.#weigh(), { signal });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    }, { signal });
    this.#sheet.addEventListener("click", () => send(this, "sheet"), { signal });
    this.#weigh();
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {EntrantsData} */ data) {
    this.#data = data;
    this.#sheet.hidden = data.claims.length === 0;
    this.#form.hidden = data.tournament.state === "over";
    keyed(this.#list, data.tournament.entrants, (line) => line.entrant, (line) => this.#make(line), (element, line) => this.#update(element, line));
    this.#weigh();
  }

  /** What was pasted is on the list; what couldn't be used stays to be looked at. */
  namesTaken() {
    this.#names.value = readNames(this.#names.value).faults.map(({ text }) => text).join("\n");
    this.#weigh();
  }

  /** Opens somebody's row, where their code is. @param {string} entrant */
  open(entrant) {
    this.#opened = entrant;
    if (this.#data) this.data = this.#data;
  }

  #known() {
    return this.#data?.tournament.entrants.map((line) => line.name) ?? [];
  }

  #weigh() {
    const { names, faults, doubled } = readNames(this.#names.value, this.#known());
    setText(this.#add, names.length > 0 ? t("people.add", { count: names.length }) : t("people.add_none"));
    this.#add.disabled = names.length === 0 || (this.#data?.isBusy ?? false);
    this.#add.classList.toggle("main", names.length > 0);
    const words = [...faults.map(({ text, fault }) => t(`people.fault_${fault}`, { name: text })), ...(doubled.length > 0 ? [t("people.doubled", { names: doubled.join(", ") })] : [])];
    setText(this.#said, words.join(" "));
  }

  #send() {
    const { names } = readNames(this.#names.value);
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
    setText(name, line.name);
    setText(small, stateWords(line));
    element.dataset.state = !line.active ? "gone" : line.online ? "online" : line.taken ? "away" : "absent";
    const isOpen = this.#opened === line.entrant;
    opener.setAttribute("aria-expanded", String(isOpen));
    body.hidden = !isOpen;
    if (isOpen) this.#fill(body, line);
    else body.replaceChildren();
  }

  /** @param {HTMLElement} body @param {EntrantLine} line */
  #fill(body, line) {
    const { claims, codes, linkOf, tournament } = /** @type {EntrantsData} */ (this.#data);
    const claim = claims.find((one) => one.entrant === line.entrant);
    const code = codes.get(line.entrant);
    const shape = [line.active, claim?.claim, claim?.taken, code?.path.length, tournament.state === "over", tournament.round].join();
    if (body.dataset.shape === shape) return;
    body.dataset.shape = shape;
    body.replaceChildren(...this.#claimParts(line, claim, code, linkOf), this.#buttons(line, tournament));
  }

  /** @param {EntrantLine} line @param {Claim | undefined} claim @param {import("../qrdrawing.js").QrCode | undefined} code @param {(claim: string) => string} linkOf */
  #claimParts(line, claim, code, linkOf) {
    if (claim === undefined) return [];
    if (line.taken) return [el("p", { class: "muted" }, t("people.taken")), this.#button("people.renew", "renew", line)];
    const copy = new HmCopy();
    copy.value = { text: linkOf(claim.claim), label: t("lobby.copy_link") };
    return [el("p", { class: "muted" }, t("people.claim_words")), copy, code ? drawn(code, t("people.code_of", { name: line.name })) : this.#button("people.show_code", "code", line)];
  }

  /** @param {EntrantLine} line @param {Tournament} tournament */
  #buttons(line, { state, round, entrants }) {
    const buttons = el("div", { class: "pairwise" });
    if (state === "over") return buttons;
    if (line.active) {
      const withdraw = el("button", { type: "button" });
      askOnce(withdraw, t("people.withdraw"), t("people.withdraw_sure"), () => send(this, "withdraw", { entrant: line.entrant }));
      buttons.append(withdraw);
    } else buttons.append(this.#button("people.readmit", "readmit", line));
    if (round === 0 && line.seed > 1) {
      const up = el("button", { type: "button" }, t("people.seed_up", { seed: line.seed }));
      up.addEventListener("click", () => send(this, "seed", { entrants: seededHigher(entrants, line) }));
      buttons.append(up);
    }
    return buttons;
  }

  /** @param {string} key @param {string} event @param {EntrantLine} line */
  #button(key, event, line) {
    const button = el("button", { type: "button" }, t(key));
    button.addEventListener("click", () => send(this, event, { entrant: line.entrant }));
    return button;
  }
}

/** @param {EntrantLine} line */
function stateWords(line) {
  if (!line.active) return t("table.withdrawn");
  return t(line.online ? "people.online" : line.taken ? "people.away" : "people.absent");
}

/** The order of seeds with this one a place higher. @param {EntrantLine[]} entrants @param {EntrantLine} line @returns {string[]} */
function seededHigher(entrants, line) {
  const order = [...entrants].sort((one, other) => one.seed - other.seed).map((one) => one.entrant);
  const at = order.indexOf(line.entrant);
  [order[at - 1], order[at]] = [order[at], order[at - 1]];
  return order;
}

customElements.define("hm-entrants", HmEntrants);
