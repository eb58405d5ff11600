/**
 * How a race went: every racer's score over time, read off by pointer or by the slider beneath.
 *
 *     const chart = document.createElement("hm-chart");
 *     chart.data = { race: "r_…", shown: [{ player, name, sign }, …] };   // loads the record of the race
 *     chart.data = { race: "r_…", shown, record };    // or is given it
 *     chart.at_ms = 83_000;                           // reads off this moment
 *     chart.addEventListener("hm-read", ({ detail }) => …);   // detail.at_ms: somebody reads off another
 */

import { askRecord } from "../asking.js";
import { courses, lengthOf, scoreAt, ticksOf } from "../course.js";
import { el, keyed, send, setText, svg } from "../dom.js";
import { signPath, signShape } from "../drawing.js";
import { SIGNS, signOf } from "../ranking.js";
import { duration, t } from "../words.js";

/** @typedef {import("../course.js").Course} Course */
/** @typedef {{player: string, name: string, sign: number}} Shown */

const HEIGHT = 200;
const TOP = 10;
/** Room for the times. */
const BOTTOM = 24;
const RIGHT = 14;
const STEP_SCORE = 100;
/** More lines than signs can't be told apart. */
const MOST_COURSES = SIGNS;
/** So much of the width a time takes. */
const TICK_WIDTH = 80;
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
  /** What is read off. */
  #at_ms = 0;
  #resized = new ResizeObserver(() => this.#draw());
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) {
      this.#slider.setAttribute("aria-label", t("chart.time"));
      this.append(el("h2", {}, t("chart.title")), this.#picture, el("div", { class: "chart-line" }, this.#slider, this.#time), this.#legend, this.#trouble);
    }
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#slider.addEventListener("input", () => this.#chose(), { signal });
    this.#picture.addEventListener("pointermove", (event) => event instanceof PointerEvent && this.#pointed(event), { signal });
    this.#picture.addEventListener("pointerdown", (event) => event instanceof PointerEvent && this.#pointed(event), { signal });
    this.#resized.observe(this);
  }

  disconnectedCallback() {
    this.#off.abort();
    this.#resized.disconnect();
  }

  set data(/** @type {{race: string, shown: Shown[], record?: Parameters<typeof courses>[0]}} */ { race, shown, record }) {
    if (race === this.#race) return;
    this.#race = race;
    this.#shown = shown;
    if (record) this.#show(courses(record));
    else this.#load(race);
  }

  set at_ms(/** @type {number} */ at_ms) {
    this.#slider.value = String(at_ms);
    this.#at_ms = at_ms;
    if (this.#courses.length > 0) this.#read();
  }

  /** @param {string} race */
  async #load(race) {
    try {
      this.#show(courses(JSON.parse(await askRecord(race))));
    } catch {
      this.#show([]);
    }
  }

  /** @param {Course[]} all */
  #show(all) {
    this.#courses = all;
    const isThere = this.#courses.length > 0;
    setText(this.#trouble, isThere ? "" : t("chart.none"));
    this.#trouble.hidden = isThere;
    for (const part of [this.#picture, this.#legend, this.#slider.parentElement]) part?.toggleAttribute("hidden", !isThere);
    const step = Math.max(1, Math.round(lengthOf(this.#courses) / STEPS));
    // Whole steps, or the slider would stop short of the end.
    const end = Math.ceil(lengthOf(this.#courses) / step) * step;
    for (const [name, value] of Object.entries({ step, max: end, value: end })) this.#slider.setAttribute(name, String(value));
    this.#slider.value = String(end);
    this.#at_ms = end;
    this.#draw();
  }

  /** @param {string} player */
  #pointsOf(player) {
    return this.#courses.find((course) => course.player === player)?.points ?? [];
  }

  /** @param {string} player */
  #untilOf(player) {
    return this.#courses.find((course) => course.player === player)?.until_ms ?? 0;
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
    const times = ticksOf(lengthOf(this.#courses), Math.max(3, Math.floor(width / TICK_WIDTH)));
    const ticks = times.map((ms) => svg("path", { class: "grid", d: `M${x(ms)} ${y(0)}v5` }));
    const clock = times.map((ms) => svg("text", { class: ms > 0 ? "tick" : "tick first", x: x(ms), y: HEIGHT - 3 }, duration(ms)));
    // The best is drawn last, on top of the others.
    const traces = [...this.#shown].reverse().map(({ player, sign }) => {
      const points = this.#pointsOf(player);
      const end = { at_ms: this.#untilOf(player), score: points.at(-1)?.score ?? 0 };
      return svg("g", { class: "trace", "data-sign": sign % SIGNS },
        svg("path", { class: "way", d: `M0 ${y(0)}${points.map((point) => `H${x(point.at_ms)}V${y(point.score)}`).join("")}H${x(end.at_ms)}` }),
        svg("path", { class: "mark", d: signPath(sign), transform: `translate(${x(end.at_ms) - 1} ${y(end.score) - 7}) scale(.7)` }));
    });
    this.#lines.replaceChildren(...grid, ...names, ...ticks, ...clock, ...traces);
    this.#read();
  }

  /** @param {PointerEvent} event */
  #pointed(event) {
    const box = this.#picture.getBoundingClientRect();
    this.#slider.value = String(((event.clientX - box.left) / (box.width - RIGHT)) * Number(this.#slider.max));
    this.#chose();
  }

  #chose() {
    this.#at_ms = Number(this.#slider.value);
    this.#read();
    send(this, "read", { at_ms: this.#at_ms });
  }

  /** What stood at that moment. */
  #read() {
    const at_ms = this.#at_ms;
    const { x } = this.#scale();
    this.#cursor.setAttribute("d", `M${x(Math.min(at_ms, lengthOf(this.#courses)))} 0V${HEIGHT - BOTTOM}`);
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

/** The best, and oneself. @param {import("../room.js").Room} room @param {string} me @returns {Shown[]} */
export const shownCourses = (room, me) =>
  (room.standings ?? []).filter((line, i) => i < MOST_COURSES - 1 || line.player === me).slice(0, MOST_COURSES)
    .map(({ player, name }) => ({ player, name, sign: signOf(room, player) }));

/** @param {{sign: number}} line */
const makeLine = ({ sign }) => el("li", {}, signShape(sign), el("bdi"), el("b"));

customElements.define("hm-chart", HmChart);
