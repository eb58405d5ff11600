/**
 * Results of many races: each line leads to the replay of that run, and two of them can be compared.
 *
 *     const lines = document.createElement("hm-lines");
 *     lines.data = { lines, me: "p_…", compares: true };   // lines as in `tables.js`
 */

import "../resultwords.js";
import { dateWords } from "../dates.js";
import { el } from "../dom.js";
import { GHOSTS, signShape } from "../drawing.js";
import { linkToBoth, linkToRun } from "../tables.js";
import { exactTime, t } from "../words.js";

/** @typedef {import("../tables.js").Line} Line */
/** @typedef {Line & {race: string}} Replayed a line whose record can be seen */

/** @param {Line} line @returns {line is Replayed} */
const isReplayed = (line) => line.race !== undefined;

const COLUMNS = ["rank", "player", "status", "best", "time", "moves", "actions"];

export class HmLines extends HTMLElement {
  #heads = el("tr");
  #rows = el("tbody");
  #compare = el("a", { class: "button" });
  #words = el("p", { class: "muted compare-words", role: "status" });
  #foot = el("div", { class: "compare-line" }, this.#words, this.#compare);
  /** The lines that are ticked, the one that was ticked last at the end. @type {Replayed[]} */
  #picked = [];

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.#compare.textContent = t("lines.compare");
    this.append(el("div", { class: "table" }, el("table", {}, el("thead", {}, this.#heads), this.#rows)), this.#foot);
  }

  set data(/** @type {{lines: Line[], me: string, compares: boolean}} */ { lines, me, compares }) {
    const heads = COLUMNS.map((name) => el("th", { scope: "col", class: `col-${name}` }, t(`column.${name}`)));
    const pickHead = el("th", { scope: "col", class: "col-pick" }, t("lines.pick"));
    const hasPicks = compares && lines.filter(isReplayed).length > 1;
    this.#heads.replaceChildren(...heads, ...(hasPicks ? [pickHead] : []));
    this.#rows.replaceChildren(...lines.map((line) => rowOf(line, me, hasPicks ? this.#pickOf(line) : null)));
    this.#foot.hidden = !hasPicks;
    this.#picked = [];
    this.#offer();
  }

  /** What a line is ticked with; nothing where there is no record to compare. @param {Line} line */
  #pickOf(line) {
    if (!isReplayed(line)) return el("span");
    const pick = el("input", { type: "checkbox", "aria-label": t("lines.pick_name", { rank: line.rank, name: line.name }) });
    pick.addEventListener("change", () => {
      this.#picked = this.#picked.filter((one) => one !== line);
      if (pick.checked) this.#picked.push(line);
      if (this.#picked.length > 2) pick.checked = this.#picked.pop() === undefined;
      this.#offer();
    });
    return pick;
  }

  #offer() {
    const [one, other] = this.#picked;
    this.#compare.hidden = other === undefined;
    if (other !== undefined) this.#compare.href = linkToBoth(one, other);
    this.#words.textContent = other === undefined ? t("lines.pick_two") : t("lines.picked", { one: one.name, other: other.name });
  }
}

/** @param {Line} line @param {string} me @param {HTMLElement | null} pick */
function rowOf(line, me, pick) {
  /** @type {Record<string, string>} */
  const values = {
    rank: String(line.rank), status: t(`status.${line.status}`), best: String(line.best),
    time: exactTime(line.time_ms), moves: String(line.moves), actions: String(line.actions),
  };
  const cells = COLUMNS.map((name) => (name === "player" ? playerCell(line, me)
    : el("td", { class: `col-${name}`, "data-label": t(`column.${name}`) }, values[name])));
  const row = el("tr", { "data-status": line.status, class: line.player === me && !line.ghost ? "me" : "" }, ...cells);
  if (pick) row.append(el("td", { class: "col-pick" }, pick));
  return row;
}

/** @param {Line} line @param {string} me */
function playerCell(line, me) {
  const marks = [
    line.player === me && !line.ghost && t("person.you"), line.ghost && t("person.ghost"),
    line.starts_at !== undefined && dateWords(line.starts_at), !isReplayed(line) && t("lines.in_its_room"),
  ];
  const name = el("bdi", {}, line.name);
  const link = isReplayed(line) ? el("a", { href: linkToRun(line), "aria-label": t("lines.replay_of", { name: line.name }) }, name) : name;
  return el("td", { class: "col-player" },
    el("div", {}, ...(line.ghost ? [signShape(GHOSTS)] : []), link, el("small", {}, marks.filter((mark) => mark).join(" · "))));
}

customElements.define("hm-lines", HmLines);
