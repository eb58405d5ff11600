/**
 * Pages beside the rooms.  A module of its own between them and `main.js`: what is opened from here comes after all that
 * a race needs, and never along with it.
 */

import { tournamentInPath, tournamentView } from "./links.js";
import { bringInLateSheets } from "./look.js";

/**
 * @typedef {object} Page
 * @property {string} record the race whose record it is, "" for the place to drop one
 * @property {ReturnType<typeof import("./links.js").resultsInPath>} results a page of results instead
 * @property {Storage | null} storage
 * @property {import("./identity.js").IdentityStore} identity
 */

/** @param {Page} page */
export async function open({ record, results, storage, identity }) {
  if (results !== null) return openResults(results, storage);
  const tournament = tournamentInPath(location.pathname);
  switch (tournamentView(location.pathname)) {
    case "entrant":
      return (await import("./entrant.js")).beginEntrant(tournament, identity);
    case "wall":
      return (await import("./tournamentwall.js")).beginTournamentWall(tournament);
    case "organiser":
      return (await import("./organiser.js")).beginOrganiser(storage);
    case null:
      return openRecord(record, storage);
  }
}

/** @param {NonNullable<Page["results"]>} results @param {Storage | null} storage */
async function openResults(results, storage) {
  const { beginAside } = await import("./aside.js");
  await bringInLateSheets();
  await beginAside(results, storage);
}

/** @param {string} record @param {Storage | null} storage */
async function openRecord(record, storage) {
  const { beginRecords } = await import("./records.js");
  await bringInLateSheets();
  await beginRecords(record, storage);
}
