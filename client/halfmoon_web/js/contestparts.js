/** What the pages of a challenge and of a day's deal have in common. */

import { ask, knowsPlayer } from "./asking.js";
import { el } from "./dom.js";
import { IdentityStore, storageOf } from "./identity.js";
import { linkTo } from "./links.js";
import { rulesWords } from "./tables.js";
import { t } from "./words.js";
import { HmCopy } from "./elements/hm-copy.js";

/** Who this browser's player is to others, "" where nobody is known. @returns {Promise<string>} */
export async function whoAmI() {
  const { body } = knowsPlayer() ? await ask("/api/players/me/races") : { body: null };
  return body?.player ?? "";
}

/** The seal of a deal, its rules, and its code where that is open. @param {{seal: string, code?: string, options: import("./tables.js").Rules}} shown */
export const dealParts = ({ seal, code, options }) => [
  el("p", { class: "muted" }, rulesWords(options)),
  el("div", { class: "code-line" }, el("span", { class: "muted" }, t("contest.seal")), sealCopy(seal)),
  ...(code === undefined ? [] : [el("p", {}, el("a", { class: "button", href: `/deal/${code}` }, t("over.deal")))]),
];

/** @param {string} seal */
function sealCopy(seal) {
  const copy = new HmCopy();
  copy.value = { text: seal, label: t("copy.button") };
  return copy;
}

/** The way back into the room where one plays alone, and isn't done. @param {string} room @returns {HTMLElement} */
export function wayBack(room) {
  const link = el("a", { class: "button main", href: linkTo("", room) }, t("contest.go_on"));
  // The page of the room comes back to where one sits.
  link.addEventListener("click", () => new IdentityStore(storageOf("localStorage"), storageOf("sessionStorage")).sit({ room, as: "player" }));
  return link;
}
