/**
 * The days' deals that there were, newest first, each with the best of its table and how one did oneself.
 *
 *     const earlier = document.createElement("hm-earlier");
 *     await earlier.open("2026-11-30");      // the day that is shown already
 */

import "../resultwords.js";
import { ask } from "../asking.js";
import { dayWords } from "../dates.js";
import { el, setText } from "../dom.js";
import { linkToRun } from "../tables.js";
import { t } from "../words.js";

const PATH = "/api/daily/days";

/** @typedef {import("../tables.js").Line & {race: string, player: string}} TableLine */
/** @typedef {{day: string, players: number, best?: TableLine[], own?: TableLine}} Day */

export class HmEarlier extends HTMLElement {
  #rows = el("tbody");
  #more = el("button", { type: "button" });
  #trouble = el("p", { class: "trouble", role: "alert" });
  #next = "";
  #shown = "";

  /** @param {string} shown */
  async open(shown) {
    this.#shown = shown;
    const { status, body } = await ask(PATH);
    if (status !== 200 || body.days.every((/** @type {Day} */ { day }) => day === shown)) return;
    this.#more.textContent = t("aside.more");
    this.#more.addEventListener("click", () => this.#goOn());
    const heads = ["day", "best"].map((name) => el("th", { scope: "col", class: "col-player" }, t(`earlier.${name}`)));
    this.append(el("section", { class: "panel results" }, el("h2", {}, t("earlier.title")),
      el("div", { class: "table" }, el("table", { class: "made" }, el("thead", {}, el("tr", {}, ...heads)), this.#rows)), this.#trouble, this.#more));
    this.#add(body);
  }

  /** @param {{days: Day[], next?: string}} body */
  #add({ days, next }) {
    this.#rows.append(...days.filter(({ day }) => day !== this.#shown).map(rowOf));
    this.#next = next ?? "";
    this.#more.hidden = this.#next === "";
  }

  async #goOn() {
    const { status, body } = await ask(`${PATH}?after=${encodeURIComponent(this.#next)}`);
    setText(this.#trouble, status === 200 ? "" : t("aside.unreachable"));
    if (status === 200) this.#add(body);
  }
}

/** @param {Day} day */
function rowOf({ day, players, best, own }) {
  const isAmong = best?.some(({ player }) => player === own?.player);
  const lines = own === undefined || isAmong ? best ?? [] : [...(best ?? []), own];
  return el("tr", {},
    el("td", { class: "made-when", "data-label": "" }, el("a", { href: `/daily?day=${day}` }, dayWords(day)),
      el("small", {}, t("daily.players", { count: players }))),
    el("td", { class: "made-results", "data-label": "" }, el("ol", { class: "made-lines" }, ...lines.map((line) => lineOf(line, line.player === own?.player))),
      ...(best === undefined ? [el("p", { class: "muted" }, t("earlier.shut"))] : [])));
}

/** @param {TableLine} line @param {boolean} isOwn */
const lineOf = (line, isOwn) =>
  el("li", {}, `${line.rank}. `, el("a", { href: linkToRun(line) }, el("bdi", {}, line.name)), ` ${line.best}`,
    el("small", {}, isOwn ? t("person.you") : t(`status.${line.status}`)));

customElements.define("hm-earlier", HmEarlier);
