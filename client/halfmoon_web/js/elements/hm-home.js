/**
 * The first screen: what this game is, in one picture, and the ways in.
 *
 *     const home = document.createElement("hm-home");
 *     home.values = { name: "Kata", room: "H4K7P" };    // what is known already; a room makes joining the main way, `watches` watching
 *     home.invitation = { title: "Anna's room", … };    // what is known of that room by now, or of the one where one sits
 *     home.trouble = { text: "There is no such room.", of: "room" };
 *     home.busy = true;
 *     home.addEventListener("hm-create", ({ detail }) => …);   // detail.name
 *     home.addEventListener("hm-alone", ({ detail }) => …);    // detail.name, which may be ""
 *     home.addEventListener("hm-someone-else", () => …);      // shown where a name is known
 *     home.addEventListener("hm-join", ({ detail }) => …);     // detail.name, .room, .as
 */

import { el, send, setText } from "../dom.js";
import { isEntryCode, lookAlikes, otherPageOf, roomOf } from "../links.js";
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
  #roomLabel = el("label", { for: "room" });
  #coming = el("div", { class: "pairwise" }, this.#join, this.#watch);
  #inviteTitle = el("p", { class: "invite-title" });
  #inviteLine = el("p", { class: "muted" });
  #back = el("button", { type: "button", class: "main" });
  #invite = el("section", { class: "invitation", role: "status" }, this.#inviteTitle, this.#inviteLine, this.#back);
  #trouble = el("p", { class: "trouble", role: "alert" });
  #ways = el("form", { class: "ways panel", novalidate: true });
  #isFilled = false;
  #watches = false;
  /** The room of the link. */
  #given = "";
  /** @type {import("../inviting.js").Invitation | null} */
  #invitation = null;
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
    this.#back.addEventListener("click", () => this.#goBack(), { signal });
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
    this.#room.value = this.#given = room;
    this.#someoneElse.hidden = name === "";
    this.#weigh();
    if (room !== "") this.#ways.append(this.#joining, el("hr"), this.#opening);
    else this.#ways.append(this.#opening, el("hr"), this.#joining);
  }

  /** What is told of the room of the link, or of the one where one sits; null while nothing is known. */
  set invitation(/** @type {import("../inviting.js").Invitation | null} */ invitation) {
    const before = this.#invitation;
    this.#invitation = invitation;
    this.#invite.classList.toggle("dead", invitation?.isDead ?? false);
    setText(this.#inviteTitle, invitation?.title ?? "");
    setText(this.#inviteLine, invitation?.line ?? "");
    this.#back.hidden = !invitation?.back;
    setText(this.#back, invitation?.back?.words ?? "");
    // Where it is known which room, nobody has to be shown its name to type.
    const isGiven = invitation !== null && this.#given === invitation.room;
    if (isGiven && invitation.isDead && !before?.isDead) this.#leadElsewhere();
    const isOffered = isGiven && !invitation.isDead;
    if (isOffered && before === null) this.#awaitName();
    this.#roomLabel.hidden = this.#room.hidden = isOffered;
    this.#coming.hidden = isOffered && invitation.back !== null;
    this.#join.hidden = isOffered && !invitation.joins;
    this.#watch.hidden = isOffered && !invitation.watches;
    this.#weigh();
  }

  /** What is wrong, and with which field. */
  set trouble(/** @type {{text: string, of: "name" | "room"}} */ { text, of }) {
    if (text === this.#trouble.textContent) return;
    (of === "room" && !this.#room.hidden ? this.#room : this.#name).after(this.#trouble);
    setText(this.#trouble, text);
    if (text !== "") this.#trouble.scrollIntoView({ block: "nearest" });
  }

  set busy(/** @type {boolean} */ busy) {
    for (const button of [this.#create, this.#alone, this.#join, this.#watch, this.#back]) button.disabled = busy;
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
    this.#roomLabel.textContent = t("home.room");
    this.#back.hidden = true;
    this.#ways.append(this.#invite, el("div", { class: "label-line" }, el("label", { for: "name" }, t("home.name")), this.#someoneElse), this.#name, this.#trouble);
    this.#opening.append(this.#create, this.#alone, el("a", { class: "daily-link", href: "/daily" }, t("home.daily")));
    this.#joining.append(this.#roomLabel, this.#room, this.#coming);
  }

  /** One main way: back to where one sits, joining where a room is given, else a new room. */
  #weigh() {
    const joins = this.#room.value.trim() !== "" && !(this.#join.hidden && this.#watch.hidden);
    const watches = joins && !this.#watch.hidden && (this.#watches || this.#join.hidden);
    const isIn = Boolean(this.#invitation?.back);
    const main = isIn && (!joins || this.#coming.hidden) ? this.#back : !joins ? this.#create : watches ? this.#watch : this.#join;
    for (const button of [this.#back, this.#create, this.#join, this.#watch]) {
      button.classList.toggle("main", button === main);
      // Enter presses the main way.
      button.type = button === main ? "submit" : "button";
    }
    this.#watch.classList.toggle("quiet", main !== this.#watch);
  }

  /** Only the name is still to be typed: where that brings up no keyboard over the invitation, at once. */
  #awaitName() {
    const isIdle = document.activeElement === document.body && this.#name.value === "";
    if (isIdle && matchMedia("(pointer: fine)").matches) this.#name.focus();
  }

  /** The room of the link isn't to be had: the ways that are come first. */
  #leadElsewhere() {
    this.#room.value = this.#given = "";
    this.#ways.append(this.#opening, /** @type {Element} */ (this.#ways.querySelector("hr")), this.#joining);
  }

  #goBack() {
    const { back, room } = this.#invitation ?? {};
    if (back && room) send(this, "join", { name: this.#name.value.trim(), room, as: back.as });
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
    // Alone there is nobody who would have to know one by name.
    const name = way === "alone" ? this.#name.value.trim() : this.#nameOrAsk();
    if (name !== null) send(this, way, { name });
  }

  /** @param {"player" | "spectator"} as */
  #goIn(as) {
    const page = otherPageOf(this.#room.value);
    if (page !== null) return location.assign(page);
    const room = roomOf(this.#room.value);
    const letters = lookAlikes(this.#room.value);
    if (room === null || letters !== "") return this.#complainOfRoom(room, letters);
    // Who only watches is seen by nobody, and needs no name.
    const name = as === "spectator" ? this.#name.value.trim() : this.#nameOrAsk();
    if (name !== null) send(this, "join", { name, room, as });
  }

  /** @param {string | null} room @param {string} letters */
  #complainOfRoom(room, letters) {
    this.#room.focus();
    const { value } = this.#room;
    const none = value.trim() === "" ? "no_room" : isEntryCode(value) ? "entry_code" : "no_room_id";
    const text = room === null ? t(`error.${none}`) : t("error.look_alike", { letters });
    this.trouble = { text, of: "room" };
  }

  #nameOrAsk() {
    const name = this.#name.value.trim();
    if (name !== "") return name;
    this.#name.focus();
    this.trouble = { text: t("error.no_name"), of: "name" };
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
