/**
 * Makes a challenge out of a race that one has finished, and hands its link over.
 *
 *     const challenging = document.createElement("hm-challenging");
 *     challenging.data = { race: "r_…", canSeal: true };   // whether nobody else can know the deal
 */

import "../resultwords.js";
import { placeOf } from "../address.js";
import { tell } from "../asking.js";
import { el, setText } from "../dom.js";
import { linkToChallenge } from "../links.js";
import { t } from "../words.js";
import { HmCopy } from "./hm-copy.js";

/** What it is said by that there is no challenge, by the status of the answer. */
const TROUBLE = new Map([
  [409, "challenge.known"],
  [429, "challenge.too_many"],
]);

export class HmChallenging extends HTMLElement {
  #sealed = el("input", { type: "checkbox", id: "challenge-sealed" });
  #sealing = el("div", { class: "sealing" });
  #make = el("button", { type: "button", class: "main" });
  #trouble = el("p", { class: "trouble", role: "alert" });
  #words = el("p", { class: "muted" });
  #madeWords = el("p", { role: "status" });
  #made = el("div", { class: "made-link", hidden: true });
  #link = new HmCopy();
  #local = el("p", { class: "muted" });
  #qr = el("img", { class: "qr", width: "132", height: "132", hidden: true });
  #page = el("a", { class: "button", target: "_blank", rel: "noopener" });
  #race = "";

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.#make.textContent = t("challenge.make");
    this.#words.textContent = t("challenge.make_words");
    this.#page.textContent = t("challenge.open");
    this.#qr.alt = t("challenge.qr");
    this.#sealing.append(el("label", { for: "challenge-sealed" }, this.#sealed, t("challenge.seal")), el("small", {}, t("challenge.seal_words")));
    this.#made.append(el("div", {}, this.#madeWords, this.#link, this.#local, this.#page), this.#qr);
    this.append(el("h2", {}, t("challenge.heading")), this.#words, this.#sealing, this.#make, this.#trouble, this.#made);
    this.#make.addEventListener("click", () => this.#tell());
    this.#qr.addEventListener("load", () => (this.#qr.hidden = false));
  }

  set data(/** @type {{race: string, canSeal: boolean}} */ { race, canSeal }) {
    this.#sealing.hidden = !canSeal;
    if (race === this.#race) return;
    this.#race = race;
    this.#sealed.checked = false;
    this.#made.hidden = true;
    this.#make.hidden = this.#words.hidden = false;
  }

  async #tell() {
    this.#make.disabled = true;
    const { status, body } = await tell("/api/challenges", { race: this.#race, sealed: this.#sealed.checked });
    this.#make.disabled = false;
    setText(this.#trouble, status === 201 ? "" : t(TROUBLE.get(status) ?? "challenge.failed"));
    if (status === 201) await this.#show(body.challenge);
  }

  /** @param {string} challenge */
  async #show(challenge) {
    const { origin, isLocal } = await placeOf(location);
    this.#link.value = { text: linkToChallenge(origin, challenge), label: t("lobby.copy_link") };
    setText(this.#local, isLocal ? t("lobby.link_local") : "");
    this.#qr.src = `/qr${linkToChallenge("", challenge)}`;
    this.#page.href = linkToChallenge("", challenge);
    setText(this.#madeWords, t(this.#sealed.checked ? "challenge.made_sealed" : "challenge.made"));
    this.#make.hidden = this.#sealing.hidden = this.#words.hidden = true;
    this.#made.hidden = false;
    this.#made.scrollIntoView({ block: "nearest" });
  }
}

customElements.define("hm-challenging", HmChallenging);
