/**
 * The first screen: what this game is, in one picture, and the ways in.
 *
 *     const home = document.createElement("hm-home");
 *     home.values = { name: "Kata", room: "H4K7P" };    // what is known already; a room makes joining the main way, `watches` watching
 *     home.trouble = "There is no such room.";
 *     home.busy = true;
 *     home.addEventListener("hm-create", ({ detail }) => …);   // detail.name
 *     home.addEventListener("hm-alone", ({ detail }) => …);    // detail.name
 *     home.addEventListener("hm-someone-else", () => …);      // shown where a name is known
 *     home.addEventListener("hm-join", ({ detail }) => …);     // detail.name, .room, .as
 */

import { el, send, setText } from "../dom.js";
import { lookAlikes, roomOf } from "../links.js";
import { t } from "../words.js";

/** A name has so many characters at most, and a character is one or two of what a field counts. */
const MOST_NAME = 24;

export class HmHome extends HTMLElement {
  #name = el("input", { id: "name", maxlength: "48", autocomplete: "nickname", spellcheck: "false", required: true });
  #room = el("input", { id: "room", maxlength: "200", autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
  #create = el("button", { type: "button" });
  #alone = el("button", { type: "button" });
  #join = el("button", { type: "submit" });
  #watch = el("button", { type: "button", class: "quiet" });
  #someoneElse = el("button", { type: "button", class: "quiet link" });
  #opening = el("div", { class: "pairwise" });
  #joining = el("div", { class: "joining" });
  #trouble = el("p", { class: "trouble", role: "alert" });
  #ways = el("form", { class: "ways panel", novalidate: true });
  #isFilled = false;
  #watches = false;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#create.addEventListener("click", () => {
      // Enter in the field of the room presses this button, but means the room.
      if (document.activeElement === this.#room) this.#goIn("player");
      else this.#go("create");
    }, { signal });
    this.#join.addEventListener("click", () => this.#goIn("player"), { signal });
    this.#alone.addEventListener("click", () => this.#go("alone"), { signal });
    this.#watch.addEventListener("click", () => this.#goIn("spectator"), { signal });
    this.#someoneElse.addEventListener("click", () => this.#handOver(), { signal });
    this.#room.addEventListener("input", () => this.#weigh(), { signal });
    this.#name.addEventListener("input", (event) => event instanceof InputEvent && !event.isComposing && this.#shorten(), { signal });
    this.#name.addEventListener("compositionend", () => this.#shorten(), { signal });
    this.addEventListener("submit", (event) => event.preventDefault(), { signal });
    this.#weigh();
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  /** What the fields begin with, and which way comes first; what was typed since stays. */
  set values(/** @type {{name: string, room: string, watches?: boolean}} */ { name, room, watches = false }) {
    if (this.#isFilled) return;
    this.#watches = watches;
    this.#isFilled = true;
    this.#name.value = name;
    this.#room.value = room;
    this.#someoneElse.hidden = name === "";
    this.#weigh();
    if (room !== "") this.#ways.append(this.#joining, el("hr"), this.#opening);
    else this.#ways.append(this.#opening, el("hr"), this.#joining);
  }

  set trouble(/** @type {string} */ trouble) {
    if (trouble === this.#trouble.textContent) return;
    setText(this.#trouble, trouble);
    if (trouble !== "") this.#trouble.scrollIntoView({ block: "nearest" });
  }

  set busy(/** @type {boolean} */ busy) {
    for (const button of [this.#create, this.#alone, this.#join, this.#watch]) button.disabled = busy;
  }

  #build() {
    this.#create.textContent = t("home.create");
    this.#alone.textContent = t("home.alone");
    this.#join.textContent = t("home.join");
    this.#watch.textContent = t("home.watch");
    this.append(
      // The picture comes when its drawing is there; its place is kept.
      el("section", { class: "about" }, document.createElement("hm-glimpse"), explanation()),
      this.#ways,
    );
    this.#someoneElse.textContent = t("home.someone_else");
    this.#ways.append(el("div", { class: "label-line" }, el("label", { for: "name" }, t("home.name")), this.#someoneElse), this.#name, this.#trouble);
    this.#opening.append(this.#create, this.#alone, el("a", { class: "daily-link", href: "/daily" }, t("home.daily")));
    this.#joining.append(el("label", { for: "room" }, t("home.room")), this.#room,
      el("div", { class: "pairwise" }, this.#join, this.#watch));
  }

  /** One main way: joining where a room is given, else a new room. */
  #weigh() {
    const joins = this.#room.value.trim() !== "";
    this.#join.classList.toggle("main", joins && !this.#watches);
    this.#watch.classList.toggle("main", joins && this.#watches);
    this.#watch.classList.toggle("quiet", !joins || !this.#watches);
    this.#create.classList.toggle("main", !joins);
    // Enter presses the main way.
    this.#join.type = joins && !this.#watches ? "submit" : "button";
    this.#watch.type = joins && this.#watches ? "submit" : "button";
    this.#create.type = joins ? "button" : "submit";
  }

  #shorten() {
    const characters = [...this.#name.value];
    if (characters.length > MOST_NAME) this.#name.value = characters.slice(0, MOST_NAME).join("");
  }

  #handOver() {
    send(this, "someone-else");
    this.#name.value = "";
    this.#someoneElse.hidden = true;
    this.#name.focus();
  }

  /** @param {"create" | "alone"} way */
  #go(way) {
    const name = this.#nameOrAsk();
    if (name !== null) send(this, way, { name });
  }

  /** @param {"player" | "spectator"} as */
  #goIn(as) {
    const room = roomOf(this.#room.value);
    // Who only watches is seen by nobody, and needs no name.
    const name = as === "spectator" && this.#name.value.trim() === "" ? t("home.guest") : this.#nameOrAsk();
    if (name === null) return;
    const letters = lookAlikes(this.#room.value);
    if (room !== null && letters === "") return send(this, "join", { name, room, as });
    this.#room.focus();
    if (this.#room.value.trim() === "") this.trouble = t("error.no_room");
    else this.trouble = room === null ? t("error.no_room_id") : t("error.look_alike", { letters });
  }

  #nameOrAsk() {
    const name = this.#name.value.trim();
    if (name !== "") return name;
    this.#name.focus();
    this.trouble = t("error.no_name");
    return null;
  }
}

const explanation = () =>
  el("div", { class: "rules" },
    el("h1", { tabindex: "-1" }, t("home.title")),
    el("p", {}, t("home.pair")), el("p", {}, t("home.triple")), el("p", {}, t("home.race")),
    el("p", { class: "more-ways" }, el("a", { class: "record", href: "/me" }, t("home.me")), el("a", { class: "record", href: "/replay" }, t("home.record")),
      el("a", { class: "record", href: "/organiser" }, t("home.tournament"))));

customElements.define("hm-home", HmHome);
