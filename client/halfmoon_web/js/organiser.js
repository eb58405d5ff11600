/** `/organiser`: who has the key makes tournaments here and runs them. */

import "./tournamentwords.js";
import { placeOf } from "./address.js";
import { Conducting } from "./conducting.js";
import { Device } from "./device.js";
import { el } from "./dom.js";
import { applyLook, bringInLateSheets, bringInSheet } from "./look.js";
import { KeyStore, OrganiserApi, isRefused, keyIn, refusalWords } from "./organiserapi.js";
import { automaticOf, requestOf } from "./presets.js";
import { codesOf } from "./qrdrawing.js";
import { load, save } from "./settings.js";
import { t } from "./words.js";
import { HmOrganiser } from "./elements/hm-organiser.js";
import { HmSettings } from "./elements/hm-settings.js";

/** @typedef {import("./elements/hm-organiser.js").TournamentLine} TournamentLine */

class Organiser {
  #main = /** @type {HTMLElement} */ (document.querySelector("main"));
  #settingsMenu = new HmSettings();
  #storage;
  #keys;
  #api;
  #called;
  #page = new HmOrganiser();
  /** @type {Conducting | null} */
  #conducting = null;
  /** @type {TournamentLine[] | null} */
  #tournaments = null;
  #trouble = "";
  #isBusy = false;
  /** @type {import("./qrdrawing.js").QrCode | null} */
  #device = null;
  /** @type {import("./address.js").Place} */
  #place = { origin: location.origin, isLocal: false };

  /** @param {Storage | null} storage */
  constructor(storage) {
    this.#storage = storage;
    this.#keys = new KeyStore(storage);
    this.#api = new OrganiserApi(this.#keys);
    this.#called = new Device(storage, matchMedia("(pointer: coarse)").matches, Math.random());
    this.#api.device = this.#called.name;
    this.#settingsMenu.settings = load(storage);
    document.querySelector("header")?.append(this.#settingsMenu);
  }

  async begin() {
    this.#takeKey();
    this.#listen();
    this.#go();
    this.#place = await placeOf(location);
    this.#conducting?.place(this.#place);
  }

  /** The key of the link is kept, and leaves the address bar at once. */
  #takeKey() {
    const key = keyIn(location.hash);
    if (location.hash === "") return;
    if (key !== "") this.#keys.keep(key);
    history.replaceState(null, "", location.pathname + location.search);
  }

  #listen() {
    /** @type {Record<string, (detail: any) => void>} */
    const events = {
      "hm-key": ({ key }) => this.#useKey(key),
      "hm-make": ({ plan }) => this.#make(plan),
      "hm-open": ({ tournament }) => this.#visit(tournament),
      "hm-forget": () => this.#forget(),
      "hm-device": () => this.#showDevice(),
      "hm-call": ({ name }) => this.#call(name),
      "hm-back": () => this.#visit(""),
      "hm-settings": (settings) => this.#change(settings),
    };
    for (const [name, act] of Object.entries(events)) {
      document.addEventListener(name, (event) => act(event instanceof CustomEvent ? event.detail : undefined));
    }
    window.addEventListener("popstate", () => this.#go());
    // The same link opened again in this tab changes the fragment alone.
    window.addEventListener("hashchange", () => {
      this.#takeKey();
      this.#go();
    });
  }

  /** @param {string} tournament "" for the list */
  #visit(tournament) {
    const search = tournament === "" ? "" : `?t=${encodeURIComponent(tournament)}`;
    if (location.search !== search) history.pushState(null, "", location.pathname + search);
    this.#go();
  }

  /** Shows what the address says. */
  #go() {
    const tournament = new URLSearchParams(location.search).get("t")?.toUpperCase() ?? "";
    this.#conducting?.end();
    this.#conducting = null;
    if (tournament !== "" && this.#keys.key !== "") {
      this.#conducting = new Conducting(tournament, this.#api, this.#place);
      this.#main.replaceChildren(this.#conducting.element);
      this.#conducting.begin();
      return;
    }
    this.#main.replaceChildren(this.#page);
    this.#list();
  }

  #draw() {
    this.#page.data = {
      hasKey: this.#keys.key !== "", tournaments: this.#tournaments, trouble: this.#trouble, isBusy: this.#isBusy, device: this.#device, called: this.#called.name,
    };
  }

  async #list() {
    this.#draw();
    if (this.#keys.key === "") return;
    await this.#try("list", async () => {
      this.#tournaments = (await this.#api.call("list", "/api/tournaments")).tournaments;
    });
  }

  /** @param {string} key */
  #useKey(key) {
    this.#keys.keep(keyIn(key.includes("#") ? key.slice(key.indexOf("#")) : key));
    this.#trouble = this.#keys.key === "" ? t("refused.unauthorized") : "";
    this.#list();
  }

  #forget() {
    this.#keys.keep("");
    this.#tournaments = this.#device = null;
    this.#draw();
  }

  /** @param {string} name of this device */
  #call(name) {
    this.#called.call(name);
    this.#api.device = this.#called.name;
    this.#draw();
  }

  /** @param {import("./presets.js").Plan} plan */
  async #make(plan) {
    await this.#try("make", async () => {
      const { tournament } = await this.#api.call("make", "/api/tournaments", requestOf(plan));
      const automatic = automaticOf(plan);
      if (automatic) await this.#api.in("automatic", tournament, "/automatic", automatic);
      this.#visit(tournament);
    });
  }

  async #showDevice() {
    await this.#try("qr", async () => {
      [this.#device] = await codesOf(this.#api, [`/organiser#${encodeURIComponent(this.#keys.key)}`]);
    });
  }

  /** @param {string} action @param {() => Promise<void>} act */
  async #try(action, act) {
    this.#isBusy = true;
    this.#trouble = "";
    this.#draw();
    try {
      await act();
    } catch (thrown) {
      if (!isRefused(thrown)) throw thrown;
      this.#trouble = refusalWords(thrown, null);
      if (thrown.code === "unauthorized" && action === "list") this.#keys.keep("");
    } finally {
      this.#isBusy = false;
      this.#draw();
    }
  }

  /** @param {import("./settings.js").Settings} settings */
  #change(settings) {
    const isOtherLanguage = settings.language !== load(this.#storage).language;
    save(this.#storage, settings);
    applyLook(settings);
    this.#settingsMenu.settings = settings;
    if (!isOtherLanguage) return;
    this.#page = new HmOrganiser();
    this.#go();
  }
}

/** @param {Storage | null} storage */
export async function beginOrganiser(storage) {
  document.body.dataset.screen = "organiser";
  await Promise.all([bringInLateSheets(), bringInSheet("/static/css/tournament.css")]);
  document.head.append(el("meta", { name: "referrer", content: "no-referrer" }));
  await new Organiser(storage).begin();
}
