/** Commands that the server hasn't answered yet, in the order in which they were given. */

/** @typedef {import("./messages.js").Command} Command */

export class Pending {
  /** @type {Map<string, Command>} */
  #byId = new Map();
  #count = 0;

  /** @param {string} prefix what makes this page's ids unlike any other page's */
  constructor(prefix) {
    this.prefix = prefix;
  }

  /** The command with an id that no other has. @param {Command} command @returns {Command & {id: string}} */
  named(command) {
    return { ...command, id: `${this.prefix}-${++this.#count}` };
  }

  /** Gives the command an id and keeps it. @param {Command} command */
  add(command) {
    const named = this.named(command);
    this.#byId.set(named.id, named);
    return named;
  }

  /** The pending command of this id. @param {string} id */
  get(id) {
    return this.#byId.get(id);
  }

  /** The command of this id is pending no longer. @param {string} id */
  answered(id) {
    this.#byId.delete(id);
  }

  clear() {
    this.#byId.clear();
  }

  /** All of them, oldest first. */
  all() {
    return [...this.#byId.values()];
  }

  /** Forgets what was meant for a room that one is in no longer. @param {string} room */
  dropRoom(room) {
    for (const [id, command] of this.#byId) {
      if ("room" in command && command.room === room) this.#byId.delete(id);
    }
  }
}
