/** What the organiser has done by the server: each call in a word, and why it wasn't done in words. */

import { has, t } from "./words.js";

/**
 * A call that the server didn't carry out.
 * @typedef {{action: string, code: string, message: string}} Refused
 */

const KEY_NAME = "halfmoon.organiser";

/** Where the organiser's key is kept in this browser. */
export class KeyStore {
  #storage;

  /** @param {Storage | null} storage */
  constructor(storage) {
    this.#storage = storage;
    /** For a browser that keeps nothing. */
    this.last = "";
  }

  get key() {
    try {
      return this.#storage?.getItem(KEY_NAME) ?? this.last;
    } catch {
      return this.last;
    }
  }

  /** @param {string} key "" forgets it */
  keep(key) {
    this.last = key;
    try {
      if (key === "") this.#storage?.removeItem(KEY_NAME);
      else this.#storage?.setItem(KEY_NAME, key);
    } catch {
      // It is asked for again after a reload.
    }
  }
}

/** The key in the fragment of a link, or "". @param {string} hash */
export function keyIn(hash) {
  const key = hash.replace(/^#/, "");
  try {
    return /^[\x21-\x7e]{1,200}$/.test(decodeURIComponent(key)) ? decodeURIComponent(key) : "";
  } catch {
    return "";
  }
}

export class OrganiserApi {
  #keys;
  #ask;
  /** What the log shall call the device that asks. */
  device = "";

  /** @param {KeyStore} keys @param {typeof fetch} ask */
  constructor(keys, ask = (...asked) => fetch(...asked)) {
    this.#keys = keys;
    this.#ask = ask;
  }

  /**
   * What the server answers; throws a `Refused`.
   * @param {string} action what is done, for its words @param {string} path @param {unknown} [body] posts where there is one
   * @returns {Promise<any>}
   */
  async call(action, path, body) {
    /** @type {Response} */
    let answer;
    try {
      answer = await this.#ask(path, {
        method: body === undefined ? "GET" : "POST", cache: "no-store", redirect: "error",
        headers: { Authorization: `Bearer ${this.#keys.key}`, ...(body !== undefined && { "Content-Type": "application/json" }), ...(this.device && { "Halfmoon-Device": encodeURIComponent(this.device) }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch {
      throw refused(action, "unreachable", "");
    }
    const said = await answer.json().catch(() => ({}));
    if (answer.ok) return said;
    throw refused(action, typeof said.error === "string" ? said.error : `status_${answer.status}`, String(said.message ?? ""));
  }

  /** @param {string} action @param {string} tournament @param {string} path after the tournament's @param {unknown} [body] */
  in(action, tournament, path, body) {
    return this.call(action, `/api/tournaments/${encodeURIComponent(tournament)}${path}`, body);
  }
}

/** @param {string} action @param {string} code @param {string} message @returns {Refused} */
const refused = (action, code, message) => ({ action, code, message });

/** @param {unknown} thrown @returns {thrown is Refused} */
export const isRefused = (thrown) => typeof thrown === "object" && thrown !== null && "action" in thrown && "code" in thrown;

/**
 * Why it wasn't done.  What the state forbids is told by what is so.
 * @param {Refused} why @param {import("./tournament.js").Tournament | null} tournament
 */
export function refusalWords({ action, code, message }, tournament) {
  if (code === "wrong_state" && tournament?.state === "over" && action !== "correct") return t("refused.over");
  const candidates = [`refused.${action}.${code}`, `refused.${code}`];
  if (code === "wrong_state" && tournament?.state === "racing") candidates.splice(0, 0, action === "draw" ? "refused.drawn" : "refused.racing");
  const key = candidates.find(has);
  return key ? t(key) : t("refused.other", { message: message || "?" });
}
