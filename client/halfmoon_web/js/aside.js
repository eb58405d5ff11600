/** The pages of results beside the rooms: they ask over HTTP, and send who wants to race to the rooms' page. */

import "./resultwords.js";
import { IdentityStore, storageOf } from "./identity.js";
import { applyLook, bringInSheet } from "./look.js";
import { load, save } from "./settings.js";
import { keepWish } from "./wishes.js";
import { HmSettings } from "./elements/hm-settings.js";

/** @typedef {HTMLElement & {open: (id: string) => Promise<void>}} View */

class Aside {
  #main = /** @type {HTMLElement} */ (document.querySelector("main"));
  #settingsMenu = new HmSettings();
  #settings;
  #Kind;
  #id;

  /** @param {new () => View} Kind @param {string} id of what is shown @param {Storage | null} storage */
  constructor(Kind, id, storage) {
    this.storage = storage;
    this.#Kind = Kind;
    this.#id = id;
    this.#settings = load(storage);
    this.#settingsMenu.settings = this.#settings;
    document.querySelector("header")?.append(this.#settingsMenu);
    this.#listen();
  }

  async show() {
    const view = new this.#Kind();
    this.#main.replaceChildren(view);
    await view.open(this.#id);
    const title = view.querySelector("h1")?.textContent;
    document.title = title ? `${title} · Half Moon` : "Half Moon";
  }

  #listen() {
    /** @type {Record<string, (detail: any) => void>} */
    const events = {
      "hm-wish": (wish) => this.#go(wish),
      "hm-settings": (settings) => this.#set(settings),
      "hm-someone-else": () => this.#handOver(),
    };
    // Who comes back by the browser's own way has raced meanwhile.
    window.addEventListener("pageshow", (event) => event.persisted && this.show());
    for (const [name, act] of Object.entries(events)) {
      document.addEventListener(name, (event) => act(event instanceof CustomEvent ? event.detail : undefined));
    }
  }

  /** @param {{name: string, wish: import("./wishes.js").Wish}} wanted */
  #go({ name, wish }) {
    const own = storageOf("sessionStorage");
    new IdentityStore(this.storage, own).keep({ name, isGuest: undefined });
    keepWish(own, wish);
    location.assign("/");
  }

  /** @param {import("./settings.js").Settings} next */
  #set(next) {
    const isOtherLanguage = next.language !== this.#settings.language;
    this.#settings = next;
    save(this.storage, next);
    applyLook(next);
    this.#settingsMenu.settings = next;
    if (isOtherLanguage) this.show();
  }

  #handOver() {
    new IdentityStore(this.storage, storageOf("sessionStorage")).startAnew();
    location.assign("/");
  }
}

/** @param {string} page @returns {Promise<new () => View>} */
async function kindOf(page) {
  if (page === "deal") return (await import("./elements/hm-deal.js")).HmDeal;
  if (page === "me") return (await import("./elements/hm-me.js")).HmMe;
  if (page === "daily") return (await import("./elements/hm-daily.js")).HmDaily;
  return (await import("./elements/hm-challenge.js")).HmChallenge;
}

/** @param {{page: string, id: string}} place @param {Storage | null} storage */
export async function beginAside({ page, id }, storage) {
  document.body.dataset.screen = page;
  const [Kind] = await Promise.all([kindOf(page), bringInSheet("/static/css/tables.css")]);
  await new Aside(Kind, id, storage).show();
}
