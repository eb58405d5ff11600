/** The first screen, as soon as it can be there.  The rest of the page comes right behind it. */

import { IdentityStore, storageOf } from "./identity.js";
import { asksToWatch, isPage, recordInPath, resultsInPath, roomInPath, tournamentView, viewInPath } from "./links.js";
import { applyLook, bringInLateSheets } from "./look.js";
import { load } from "./settings.js";
import { hasWish } from "./wishes.js";
import { t } from "./words.js";
import { HmHome } from "./elements/hm-home.js";

/** So long the rest waits for the first screen at most. */
const PATIENCE_MS = 200;

const storage = storageOf("localStorage");
const identity = new IdentityStore(storage, storageOf("sessionStorage"));
const room = roomInPath(location.pathname);
const view = viewInPath(location.pathname);
const record = recordInPath(location.pathname);
const results = resultsInPath(location.pathname);
const isElsewhere = record !== null || results !== null || tournamentView(location.pathname) !== null;
const watches = asksToWatch(location.search);

applyLook(load(storage));

/** @type {HmHome | null} */
let home = null;
if (view === null && !isElsewhere && !identity.comesBackTo(room) && !hasWish(storageOf("sessionStorage"))) {
  home = new HmHome();
  document.querySelector("main")?.append(home);
  home.values = { name: identity.ownName, room, watches };
  home.busy = room !== "" && watches;
  if (!isPage(location.pathname)) home.trouble = { text: t("error.no_page"), of: "name" };
}

/** What was pressed before the rest was there. @type {Event[]} */
const early = [];
const ways = ["hm-create", "hm-alone", "hm-join", "hm-someone-else"];
for (const way of ways) document.addEventListener(way, keep);

/** @param {Event} event */
function keep(event) {
  early.push(event);
  if (home && event.type !== "hm-someone-else") home.busy = true;
}

const rest = () => import("./rest.js");
const app = () => import("./app.js");
const wall = () => import("./wall.js");
const elsewhere = () => import("./elsewhere.js");

/** Once the first screen can be seen, or this is a tab that nobody sees yet. @returns {Promise<void>} */
const painted = () => new Promise((done) => {
  requestAnimationFrame(() => setTimeout(done));
  setTimeout(done, PATIENCE_MS);
});

async function goOn() {
  if (home) await painted();
  // All at once: each stands on those before it, and would be asked for a round trip later.
  const common = [rest(), app()];
  if (view === null && !isElsewhere) {
    const [{ begin }] = await Promise.all([app(), bringInLateSheets(), ...common]);
    for (const way of ways) document.removeEventListener(way, keep);
    begin(identity);
    for (const { type, detail } of early.filter((event) => event instanceof CustomEvent)) {
      document.dispatchEvent(new CustomEvent(type, { detail }));
    }
  } else if (view !== null) {
    const [{ beginWall }] = await Promise.all([wall(), bringInLateSheets(), ...common]);
    beginWall(room, view);
  } else {
    const [{ open }] = await Promise.all([elsewhere(), ...common]);
    await open({ record: record ?? "", results, storage, identity });
  }
}

goOn();
