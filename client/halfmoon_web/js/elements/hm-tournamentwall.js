/**
 * A tournament for the projector: big, and nothing to press.
 *
 *     const wall = document.createElement("hm-tournamentwall");
 *     wall.serverNow = () => clock.serverNow();
 *     wall.data = { tournament, rooms, standings, address: "play.example/t/T4KQ9", trouble: "" };   // tournament null while there is none
 */

import { el, keyed, setText } from "../dom.js";
import { attendance, nameOf, nextForAll } from "../tournament.js";
import { t } from "../words.js";
import { HmLiveheats } from "./hm-liveheats.js";
import { HmPodium } from "./hm-podium.js";
import { HmTable } from "./hm-table.js";
import { HmWhen } from "./hm-when.js";

/** @typedef {import("../tournament.js").Tournament} Tournament */
/**
 * @typedef {object} WallData
 * @property {Tournament | null} tournament
 * @property {Record<string, import("../room.js").Room>} rooms
 * @property {import("../tabling.js").Standings | null} standings
 * @property {string} address
 * @property {string} trouble
 */

/** More lines than that can't be read from the last row of a hall; the others follow, page after page. */
const MOST_LINES = 7;
const MOST_LINES_BESIDE_PODIUM = 4;
const PAGE_MS = 8_000;

export class HmTournamentwall extends HTMLElement {
  #title = el("h1");
  #state = el("p", { class: "wall-state" });
  #when = new HmWhen();
  #announcement = el("p", { class: "announcement", role: "status" });
  #people = el("ul", { class: "wall-people" });
  #heats = new HmLiveheats();
  #podium = new HmPodium();
  #table = new HmTable();
  #qr = el("img", { class: "qr", alt: "", hidden: true });
  #invite = el("p");
  #host = el("span");
  #path = el("span");
  #here = el("p", { class: "wall-here" });
  #join = el("div", { class: "wall-join" }, this.#qr,
    el("div", {}, this.#invite, el("p", { class: "wall-address" }, this.#host, el("wbr"), this.#path), this.#here));
  #trouble = el("p", { class: "wall-trouble", role: "status" });
  /** What the table shows. @type {Pick<WallData, "standings"> & {tournament: Tournament} | null} */
  #shown = null;
  #page = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  connectedCallback() {
    this.#timer = setInterval(() => this.#turn(), PAGE_MS);
    if (this.childElementCount > 0) return;
    // Without its picture the address still says where to go.
    this.#qr.addEventListener("load", () => (this.#qr.hidden = false));
    this.append(
      el("header", { class: "wall-head" }, this.#title, this.#state, this.#when), this.#announcement,
      el("div", { class: "wall-hall" }, this.#people, this.#heats, this.#podium, this.#table), this.#join, this.#trouble);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  set serverNow(/** @type {() => number} */ serverNow) {
    this.#when.serverNow = serverNow;
  }

  set data(/** @type {WallData} */ { tournament, rooms, standings, address, trouble }) {
    setText(this.#trouble, trouble);
    const slash = address.indexOf("/");
    setText(this.#host, address.slice(0, slash));
    setText(this.#path, address.slice(slash));
    setText(this.#invite, t("twall.enter"));
    this.dataset.state = tournament?.state ?? "none";
    if (tournament === null) return;
    const { state, round } = tournament;
    this.#showQr(tournament.tournament);
    setText(this.#title, tournament.name);
    setText(this.#state, stateWords(tournament));
    this.#when.data = { tournament };
    setText(this.#announcement, tournament.announcement?.text ?? "");
    const { online, all } = attendance(tournament);
    setText(this.#here, t("entrant.here", { online, all }));
    this.#people.hidden = state !== "entry";
    keyed(this.#people, tournament.entrants.filter((line) => line.active), (line) => line.entrant, () => el("li", {}, el("bdi")),
      (element, line) => {
        setText(/** @type {Node} */ (element.firstChild), nameOf(tournament, line.entrant));
        element.classList.toggle("here", line.online);
      });
    this.#heats.hidden = state !== "racing";
    if (state === "racing") this.#heats.data = { tournament, rooms };
    this.#podium.hidden = state !== "over";
    this.#podium.data = { tournament, standings };
    this.#table.hidden = state === "entry" || state === "racing" || round === 0;
    this.#shown = { tournament, standings };
    this.#showTable();
  }

  /** The next page of the table, and after the last the first. */
  #turn() {
    this.#page += 1;
    this.#showTable();
  }

  #showTable() {
    if (this.#shown === null) return;
    const { tournament, standings } = this.#shown;
    const most = tournament.state === "over" ? MOST_LINES_BESIDE_PODIUM : MOST_LINES;
    const pages = Math.max(1, Math.ceil((standings?.rows.length ?? 0) / most));
    this.#page %= pages;
    this.#table.data = { tournament, standings, most, first: this.#page * most };
  }

  /** @param {string} tournament */
  #showQr(tournament) {
    const source = `/qr/t/${tournament}`;
    if (this.#qr.getAttribute("src") === source) return;
    this.#qr.src = source;
    this.#qr.alt = t("twall.qr");
  }
}

/** @param {Tournament} tournament */
function stateWords(tournament) {
  const { state, round, rounds } = tournament;
  if (state === "racing") return t(rounds === undefined ? "twall.round" : "twall.round_of", { round, rounds: rounds ?? 0 });
  return t(`next.${nextForAll(tournament)}`, { round: round + 1, rounds: rounds ?? 0 });
}

customElements.define("hm-tournamentwall", HmTournamentwall);
