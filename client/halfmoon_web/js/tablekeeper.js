/** Keeps a tournament's table fresh: asks the server for it whenever what it depends on has changed. */

import { tableKey } from "./tournament.js";

/** @typedef {import("./tabling.js").Standings} Standings */

const AGAIN_MS = 4_000;

export class TableKeeper {
  #come;
  #ask;
  #key = "";
  #asks = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Standings | null} */
  standings = null;

  /** @param {() => void} come a newer table is there @param {(path: string) => Promise<Response>} ask */
  constructor(come, ask = (path) => fetch(path, { cache: "no-store" })) {
    this.#come = come;
    this.#ask = ask;
  }

  /** @param {import("./tournament.js").Tournament} tournament */
  async follow(tournament) {
    const key = tableKey(tournament);
    if (key === this.#key) return;
    this.#key = key;
    clearTimeout(this.#timer);
    const asked = ++this.#asks;
    try {
      const answer = await this.#ask(`/api/tournaments/${tournament.tournament}/standings`);
      if (!answer.ok) throw new Error(String(answer.status));
      const standings = await answer.json();
      if (asked !== this.#asks) return;
      this.standings = standings;
      this.#come();
    } catch {
      if (asked !== this.#asks) return;
      this.#key = "";
      this.#timer = setTimeout(() => this.follow(tournament), AGAIN_MS);
    }
  }
}
