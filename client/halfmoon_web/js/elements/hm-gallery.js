/**
 * All boards at once, each as large as there is room for.
 *
 *     const gallery = document.createElement("hm-gallery");
 *     gallery.data = { room };             // or { room, most: 9 }
 *     gallery.flows = true;                // as high as its boards, in a page that scrolls
 *     gallery.scrolls = false;             // all boards are in view, however small that makes them
 *     gallery.addEventListener("hm-follow", ({ detail }) => …);   // detail.player
 */

import { el, keyed } from "../dom.js";
import { liveOrder } from "../ranking.js";
import { GAP, tiling } from "../tiling.js";
import { seatsShown } from "../watching.js";
import { HmWatched } from "./hm-watched.js";

/** One that flows takes so much of the window's height, if the boards can be read there. */
const FLOWING_HEIGHT = 0.72;

export class HmGallery extends HTMLElement {
  flows = false;
  scrolls = true;
  #tiles = el("div", { class: "tiles" });
  #resized = new ResizeObserver(() => this.#layOut());

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#tiles);
    this.#resized.observe(this);
  }

  disconnectedCallback() {
    this.#resized.disconnect();
  }

  set data(/** @type {{room: import("../room.js").Room, most?: number}} */ { room, most }) {
    const ranks = new Map(liveOrder(room).map((line, i) => [line.player, i + 1]));
    const before = this.#tiles.childElementCount;
    keyed(this.#tiles, seatsShown(room, most), (line) => line.player, () => new HmWatched(), (tile, line) => {
      if (tile instanceof HmWatched) tile.data = { room, line, rank: ranks.get(line.player) ?? 0 };
    });
    if (before !== this.#tiles.childElementCount) this.#layOut();
  }

  #layOut() {
    // Rounded up, as `clientWidth` may be, the last tile of a row would find no room in it.
    const width = Math.min(this.clientWidth, Math.floor(this.getBoundingClientRect().width));
    const height = this.flows ? innerHeight * FLOWING_HEIGHT : this.clientHeight;
    if (width === 0 || height === 0) return;
    const tile = tiling(this.#tiles.childElementCount, width, height, this.scrolls ? undefined : 0);
    this.style.setProperty("--gap", `${GAP}px`);
    this.style.setProperty("--tile-width", `${tile.width}px`);
    this.style.setProperty("--tile-height", `${tile.height}px`);
  }
}

customElements.define("hm-gallery", HmGallery);
