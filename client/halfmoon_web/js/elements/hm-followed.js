/**
 * One racer's board, large, for those who watch.
 *
 *     const followed = document.createElement("hm-followed");
 *     followed.data = { room, line, rank: 2 };
 *     // hm-follow {player: null} for all boards · hm-step {by: -1 | 1} for another racer
 */

import { el, send } from "../dom.js";
import { shownOn } from "../watching.js";
import { t } from "../words.js";
import { HmBoard } from "./hm-board.js";
import { HmCaption } from "./hm-caption.js";
import { LatelyMarks } from "./hm-watched.js";

export class HmFollowed extends HTMLElement {
  #caption = new HmCaption();
  #board = new HmBoard();
  #all = el("button", { type: "button", class: "quiet" });
  #before = el("button", { type: "button", class: "round quiet" }, "‹");
  #after = el("button", { type: "button", class: "round quiet" }, "›");
  #marks = new LatelyMarks((spot) => this.#board.querySelector(`[data-spot="${spot}"]`));
  #moves = 0;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#all.addEventListener("click", () => send(this, "follow", { player: null }), { signal });
    this.#before.addEventListener("click", () => send(this, "step", { by: -1 }), { signal });
    this.#after.addEventListener("click", () => send(this, "step", { by: 1 }), { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {import("./hm-caption.js").Seat & {isOnly: boolean}} */ { room, line, rank, isOnly }) {
    const board = room.boards?.[line.player];
    if (!board) return;
    this.#caption.data = { room, line, rank };
    this.#all.hidden = this.#before.hidden = this.#after.hidden = isOnly;
    const spots = this.#marks.show(room, line.player);
    const isMove = board.moves > this.#moves;
    if (spots.length > 0 && isMove) this.#board.fly(spots);
    this.#moves = board.moves;
    this.#board.spots = shownOn(board);
  }

  #build() {
    this.#all.textContent = t("watch.all");
    this.#before.setAttribute("aria-label", t("watch.before"));
    this.#after.setAttribute("aria-label", t("watch.after"));
    this.#board.inert = true;
    this.append(el("div", { class: "follow-bar" }, this.#all, this.#before, this.#caption, this.#after), this.#board);
  }
}

customElements.define("hm-followed", HmFollowed);
