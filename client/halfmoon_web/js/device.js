/** What the log calls this device of an organiser's: kept by the browser; a number until somebody says. */

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
    if (this.#kept === "") this.#keep(this.#number);
  }

  get name() {
    return this.#kept || this.#number;
  }

  /** @param {string} name "" stays with the number */
  call(name) {
    this.#keep(name.trim().slice(0, LONGEST) || this.name);
  }

  get #kept() {
    try {
      return this.#storage?.getItem(NAME) ?? this.#last;
    } catch {
      return this.#last;
    }
  }

  /** @param {string} name */
  #keep(name) {
    this.#last = name;
    try {
      this.#storage?.setItem(NAME, this.#last);
    } catch {
      // It has another number after a reload.
    }
  }
}
