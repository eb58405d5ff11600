/**
 * Who plays a board that is watched: rank, sign, name, score, and how things stand.
 *
 *     const caption = document.createElement("hm-caption");
 *     caption.data = { room, line, rank: 2 };
 */

import { el, setText } from "../dom.js";
import { signShape } from "../drawing.js";
import { signOf } from "../ranking.js";
import { lagOf } from "../watching.js";
import { t } from "../words.js";

/** @typedef {{room: import("../room.js").Room, line: import("../room.js").Player, rank: number}} Seat */

export class HmCaption extends HTMLElement {
  #rank = el("span", { class: "place" });
  #sign = el("span", { class: "sign-place" });
  #name = el("bdi");
  #score = el("span", { class: "points" });
  #state = el("span", { class: "state" });
  #lag = el("span", { class: "lag" });

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.append(this.#rank, this.#sign, this.#name, this.#score, el("small", {}, this.#state, this.#lag));
  }

  set data(/** @type {Seat} */ { room, line, rank }) {
    const sign = signOf(room, line.player);
    if (this.#sign.dataset.sign !== String(sign)) {
      this.#sign.dataset.sign = String(sign);
      this.#sign.replaceChildren(signShape(sign));
    }
    const lag = lagOf(room, line);
    setText(this.#rank, String(rank));
    setText(this.#name, line.name);
    setText(this.#score, String(line.score));
    setText(this.#state, stateWords(line, lag > 0));
    setText(this.#lag, lag > 0 ? t("watch.lag", { count: lag }) : "");
    this.dataset.status = line.status;
  }
}

/** That somebody races goes without saying; what lags needs the room. @param {Seat["line"]} line @param {boolean} isLagging */
function stateWords({ status, moves, ghost }, isLagging) {
  const races = status === "racing";
  const words = [ghost !== undefined && t("person.ghost"), !races && t(`status.${status}`), (races || !isLagging) && t("score.moves", { count: moves })];
  return words.filter((text) => text !== false).join(" · ");
}

/** By how many actions the board is behind, where it is, for the ear. @param {Seat["room"]} room @param {Seat["line"]} line */
export function lagWords(room, line) {
  const lag = lagOf(room, line);
  return lag === 0 ? "" : t("watch.lag_spoken", { count: lag });
}

customElements.define("hm-caption", HmCaption);
