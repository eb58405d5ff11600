/** Who types a tournament's id where a room's is asked for is led to the tournament: both are five letters and digits. */

import { tournamentPath } from "./links.js";

export class TournamentDoor {
  #ask;
  #go;
  #tried = "";

  /** @param {(path: string) => Promise<import("./asking.js").Answer>} ask @param {(path: string) => void} go */
  constructor(ask, go) {
    this.#ask = ask;
    this.#go = go;
  }

  /** @param {string} room that somebody wants to come into */
  tried(room) {
    this.#tried = room;
  }

  /** What the server said last: where it knows no such room, it may know a tournament. @param {import("./state.js").News | null} news */
  async told(news) {
    const id = this.#tried;
    if (id === "" || news?.what !== "unknown_room" || news.command !== "join_room") return;
    this.#tried = "";
    const { status } = await this.#ask(`/api/tournaments/${id}`);
    if (status === 200) this.#go(tournamentPath(id));
  }
}
