/**
 * A tournament's table: every value that ranks, what each round brought, and the rule in words.
 *
 *     const table = document.createElement("hm-table");
 *     table.data = { tournament, standings, me: "e7" };    // standings null while they are on their way
 *     table.data = { tournament, standings, most: 7, first: 14 };      // seven lines, after the first fourteen
 */

import { dateWords } from "../dates.js";
import { el, keyed, setText } from "../dom.js";
import { roundWords } from "../roundwords.js";
import { COLUMNS, cellText, ended, roundText, roundsIn } from "../tabling.js";
import { nameOf } from "../tournament.js";
import { t } from "../words.js";

/** @typedef {import("../tournament.js").Tournament} Tournament */
/** @typedef {import("../tabling.js").Row} Row */
/** @typedef {import("../tabling.js").Column} Column */
/** @typedef {{tournament: Tournament, standings: import("../tabling.js").Standings | null, me?: string | null, most?: number, first?: number, isPaged?: boolean}} TableData isPaged: the first ones and oneself, and more when asked for */

/** So many lines a page begins with, and so many more each time. */
const PAGE = 40;
const MORE = 200;

export class HmTable extends HTMLElement {
  #heads = el("tr");
  #rows = el("tbody");
  #more = el("p", { class: "muted" });
  #rule = el("p", { class: "muted rule" });
  #further = el("button", { type: "button", class: "quiet" });
  #shape = "";
  #paged = PAGE;
  /** What was shown before it went to paper. */
  #before = PAGE;
  /** @type {TableData | null} */
  #data = null;
  #printed = el("p", { class: "print-line" });
  #off = new AbortController();

  connectedCallback() {
    this.#off = new AbortController();
    const { signal } = this.#off;
    window.addEventListener("beforeprint", () => this.toPaper(), { signal });
    window.addEventListener("afterprint", () => this.#show(this.#before), { signal });
    if (this.childElementCount > 0) return;
    this.append(this.#printed, el("div", { class: "table" }, el("table", {}, el("thead", {}, this.#heads), this.#rows)), this.#more, this.#further, this.#rule);
    this.#further.addEventListener("click", () => this.#show(this.#paged + MORE));
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  /** All lines, and of when they are: on paper nothing follows. */
  toPaper() {
    if (this.#data === null || this.#paged === Infinity) return;
    setText(this.#printed, `${stageWords(this.#data.tournament)} · ${dateWords(Date.now())}`);
    this.#before = this.#paged;
    this.#show(Infinity);
  }

  set data(/** @type {TableData} */ data) {
    this.#data = data;
    const { tournament, standings, me = null, first = 0, isPaged = false } = data;
    const { format } = tournament;
    const rows = ended(standings?.rows ?? []);
    const rounds = roundsIn(rows);
    this.#shapeFor(format, rounds);
    const most = isPaged ? this.#paged : data.most ?? Infinity;
    const shown = rows.slice(first, first + most);
    const own = isPaged ? rows.slice(most).filter((row) => row.entrant === me) : [];
    const corrected = correctedIn(tournament);
    keyed(this.#rows, [...shown, ...own], (row) => row.entrant, () => makeRow(format, rounds),
      (element, row) => updateRow(element, row, tournament, rounds, me, corrected));
    setText(this.#more, !isPaged && rows.length > most ? t("table.part", { from: first + 1, to: first + shown.length, count: rows.length }) : "");
    this.#further.hidden = !isPaged || rows.length <= most;
    setText(this.#further, t("people.more", { count: rows.length - most }));
    setText(this.#rule, rows.length > 0 ? t(`table.rule_${format}`) : t("table.none"));
  }

  /** @param {number} most */
  #show(most) {
    this.#paged = most;
    if (this.#data) this.data = this.#data;
  }

  /** @param {Tournament["format"]} format @param {number[]} rounds */
  #shapeFor(format, rounds) {
    const shape = `${format} ${rounds.join()}`;
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#rows.replaceChildren();
    this.#heads.replaceChildren(
      ...COLUMNS[format].map((name) => el("th", { scope: "col", class: classOf(name) }, t(`table.${name}`))),
      ...rounds.map((round) => el("th", { scope: "col", class: "col-round" }, t("table.round", { round }))));
  }
}

/** After how much of the tournament. @param {Tournament} tournament */
const stageWords = (tournament) => (tournament.state === "over" ? t("next.over") : roundWords(tournament));

/** The classes of the result table do for this one too. @param {Column} name */
const classOf = (name) => (name === "name" ? "col-player" : `col-${name}`);

/** @param {Tournament["format"]} format @param {number[]} rounds */
const makeRow = (format, rounds) =>
  el("tr", {},
    ...COLUMNS[format].map((name) => (name === "name"
      ? el("td", { class: "col-player" }, el("div", {}, el("bdi"), el("small")))
      : el("td", { class: classOf(name), "data-label": t(`table.${name}`) }))),
    ...rounds.map((round) => el("td", { class: "col-round", "data-label": t("table.round", { round }) })));

/** @param {HTMLElement} element @param {Row} row @param {Tournament} tournament @param {number[]} rounds @param {string | null} me @param {ReadonlySet<string>} corrected */
function updateRow(element, row, tournament, rounds, me, corrected) {
  const { format } = tournament;
  const columns = COLUMNS[format];
  const cells = /** @type {HTMLElement[]} */ ([...element.children]);
  columns.forEach((column, i) => {
    if (column !== "name") return setText(cells[i], cellText(format, row, column));
    const [name, state] = cells[i].children[0].children;
    setText(name, nameOf(tournament, row.entrant));
    setText(state, row.active ? "" : t("table.withdrawn"));
  });
  rounds.forEach((round, i) => {
    const one = row.rounds.find((line) => line.round === round);
    const cell = cells[columns.length + i];
    const isCorrected = corrected.has(`${round} ${row.entrant}`);
    setText(cell, roundText(format, one) + (isCorrected ? " *" : ""));
    const met = (one?.opponents ?? []).map((entrant) => nameOf(tournament, entrant)).join(", ");
    cell.title = [met && t("table.against", { name: met }), isCorrected && t("table.corrected")].filter(Boolean).join(" · ");
  });
  element.classList.toggle("me", row.entrant === me);
  element.classList.toggle("gone", !row.active);
}

/** The corrected results, as round and entrant. @param {Tournament} tournament */
const correctedIn = ({ heats }) =>
  new Set(heats.flatMap((heat) => (heat.results ?? []).filter((line) => line.raw).map((line) => `${heat.round} ${line.entrant}`)));

customElements.define("hm-table", HmTable);
