/**
 * The table: twenty spots along the arc and inside it.  It draws what it is given and tells what was tapped.
 *
 *     const board = document.createElement("hm-board");
 *     board.spots = { "1": { card: "5S", count: 8 }, … };   // card null and count 7: the next is face down
 *     board.selected = ["1"];
 *     board.dimmed = new Set(["2"]);                        // the placement help
 *     board.note = "No more moves from here";               // a sentence in the hollow
 *     board.foot = graph;                                   // what stands there while there is nothing to say
 *     board.addEventListener("hm-tap", ({ detail }) => …);  // detail.spot
 *     board.addEventListener("hm-drop", ({ detail }) => …); // detail.from, .to: one card dragged onto another
 */

import { arc } from "../arc.js";
import { SPOTS } from "../cards.js";
import { el, send, setText } from "../dom.js";
import { listenForDrags } from "../dragging.js";
import { moonSky } from "../drawing.js";
import { fly, shake, turnOver } from "../motion.js";
import { nearest } from "../nearest.js";
import { spotWords } from "../speech.js";
import { cardName, t } from "../words.js";
import { HmCard } from "./hm-card.js";

/** @typedef {import("../play.js").Shown} Shown */
/** @typedef {{button: HTMLButtonElement, card: HmCard, number: HTMLElement, count: HTMLElement}} Spot */

/** Within this time a click may be the second half of a double click. */
const DOUBLE_MS = 400;

export class HmBoard extends HTMLElement {
  /** @type {Map<string, Spot>} */
  #spots = new Map();
  #sky = moonSky();
  #note = el("p", { class: "note", role: "status" });
  #noteText = el("span");
  #foot = el("div", { class: "foot" });
  #resized = new ResizeObserver(() => this.#layOut());
  /** @type {ReturnType<typeof arc> | null} */
  #arc = null;
  /** @type {Record<string, Shown>} */
  #shown = {};
  /** When a card last turned up on each spot. @type {Map<string, number>} */
  #turnedAt = new Map();
  #off = new AbortController();

  connectedCallback() {
    if (this.#spots.size === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.addEventListener("click", (event) => this.#clicked(event), { signal });
    this.addEventListener("keydown", (event) => this.#pressed(event), { signal });
    this.addEventListener("focusin", (event) => this.#rove(spotOf(event)), { signal });
    listenForDrags(this, spotOf, (spot) => this.#draggable(spot), (from, to) => send(this, "drop", { from, to }), signal);
    this.#resized.observe(this);
  }

  disconnectedCallback() {
    this.#off.abort();
    this.#resized.disconnect();
  }

  set spots(/** @type {Record<string, Shown>} */ shown) {
    const before = this.#shown;
    this.#shown = shown;
    if (this.#spots.size === 0) this.#build();
    for (const [name, spot] of this.#spots) this.#show(name, spot, before[name], shown[name]);
  }

  set selected(/** @type {string[]} */ selected) {
    for (const [name, { button }] of this.#spots) {
      const isSelected = selected.includes(name);
      button.classList.toggle("selected", isSelected);
      button.setAttribute("aria-pressed", String(isSelected));
    }
  }

  set dimmed(/** @type {Set<string>} */ dimmed) {
    for (const [name, { button }] of this.#spots) button.classList.toggle("dimmed", dimmed.has(name));
  }

  set note(/** @type {string} */ note) {
    setText(this.#noteText, note);
    this.#note.classList.toggle("empty", note === "");
  }

  set foot(/** @type {HTMLElement} */ foot) {
    this.#foot.replaceChildren(foot);
  }

  /** The cards of these spots leave. @param {string[]} spots */
  fly(spots) {
    fly(this, this.#cardsOf(spots));
  }

  /** The cards of these spots were refused. @param {string[]} spots */
  shake(spots) {
    this.#cardsOf(spots).forEach(shake);
  }

  /** Brings the focus to a spot. @param {string} spot */
  focusSpot(spot) {
    this.#spots.get(spot)?.button.focus();
  }

  /** @param {string} spot */
  #draggable(spot) {
    return !this.inert && this.#shown[spot]?.card ? (this.#spots.get(spot)?.card ?? null) : null;
  }

  /** The table is one stop of the tab key: the spot where one was. @param {string | null} spot */
  #rove(spot) {
    if (spot === null) return;
    for (const [name, { button }] of this.#spots) button.tabIndex = name === spot ? 0 : -1;
  }

  /** @param {string[]} spots */
  #cardsOf(spots) {
    return spots.flatMap((name) => this.#spots.get(name)?.card ?? []);
  }

  #build() {
    this.#note.append(this.#noteText);
    this.#note.classList.add("empty");
    const buttons = SPOTS.map((name) => this.#buildSpot(name));
    this.append(this.#sky.element, ...buttons, this.#note, this.#foot);
    this.#rove(SPOTS[0]);
  }

  /** @param {string} name */
  #buildSpot(name) {
    const card = new HmCard();
    card.face = null;
    const number = el("b", {}, name);
    const count = el("span");
    const label = el("span", { class: "label", "aria-hidden": "true" }, number, count);
    const kind = name.startsWith("R") ? "spot" : "spot pile";
    const button = el("button", { type: "button", class: kind, "data-spot": name, "aria-pressed": "false" }, card, label);
    this.#spots.set(name, { button, card, number, count });
    return button;
  }

  /** @param {string} name @param {Spot} spot @param {Shown | undefined} before @param {Shown} now */
  #show(name, { button, card, count }, before, now) {
    const face = now.card ?? (now.count > 0 ? "back" : null);
    const isTurning = before !== undefined && face !== null && face !== "back" && card.face !== face;
    card.face = face;
    if (isTurning) {
      this.#turnedAt.set(name, performance.now());
      turnOver(card);
    }
    button.style.setProperty("--under", String(Math.max(0, now.count - 1)));
    button.classList.toggle("gone", face === null);
    setText(count, name.startsWith("R") ? "" : ` · ${now.count}`);
    button.setAttribute("aria-label", spotName(name, now));
  }

  #layOut() {
    const [width, height] = [this.clientWidth, this.clientHeight];
    if (width === 0 || height === 0) return;
    this.#arc = arc(width, height);
    const { card, label, spots, note, moon } = this.#arc;
    this.style.setProperty("--w", `${card}px`);
    this.style.setProperty("--label", `${label}px`);
    this.#sky.draw(width, height, moon);
    for (const [name, { button }] of this.#spots) {
      button.style.left = `${spots[name].x}px`;
      button.style.top = `${spots[name].y}px`;
    }
    for (const { style } of [this.#note, this.#foot]) {
      Object.assign(style, {
        left: `${note.x}px`, top: `${note.y}px`, width: `${note.width}px`, height: `${note.height}px`,
      });
    }
  }

  /** The second half of a double click doesn't mean the card that has just turned up. @param {MouseEvent} event */
  #clicked(event) {
    const spot = spotOf(event);
    if (spot === null) return;
    const isNew = performance.now() - (this.#turnedAt.get(spot) ?? -Infinity) < DOUBLE_MS;
    if (event.detail < 2 || !isNew) send(this, "tap", { spot });
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const spot = spotOf(event);
    if (spot === null || this.#arc === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nearest(this.#arc.spots, spot, event.key);
    if (next === null) return;
    event.preventDefault();
    this.focusSpot(next);
  }
}

/** @param {Event} event @returns {string | null} */
function spotOf(event) {
  const button = event.target instanceof Element ? event.target.closest("[data-spot]") : null;
  return button?.getAttribute("data-spot") ?? null;
}

/** A spot in words, for who hears it. @param {string} name @param {Shown} shown */
function spotName(name, { card, count }) {
  const isReserve = name.startsWith("R");
  const spot = spotWords(name);
  if (card === null) return t(count > 0 ? "spot.turning" : "spot.empty", { spot });
  return isReserve ? t("spot.single", { spot, card: cardName(card) }) : t("spot.cards", { spot, card: cardName(card), count });
}

customElements.define("hm-board", HmBoard);
