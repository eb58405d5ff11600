/**
 * The end of a tournament: the first three, equals side by side.
 *
 *     const podium = document.createElement("hm-podium");
 *     podium.data = { tournament, standings };
 */

import { el } from "../dom.js";
import { podium, pointsText } from "../tabling.js";
import { t } from "../words.js";

export class HmPodium extends HTMLElement {
  #shown = "";

  set data(/** @type {{tournament: import("../tournament.js").Tournament, standings: import("../tabling.js").Standings | null}} */ { tournament, standings }) {
    const rows = podium(standings?.rows ?? []);
    const shown = JSON.stringify(rows.map((row) => [row.rank, row.name, row.points]));
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.setAttribute("aria-label", t("podium.title"));
    this.setAttribute("role", "group");
    this.replaceChildren(...[2, 1, 3].filter((rank) => rows.some((row) => row.rank === rank)).map((rank) =>
      el("div", { class: "step", "data-rank": String(rank) },
        ...rows.filter((row) => row.rank === rank).map((row) => el("p", {}, el("bdi", {}, row.name), el("small", {}, t("entrant.points", { points: pointsText(tournament.format, row.points) })))),
        el("b", {}, String(rank)))));
  }
}

customElements.define("hm-podium", HmPodium);
