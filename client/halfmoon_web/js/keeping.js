/** Keeps the record of a race as a file, also of one that is open only to who has raced there. */

import { askRecord } from "./asking.js";
import { el } from "./dom.js";

/** What a record's file is called. @param {string} race */
export const fileNameOf = (race) => `half-moon-${race.replace(/[^\w-]/g, "")}.json`;

/** Long enough for a browser to have begun with the file. */
const KEPT_MS = 60_000;

/** Asks for the record as oneself, and has the browser keep it; rejects where none is given. @param {string} race */
export async function keepRecord(race) {
  const text = await askRecord(race);
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  el("a", { href, download: fileNameOf(race) }).click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}
