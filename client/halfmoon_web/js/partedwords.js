/** Where two runs parted, in words. */

import "./recordwords.js";
import { spotWords } from "./speech.js";
import { cardName, t } from "./words.js";

/** @typedef {import("./parted.js").Choice} Choice */

/** A card and where it lies. @param {string} card @param {string} spot */
const lying = (card, spot) => t("parted.card", { card: cardName(card), spot: spotWords(spot) });

/** What was done. @param {string} name @param {Choice} choice */
export function didWords(name, { what, cards, spots, isUndone }) {
  const words = t(`parted.${what}`, { name, cards: cards.map((card, i) => lying(card, spots[i])).join(", ") });
  return isUndone ? `${words} ${t("parted.undone", { name })}` : words;
}

/** What turned up where a card went; under the reserve lies nothing. @param {Choice} choice */
export function beneathWords({ what, spots, beneath }) {
  const cards = what !== "move" ? [] : spots.flatMap((spot, i) => {
    const card = beneath[i];
    if (spot.startsWith("R")) return [];
    return [card === null ? t("parted.nothing", { spot: spotWords(spot) }) : lying(card, spot)];
  });
  return cards.length > 0 ? t("parted.beneath", { cards: cards.join(", ") }) : "";
}

/** What else that player knew by then. @param {string} name @param {Choice} choice */
export function knownWords(name, { known }) {
  const cards = known.map(({ spot, card }) => lying(card, spot));
  return cards.length > 0 ? t("parted.known", { name, cards: cards.join(", ") }) : "";
}
