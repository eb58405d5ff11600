/** Before a room's door: looks at the room now and then, as long as somebody stands there. */

import { invitation, missing, wayHome } from "./inviting.js";

/** So often it is looked at again. */
const AGAIN_MS = 10_000;
/** So often the time that is left is told anew. */
const TICK_MS = 1_000;

export class Doorstep {
  #ask;
  #world;
  #changed;
  /** @type {import("./inviting.js").Glance | null} */
  #glance = null;
  #isMissing = false;
  #ahead_ms = 0;
  /** @type {any} */
  #timer = null;
  #lookedAt = -Infinity;
  #isLooking = false;

  /**
   * @param {string} room @param {boolean} isOwn whether it is where this browser sits, rather than where a link leads
   * @param {(path: string) => Promise<import("./asking.js").Answer>} ask
   * @param {Pick<import("./line.js").World, "now" | "later" | "never">} world
   * @param {() => void} changed
   */
  constructor(room, isOwn, ask, world, changed) {
    this.room = room;
    this.isOwn = isOwn;
    this.#ask = ask;
    this.#world = world;
    this.#changed = changed;
  }

  /** What it is to be seen of it by now. @returns {import("./inviting.js").Invitation | null} */
  get invitation() {
    if (this.#isMissing) return this.isOwn ? null : missing(this.room);
    if (this.#glance === null) return null;
    const now = this.#world.now() + this.#ahead_ms;
    return this.isOwn ? wayHome(this.#glance, now) : invitation(this.#glance, now);
  }

  /** Whether the room isn't there. */
  get isMissing() {
    return this.#isMissing;
  }

  /** Somebody stands here, or not. @param {boolean} isHere */
  stand(isHere) {
    if (isHere === (this.#timer !== null)) return;
    this.#world.never(this.#timer);
    this.#timer = null;
    if (isHere) this.#tick();
  }

  #tick() {
    this.#timer = this.#world.later(() => {
      this.#tick();
      if (this.#glance?.state === "racing") this.#changed();
    }, TICK_MS);
    if (this.#world.now() - this.#lookedAt >= AGAIN_MS && !this.#isMissing) this.#look();
  }

  async #look() {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookedAt = this.#world.now();
    const { status, body, at } = await this.#ask(`/api/rooms/${encodeURIComponent(this.room)}`);
    this.#isLooking = false;
    if (status === 200) this.#glance = body;
    if (status === 200) this.#ahead_ms = at - this.#world.now();
    // Any other answer says nothing of the room.
    this.#isMissing = status === 404;
    this.#changed();
  }
}
