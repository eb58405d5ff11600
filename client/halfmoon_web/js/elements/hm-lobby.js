/**
 * The room before a race: how friends get in, who is here, what will be played, and being ready.
 *
 *     const lobby = document.createElement("hm-lobby");
 *     lobby.data = { room, me: "p_…", link: "https://…/r/H4K7P", isLinkLocal: false, refusal: null };
 *     // hm-ready {ready} · hm-start · hm-role {as} · hm-kick {player} · hm-options {options} · hm-leave
 */

import { askOnce } from "../askonce.js";
import { el, keyed, send, setText } from "../dom.js";
import { GHOSTS, signShape } from "../drawing.js";
import { offerReplay, replayLink } from "../offering.js";
import { isSealed } from "../seals.js";
import { duration, t } from "../words.js";
import { HmCopy } from "./hm-copy.js";
import { HmOptions } from "./hm-options.js";

/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../room.js").Player} Player */
/**
 * @typedef {object} LobbyData
 * @property {Room} room
 * @property {string} me
 * @property {string} link
 * @property {boolean} isLinkLocal whether the link opens on this device only
 * @property {import("../state.js").News | null} refusal of a change of the options
 */

export class HmLobby extends HTMLElement {
  #room = el("h1", { class: "room-id", tabindex: "-1" });
  #link = new HmCopy();
  #linkWords = el("p", { class: "muted" });
  #qr = el("img", { class: "qr", width: "132", height: "132", decoding: "async", hidden: true });
  #heading = el("h2");
  #players = el("ul", { class: "people" });
  #watching = el("p", { class: "muted" });
  #ready = el("button", { type: "button" });
  #start = el("button", { type: "button" });
  #role = el("button", { type: "button", class: "quiet" });
  #leave = el("button", { type: "button", class: "quiet" });
  #wall = el("a", { class: "wall-link", target: "_blank", rel: "noopener" });
  #replay = replayLink();
  #hint = el("p", { class: "muted", role: "status" });
  #options = new HmOptions();
  #seal = new HmCopy();
  #sealWords = el("p", { class: "muted" });
  /** @type {LobbyData | null} */
  #data = null;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#ready.addEventListener("click", () => send(this, "ready", { ready: !this.#self()?.ready }), { signal });
    this.#start.addEventListener("click", () => send(this, "start"), { signal });
    this.#leave.addEventListener("click", () => send(this, "leave"), { signal });
    this.#role.addEventListener("click", () => {
      send(this, "role", { as: this.#data?.room.you.as === "player" ? "spectator" : "player" });
    }, { signal });
    this.#qr.addEventListener("load", () => (this.#qr.hidden = false), { signal });
    this.#qr.addEventListener("error", () => (this.#qr.hidden = true), { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {LobbyData} */ data) {
    this.#data = data;
    this.#render(data);
  }

  #build() {
    this.#replay.append(t("lobby.replay"));
    this.append(
      el("section", { class: "panel invite" },
        el("div", { class: "room-line" },
          el("div", {}, el("p", { class: "muted" }, t("lobby.room")), this.#room, el("p", { class: "muted" }, t("lobby.invite"))),
          this.#qr),
        this.#link, this.#linkWords,
        this.#heading, this.#players, this.#watching, this.#replay,
        el("div", { class: "ways-out" }, this.#role, this.#wall, this.#leave)),
      el("section", { class: "panel terms" }, el("h2", {}, t("lobby.options")), this.#options,
        el("h2", {}, t("lobby.seal")), this.#seal, this.#sealWords),
      el("footer", { class: "actions" }, this.#hint, this.#ready, this.#start),
    );
  }

  #self() {
    return this.#data?.room.players.find((line) => line.player === this.#data?.me);
  }

  /** @param {LobbyData} data */
  #render({ room, me, link, isLinkLocal, refusal }) {
    const isHost = room.host === me;
    setText(this.#room, room.room);
    this.#showQr(room.room);
    this.#wall.href = `/r/${room.room}/wall`;
    this.#wall.hidden = !isHost || room.options.spectators === "none";
    setText(this.#wall, t("lobby.wall"));
    this.#link.value = { text: link, label: t("lobby.copy_link") };
    // A friend can't start the server anew.
    setText(this.#linkWords, isLinkLocal && isHost ? t("lobby.link_local") : "");
    setText(this.#heading, t("lobby.players", { count: room.players.length, most: room.options.max_players }));
    keyed(this.#players, room.players, (line) => line.player, makePerson,
      (element, line, index) => updatePerson(element, line, index, room, me));
    setText(this.#watching, room.spectators > 0 ? t("lobby.watching", { count: room.spectators }) : "");
    offerReplay(this.#replay, room.last_race);
    // What a contest is raced by is the same for everybody.
    this.#options.data = { options: room.options, isHost: isHost && room.contest === undefined, refusal };
    const isOpen = room.code !== undefined;
    this.#seal.value = { text: isOpen ? (room.code ?? "") : (room.coming?.commit ?? room.seal), label: t("copy.button") };
    setText(this.#sealWords, t(sealWords(room)));
    this.#renderActions(room, isHost);
  }

  /** @param {string} room */
  #showQr(room) {
    const source = `/qr/r/${room}`;
    if (this.#qr.getAttribute("src") !== source) this.#qr.src = source;
    this.#qr.alt = t("lobby.qr");
  }

  /** @param {Room} room @param {boolean} isHost */
  #renderActions(room, isHost) {
    const self = this.#self();
    const anyReady = room.players.some((line) => line.ready);
    this.#ready.hidden = self === undefined;
    this.#start.hidden = !isHost;
    this.#start.disabled = !anyReady;
    setText(this.#ready, t(self?.ready ? "lobby.not_ready" : "lobby.ready"));
    setText(this.#start, t(self && !self.ready && anyReady ? "lobby.start_ready" : "lobby.start"));
    setText(this.#role, t(self ? "lobby.watch" : "lobby.play"));
    setText(this.#leave, t("lobby.leave"));
    this.#ready.classList.toggle("main", self !== undefined && !self.ready);
    this.#start.classList.toggle("main", isHost && (self === undefined || self.ready));
    const { time_limit_ms } = room.options;
    const limit = time_limit_ms === null ? "" : t("lobby.limit", { time: duration(time_limit_ms) });
    setText(this.#hint, `${t(hintOf(room, isHost, self, anyReady))} ${limit}`.trim());
  }

}

/**
 * What is so about the deal; a code that was sealed is told when its race is over. While it is still to be
 * drawn, what fixes the server's part of it is shown: the seal follows at the countdown.
 * @param {Room} room
 */
function sealWords({ code, coming }) {
  if (code === undefined) return coming ? "lobby.draw_words" : "lobby.seal_words";
  return isSealed(code) ? "lobby.used_words" : "lobby.open_words";
}

/** What happens next, in words. @param {Room} room @param {boolean} isHost @param {Player | undefined} self @param {boolean} anyReady */
function hintOf({ players }, isHost, self, anyReady) {
  if (isHost && players.length === 0) return "lobby.hint_empty";
  if (self && !self.ready && !(isHost && anyReady)) return "lobby.hint_ready";
  if (isHost) return anyReady ? "lobby.hint_start" : "lobby.hint_nobody";
  return "lobby.hint_wait";
}

/** @param {Player} line */
function makePerson({ player }) {
  const kick = el("button", { type: "button", class: "quiet", id: `kick-${player}`, "aria-labelledby": `kick-${player} name-${player}` });
  askOnce(kick, t("lobby.kick"), t("lobby.kick_sure"), () => send(kick, "kick", { player }));
  return el("li", { class: "person" }, el("span", { class: "sign-place" }), el("bdi", { id: `name-${player}` }), el("small"), kick);
}

/**
 * @param {HTMLElement} element @param {Player} line @param {number} index @param {Room} room @param {string} me
 */
function updatePerson(element, line, index, room, me) {
  const [place, name, small, kick] = /** @type {HTMLElement[]} */ ([...element.children]);
  const sign = line.ghost ? GHOSTS + index : index;
  if (place.dataset.sign !== String(sign)) {
    place.dataset.sign = String(sign);
    place.replaceChildren(signShape(sign));
  }
  setText(name, line.name);
  element.classList.toggle("me", line.player === me);
  element.classList.toggle("away", !line.online);
  element.classList.toggle("is-ready", line.ready);
  const words = [line.player === me && "person.you", line.player === room.host && "person.host",
    !line.online && "person.away", line.ghost ? "person.ghost" : line.ready && "person.ready"];
  setText(small, words.filter((key) => key !== false).map((key) => t(String(key))).join(" · "));
  kick.hidden = room.host !== me || line.player === me || line.ghost !== undefined;
}

customElements.define("hm-lobby", HmLobby);
