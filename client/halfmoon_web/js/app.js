/** Joins the session, the page's elements and the browser; nothing else lives here. */

import { placeOf } from "./address.js";
import { exposedOn } from "./cards.js";
import { dropTaps } from "./dropping.js";
import { keepFocus } from "./focus.js";
import { storageOf } from "./identity.js";
import { listenToKeys } from "./keys.js";
import { asksToWatch, linkTo, roomInPath } from "./links.js";
import { applyLook } from "./look.js";
import { turnPage } from "./motion.js";
import { newsWords } from "./news.js";
import { Senses } from "./senses.js";
import { Session } from "./session.js";
import { load, save } from "./settings.js";
import { watchesBoards } from "./watching.js";
import { t } from "./words.js";
import { browserWorld, socketUrl } from "./world.js";
import { HmBanner } from "./elements/hm-banner.js";
import { HmHome } from "./elements/hm-home.js";
import { HmInfobar } from "./elements/hm-infobar.js";
import { HmKeys } from "./elements/hm-keys.js";
import { HmLobby } from "./elements/hm-lobby.js";
import { HmRace } from "./elements/hm-race.js";
import { HmSettings } from "./elements/hm-settings.js";
import { HmStandings } from "./elements/hm-standings.js";
import { HmWatch } from "./elements/hm-watch.js";

/** How long a piece of news stands. */
const NEWS_MS = 8_000;

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const bar = /** @type {HTMLElement} */ (document.querySelector("header"));
const banner = new HmBanner();
const infobar = new HmInfobar();
const settingsMenu = new HmSettings();
const keys = new HmKeys();
const senses = new Senses(() => settings);

const storage = storageOf("localStorage");
let settings = load(storage);
/** The room that the page was opened for, or left to somebody else. */
let invitedTo = roomInPath(location.pathname);
/** Where friends find this server. @type {import("./address.js").Place} */
let place = { origin: location.origin, isLocal: false };
/** Why the last tap didn't fit. @type {string | null} */
let reason = null;
/** The room that the address follows. @type {string | undefined} */
let lastRoom;
/** The first screen may be there already. @type {HmHome | HmLobby | HmRace | HmStandings | HmWatch | null} */
let screen = document.querySelector("hm-home");

/** @type {import("./identity.js").IdentityStore} */
let identity;
/** @type {Session} */
let session;

/**
 * The screen of this kind, made where another was.
 * @template {HmHome | HmLobby | HmRace | HmStandings | HmWatch} S
 * @param {new () => S} Kind @param {string} name
 * @returns {S}
 */
function showScreen(Kind, name) {
  if (screen instanceof Kind) return screen;
  const made = new Kind();
  const isFirst = screen === null;
  screen = made;
  document.body.dataset.screen = name;
  main.replaceChildren(made);
  // Who can't see the page is led to what is new; who has just come is left alone.
  if (!isFirst) queueMicrotask(() => made.querySelector("h1")?.focus());
  return made;
}

/** The name of the screen that shows this. @param {import("./state.js").State} state */
function screenName({ room, me }) {
  if (room === null || me === null) return "home";
  if (watchesBoards(room)) return "watch";
  return room.state === "lobby" || room.state === "over" ? room.state : "race";
}

function render() {
  const isTurning = screen !== null && !session.isReturning && screenName(session.view.state) !== document.body.dataset.screen;
  if (isTurning) turnPage(drawn);
  else drawn();
}

const drawn = () => keepFocus(draw, () => screen?.querySelector("h1"));

function draw() {
  const { state, status } = session.view;
  followAddress(state.room?.room);
  infobar.data = { room: state.room };
  if (!session.isReturning) renderScreen(state);
  renderBanner(status);
}

/** @param {import("./state.js").State} state */
function renderScreen({ room, me }) {
  if (room === null || me === null) renderHome();
  else if (room.state === "lobby") {
    showScreen(HmLobby, "lobby").data = {
      room, me: me.player, link: linkTo(place.origin, room.room), isLinkLocal: place.isLocal, refusal: refusedOptions(),
    };
  } else if (room.state === "over") showScreen(HmStandings, "over").data = { room, me: me.player };
  else if (watchesBoards(room)) showScreen(HmWatch, "watch").data = { room, me: me.player };
  else renderRace(room, me.player);
}

/** The lobby says itself, at the field, why an option can't be so. */
function refusedOptions() {
  const { room, news } = session.view.state;
  return room?.state === "lobby" && news?.command === "set_options" ? news : null;
}

function renderHome() {
  const { state, status } = session.view;
  const home = showScreen(HmHome, "home");
  home.values = { name: identity.identity.name ?? "", room: invitedTo || (identity.seat?.room ?? ""), watches: asksToWatch(location.search) };
  home.busy = status === "connecting";
  home.trouble = newsWords(state.news);
}

/** @param {import("./room.js").Room} room @param {string} me */
function renderRace(room, me) {
  const race = showScreen(HmRace, "race");
  race.serverNow = () => session.clock.serverNow();
  race.data = {
    room, me, hand: session.view.hand, placementHelp: settings.placement_help,
    reason: settings.move_errors ? reason : null,
  };
}

/** @param {import("./connection.js").Status} status */
function renderBanner(status) {
  const { room, news } = session.view.state;
  if (status === "replaced") banner.data = { text: t("banner.replaced"), kind: "bad", action: "take-back" };
  else if (status === "lost") banner.data = { text: t("banner.lost"), kind: "bad", action: null };
  else if (room && news && !refusedOptions()) tell(news);
  else banner.data = { text: "", kind: "news", action: null };
}

/** Says a piece of news, for a while. @param {import("./state.js").News} news */
function tell(news) {
  banner.data = { text: newsWords(news), kind: "news", action: "told" };
  setTimeout(() => session.view.state.news === news && session.newsTold(), NEWS_MS);
}

/**
 * The address is the link to the room, so that a reload and a copied address come back to it.
 * @param {string | undefined} room
 */
function followAddress(room) {
  if (room === lastRoom) return;
  lastRoom = room;
  const path = room === undefined ? "/" : `/r/${room}`;
  if (location.pathname !== path) history.replaceState(null, "", path);
}

/** @param {string} spot */
function tap(spot) {
  if (!(screen instanceof HmRace)) return;
  const race = screen;
  const selected = session.view.hand.selected;
  let left = 0;
  reason = session.tap(spot, (spots) => {
    left = spots.length;
    race.fly(spots);
  });
  const isCleared = reason !== null && session.view.hand.selected.length === 0;
  if (isCleared) refuse([spot, ...selected]);
  else if (left > 0) senses.feel(left === 2 ? "pair" : "triple");
  else if (session.view.hand.selected !== selected) senses.feel("tap");
  if (reason !== null && settings.move_errors) senses.say(t(`reason.${reason}`));
  render();
}

/** These cards stay. @param {string[]} spots */
function refuse(spots) {
  if (screen instanceof HmRace) screen.shake(spots);
  senses.feel("refused");
}

/** @param {string} from @param {string} to */
function drop(from, to) {
  const board = session.view.state.room?.you.board;
  if (!board) return;
  dropTaps(session.view.hand.selected, from, to, (spot) => exposedOn(board, spot)).forEach(tap);
}

/** A spot named on the keyboard: the focus goes there too. @param {string} spot */
function typeSpot(spot) {
  if (screen instanceof HmRace) screen.focusSpot(spot);
  tap(spot);
}

function undo() {
  const { hand } = session.view;
  session.undo();
  if (session.view.hand.actions !== hand.actions) senses.feel("undo");
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
  if (isOtherLanguage) screen = null;
  render();
}

/** @param {import("./messages.js").OptionsChange} options */
function changeOptions(options) {
  if (refusedOptions()) session.newsTold();
  session.commands.setOptions(options);
}

/** @type {Record<string, (detail: any) => void>} */
const EVENTS = {
  "hm-create": ({ name }) => session.create(name),
  "hm-alone": ({ name }) => session.playAlone(name),
  "hm-join": ({ name, room, as }) => session.join(name, room, as),
  "hm-ready": ({ ready }) => session.commands.setReady(ready),
  "hm-start": () => session.start(),
  "hm-role": ({ as }) => session.commands.changeRole(as),
  "hm-kick": ({ player }) => session.commands.kick(player),
  "hm-options": ({ options }) => changeOptions(options),
  "hm-leave": () => session.commands.leave(),
  "hm-tap": ({ spot }) => tap(spot),
  "hm-drop": ({ from, to }) => drop(from, to),
  "hm-undo": undo,
  "hm-count": () => senses.feel("count"),
  "hm-react": ({ reaction }) => session.commands.react(reaction),
  "hm-keys": () => keys.show(),
  "hm-someone-else": handOver,
  "hm-retire": () => session.commands.retire(),
  "hm-rematch": ({ code }) => session.rematch(code),
  "hm-take-back": () => session.takeBack(),
  "hm-told": () => session.newsTold(),
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
  listenToKeys({ isRacing: () => screen instanceof HmRace, undo, tap: typeSpot, help: () => keys.show() });
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", wake);
}

/** @param {import("./identity.js").IdentityStore} who */
export function begin(who) {
  identity = who;
  session = new Session(socketUrl(), browserWorld(), identity, {
    changed: () => {
      senses.notice(session.view.state);
      render();
    },
    refused: (spots) => refuse(spots),
    acted: (message) => senses.acted(message),
  });
  infobar.serverNow = () => session.clock.serverNow();
  settingsMenu.settings = settings;
  document.body.prepend(banner);
  document.body.append(senses.element, keys);
  bar.append(infobar, settingsMenu);
  listen();
  const { name } = identity.identity;
  if (!session.comeBack(invitedTo) && invitedTo && name && asksToWatch(location.search)) session.join(name, invitedTo, "spectator");
  render();
  placeOf(location).then((found) => {
    place = found;
    render();
  });
}
