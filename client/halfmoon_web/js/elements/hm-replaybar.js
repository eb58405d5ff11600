/**
 * What a replay is steered with: the clock, play and pause, steps, speed, whom to follow, jumps.
 *
 *     const bar = document.createElement("hm-replaybar");
 *     bar.data = { timeline, hasLink: true };
 *     bar.shown = { playback, seat: null };       // as it is now
 *     bar.copied = true;                          // whether the link could be copied
 *     // hm-act {act} · hm-seek {at_ms} · hm-speed {speed} · hm-follow {player}
 */

import "../recordwords.js";
import { el, send, setText, svg } from "../dom.js";
import { SPEEDS } from "../playback.js";
import { duration, t } from "../words.js";

/** @typedef {import("../timeline.js").Timeline} Timeline */
/** @typedef {import("../replaykeys.js").Act} Act */

/** How many positions the scrubber has. */
const STEPS = 500;
const SAID_MS = 1_600;
const MARKS = /** @type {const} */ (["lead", "deadlocked", "undo"]);

const ICONS = {
  play: "M7 4.5L19 12L7 19.5Z",
  pause: "M8 5V19M16 5V19",
  on: "M6 5.5L14.5 12L6 18.5ZM18 5.5V18.5",
  back: "M18 5.5L9.5 12L18 18.5ZM6 5.5V18.5",
  link: "M10 14A4 4 0 0 0 15.7 14L18.7 11A4 4 0 0 0 13 5.3L11.8 6.5M14 10A4 4 0 0 0 8.3 10L5.3 13A4 4 0 0 0 11 18.7L12.2 17.5",
};

export class HmReplaybar extends HTMLElement {
  #scrubber = el("input", { type: "range", min: "0", class: "scrubber" });
  #clock = el("output", { class: "replay-clock" });
  #icon = svg("path", { d: ICONS.play, "stroke-linejoin": "round" });
  #play = el("button", { type: "button", class: "main round" }, iconOf(this.#icon));
  #speed = el("select", { class: "speed" });
  #who = el("select", { class: "who" });
  #copyWords = el("span");
  #copy = el("button", { type: "button", class: "quiet copy-moment" }, iconOf(svg("path", { d: ICONS.link, "stroke-linejoin": "round" })), this.#copyWords);
  /** @type {Timeline | null} */
  #timeline = null;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#scrubber.addEventListener("input", () => send(this, "seek", { at_ms: Number(this.#scrubber.value) }), { signal });
    this.#speed.addEventListener("change", () => send(this, "speed", { speed: Number(this.#speed.value) }), { signal });
    this.#who.addEventListener("change", () => send(this, "follow", { player: this.#who.value || null }), { signal });
    this.addEventListener("click", (event) => this.#pressed(event), { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {{timeline: Timeline, hasLink: boolean}} */ { timeline, hasLink }) {
    this.#timeline = timeline;
    const { players } = timeline.replay.record;
    const step = Math.max(1, Math.round(timeline.length_ms / STEPS));
    // Whole steps, or the scrubber would stop short of the end.
    this.#scrubber.max = String(Math.ceil(timeline.length_ms / step) * step);
    this.#scrubber.step = String(step);
    this.#who.replaceChildren(el("option", { value: "" }, t("watch.all")),
      ...players.map(({ player, name }) => el("option", { value: player }, name)));
    this.#who.hidden = players.length === 1;
    this.#copy.hidden = !hasLink;
  }

  set shown(/** @type {{playback: import("../playback.js").Playback, seat: number | null}} */ { playback, seat }) {
    const { moment, isPlaying, speed } = playback;
    const length_ms = this.#timeline?.length_ms ?? 0;
    this.#scrubber.value = String(moment.at_ms);
    const time = t("replay.clock", { now: duration(moment.at_ms), whole: duration(length_ms) });
    setText(this.#clock, time);
    this.#scrubber.setAttribute("aria-valuetext", time);
    this.#icon.setAttribute("d", isPlaying ? ICONS.pause : ICONS.play);
    this.#play.setAttribute("aria-label", t(isPlaying ? "replay.pause" : "replay.play"));
    this.#speed.value = String(speed);
    this.#who.value = seat === null ? "" : (this.#timeline?.replay.record.players[seat].player ?? "");
  }

  set copied(/** @type {boolean} */ isCopied) {
    setText(this.#copyWords, t(isCopied ? "copy.done" : "copy.failed"));
    this.#copy.classList.add("said");
    setTimeout(() => {
      setText(this.#copyWords, t("replay.copy"));
      this.#copy.classList.remove("said");
    }, SAID_MS);
  }

  #build() {
    this.#scrubber.setAttribute("aria-label", t("chart.time"));
    this.#speed.setAttribute("aria-label", t("replay.speed"));
    this.#who.setAttribute("aria-label", t("replay.who"));
    this.#speed.append(...SPEEDS.map((speed) => el("option", { value: String(speed) }, `${speed}×`)));
    this.#play.dataset.act = JSON.stringify({ what: "play" });
    this.#copy.dataset.act = JSON.stringify({ what: "copy" });
    setText(this.#copyWords, t("replay.copy"));
    this.append(
      el("div", { class: "replay-time" }, this.#scrubber, this.#clock, this.#copy),
      el("div", { class: "replay-controls" },
        actButton({ what: "step", by: -1 }, ICONS.back, t("replay.back")), this.#play,
        actButton({ what: "step", by: 1 }, ICONS.on, t("replay.on")), this.#speed, this.#who),
      el("div", { class: "replay-jumps" }, ...MARKS.map(jumps)));
  }

  /** @param {Event} event */
  #pressed(event) {
    const button = event.target instanceof Element ? event.target.closest("[data-act]") : null;
    const act = button?.getAttribute("data-act");
    if (act) send(this, "act", { act: /** @type {Act} */ (JSON.parse(act)) });
  }
}

/** @param {SVGElement} path */
const iconOf = (path) => svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, path);

/** @param {Act} act @param {string} d @param {string} label */
function actButton(act, d, label) {
  const button = el("button", { type: "button", class: "round", "aria-label": label, "data-act": JSON.stringify(act) });
  button.append(iconOf(svg("path", { d, "stroke-linejoin": "round" })));
  return button;
}

/** To the one before and to the next. @param {typeof MARKS[number]} mark */
function jumps(mark) {
  const jump = (/** @type {1 | -1} */ by, /** @type {string} */ sign) =>
    el("button", { type: "button", class: "quiet round", "data-act": JSON.stringify({ what: "jump", mark, by }),
      "aria-label": t(by > 0 ? `replay.next_${mark}` : `replay.previous_${mark}`) }, sign);
  return el("div", { class: "jump", role: "group", "aria-label": t(`replay.${mark}`) },
    jump(-1, "‹"), el("span", { "aria-hidden": "true" }, t(`replay.${mark}`)), jump(1, "›"));
}

customElements.define("hm-replaybar", HmReplaybar);
