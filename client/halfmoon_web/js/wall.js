/** The wall and the overlay: they come into the room as spectators and keep themselves alive for a whole evening. */

import { placeOf } from "./address.js";
import { IdentityStore, storageOf } from "./identity.js";
import { scoped } from "./scoped.js";
import { Session } from "./session.js";
import { WakeLock } from "./wakelock.js";
import { t } from "./words.js";
import { browserWorld, socketUrl } from "./world.js";
import { HmOverlay } from "./elements/hm-overlay.js";
import { HmWall } from "./elements/hm-wall.js";

/** What they are called in the room. */
const NAMES = { wall: "Wall", overlay: "Overlay" };
/** So often a room that wasn't there, or a seat that another tab has, is asked for again. */
const AGAIN_MS = 15_000;

/** @param {string} room @param {"wall" | "overlay"} view */
export function beginWall(room, view) {
  const element = view === "wall" ? new HmWall() : new HmOverlay();
  // Somebody of its own, or the host's own seat would move to the projector.
  const identity = new IdentityStore(scoped(storageOf("sessionStorage"), `${view}.`));
  const wakeLock = new WakeLock();
  const session = new Session(socketUrl(), browserWorld(), identity, { changed: show, refused: () => undefined }, true);
  let address = `${location.host}/r/${room}`;
  let isLocal = false;

  function show() {
    const { state, status } = session.view;
    element.data = { room: state.room, address, isLocal, trouble: troubleOf(state, status) };
  }

  function enter() {
    const { state, status } = session.view;
    if (state.room !== null || status === "lost" || status === "connecting") return;
    session.join(NAMES[view], room, "spectator");
  }

  function wake() {
    if (document.visibilityState !== "visible") return;
    wakeLock.wake();
    session.wake();
  }

  document.body.dataset.screen = view;
  document.title = `${NAMES[view]} · ${room}`;
  element.serverNow = () => session.clock.serverNow();
  document.querySelector("main")?.replaceChildren(element);
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", wake);
  placeOf(location).then((place) => {
    address = `${new URL(place.origin).host}/r/${room}`;
    isLocal = place.isLocal;
    show();
  });
  setInterval(enter, AGAIN_MS);
  wakeLock.want(true);
  show();
  if (!session.comeBack(room)) enter();
}

/** @param {import("./state.js").State} state @param {import("./connection.js").Status} status */
function troubleOf({ room, news }, status) {
  if (status === "lost") return t("wall.lost");
  if (status === "replaced") return t("wall.replaced");
  if (room !== null) return "";
  if (!news) return "";
  return t(news.what === "not_allowed" ? "wall.not_allowed" : "wall.no_room");
}
