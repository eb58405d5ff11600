/**
 * The information bar: time gone and left, score, moves, and the code of an open race or the seal of a sealed one.
 *
 *     const bar = document.createElement("hm-infobar");
 *     bar.serverNow = () => clock.serverNow();
 *     bar.data = { room };           // null clears it
 */

import { el, setText, svg } from "../dom.js";
import { shortSeal } from "../seals.js";
import { duration, t } from "../words.js";

const TICK_MS = 250;
/** From here on what is left is shown in another colour. */
const LAST_MS = 60_000;

export class HmInfobar extends HTMLElement {
  #time = stat();
  /** Where there is a limit. */
  #left = stat();
  #score = stat();
  #moves = stat();
  #code = el("span", { class: "code" });
  #watchers = el("span", { class: "watchers", "aria-hidden": "true" });
  #watched = el("span", { class: "watched" });
  #eyes = el("span", { class: "eyes", hidden: true }, eye(), this.#watchers, this.#watched);
  /** @type {import("../room.js").Room | null} */
  #room = null;
  /** @type {() => number} */
  serverNow = () => 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  connectedCallback() {
    if (this.childElementCount === 0) {
      this.#left.box.classList.add("left");
      this.append(this.#time.box, this.#left.box, this.#score.box, this.#moves.box, this.#eyes, this.#code);
    }
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  set data(/** @type {{room: import("../room.js").Room | null}} */ { room }) {
    this.#room = room;
    this.hidden = room?.state !== "countdown" && room?.state !== "racing";
    if (room === null) return;
    const board = room.you.board;
    this.#score.box.hidden = this.#moves.box.hidden = board === undefined;
    label(this.#score, t("bar.score"), String(board?.score));
    label(this.#moves, t("bar.moves"), String(board?.moves));
    const isOpen = room.code !== undefined;
    setText(this.#code, isOpen ? (room.code ?? "") : t("bar.sealed", { seal: shortSeal(room.seal) }));
    this.#code.title = isOpen ? t("bar.code_title") : t("bar.seal_title", { seal: room.seal });
    const { spectators: count, screens = 0 } = room;
    const seen = room.options.spectators === "open" && count + screens > 0;
    const words = !seen ? "" : count > 0 ? t("bar.watched", { count }) : t("bar.screen");
    setText(this.#watchers, count > 0 ? String(count) : "");
    setText(this.#watched, words);
    this.#eyes.title = words;
    this.#eyes.hidden = !seen;
    this.#tick();
  }

  #tick() {
    const room = this.#room;
    if (!room) return;
    const now = this.serverNow();
    const gone = room.starts_at === undefined ? 0 : Math.max(0, now - room.starts_at);
    label(this.#time, t("bar.time"), duration(gone));
    const left = leftOf(room, now);
    this.#left.box.hidden = left === null;
    this.#left.box.classList.toggle("last", room.state === "racing" && left !== null && left <= LAST_MS);
    if (left !== null) label(this.#left, t("bar.left"), duration(left + 999));
  }
}

/** How long the race may still go on, null without a limit. @param {import("../room.js").Room} room @param {number} now */
function leftOf({ ends_at, options }, now) {
  if (ends_at !== undefined) return Math.max(0, ends_at - now);
  return options.time_limit_ms;
}

/** That watchers see all cards has to be seen on the smallest screen. */
const eye = () =>
  svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: "M2 12C5 7 8.3 5 12 5C15.7 5 19 7 22 12C19 17 15.7 19 12 19C8.3 19 5 17 2 12Z" }), svg("circle", { cx: 12, cy: 12, r: 3 }));

const stat = () => {
  const name = el("small");
  const value = el("span", { class: "value" });
  return { box: el("span", { class: "stat" }, name, value), name, value };
};

/** @param {ReturnType<typeof stat>} of @param {string} name @param {string} value */
function label(of, name, value) {
  setText(of.name, name);
  setText(of.value, value);
}

customElements.define("hm-infobar", HmInfobar);
