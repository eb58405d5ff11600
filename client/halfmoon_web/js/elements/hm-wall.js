/**
 * A room for the projector: big, and nothing to press.
 *
 *     const wall = document.createElement("hm-wall");
 *     wall.serverNow = () => clock.serverNow();
 *     wall.data = { room, address: "play.example/r/H4K7P", isLocal: false, trouble: "" };   // room null while there is none
 */

import { showAddress } from "../addresses.js";
import { el, setText } from "../dom.js";
import { linkToRace } from "../links.js";
import { replayedIn } from "../offering.js";
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
  #local = el("p", { class: "wall-local" });
  #address = el("p", { class: "wall-address" });
  #lastQr = el("img", { class: "last-qr", alt: "", hidden: true });
  #lastAddress = el("p", { class: "wall-address" });
  /** The replay of the race before, while the next one is prepared. */
  #last = el("div", { class: "wall-last", hidden: true }, this.#lastQr, el("div", {}, el("p", {}, t("wall.last")), this.#lastAddress));
  #trouble = el("p", { class: "wall-trouble", role: "status" });

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.#gallery.scrolls = false;
    // Without its picture the address still says where to go.
    for (const qr of [this.#qr, this.#lastQr]) qr.addEventListener("load", () => (qr.hidden = false));
    this.append(
      el("header", { class: "wall-head" }, this.#title, this.#newsline, this.#clock),
      el("div", { class: "wall-side" }, this.#scoreboard, this.#graph),
      el("div", { class: "wall-stage" }, this.#gallery, this.#countdown),
      el("div", { class: "wall-join" }, this.#qr, el("div", {}, this.#invite, this.#address, this.#local), this.#last),
      this.#trouble);
  }

  set serverNow(/** @type {() => number} */ serverNow) {
    this.#countdown.serverNow = serverNow;
    this.#clock.serverNow = serverNow;
  }

  set data(/** @type {{room: Room | null, address: string, isLocal?: boolean, trouble: string}} */ { room, address, isLocal = false, trouble }) {
    setText(this.#local, isLocal ? t("lobby.link_local") : "");
    setText(this.#trouble, trouble);
    const host = address.slice(0, address.indexOf("/"));
    const offered = room === null ? undefined : replayedIn(room);
    const replayed = room?.state === "over" ? offered : undefined;
    const path = replayed === undefined ? address.slice(host.length) : linkToRace("", replayed);
    showAddress(this.#address, host + path);
    setText(this.#invite, t(replayed === undefined ? "wall.join" : "wall.replay"));
    this.dataset.state = room?.state ?? "none";
    if (!room) return;
    showQr(this.#qr, replayed === undefined ? `/r/${room.room}` : path, replayed === undefined ? "lobby.qr" : "wall.replay_qr");
    this.#offer(host, room.state === "lobby" ? offered : undefined);
    setText(this.#title, t(`wall.${room.state}`));
    this.#clock.data = { room };
    this.#countdown.startsAt = room.state === "countdown" ? room.starts_at : undefined;
    this.#scoreboard.data = { room: room.state === "lobby" ? asBeforeTheStart(room) : room, me: "" };
    this.#graph.data = { room };
    this.#newsline.data = { room };
    this.classList.toggle("with-boards", room.boards !== undefined);
    if (room.boards) this.#gallery.data = { room, most: MOST_BOARDS };
  }

  /** @param {string} host @param {string | undefined} race */
  #offer(host, race) {
    this.#last.hidden = race === undefined;
    if (race === undefined) return;
    showAddress(this.#lastAddress, linkToRace(host, race));
    showQr(this.#lastQr, linkToRace("", race), "wall.replay_qr");
  }
}

/** @param {HTMLImageElement} qr @param {string} path @param {"lobby.qr" | "wall.replay_qr"} words */
function showQr(qr, path, words) {
  const source = `/qr${path}`;
  if (qr.getAttribute("src") === source) return;
  qr.src = source;
  qr.alt = t(words);
}

/** In the lobby everybody who has come stands in the list. @param {Room} room @returns {Room} */
const asBeforeTheStart = (room) =>
  ({ ...room, state: "countdown", players: room.players.map((line) => ({ ...line, ready: true })) });

customElements.define("hm-wall", HmWall);
