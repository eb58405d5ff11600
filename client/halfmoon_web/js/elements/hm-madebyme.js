/**
 * The challenges that one made, newest first, each with the results that there are.
 *
 *     const made = document.createElement("hm-madebyme");
 *     await made.open();
 */

import "../resultwords.js";
import { ask } from "../asking.js";
import { dateWords } from "../dates.js";
import { el, setText } from "../dom.js";
import { linkToChallenge } from "../links.js";
import { linkToRun } from "../tables.js";
import { t } from "../words.js";

export class HmMadebyme extends HTMLElement {
  #rows = el("tbody");
  #more = el("button", { type: "button" });
  #trouble = el("p", { class: "trouble", role: "alert" });
  #next = "";

  async open() {
    const { status, body } = await ask("/api/players/me/challenges");
    if (status !== 200 || body.challenges.length === 0) return;
    this.#more.textContent = t("aside.more");
    this.#more.addEventListener("click", () => this.#goOn());
    const heads = ["challenge", "results"].map((name) => el("th", { scope: "col", class: "col-player" }, t(`made.${name}`)));
    this.append(el("section", { class: "panel results" }, el("h2", {}, t("made.title")),
      el("div", { class: "table" }, el("table", { class: "made" }, el("thead", {}, el("tr", {}, ...heads)), this.#rows)), this.#trouble, this.#more));
    this.#add(body);
  }

  /** @param {any} body */
  #add({ challenges, next }) {
    this.#rows.append(...challenges.map(rowOf));
    this.#next = next ?? "";
    this.#more.hidden = this.#next === "";
  }

  async #goOn() {
    const { status, body } = await ask(`/api/players/me/challenges?after=${encodeURIComponent(this.#next)}`);
    setText(this.#trouble, status === 200 ? "" : t("aside.unreachable"));
    if (status === 200) this.#add(body);
  }
}

/** @param {any} made */
function rowOf({ challenge, made_at, sealed, results = [], next }) {
  const lines = results.map((/** @type {import("../tables.js").Line & {race: string}} */ line) =>
    el("li", {}, `${line.rank}. `, el("a", { href: linkToRun(line) }, el("bdi", {}, line.name)), ` ${line.best}`,
      el("small", {}, line.ghost ? t("person.ghost") : t(`status.${line.status}`))));
  const about = el("small", {}, sealed ? t("made.sealed") : t("made.open"));
  return el("tr", {},
    el("td", { class: "made-when", "data-label": "" }, el("a", { href: linkToChallenge("", challenge) }, dateWords(made_at)), about),
    el("td", { class: "made-results", "data-label": "" },
      el("ol", { class: "made-lines" }, ...lines, ...(next === undefined ? [] : [el("li", {}, t("made.further"))])),
      ...(results.some((/** @type {any} */ line) => !line.ghost) ? [] : [el("p", { class: "muted" }, t("made.nobody"))])));
}

customElements.define("hm-madebyme", HmMadebyme);
