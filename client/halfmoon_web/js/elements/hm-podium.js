/**
 * The end of a tournament: the first three, equals side by side.
 *
 *     const podium = document.createElement("hm-podium");
 *     podium.data = { tournament, standings };
 */

import { el } from "../dom.js";
import { podium, pointsText } from "../tabling.js";
import { nameOf } from "../tournament.js";
import { t } from "../words.js";

/** So many equals are named on a step, so that it stays in the picture. */
const MOST_NAMES = 4;

export class HmPodium extends HTMLElement {
  #shown = "";

  set data(/** @type {{tournament: import("../tournament.js").Tournament, standings: import("../tabling.js").Standings | null}} */ { tournament, standings }) {
    const rows = podium(standings?.rows ?? []);
    const shown = JSON.stringify(rows.map((row) => [row.rank, nameOf(tournament, row.entrant), row.points]));
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.setAttribute("aria-label", t("podium.title"));
    this.setAttribute("role", "group");
    this.replaceChildren(...[2, 1, 3].filter((rank) => rows.some((row) => row.rank === rank)).map((rank) =>
      el("div", { class: "step", "data-rank": String(rank) },
        ...namesOn(rows.filter((row) => row.rank === rank), tournament), el("b", {}, String(rank)))));
  }
}

/** Who stands on one step; of many equals the first few. @param {import("../tabling.js").Row[]} rows @param {import("../tournament.js").Tournament} tournament */
function namesOn(rows, tournament) {
  const points = el("small", {}, t("entrant.points", { points: pointsText(tournament.format, rows[0].points), count: rows[0].points }));
  const shown = rows.length > MOST_NAMES ? rows.slice(0, MOST_NAMES - 1) : rows;
  const more = rows.length > shown.length ? [el("span", {}, t("podium.more", { count: rows.length - shown.length }))] : [];
  return [el("p", {}, ...shown.map((row) => el("bdi", {}, nameOf(tournament, row.entrant))), ...more, points)];
}

customElements.define("hm-podium", HmPodium);
