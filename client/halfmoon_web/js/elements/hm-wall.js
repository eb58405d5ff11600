/**
 * A room for the projector: big, and nothing to press.
 *
 *     const wall = document.createElement("hm-wall");
 *     wall.serverNow = () => clock.serverNow();
 *     wall.data = { room, address: "play.example/r/H4K7P", trouble: "" };   // room null while there is none
 */

import { el, setText } from "../dom.js";
import { linkToRace } from "../links.js";
import { t } from "../words.js";
import { HmCountdown } from "./hm-countdown.js";
import { HmGallery } from "./hm-gallery.js";
import { HmGraph } from "./hm-graph.js";
import { HmNewsline } from "./hm-newsline.js";
import { HmScoreboard } from "./hm-scoreboard.js";
import { HmWallclock } from "./hm-wallclock.js";

/** @typedef {import("../room.js").Room} Room */

/** More can't be read from the last row of a hall. */
const MOST_BOARDS = 9;

export class HmWall extends HTMLElement {
  #title = el("h1");
  #clock = new HmWallclock();
  #scoreboard = new HmScoreboard();
  #graph = new HmGraph();
  #gallery = new HmGallery();
  #countdown = new HmCountdown();
  #newsline = new HmNewsline();
  #qr = el("img", { class: "qr", alt: "", hidden: true });
  #invite = el("p");
  #host = el("span");
  #path = el("span");
  #address = el("p", { class: "wall-address" }, this.#host, el("wbr"), this.#path);
  #trouble = el("p", { class: "wall-trouble", role: "status" });

  connectedCallback() {
    if (this.childElementCount > 0) return;
    // Without its picture the address still says where to go.
    this.#qr.addEventListener("load", () => (this.#qr.hidden = false));
    this.append(
      el("header", { class: "wall-head" }, this.#title, this.#newsline, this.#clock),
      el("div", { class: "wall-side" }, this.#scoreboard, this.#graph),
      el("div", { class: "wall-stage" }, this.#gallery, this.#countdown),
      el("div", { class: "wall-join" }, this.#qr, el("div", {}, this.#invite, this.#address)),
      this.#trouble);
  }

  set serverNow(/** @type {() => number} */ serverNow) {
    this.#countdown.serverNow = serverNow;
    this.#clock.serverNow = serverNow;
  }

  set data(/** @type {{room: Room | null, address: string, trouble: string}} */ { room, address, trouble }) {
    setText(this.#trouble, trouble);
    const host = address.slice(0, address.indexOf("/"));
    const replayed = room?.state === "over" && room.code !== undefined ? room.race : undefined;
    const path = replayed === undefined ? address.slice(host.length) : linkToRace("", replayed);
    setText(this.#host, host);
    setText(this.#path, path);
    setText(this.#invite, t(replayed === undefined ? "wall.join" : "wall.replay"));
    this.dataset.state = room?.state ?? "none";
    if (!room) return;
    this.#showQr(replayed === undefined ? `/r/${room.room}` : path, replayed === undefined ? "lobby.qr" : "wall.replay_qr");
    setText(this.#title, t(`wall.${room.state}`));
    this.#clock.data = { room };
    this.#countdown.startsAt = room.state === "countdown" ? room.starts_at : undefined;
    this.#scoreboard.data = { room: room.state === "lobby" ? asBeforeTheStart(room) : room, me: "" };
    this.#graph.data = { room };
    this.#newsline.data = { room };
    this.classList.toggle("with-boards", room.boards !== undefined);
    if (room.boards) this.#gallery.data = { room, most: MOST_BOARDS };
  }

  /** @param {string} path @param {"lobby.qr" | "wall.replay_qr"} words */
  #showQr(path, words) {
    const source = `/qr${path}`;
    if (this.#qr.getAttribute("src") === source) return;
    this.#qr.src = source;
    this.#qr.alt = t(words);
  }
}

/** In the lobby everybody who has come stands in the list. @param {Room} room @returns {Room} */
const asBeforeTheStart = (room) =>
  ({ ...room, state: "countdown", players: room.players.map((line) => ({ ...line, ready: true })) });

customElements.define("hm-wall", HmWall);
