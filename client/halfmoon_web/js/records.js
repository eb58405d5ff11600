/** The page of a record: of a race of this server, or of a file that is dropped on it.  It needs no connection. */

import { ask, askRecord, knowsPlayer } from "./asking.js";
import { el } from "./dom.js";
import { faultWords, isOther } from "./faults.js";
import { IdentityStore, storageOf } from "./identity.js";
import { linkToRace } from "./links.js";
import { applyLook, bringInSheet } from "./look.js";
import { hashOf, momentInHash } from "./playback.js";
import { replayKeys } from "./replaykeys.js";
import { isSealed } from "./seals.js";
import { load, save } from "./settings.js";
import { verify } from "./verify.js";
import { t } from "./words.js";
import { HmKeys } from "./elements/hm-keys.js";
import { HmRecord } from "./elements/hm-record.js";
import { HmRecordfile } from "./elements/hm-recordfile.js";
import { HmSettings } from "./elements/hm-settings.js";

/** Browsers refuse to have their address changed more often. */
const ADDRESS_MS = 400;

/**
 * @typedef {import("./verify.js").Replay} Replay
 * @typedef {{replay: Replay, text: string, race: string | null}} Loaded race: its id where this server has it
 */

/** @param {string} race @returns {Promise<{loaded: Loaded, trouble: null} | {loaded: null, trouble: string}>} */
async function loadRace(race) {
  /** @type {string} */
  let text;
  try {
    text = await askRecord(race);
  } catch (error) {
    const isMissing = error instanceof Error && error.message === "404";
    return { loaded: null, trouble: t(isMissing ? "record.none" : "record.unreachable") };
  }
  return readText(text, race);
}

/** @param {string} text @param {string | null} race @returns {{loaded: Loaded, trouble: null} | {loaded: null, trouble: string}} */
function readText(text, race) {
  const { replay, fault } = verify(text);
  if (replay === null) return { loaded: null, trouble: t(isOther(fault) ? "record.other" : "record.refused", { fault: faultWords(fault) }) };
  return { loaded: { replay, text, race }, trouble: null };
}

class RecordsPage {
  #main = /** @type {HTMLElement} */ (document.querySelector("main"));
  #settingsMenu = new HmSettings();
  #keys = new HmKeys();
  /** @type {Loaded | null} */
  #loaded = null;
  /** @type {Loaded | null} */
  #other = null;
  #trouble = "";
  /** Where the replay is. */
  #moment = momentInHash(location.hash);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #addressTimer;
  #settings;

  /** @param {Storage | null} storage */
  constructor(storage) {
    this.storage = storage;
    this.#settings = load(storage);
    this.#settingsMenu.settings = this.#settings;
    document.body.dataset.screen = "record";
    document.querySelector("header")?.append(this.#settingsMenu);
    document.body.append(this.#keys);
    this.#listen();
  }

  /** @param {string} race "" for none */
  async begin(race) {
    await bringInSheet("/static/css/replay.css");
    if (race !== "") await this.#open(race);
    const other = new URLSearchParams(location.search).get("with");
    if (other !== null && this.#loaded) await this.#openOther(other);
    this.#draw();
  }

  /** @param {string} race */
  async #open(race) {
    this.#main.replaceChildren(el("p", { class: "muted loading", role: "status" }, t("record.loading")));
    const { loaded, trouble } = await loadRace(race);
    this.#loaded = loaded;
    this.#trouble = trouble ?? "";
  }

  /** @param {string} race */
  async #openOther(race) {
    const { loaded, trouble } = await loadRace(race);
    if (loaded) this.#compareWith(loaded);
    else this.#trouble = trouble;
  }

  /** A record was dropped or chosen: to compare with where it is of the same deal, else to be shown. @param {string} text */
  #take(text) {
    const { loaded, trouble } = readText(text, null);
    this.#trouble = trouble ?? "";
    if (loaded && this.#loaded && loaded.replay.record.code === this.#loaded.replay.record.code) this.#compareWith(loaded);
    else if (loaded) this.#show(loaded);
    this.#draw();
  }

  /** @param {Loaded} loaded */
  #compareWith(loaded) {
    const isSame = loaded.replay.record.code === this.#loaded?.replay.record.code;
    this.#other = isSame ? loaded : null;
    if (!isSame) this.#trouble = t("parted.other_deal");
  }

  /** @param {Loaded} loaded */
  #show(loaded) {
    this.#loaded = loaded;
    this.#other = null;
    this.#moment = { at_ms: null, player: null };
    if (recordIsElsewhere()) history.replaceState(null, "", "/replay");
  }

  #draw() {
    const loaded = this.#loaded;
    if (loaded === null) return this.#drawEntrance();
    const record = new HmRecord();
    this.#main.replaceChildren(record);
    const { replay, text, race } = loaded;
    const address = race === null ? null : linkToRace(location.origin, race) + location.search;
    record.data = {
      replay, text, other: this.#other?.replay ?? null, compared: comparedIn(location.search), ...this.#moment,
      link: (hash) => (address === null ? null : address + hash),
    };
    record.trouble = this.#trouble;
    document.title = `${record.querySelector("h1")?.textContent} · Half Moon`;
    if (race !== null) this.#offerChallenge(record, replay.record);
  }

  /** Friends can be challenged to any race of one's own. @param {HmRecord} page @param {Replay["record"]} record */
  async #offerChallenge(page, { race, players, code, options }) {
    if (!knowsPlayer()) return;
    const { body } = await ask("/api/players/me/races");
    if (!players.some((one) => one.ghost === undefined && one.player === body?.player)) return;
    const { HmChallenging } = await import("./elements/hm-challenging.js");
    const challenging = new HmChallenging();
    challenging.data = { race, canSeal: isSealed(code) && options.code === undefined };
    page.append(challenging);
  }

  /** Where there is nothing to show yet. */
  #drawEntrance() {
    const file = new HmRecordfile();
    file.words = t("record.drop");
    this.#main.replaceChildren(el("section", { class: "panel entrance" }, el("h1", { tabindex: "-1" }, t("record.entrance")), file));
    file.trouble = this.#trouble;
  }

  #listen() {
    /** @type {Record<string, (detail: any) => void>} */
    const events = {
      "hm-record": ({ text }) => this.#take(text),
      "hm-moment": (moment) => this.#follow(moment),
      "hm-keys": () => this.#keys.show(replayKeys()),
      "hm-settings": (settings) => this.#set(settings),
      "hm-someone-else": () => this.#handOver(),
    };
    for (const [name, act] of Object.entries(events)) {
      document.addEventListener(name, (event) => act(event instanceof CustomEvent ? event.detail : undefined));
    }
    window.addEventListener("hashchange", () => this.#goTo(momentInHash(location.hash)));
    // Anywhere on the page will do; and a file that misses must not take the page's place.
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => this.#dropped(event));
  }

  /** @param {DragEvent} event */
  #dropped(event) {
    event.preventDefault();
    const file = document.querySelector("hm-recordfile");
    if (file instanceof HmRecordfile) file.take(event.dataTransfer?.files);
  }

  /** The address keeps up with the moment that is shown. @param {{at_ms: number, player: string | null}} moment */
  #follow(moment) {
    this.#moment = moment;
    this.#addressTimer ??= setTimeout(() => {
      this.#addressTimer = undefined;
      const { at_ms, player } = this.#moment;
      history.replaceState(null, "", hashOf(at_ms ?? 0, player));
    }, ADDRESS_MS);
  }

  /** @param {{at_ms: number | null, player: string | null}} moment */
  #goTo({ at_ms, player }) {
    const record = this.#main.querySelector("hm-record");
    if (record instanceof HmRecord && at_ms !== null) record.seek(at_ms, player);
  }

  /** @param {import("./settings.js").Settings} next */
  #set(next) {
    const isOtherLanguage = next.language !== this.#settings.language;
    this.#settings = next;
    save(this.storage, next);
    applyLook(next);
    this.#settingsMenu.settings = next;
    if (isOtherLanguage) this.#draw();
  }

  #handOver() {
    new IdentityStore(this.storage, storageOf("sessionStorage")).startAnew();
    location.assign("/");
  }
}

/** Whose runs the address compares, `?with=r_2&one=p_1&other=p_2`. @param {string} search @returns {[string | null, string | null] | null} */
function comparedIn(search) {
  const query = new URLSearchParams(search);
  return query.has("one") || query.has("other") ? [query.get("one"), query.get("other")] : null;
}

/** Whether the address is that of a race, and no longer of what is shown. */
const recordIsElsewhere = () => location.pathname !== "/replay";

/** @param {string} race "" where only a file can be shown @param {Storage | null} storage */
export function beginRecords(race, storage) {
  return new RecordsPage(storage).begin(race);
}
