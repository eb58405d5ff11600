/** What is said to those who can't see the table: pure words, and the one place where they are said. */

import { el } from "./dom.js";
import { cardName, t } from "./words.js";

/** What happens at about the same time is said in one breath. */
const BREATH_MS = 300;

/** A spot by name, such as "pile 8". @param {string} spot */
export const spotWords = (spot) => t(spot.startsWith("R") ? "spot.reserve" : "spot.pile", { spot });

/** @param {Extract<import("./messages.js").Message, {type: "moved" | "undone"}>} message */
export function actionWords(message) {
  if (message.type === "undone") return t("say.undone", { score: message.score });
  const turnedUp = Object.entries(message.revealed).flatMap(([spot, card]) => {
    if (card !== null) return [t("say.revealed", { spot: spotWords(spot), card: cardName(card) })];
    return spot.startsWith("R") ? [] : [t("say.emptied", { spot: spotWords(spot) })];
  });
  const removed = t("say.removed", { cards: message.removed.map(cardName).join(", "), score: message.score });
  return [removed, ...turnedUp].join(" ");
}

/** @param {import("./moments.js").Moment} moment @returns {string} "" where the page says it already */
export function momentWords({ what, name = "", rank = 0, count = 0 }) {
  if (what === "started") return t("say.started");
  if (what === "rank") return t("say.rank", { rank, count });
  return what === "rival_deadlocked" || what === "rival_won" ? t(`say.${what}`, { name }) : "";
}

/** A live region: screen readers say what is put into it. */
export class Speaker {
  element = el("p", { class: "offscreen", role: "log", "aria-live": "polite" });
  /** @type {string[]} */
  #waiting = [];

  /** @param {string} words */
  say(words) {
    if (words === "") return;
    this.#waiting.push(words);
    if (this.#waiting.length === 1) setTimeout(() => this.#speak(), BREATH_MS);
  }

  /** What was said of another screen is no news any more. */
  forget() {
    this.#waiting = [];
    this.element.textContent = "";
  }

  #speak() {
    if (this.#waiting.length === 0) return;
    this.element.textContent = this.#waiting.join(" ");
    this.#waiting = [];
  }
}
