/** What the log calls this device of an organiser's: asked once, kept by the browser; a number until somebody says. */

import { t } from "./words.js";

const NAME = "halfmoon.device";
const LONGEST = 24;
const NUMBERS = 90;

export class Device {
  #storage;
  #number;
  /** For a browser that keeps nothing. */
  #last = "";

  /** @param {Storage | null} storage @param {boolean} isPhone @param {number} lot from 0 up to 1 */
  constructor(storage, isPhone, lot) {
    this.#storage = storage;
    this.#number = t(isPhone ? "device.phone" : "device.computer", { number: 10 + Math.floor(lot * NUMBERS) });
    if (this.#kept === "") this.#keep("", this.#number);
  }

  get name() {
    return this.#kept.replace(/^\?/, "") || this.#number;
  }

  /** Whether somebody has said what it is called. */
  get isNamed() {
    return this.#kept !== "" && !this.#kept.startsWith("?");
  }

  /** @param {string} name "" stays with the number */
  call(name) {
    this.#keep("named", name.trim().slice(0, LONGEST) || this.name);
  }

  get #kept() {
    try {
      return this.#storage?.getItem(NAME) ?? this.#last;
    } catch {
      return this.#last;
    }
  }

  /** A question mark stands before what nobody has said. @param {"" | "named"} how @param {string} name */
  #keep(how, name) {
    this.#last = how === "named" ? name : `?${name}`;
    try {
      this.#storage?.setItem(NAME, this.#last);
    } catch {
      // It is asked again after a reload.
    }
  }
}
