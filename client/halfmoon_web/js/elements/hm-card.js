/**
 * A card's face, its back, or the place where none lies.  It knows no game.
 *
 *     const card = document.createElement("hm-card");
 *     card.face = "5S";     // a card; "back" for one face down; null for an empty place
 *     card.plain = true;    // a very small one: rank and suit only, as large as can be
 */

import { isCourt, isRed, rankOf, suitOf } from "../cards.js";
import { svg } from "../dom.js";
import { CRESCENT, medallion, suitMark } from "../drawing.js";
import { rankLetter } from "../words.js";

export class HmCard extends HTMLElement {
  /** @type {string | null | undefined} */
  #face;
  #isPlain = false;

  connectedCallback() {
    this.setAttribute("aria-hidden", "true");
  }

  get face() {
    return this.#face ?? null;
  }

  set face(face) {
    if (face === this.#face) return;
    this.#face = face;
    this.#draw();
  }

  set plain(/** @type {boolean} */ isPlain) {
    if (isPlain === this.#isPlain) return;
    this.#isPlain = isPlain;
    this.#draw();
  }

  #draw() {
    const face = this.face;
    const isFace = face !== null && face !== "back";
    this.dataset.kind = face === null ? "empty" : isFace ? (isRed(face) ? "red" : "black") : "back";
    if (isFace) this.dataset.suit = suitOf(face);
    else delete this.dataset.suit;
    const drawn = face === null ? [] : !isFace ? [drawBack()] : this.#isPlain ? drawPlain(face) : drawFace(face);
    this.replaceChildren(svg("svg", { viewBox: "0 0 100 140", focusable: "false" }, ...drawn));
  }
}

/** @param {string} card */
function drawFace(card) {
  const [rank, suit] = [rankOf(card), suitOf(card)];
  const index = drawIndex(rankLetter(rank));
  return isCourt(card)
    ? [index, suitMark(suit, 10, 45, 22), medallion(rank, 60, 98, 35)]
    : [index, suitMark(suit, 41, 78, 53)];
}

/** @param {string} card */
function drawPlain(card) {
  const letter = rankLetter(rankOf(card));
  const index = svg("text", { class: "index plain", x: 50, y: 67 }, letter);
  if (letter.length > 1) {
    index.setAttribute("textLength", "84");
    index.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  return [index, suitMark(suitOf(card), 22, 77, 56)];
}

/** @param {string} letter */
function drawIndex(letter) {
  const index = svg("text", { class: "index", x: 8, y: 37 }, letter);
  if (letter.length > 1) {
    index.setAttribute("textLength", "46");
    index.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  return index;
}

const drawBack = () =>
  svg("g", { class: "back" },
    svg("rect", { x: 7, y: 7, width: 86, height: 126, rx: 6 }),
    svg("path", { d: CRESCENT, transform: "translate(28 46) scale(.45)" }));

customElements.define("hm-card", HmCard);
