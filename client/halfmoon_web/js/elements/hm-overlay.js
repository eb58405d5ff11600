/**
 * The ranking alone, on nothing, to be laid over a picture.
 *
 *     const overlay = document.createElement("hm-overlay");
 *     overlay.serverNow = () => clock.serverNow();
 *     overlay.data = { room, address: "play.example/r/H4K7P", trouble: "" };   // room null while there is none
 */

import { el, setText } from "../dom.js";
import { HmScoreboard } from "./hm-scoreboard.js";
import { HmWallclock } from "./hm-wallclock.js";

export class HmOverlay extends HTMLElement {
  #clock = new HmWallclock();
  #scoreboard = new HmScoreboard();
  #address = el("p", { class: "muted" });

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#clock, this.#scoreboard, this.#address);
  }

  set serverNow(/** @type {() => number} */ serverNow) {
    this.#clock.serverNow = serverNow;
  }

  set data(/** @type {{room: import("../room.js").Room | null, address: string, trouble: string}} */ { room, address }) {
    // A stream goes on without it rather than with an excuse.
    this.hidden = room === null;
    if (!room) return;
    this.dataset.state = room.state;
    setText(this.#address, address);
    this.#clock.data = { room };
    this.#scoreboard.data = { room, me: "" };
  }
}

customElements.define("hm-overlay", HmOverlay);
