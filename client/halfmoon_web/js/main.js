/** The first screen, as soon as it can be there.  The rest of the page comes right behind it. */

import { IdentityStore, storageOf } from "./identity.js";
import { asksToWatch, recordInPath, resultsInPath, roomInPath, tournamentView, viewInPath } from "./links.js";
import { applyLook, bringInLateSheets } from "./look.js";
import { load } from "./settings.js";
import { hasWish } from "./wishes.js";
import { HmHome } from "./elements/hm-home.js";

const storage = storageOf("localStorage");
const identity = new IdentityStore(storage, storageOf("sessionStorage"));
const room = roomInPath(location.pathname);
const view = viewInPath(location.pathname);
const record = recordInPath(location.pathname);
const results = resultsInPath(location.pathname);
const isElsewhere = record !== null || results !== null || tournamentView(location.pathname) !== null;
const watches = asksToWatch(location.search);

applyLook(load(storage));

if (view === null && !isElsewhere && !identity.comesBackTo(room) && !hasWish(storageOf("sessionStorage"))) {
  const home = new HmHome();
  document.querySelector("main")?.append(home);
  home.values = { name: identity.identity.name ?? "", room: room || (identity.seat?.room ?? ""), watches };
}

/** What was pressed before the rest was there. @type {Event[]} */
const early = [];
const keep = (/** @type {Event} */ event) => early.push(event);
const ways = ["hm-create", "hm-alone", "hm-join", "hm-someone-else"];
for (const way of ways) document.addEventListener(way, keep);

async function goOn() {
  if (view === null && !isElsewhere) {
    const { begin } = await import("./app.js");
    await bringInLateSheets();
    for (const way of ways) document.removeEventListener(way, keep);
    begin(identity);
    for (const { type, detail } of early.filter((event) => event instanceof CustomEvent)) {
      document.dispatchEvent(new CustomEvent(type, { detail }));
    }
  } else if (view !== null) {
    const { beginWall } = await import("./wall.js");
    await bringInLateSheets();
    beginWall(room, view);
  } else {
    const { open } = await import("./elsewhere.js");
    await open({ record: record ?? "", results, storage, identity });
  }
}

goOn();
