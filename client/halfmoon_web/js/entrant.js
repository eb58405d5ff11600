/** `/t/T`: joins an entrant's visit with the page that plays. */

import "./tournamentwords.js";
import { begin } from "./app.js";
import { claimIn } from "./claims.js";
import { tournamentPath } from "./links.js";
import { bringInLateSheets, bringInSheet } from "./look.js";
import { t } from "./words.js";
import { Visiting } from "./visiting.js";
import { browserWorld } from "./world.js";
import { HmTournament } from "./elements/hm-tournament.js";

/** @param {string} tournament @param {import("./identity.js").IdentityStore} identity */
export async function beginEntrant(tournament, identity) {
  const claim = takeClaim(tournament);
  await Promise.all([bringInLateSheets(), bringInSheet("/static/css/tournament.css")]);
  const visiting = new Visiting(tournament, claim, identity, { Screen: HmTournament, anybody: t("entrant.anybody") }, browserWorld());
  listen(visiting);
  // A claim's link opened in this tab changes the fragment alone.
  window.addEventListener("hashchange", () => {
    const other = takeClaim(tournament);
    if (other !== "") visiting.enter("", other);
  });
  begin(identity, visiting);
}

/** The claim of the link; the secret leaves the address bar at once, and with it the history. @param {string} tournament */
function takeClaim(tournament) {
  const claim = claimIn(location.hash);
  if (location.hash !== "") history.replaceState(null, "", tournamentPath(tournament));
  return claim;
}

/** @param {Visiting} visiting */
function listen(visiting) {
  /** @type {Record<string, (detail: any) => void>} */
  const events = {
    "hm-enter": ({ name, claim }) => visiting.enter(name, claim),
    "hm-heat": () => visiting.goIn(),
    "hm-why": (where) => visiting.explain(where),
    "hm-another": () => visiting.someoneElse(),
  };
  for (const [name, act] of Object.entries(events)) {
    document.addEventListener(name, (event) => act(event instanceof CustomEvent ? event.detail : undefined));
  }
  for (const name of ["pointerdown", "keydown", "wheel"]) document.addEventListener(name, () => visiting.stay(), { passive: true });
}
