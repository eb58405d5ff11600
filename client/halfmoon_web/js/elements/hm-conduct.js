/**
 * Running one tournament, on a laptop or with the thumb of one hand: what is so, who is here, and what can be done now.
 *
 *     const conduct = document.createElement("hm-conduct");
 *     conduct.serverNow = () => clock.serverNow();
 *     conduct.data = { tournament, rooms, standings, claims, codes, log, why, notice, isBusy, isUnknown, isLost, linkOf, origin, isLocal };
 *     // hm-draw {withoutAbsent} · hm-end · hm-end-round {round, reason} · hm-announce {text} · hm-automatic {break_ms, paused} · hm-back and the events of its parts
 */

import { beforeAnnulling, beforeRemoving, beforeRoundEnds, beforeStart, beforeTheEnd, beforeWithdrawing } from "../deciding.js";
import { el, send, setText } from "../dom.js";
import { tournamentPath } from "../links.js";
import { planWords, roundWords } from "../roundwords.js";
import { attendance, hasBegun, hasSeeds, nextForAll, nameOf } from "../tournament.js";
import { currentLanguage, t } from "../words.js";
import { HmConfirm } from "./hm-confirm.js";
import { HmCorrection } from "./hm-correction.js";
import { HmDeeds } from "./hm-deeds.js";
import { HmDirecting } from "./hm-directing.js";
import { HmEntrants } from "./hm-entrants.js";
import { HmLiveheats } from "./hm-liveheats.js";
import { HmPodium } from "./hm-podium.js";
import { HmRounds } from "./hm-rounds.js";
import { HmSeeds } from "./hm-seeds.js";
import { HmSheet } from "./hm-sheet.js";
import { HmTable } from "./hm-table.js";
import { HmWaysin } from "./hm-waysin.js";
import { HmWhen } from "./hm-when.js";

/** @typedef {import("../tournament.js").Tournament} Tournament */
/** @typedef {{entrant: string, name: string, claim: string, taken?: boolean, used?: boolean}} Claim */
/**
 * @typedef {object} ConductData
 * @property {Tournament | null} tournament
 * @property {Record<string, import("../room.js").Room>} rooms
 * @property {import("../tabling.js").Standings | null} standings
 * @property {Claim[]} claims
 * @property {ReadonlyMap<string, import("../qrdrawing.js").QrCode>} codes
 * @property {import("../logwords.js").LogLine[]} log
 * @property {import("../explaining.js").Reasons} why
 * @property {{text: string, isBad: boolean}} notice what was done last, or why it wasn't
 * @property {boolean} isBusy
 * @property {boolean} isUnknown
 * @property {boolean} isLost
 * @property {(claim: string) => string} linkOf
 * @property {string} origin
 * @property {boolean} isLocal whether this device alone can open its links
 */

export class HmConduct extends HTMLElement {
  #back = el("button", { type: "button", class: "quiet small" }, t("conduct.back"));
  #title = el("h1", { tabindex: "-1" });
  #plan = el("p", { class: "muted" });
  #state = el("p", { class: "next-line", role: "status" });
  #when = new HmWhen();
  #here = el("p", { class: "muted" });
  #local = el("p", { class: "trouble" });
  #heats = new HmLiveheats();
  #podium = new HmPodium();
  #ways = new HmWaysin();
  #waysPanel = panel("ways", t("ways.title"), this.#ways);
  #entrants = new HmEntrants();
  #people = panel("people", t("people.title"), this.#entrants);
  #seeds = new HmSeeds();
  #seedsPanel = panel("seeds", t("seeds.title"), this.#seeds);
  #table = new HmTable();
  #printTable = el("button", { type: "button" }, t("conduct.print_table"));
  #files = el("p", { class: "files" });
  #tablePanel = panel("table", t("table.title"), this.#table, el("div", { class: "pairwise" }, this.#printTable), this.#files);
  #rounds = new HmRounds();
  #roundsPanel = panel("rounds", t("round.all"), this.#rounds);
  #directing = new HmDirecting();
  #directingPanel = panel("directing", t("conduct.directing"), this.#directing);
  #deeds = new HmDeeds();
  #log = panel("log", t("conduct.log"), this.#deeds);
  #notice = el("p", { role: "status" });
  #draw = el("button", { type: "button" });
  #pause = el("button", { type: "button" });
  #end = el("button", { type: "button" }, t("conduct.end"));
  #stop = el("button", { type: "button" }, t("conduct.end_round"));
  #confirm = new HmConfirm();
  #correction = new HmCorrection();
  #sheet = new HmSheet();
  /** @type {ConductData | null} */
  #data = null;
  /** What each part was last drawn from. @type {Map<HTMLDetailsElement, unknown[]>} */
  #shown = new Map();
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#back.addEventListener("click", () => send(this, "back"), { signal });
    this.#draw.addEventListener("click", (event) => event.detail < 2 && this.#askToStart(), { signal });
    this.#stop.addEventListener("click", () => this.#ask((tournament, data) => beforeRoundEnds(tournament, data.rooms, this.#send)), { signal });
    this.#pause.addEventListener("click", () => this.#pauseOrGoOn(), { signal });
    this.#end.addEventListener("click", () => this.#ask(() => beforeTheEnd(this.#send)), { signal });
    /** @type {[string, (tournament: Tournament, detail: any) => import("./hm-confirm.js").Question][]} */
    const asked = [
      ["hm-ask-annul", (_, { round }) => beforeAnnulling(round, this.#send)],
      ["hm-ask-withdraw", (tournament, { entrant }) => beforeWithdrawing(tournament, entrant, this.#send)],
      ["hm-ask-remove", (tournament, { entrant }) => beforeRemoving(tournament, entrant, this.#send)],
    ];
    for (const [name, question] of asked) {
      this.addEventListener(name, (event) => event instanceof CustomEvent && this.#ask((tournament) => question(tournament, event.detail)), { signal });
    }
    this.#printTable.addEventListener("click", () => this.#print("table"), { signal });
    this.addEventListener("hm-correct", (event) => event instanceof CustomEvent && this.#correct(event.detail), { signal });
    for (const part of this.querySelectorAll("details.panel")) {
      part.addEventListener("toggle", () => {
        if (this.#data) this.data = this.#data;
      }, { signal });
    }
    window.addEventListener("beforeprint", () => this.#setOut(), { signal });
    window.addEventListener("afterprint", () => delete document.body.dataset.print, { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set serverNow(/** @type {() => number} */ serverNow) {
    this.#when.serverNow = serverNow;
  }

  set data(/** @type {ConductData} */ data) {
    this.#data = data;
    const { tournament, standings, rooms, claims, codes, linkOf, isBusy, why, log, notice, isLost } = data;
    setText(this.#title, tournament?.name ?? t(data.isUnknown ? "entrant.unknown" : "entrant.looking"));
    if (tournament !== null) this.#turnTo(tournament.state);
    setText(this.#notice, isLost ? t("wall.lost") : notice.text);
    this.#notice.classList.toggle("trouble", isLost || notice.isBad);
    if (tournament === null) return;
    this.#showState(tournament);
    this.#heats.hidden = tournament.state !== "racing";
    if (tournament.state === "racing") this.#heats.data = { tournament, rooms };
    setText(this.#local, data.isLocal && tournament.state !== "over" ? t("conduct.local") : "");
    this.#podium.hidden = tournament.state !== "over";
    this.#podium.data = { tournament, standings };
    this.#seedsPanel.hidden = tournament.round > 0 || tournament.entrants.length < 2 || !hasSeeds(tournament);
    for (const part of [this.#tablePanel, this.#roundsPanel]) part.hidden = tournament.round === 0;
    this.#show(this.#people, this.#entrants, { tournament, claims, codes, linkOf, isBusy });
    this.#show(this.#seedsPanel, this.#seeds, { tournament, isBusy });
    this.#show(this.#tablePanel, this.#table, { tournament, standings, isPaged: true });
    this.#show(this.#roundsPanel, this.#rounds, { tournament, me: null, directs: true, why });
    this.#show(this.#directingPanel, this.#directing, { tournament, isBusy });
    this.#waysPanel.hidden = tournament.state === "over";
    this.#show(this.#waysPanel, this.#ways, { tournament, origin: data.origin });
    this.#show(this.#log, this.#deeds, { log, tournament });
    this.#showActions(tournament, isBusy);
    this.#showFiles(tournament);
  }

  /** The names that were pasted are on the list. */
  namesTaken() {
    this.#entrants.namesTaken();
  }

  /** @param {string} entrant whose code it is */
  showCode(entrant) {
    this.#people.open = true;
    this.#entrants.open(entrant);
  }

  /** All claims on paper. */
  printSheet() {
    const { tournament, claims, codes, origin } = /** @type {ConductData} */ (this.#data);
    if (tournament === null) return;
    const cards = claims.flatMap(({ entrant, claim, used }) => {
      const code = codes.get(entrant);
      return code && !used ? [{ name: nameOf(tournament, entrant), claim, code }] : [];
    });
    this.#sheet.data = { title: tournament.name, cards, isLocal: this.#data?.isLocal ?? false, address: new URL(origin).host + tournamentPath(tournament.tournament) };
    this.#print("sheet");
  }

  #build() {
    this.append(
      el("section", { class: "panel now" }, this.#back, this.#title, this.#plan, this.#state, this.#when, this.#here, this.#local, this.#heats),
      this.#podium, this.#tablePanel, this.#people,
      el("div", { class: "conduct-side" }, this.#waysPanel, this.#seedsPanel, this.#roundsPanel, this.#directingPanel, this.#log),
      el("footer", { class: "actions" }, this.#notice, this.#end, this.#stop, this.#pause, this.#draw), this.#correction, this.#confirm, this.#sheet);
    this.#people.open = this.#waysPanel.open = true;
  }

  /**
   * A part is drawn while it is open, and where something has changed for it: hundreds of lines cost time.
   * @template {object} D
   * @param {HTMLDetailsElement} part @param {{data: D}} element @param {D} data
   */
  #show(part, element, data) {
    if (part.hidden || !part.open) return;
    const before = this.#shown.get(part);
    const values = Object.values(data);
    if (before?.length === values.length && before.every((value, i) => value === values[i])) return;
    this.#shown.set(part, values);
    element.data = data;
  }

  /** Shows what matters from now on: the heats once they begin, the table once they are over. @param {Tournament["state"]} state */
  #turnTo(state) {
    const before = this.dataset.state;
    if (before === state) return;
    this.dataset.state = state;
    if (state === "racing") this.#waysPanel.open = false;
    if (before === "racing") this.#tablePanel.open = true;
    if (state === "over") [this.#tablePanel.open, this.#people.open] = [true, false];
    const isTyping = document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLTextAreaElement;
    if (before !== undefined && state === "racing" && !isTyping) this.#title.scrollIntoView({ block: "center" });
  }

  /** @param {Tournament} tournament */
  #showState(tournament) {
    const { state, round, automatic } = tournament;
    setText(this.#plan, planWords(tournament));
    const running = [roundWords(tournament), automatic.paused ? t("conduct.pause_after") : ""].filter(Boolean).join(" · ");
    setText(this.#state, state === "racing" ? running : t(`conduct.next_${nextForAll(tournament)}`, { round: round + 1 }));
    this.#when.data = { tournament };
    const { online, taken, all } = attendance(tournament);
    setText(this.#here, state === "over" ? "" : all < 2 ? t("conduct.takes_two") : t("conduct.here", { online, taken, all }));
  }

  /** @param {Tournament} tournament @param {boolean} isBusy */
  #showActions(tournament, isBusy) {
    const { state, round, automatic } = tournament;
    const isOver = state === "over";
    this.#draw.hidden = isOver || state === "racing";
    const { online, all } = attendance(tournament);
    this.#draw.disabled = isBusy || all < 2;
    this.#draw.classList.toggle("main", online > 1);
    setText(this.#draw, t("conduct.draw", { round: round + 1, count: online, all }));
    this.#stop.hidden = !hasBegun(tournament);
    this.#stop.disabled = isBusy;
    this.#pause.hidden = isOver || automatic.break_ms === null;
    this.#pause.disabled = isBusy;
    setText(this.#pause, t(automatic.paused || automatic.waiting ? "conduct.go_on" : "conduct.pause"));
    this.#end.hidden = isOver || state === "racing" || round === 0;
    this.#end.disabled = isBusy;
  }

  /** @param {Tournament} tournament */
  #showFiles({ tournament, state }) {
    const base = `/api/tournaments/${tournament}`;
    // Where a comma stands before decimals, a spreadsheet wants another one between cells.
    const csv = `${base}/standings.csv${(1.5).toLocaleString(currentLanguage()).includes(",") ? "?separator=semicolon" : ""}`;
    const files = [["csv", csv], ["json", `${base}/export`], ["result", state === "racing" ? "" : `${base}/result`]];
    const shape = files.join();
    if (this.#files.dataset.shape === shape) return;
    this.#files.dataset.shape = shape;
    this.#files.replaceChildren(...files.map(([name, href]) => (href === "" ? el("span", { class: "muted" }, t(`conduct.file_${name}_later`)) : el("a", { href, download: true }, t(`conduct.file_${name}`)))));
  }

  #pauseOrGoOn() {
    const automatic = this.#data?.tournament?.automatic;
    if (automatic) send(this, "automatic", { break_ms: automatic.break_ms, paused: !automatic.paused && !automatic.waiting });
  }

  /** @param {string} name @param {object} [detail] */
  #send = (name, detail) => send(this, name, detail);

  #askToStart() {
    const tournament = this.#data?.tournament;
    if (!tournament) return;
    const question = beforeStart(tournament, this.#send);
    if (question === null) send(this, "draw", { withoutAbsent: false });
    else this.#confirm.ask(question);
  }

  /** @param {(tournament: Tournament, data: ConductData) => import("./hm-confirm.js").Question} question */
  #ask(question) {
    const tournament = this.#data?.tournament;
    if (tournament && this.#data) this.#confirm.ask(question(tournament, this.#data));
  }

  /** @param {{round: number, entrant: string}} where */
  #correct({ round, entrant }) {
    const tournament = this.#data?.tournament;
    const result = tournament?.heats.filter((heat) => heat.round === round).flatMap((heat) => heat.results ?? []).filter((line) => line.entrant === entrant).at(-1);
    if (tournament && result) this.#correction.ask({ round, entrant, name: nameOf(tournament, entrant), result });
  }

  /** @param {"sheet" | "table"} what */
  #print(what) {
    document.body.dataset.print = what;
    this.#setOut();
    window.print();
  }

  /** Whatever is printed, also by the browser's own menu: the table is there, and before the first round who takes part. */
  #setOut() {
    const { body } = document;
    body.dataset.print ??= this.#tablePanel.hidden ? "people" : "table";
    if (body.dataset.print === "table") this.#tablePanel.open = true;
    else if (body.dataset.print === "people") this.#people.open = true;
    if (this.#data) this.data = this.#data;
    this.#table.toPaper();
  }
}

/** A part that can be shut. @param {string} name @param {string} title @param {...Node} children */
const panel = (name, title, ...children) =>
  el("details", { class: `panel part-${name}` }, el("summary", {}, el("h2", {}, title)), el("div", { class: "part-body" }, ...children));

customElements.define("hm-conduct", HmConduct);
