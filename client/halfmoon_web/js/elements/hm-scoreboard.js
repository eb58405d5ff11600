/**
 * The live ranking: each racer with sign and number, score, moves and how things stand.
 *
 *     const scoreboard = document.createElement("hm-scoreboard");
 *     scoreboard.data = { room, me: "p_…" };
 */

import { el, keyed, setText } from "../dom.js";
import { signShape } from "../drawing.js";
import { slide } from "../motion.js";
import { bestOf, liveOrder, signOf } from "../ranking.js";
import { t } from "../words.js";
import { HmReaction } from "./hm-reaction.js";

/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../room.js").Player} Player */

export class HmScoreboard extends HTMLElement {
  #heading = el("h2");
  #list = el("ol", { class: "rivals" });
  #aside = el("p", { class: "muted" });
  #order = "";
  /** Looks whether some of them are out of view. */
  #resized = new ResizeObserver(() => this.classList.toggle("more",
    this.scrollWidth > this.clientWidth + 1 || this.scrollHeight > this.clientHeight + 1));

  connectedCallback() {
    for (const part of [this, this.#list]) this.#resized.observe(part);
    if (this.childElementCount > 0) return;
    // On a phone the pills scroll sideways, which has to work by keyboard too.
    this.tabIndex = 0;
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", t("score.heading"));
    this.append(this.#heading, this.#list, this.#aside);
  }

  disconnectedCallback() {
    this.#resized.disconnect();
  }

  set data(/** @type {{room: Room, me: string}} */ { room, me }) {
    setText(this.#heading, t("score.heading"));
    const lines = room.state === "countdown" ? room.players.filter((line) => line.ready) : liveOrder(room);
    const order = lines.map((line) => line.player).join();
    const arrange = () => keyed(this.#list, lines, (line) => line.player, () => makeRow(room),
      (row, line, index) => updateRow(row, line, index, room, me));
    if (order === this.#order || this.#order === "") arrange();
    else slide(this.#list, arrange);
    this.#order = order;
    const waiting = room.players.length - lines.length;
    const words = [waiting > 0 && t("score.waiting", { count: waiting }), room.spectators > 0 && t("lobby.watching", { count: room.spectators })];
    setText(this.#aside, words.filter((text) => text !== false).join(" · "));
  }
}

/** @param {Room} room */
const makeRow = (room) =>
  el("li", { class: "rival", "data-race": room.race ?? "" }, el("span", { class: "place" }), el("span", { class: "sign-place" }),
    el("bdi"), el("span", { class: "points" }), el("small", {}, el("span", { class: "count" }), el("span", { class: "state" }), el("span", { class: "then" })),
    new HmReaction());

/** @param {HTMLElement} row @param {Player} line @param {number} index @param {Room} room @param {string} me */
function updateRow(row, line, index, room, me) {
  const [place, signPlace, name, points, small, reaction] = /** @type {HTMLElement[]} */ ([...row.children]);
  const sign = signOf(room, line.player);
  if (signPlace.dataset.sign !== String(sign)) {
    signPlace.dataset.sign = String(sign);
    signPlace.replaceChildren(signShape(sign));
  }
  const isMe = line.player === me;
  setText(place, String(index + 1));
  setText(name, isMe ? t("person.you") : line.name);
  setText(points, String(line.score));
  const [count, state, then] = /** @type {HTMLElement[]} */ ([...small.children]);
  setText(count, room.state === "countdown" ? "" : t("score.moves", { count: line.moves }));
  setText(state, stateWords(line));
  setText(then, line.ghost ? t("score.then") : "");
  if (reaction instanceof HmReaction && room.reaction?.player === line.player) reaction.called = room.reaction;
  row.classList.toggle("me", isMe);
  row.classList.toggle("away", !line.online);
  row.dataset.status = line.status;
}

/** How things stand, in words; that somebody races goes without saying. @param {Player} line */
function stateWords(line) {
  const best = bestOf(line);
  const words = [
    line.ghost !== undefined && t("person.ghost"),
    line.status !== "racing" && line.status !== "waiting" && t(`status.${line.status}`),
    best > line.score && t("score.best", { best }),
    !line.online && t("person.away"),
  ];
  return words.filter((text) => text !== false).join(" · ");
}

customElements.define("hm-scoreboard", HmScoreboard);
