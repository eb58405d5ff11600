/**
 * The race: one's own board, the rivals beside it, and what can be done.
 *
 *     const race = document.createElement("hm-race");
 *     race.serverNow = () => clock.serverNow();
 *     race.data = { room, me, hand, placementHelp: false, reason: null };
 *     // hm-tap {spot}, hm-drop {from, to} and the events of hm-actions
 */

import { SPOTS, exposedOn, fits } from "../cards.js";
import { el, setText } from "../dom.js";
import { shown } from "../play.js";
import { t } from "../words.js";
import { HmActions } from "./hm-actions.js";
import { HmBoard } from "./hm-board.js";
import { HmCountdown } from "./hm-countdown.js";
import { HmGraph } from "./hm-graph.js";
import { HmScoreboard } from "./hm-scoreboard.js";

/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../messages.js").Board} Board */
/**
 * @typedef {object} RaceData
 * @property {Room} room
 * @property {string} me
 * @property {import("../play.js").Hand} hand
 * @property {boolean} placementHelp
 * @property {string | null} reason why the last tap didn't fit, where the player wants to know
 */

/** Every card face down, as before the start. */
const FACE_DOWN = Object.fromEntries(SPOTS.map((spot) => [spot, { card: null, count: spot.startsWith("R") ? 1 : 8 }]));

/** Whether there is nobody to send a sign to. @param {import("../room.js").Room} room */
const isAlone = (room) => !room.spectators && room.players.filter((line) => !line.ghost).length < 2;

export class HmRace extends HTMLElement {
  #title = el("h1", { class: "offscreen", tabindex: "-1" });
  #board = new HmBoard();
  #countdown = new HmCountdown();
  #scoreboard = new HmScoreboard();
  #graph = new HmGraph();
  /** On a phone, which has no room for it beside. */
  #smallGraph = new HmGraph();
  #actions = new HmActions();
  #watching = el("p", { class: "watching-note" });
  #stage = el("div", { class: "stage" }, this.#board, this.#countdown, this.#watching);
  #side = el("aside", { class: "side" }, this.#scoreboard, this.#graph, this.#actions);

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.#title.textContent = t("race.title");
    this.#board.foot = this.#smallGraph;
    this.append(this.#title, this.#stage, this.#side);
  }

  set serverNow(/** @type {() => number} */ serverNow) {
    this.#countdown.serverNow = serverNow;
  }

  set data(/** @type {RaceData} */ data) {
    const { room, me, hand, reason } = data;
    const board = room.you.board;
    const self = room.players.find((line) => line.player === me);
    const best = self?.best ?? board?.score ?? 0;
    const plays = board?.status === "racing" || board?.status === "deadlocked";
    // Between `started` and `board` a racer has no board yet, but doesn't watch.
    const watches = room.state === "racing" && !board && self?.status !== "racing";
    this.classList.toggle("watching", watches);
    setText(this.#watching, t(self ? "race.waiting" : "race.watching"));
    this.#countdown.startsAt = room.state === "countdown" ? room.starts_at : undefined;
    this.#board.spots = board ? shown(hand, board) : FACE_DOWN;
    this.#board.selected = hand.selected;
    this.#board.dimmed = board && data.placementHelp ? dimmed(board, hand.selected) : new Set();
    this.#board.inert = !plays;
    this.#board.classList.toggle("resting", board !== undefined && !plays);
    this.#board.note = note(room, board, best, reason);
    this.#scoreboard.data = { room, me };
    this.#graph.data = this.#smallGraph.data = { room };
    this.#smallGraph.hidden = room.state !== "racing";
    this.#actions.data = {
      plays, canUndo: Boolean(board?.can_undo) || hand.actions.length > 0,
      undoAllowed: room.options.undo, isDeadlocked: board?.status === "deadlocked",
      reactions: room.state === "racing" && room.options.reactions && !isAlone(room), isHeat: room.heat !== undefined, best,
    };
  }

  /** The cards of these spots leave. @param {string[]} spots */
  fly(spots) {
    this.#board.fly(spots);
  }

  /** The cards of these spots were refused. @param {string[]} spots */
  shake(spots) {
    this.#board.shake(spots);
  }

  /** Brings the focus to a spot. @param {string} spot */
  focusSpot(spot) {
    this.#board.focusSpot(spot);
  }
}

/** The spots whose card doesn't fit what is selected. @param {Board} board @param {string[]} selected */
function dimmed(board, selected) {
  const held = selected.map((spot) => exposedOn(board, spot) ?? "");
  return new Set(SPOTS.filter((spot) => {
    const card = exposedOn(board, spot);
    return card !== null && !selected.includes(spot) && !fits(card, held);
  }));
}

/**
 * The sentence in the hollow.
 * @param {Room} room @param {Board | undefined} board @param {number} best @param {string | null} reason
 */
function note(room, board, best, reason) {
  if (room.state !== "racing" || !board) return "";
  if (board.status === "deadlocked") return t(room.options.undo ? "race.deadlock" : "race.deadlock_final");
  if (board.status !== "racing") return t(`race.done_${board.status}`, { score: board.score, best });
  return reason === null ? "" : t(`reason.${reason}`);
}

customElements.define("hm-race", HmRace);
