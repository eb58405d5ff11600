/** Joins the session, the page's elements and the browser; nothing else lives here. */

import { placeOf } from "./address.js";
import { ask } from "./asking.js";
import { Doorstep } from "./doorstep.js";
import { keepFocus } from "./focus.js";
import { Gestures } from "./gestures.js";
import { storageOf } from "./identity.js";
import { listenToKeys } from "./keys.js";
import { Later } from "./later.js";
import { asksToWatch, roomInPath, tournamentPath } from "./links.js";
import { applyLook } from "./look.js";
import { endTurn, turnPage } from "./motion.js";
import { newsWords } from "./news.js";
import { Screens, refusedOptions } from "./screens.js";
import { TournamentDoor } from "./tournamentdoor.js";
import { Senses } from "./senses.js";
import { Session } from "./session.js";
import { load, save, takeHint } from "./settings.js";
import { takeWish } from "./wishes.js";
import { t } from "./words.js";
import { browserWorld, socketUrl } from "./world.js";
import { HmBanner } from "./elements/hm-banner.js";
import { HmInfobar } from "./elements/hm-infobar.js";
import { HmSettings } from "./elements/hm-settings.js";

/** How long a piece of news stands. */
const NEWS_MS = 8_000;

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const bar = /** @type {HTMLElement} */ (document.querySelector("header"));
const banner = new HmBanner();
const door = new TournamentDoor(ask, (path) => location.assign(path));
const infobar = new HmInfobar();
const settingsMenu = new HmSettings();
const senses = new Senses(() => settings);
const keys = new Later(() => import("./elements/hm-keys.js"), { come: showKeys, failed: () => undefined });

const storage = storageOf("localStorage");
let settings = load(storage);
/** The room that the page was opened for, or left to somebody else. */
let invitedTo = roomInPath(location.pathname);
/** Where friends find this server. @type {import("./address.js").Place} */
let place = { origin: location.origin, isLocal: false };
/** The room that the address follows. @type {string | undefined} */
let lastRoom;
/** @type {import("./identity.js").IdentityStore} */
let identity;
/** @type {Session} */
let session;
/** @type {Screens} */
let screens;
/** @type {Gestures} */
let gestures;
/** Before the room of the link, or before the one where one sits. @type {Doorstep | null} */
let doorstep = null;
/** Where one is while in no room, instead of home. @type {import("./screens.js").Visit | null} */
let visit = null;

function render() {
  const { state } = session.view;
  const runs = state.room?.state === "racing";
  // A race that runs is there at once.
  if (runs) endTurn();
  if (screens.turnsFor(state) && !session.isReturning && !runs) turnPage(drawn);
  else drawn();
}

const drawn = () => keepFocus(draw, () => screens.heading);

function draw() {
  const { state, status } = session.view;
  door.told(state.news);
  followAddress(state.room?.room);
  infobar.data = { room: state.room };
  standBefore(state.room === null && visit === null && !session.isReturning);
  if (!session.isReturning) {
    const invitation = doorstep?.invitation ?? null;
    screens.show({ identity, settings, invitedTo, place, reason: gestures.reason, hints: gestures.hints, visit, invitation });
  }
  renderBanner(status);
  main.classList.toggle("replaced", status === "replaced" || status === "claimed");
  visit?.looked();
}

/** Looks at the room that one is invited to, or sits in, as long as one is home. @param {boolean} isHome */
function standBefore(isHome) {
  const isOwn = invitedTo === "";
  const room = isOwn ? (identity.seat?.room ?? "") : invitedTo;
  if (isOwn && doorstep?.isMissing) identity.sit(null);
  if (doorstep?.room !== room || doorstep.isOwn !== isOwn || !isHome) {
    doorstep?.stand(false);
    doorstep = isHome && room !== "" ? new Doorstep(room, isOwn, ask, browserWorld(), render) : null;
  }
  doorstep?.stand(true);
}

/** The name that one goes by: what was typed, or has been, or what a guest is called. @param {string} typed */
function called(typed) {
  const { name } = identity.identity;
  if (typed !== "") identity.keep({ isGuest: undefined });
  else if (name === undefined) identity.keep({ isGuest: true });
  return typed || (name ?? t("home.guest"));
}

/** @param {import("./connection.js").Status} status */
function renderBanner(status) {
  const { room, news } = session.view.state;
  if (status === "replaced") banner.data = { text: t("banner.replaced"), kind: "bad", action: "take-back" };
  else if (status === "claimed") banner.data = { text: t("banner.claimed"), kind: "bad", action: "to-visit" };
  else if (status === "lost") banner.data = { text: t("banner.lost"), kind: "bad", action: null };
  else if (room && news && !refusedOptions(session.view.state)) tell(news);
  else if (room && visit?.line) banner.data = { text: visit.line, kind: "news", action: "told" };
  else banner.data = { text: "", kind: "news", action: null };
}

/** What the banner says has been read. */
function told() {
  if (session.view.state.news === null) visit?.lineTold();
  session.newsTold();
}

/** Says a piece of news, for a while. @param {import("./state.js").News} news */
function tell(news) {
  banner.data = { text: newsWords(news), kind: "news", action: "told" };
  setTimeout(() => session.view.state.news === news && session.newsTold(), NEWS_MS);
}

/**
 * The address is the link to the room, so that a reload and a copied address come back to it.
 * The way back from a room that was entered at home leads home.
 * @param {string | undefined} room
 */
function followAddress(room) {
  if (room === lastRoom) return;
  lastRoom = room;
  const path = visit ? visit.path : room === undefined ? "/" : `/r/${room}`;
  if (location.pathname === path) return;
  if (location.pathname === "/" && room !== undefined) history.pushState(null, "", path);
  else history.replaceState(null, "", path);
}

/** The browser went back or forward to the address of something else: what is there comes anew. */
function followBrowser() {
  if (!visit && (roomInPath(location.pathname) || undefined) !== lastRoom) location.reload();
}

/** Out of the room; a heat is left for its tournament. */
function leave() {
  const heat = session.view.state.room?.heat;
  invitedTo = "";
  if (heat && !visit) location.assign(tournamentPath(heat.tournament));
  else session.commands.leave();
}

function showKeys() {
  if (keys.part === null) return void keys.bring();
  const dialog = document.querySelector("hm-keys") ?? new keys.part.HmKeys();
  if (!dialog.isConnected) document.body.append(dialog);
  /** @type {import("./elements/hm-keys.js").HmKeys} */ (dialog).show();
}

function handOver() {
  invitedTo = session.view.state.room?.room ?? invitedTo;
  session.someoneElse();
}

/** @param {import("./settings.js").Settings} next */
function changeSettings(next) {
  const isOtherLanguage = next.language !== settings.language;
  settings = next;
  save(storage, settings);
  applyLook(settings);
  settingsMenu.settings = settings;
  if (isOtherLanguage) {
    screens.forget();
    senses.forget();
  }
  render();
}

/** @param {import("./messages.js").OptionsChange} options */
function changeOptions(options) {
  if (refusedOptions(session.view.state)) session.newsTold();
  session.commands.setOptions(options);
}

/** @type {Record<string, (detail: any) => void>} */
const EVENTS = {
  "hm-create": ({ name }) => session.create(called(name)),
  "hm-alone": ({ name }) => session.playAlone(called(name)),
  "hm-join": ({ name, room, as }) => {
    door.tried(room);
    session.join(called(name), room, as);
  },
  "hm-ready": ({ ready }) => session.commands.setReady(ready),
  "hm-start": () => session.start(),
  "hm-role": ({ as }) => session.changeRole(as),
  "hm-kick": ({ player }) => session.commands.kick(player),
  "hm-options": ({ options }) => changeOptions(options),
  "hm-leave": leave,
  "hm-tap": ({ spot }) => gestures.tap(spot),
  "hm-drop": ({ from, to }) => gestures.drop(from, to),
  "hm-undo": () => gestures.undo(),
  "hm-count": () => senses.feel("count"),
  "hm-react": ({ reaction }) => session.commands.react(reaction),
  "hm-keys": showKeys,
  "hm-someone-else": handOver,
  "hm-retire": () => session.commands.retire(),
  "hm-rematch": ({ code }) => session.rematch(code),
  "hm-go-on": ({ ready }) => session.goOn(ready),
  "hm-take-back": () => session.takeBack(),
  "hm-to-visit": () => location.assign(visit?.path ?? "/"),
  "hm-told": told,
  "hm-settings": changeSettings,
};

function wake() {
  if (document.visibilityState !== "visible") return;
  senses.wake();
  session.wake();
}

function listen() {
  for (const [name, act] of Object.entries(EVENTS)) {
    document.addEventListener(name, (event) => act(event instanceof CustomEvent ? event.detail : undefined));
  }
  listenToKeys({
    isRacing: () => screens.race !== null, undo: () => gestures.undo(), tap: (spot) => gestures.type(spot), help: showKeys,
  });
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", wake);
  window.addEventListener("popstate", followBrowser);
}

/** Goes where the address leads, or to what was wished for on another page. */
function enter() {
  const { name } = identity.identity;
  const wish = takeWish(storageOf("sessionStorage"));
  if (visit) visit.begin(session, render);
  else if (wish && name) session.open(name, wish);
  else if (!session.comeBack(invitedTo) && invitedTo && asksToWatch(location.search)) session.join(called(""), invitedTo, "spectator");
}

/** @param {import("./identity.js").IdentityStore} who @param {import("./screens.js").Visit | null} [elsewhere] */
export function begin(who, elsewhere = null) {
  identity = who;
  visit = elsewhere;
  session = new Session(socketUrl(), browserWorld(), identity, {
    changed: () => {
      senses.notice(session.view.state);
      render();
    },
    refused: (spots) => gestures.refuse(spots),
    acted: (message) => senses.acted(message),
    heard: (message, command) => visit?.heard(message, command),
  });
  screens = new Screens(main, session, render);
  gestures = new Gestures({
    session, senses, race: () => screens.race, tellsReasons: () => settings.move_errors, takesHint: () => takeHint(storage),
    changed: render,
  });
  infobar.serverNow = () => session.clock.serverNow();
  settingsMenu.settings = settings;
  document.body.prepend(banner);
  document.body.append(senses.element);
  bar.append(infobar, settingsMenu);
  listen();
  enter();
  render();
  placeOf(location).then((found) => {
    place = found;
    render();
  });
}
