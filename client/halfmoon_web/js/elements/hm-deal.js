/**
 * All finished results on one deal: one class of rules at a time, one's own lines always among them.
 *
 *     const deal = document.createElement("hm-deal");
 *     await deal.open("HM1-N-AAAAAAB");
 *     // hm-wish {name, wish}
 */

import "../resultwords.js";
import { ask } from "../asking.js";
import { canonicalCode } from "../codes.js";
import { el, setText } from "../dom.js";
import { ranked, rulesInSearch, rulesQuery, rulesWords, withOwn } from "../tables.js";
import { t } from "../words.js";
import { HmCopy } from "./hm-copy.js";
import { HmSetout } from "./hm-setout.js";
import { HmLines } from "./hm-lines.js";

/** @typedef {import("../tables.js").Rules} Rules */

/** Alone one waits for nobody. */
const ALONE = { max_players: 1, countdown_ms: 0 };

export class HmDeal extends HTMLElement {
  #code = new HmCopy();
  #class = el("select", { id: "deal-class" });
  #classLine = el("div", { class: "class-line" }, el("label", { for: "deal-class" }, t("deal.class")), this.#class);
  #none = el("p", { class: "muted" });
  #table = new HmLines();
  #more = el("button", { type: "button" });
  #rule = el("p", { class: "muted" });
  #setOut = new HmSetout();
  /** @type {any[]} */
  #lines = [];
  /** One's own best, with their ranks, wherever they stand. @type {any[]} */
  #own = [];
  #next = "";
  #canonical = "";

  /** @param {string} code as it stands in the address */
  async open(code) {
    const canonical = canonicalCode(code);
    if (canonical === null) return this.#refuse(t("deal.no_code"));
    this.#canonical = canonical;
    const shown = await this.#ask(rulesInSearch(location.search));
    if (shown === null) return this.#refuse(t("aside.unreachable"));
    this.#build();
    this.#show(shown);
  }

  /** @param {string} rules @param {string} [after] */
  async #ask(rules, after) {
    const query = new URLSearchParams(rules);
    if (after !== undefined) query.set("after", after);
    const { status, body } = await ask(`/api/deals/${this.#canonical}/results?${query}`);
    return status === 200 ? body : null;
  }

  /** @param {string} words */
  #refuse(words) {
    this.replaceChildren(el("section", { class: "panel results" }, el("h1", { tabindex: "-1" }, t("deal.title")), el("p", { role: "alert" }, words),
      el("p", {}, el("a", { class: "button", href: "/" }, t("aside.home")))));
  }

  #build() {
    this.#code.value = { text: this.#canonical, label: t("over.copy_code") };
    this.#none.textContent = t("deal.none");
    this.#more.textContent = t("aside.more");
    this.#rule.textContent = t("over.rule");
    this.#class.addEventListener("change", () => this.#choose());
    this.#more.addEventListener("click", () => this.#goOn());
    this.replaceChildren(
      el("section", { class: "panel results" }, el("h1", { tabindex: "-1" }, t("deal.title")), this.#code, this.#setOut),
      el("section", { class: "panel results" }, el("h2", {}, t("deal.results")), this.#classLine, this.#none, this.#table, this.#more, this.#rule));
  }

  /** @param {any} shown an answer's body */
  #show({ rules, classes, results, own = [], next }) {
    this.#lines = results;
    this.#own = own.map((/** @type {any} */ { place, ...line }) => ({ ...line, rank: place }));
    this.#next = next ?? "";
    this.#class.replaceChildren(...classes.map((/** @type {Rules & {results: number}} */ one) =>
      el("option", { value: rulesQuery(one) }, t("deal.class_count", { rules: rulesWords(one), count: one.results }))));
    if (rules) this.#class.value = rulesQuery(rules);
    this.#classLine.hidden = classes.length === 0;
    this.#none.hidden = results.length > 0;
    this.#table.hidden = this.#rule.hidden = results.length === 0;
    this.#offer(rules);
    this.#draw();
  }

  /** @param {Rules | undefined} rules */
  #offer(rules) {
    const options = { ...(rules && { undo: rules.undo, time_limit_ms: rules.time_limit_ms, ends: rules.ends }), code: this.#canonical };
    this.#setOut.ways = [
      { words: t("deal.race"), wish: { starts: false, options } },
      { words: t("home.alone"), wish: { starts: true, options: { ...(rules === undefined && { time_limit_ms: null }), ...options, ...ALONE } } },
    ];
  }

  #draw() {
    const me = this.#own[0]?.player ?? "";
    const mine = new Set(this.#own.map(({ race }) => race));
    const others = ranked(this.#lines).filter(({ player, race }) => player !== me || !mine.has(race));
    this.#table.data = { lines: withOwn(this.#own, others, this.#next === ""), me, compares: true };
    this.#more.hidden = this.#next === "";
  }

  async #choose() {
    const shown = await this.#ask(this.#class.value);
    if (shown === null) return this.#tell();
    history.replaceState(null, "", `?${this.#class.value}`);
    this.#show(shown);
  }

  /** The page that follows; ranks go on where they were. */
  async #goOn() {
    const shown = await this.#ask(this.#class.value, this.#next);
    if (shown === null) return this.#tell();
    this.#lines = [...this.#lines, ...shown.results];
    this.#next = shown.next ?? "";
    this.#draw();
  }

  #tell() {
    this.#none.hidden = false;
    setText(this.#none, t("aside.unreachable"));
  }
}

customElements.define("hm-deal", HmDeal);
