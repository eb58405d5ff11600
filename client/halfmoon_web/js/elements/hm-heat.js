/**
 * One heat that is over, or will be: who raced, how it ended, and what was corrected beside what was raced.
 *
 *     const heat = document.createElement("hm-heat");
 *     heat.data = { tournament, heat: tournament.heats[0], me: null, directs: true, why: undefined };
 *     // hm-why {round, heat} · hm-correct {round, entrant}
 */

import { el, keyed, send, setText } from "../dom.js";
import { becauseWords } from "../explaining.js";
import { absentFrom, nameOf } from "../tournament.js";
import { walkover } from "../roundwords.js";
import { exactTime, t } from "../words.js";

/** @typedef {import("../tournament.js").Tournament} Tournament */
/** @typedef {import("../tournament.js").HeatLine} HeatLine */
/** @typedef {import("../tournament.js").HeatResult} HeatResult */
/** @typedef {{tournament: Tournament, heat: HeatLine, me: string | null, directs: boolean, why: import("../explaining.js").Reason[] | null | undefined}} HeatData not asked: undefined */

/** So many lines of a heat are shown at first, and so many more each time. */
const FIRST = 30;
const MORE = 200;

export class HmHeat extends HTMLElement {
  #title = el("h3");
  #list = el("ol", { class: "heat-lines" });
  #further = el("button", { type: "button", class: "quiet small" });
  #absent = el("p", { class: "muted" });
  #most = FIRST;
  /** @type {HeatData | null} */
  #data = null;
  #why = el("button", { type: "button", class: "quiet small" });
  #because = el("p", { class: "muted because", role: "status" });
  #where = { round: 0, heat: 0 };
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) {
      this.append(el("div", { class: "heat-head" }, this.#title, this.#why), this.#because, this.#list, this.#further, this.#absent);
    }
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#why.addEventListener("click", () => send(this, "why", this.#where), { signal });
    this.#list.addEventListener("click", (event) => this.#pressed(event), { signal });
    this.#further.addEventListener("click", () => {
      this.#most += MORE;
      if (this.#data) this.data = this.#data;
    }, { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {HeatData} */ data) {
    this.#data = data;
    const { tournament, heat, me, directs, why } = data;
    this.#where = { round: heat.round, heat: heat.heat };
    setText(this.#title, titleOf(tournament, heat));
    setText(this.#why, t("round.why"));
    this.#why.hidden = Boolean(why);
    setText(this.#because, why === undefined ? "" : becauseWords(tournament, why));
    const results = heat.results ?? [];
    const shown = results.filter((line, i) => i < this.#most || line.entrant === me);
    this.#further.hidden = shown.length === results.length;
    setText(this.#further, t("people.more", { count: results.length - shown.length }));
    keyed(this.#list, shown, (line) => line.entrant, makeLine, (element, line) => updateLine(element, line, tournament, me, directs && !heat.annulled));
    const absent = absentFrom(heat).map((entrant) => nameOf(tournament, entrant));
    setText(this.#absent, absent.length === 0 ? "" : walkover(tournament, heat) ?? t(directs ? "round.absent_directs" : "round.absent", { names: absent.join(", ") }));
    this.dataset.state = heat.state;
  }

  /** @param {Event} event */
  #pressed(event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    const entrant = button?.closest("[data-key]")?.getAttribute("data-key");
    if (entrant) send(this, "correct", { round: this.#where.round, entrant });
  }
}

/** @param {Tournament} tournament @param {HeatLine} heat */
function titleOf(tournament, heat) {
  const state = heat.state === "over" ? "" : ` · ${t(`heat.${heat.state}`)}`;
  const isLone = !tournament.heats.some((other) => other.round === heat.round && other.heat !== heat.heat);
  if (tournament.format === "series") return (isLone ? t("heat.all", { count: heat.entrants.length - absentFrom(heat).length }) : t("heat.number", { heat: heat.heat })) + state;
  return heat.entrants.map((entrant) => nameOf(tournament, entrant)).join(" – ") + state;
}

const makeLine = () =>
  el("li", { class: "heat-line" }, el("span", { class: "place" }), el("bdi"), el("span", { class: "value" }),
    el("button", { type: "button", class: "quiet small" }), el("small", { class: "raw" }));

/** @param {HTMLElement} element @param {HeatResult} line @param {Tournament} tournament @param {string | null} me @param {boolean} directs */
function updateLine(element, line, tournament, me, directs) {
  const [place, name, value, correct, raw] = /** @type {HTMLElement[]} */ ([...element.children]);
  setText(place, `${line.rank}.`);
  setText(name, nameOf(tournament, line.entrant));
  setText(value, t("round.result", { best: line.best, time: exactTime(line.time_ms), status: t(`status.${line.status}`) }));
  setText(raw, line.raw ? rawWords(line.raw, line.reason ?? "") : "");
  correct.hidden = !directs;
  setText(correct, t("conduct.correct"));
  correct.setAttribute("aria-label", t("conduct.correct_name", { name: nameOf(tournament, line.entrant) }));
  element.classList.toggle("me", line.entrant === me);
}

/** @param {NonNullable<HeatResult["raw"]>} raw @param {string} reason */
const rawWords = ({ best, time_ms, status }, reason) =>
  t("round.raw", { result: t("round.result", { best, time: exactTime(time_ms), status: t(`status.${status}`) }), reason });

customElements.define("hm-heat", HmHeat);
