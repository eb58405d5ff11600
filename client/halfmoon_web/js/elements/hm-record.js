/**
 * A finished race by its record: the replay, standings, scores over time, where runs parted, options, code and seal.
 *
 *     const record = document.createElement("hm-record");
 *     record.data = {
 *       replay,                           // from `verify`: a record that holds
 *       text,                             // the record as it came, to be kept
 *       other: null,                      // another record of the same deal, to compare runs with
 *       at_ms: 83_000, player: "p_1",     // where the replay begins
 *       link: (hash) => `https://…/race/r_…${hash}`,   // to a moment of it; null where it has no address
 *     };
 *     // hm-moment {at_ms, player} · hm-record {text}: another record was chosen · hm-keys
 */

import "../recordwords.js";
import { dateWords } from "../dates.js";
import { el, setText } from "../dom.js";
import { GHOSTS } from "../drawing.js";
import { fileNameOf } from "../keeping.js";
import { FIELDS } from "../options.js";
import { endOf, roomAt, timelineOf } from "../timeline.js";
import { t } from "../words.js";
import { HmChart, shownCourses } from "./hm-chart.js";
import { HmCopy } from "./hm-copy.js";
import { HmParted } from "./hm-parted.js";
import { HmRecordfile } from "./hm-recordfile.js";
import { HmReplay } from "./hm-replay.js";
import { HmResults } from "./hm-results.js";
import { HmSeal } from "./hm-seal.js";

/** @typedef {import("../verify.js").Replay} Replay */
/**
 * @typedef {object} RecordData
 * @property {Replay} replay
 * @property {string} text
 * @property {Replay | null} other
 * @property {[string | null, string | null] | null} [compared] the players of the two runs that are compared first
 * @property {number | null} [at_ms]
 * @property {string | null} [player]
 * @property {(hash: string) => string | null} link
 */

/** Where several boards side by side are hard to read: one is shown, large, and the others are a step away. */
const SMALL = "(max-width: 560px), (max-height: 520px)";

export class HmRecord extends HTMLElement {
  #title = el("h1", { tabindex: "-1" });
  #when = el("p", { class: "muted" });
  #keep = el("a", { class: "button" });
  #replay = new HmReplay();
  #results = new HmResults();
  #chart = new HmChart();
  #parted = new HmParted();
  #partedWords = el("p", { class: "muted" });
  #file = new HmRecordfile();
  #options = el("dl", { class: "option-words" });
  #code = new HmCopy();
  #deal = el("a", { class: "button" });
  #open = el("p", { class: "muted" });
  #seal = new HmSeal();
  /** @type {RecordData | null} */
  #data = null;
  /** Where the file to be kept is. */
  #url = "";
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    /** @param {HTMLElement} from @param {string} name @param {(detail: any) => void} act */
    const hear = (from, name, act) => from.addEventListener(name, (event) => event instanceof CustomEvent && act(event.detail), { signal });
    hear(this.#chart, "hm-read", ({ at_ms }) => this.#replay.seek(at_ms));
    hear(this.#replay, "hm-moment", ({ at_ms }) => (this.#chart.at_ms = at_ms));
    hear(this.#parted, "hm-see", (seen) => this.#see(seen));
  }

  disconnectedCallback() {
    this.#off.abort();
    URL.revokeObjectURL(this.#url);
  }

  set data(/** @type {RecordData} */ data) {
    this.#data = data;
    const { record } = data.replay;
    const timeline = timelineOf(data.replay);
    const room = { ...roomAt(timeline, endOf(timeline)), standings: record.standings };
    setText(this.#title, titleOf(record));
    setText(this.#when, t("record.when", { time: dateWords(record.starts_at), room: record.room }));
    this.#offer(data.text, record.race);
    this.#results.data = { room, me: "" };
    this.#chart.data = { race: record.race, shown: shownCourses(room, data.player ?? ""), record };
    this.#replay.link = data.link;
    const isSmall = matchMedia(SMALL).matches;
    this.#replay.data = { timeline, at_ms: data.at_ms, player: data.player ?? (isSmall ? record.standings[0].player : null) };
    this.#compare(data);
    this.#options.replaceChildren(...optionLines(record.options));
    this.#code.value = { text: record.code, label: t("over.copy_code") };
    this.#deal.href = `/deal/${record.code}`;
    const { code, seal, draw, room: id, race } = record;
    setText(this.#open, record.options.code === undefined ? "" : t("lobby.open_words"));
    this.#seal.data = { code, seal, isOpen: record.options.code !== undefined, ...(draw && { drawn: { draw, room: id, race } }) };
  }

  /** What is wrong with the record that was chosen to compare with. */
  set trouble(/** @type {string} */ trouble) {
    this.#file.trouble = trouble;
  }

  /** Shows a moment. @param {number} at_ms @param {string | null} [player] */
  seek(at_ms, player) {
    this.#replay.seek(at_ms, player);
  }

  #build() {
    this.#keep.textContent = t("record.keep");
    this.#deal.textContent = t("over.deal");
    this.#file.words = t("record.drop_other");
    this.#seal.whole = true;
    this.append(
      el("div", { class: "record-head" }, el("div", {}, this.#title, this.#when), this.#keep),
      el("section", { class: "panel replay-panel", "aria-label": t("replay.title") }, this.#replay),
      el("section", { class: "panel results" }, el("h2", {}, t("record.standings")), this.#results, this.#chart),
      el("section", { class: "panel results" }, el("h2", {}, t("parted.title")), this.#partedWords, this.#parted, this.#file),
      el("section", { class: "panel results" }, el("h2", {}, t("lobby.options")), this.#options,
        el("div", { class: "code-line" }, el("span", { class: "muted" }, t("over.code")), this.#code, this.#deal), this.#open, this.#seal,
        el("p", { class: "muted" }, t("record.checked"))));
  }

  /** @param {string} text @param {string} race */
  #offer(text, race) {
    URL.revokeObjectURL(this.#url);
    this.#url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    this.#keep.href = this.#url;
    this.#keep.download = fileNameOf(race);
  }

  /** @param {RecordData} data */
  #compare({ replay, other, compared }) {
    const mine = racersOf(replay, 0, "");
    const theirs = other === null ? [] : racersOf(other, mine.length, ` (${dateWords(other.record.starts_at)})`);
    setText(this.#partedWords, t(mine.length + theirs.length > 1 ? "parted.words" : "parted.alone"));
    this.#parted.data = { racers: [...mine, ...theirs] };
    const [one, other_one] = compared ?? [null, null];
    const second = theirs.length > 0 ? mine.length + placeOf(theirs, other_one, 0) : placeOf(mine, other_one, 1);
    if (compared || theirs.length > 0) this.#parted.compare(placeOf(mine, one, 0), second);
  }

  /** @param {{replay: Replay, at_ms: number, player: string}} seen */
  #see({ replay, at_ms, player }) {
    if (replay !== this.#data?.replay) return;
    this.#replay.seek(at_ms, player);
    this.#replay.scrollIntoView({ block: "start" });
  }
}

/** Who came first, and how. @param {import("../record.js").RaceRecord} record */
function titleOf({ standings }) {
  const first = standings.filter((line) => line.rank === 1);
  if (standings.length === 1 && first[0].status !== "won") return t("share.alone", { name: first[0].name, score: first[0].best });
  if (first.length !== 1) return t("record.title_shared", { names: first.map((line) => line.name).join(", ") });
  return t(first[0].status === "won" ? "record.title_won" : "record.title", { name: first[0].name, score: first[0].best });
}

/** Everybody of a record, best first. @param {Replay} replay @param {number} sign of the first @param {string} more after each name */
function racersOf(replay, sign, more) {
  const { players, standings } = replay.record;
  return standings.map(({ player, name }) => {
    const seat = players.findIndex((line) => line.player === player);
    const shape = players[seat].ghost ? GHOSTS : 0;
    return { replay, seat, name: name + more, sign: shape + sign + seat, canBeSeen: more === "" };
  });
}

/** Where this player is among them. @param {ReturnType<typeof racersOf>} racers @param {string | null} player @param {number} otherwise */
function placeOf(racers, player, otherwise) {
  const found = racers.findIndex(({ replay, seat }) => replay.record.players[seat].player === player);
  return found < 0 ? Math.min(otherwise, racers.length - 1) : found;
}

/** Those options that the record has; its code stands elsewhere. @param {object} options */
const optionLines = (options) =>
  FIELDS.filter(({ name }) => name in options && name !== "code")
    .flatMap((field) => [el("dt", {}, t(`option.${field.name}`)), el("dd", {}, field.words(/** @type {import("../messages.js").Options} */ (options)))]);

customElements.define("hm-record", HmRecord);
