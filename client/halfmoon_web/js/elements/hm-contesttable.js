/**
 * The table of a challenge or of a day's deal: shut until one has played, then a page at a time.
 *
 *     const table = document.createElement("hm-contesttable");
 *     table.data = { path: "/api/daily", shown, me: "p_…", shutWords: "Play first, …" };   // shown: what the path answered
 */

import "../resultwords.js";
import { ask } from "../asking.js";
import { el, setText } from "../dom.js";
import { t } from "../words.js";
import { HmLines } from "./hm-lines.js";

export class HmContesttable extends HTMLElement {
  #words = el("p", { class: "shut" });
  #table = new HmLines();
  #rule = el("p", { class: "muted" });
  #more = el("button", { type: "button" });
  /** @type {import("../tables.js").Line[]} */
  #lines = [];
  #path = "";
  #me = "";
  #next = "";

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.#more.textContent = t("aside.more");
    this.#rule.textContent = t("over.rule");
    this.#more.addEventListener("click", () => this.#goOn());
    this.append(this.#words, this.#table, this.#more, this.#rule);
  }

  set data(/** @type {{path: string, shown: {results?: any[], next?: string}, me: string, shutWords: string}} */ { path, shown, me, shutWords }) {
    this.#path = path;
    this.#me = me;
    this.#lines = shown.results ?? [];
    this.#next = shown.next ?? "";
    setText(this.#words, shown.results === undefined ? shutWords : t("contest.nobody"));
    this.#draw();
  }

  #draw() {
    const isEmpty = this.#lines.length === 0;
    this.#words.hidden = !isEmpty;
    this.#table.hidden = this.#rule.hidden = isEmpty;
    this.#table.data = { lines: this.#lines, me: this.#me, compares: true };
    this.#more.hidden = this.#next === "";
  }

  async #goOn() {
    const between = this.#path.includes("?") ? "&" : "?";
    const { status, body } = await ask(`${this.#path}${between}after=${encodeURIComponent(this.#next)}`);
    if (status !== 200) return;
    this.#lines = [...this.#lines, ...(body.results ?? [])];
    this.#next = body.next ?? "";
    this.#draw();
  }
}

customElements.define("hm-contesttable", HmContesttable);
