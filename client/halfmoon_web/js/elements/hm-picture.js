/**
 * The table as a picture: what the game is, in one look.  Nothing on it can be pressed.
 *
 *     const picture = document.createElement("hm-picture");
 *     picture.data = { spots: { "1": { card: "4H", count: 6 }, … }, lifted: ["5", "12"], note: "5 + 6 = 11" };
 */

import { arc } from "../arc.js";
import { el } from "../dom.js";
import { moonSky } from "../drawing.js";
import { HmCard } from "./hm-card.js";

/** @typedef {{spots: Record<string, {card: string | null, count: number}>, lifted: string[], note: string}} PictureData */

export class HmPicture extends HTMLElement {
  #sky = moonSky();
  #note = el("p", { class: "note" });
  /** @type {Map<string, HTMLElement>} */
  #cards = new Map();
  #resized = new ResizeObserver(() => this.#layOut());

  connectedCallback() {
    this.setAttribute("aria-hidden", "true");
    this.#resized.observe(this);
  }

  disconnectedCallback() {
    this.#resized.disconnect();
  }

  set data(/** @type {PictureData} */ { spots, lifted, note }) {
    for (const [name, { card, count }] of Object.entries(spots)) {
      const drawn = new HmCard();
      drawn.face = card;
      const kind = name.startsWith("R") ? "spot" : "spot pile";
      const spot = el("span", { class: `${kind}${card === null ? " gone" : ""}${lifted.includes(name) ? " selected" : ""}` }, drawn);
      spot.style.setProperty("--under", String(Math.max(0, count - 1)));
      this.#cards.set(name, spot);
    }
    this.#note.replaceChildren(el("span", {}, note));
    this.replaceChildren(this.#sky.element, ...this.#cards.values(), this.#note);
  }

  #layOut() {
    const [width, height] = [this.clientWidth, this.clientHeight];
    if (width === 0 || height === 0) return;
    const { card, label, spots, note, moon } = arc(width, height);
    this.style.setProperty("--w", `${card}px`);
    this.style.setProperty("--label", `${label}px`);
    this.#sky.draw(width, height, moon);
    for (const [name, spot] of this.#cards) {
      spot.style.left = `${spots[name].x}px`;
      spot.style.top = `${spots[name].y}px`;
    }
    Object.assign(this.#note.style, {
      left: `${note.x}px`, top: `${note.y}px`, width: `${note.width}px`, height: `${note.height}px`,
    });
  }
}

customElements.define("hm-picture", HmPicture);
