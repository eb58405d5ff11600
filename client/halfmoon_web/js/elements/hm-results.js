/**
 * The standings of a race: a line for each racer with every value that ranks, and the rule in words.
 *
 *     const results = document.createElement("hm-results");
 *     results.data = { room, me: "p_…" };      // me is "" where nobody is oneself
 */

import { el, keyed, setText } from "../dom.js";
import { signShape } from "../drawing.js";
import { signOf } from "../ranking.js";
import { exactTime, t } from "../words.js";
import { HmReaction } from "./hm-reaction.js";

/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../messages.js").StandingLine} StandingLine */

const COLUMNS = ["rank", "player", "status", "best", "score", "time", "moves", "actions"];

export class HmResults extends HTMLElement {
  #rows = el("tbody");

  connectedCallback() {
    if (this.childElementCount > 0) return;
    const heads = COLUMNS.map((name) => el("th", { scope: "col", class: `col-${name}` }, t(`column.${name}`)));
    this.append(
      el("div", { class: "table" }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), this.#rows)),
      el("p", { class: "muted rule" }, t("over.rule")));
  }

  set data(/** @type {{room: Room, me: string}} */ { room, me }) {
    // Of one alone no place is to be told, nor by what it goes.
    this.classList.toggle("lone", room.standings?.length === 1);
    keyed(this.#rows, room.standings ?? [], (line) => line.player, makeRow, (row, line) => updateRow(row, line, room, me));
  }
}

const makeRow = () =>
  el("tr", {}, ...COLUMNS.map((name) => (name === "player"
    ? el("td", { class: "col-player" }, el("div", {}, el("span", { class: "sign-place" }), el("bdi"), el("small"), new HmReaction()))
    : el("td", { class: `col-${name}`, "data-label": t(`column.${name}`) }))));

/** @param {HTMLElement} row @param {StandingLine} line @param {Room} room @param {string} me */
function updateRow(row, line, room, me) {
  const cells = /** @type {HTMLElement[]} */ ([...row.children]);
  const values = [
    String(line.rank), "", t(`status.${line.status}`), String(line.best), String(line.score),
    exactTime(line.time_ms), String(line.moves), String(line.actions),
  ];
  values.forEach((value, i) => COLUMNS[i] !== "player" && setText(cells[i], value));
  const [signPlace, name, mark, reaction] = cells[1].children[0].children;
  if (reaction instanceof HmReaction && room.reaction?.player === line.player) reaction.called = room.reaction;
  if (signPlace.childElementCount === 0) signPlace.append(signShape(signOf(room, line.player)));
  setText(name, line.name);
  setText(mark, line.ghost ? t("person.ghost") : "");
  row.classList.toggle("me", line.player === me);
  row.dataset.status = line.status;
}

customElements.define("hm-results", HmResults);
