/**
 * The ranking alone, on nothing, to be laid over a picture.
 *
 *     const overlay = document.createElement("hm-overlay");
 *     overlay.serverNow = () => clock.serverNow();
 *     overlay.data = { room, address: "play.example/r/H4K7P", trouble: "" };   // room null while there is none
 */

import { el, setText } from "../dom.js";
import { linkToRace } from "../links.js";
import { replayedIn } from "../offering.js";
import { t } from "../words.js";
import { HmScoreboard } from "./hm-scoreboard.js";
import { HmWallclock } from "./hm-wallclock.js";

export class HmOverlay extends HTMLElement {
  #clock = new HmWallclock();
  #scoreboard = new HmScoreboard();
  #address = el("p", { class: "muted" });
  /** Who looks on has no other way to the replay than to type it. */
  #replay = el("p", { class: "muted" });

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#clock, this.#scoreboard, this.#address, this.#replay);
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
    const race = replayedIn(room);
    this.#replay.hidden = race === undefined;
    if (race !== undefined) setText(this.#replay, t("overlay.replay", { address: linkToRace(address.slice(0, address.indexOf("/")), race) }));
    this.#clock.data = { room };
    this.#scoreboard.data = { room, me: "" };
  }
}

customElements.define("hm-overlay", HmOverlay);
