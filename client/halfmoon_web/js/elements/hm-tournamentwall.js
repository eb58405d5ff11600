/**
 * A tournament for the projector: big, and nothing to press.
 *
 *     const wall = document.createElement("hm-tournamentwall");
 *     wall.serverNow = () => clock.serverNow();
 *     wall.data = { tournament, rooms, standings, address: "play.example/t/T4KQ9", isLocal: false, trouble: "" };   // tournament null while there is none
 */

import { showAddress } from "../addresses.js";
import { el, keyed, setText } from "../dom.js";
import { Leafing } from "../leafing.js";
import { roundWords } from "../roundwords.js";
import { attendance, canEnter, nameOf, nextForAll } from "../tournament.js";
import { t } from "../words.js";
import { HmLiveheats } from "./hm-liveheats.js";
import { HmPodium } from "./hm-podium.js";
import { HmRules } from "./hm-rules.js";
import { HmTable } from "./hm-table.js";
import { HmWhen } from "./hm-when.js";

/** @typedef {import("../tournament.js").Tournament} Tournament */
/**
 * @typedef {object} WallData
 * @property {Tournament | null} tournament
 * @property {Record<string, import("../room.js").Room>} rooms
 * @property {import("../tabling.js").Standings | null} standings
 * @property {string} address
 * @property {boolean} isLocal whether this device alone can open the address
 * @property {string} trouble
 */

/** So many lines at most stand on one page of the table, fewer where the hall is low; the others follow, page after page. */
const MOST_LINES = 14;
const PAGE_MS = 8_000;

export class HmTournamentwall extends HTMLElement {
  #title = el("h1");
  #state = el("p", { class: "wall-state" });
  #when = new HmWhen();
  #announcement = el("p", { class: "announcement", role: "status" });
  #people = el("ul", { class: "wall-people" });
  #heats = new HmLiveheats();
  #leafings = [this.#people, this.#heats].map((list) => ({ list, leafing: new Leafing(list) }));
  #part = el("p", { class: "wall-part" });
  #byes = el("p", { class: "wall-byes" });
  #podium = new HmPodium();
  #rules = new HmRules();
  #table = new HmTable();
  #qr = el("img", { class: "qr", alt: "", hidden: true });
  #invite = el("p");
  #address = el("p", { class: "wall-address" });
  #here = el("p", { class: "wall-here" });
  #local = el("p", { class: "trouble" });
  #join = el("div", { class: "wall-join" }, this.#qr,
    el("div", {}, this.#invite, this.#address, this.#here, this.#local));
  #trouble = el("p", { class: "wall-trouble", role: "status" });
  /** What the table shows. @type {Pick<WallData, "standings"> & {tournament: Tournament} | null} */
  #shown = null;
  #page = 0;
  /** Of what stage of the tournament the pages are. */
  #stage = "";
  /** So many lines fit on a page of this shape. */
  #most = MOST_LINES;
  #shape = "";
  /** Whether they are written smaller, so that more fit. */
  #isDense = false;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  #off = new AbortController();

  connectedCallback() {
    this.#timer = setInterval(() => this.#turn(), PAGE_MS);
    this.#off = new AbortController();
    window.addEventListener("resize", () => this.#fit(), { signal: this.#off.signal });
    if (this.childElementCount > 0) return;
    // Without its picture the address still says where to go.
    this.#qr.addEventListener("load", () => (this.#qr.hidden = false));
    this.append(
      el("header", { class: "wall-head" }, this.#title, this.#state, this.#when), this.#announcement,
      el("div", { class: "wall-hall" }, this.#rules, this.#people, this.#heats, this.#part, this.#byes, this.#podium, this.#table), this.#join, this.#trouble);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    this.#off.abort();
  }

  set serverNow(/** @type {() => number} */ serverNow) {
    this.#when.serverNow = serverNow;
  }

  set data(/** @type {WallData} */ { tournament, rooms, standings, address, isLocal, trouble }) {
    setText(this.#trouble, trouble);
    showAddress(this.#address, address);
    setText(this.#local, isLocal ? t("lobby.link_local") : "");
    this.dataset.state = tournament?.state ?? "none";
    if (tournament === null) return;
    const { state, round } = tournament;
    this.#beginPages(`${state} ${round}`);
    this.#showQr(tournament.tournament);
    setText(this.#title, tournament.name);
    setText(this.#state, stateWords(tournament));
    this.#when.data = { tournament };
    setText(this.#announcement, tournament.announcement?.text ?? "");
    const { online, all } = attendance(tournament);
    setText(this.#here, t("entrant.here", { online, all }));
    setText(this.#invite, t(canEnter(tournament) ? "twall.enter" : "twall.follow"));
    this.#rules.hidden = state !== "entry";
    this.#rules.data = { format: tournament.format, isShort: true };
    const byes = state === "racing" ? tournament.byes.filter((bye) => bye.round === round).map((bye) => nameOf(tournament, bye.entrant)) : [];
    setText(this.#byes, byes.length > 0 ? t("round.bye", { names: byes.join(", ") }) : "");
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
    this.#fit();
  }

  /** Each stage begins with its first page, which has its time. @param {string} stage */
  #beginPages(stage) {
    if (stage === this.#stage) return;
    this.#stage = stage;
    this.#page = 0;
    for (const { leafing } of this.#leafings) leafing.begin();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#turn(), PAGE_MS);
  }

  /** The next page of what is too long for the hall, and after the last the first. */
  #turn() {
    this.#page += 1;
    for (const { leafing } of this.#leafings) leafing.turn();
    this.#fit();
  }

  #fit() {
    this.#leaf();
    this.#showTable();
  }

  /** Of the people, or of the heats, as many as fit above what stands below them. */
  #leaf() {
    const hall = this.#table.parentElement;
    const shown = this.#leafings.find(({ list }) => !list.hidden);
    setText(this.#part, "");
    if (!shown || hall === null) return;
    const byes = this.#byes.getBoundingClientRect().height;
    const { bottom } = hall.getBoundingClientRect();
    const gap = Number.parseFloat(getComputedStyle(hall).rowGap) || 0;
    const below = byes > 0 ? byes + gap : 0;
    if (isWhole(shown.leafing.show(bottom - below))) return;
    setText(this.#part, partWords({ from: 1, to: 1, count: 1 }));
    setText(this.#part, partWords(shown.leafing.show(bottom - below - this.#part.getBoundingClientRect().height - gap)));
  }

  #showTable() {
    if (this.#shown === null) return;
    const { tournament, standings } = this.#shown;
    const count = standings?.rows.length ?? 0;
    const shape = [count, tournament.state, tournament.announcement?.text, innerWidth, innerHeight].join();
    if (shape !== this.#shape) [this.#most, this.#isDense] = [MOST_LINES, count > MOST_LINES];
    this.#shape = shape;
    do this.#showPage(tournament, standings, count);
    while (this.#isTooHigh() && this.#holdMore());
  }

  /** @param {Tournament} tournament @param {WallData["standings"]} standings @param {number} count */
  #showPage(tournament, standings, count) {
    // All pages are of about one length.
    const pages = Math.max(1, Math.ceil(count / this.#most));
    const most = Math.max(1, Math.ceil(count / pages));
    this.#page %= pages;
    this.#table.classList.toggle("dense", this.#isDense);
    this.#table.data = { tournament, standings, most, first: this.#page * most };
  }

  /** Writes smaller, or else fewer lines. @returns {boolean} whether that is possible */
  #holdMore() {
    if (!this.#isDense) this.#isDense = true;
    else this.#most -= 1;
    return this.#most > 1;
  }

  /** Whether the table doesn't end within the hall. */
  #isTooHigh() {
    const hall = this.#table.parentElement;
    // Beside the podium it is as high as the hall, and what doesn't fit hangs out of it.
    return hall !== null && this.#table.getBoundingClientRect().top + this.#table.scrollHeight > hall.getBoundingClientRect().bottom + 1;
  }

  /** @param {string} tournament */
  #showQr(tournament) {
    const source = `/qr/t/${tournament}`;
    if (this.#qr.getAttribute("src") === source) return;
    this.#qr.src = source;
    this.#qr.alt = t("twall.qr");
  }
}

/** @param {import("../leafing.js").Part} part */
const isWhole = ({ from, to, count }) => from === 1 && to === count;

/** @param {import("../leafing.js").Part} part */
const partWords = ({ from, to, count }) => t("table.part", { from, to, count });

/** @param {Tournament} tournament */
function stateWords(tournament) {
  const { state, round, rounds } = tournament;
  if (state === "racing") return roundWords(tournament);
  return t(`next.${nextForAll(tournament)}`, { round: round + 1, rounds: rounds ?? 0 });
}

customElements.define("hm-tournamentwall", HmTournamentwall);
