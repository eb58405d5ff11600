/**
 * The order of seeds before the first round: dragged, typed, by name or by lot.
 *
 *     const seeds = document.createElement("hm-seeds");
 *     seeds.data = { tournament, isBusy: false };
 *     // hm-seed {entrants}
 */

import { el, keyed, send, setText } from "../dom.js";
import { reorderable } from "../reordering.js";
import { byName, movedTo, seeded, shuffled } from "../seeding.js";
import { nameOf } from "../tournament.js";
import { currentLanguage, t } from "../words.js";

/** @typedef {import("../messages.js").EntrantLine} EntrantLine */

export class HmSeeds extends HTMLElement {
  #words = el("p", { class: "muted" });
  #byName = el("button", { type: "button" }, t("seeds.by_name"));
  #shuffle = el("button", { type: "button" }, t("seeds.shuffle"));
  #list = el("ol", { class: "seeds" });
  /** @type {(entrant: string) => string} */
  #nameOf = String;
  /** @type {EntrantLine[]} in the order of seeds */
  #entrants = [];
  #isDragged = () => this.#list.querySelector(".held") !== null;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#words, el("div", { class: "pairwise" }, this.#byName, this.#shuffle), this.#list);
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#byName.addEventListener("click", () => this.#send(byName(this.#entrants, currentLanguage())), { signal });
    this.#shuffle.addEventListener("click", () => this.#send(shuffled(this.#order, Math.random)), { signal });
    reorderable(this.#list, ".grip", (entrant, place) => this.#send(movedTo(this.#order, entrant, place)), signal);
    this.#list.addEventListener("change", (event) => event.target instanceof HTMLInputElement && this.#typed(event.target), { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {{tournament: import("../tournament.js").Tournament, isBusy: boolean}} */ { tournament, isBusy }) {
    this.#entrants = seeded(tournament.entrants);
    this.#nameOf = (entrant) => nameOf(tournament, entrant);
    setText(this.#words, t(`seeds.words_${tournament.format}`));
    this.#byName.disabled = this.#shuffle.disabled = isBusy;
    // What somebody holds isn't taken out of their hand; the order comes when they let go.
    if (!this.#isDragged()) this.#draw();
  }

  #draw() {
    const focused = document.activeElement;
    keyed(this.#list, this.#entrants, (line) => line.entrant, makeLine, (element, line, i) => updateLine(element, this.#nameOf(line.entrant), i));
    // A line that is moved loses the focus on its way.
    if (focused instanceof HTMLElement && this.#list.contains(focused)) focused.focus();
  }

  get #order() {
    return this.#entrants.map((line) => line.entrant);
  }

  /** @param {string[]} entrants */
  #send(entrants) {
    const changed = entrants.some((entrant, i) => entrant !== this.#entrants[i].entrant);
    if (changed) send(this, "seed", { entrants });
    else this.#draw();
  }

  /** @param {HTMLInputElement} input */
  #typed(input) {
    const entrant = input.closest("[data-key]")?.getAttribute("data-key") ?? "";
    const place = Number(input.value.trim() || NaN);
    if (Number.isInteger(place) && place >= 1) this.#send(movedTo(this.#order, entrant, place));
    else this.#draw();
    input.blur();
  }
}

const makeLine = () =>
  el("li", {}, el("input", { inputmode: "numeric", autocomplete: "off", maxlength: "4" }), el("bdi"), el("button", { type: "button", class: "grip quiet" }));

/** @param {HTMLElement} element @param {string} name @param {number} index */
function updateLine(element, name, index) {
  const [place, shown, grip] = element.children;
  if (place instanceof HTMLInputElement && place !== document.activeElement) place.value = String(index + 1);
  place.setAttribute("aria-label", t("seeds.place", { name }));
  setText(shown, name);
  setText(grip, "≡");
  grip.setAttribute("aria-label", t("seeds.drag", { name }));
}

customElements.define("hm-seeds", HmSeeds);
