/** Which screen shows the state, and what each is given. */

import { Later } from "./later.js";
import { asksToWatch, isPage, linkTo } from "./links.js";
import { newsWords } from "./news.js";
import { watchesBoards } from "./watching.js";
import { t } from "./words.js";
import { HmHome } from "./elements/hm-home.js";
import { HmLobby } from "./elements/hm-lobby.js";
import { HmRace } from "./elements/hm-race.js";

/**
 * Somewhere to be besides rooms: shown instead of home, where one comes from and goes back to.
 * @typedef {object} Visit
 * @property {string} path that the address keeps
 * @property {new () => VisitScreen} Screen what shows it
 * @property {any} data what the screen shows
 * @property {(session: import("./session.js").Session, changed: () => void) => void} begin
 * @property {(message: import("./messages.js").Message, command: import("./messages.js").Command | undefined) => void} heard
 * @property {() => void} looked after everything that was drawn
 * @property {string} line what whoever is in a room has to read, or ""
 * @property {() => void} lineTold it was read
 */
/** @typedef {HTMLElement & {data: any, serverNow: () => number}} VisitScreen */

/**
 * What the screens show besides the session.
 * @typedef {object} Around
 * @property {import("./identity.js").IdentityStore} identity
 * @property {import("./settings.js").Settings} settings
 * @property {string} invitedTo the room that the page was opened for, or left to somebody else
 * @property {import("./address.js").Place} place where friends find this server
 * @property {string | null} reason why the last tap didn't fit
 * @property {boolean} hints whether it is said where that is set, in place of it
 * @property {Visit | null} visit where one is while in no room
 * @property {import("./inviting.js").Invitation | null} invitation what is known of the room of the link, or of one's own
 */

/** @typedef {HmHome | VisitScreen | HmLobby | HmRace | import("./elements/hm-standings.js").HmStandings | import("./elements/hm-watch.js").HmWatch} Screen */

/** A page that lived for less isn't loaded anew. */
const YOUNG_MS = 10_000;

/**
 * The name of the screen that shows this.
 * @param {import("./state.js").State} state @param {boolean} [visits] whether one is elsewhere while in no room
 */
export function screenName({ room, me, reading }, visits = false) {
  if (room === null || me === null) return visits ? "visit" : "home";
  if (reading !== null) return "over";
  if (watchesBoards(room)) return "watch";
  return room.state === "lobby" || room.state === "over" ? room.state : "race";
}

/** The lobby says itself, at the field, why an option can't be so. @param {import("./state.js").State} state */
export const refusedOptions = ({ room, news }) =>
  (room?.state === "lobby" && news?.command === "set_options" ? news : null);

export class Screens {
  #main;
  #session;
  /** The first one may be there already. @type {Screen | null} */
  #screen;
  #watch;
  #standings;
  #visits = false;

  /**
   * @param {HTMLElement} main where they stand
   * @param {import("./session.js").Session} session
   * @param {() => void} come a screen that had to be waited for can be shown
   */
  constructor(main, session, come) {
    this.#main = main;
    this.#session = session;
    this.#screen = main.querySelector("hm-home");
    const told = { come, failed: () => this.#renew() };
    this.#watch = new Later(async () => (await import("./elements/hm-watch.js")).HmWatch, told);
    this.#standings = new Later(async () => (await import("./elements/hm-standings.js")).HmStandings, told);
  }

  /** The race, while that is what is shown. */
  get race() {
    return this.#screen instanceof HmRace ? this.#screen : null;
  }

  get heading() {
    return this.#screen?.querySelector("h1");
  }

  /** Whether showing this state brings another screen. @param {import("./state.js").State} state */
  turnsFor(state) {
    const name = screenName(state, this.#visits);
    const isThere = (this.#laterOf(name)?.part ?? true) !== null;
    return this.#screen !== null && name !== document.body.dataset.screen && isThere;
  }

  /** @param {string} name */
  #laterOf(name) {
    return name === "watch" ? this.#watch : name === "over" ? this.#standings : null;
  }

  /** What was to come isn't there: this page is older than the server, if one can ask it at all. */
  #renew() {
    if (this.#session.view.status !== "open") return;
    setTimeout(() => location.reload(), Math.max(0, YOUNG_MS - performance.now()));
  }

  /** The next one is made anew, in another language. */
  forget() {
    this.#screen = null;
  }

  /** Shows the screen of the state; one that isn't there yet is brought in, and what stood stays until then. @param {Around} around */
  show(around) {
    const { state } = this.#session.view;
    const { room, me } = state;
    this.#visits = around.visit !== null;
    const name = screenName(state, this.#visits);
    if (room === null || me === null) this.#showOutside(around);
    else if (name === "lobby") this.#showLobby(room, me.player, around.place);
    else if (name === "race") this.#showRace(room, me.player, around);
    else if (name === "over") this.#showResults(state, around.place);
    else this.#showLater(this.#watch, { room, me: me.player });
    // Whoever races or watches sees the result next.
    if (name === "race" || name === "watch") this.#standings.bring();
  }

  /**
   * @template {Screen & {data: T}} S
   * @template T
   * @param {Later<new () => S>} later @param {T} data
   */
  #showLater(later, data) {
    if (later.part === null) later.bring();
    else this.#stand(later.part).data = data;
  }

  /** @param {import("./state.js").State} state @param {import("./address.js").Place} place */
  #showResults({ room, me, reading }, place) {
    if (room === null || me === null) return;
    const origin = place.isLocal ? null : place.origin;
    this.#showLater(this.#standings, { room: reading ?? room, me: me.player, origin, next: reading && room });
  }

  /** @param {Around} around */
  #showOutside(around) {
    if (around.visit === null) return this.#showHome(around);
    const screen = this.#stand(around.visit.Screen);
    screen.serverNow = () => this.#session.clock.serverNow();
    screen.data = around.visit.data;
  }

  /** @param {Around} around */
  #showHome({ identity, invitedTo, invitation }) {
    const { state: { news }, status } = this.#session.view;
    const home = this.#stand(HmHome);
    home.values = { name: identity.ownName, room: invitedTo, watches: asksToWatch(location.search) };
    home.invitation = invitation;
    home.busy = status === "connecting";
    const text = newsWords(news) || (isPage(location.pathname) ? "" : t("error.no_page"));
    home.trouble = { text, of: news?.command === "join_room" ? "room" : "name" };
  }

  /** @param {import("./room.js").Room} room @param {string} me @param {import("./address.js").Place} place */
  #showLobby(room, me, place) {
    this.#stand(HmLobby).data = {
      room, me, link: linkTo(place.origin, room.room), isLinkLocal: place.isLocal,
      refusal: refusedOptions(this.#session.view.state),
    };
  }

  /** @param {import("./room.js").Room} room @param {string} me @param {Around} around */
  #showRace(room, me, { settings, reason, hints }) {
    const race = this.#stand(HmRace);
    race.serverNow = () => this.#session.clock.serverNow();
    race.data = {
      room, me, hand: this.#session.view.hand, placementHelp: settings.placement_help,
      reason: settings.move_errors ? reason : hints ? "hint" : null,
    };
  }

  /**
   * The screen of this kind, made where another was.
   * @template {Screen} S
   * @param {new () => S} Kind
   * @returns {S}
   */
  #stand(Kind) {
    if (this.#screen instanceof Kind) return this.#screen;
    const made = new Kind();
    const isFirst = this.#screen === null;
    this.#screen = made;
    document.body.dataset.screen = screenName(this.#session.view.state, this.#visits);
    this.#main.replaceChildren(made);
    if (!isFirst) this.#main.scrollTop = 0;
    // Who can't see the page is led to what is new; who has just come is left alone.
    if (!isFirst) queueMicrotask(() => made.querySelector("h1")?.focus());
    return made;
  }
}
