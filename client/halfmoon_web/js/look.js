/** How the page looks and in which language it speaks, as the player has set it. */

import { el } from "./dom.js";
import { currentLanguage, useLanguage } from "./words.js";

const PATIENCE_MS = 3_000;

/**
 * Brings in the sheets that the first screen can do without.  The page only names them: asked for with it, they would
 * share the line with what is waited for.
 */
export async function bringInLateSheets() {
  const late = [...document.querySelectorAll("meta")].filter((one) => one.name === "late-sheet");
  for (const one of late) one.remove();
  await Promise.all(late.map((one) => bringInSheet(one.content)));
}

/** Brings in a sheet that only one page needs, and waits until it is there. @param {string} href @returns {Promise<void>} */
export function bringInSheet(href) {
  const link = el("link", { rel: "stylesheet", href });
  return new Promise((done) => {
    // Without it the page is plain, but there.
    for (const end of ["load", "error"]) link.addEventListener(end, () => done());
    setTimeout(done, PATIENCE_MS);
    document.head.append(link);
  });
}

/** @param {import("./settings.js").Settings} settings */
export function applyLook(settings) {
  useLanguage(settings.language, navigator.languages);
  const root = document.documentElement;
  root.lang = currentLanguage();
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.classList.toggle("four-colours", settings.four_colours);
  root.classList.toggle("left-handed", settings.left_handed);
  root.classList.toggle("no-reactions", !settings.reactions);
}
