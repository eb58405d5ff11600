/**
 * A challenge: who challenges, by which rules, and how everybody did.
 *
 *     const challenge = document.createElement("hm-challenge");
 *     await challenge.open("H4K7PQRSTUVW");
 *     // hm-wish {name, wish}
 */

import "../resultwords.js";
import { placeOf } from "../address.js";
import { ask } from "../asking.js";
import { dealParts, wayBack, whoAmI } from "../contestparts.js";
import { dateWords } from "../dates.js";
import { el } from "../dom.js";
import { GHOSTS, signShape } from "../drawing.js";
import { linkToChallenge } from "../links.js";
import { t } from "../words.js";
import { HmContesttable } from "./hm-contesttable.js";
import { HmCopy } from "./hm-copy.js";
import { HmSetout } from "./hm-setout.js";

export class HmChallenge extends HTMLElement {
  /** @param {string} id */
  async open(id) {
    const path = `/api/challenges/${encodeURIComponent(id)}`;
    const [{ status, body }, me] = await Promise.all([ask(path), whoAmI()]);
    if (status !== 200) return this.#refuse(t(status === 404 ? "challenge.none" : "aside.unreachable"));
    const table = new HmContesttable();
    const isMine = body.player === me;
    this.replaceChildren(
      el("section", { class: "panel results" },
        el("h1", { tabindex: "-1" }, isMine ? t("challenge.mine") : t("challenge.title", { name: body.name })),
        el("p", { class: "muted" }, dateWords(body.made_at)), ...ghostLine(body), ...(isMine ? [await linkAgain(id)] : []), ...this.#ways(body, isMine, me), ...dealParts(body)),
      el("section", { class: "panel results" }, el("h2", {}, t("challenge.table")), table));
    table.data = { path, shown: body, me, shutWords: t("challenge.shut") };
  }

  /** @param {any} challenge @param {boolean} isMine @param {string} me */
  #ways({ challenge, sealed, played, room, results = [] }, isMine, me) {
    if (sealed && isMine) return [el("p", { class: "once" }, t("challenge.sealed_terms")), el("p", {}, t("challenge.sealed_mine"))];
    if (sealed && played) return [el("p", {}, t("challenge.played"))];
    if (room !== undefined) return [wayBack(room)];
    const setOut = new HmSetout();
    const hasRaced = results.some((/** @type {any} */ line) => line.player === me && line.ghost === undefined);
    const alone = { words: t(hasRaced ? "challenge.again" : "challenge.race"), wish: { starts: true, challenge } };
    setOut.ways = sealed ? [alone] : [alone, { words: t("challenge.together"), wish: { starts: false, challenge } }];
    return [el("p", { class: sealed ? "once" : "muted" }, t(sealed ? "challenge.once" : "challenge.words")), setOut];
  }

  /** @param {string} words */
  #refuse(words) {
    this.replaceChildren(el("section", { class: "panel results" }, el("h1", { tabindex: "-1" }, t("challenge.heading")), el("p", { role: "alert" }, words),
      el("p", {}, el("a", { class: "button", href: "/" }, t("aside.home")))));
  }
}

/** To be sent once more by who challenges. @param {string} id */
async function linkAgain(id) {
  const copy = new HmCopy();
  copy.value = { text: linkToChallenge((await placeOf(location)).origin, id), label: t("lobby.copy_link") };
  return copy;
}

/** Nobody races along out of an envelope. @param {{ghosts: string[], sealed: boolean}} challenge */
const ghostLine = ({ ghosts, sealed }) =>
  (ghosts.length === 0 ? [] : [el("p", { class: "ghost-line" }, signShape(GHOSTS), el("span", {}, t(sealed ? "challenge.ghosts_sealed" : "challenge.ghosts", { names: ghosts.join(", ") })))]);

customElements.define("hm-challenge", HmChallenge);
