/** `/t/T/wall`: follows a tournament for a hall, and keeps itself alive for a whole evening. */

import "./tournamentwords.js";
import { placeOf } from "./address.js";
import { Follower } from "./follower.js";
import { IdentityStore, storageOf } from "./identity.js";
import { tournamentPath } from "./links.js";
import { bringInLateSheets, bringInSheet } from "./look.js";
import { paced } from "./pacing.js";
import { scoped } from "./scoped.js";
import { TableKeeper } from "./tablekeeper.js";
import { WakeLock } from "./wakelock.js";
import { t } from "./words.js";
import { browserWorld, socketUrl } from "./world.js";
import { HmTournamentwall } from "./elements/hm-tournamentwall.js";

const NAME = "Wall";
/** So often a tournament that wasn't there, or a seat that another tab has, is asked for again. */
const AGAIN_MS = 15_000;

/** @param {string} tournament */
export async function beginTournamentWall(tournament) {
  document.body.dataset.screen = "wall";
  document.title = `${NAME} · ${tournament}`;
  await Promise.all([bringInLateSheets(), bringInSheet("/static/css/tournament.css")]);
  const element = new HmTournamentwall();
  const show = paced(showNow);
  const keeper = new TableKeeper(show);
  const wakeLock = new WakeLock();
  const identity = new IdentityStore(scoped(storageOf("sessionStorage"), "wall."));
  const follower = new Follower(socketUrl(), browserWorld(), identity, tournament, () => {
    const { tournament: state } = follower.view;
    if (state) keeper.follow(state);
    show();
  });
  let isLocal = false;
  let address = location.host + tournamentPath(tournament);

  function showNow() {
    const { tournament: state, rooms } = follower.view;
    element.data = { tournament: state, rooms, standings: keeper.standings, address, isLocal, trouble: troubleOf(follower.view) };
  }

  function wake() {
    if (document.visibilityState !== "visible") return;
    wakeLock.wake();
    follower.wake();
  }

  element.serverNow = () => follower.clock.serverNow();
  document.querySelector("main")?.replaceChildren(element);
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", wake);
  setInterval(() => follower.wake(), AGAIN_MS);
  wakeLock.want(true);
  show();
  follower.open(NAME);
  placeOf(location).then(({ origin, ...place }) => {
    isLocal = place.isLocal;
    address = new URL(origin).host + tournamentPath(tournament);
    show();
  });
}

/** @param {Follower["view"]} view */
function troubleOf({ tournament, refusal, status }) {
  if (status === "lost") return t("wall.lost");
  if (status === "replaced") return t("wall.replaced");
  return tournament === null && refusal !== null ? t("entrant.unknown") : "";
}
