/** What a player notices of a race without looking: sounds, vibration, spoken words, and a screen that stays on. */

import { feel } from "./feel.js";
import { moments } from "./moments.js";
import { Speaker, actionWords, momentWords } from "./speech.js";
import { WakeLock } from "./wakelock.js";

export class Senses {
  #settings;
  #speaker = new Speaker();
  #wakeLock = new WakeLock();
  /** What was noticed last, to tell what is new. @type {import("./room.js").Room | null} */
  #seen = null;

  /** @param {() => import("./settings.js").Settings} settings as they are now */
  constructor(settings) {
    this.#settings = settings;
  }

  /** What the spoken words stand in. */
  get element() {
    return this.#speaker.element;
  }

  /** Tells what has happened since the last time. @param {import("./state.js").State} state */
  notice({ room, me }) {
    if (room?.room !== this.#seen?.room || room?.state !== this.#seen?.state) this.#speaker.forget();
    for (const moment of moments(this.#seen, room, me?.player)) {
      if (moment.what !== "reaction" || this.#settings().reactions) this.feel(moment.what);
      this.#speaker.say(momentWords(moment));
    }
    this.#seen = room;
    this.#wakeLock.want(room?.state === "countdown" || room?.state === "racing");
  }

  /** @param {string} what */
  feel(what) {
    feel(what, this.#settings());
  }

  /** @param {string} words */
  say(words) {
    this.#speaker.say(words);
  }

  /** What was said last is in another language than the page by now. */
  forget() {
    this.#speaker.forget();
  }

  /** The server carried an action out. @param {Parameters<typeof actionWords>[0]} message */
  acted(message) {
    this.#speaker.say(actionWords(message));
  }

  /** The page is seen again. */
  wake() {
    this.#wakeLock.wake();
  }
}
