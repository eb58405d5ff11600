/**
 * The heats of a round while they run, all at a glance: a line for each who races, best first.
 *
 *     const heats = document.createElement("hm-liveheats");
 *     heats.data = { tournament, rooms };      // rooms: those that may be looked into, by id
 */

import { el, keyed, setText } from "../dom.js";
import { bestOf, compare, liveOrder } from "../ranking.js";
import { walkover } from "../roundwords.js";
import { absentFrom, latestHeats, nameOf } from "../tournament.js";
import { t } from "../words.js";

/** @typedef {import("../tournament.js").Tournament} Tournament */
/** @typedef {import("../tournament.js").HeatLine} HeatLine */
/** @typedef {import("../room.js").Room} Room */

/** One who races; the place is left out before there is one. @typedef {{key: string, place: string, name: string, score: string, state: string, isDone: boolean}} Line */

/** So many heats are written large where there is room. */
const FEW = 8;

export class HmLiveheats extends HTMLElement {
  set data(/** @type {{tournament: Tournament, rooms: Record<string, Room>}} */ { tournament, rooms }) {
    // What still runs stands first.
    const heats = latestHeats(tournament).sort((a, b) => Number(a.state === "over") - Number(b.state === "over"));
    this.dataset.heats = heats.length === 1 ? "one" : heats.length <= FEW ? "few" : "many";
    keyed(this, heats, (heat) => heat.room, makeHeat, (element, heat) => updateHeat(element, heat, tournament, rooms[heat.room]));
  }
}

const makeHeat = () => el("section", { class: "live-heat" }, el("h3", {}, el("span"), el("small")), el("ol", { class: "live-lines" }));

/** @param {HTMLElement} element @param {HeatLine} heat @param {Tournament} tournament @param {Room | undefined} room */
function updateHeat(element, heat, tournament, room) {
  const [head, list] = /** @type {HTMLElement[]} */ ([...element.children]);
  const [title, state] = head.children;
  const isLone = tournament.heats.filter((other) => other.round === heat.round).length === 1;
  setText(title, isLone && tournament.format === "series" ? t("heat.all", { count: heat.entrants.length - absentFrom(heat).length }) : t("heat.number", { heat: heat.heat }));
  setText(state, walkover(tournament, heat) ?? t(`heat.${heat.state}`));
  element.dataset.state = heat.state;
  const lines = heat.results ? overLines(heat, tournament) : liveLines(heat, tournament, room);
  keyed(list, lines, (line) => line.key,
    () => el("li", {}, el("span", { class: "place" }), el("bdi"), el("span", { class: "points" }), el("small")), updateLine);
}

/** @param {HTMLElement} element @param {Line} line */
function updateLine(element, line) {
  const [place, name, points, small] = /** @type {HTMLElement[]} */ ([...element.children]);
  setText(place, line.place);
  setText(name, line.name);
  setText(points, line.score);
  setText(small, line.state);
  element.classList.toggle("done", line.isDone);
}

/** @param {HeatLine} heat @param {Tournament} tournament @returns {Line[]} */
const overLines = (heat, tournament) => [
  ...(heat.results ?? []).map((line) => ({
    key: line.entrant, place: String(line.rank), name: nameOf(tournament, line.entrant), score: String(line.best), state: t(`status.${line.status}`), isDone: true,
  })),
  ...absentFrom(heat).map((entrant) => absentLine(entrant, tournament)),
];

/** @param {string} entrant @param {Tournament} tournament @returns {Line} */
const absentLine = (entrant, tournament) => ({ key: entrant, place: "", name: nameOf(tournament, entrant), score: "", state: t("entrant.absent"), isDone: true });

/** @param {HeatLine} heat @param {Tournament} tournament @param {Room | undefined} room @returns {Line[]} */
function liveLines(heat, tournament, room) {
  const racing = room ? liveOrder(room) : [];
  const absent = absentFrom(heat);
  if (racing.length === 0) {
    return heat.entrants.map((entrant) => (absent.includes(entrant) ? absentLine(entrant, tournament)
      : { key: entrant, place: "", name: nameOf(tournament, entrant), score: "", state: "", isDone: false }));
  }
  return [...racing.map((line) => ({
    key: line.player, place: String(racing.findIndex((other) => compare(other, line) === 0) + 1), name: line.name, score: String(bestOf(line)),
    state: line.status === "racing" ? (line.online ? "" : t("person.away")) : t(`status.${line.status}`), isDone: line.status !== "racing",
  })), ...absent.map((entrant) => absentLine(entrant, tournament))];
}

customElements.define("hm-liveheats", HmLiveheats);
