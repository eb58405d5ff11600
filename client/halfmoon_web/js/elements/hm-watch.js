/**
 * The race for those who watch: all boards, or one of them large; the ranking, and what happens.
 *
 *     const watch = document.createElement("hm-watch");
 *     watch.data = { room, me: "p_…" };
 *     // the events of hm-actions
 */

import { el, setText } from "../dom.js";
import { isTakenElsewhere } from "../keys.js";
import { Layer } from "../layers.js";
import { liveOrder } from "../ranking.js";
import { MOST_BOARDS, lagOf, seatsShown } from "../watching.js";
import { t } from "../words.js";
import { HmActions } from "./hm-actions.js";
import { HmFollowed } from "./hm-followed.js";
import { HmGallery } from "./hm-gallery.js";
import { HmGraph } from "./hm-graph.js";
import { HmNewsline } from "./hm-newsline.js";
import { HmScoreboard } from "./hm-scoreboard.js";

/** @typedef {import("../room.js").Room} Room */
/** @typedef {{room: Room, me: string}} WatchData */

export class HmWatch extends HTMLElement {
  #title = el("h1", { class: "offscreen", tabindex: "-1" });
  #gallery = new HmGallery();
  #followed = new HmFollowed();
  #own = el("p", { class: "own-end", role: "status" });
  #newsline = new HmNewsline();
  #live = el("span", { class: "live-sign" });
  #terms = el("p", { class: "terms-line" });
  #scoreboard = new HmScoreboard();
  #graph = new HmGraph();
  #actions = new HmActions();
  /** Whose board is shown large; null for all. @type {string | null} */
  #player = null;
  /** @type {WatchData | null} */
  #data = null;
  #layer = new Layer(() => this.#follow(null));
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.addEventListener("hm-follow", (event) => event instanceof CustomEvent && this.#follow(event.detail.player), { signal });
    this.addEventListener("hm-step", (event) => event instanceof CustomEvent && this.#step(event.detail.by), { signal });
    this.#scoreboard.addEventListener("click", (event) => this.#pressed(event), { signal });
    document.addEventListener("keydown", (event) => this.#typed(event), { signal });
  }

  disconnectedCallback() {
    this.#layer.isOpen = false;
    this.#off.abort();
  }

  set data(/** @type {WatchData} */ data) {
    this.#data = data;
    this.#render(data);
  }

  #build() {
    this.#title.textContent = t("watch.title");
    this.#live.textContent = t("watch.live");
    this.append(this.#title,
      el("div", { class: "watch-stage" }, this.#own, this.#gallery, this.#followed, el("footer", { class: "watch-foot" }, this.#newsline, this.#terms, this.#live)),
      el("aside", { class: "side" }, this.#scoreboard, this.#graph, this.#actions));
  }

  /** @param {WatchData} data */
  #render({ room, me }) {
    const seats = seatsShown(room);
    const isOnly = seats.length === 1;
    const line = isOnly ? seats[0] : room.players.find((one) => one.player === this.#player && room.boards?.[one.player]);
    this.#layer.isOpen = line !== undefined && !isOnly;
    this.#gallery.hidden = line !== undefined;
    this.#followed.hidden = line === undefined;
    if (line) {
      const rank = liveOrder(room).findIndex((one) => one.player === line.player) + 1;
      this.#followed.data = { room, line, rank, isOnly };
    } else this.#gallery.data = { room };
    setText(this.#own, ownWords(room, me));
    setText(this.#terms, termsWords(room));
    this.#live.hidden = !isLive(room);
    this.classList.toggle("many", seats.length < Object.keys(room.boards ?? {}).length);
    this.#newsline.data = { room };
    this.#scoreboard.data = { room, me };
    this.#graph.data = { room };
    this.#actions.data = {
      plays: false, canUndo: false, undoAllowed: false, isDeadlocked: false, reactions: room.options.reactions === true,
    };
  }

  /** @param {string | null} player */
  #follow(player) {
    this.#player = player;
    if (this.#data) this.#render(this.#data);
  }

  /** @param {number} by */
  #step(by) {
    const seats = this.#data ? seatsShown(this.#data.room) : [];
    if (seats.length === 0) return;
    const at = seats.findIndex((line) => line.player === this.#player);
    const next = at < 0 ? (by > 0 ? 0 : seats.length - 1) : (at + by + seats.length) % seats.length;
    this.#follow(seats[next].player);
  }

  /** A line of the ranking leads to the board. @param {Event} event */
  #pressed(event) {
    const row = event.target instanceof Element ? event.target.closest(".rival") : null;
    const player = row?.getAttribute("data-key");
    if (player) this.#follow(player);
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    if (isTakenElsewhere(event) || event.ctrlKey || event.metaKey) return;
    const seats = this.#data ? seatsShown(this.#data.room) : [];
    if (event.key === "ArrowRight") this.#step(1);
    else if (event.key === "ArrowLeft") this.#step(-1);
    else if (event.key === "Escape" && this.#player !== null) this.#follow(null);
    else if (/^[1-9]$/.test(event.key) && seats[Number(event.key) - 1]) this.#follow(seats[Number(event.key) - 1].player);
    else return;
    event.preventDefault();
  }
}

/** @param {Room} room */
const isLive = ({ options }) => options.spectators === "open" && options.spectator_delay_ms === 0;

/** What may be seen, and why a board may lag, in a sentence. @param {Room} room */
function termsWords(room) {
  const { spectators, spectator_delay_ms: delay_ms } = room.options;
  const isLagging = room.players.some((line) => lagOf(room, line) > 0);
  const words = [
    spectators === "fair" && t(isLagging ? "watch.lags" : "watch.fair"),
    delay_ms > 0 && t("watch.delay", { count: Math.ceil(delay_ms / 1_000) }),
    Object.keys(room.boards ?? {}).length > MOST_BOARDS && t("watch.first", { count: MOST_BOARDS }),
  ];
  return words.filter((text) => text !== false).join(" ");
}

/** How one's own race ended, or that one plays in the next. @param {Room} room @param {string} me */
function ownWords(room, me) {
  const own = room.players.find((line) => line.player === me);
  if (!own) return "";
  if (own.status === "waiting") return t("race.waiting");
  if (own.status === "deadlocked") return t("race.deadlock_final");
  return own.status === "racing" ? "" : t(`race.done_${own.status}`, { score: own.score, best: own.best ?? own.score });
}

customElements.define("hm-watch", HmWatch);
