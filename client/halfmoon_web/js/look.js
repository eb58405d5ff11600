/** How the page looks and in which language it speaks, as the player has set it. */

import { el } from "./dom.js";
import { currentLanguage, useLanguage } from "./words.js";

const PATIENCE_MS = 3_000;

/**
 * Brings in the sheets that the first screen can do without: they are asked for as if for print, so that nothing
 * waits for them.
 */
export async function bringInLateSheets() {
  const links = [...document.querySelectorAll("link")].filter((link) => link.media === "print");
  const here = Promise.all(links.map((link) => link.sheet || new Promise((done) => link.addEventListener("load", done))));
  // One that fails to come must not keep the page from working.
  await Promise.race([here, new Promise((done) => setTimeout(done, PATIENCE_MS))]);
  for (const link of links) link.media = "all";
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
