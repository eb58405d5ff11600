/** What somebody did in a race that is over, in words. */

import { exposedAt } from "./position.js";
import { cardName, t } from "./words.js";

/** @param {import("./verify.js").Replay} replay @param {number} seat @param {number} number of the action, from 1 */
export function deedWords({ record, runs, deal }, seat, number) {
  const { name, actions } = record.players[seat];
  const { move, undo } = actions[number - 1];
  const { score } = runs[seat][number].position;
  if (!move) return undo ? `${name}: ${t("say.undone", { score })}` : "";
  const cards = move.map((spot) => cardName(exposedAt(deal, runs[seat][number - 1].position, spot) ?? ""));
  return `${name}: ${t("say.removed", { cards: cards.join(", "), score })}`;
}
