/**
 * One racer's board, small, as those who watch may see it; press it to follow that racer.
 *
 *     const watched = document.createElement("hm-watched");
 *     watched.data = { room, line, rank: 2 };
 *     watched.addEventListener("hm-follow", ({ detail }) => …);   // detail.player
 */

import { arc } from "../arc.js";
import { SPOTS } from "../cards.js";
import { el, send } from "../dom.js";
import { shownOn } from "../watching.js";
import { t } from "../words.js";
import { HmCaption, lagWords } from "./hm-caption.js";
import { HmCard } from "./hm-card.js";

/** @typedef {import("./hm-caption.js").Seat} Seat */
/** @typedef {{place: HTMLElement, card: HmCard}} Spot */

/** On a narrower card only rank and suit are drawn, as large as can be. */
const PLAIN_BELOW = 44;
/** So long the spots of the last action are marked. */
export const LATELY_MS = 1_600;

export class HmWatched extends HTMLElement {
  #caption = new HmCaption();
  #table = el("span", { class: "little-table" });
  #button = el("button", { type: "button", class: "seat" }, this.#caption, this.#table);
  /** @type {Map<string, Spot>} */
  #spots = new Map();
  #resized = new ResizeObserver(() => this.#layOut());
  #marks = new LatelyMarks((spot) => this.#spots.get(spot)?.place);
  #player = "";
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    this.#button.addEventListener("click", () => send(this, "follow", { player: this.#player }), { signal: this.#off.signal });
    this.#resized.observe(this.#table);
  }

  disconnectedCallback() {
    this.#off.abort();
    this.#resized.disconnect();
  }

  set data(/** @type {Seat} */ { room, line, rank }) {
    const board = room.boards?.[line.player];
    if (!board) return;
    if (this.#spots.size === 0) this.#build();
    this.#player = line.player;
    this.#caption.data = { room, line, rank };
    const shown = shownOn(board);
    for (const [name, spot] of this.#spots) show(spot, shown[name]);
    this.#marks.show(room, line.player);
    this.#button.setAttribute("aria-label", [t("watch.follow", { name: line.name }),
      t("watch.stand", { rank, score: line.score, state: t(`status.${line.status}`) }), lagWords(room, line)].join(" "));
    this.dataset.status = line.status;
  }

  #build() {
    for (const name of SPOTS) {
      const card = new HmCard();
      card.face = null;
      const place = el("span", { class: name.startsWith("R") ? "spot" : "spot pile", "data-spot": name }, card);
      this.#spots.set(name, { place, card });
      this.#table.append(place);
    }
    this.append(this.#button);
  }

  #layOut() {
    const [width, height] = [this.#table.clientWidth, this.#table.clientHeight];
    if (width === 0 || height === 0) return;
    const { card: size, spots } = arc(width, height, true);
    this.style.setProperty("--w", `${size}px`);
    for (const [name, { place, card }] of this.#spots) {
      card.plain = size < PLAIN_BELOW;
      place.style.left = `${spots[name].x}px`;
      place.style.top = `${spots[name].y}px`;
    }
  }
}

/** @param {Spot} spot @param {import("../play.js").Shown} now */
function show({ place, card }, now) {
  card.face = now.card ?? (now.count > 0 ? "back" : null);
  place.style.setProperty("--under", String(Math.max(0, now.count - 1)));
  place.classList.toggle("gone", now.count === 0);
}

/** Marks where the last action on a board was, for a moment. */
export class LatelyMarks {
  #player = "";
  #turn = -1;
  #placeOf;

  /** @param {(spot: string) => Element | null | undefined} placeOf */
  constructor(placeOf) {
    this.#placeOf = placeOf;
  }

  /** @param {import("../room.js").Room} room @param {string} player @returns {string[]} the spots that are newly marked */
  show(room, player) {
    const turn = room.boards?.[player]?.turn ?? 0;
    const lately = room.lately?.[player];
    const isNew = player === this.#player && turn > this.#turn && lately?.turn === turn;
    this.#player = player;
    this.#turn = turn;
    if (!isNew) return [];
    for (const spot of lately.spots) this.#mark(spot);
    return lately.spots;
  }

  /** @param {string} spot */
  #mark(spot) {
    const place = this.#placeOf(spot);
    if (!place) return;
    place.classList.add("lately");
    setTimeout(() => place.classList.remove("lately"), LATELY_MS);
  }
}

customElements.define("hm-watched", HmWatched);
