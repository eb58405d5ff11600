/**
 * One's own history: figures, races from the newest on, and the challenges that one made.
 *
 *     const me = document.createElement("hm-me");
 *     await me.open();
 */

import "../resultwords.js";
import { ask, knowsPlayer } from "../asking.js";
import { dateWords, dayWords } from "../dates.js";
import { el, setText } from "../dom.js";
import { linkToContest } from "../links.js";
import { linkToRun } from "../tables.js";
import { t } from "../words.js";
import { HmMadebyme } from "./hm-madebyme.js";

/** In the order in which they are shown. */
const TOTALS = ["races", "wins", "firsts", "best", "clean", "deadlocks"];

export class HmMe extends HTMLElement {
  #title = el("h1", { tabindex: "-1" });
  #words = el("p", { class: "muted" });
  #totals = el("dl", { class: "totals" });
  #races = el("ol", { class: "own-races" });
  #more = el("button", { type: "button" });
  #trouble = el("p", { class: "trouble", role: "alert" });
  #challenges = new HmMadebyme();
  #next = "";

  async open() {
    const { status, body } = knowsPlayer() ? await ask("/api/players/me/races") : { status: 401, body: null };
    setText(this.#title, t("me.title"));
    this.append(el("section", { class: "panel results" }, this.#title, this.#words));
    if (status === 401) return this.#welcome(t("me.nobody"));
    if (status !== 200) return setText(this.#words, t("aside.unreachable"));
    if (body.races.length === 0) this.#welcome(t("me.none", { name: body.name }));
    else this.#build(body);
    this.append(this.#challenges);
    await this.#challenges.open();
  }

  /** Where there is nothing yet. @param {string} words */
  #welcome(words) {
    setText(this.#words, words);
    this.#words.after(el("div", { class: "set-out" }, el("a", { class: "button", href: "/" }, t("aside.home")),
      el("a", { class: "button", href: "/daily" }, t("daily.title"))));
  }

  /** @param {any} body */
  #build(body) {
    setText(this.#words, t("me.words", { name: body.name }));
    this.#more.textContent = t("aside.more");
    this.#more.addEventListener("click", () => this.#goOn());
    this.#totals.replaceChildren(...TOTALS.map((name) => el("div", {}, el("dt", {}, t(`me.${name}`)), el("dd", {}, String(body.totals[name])))));
    this.#words.after(this.#totals);
    this.append(el("section", { class: "panel results" }, el("h2", {}, t("me.list")), this.#races, this.#trouble, this.#more));
    this.#add(body);
  }

  /** @param {any} body */
  #add({ races, next }) {
    this.#races.append(...races.map(raceLine));
    this.#next = next ?? "";
    this.#more.hidden = this.#next === "";
  }

  async #goOn() {
    const { status, body } = await ask(`/api/players/me/races?after=${encodeURIComponent(this.#next)}`);
    setText(this.#trouble, status === 200 ? "" : t("aside.unreachable"));
    if (status === 200) this.#add(body);
  }
}

/** @param {any} race */
function raceLine(race) {
  const figures = [
    t(`status.${race.status}`), t("score.moves", { count: race.moves }), race.undos === 0 ? t("me.no_undos") : t("me.undos", { count: race.undos }),
    race.racers > 1 && t("me.place", { rank: race.rank, of: race.racers }),
  ];
  return el("li", { "data-status": race.status },
    el("a", { class: "own-race", href: linkToRun(race) }, el("b", {}, String(race.best)), el("span", {}, dateWords(race.starts_at)),
      el("small", {}, figures.filter((words) => words !== false).join(" · "))),
    ...moreOf(race));
}

/** Where the race belongs: to a contest, else to its deal. @param {any} race */
function moreOf({ contest, code }) {
  const table = linkToContest(contest);
  if (table !== null) {
    const [kind, id] = contest.split("/");
    const words = kind === "daily" ? t("me.daily", { day: dayWords(id) }) : t("me.challenge");
    return [el("a", { class: "more-link", href: table }, words)];
  }
  return code === undefined ? [] : [el("a", { class: "more-link", href: `/deal/${code}` }, t("over.deal"))];
}

customElements.define("hm-me", HmMe);
