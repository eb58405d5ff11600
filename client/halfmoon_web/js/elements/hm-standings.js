/**
 * After the race: the table with every value that ranks, the rule in words, the code, and what comes next.
 *
 *     const standings = document.createElement("hm-standings");
 *     standings.data = { room, me: "p_…", origin: "https://…", next: null };
 *     // hm-rematch {code?} · hm-leave · hm-react {reaction} · hm-go-on {ready}
 */

import { el, send, setText } from "../dom.js";
import { t } from "../words.js";
import { share } from "../copying.js";
import { fileNameOf, keepRecord } from "../keeping.js";
import { linkToContest } from "../links.js";
import { offerReplay, replayLink } from "../offering.js";
import { isDeserted } from "../room.js";
import { isSealed } from "../seals.js";
import { resultText } from "../sharing.js";
import { HmChart, shownCourses } from "./hm-chart.js";
import { HmCopy } from "./hm-copy.js";
import { HmGallery } from "./hm-gallery.js";
import { HmReactions } from "./hm-reactions.js";
import { HmResults } from "./hm-results.js";
import { HmSeal } from "./hm-seal.js";

/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../messages.js").StandingLine} StandingLine */

/**
 * @typedef {object} Results
 * @property {Room} room as it was at the end of the race
 * @property {string} me
 * @property {string | null} origin of links that others can open; null where they can't
 * @property {Room | null} next the room by now, where a rematch was called meanwhile
 */

const SAID_MS = 1_600;

export class HmStandings extends HTMLElement {
  #title = el("h1", { tabindex: "-1" });
  #results = new HmResults();
  #code = new HmCopy();
  #codeLine = el("div", { class: "code-line" });
  /** Said while the deal is raced elsewhere. */
  #shut = el("p", { class: "muted" });
  #seal = new HmSeal();
  #chart = new HmChart();
  #replay = replayLink();
  #record = el("a", { class: "record" });
  /** Where all results on this deal are. */
  #others = el("a", { class: "button", target: "_blank", rel: "noopener" });
  /** To the table of what this race was a part of, where one goes on from. */
  #table = el("a", { class: "button main" });
  #next = el("button", { type: "button", class: "main" });
  #lobby = el("button", { type: "button" });
  #challenge = el("button", { type: "button" });
  #challenging = el("div", { class: "challenging", hidden: true });
  /** How the boards stood at the end, for those who watched. */
  #gallery = new HmGallery();
  #share = el("button", { type: "button" });
  #reactions = new HmReactions();
  #rematch = el("button", { type: "button", class: "main" });
  #same = el("button", { type: "button" });
  #leave = el("button", { type: "button" });
  #hint = el("p", { class: "muted" });
  /** @type {Room | null} */
  #room = null;
  /** @type {string | null} */
  #origin = null;
  /** The race that a challenge is offered out of. */
  #offered = "";
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#rematch.addEventListener("click", () => send(this, "rematch", {}), { signal });
    this.#same.addEventListener("click", () => send(this, "rematch", { code: this.#room?.code }), { signal });
    this.#share.addEventListener("click", () => this.#shareResult(), { signal });
    this.#challenge.addEventListener("click", () => this.#offer(), { signal });
    this.#leave.addEventListener("click", () => send(this, "leave"), { signal });
    this.#next.addEventListener("click", () => send(this, "go-on", { ready: true }), { signal });
    this.#lobby.addEventListener("click", () => send(this, "go-on", { ready: false }), { signal });
    this.#record.addEventListener("click", (event) => this.#keep(event), { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {Results} */ { room, me, origin, next }) {
    this.#room = room;
    this.#origin = origin;
    const lines = room.standings ?? [];
    setText(this.#title, title(lines, me));
    this.#results.data = { room, me };
    this.#code.value = { text: room.code ?? "", label: t("over.copy_code") };
    const { draw, race = "" } = room;
    this.#seal.data = {
      code: room.code ?? "", seal: room.pledged ?? room.seal, isOpen: room.options.code !== undefined,
      ...(draw && { drawn: { draw, room: room.room, race, commit: room.coming?.commit } }),
    };
    offerReplay(this.#replay, room.code === undefined ? undefined : room.race);
    this.#record.hidden = !room.race || room.code === undefined;
    if (room.race) {
      this.#record.href = `/api/races/${encodeURIComponent(room.race)}`;
      this.#record.download = fileNameOf(room.race);
    }
    this.#leadOn(room, lines.some((line) => line.player === me));
    this.#gallery.hidden = room.boards === undefined;
    this.#gallery.data = { room };
    this.#chart.hidden = room.code === undefined;
    if (room.race && room.code !== undefined) this.#chart.data = { race: room.race, shown: shownCourses(room, me) };
    this.#reactions.hidden = !room.options.reactions;
    this.#showHeat(room);
    const isHost = room.host === me;
    const isContest = room.contest !== undefined;
    setText(this.#rematch, t(isDeserted(room) ? "over.play_self" : isLone(room) ? "over.another" : "over.rematch"));
    this.#rematch.hidden = this.#same.hidden = !isHost || isContest || next !== null;
    this.#hint.hidden = (isHost && next === null) || isContest;
    setText(this.#hint, room.heat ? "" : next ? t("over.called", { name: room.host_name }) : t("over.wait_host"));
    this.#showNext(next);
  }

  /** Others wait in the lobby already. @param {Room | null} next */
  #showNext(next) {
    this.#next.hidden = next?.you.as !== "player";
    this.#lobby.hidden = next === null;
    this.#lobby.classList.toggle("main", this.#next.hidden);
  }

  /** A heat of a tournament is left for its tournament; what others still race on isn't told yet. @param {Room} room */
  #showHeat(room) {
    setText(this.#leave, t(room.heat ? "over.to_tournament" : "lobby.leave"));
    this.#leave.classList.toggle("main", room.heat !== undefined);
    this.#codeLine.hidden = room.code === undefined;
    setText(this.#shut, room.code === undefined ? t("over.shut") : "");
  }

  /** @param {Room} room @param {boolean} raced whether oneself did */
  #leadOn(room, raced) {
    const { contest, code, race } = room;
    const table = linkToContest(contest);
    this.#others.hidden = table !== null || code === undefined;
    this.#others.href = `/deal/${code}`;
    this.#table.hidden = table === null;
    this.#table.href = table ?? "";
    setText(this.#table, t(contest?.startsWith("daily/") ? "over.daily" : "over.contest"));
    // Where everybody plays alone, others may not know the deal yet.
    const isSecret = contest !== undefined && room.options.max_players === 1;
    this.#challenge.hidden = !raced || code === undefined || isSecret;
    if (race !== this.#offered) this.#challenging.hidden = true;
  }

  /** What a challenge takes comes with the first one. */
  async #offer() {
    const { race, code = "", options } = this.#room ?? {};
    if (race === undefined) return;
    const { HmChallenging } = await import("./hm-challenging.js");
    const challenging = this.#challenging.querySelector("hm-challenging") ?? new HmChallenging();
    this.#challenging.replaceChildren(challenging);
    if (challenging instanceof HmChallenging) challenging.data = { race, canSeal: isSealed(code) && options?.code === undefined };
    this.#offered = race;
    this.#challenging.hidden = false;
    this.#challenging.scrollIntoView({ block: "nearest" });
  }

  /** A link alone wouldn't say who asks. @param {Event} event */
  async #keep(event) {
    const race = this.#room?.race;
    if (race === undefined) return;
    event.preventDefault();
    try {
      await keepRecord(race);
      setText(this.#record, t("over.record"));
    } catch {
      setText(this.#record, t("over.record_none"));
    }
  }

  async #shareResult() {
    if (!this.#room) return;
    const done = await share(resultText(this.#room, this.#origin));
    if (done === "shared") return;
    setText(this.#share, t(done === "copied" ? "copy.done" : "copy.failed"));
    setTimeout(() => setText(this.#share, t("share.button")), SAID_MS);
  }

  #build() {
    this.#same.textContent = t("over.same_deal");
    this.#codeLine.append(el("span", { class: "muted" }, t("over.code")), this.#code, this.#share);
    this.#share.textContent = t("share.button");
    this.#others.textContent = t("over.deal");
    this.#next.textContent = t("over.next");
    this.#lobby.textContent = t("over.lobby");
    this.#replay.append(t("over.replay"));
    this.#record.textContent = t("over.record");
    this.#challenge.textContent = t("over.challenge");
    this.#gallery.flows = this.#gallery.inert = true;
    this.append(
      el("section", { class: "panel results" }, el("div", { class: "title-line" }, this.#title, this.#replay), this.#results,
        el("div", { class: "lead-on" }, this.#challenge, this.#others), this.#challenging, this.#chart, this.#gallery,
        this.#codeLine, this.#shut, this.#seal, this.#record),
      el("footer", { class: "actions" }, this.#leave, this.#reactions, this.#hint, this.#same, this.#rematch, this.#lobby, this.#next, this.#table),
    );
  }
}

/** Whether nobody is there to be raced again. @param {Room} room */
const isLone = (room) => room.players.filter((line) => !line.ghost).length === 1;

/** @param {StandingLine[]} lines @param {string} me */
function title(lines, me) {
  const own = lines.find((line) => line.player === me);
  if (!own) return t("over.title");
  if (lines.length === 1) return t(own.status === "won" ? "over.title_won" : "over.title_alone", { score: own.best });
  const isShared = lines.filter((line) => line.rank === own.rank).length > 1;
  if (own.rank === 1 && isShared) return t("over.title_shared");
  if (own.rank === 1) return t(own.status === "won" ? "over.title_winner" : "over.title_first", { score: own.best });
  return t("over.title_rank", { rank: own.rank, count: lines.length });
}

customElements.define("hm-standings", HmStandings);
