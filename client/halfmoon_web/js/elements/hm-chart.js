/**
 * How a race went: every racer's score over time, read off by pointer or by the slider beneath.
 *
 *     const chart = document.createElement("hm-chart");
 *     chart.data = { race: "r_…", shown: [{ player, name, sign }, …] };   // loads the record of the race
 */

import { courses, lengthOf, scoreAt } from "../course.js";
import { el, keyed, setText, svg } from "../dom.js";
import { signPath, signShape } from "../drawing.js";
import { SIGNS } from "../ranking.js";
import { duration, t } from "../words.js";

/** @typedef {import("../course.js").Course} Course */
/** @typedef {{player: string, name: string, sign: number}} Shown */

const HEIGHT = 200;
const TOP = 10;
const BOTTOM = 8;
const RIGHT = 14;
const STEP_SCORE = 100;
/** How many positions the slider has. */
const STEPS = 200;

export class HmChart extends HTMLElement {
  #lines = svg("g");
  #cursor = svg("path", { class: "cursor" });
  #picture = svg("svg", { "aria-hidden": "true" }, this.#cursor, this.#lines);
  #slider = el("input", { type: "range", min: "0", id: "chart-time" });
  #time = el("output", { for: "chart-time", class: "chart-clock" });
  #legend = el("ul", { class: "legend" });
  #trouble = el("p", { class: "muted", hidden: true });
  #race = "";
  /** @type {Shown[]} */
  #shown = [];
  /** @type {Course[]} */
  #courses = [];
  #resized = new ResizeObserver(() => this.#draw());
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) {
      this.#slider.setAttribute("aria-label", t("chart.time"));
      this.append(el("h2", {}, t("chart.title")), this.#picture, el("div", { class: "chart-line" }, this.#slider, this.#time), this.#legend, this.#trouble);
    }
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#slider.addEventListener("input", () => this.#read(), { signal });
    this.#picture.addEventListener("pointermove", (event) => event instanceof PointerEvent && this.#pointed(event), { signal });
    this.#picture.addEventListener("pointerdown", (event) => event instanceof PointerEvent && this.#pointed(event), { signal });
    this.#resized.observe(this);
  }

  disconnectedCallback() {
    this.#off.abort();
    this.#resized.disconnect();
  }

  set data(/** @type {{race: string, shown: Shown[]}} */ { race, shown }) {
    if (race === this.#race) return;
    this.#race = race;
    this.#shown = shown;
    this.#load(race);
  }

  /** @param {string} race */
  async #load(race) {
    try {
      const answer = await fetch(`/api/races/${encodeURIComponent(race)}`);
      if (!answer.ok) throw new Error(String(answer.status));
      this.#courses = courses(await answer.json());
    } catch {
      this.#courses = [];
    }
    const isThere = this.#courses.length > 0;
    setText(this.#trouble, isThere ? "" : t("chart.none"));
    this.#trouble.hidden = isThere;
    for (const part of [this.#picture, this.#legend, this.#slider.parentElement]) part?.toggleAttribute("hidden", !isThere);
    const step = Math.max(1, Math.round(lengthOf(this.#courses) / STEPS));
    // Whole steps, or the slider would stop short of the last action.
    const end = Math.ceil(lengthOf(this.#courses) / step) * step;
    for (const [name, value] of Object.entries({ step, max: end, value: end })) this.#slider.setAttribute(name, String(value));
    this.#slider.value = String(end);
    this.#draw();
  }

  /** @param {string} player */
  #pointsOf(player) {
    return this.#courses.find((course) => course.player === player)?.points ?? [];
  }

  #scale() {
    const width = Math.max(200, this.clientWidth);
    const most = Math.max(STEP_SCORE, ...this.#shown.flatMap(({ player }) => this.#pointsOf(player).map((point) => point.score)));
    const end = lengthOf(this.#courses);
    const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;
    return {
      width, most,
      x: (/** @type {number} */ ms) => round((ms / end) * (width - RIGHT)),
      y: (/** @type {number} */ score) => round(HEIGHT - BOTTOM - (score / most) * (HEIGHT - TOP - BOTTOM)),
    };
  }

  #draw() {
    if (this.#courses.length === 0) return;
    const { width, most, x, y } = this.#scale();
    this.#picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const levels = Array.from({ length: Math.floor(most / STEP_SCORE) + 1 }, (_, i) => i * STEP_SCORE);
    const grid = levels.map((score) => svg("path", { class: "grid", d: `M0 ${y(score)}H${width}` }));
    const names = levels.slice(1).map((score) => svg("text", { class: "level", x: 0, y: y(score) - 4 }, String(score)));
    // The best is drawn last, on top of the others.
    const traces = [...this.#shown].reverse().map(({ player, sign }) => {
      const points = this.#pointsOf(player);
      const end = points.at(-1) ?? { at_ms: 0, score: 0 };
      return svg("g", { class: "trace", "data-sign": sign % SIGNS },
        svg("path", { class: "way", d: `M0 ${y(0)}${points.map((point) => `H${x(point.at_ms)}V${y(point.score)}`).join("")}` }),
        svg("path", { class: "mark", d: signPath(sign), transform: `translate(${x(end.at_ms) - 1} ${y(end.score) - 7}) scale(.7)` }));
    });
    this.#lines.replaceChildren(...grid, ...names, ...traces);
    this.#read();
  }

  /** @param {PointerEvent} event */
  #pointed(event) {
    const box = this.#picture.getBoundingClientRect();
    this.#slider.value = String(((event.clientX - box.left) / (box.width - RIGHT)) * Number(this.#slider.max));
    this.#read();
  }

  /** What stood at the moment that the slider is on. */
  #read() {
    const at_ms = Number(this.#slider.value);
    const { x } = this.#scale();
    this.#cursor.setAttribute("d", `M${x(at_ms)} 0V${HEIGHT}`);
    setText(this.#time, duration(at_ms));
    const now = this.#shown.map((line) => ({ ...line, score: scoreAt(this.#pointsOf(line.player), at_ms) }));
    keyed(this.#legend, now, (line) => line.player, makeLine, (element, { name, score }) => {
      setText(element.children[1], name);
      setText(element.children[2], String(score));
    });
    const words = now.map(({ name, score }) => t("chart.value", { name, score }));
    this.#slider.setAttribute("aria-valuetext", [duration(at_ms), ...words].join(", "));
  }
}

/** @param {{sign: number}} line */
const makeLine = ({ sign }) => el("li", {}, signShape(sign), el("bdi"), el("b"));

customElements.define("hm-chart", HmChart);
