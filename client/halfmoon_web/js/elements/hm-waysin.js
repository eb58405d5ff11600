/**
 * How people come in and where everybody looks: the link, its QR code, the wall for the projector.
 *
 *     const ways = document.createElement("hm-waysin");
 *     ways.data = { tournament, origin: "http://192.168.1.20:8080" };
 */

import { el, setText } from "../dom.js";
import { tournamentPath } from "../links.js";
import { t } from "../words.js";
import { HmCopy } from "./hm-copy.js";

export class HmWaysin extends HTMLElement {
  #words = el("p", { class: "muted" });
  #link = new HmCopy();
  #qr = el("img", { class: "qr", alt: t("twall.qr"), width: "132", height: "132" });
  #wall = el("a", { target: "_blank", rel: "noopener" }, t("ways.wall"));

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#words, this.#link, this.#qr, this.#wall);
  }

  set data(/** @type {{tournament: import("../tournament.js").Tournament, origin: string}} */ { tournament, origin }) {
    setText(this.#words, t(`ways.${tournament.entry}`));
    const path = tournamentPath(tournament.tournament);
    this.#link.value = { text: origin + path, label: t("lobby.copy_link") };
    if (this.#qr.getAttribute("src") !== `/qr${path}`) this.#qr.src = `/qr${path}`;
    this.#wall.href = `${path}/wall`;
  }
}

customElements.define("hm-waysin", HmWaysin);
