/**
 * After the race: the table with every value that ranks, the rule in words, the code, and what comes next.
 *
 *     const standings = document.createElement("hm-standings");
 *     standings.data = { room, me: "p_…" };
 *     // hm-rematch {code?} · hm-leave · hm-react {reaction}
 */

import { el, keyed, send, setText } from "../dom.js";
import { signShape } from "../drawing.js";
import { SIGNS, signOf } from "../ranking.js";
import { exactTime, t } from "../words.js";
import { share } from "../copying.js";
import { resultText } from "../sharing.js";
import { HmChart } from "./hm-chart.js";
import { HmCopy } from "./hm-copy.js";
import { HmGallery } from "./hm-gallery.js";
import { HmReaction } from "./hm-reaction.js";
import { HmReactions } from "./hm-reactions.js";
import { HmSeal } from "./hm-seal.js";

/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../messages.js").StandingLine} StandingLine */

/** More lines than signs can't be told apart. */
const MOST_COURSES = SIGNS;
const SAID_MS = 1_600;

const COLUMNS = ["rank", "player", "status", "best", "score", "time", "moves", "actions"];

export class HmStandings extends HTMLElement {
  #title = el("h1", { tabindex: "-1" });
  #rows = el("tbody");
  #code = new HmCopy();
  #seal = new HmSeal();
  #chart = new HmChart();
  #record = el("a", { class: "record" });
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
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#rematch.addEventListener("click", () => send(this, "rematch", {}), { signal });
    this.#same.addEventListener("click", () => send(this, "rematch", { code: this.#room?.code }), { signal });
    this.#share.addEventListener("click", () => this.#shareResult(), { signal });
    this.#leave.addEventListener("click", () => send(this, "leave"), { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {{room: Room, me: string}} */ { room, me }) {
    this.#room = room;
    const lines = room.standings ?? [];
    setText(this.#title, title(lines, me));
    keyed(this.#rows, lines, (line) => line.player, makeRow, (row, line) => updateRow(row, line, room, me));
    this.#code.value = { text: room.code ?? "", label: t("over.copy_code") };
    const { draw, race = "" } = room;
    this.#seal.data = {
      code: room.code ?? "", seal: room.pledged ?? room.seal, isOpen: room.options.code !== undefined,
      ...(draw && { drawn: { draw, room: room.room, race, commit: room.coming?.commit } }),
    };
    this.#record.hidden = !room.race;
    if (room.race) {
      this.#record.href = `/api/races/${encodeURIComponent(room.race)}`;
      this.#record.download = `half-moon-${room.race.replace(/[^\w-]/g, "")}.json`;
    }
    this.#gallery.hidden = room.boards === undefined;
    this.#gallery.data = { room };
    if (room.race) this.#chart.data = { race: room.race, shown: shownCourses(lines, room, me) };
    this.#reactions.hidden = !room.options.reactions;
    const isHost = room.host === me;
    this.#rematch.hidden = this.#same.hidden = !isHost;
    this.#hint.hidden = isHost;
    setText(this.#hint, t("over.wait_host"));
  }

  async #shareResult() {
    if (!this.#room) return;
    const done = await share(resultText(this.#room));
    if (done === "shared") return;
    setText(this.#share, t(done === "copied" ? "copy.done" : "copy.failed"));
    setTimeout(() => setText(this.#share, t("share.button")), SAID_MS);
  }

  #build() {
    this.#rematch.textContent = t("over.rematch");
    this.#same.textContent = t("over.same_deal");
    this.#leave.textContent = t("lobby.leave");
    this.#share.textContent = t("share.button");
    this.#record.textContent = t("over.record");
    this.#gallery.flows = this.#gallery.inert = true;
    const heads = COLUMNS.map((name) => el("th", { scope: "col", class: `col-${name}` }, t(`column.${name}`)));
    this.append(
      el("section", { class: "panel results" }, this.#title,
        el("div", { class: "table" }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), this.#rows)),
        el("p", { class: "muted" }, t("over.rule")),
        this.#chart, this.#gallery,
        el("div", { class: "code-line" }, el("span", { class: "muted" }, t("over.code")), this.#code, this.#share),
        this.#seal, this.#record),
      el("footer", { class: "actions" }, this.#leave, this.#reactions, this.#hint, this.#same, this.#rematch),
    );
  }
}

/** The best, and oneself. @param {StandingLine[]} lines @param {Room} room @param {string} me */
const shownCourses = (lines, room, me) =>
  lines.filter((line, i) => i < MOST_COURSES - 1 || line.player === me).slice(0, MOST_COURSES)
    .map(({ player, name }) => ({ player, name, sign: signOf(room, player) }));

/** @param {StandingLine[]} lines @param {string} me */
function title(lines, me) {
  const own = lines.find((line) => line.player === me);
  if (!own) return t("over.title");
  if (lines.length === 1) return t(own.status === "won" ? "over.title_won" : "over.title_alone", { score: own.best });
  const isShared = lines.filter((line) => line.rank === own.rank).length > 1;
  if (own.rank === 1 && isShared) return t("over.title_shared");
  if (own.rank === 1 && own.status === "won") return t("over.title_winner");
  return t("over.title_rank", { rank: own.rank, count: lines.length });
}

const makeRow = () =>
  el("tr", {}, ...COLUMNS.map((name) => (name === "player"
    ? el("td", { class: "col-player" }, el("div", {}, el("span", { class: "sign-place" }), el("bdi"), new HmReaction()))
    : el("td", { class: `col-${name}`, "data-label": t(`column.${name}`) }))));

/** @param {HTMLElement} row @param {StandingLine} line @param {Room} room @param {string} me */
function updateRow(row, line, room, me) {
  const cells = /** @type {HTMLElement[]} */ ([...row.children]);
  const values = [
    String(line.rank), "", t(`status.${line.status}`), String(line.best), String(line.score),
    exactTime(line.time_ms), String(line.moves), String(line.actions),
  ];
  values.forEach((value, i) => COLUMNS[i] !== "player" && setText(cells[i], value));
  const [signPlace, name, reaction] = cells[1].children[0].children;
  if (reaction instanceof HmReaction && room.reaction?.player === line.player) reaction.called = room.reaction;
  if (signPlace.childElementCount === 0) signPlace.append(signShape(signOf(room, line.player)));
  setText(name, line.name);
  row.classList.toggle("me", line.player === me);
  row.dataset.status = line.status;
}

customElements.define("hm-standings", HmStandings);
