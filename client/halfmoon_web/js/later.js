/**
 * A part of the page that comes when it is needed first.
 *
 *     const keys = new Later(() => import("./elements/hm-keys.js"), { come: () => show(), failed: () => … });
 *     keys.bring();
 *     keys.part?.…
 */

/** @template T */
export class Later {
  #load;
  #told;
  #isComing = false;
  /** @type {T | null} */
  part = null;

  /**
   * @param {() => Promise<T>} load
   * @param {{come: () => void, failed: () => void}} told what is called once it is there, or each time that it couldn't come
   */
  constructor(load, told) {
    this.#load = load;
    this.#told = told;
  }

  /** Asks for it, unless it is there or on its way. */
  async bring() {
    if (this.part !== null || this.#isComing) return;
    this.#isComing = true;
    try {
      this.part = await this.#load();
    } catch {
      return this.#told.failed();
    } finally {
      this.#isComing = false;
    }
    this.#told.come();
  }
}
