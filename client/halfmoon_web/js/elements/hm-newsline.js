/**
 * What has happened in a race that one watches: who leads now, who is deadlocked or done.  The newest comes first.
 *
 *     const newsline = document.createElement("hm-newsline");
 *     newsline.data = { room };
 */

import { el } from "../dom.js";
import { signShape } from "../drawing.js";
import { signOf } from "../ranking.js";
import { raceNews } from "../watching.js";
import { t } from "../words.js";

/** @typedef {import("../room.js").Room} Room */

const MOST = 3;

export class HmNewsline extends HTMLElement {
  #list = el("ol");
  /** @type {Room | null} */
  #seen = null;

  connectedCallback() {
    this.setAttribute("role", "status");
    if (this.childElementCount === 0) this.append(this.#list);
  }

  set data(/** @type {{room: Room}} */ { room }) {
    if (this.#seen?.race !== room.race) this.#list.replaceChildren();
    for (const { what, player, name } of raceNews(this.#seen, room)) {
      this.#list.prepend(el("li", { "data-what": what }, signShape(signOf(room, player)), el("span", {}, t(`watch.${what}`, { name }))));
    }
    while (this.#list.childElementCount > MOST) this.#list.lastElementChild?.remove();
    this.#seen = room;
  }
}

customElements.define("hm-newsline", HmNewsline);
