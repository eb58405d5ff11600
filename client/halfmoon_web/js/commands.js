/** What is said to the room that one is in: each command in a word. */

/** @typedef {import("./messages.js").Command} Command */

import { share } from "./shares.js";

export class RoomCommands {
  #send;
  #commit;

  /**
   * @param {(command: (room: string) => Command) => void} send to the room, where one is in one
   * @param {() => string | undefined} commit what the server has bound itself to for the race to come
   */
  constructor(send, commit = () => undefined) {
    this.#send = send;
    this.#commit = commit;
  }

  /** @param {import("./connection.js").Seat["as"]} as */
  changeRole(as) {
    this.#send((room) => ({ type: "join_room", room, as }));
  }

  /** @param {boolean} ready */
  setReady(ready) {
    const commit = ready ? this.#commit() : undefined;
    this.#send((room) => ({ type: "set_ready", room, ready, ...(commit && { nonce: share(commit) }) }));
  }

  start() {
    this.#send((room) => ({ type: "start", room }));
  }

  /** @param {import("./messages.js").OptionsChange} options */
  setOptions(options) {
    this.#send((room) => ({ type: "set_options", room, options }));
  }

  /** @param {string} player */
  kick(player) {
    this.#send((room) => ({ type: "kick", room, player }));
  }

  /** Calls something out to the room. @param {import("./reactions.js").Reaction} reaction */
  react(reaction) {
    this.#send((room) => ({ type: "react", room, reaction }));
  }

  retire() {
    this.#send((room) => ({ type: "retire", room }));
  }

  leave() {
    this.#send((room) => ({ type: "leave_room", room }));
  }
}
