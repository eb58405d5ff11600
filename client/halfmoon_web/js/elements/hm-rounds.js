/**
 * All rounds of a tournament, the newest first; what is closed isn't drawn.
 *
 *     const rounds = document.createElement("hm-rounds");
 *     rounds.data = { tournament, me: "e7", directs: false, why: new Map([["2.1", [{ why: "one_deal", count: 28 }]]]) };
 *     // hm-ask-annul {round} and the events of hm-heat
 */

import { el, keyed, send, setText } from "../dom.js";
import { isAnnulled, nameOf, roundNumbers } from "../tournament.js";
import { t } from "../words.js";
import { HmHeat } from "./hm-heat.js";

/** @typedef {import("../tournament.js").Tournament} Tournament */
/** @typedef {{tournament: Tournament, me: string | null, directs: boolean, why: import("../explaining.js").Reasons}} RoundsData */

export class HmRounds extends HTMLElement {
  #none = el("p", { class: "muted" });
  #list = el("div", { class: "rounds" });
  /** @type {RoundsData | null} */
  #data = null;
  #opened = 0;

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#none, this.#list);
  }

  set data(/** @type {RoundsData} */ data) {
    this.#data = data;
    const { tournament } = data;
    setText(this.#none, tournament.round === 0 ? t("round.none") : "");
    keyed(this.#list, roundNumbers(tournament), String, (round) => this.#make(round), (element, round) => this.#update(element, round));
    // What has just been drawn is looked at first, once.
    if (tournament.round !== this.#opened && this.#list.firstElementChild instanceof HTMLDetailsElement) {
      this.#opened = tournament.round;
      this.#list.firstElementChild.open = true;
    }
  }

  /** @param {number} round */
  #make(round) {
    const details = el("details", { class: "round" }, el("summary", {}, el("span"), el("small")), el("div", { class: "round-body" }));
    details.addEventListener("toggle", () => this.#update(details, round));
    return details;
  }

  /** @param {HTMLElement} element @param {number} round */
  #update(element, round) {
    if (!(element instanceof HTMLDetailsElement) || this.#data === null) return;
    const { tournament } = this.#data;
    const [summary, body] = /** @type {HTMLElement[]} */ ([...element.children]);
    const [title, state] = summary.children;
    setText(title, t("round.title", { round }));
    setText(state, stateWords(tournament, round));
    if (element.open) this.#fill(body, round, this.#data);
  }

  /** @param {HTMLElement} body @param {number} round @param {RoundsData} data */
  #fill(body, round, { tournament, me, directs, why }) {
    if (body.childElementCount === 0) body.append(el("div", { class: "heats-over" }), el("p", { class: "muted" }), annulButton(round));
    const [heats, byes, annul] = /** @type {HTMLElement[]} */ ([...body.children]);
    keyed(heats, tournament.heats.filter((heat) => heat.round === round), (heat) => String(heat.heat), () => new HmHeat(),
      (element, heat) => { /** @type {HmHeat} */ (element).data = { tournament, heat, me, directs, why: why.get(`${round}.${heat.heat}`) }; });
    const names = tournament.byes.filter((bye) => bye.round === round).map((bye) => nameOf(tournament, bye.entrant));
    setText(byes, names.length > 0 ? t("round.bye", { names: names.join(", ") }) : "");
    const isRunning = tournament.state === "racing" && tournament.round === round;
    annul.hidden = !directs || isRunning || isAnnulled(tournament, round);
  }
}

/** @param {Tournament} tournament @param {number} round */
function stateWords(tournament, round) {
  const annulled = tournament.annulled.find((one) => one.round === round);
  if (annulled) return t("round.annulled", { reason: annulled.reason });
  const early = tournament.ended_early?.find((one) => one.round === round);
  if (early) return t("round.ended_early", { reason: early.reason });
  return tournament.state === "racing" && tournament.round === round ? t("round.racing") : "";
}

/** @param {number} round */
function annulButton(round) {
  const button = el("button", { type: "button", class: "quiet small" }, t("conduct.annul_round"));
  button.addEventListener("click", () => send(button, "ask-annul", { round }));
  return el("div", { class: "annul" }, button);
}

customElements.define("hm-rounds", HmRounds);
