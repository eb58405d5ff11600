/**
 * A race played again: all boards side by side or one of them large, on one clock.
 *
 *     const replay = document.createElement("hm-replay");
 *     replay.data = { timeline, at_ms: 0, player: null };   // from `timelineOf`; a player is followed
 *     replay.seek(83_000, "p_1");                           // rests there
 *     replay.link = (hash) => `https://…/race/r_…${hash}`;  // what the button copies; null for no button
 *     replay.addEventListener("hm-moment", ({ detail }) => …);   // detail.at_ms, .player: what is shown now
 *     replay.addEventListener("hm-keys", () => …);          // somebody asks for the keys
 */

import "../recordwords.js";
import { el, send, setText } from "../dom.js";
import { copy } from "../copying.js";
import { liveOrder, signOf } from "../ranking.js";
import { WAITING, advanced, faster, hashOf, movedTo, stepped, toggled } from "../playback.js";
import { actOfKey } from "../replaykeys.js";
import { newsOf } from "../replaynews.js";
import { START, endOf, jumpFrom, momentAt, roomAt } from "../timeline.js";
import { t } from "../words.js";
import { signShape } from "../drawing.js";
import { HmFollowed } from "./hm-followed.js";
import { HmGallery } from "./hm-gallery.js";
import { HmReplaybar } from "./hm-replaybar.js";

/** @typedef {import("../timeline.js").Timeline} Timeline */
/** @typedef {import("../timeline.js").Mark} Mark */
/** @typedef {{timeline: Timeline, at_ms?: number | null, player?: string | null}} ReplayData */

export class HmReplay extends HTMLElement {
  #gallery = new HmGallery();
  #followed = new HmFollowed();
  #news = el("p", { class: "replay-news", role: "status" });
  #bar = new HmReplaybar();
  /** @type {Timeline | null} */
  #timeline = null;
  #playback = WAITING;
  /** Whose board is shown large, by their place in the record; null for all. @type {number | null} */
  #seat = null;
  /** What is drawn already. */
  #drawn = "";
  /** When time was last looked at. */
  #looked = 0;
  #off = new AbortController();
  /** Where time comes from. @type {{now: () => number, next: (run: () => void) => unknown}} */
  clock = { now: () => performance.now(), next: (run) => requestAnimationFrame(run) };
  /** @type {(hash: string) => string | null} */
  link = () => null;

  connectedCallback() {
    if (this.childElementCount === 0) this.append(el("div", { class: "replay-stage" }, this.#gallery, this.#followed), this.#news, this.#bar);
    this.#off = new AbortController();
    const { signal } = this.#off;
    /** @param {string} name @param {(detail: any) => void} act */
    const hear = (name, act) => this.addEventListener(name, (event) => event instanceof CustomEvent && act(event.detail), { signal });
    hear("hm-follow", ({ player }) => this.#follow(this.#seatOf(player)));
    hear("hm-step", ({ by }) => this.#next(by));
    hear("hm-act", ({ act }) => this.#act(act));
    hear("hm-seek", ({ at_ms }) => this.seek(at_ms));
    hear("hm-speed", ({ speed }) => this.#play({ ...this.#playback, speed }));
    document.addEventListener("keydown", (event) => this.#typed(event), { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
    this.#playback = { ...this.#playback, isPlaying: false };
  }

  set data(/** @type {ReplayData} */ { timeline, at_ms = 0, player = null }) {
    this.#timeline = timeline;
    this.#seat = this.#seatOf(player);
    this.#bar.data = { timeline, hasLink: this.link("") !== null };
    this.#drawn = "";
    this.#play({ ...WAITING, moment: momentAt(timeline, at_ms ?? 0) });
  }

  /** Shows a moment, and rests there. @param {number} at_ms @param {string | null} [player] who is followed; left out, nothing of that changes */
  seek(at_ms, player) {
    if (this.#timeline === null) return;
    if (player !== undefined) this.#seat = this.#seatOf(player);
    this.#play({ ...movedTo(this.#playback, momentAt(this.#timeline, at_ms)), isPlaying: false });
  }

  /** @param {string | null} player */
  #seatOf(player) {
    const seat = this.#timeline?.replay.record.players.findIndex((line) => line.player === player) ?? -1;
    return seat < 0 ? null : seat;
  }

  /** @param {number | null} seat */
  #follow(seat) {
    this.#seat = seat;
    this.#show();
  }

  /** The racer before or after the one who is followed. @param {number} by */
  #next(by) {
    const count = this.#timeline?.replay.record.players.length ?? 0;
    const first = by > 0 ? 0 : count - 1;
    this.#follow(this.#seat === null ? first : (this.#seat + by + count) % count);
  }

  /** What a button or a key asks for. @param {import("../replaykeys.js").Act} act */
  #act(act) {
    const timeline = this.#timeline;
    if (timeline === null) return;
    const playback = this.#playback;
    if (act.what === "play") this.#play(toggled(playback, timeline));
    else if (act.what === "step") this.#play(stepped(playback, timeline, act.by, this.#seat));
    else if (act.what === "jump") this.#jump(act.mark, act.by);
    else if (act.what === "speed") this.#play(faster(playback, act.by));
    else if (act.what === "end") this.#play({ ...movedTo(playback, act.by > 0 ? endOf(timeline) : START), isPlaying: false });
    else if (act.what === "follow") this.#follow(act.seat !== null && act.seat < timeline.own.length ? act.seat : null);
    else if (act.what === "other") this.#next(act.by);
    else if (act.what === "copy") this.#copy();
    else send(this, "keys");
  }

  /** @param {Mark} mark @param {1 | -1} by */
  #jump(mark, by) {
    if (this.#timeline === null) return;
    const moment = jumpFrom(this.#timeline, this.#playback.moment.step, by, mark, this.#seat);
    if (moment === null) setText(this.#news, t("replay.no_more"));
    else this.#play({ ...movedTo(this.#playback, moment), isPlaying: false });
  }

  async #copy() {
    const link = this.link(hashOf(this.#playback.moment.at_ms, this.#player));
    if (link !== null) this.#bar.copied = await copy(link);
  }

  get #player() {
    return this.#seat === null ? null : (this.#timeline?.replay.record.players[this.#seat].player ?? null);
  }

  /** @param {import("../playback.js").Playback} playback */
  #play(playback) {
    const starts = playback.isPlaying && !this.#playback.isPlaying;
    this.#playback = playback;
    this.#show();
    if (!starts) return;
    this.#looked = this.clock.now();
    this.clock.next(() => this.#tick());
  }

  #tick() {
    if (this.#timeline === null || !this.#playback.isPlaying) return;
    const now = this.clock.now();
    this.#playback = advanced(this.#playback, this.#timeline, now - this.#looked);
    this.#looked = now;
    this.#show();
    if (this.#playback.isPlaying) this.clock.next(() => this.#tick());
  }

  #show() {
    const timeline = this.#timeline;
    if (timeline === null) return;
    const { moment } = this.#playback;
    this.#bar.shown = { playback: this.#playback, seat: this.#seat };
    const isOver = moment.at_ms >= timeline.over_ms;
    const drawn = `${moment.step} ${isOver} ${this.#seat}`;
    if (drawn !== this.#drawn) this.#draw(timeline);
    this.#drawn = drawn;
    send(this, "moment", { at_ms: moment.at_ms, player: this.#player });
  }

  /** @param {Timeline} timeline */
  #draw(timeline) {
    const { moment, isPlaying } = this.#playback;
    const room = roomAt(timeline, moment);
    const isOnly = room.players.length === 1;
    const line = room.players[isOnly ? 0 : (this.#seat ?? -1)];
    this.#gallery.hidden = line !== undefined;
    this.#followed.hidden = line === undefined;
    if (line) this.#followed.data = { room, line, rank: liveOrder(room).indexOf(line) + 1, isOnly };
    else this.#gallery.data = { room };
    const news = newsOf(timeline, moment, isPlaying);
    if (news !== null) this.#news.replaceChildren(...(news.seat === null ? [] : [signShape(signOf(room, room.players[news.seat].player))]), news.words);
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    const act = actOfKey(event);
    if (act === null) return;
    event.preventDefault();
    this.#act(act);
  }
}

customElements.define("hm-replay", HmReplay);
