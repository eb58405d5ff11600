/**
 * Claims to print and cut out: a code each, the name below, and how to get in without a camera.
 *
 *     const sheet = document.createElement("hm-sheet");
 *     sheet.data = { title: "Class 7b", cards: [{ name: "Anna", claim: "8JWM-…", code }], isLocal: false, address: "play.example/t/T4KQ9" };
 */

import { el } from "../dom.js";
import { drawn } from "../qrdrawing.js";
import { t } from "../words.js";

/** @typedef {{name: string, claim: string, code: import("../qrdrawing.js").QrCode}} Card */

export class HmSheet extends HTMLElement {
  set data(/** @type {{title: string, cards: Card[], isLocal: boolean, address: string}} */ { title, cards, isLocal, address }) {
    const warning = isLocal ? [el("p", { class: "sheet-warning" }, t("lobby.link_local"))] : [];
    this.replaceChildren(...warning, ...cards.map(({ name, claim, code }) =>
      el("article", { class: "claim-card" }, el("small", {}, title), drawn(code, t("people.code_of", { name })), el("strong", {}, name),
        el("small", {}, t("sheet.or", { address })), el("code", {}, claim))));
  }
}

customElements.define("hm-sheet", HmSheet);
