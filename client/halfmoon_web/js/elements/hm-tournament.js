/**
 * An entrant's tournament: who one is, what comes next and when, the table, and one's own rounds; at the door the way in.
 *
 *     const page = document.createElement("hm-tournament");
 *     page.serverNow = () => clock.serverNow();
 *     page.data = { tournament, entrant: "e7", refusal: null, call: null, standings, why: new Map(), isBusy: false, name: "Kata", claim: "" };
 *     // hm-enter {name, claim} · hm-heat · hm-why {round, heat} · hm-another
 */

import { el, send, setText } from "../dom.js";
import { ended, pointsText } from "../tabling.js";
import { attendance, canEnter, lineOf, nameOf, nextFor, nextForAll, roundsOf } from "../tournament.js";
import { exactTime, has, t } from "../words.js";
import { HmPodium } from "./hm-podium.js";
import { HmRounds } from "./hm-rounds.js";
import { HmRules } from "./hm-rules.js";
import { HmTable } from "./hm-table.js";
import { HmWhen } from "./hm-when.js";

/** @typedef {import("../tournament.js").Tournament} Tournament */
/**
 * @typedef {object} TournamentData
 * @property {Tournament | null} tournament
 * @property {string | null} entrant
 * @property {string | null} refusal
 * @property {import("../tabling.js").Standings | null} standings
 * @property {import("../tournament.js").Call | null} call the heat that one was called to last
 * @property {import("../explaining.js").Reasons} why
 * @property {boolean} isBusy
 * @property {string} name what the field begins with
 * @property {string} claim that was refused, or ""
 * @property {boolean} wasIn whether this browser had come in before
 */

export class HmTournament extends HTMLElement {
  #title = el("h1", { tabindex: "-1" });
  #announcement = el("p", { class: "announcement", role: "status" });
  #who = el("p", { class: "who-line" });
  #next = el("p", { class: "next-line", role: "status" });
  #when = new HmWhen();
  #toHeat = el("button", { type: "button", class: "main" }, t("entrant.to_heat"));
  #here = el("p", { class: "muted" });
  #name = el("input", { id: "entrant-name", maxlength: "48", autocomplete: "nickname", spellcheck: "false" });
  #nameLabel = el("label", { for: "entrant-name" }, t("home.name"));
  #claim = el("input", { id: "entrant-claim", maxlength: "64", autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
  #claimLabel = el("label", { for: "entrant-claim" }, t("entrant.claim"));
  #trouble = el("p", { class: "trouble", role: "alert" });
  #enter = el("button", { type: "submit", class: "main" }, t("entrant.enter"));
  #another = el("button", { type: "button", class: "quiet" }, t("home.someone_else"));
  #form = el("form", { class: "ways door", novalidate: true },
    this.#nameLabel, this.#name, this.#claimLabel, this.#claim, this.#trouble, this.#enter, this.#another);
  #own = el("ul", { class: "own-rounds" });
  #ownPanel = el("section", { class: "panel" }, el("h2", {}, t("entrant.rounds")), this.#own);
  #podium = new HmPodium();
  #rules = new HmRules();
  #rulesPanel = el("section", { class: "panel" }, this.#rules);
  #table = new HmTable();
  #rounds = new HmRounds();
  #tablePanel = el("section", { class: "panel" }, el("h2", {}, t("table.title")), this.#table);
  #roundsPanel = el("section", { class: "panel" }, el("h2", {}, t("round.all")), this.#rounds);
  #isFilled = false;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) {
      this.append(
        el("section", { class: "panel now" }, this.#title, this.#announcement, this.#who, this.#next, this.#when, this.#toHeat, this.#here, this.#form),
        this.#rulesPanel, this.#podium, this.#ownPanel, this.#tablePanel, this.#roundsPanel);
    }
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#goIn();
    }, { signal });
    this.#toHeat.addEventListener("click", () => send(this, "heat"), { signal });
    this.#another.addEventListener("click", () => send(this, "another"), { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set serverNow(/** @type {() => number} */ serverNow) {
    this.#when.serverNow = serverNow;
  }

  set data(/** @type {TournamentData} */ data) {
    const { tournament, entrant, standings, why } = data;
    this.#showDoor(data);
    for (const part of [this.#when, this.#toHeat, this.#tablePanel, this.#roundsPanel, this.#ownPanel, this.#podium, this.#rulesPanel]) part.hidden = tournament === null;
    setText(this.#title, tournament?.name ?? t(data.refusal ? "entrant.unknown" : "entrant.looking"));
    if (tournament === null) return;
    const { online, all } = attendance(tournament);
    setText(this.#announcement, tournament.announcement?.text ?? "");
    setText(this.#here, t("entrant.here", { online, all }));
    this.#when.data = { tournament };
    this.#showOwn(data, tournament);
    // Who has never raced is told how; who has, knows.
    this.#rulesPanel.hidden = tournament.state === "over" || (entrant !== null && roundsOf(tournament, entrant).some(({ result }) => result !== undefined));
    this.#rules.data = { format: tournament.format };
    this.#podium.hidden = tournament.state !== "over";
    this.#podium.data = { tournament, standings };
    this.#tablePanel.hidden = tournament.round === 0;
    this.#table.data = { tournament, standings, me: entrant, isPaged: true };
    this.#roundsPanel.hidden = tournament.round === 0;
    this.#rounds.data = { tournament, me: entrant, directs: false, why };
  }

  /** @param {TournamentData} data @param {Tournament} tournament */
  #showOwn({ entrant, standings, call }, tournament) {
    const row = standings?.rows.find((line) => line.entrant === entrant);
    const line = lineOf(tournament, entrant);
    const place = row && ended(standings?.rows ?? []).length > 0 ? t("entrant.place", { rank: row.rank, count: standings?.rows.length ?? 0, points: pointsText(tournament.format, row.points) }) : "";
    setText(this.#who, line ? [t("entrant.who", { name: nameOf(tournament, line.entrant) }), place].filter(Boolean).join(" · ") : "");
    const next = entrant === null ? nextForAll(tournament) : nextFor(tournament, entrant, call);
    setText(this.#next, t(`next.${next}`, { round: tournament.round + 1, rounds: tournament.rounds ?? 0 }));
    this.#toHeat.hidden = next !== "race";
    const own = entrant === null ? [] : roundsOf(tournament, entrant);
    this.#ownPanel.hidden = own.length === 0;
    this.#own.replaceChildren(...own.map((round) => el("li", {}, ownWords(tournament, entrant ?? "", round, row?.rounds.find((one) => one.round === round.round)?.points))));
  }

  /** The way in, for who isn't. @param {TournamentData} data */
  #showDoor({ tournament, entrant, refusal, isBusy, name, claim, wasIn }) {
    const isList = tournament?.entry === "list";
    const isShut = tournament !== null && !isList && !canEnter(tournament);
    this.#form.hidden = tournament === null || entrant !== null || tournament.state === "over" || isShut;
    this.#nameLabel.hidden = this.#name.hidden = isList || claim !== "";
    this.#claimLabel.hidden = this.#claim.hidden = !isList;
    this.#enter.disabled = isBusy;
    this.#another.hidden = !(refusal === "not_allowed" && claim !== "");
    if (!this.#isFilled && tournament !== null) {
      this.#isFilled = true;
      this.#name.value = name;
      this.#claim.value = claim;
    }
    const open = wasIn ? "entrant.refused_taken_over" : "entrant.refused_not_allowed_open";
    const key = refusal === "not_allowed" && claim === "" ? open : `entrant.refused_${refusal}`;
    if (refusal !== null) setText(this.#trouble, has(key) ? t(key) : t("error.unknown"));
    else if (isBusy) setText(this.#trouble, "");
  }

  #goIn() {
    const [name, claim] = [this.#name.value.trim(), this.#claim.value.trim()];
    const missing = !this.#claim.hidden && claim === "" ? this.#claim : !this.#name.hidden && name === "" ? this.#name : null;
    if (missing === null) return send(this, "enter", { name, claim: this.#claim.hidden ? "" : claim });
    setText(this.#trouble, t(missing === this.#claim ? "entrant.no_claim" : "error.no_name"));
    missing.focus();
  }
}

/** @param {Tournament} tournament @param {string} entrant @param {import("../tournament.js").OwnRound} round @param {number} [points] */
function ownWords(tournament, entrant, { round, heat, result, annulled, isAbsent }, points) {
  const others = (heat?.entrants ?? []).filter((other) => other !== entrant).map((other) => nameOf(tournament, other));
  const against = tournament.format === "series" || others.length === 0 ? "" : t("table.against", { name: others.join(", ") });
  const end = heat === undefined ? t("entrant.bye")
    : result ? t("entrant.result", { rank: result.rank, best: result.best, time: exactTime(result.time_ms) })
    : isAbsent ? t("entrant.absent") : t(`heat.${heat.state}`);
  const corrected = result?.raw ? t("round.raw", { result: t("round.result", { best: result.raw.best, time: exactTime(result.raw.time_ms), status: t(`status.${result.raw.status}`) }), reason: result.reason ?? "" }) : "";
  const earned = annulled ? t("entrant.annulled") : points === undefined ? "" : t("entrant.points", { points: pointsText(tournament.format, points), count: points });
  return [t("round.title", { round }), against, end, earned, corrected].filter(Boolean).join(" · ");
}

customElements.define("hm-tournament", HmTournament);
