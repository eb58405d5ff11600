/** The tournaments that this browser's player has entered, so that a reload comes back as who one is. */

import { scoped } from "./scoped.js";

const PREFIX = "halfmoon.entry.";

export class Entries {
  #storage;

  /** @param {Storage | null} storage where the identity is kept: who plays on as somebody else has entered nothing */
  constructor(storage) {
    this.#storage = scoped(storage, PREFIX);
  }

  /** @param {string} tournament @returns {string | null} the entrant that one is there */
  entrantIn(tournament) {
    try {
      return this.#storage?.getItem(tournament) ?? null;
    } catch {
      return null;
    }
  }

  /** @param {string} tournament @param {string | null} entrant null: none any more */
  keep(tournament, entrant) {
    try {
      if (entrant === null) this.#storage?.removeItem(tournament);
      else this.#storage?.setItem(tournament, entrant);
    } catch {
      // Without a place to keep it one enters again after a reload, as the same player.
    }
  }
}
