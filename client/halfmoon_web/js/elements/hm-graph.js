/**
 * The race so far: each racer's score over time, a line that ends in the racer's sign.
 *
 *     const graph = document.createElement("hm-graph");
 *     graph.data = { room };
 */

import { svg } from "../dom.js";
import { signPath } from "../drawing.js";
import { SIGNS, liveOrder, signOf } from "../ranking.js";

/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../room.js").Player} Player */

const WIDTH = 240;
const HEIGHT = 116;
/** Room for a sign at the end of a line. */
const EDGE = 9;
/** More lines than signs can't be told apart. */
const MOST = SIGNS;
const LEAST_SCORE = 60;
const LEAST_MS = 30_000;

export class HmGraph extends HTMLElement {
  #lines = svg("g");
  #drawn = "";

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.setAttribute("aria-hidden", "true");
    const grid = svg("path", { class: "grid", d: `M0 ${HEIGHT - EDGE}H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${EDGE}H${WIDTH}` });
    this.append(svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}` }, grid, this.#lines));
  }

  set data(/** @type {{room: Room}} */ { room }) {
    const racers = liveOrder(room).slice(0, MOST).reverse();
    const drawn = racers.map((line) => `${line.player}${line.trace?.length}${line.isLate}`).join();
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const ends = racers.flatMap((line) => line.trace?.at(-1)?.at_ms ?? []);
    const scale = {
      ms: Math.max(LEAST_MS, ...ends),
      score: Math.max(LEAST_SCORE, ...racers.flatMap((line) => [line.score, ...(line.trace ?? []).map((point) => point.score)])),
    };
    this.#lines.replaceChildren(...racers.map((line) => drawLine(line, signOf(room, line.player), scale)));
  }
}

/**
 * From 0; the line of a racer whose beginning wasn't seen starts at the first point that was, and is until then
 * a sign at the right edge, which is now.
 * @param {Player} line @param {number} sign @param {{ms: number, score: number}} scale
 */
function drawLine(line, sign, scale) {
  const x = (/** @type {number} */ ms) => Math.round((ms / scale.ms) * (WIDTH - 2 * EDGE) * 10) / 10;
  const y = (/** @type {number} */ score) => Math.round((HEIGHT - EDGE - (score / scale.score) * (HEIGHT - 2 * EDGE)) * 10) / 10;
  const points = line.trace ?? [];
  const unseen = line.isLate ? { at_ms: scale.ms, score: line.score } : { at_ms: 0, score: 0 };
  const end = points.at(-1) ?? unseen;
  const first = line.isLate ? (points[0] ?? unseen) : unseen;
  const steps = points.map((point) => `H${x(point.at_ms)}V${y(point.score)}`).join("");
  const mark = svg("path", {
    class: "mark", d: signPath(sign), transform: `translate(${x(end.at_ms) - 1} ${y(end.score) - 6}) scale(.6)`,
  });
  return svg("g", { class: "trace", "data-sign": sign % SIGNS }, svg("path", { class: "way", d: `M${x(first.at_ms)} ${y(first.score)}${steps}` }), mark);
}

customElements.define("hm-graph", HmGraph);
